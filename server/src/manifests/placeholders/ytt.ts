/** Finds ytt code, which is written in YAML comments: `name: #@ data.values.name`. */

import type { Span } from '../../text/span.ts';

/** A line that contains only ytt code, such as `#@ if data.values.blue:`. */
export interface YttLine {
  readonly span: Span;
  readonly word: string;
}

const quoted = /"[^"\n]*"|'[^'\n]*'/.source;
const key = `(?:- )*(?:(?:${quoted}|[^\\s#:'"-][^\\n#:]*):|-)`;
const valuePattern = new RegExp(
  `^([ \\t]*${key}[ \\t]+)(?:(?:${quoted}|[^\\s#&*|>[{"'][^\\n#]*)[ \\t])?#@[ \\t][^\\r\\n]*`,
  'gm',
);
const linePattern = /^[ \t]*#@[ \t]+(if|for|def|elif|else|end)\b[^\r\n]*/gm;

/** Returns the spans of the values that ytt computes. A span also includes the literal value that the computed value replaces. */
export function yttValues(text: string): readonly Span[] {
  if (!text.includes('#@')) return [];
  return [...text.matchAll(valuePattern)].map((found) => ({
    start: found.index + (found[1]?.length ?? 0),
    end: found.index + found[0].length,
  }));
}

/** Returns the lines of ytt code with conditions, loops and functions, which determine what content exists. */
export function yttLines(text: string): readonly YttLine[] {
  if (!text.includes('#@')) return [];
  return [...text.matchAll(linePattern)].map((found) => ({
    span: { start: found.index, end: found.index + found[0].length },
    word: found[1] ?? '',
  }));
}
