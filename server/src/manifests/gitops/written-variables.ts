/** Finds the Flux variables in the text of a file. */

import type { Span } from '../../text/span.ts';
import { blankManifest } from '../yaml/blank-manifest.ts';
import { readComments } from '../yaml/parse-yaml.ts';
import { type Expression, mayContainVariables, parseVariables, variablesIn } from './envsubst.ts';

/** The maximum number of malformed variables that are found in a part of a text, since the text is parsed again after each. */
const maximumMalformed = 20;

interface WrittenVariables {
  /** The variables, with their offsets in the whole text. */
  readonly variables: readonly Expression[];
  /** The offsets of all malformed `${`, each of which makes Flux reject the object. */
  readonly malformed: readonly number[];
}

/** Returns the variables in a part of a text. Comments are skipped, because kustomize does not include them in its output. The text after a malformed variable is also searched. */
export function writtenVariables(text: string, { start, end }: Span): WrittenVariables {
  const malformed: number[] = [];
  const part = text.slice(start, end);
  if (!mayContainVariables(part)) return { variables: [], malformed };
  let rest = readComments(blankManifest(part)).reduce((known, comment) => masked(known, comment), part);
  for (;;) {
    const template = parseVariables(rest);
    const at = template.malformedAt;
    if (at === undefined || malformed.length === maximumMalformed) {
      const variables = at === undefined ? variablesIn(template) : [];
      return { variables: variables.map((each) => shifted(each, start)), malformed };
    }
    malformed.push(at + start);
    rest = masked(rest, { start: at, end: at + 2 });
  }
}

/** Replaces the characters in a range with spaces, so that the offsets of all other text stay the same. */
function masked(text: string, { start, end }: Span): string {
  return text.slice(0, start) + ' '.repeat(end - start) + text.slice(end);
}

function shifted(expression: Expression, by: number): Expression {
  const { start, end, nameStart } = expression;
  return { ...expression, start: start + by, end: end + by, nameStart: nameStart + by };
}
