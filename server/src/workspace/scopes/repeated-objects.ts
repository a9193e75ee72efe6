/** Finds the objects that several files of a scope define. */

import { getOrAdd } from '../../engine/memoize.ts';
import type { Scope } from './model.ts';
import { scopeQuery } from './recorded-scopes.ts';
import type { ScopeFacts } from './scope-facts.ts';

const repeatedByScope = new WeakMap<ReadonlyMap<string, ScopeFacts>, Map<Scope, ReadonlySet<string>>>();

/** Returns the identities of objects that several files in a scope define, except for Namespaces, which are often repeated in the files with their objects. */
export const repeatedIn = scopeQuery(
  'repeated objects',
  (scopes, scope: Scope): ReadonlySet<string> => {
    const facts = scopes.facts();
    const byScope = getOrAdd(repeatedByScope, facts, () => new Map<Scope, ReadonlySet<string>>());
    return getOrAdd(byScope, scope, () => {
      const all = [...scope.files].flatMap((uri) => facts.get(uri)?.identities ?? []);
      const seen = new Set<string>();
      return new Set(all.filter((each) => !each.startsWith('\nNamespace\n') && (seen.has(each) || !seen.add(each))));
    });
  },
  (repeated) => [...repeated].join(' '),
);
