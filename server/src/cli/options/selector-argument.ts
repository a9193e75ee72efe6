/** Parses label selectors and field selectors on the command line, and rejects invalid ones. */

import {
  type FieldSelector,
  type Parsed,
  parseFieldSelector,
  parseSelector,
  type Selector,
} from '../../engine/index.ts';
import type { Option } from '../commands/command.ts';
import { UsageError } from './arguments.ts';

export const selectorOption: Option = {
  name: 'selector',
  letter: 'l',
  value: 'STRING',
  description: 'A label selector, as after `kubectl get -l`: `app=web,tier in (front,back),!canary`.',
};

/** Parses a label selector. Throws a UsageError if Kubernetes rejects it. */
export function readSelector(text: string): Selector {
  return parsedOrRefused(`selector '${text}'`, parseSelector(trimmed(text)));
}

/** Parses a field selector. Throws a UsageError if Kubernetes rejects it. */
export function readFieldSelector(text: string): FieldSelector {
  return parsedOrRefused(`field selector '${text}'`, parseFieldSelector(text));
}

function parsedOrRefused<T>(what: string, parsed: Parsed<T>): T {
  if (parsed.ok) return parsed.value;
  const problems = parsed.problems.map((problem) => problem.message).join('; ');
  throw new UsageError(`The ${what} is invalid: ${problems}.`);
}

/** Like kubectl, trims Unicode white space before parsing. The byte order mark is not treated as white space. */
function trimmed(text: string): string {
  const isBlank = (character: string | undefined) => character !== undefined && /[^\S\uFEFF]/.test(character);
  let start = 0;
  let end = text.length;
  while (isBlank(text[start])) start++;
  while (end > start && isBlank(text[end - 1])) end--;
  return text.slice(start, end);
}
