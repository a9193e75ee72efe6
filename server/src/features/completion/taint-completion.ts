/** Completion of the keys, effects and operators of taints and tolerations. */

import { describeKey } from '../../engine/catalogue/key-descriptions.ts';
import { taintFields } from '../../manifests/taint-fields.ts';
import { localize } from '../../text/localize.ts';
import { objectName } from '../presentation/object-names.ts';
import { declaredTaints } from '../selected/taints.ts';
import type { FileView } from '../view.ts';
import type { Completion } from './model.ts';

/** Matches the word at the cursor, which is the value of a field of a taint or toleration. */
const field = /(?:^|[\s{,-])(key|effect|operator):[ \t]+["']?([\w./-]*)$/;
const fieldName = /^([a-zA-Z]+):/;
const itemLine = /^(?:key|value|operator|effect|tolerationSeconds|timeAdded):|^#|^$/;

const effects = {
  NoSchedule: 'Pods without a toleration are not scheduled onto the node.',
  PreferNoSchedule: 'The scheduler avoids the node for pods without a toleration.',
  NoExecute: 'Pods without a toleration are not scheduled onto the node, and running pods are evicted.',
} as const;

const operators = {
  Equal: 'Tolerates taints with this key and value (the default).',
  Exists: 'Tolerates taints with this key and any value; without a key, all taints.',
} as const;

/** Returns the known keys, effects or operators; empty if the offset is not in a taint or toleration. */
export function taintItems(view: FileView, offset: number): readonly Completion[] {
  const before = view.text.slice(Math.max(0, offset - 3000), offset);
  const found = field.exec(before.slice(before.lastIndexOf('\n') + 1));
  const of = found === null ? undefined : listAround(before);
  if (found === null || of === undefined) return [];
  const [, name, typed = ''] = found;
  const span = { start: offset - typed.length, end: offset };
  const item = (label: string, documentation: string): Completion => ({
    label,
    kind: 'value',
    filter: label,
    documentation: () => documentation,
    edit: { span, text: label },
  });
  if (name === 'effect') return Object.entries(effects).map((each) => item(...each));
  if (name === 'operator') return of === 'tolerations' ? Object.entries(operators).map((each) => item(...each)) : [];
  return [...keysIn(view)].map((each) => item(...each));
}

/** Returns the list of taints or tolerations that contains the last line of a text. */
function listAround(before: string): string | undefined {
  const lines = before.split('\n').toReversed();
  for (const written of lines) {
    const line = written.replace(/^[\s{[-]+/, '');
    const found = fieldName.exec(line)?.[1] ?? '';
    if (found === 'tolerations' || taintFields.has(found)) return found;
    if (!itemLine.test(line)) return undefined;
  }
  return undefined;
}

/** Returns the keys of declared and of well-known taints, with descriptions. */
function keysIn(view: FileView): ReadonlyMap<string, string> {
  const known = view.catalogue.keys().filter(({ type, pattern }) => type === 'taint' && pattern !== true);
  return new Map([
    ...declaredTaints(view).map(({ key, node }) => [key, localize`Taint of ${objectName(node.object)}.`] as const),
    ...known.map((fact) => [fact.key, `${describeKey(fact).description}.`] as const),
  ]);
}
