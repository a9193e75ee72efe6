/** Formats the refactorings at a named span of a fixture: their titles, and the text after each. */

import { labelMatches } from '../../server/src/features/refactor/label-matches.ts';
import { refactorings } from '../../server/src/features/refactor/refactor.ts';
import { applyEdits } from '../../server/src/text/edit.ts';
import type { Bench } from './bench.ts';
import { changedLines } from './changed-lines.ts';
import { viewAt } from './rename-lines.ts';

/** The titles of the offered refactorings. */
export function offered(bench: Bench, place: string): readonly string[] {
  return refactorings(viewAt(bench, place), bench.place(place).span).map(({ title }) => title);
}

/** The text of the file after the refactoring with a title. */
export function refactored(bench: Bench, place: string, title: string): string {
  const { span, file } = bench.place(place);
  const found = refactorings(viewAt(bench, place), span).find((each) => each.title === title);
  if (found === undefined) throw new Error(`There is no '${title}', but ${offered(bench, place).join(', ')}.`);
  return applyEdits(file.text, found.edits() ?? []);
}

/** Every line that a label change of a selector's matches edits; or why it is refused. */
export function labelLines(bench: Bench, place: string, change: string): readonly string[] {
  const plan = labelMatches(viewAt(bench, place), bench.place(place).span.start, change);
  if (plan === undefined) return ['(none)'];
  if ('refused' in plan) return [`refused: ${plan.refused}`];
  const texts = new Map(bench.files.map(({ name, text }) => [bench.uriOf(name), text]));
  const { edits, left } = plan.edits((uri) => texts.get(uri));
  const lines = bench.files.flatMap(({ name, text }) => changedLines(name, text, edits.get(bench.uriOf(name)) ?? []));
  return [...lines, ...left.map((reason) => `left: ${reason}`)];
}
