/** What do several selections say, where one answer is asked for? */

import { maximumNearMisses } from './near-misses.ts';
import { namesOf } from './scope-names.ts';
import type { Scope } from './scopes.ts';
import type { Match, ScopedSelection, Selection } from './selection.ts';
import type { CarrierInFile } from './workspace.ts';

/** What all of several scopes say is certain; what only some of them say may be, and they are named. */
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
  return {
    matches: [...found.values()].filter(isEverywhere).map(({ match }) => match),
    maybe: [...found.values()]
      .filter((each) => !isEverywhere(each))
      .map(({ match, scopes: some }) => {
        if (some.length === all.length) return match;
        return { ...match, reasons: [...match.reasons, `only ${namesOf(some, scopes)} has it so`] };
      }),
    get elsewhere() {
      const others = new Map(all.flatMap(({ selection }) => selection.elsewhere.map((each) => [keyOf(each), each])));
      return [...others.values()].filter((each) => !found.has(keyOf(each)));
    },
    get nearMisses() {
      return first.selection.nearMisses;
    },
    get hasCompany() {
      return all.some(({ selection }) => selection.hasCompany);
    },
    get doubtful() {
      return all.some(({ selection }) => selection.doubtful);
    },
    get mayTakeOthers() {
      const isAsked = all.some(({ selection }) => selection.mayTakeOthers);
      return isAsked && (this.doubtful || this.elsewhere.length > 0);
    },
  };
}

function keyOf({ file, object, carrier }: CarrierInFile): string {
  return `${file.uri}\n${object.kindSpan.start}\n${carrier.via ?? ''}`;
}

/** What one of several selections takes: the terms of a node selector are alternatives. */
export function anyOf(selections: readonly Selection[]): Selection {
  const [only, ...others] = selections;
  if (only !== undefined && others.length === 0) return only;
  const matches = distinct(selections.flatMap((each) => each.matches));
  const maybe = distinct(
    selections.flatMap((each) => each.maybe),
    matches,
  );
  return {
    matches,
    maybe,
    get elsewhere() {
      return distinct(selections.flatMap((each) => each.elsewhere));
    },
    get nearMisses() {
      const all = selections.flatMap((each) => each.nearMisses);
      return distinct(all, [...matches, ...maybe]).slice(0, maximumNearMisses);
    },
    get hasCompany() {
      return selections.some((each) => each.hasCompany);
    },
    get doubtful() {
      return selections.some((each) => each.doubtful);
    },
    get mayTakeOthers() {
      return selections.some((each) => each.mayTakeOthers);
    },
  };
}

function distinct(found: readonly Match[], others: readonly Match[] = []): readonly Match[] {
  const seen = new Set(others.map(({ carrier }) => carrier));
  return found.filter(({ carrier }) => !seen.has(carrier) && seen.add(carrier));
}
