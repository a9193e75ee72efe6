/** Which tag makes a scalar something else than a string, whatever its quotes say? */

import type { Written } from '../../manifests/model.ts';
import { quoteAsTyped } from '../../manifests/write/write-text.ts';
import type { Span } from '../../text/span.ts';
import type { Fix } from '../framework/rule.ts';

export interface TypedTag {
  /** As it is written: `!!int`. */
  readonly name: string;
  /** With the blanks behind it. */
  readonly span: Span;
}

/** An anchor may stand between. */
const tagAtEnd = /(?<![^\s,[{])(!!(?:bool|int|float|null))(\s+)((?:&\S+\s+)?)$/;

/** Nobody writes more between a tag and its scalar. */
const farthest = 200;

/** The tag in front of a scalar that is typed as no string because of it. */
export function typedTag(text: string, { span, type }: Written): TypedTag | undefined {
  if (type === 'string') return undefined;
  const [, name, blanks = '', anchor = ''] =
    tagAtEnd.exec(text.slice(Math.max(0, span.start - farthest), span.start)) ?? [];
  if (name === undefined) return undefined;
  const end = span.start - anchor.length;
  return { name, span: { start: end - blanks.length - name.length, end } };
}

/** The scalar as a string of the same letters. */
export function withoutTag(scalar: Written, { name, span }: TypedTag): Fix {
  const quoted = scalar.style === 'plain' ? [quoteAsTyped(scalar)] : [];
  return {
    title: `Remove the tag '${name}'`,
    edits: [{ span, text: '' }, ...quoted],
    preferred: true,
  };
}
