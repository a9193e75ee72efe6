/** Finds tags that give a scalar a type other than string, even if it is quoted. */

import type { Written } from '../../manifests/model.ts';
import { quoteAsTyped } from '../../manifests/write/write-text.ts';
import { localize } from '../../text/localize.ts';
import type { Span } from '../../text/span.ts';
import type { Fix } from '../framework/rule.ts';

export interface TypedTag {
  /** The tag as written: `!!int`. */
  readonly name: string;
  /** The span of the tag and of the spaces after it. */
  readonly span: Span;
}

/** Matches the tag before a scalar, optionally followed by an anchor. */
const tagAtEnd = /(?<![^\s,[{])(!!(?:bool|int|float|null))(\s+)((?:&\S+\s+)?)$/;

/** The maximum number of characters between a tag and its scalar. */
const farthest = 200;

/** Returns the tag before a scalar that gives it a type other than string. */
export function typedTag(text: string, { span, type }: Written): TypedTag | undefined {
  if (type === 'string') return undefined;
  const [, name, blanks = '', anchor = ''] =
    tagAtEnd.exec(text.slice(Math.max(0, span.start - farthest), span.start)) ?? [];
  if (name === undefined) return undefined;
  const end = span.start - anchor.length;
  return { name, span: { start: end - blanks.length - name.length, end } };
}

/** Returns a fix that removes the tag, so that the scalar is a string. */
export function withoutTag(scalar: Written, { name, span }: TypedTag): Fix {
  const quoted = scalar.style === 'plain' ? [quoteAsTyped(scalar)] : [];
  return {
    title: localize`Remove the tag '${name}'`,
    edits: [{ span, text: '' }, ...quoted],
    preferred: true,
  };
}
