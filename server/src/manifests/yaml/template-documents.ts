/** Splits a file with template actions into its documents. */

import type { Span } from '../../text/span.ts';
import { branchesOf, regionsAround } from '../placeholders/conditionals.ts';
import { type BlankedText, blanksWithin } from '../placeholders/placeholders.ts';
import { firstCharacter, splitDocuments } from './documents.ts';

/** Returns the documents of a file. The branches of one block never exist together, so that a document whose whole content is in several of them is one document for each branch. */
export function splitTemplate(blanked: BlankedText, separator?: RegExp): readonly Span[] {
  const documents = splitDocuments(blanked.text, separator);
  return blanked.conditionals.length === 0 ? documents : documents.flatMap((each) => byBranch(blanked, each));
}

function byBranch(blanked: BlankedText, document: Span): readonly Span[] {
  const { text, conditionals, placeholders } = blanked;
  const { start, end } = document;
  const first = firstCharacter(text, document);
  if (first === undefined) return [document];
  for (const { block, start: begin } of regionsAround(conditionals, first)) {
    const branches = branchesOf(conditionals, block);
    const others = branches.filter(
      (each) =>
        each.start > first && firstCharacter(text, { start: each.start, end: Math.min(each.end, end) }) !== undefined,
    );
    if (others.length === 0) continue;
    const after = { start: branches.at(-1)?.end ?? end, end };
    const isAround =
      firstCharacter(text, after) !== undefined ||
      blanksWithin(placeholders, { start, end: begin }).length + blanksWithin(placeholders, after).length > 0;
    if (isAround) return [document];
    const starts = [start, ...others.map((each) => each.start)];
    return starts.flatMap((each, at) => byBranch(blanked, { start: each, end: starts[at + 1] ?? end }));
  }
  return [document];
}
