/** Finds the helpers that a template defines, each with the keys in its own lines. */

import { BoundedMap, getOrAdd } from '../../engine/memoize.ts';
import type { Span } from '../../text/span.ts';
import { type DefineNode, readTemplate } from './syntax.ts';
import { type UndefinedName, undefinedName } from './undefined-names.ts';

export interface Helper extends DefineNode {
  readonly uri: string;
  /** The keys in the lines of the helper itself, each with the span of its first occurrence. */
  readonly keys: ReadonlyMap<string, Span>;
  readonly includes: readonly string[];
  /** A name in the helper because of which Helm cannot parse the file. */
  readonly undefinedName: UndefinedName | undefined;
}

/** The helpers in the last texts, because many charts contain the same library. */
const lastRead = new BoundedMap<string, readonly Omit<Helper, 'uri'>[]>(500);

/** Finds the helpers that one file defines, in the order of the file. */
export function helpersOf(uri: string, text: string): readonly Helper[] {
  return getOrAdd(lastRead, text, helpersIn).map((helper) => ({ ...helper, uri }));
}

function helpersIn(text: string): readonly Omit<Helper, 'uri'>[] {
  const { defines, problems } = readTemplate(text);
  return defines.map((define) => {
    const lines = text.slice(define.whole.start, define.whole.end);
    return {
      ...define,
      keys: keysOf(lines, define.whole.start),
      includes: includedIn(lines),
      undefinedName: problems.length === 0 ? undefinedName({ nodes: define.body, defines: [] }) : undefined,
    };
  });
}

/** Returns the names of the helpers that an expression or a text includes. */
export function includedIn(text: string): readonly string[] {
  return [...text.matchAll(/\b(?:include|template) "([^"\\\n]{1,200})"/g)].flatMap(([, name]) => name ?? []);
}

/** Matches a key such as `app: shop` on its own line; the second pattern matches quoted words, such as the key in `dict "app" "shop"`. */
const keyPattern = /^[ \t]*["']?(?!-\s)([^\s"'#{}:][^\n"'{}:]{0,320})["']?:(?=[ \t\r]|$)/gm;
const quotedPattern = /"([A-Za-z][\w./-]{0,320})"/g;

function keysOf(lines: string, offset: number): ReadonlyMap<string, Span> {
  const keys = new Map<string, Span>();
  for (const found of lines.matchAll(keyPattern)) {
    const key = found[1] ?? '';
    const start = offset + found.index + found[0].lastIndexOf(key);
    if (!keys.has(key)) keys.set(key, { start, end: start + key.length });
  }
  for (const { 0: quoted, 1: key = '', index } of lines.matchAll(quotedPattern)) {
    const start = offset + index + 1;
    if (!keys.has(key)) keys.set(key, { start, end: start + quoted.length - 2 });
  }
  return keys;
}
