/** Finds includes of helpers that do not exist, but whose name is similar to the name of an existing helper. */

import { editDistance } from '../../text/edit-distance.ts';
import type { Span } from '../../text/span.ts';
import { findActions } from './actions.ts';

export interface NearHelper {
  /** The name in the action, without its quotes. */
  readonly span: Span;
  readonly name: string;
  /** The only existing helper with a similar name. */
  readonly meant: string;
}

/** The maximum number of compared helper names. */
const maximumNames = 5_000;
const maximumIncludes = 1_000;

/** Finds the includes of helpers that are not in `names`, if exactly one existing helper has a similar name. Similar names differ in at most two letters, or in one if the name is shorter than eight characters. */
export function nearHelpers(text: string, names: readonly string[]): readonly NearHelper[] {
  const found: NearHelper[] = [];
  if (names.length > maximumNames) return found;
  const known = new Set(names);
  const meant = new Map<string, string | undefined>();
  for (const { span, body } of findActions(text)) {
    if (body.startsWith('/*')) continue;
    const written = text.slice(span.start, span.end);
    for (const { 0: whole, 1: name = '', index } of written.matchAll(
      /\b(?:include|template)[ \t]+"([^"\\\n]{1,200})"/g,
    )) {
      if (known.has(name) || found.length >= maximumIncludes) continue;
      if (!meant.has(name)) meant.set(name, nearest(name, names));
      const near = meant.get(name);
      const start = span.start + index + whole.length - 1 - name.length;
      if (near !== undefined) found.push({ span: { start, end: start + name.length }, name, meant: near });
    }
  }
  return found;
}

function nearest(name: string, names: readonly string[]): string | undefined {
  const near = names.filter((each) => editDistance(name, each, 2) <= Math.min(2, Math.floor(name.length / 4)));
  return near.length === 1 ? near[0] : undefined;
}
