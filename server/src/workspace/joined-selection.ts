/** What does a selector match that several kustomizations apply, where one answer is asked for? */

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
  const elsewhere = new Map(all.flatMap(({ selection }) => selection.elsewhere.map((each) => [keyOf(each), each])));
  const scopes = all.map(({ scope }) => scope);
  return {
    matches: [...found.values()].filter(isEverywhere).map(({ match }) => match),
    maybe: [...found.values()]
      .filter((each) => !isEverywhere(each))
      .map(({ match, scopes: some }) => {
        if (some.length === all.length) return match;
        return { ...match, reasons: [...match.reasons, `only ${namesOf(some, scopes)} has it so`] };
      }),
    elsewhere: [...elsewhere.values()].filter((each) => !found.has(keyOf(each))),
    get nearMisses() {
      return first.selection.nearMisses;
    },
    get hasCompany() {
      return all.some(({ selection }) => selection.hasCompany);
    },
    doubtful: all.some(({ selection }) => selection.doubtful),
  };
}

function keyOf({ file, object, carrier }: CarrierInFile): string {
  return `${file.uri}\n${object.kindSpan.start}\n${carrier.via ?? ''}`;
}
