/** Finds includes of helpers that do not exist, but whose name is similar to the name of an existing helper. */

import { memoized } from '../../engine/memoize.ts';
import { editDistance } from '../../text/edit-distance.ts';
import { SimilarNames } from '../../text/similar-names.ts';
import type { Span } from '../../text/span.ts';
import { findActions } from './actions.ts';
import type { Helper } from './helpers.ts';

export interface NearHelper {
  /** The name in the action, without its quotes. */
  readonly span: Span;
  readonly name: string;
  /** The only existing helper with a similar name, in the same chart if it contains one. */
  readonly meant: string;
  /** Whether the same chart defines the existing helper. */
  readonly isOwn: boolean;
}

const maximumIncludes = 1_000;

/** Finds the includes of helpers that do not exist in a template of a chart, if exactly one existing helper has a similar name. The helpers of the chart take precedence over those of other charts that are installed with it. Similar names differ in at most two letters, or in one if the name is shorter than eight characters. */
export function nearHelpers(uri: string, text: string, known: ReadonlyMap<string, Helper>): readonly NearHelper[] {
  const found: NearHelper[] = [];
  const meant = new Map<string, Omit<NearHelper, 'span' | 'name'> | undefined>();
  for (const { span, body } of findActions(text)) {
    if (body.startsWith('/*')) continue;
    const written = text.slice(span.start, span.end);
    for (const { 0: whole, 1: name = '', index } of written.matchAll(
      /\b(?:include|template)[ \t]+"([^"\\\n]{1,200})"/g,
    )) {
      if (known.has(name) || found.length >= maximumIncludes) continue;
      if (!meant.has(name)) meant.set(name, nearest(name, uri, known));
      const near = meant.get(name);
      const start = span.start + index + whole.length - 1 - name.length;
      if (near !== undefined) found.push({ span: { start, end: start + name.length }, name, ...near });
    }
  }
  return found;
}

const namesOf = memoized((helpers: ReadonlyMap<string, Helper>) => new SimilarNames(helpers.keys()));

function nearest(name: string, uri: string, helpers: ReadonlyMap<string, Helper>) {
  const isNear = (other: string) => editDistance(name, other, 2) <= Math.min(2, Math.floor(name.length / 4));
  const near = namesOf(helpers)
    .within(name)
    .flatMap((each) => (isNear(each) ? (helpers.get(each) ?? []) : []));
  const templates = templatesAround(uri);
  const own = near.filter((each) => templatesAround(each.uri) === templates);
  const [only, ...others] = own.length > 0 ? own : near;
  return only === undefined || others.length > 0 ? undefined : { meant: only.name, isOwn: own.length > 0 };
}

/** Returns the part of the URI of a template up to the folder with the templates of its chart. */
function templatesAround(uri: string): string {
  return uri.slice(0, uri.lastIndexOf('/templates/'));
}
