/** Merges several selections into one. */

import { localize } from '../../text/localize.ts';
import { keyOf } from '../index/index-entries.ts';
import type { Scope } from '../scopes/model.ts';
import { namesOf } from '../scopes/scope-names.ts';
import { LazySelection } from './lazy-selection.ts';
import type { Match, ScopedSelection, Selection } from './model.ts';
import { maximumNearMisses } from './near-misses.ts';

/** Joins the selections of several scopes. A match in all scopes is certain. A match in only some of them is possible, and its reason names these scopes. */
export function joinedSelection(first: ScopedSelection, others: readonly ScopedSelection[]): Selection {
  const all = [first, ...others];
  const found = new Map<string, { readonly match: Match; readonly scopes: Scope[]; certain: number }>();
  for (const { scope, selection } of all) {
    for (const match of [...selection.matches, ...selection.maybe]) {
      const known = found.get(keyOf(match)) ?? { match, scopes: [], certain: 0 };
      found.set(keyOf(match), known);
      known.scopes.push(scope);
      if (match.reasons.length === 0) known.certain++;
    }
  }
  const isEverywhere = ({ certain }: { readonly certain: number }) => certain === all.length;
  const scopes = all.map(({ scope }) => scope);
  const matches = [...found.values()].filter(isEverywhere).map(({ match }) => match);
  const maybe = [...found.values()]
    .filter((each) => !isEverywhere(each))
    .map(({ match, scopes: some }) => {
      if (some.length === all.length) return match;
      return match.because([...match.reasons, localize`only in ${namesOf(some, scopes)}`]);
    });
  const elsewhere = () => {
    const others = new Map<string, Match>();
    for (const { selection } of all) for (const each of selection.elsewhere) others.set(numbersOf(each), each);
    // Only files with further results are deserialized.
    const files = new Set(Array.from(found.values(), ({ match }) => match.file.uri));
    return [...others.values()].filter((each) => !files.has(each.file.uri) || !found.has(keyOf(each)));
  };
  const uncertain = () => all.some(({ selection }) => selection.uncertain);
  return new LazySelection(matches, maybe, {
    elsewhere,
    nearMisses: () => first.selection.nearMisses,
    hasCompany: () => all.some(({ selection }) => selection.hasCompany),
    uncertain,
    uncertainHere: () => all.some(({ selection }) => selection.uncertainHere),
    mayMatchOthers: () =>
      all.some(({ selection }) => selection.mayMatchOthers) &&
      (found.size === 0 || uncertain() || elsewhere().length > 0),
  });
}

function numbersOf({ id }: Match): string {
  return `${id.uri}\n${id.object}\n${id.labeledObject}`;
}

/** Returns the union of several selections: the terms of a node selector are alternatives. */
export function anyOf(selections: readonly Selection[]): Selection {
  const [only, ...others] = selections;
  if (only !== undefined && others.length === 0) return only;
  const matches = distinct(selections.flatMap((each) => each.matches));
  const maybe = distinct(
    selections.flatMap((each) => each.maybe),
    matches,
  );
  return new LazySelection(matches, maybe, {
    elsewhere: () => distinct(selections.flatMap((each) => each.elsewhere)),
    nearMisses: () => {
      const all = selections.flatMap((each) => each.nearMisses);
      return distinct(all, [...matches, ...maybe]).slice(0, maximumNearMisses);
    },
    hasCompany: () => selections.some((each) => each.hasCompany),
    uncertain: () => selections.some((each) => each.uncertain),
    uncertainHere: () => selections.some((each) => each.uncertainHere),
    mayMatchOthers: () => selections.some((each) => each.mayMatchOthers),
  });
}

function distinct(found: readonly Match[], others: readonly Match[] = []): readonly Match[] {
  const seen = new Set(others.map(numbersOf));
  return found.filter((match) => !seen.has(numbersOf(match)) && seen.add(numbersOf(match)));
}
