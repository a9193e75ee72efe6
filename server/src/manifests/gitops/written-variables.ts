/** Finds the variables of Flux in the text of a file. */

import type { Span } from '../../text/span.ts';
import { blank } from '../placeholders/placeholders.ts';
import { readComments } from '../yaml/parse-yaml.ts';
import { type Expression, mayContainVariables, parseVariables, variablesIn } from './envsubst.ts';

/**
 * Returns the variables in a part of a text, with their offsets in the text. Comments contain none, since they are not
 * in what kustomize builds; of a malformed text, nothing is returned.
 */
export function writtenVariables(text: string, { start, end }: Span): readonly Expression[] {
  const part = text.slice(start, end);
  if (!mayContainVariables(part)) return [];
  let without = part;
  for (const comment of readComments(blank(part)))
    without = without.slice(0, comment.start) + ' '.repeat(comment.end - comment.start) + without.slice(comment.end);
  const template = parseVariables(without);
  if (template.malformedAt !== undefined) return [];
  return variablesIn(template).map((each) => ({
    ...each,
    start: each.start + start,
    end: each.end + start,
    nameStart: each.nameStart + start,
  }));
}
