/** Would a tool with the schema of Kubernetes say too that a label or annotation is no string? */

import { isBuiltIn } from '../engine/catalogue/built-in.ts';
import type { LabelPlace } from './label-places.ts';
import type { Fact } from './rule.ts';

/** Numbers and booleans of YAML 1.2, in which `yes` and `1_000` are strings. */
const noString =
  /^(?:true|True|TRUE|false|False|FALSE|[-+]?\d+|0o[0-7]+|0x[\dA-Fa-f]+|[-+]?(?:\.\d+|\d+\.\d*|\d+(?=[eE]))(?:[eE][-+]?\d+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;

/** Such tools read YAML 1.2, and know the kinds of Kubernetes itself. */
export function commonType({ object, entry }: LabelPlace): Pick<Fact, 'common'> {
  const { type, text } = entry.value;
  const isCommon = type === 'list' || type === 'map' || noString.test(text);
  return isCommon && isBuiltIn(object.group) ? { common: 'types' } : {};
}
