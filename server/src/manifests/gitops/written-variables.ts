/** Finds the Flux variables in the text of a file. */

import type { Span } from '../../text/span.ts';
import { blank } from '../placeholders/placeholders.ts';
import { readComments } from '../yaml/parse-yaml.ts';
import { type Expression, mayContainVariables, parseVariables, type Template, variablesIn } from './envsubst.ts';

/** Returns the variables in a part of a text, with their offsets in the text. Comments are skipped, since kustomize does not include them in its output; for a malformed text, the result is empty. */
export function writtenVariables(text: string, span: Span): readonly Expression[] {
  const template = templateIn(text, span);
  if (template === undefined || template.malformedAt !== undefined) return [];
  return variablesIn(template).map((each) => ({
    ...each,
    start: each.start + span.start,
    end: each.end + span.start,
    nameStart: each.nameStart + span.start,
  }));
}

/** Returns the offset of the first malformed `${` in a part of a text; undefined if there is none. */
export function malformedVariable(text: string, span: Span): number | undefined {
  const at = templateIn(text, span)?.malformedAt;
  return at === undefined ? undefined : at + span.start;
}

function templateIn(text: string, { start, end }: Span): Template | undefined {
  const part = text.slice(start, end);
  if (!mayContainVariables(part)) return undefined;
  let without = part;
  for (const comment of readComments(blank(part)))
    without = without.slice(0, comment.start) + ' '.repeat(comment.end - comment.start) + without.slice(comment.end);
  return parseVariables(without);
}
