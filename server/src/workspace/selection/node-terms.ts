/** Evaluates requirements on the name in terms of node selectors, and combines answers. */

import { explain, type LabelSet, type NodeSelectorTerm, type Requirement } from '../../engine/index.ts';
import type { LabeledObjectInFile } from '../model.ts';
import type { Answer } from './namespaces.ts';

/** Evaluates the name requirements of a term: the name is the only field of a node that a term can require. */
export function nameAnswer(
  { fields }: NodeSelectorTerm,
  { object, labeledObject: { via } }: LabeledObjectInFile,
): Answer {
  const requirements = fields.map(
    ({ field, operator, value }): Requirement => ({ key: field, operator, values: [value] }),
  );
  if (requirements.length === 0) return { answer: 'yes' };
  // The nodes of a pool have names of their own.
  const name = via === undefined ? object.name?.value : undefined;
  const set: LabelSet = { labels: name === undefined ? {} : { 'metadata.name': name }, open: name === undefined };
  const explained = explain({ kind: 'all', requirements }, set);
  const failed = explained.find(({ answer }) => answer === 'no') ?? explained.find(({ answer }) => answer === 'maybe');
  return failed === undefined ? { answer: 'yes' } : { answer: failed.answer, reason: failed.reason };
}

/** Returns the conjunction of two answers. */
export function weaker(a: Answer, b: Answer): Answer {
  const rank = { no: 0, maybe: 1, yes: 2 };
  return rank[b.answer] < rank[a.answer] ? b : a;
}
