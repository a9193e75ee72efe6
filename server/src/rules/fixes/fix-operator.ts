/** Finds the operator that was probably intended by the author of an invalid one. */

import type { Written } from '../../manifests/model.ts';
import { replaceScalar } from '../../manifests/write/write-text.ts';
import { editDistance } from '../../text/edit-distance.ts';
import { localize } from '../../text/localize.ts';
import type { Fix } from '../framework/rule.ts';

const known = ['In', 'NotIn', 'Exists', 'DoesNotExist'] as const;

/** Operators of other languages, each with the equivalent operator of label selectors. */
const synonyms: ReadonlyMap<string, (typeof known)[number]> = new Map([
  ['=', 'In'],
  ['==', 'In'],
  ['equals', 'In'],
  ['equal', 'In'],
  ['eq', 'In'],
  ['!=', 'NotIn'],
  ['notequals', 'NotIn'],
  ['notequal', 'NotIn'],
  ['ne', 'NotIn'],
  ['!in', 'NotIn'],
  ['exist', 'Exists'],
  ['notexists', 'DoesNotExist'],
  ['notexist', 'DoesNotExist'],
  ['!', 'DoesNotExist'],
  ['doesntexist', 'DoesNotExist'],
  ["doesn'texist", 'DoesNotExist'],
  ['doesntexists', 'DoesNotExist'],
]);

/** Returns the operator of a label selector that was probably intended instead of an invalid one; undefined if this is uncertain. */
function correctOperator(text: string): string | undefined {
  const word = text.toLowerCase();
  const synonym = synonyms.get(word);
  if (synonym !== undefined) return synonym;
  // A negative operator is not a misspelling of a positive one.
  const candidates = known.filter((each) => isNegative(each) === isNegative(text));
  return candidates.find((each) => editDistance(each.toLowerCase(), word, 2) <= 1 + Number(each.length > 5));
}

/** Returns the fix that replaces an invalid operator of a label selector with the intended one. */
export function correctOperators(operator: Written): readonly Fix[] {
  const corrected = correctOperator(operator.text);
  if (corrected === undefined) return [];
  const title = localize`Change the operator to '${corrected}'`;
  return [{ title, edits: [replaceScalar(operator, corrected)], preferred: true }];
}

function isNegative(operator: string): boolean {
  return /!|no/i.test(operator);
}

/** The operators that only node selectors support, keyed by common alternative notations. */
const comparisons: ReadonlyMap<string, string> = new Map([
  ['gt', 'Gt'],
  ['>', 'Gt'],
  ['greaterthan', 'Gt'],
  ['lt', 'Lt'],
  ['<', 'Lt'],
  ['lessthan', 'Lt'],
]);

/** Returns the operator of a node selector that was probably intended instead of an invalid one. Node selectors also have operators that compare numbers. */
export function fixedNodeOperator(text: string): string | undefined {
  return comparisons.get(text.toLowerCase()) ?? correctOperator(text);
}
