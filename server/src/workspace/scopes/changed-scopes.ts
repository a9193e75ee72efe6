/** Compares the scopes of two states of a workspace, to find the files that are applied differently. */

import { getOrAdd } from '../../engine/memoize.ts';
import type { Scope, Scopes } from './model.ts';
import type { ScopeFacts } from './scope-facts.ts';

/** The differences between the scopes of two states. */
interface ChangedScopes {
  /** The scopes that differ, as they were before. */
  readonly before: readonly Scope[];
  /** The scopes that differ, as they are now. */
  readonly after: readonly Scope[];
  /** The files that are patches, inputs of tests, or generated, in only one of the states. */
  readonly files: readonly string[];
}

type Facts = ReadonlyMap<string, ScopeFacts>;

/**
 * The comparisons of the last structures: the state with a proposal is compared with the state without it again and
 * again.
 */
const known = new WeakMap<Facts, WeakMap<Facts, { readonly found: ChangedScopes | undefined }>>();

/** Returns the scopes of two states that differ; undefined if the scopes cannot be compared one by one. */
export function changedScopes(before: Scopes, after: Scopes): ChangedScopes | undefined {
  const [old, fresh] = [before.structure(), after.structure()];
  if (old === fresh) return { before: [], after: [], files: [] };
  const ofOld = getOrAdd(known, old, () => new WeakMap());
  return getOrAdd(ofOld, fresh, () => ({ found: differences(before, after) })).found;
}

function differences(before: Scopes, after: Scopes): ChangedScopes | undefined {
  const [old, fresh] = [byKey(before.all()), byKey(after.all())];
  if (old === undefined || fresh === undefined) return undefined;
  const same: string[] = [];
  const [were, are]: [Scope[], Scope[]] = [[], []];
  for (const [key, scope] of old) {
    const now = fresh.get(key);
    if (now !== undefined && isSame(before, scope, after, now)) same.push(key);
    else were.push(scope);
  }
  const unchanged = new Set(same);
  for (const [key, scope] of fresh) if (!unchanged.has(key)) are.push(scope);
  // The scopes of a file are in the order of all scopes, and the first one may be preferred.
  const inOrder = [...fresh.keys()].filter((key) => unchanged.has(key));
  if (inOrder.some((key, number) => key !== same[number])) return undefined;
  const differs = (uri: string) =>
    before.isPatch(uri) !== after.isPatch(uri) ||
    before.isTriedOut(uri) !== after.isTriedOut(uri) ||
    before.isGenerated(uri) !== after.isGenerated(uri);
  const files = [...after.facts().keys()].filter(differs);
  for (const uri of before.facts().keys()) if (!after.facts().has(uri) && differs(uri)) files.push(uri);
  return { before: were, after: are, files };
}

/** Returns the scopes by what identifies them; undefined if this is not unique. */
function byKey(scopes: readonly Scope[]): ReadonlyMap<string, Scope> | undefined {
  const found = new Map<string, Scope>();
  for (const scope of scopes) found.set(`${scope.kind}\n${scope.path}\n${scope.name}\n${scope.generated}`, scope);
  return found.size === scopes.length ? found : undefined;
}

function isSame(scopes: Scopes, scope: Scope, others: Scopes, other: Scope): boolean {
  return (
    isSameSet(scope.files, other.files) &&
    JSON.stringify(scopes.partsOf(scope)) === JSON.stringify(others.partsOf(other)) &&
    JSON.stringify(propertiesOf(scope)) === JSON.stringify(propertiesOf(other))
  );
}

/** Returns the properties of a scope that the comparison of files and keys does not cover. */
function propertiesOf({ closed, unread, edited, namespace, cluster, with: others, gitops }: Scope) {
  return [closed, unread, edited, namespace, cluster, others, gitops];
}

function isSameSet(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  if (some.size !== others.size) return false;
  for (const each of some) if (!others.has(each)) return false;
  return true;
}
