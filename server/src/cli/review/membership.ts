/** Finds objects that kustomizations and GitOps objects apply in only one of two trees, although their files are in both. */

import { getOrAdd } from '../../engine/memoize.ts';
import { kindNames } from '../../workspace/gitops/model.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import { relativeFolder } from '../../workspace/uri.ts';
import { listed } from '../output/names.ts';
import type { Tree } from '../trees/tree.ts';
import { namesByKind } from './counted-objects.ts';
import type { Statement } from './model.ts';
import type { Pair } from './pairs-of-trees.ts';

/** Objects of both trees that are applied in only one of them, and statements about them. */
export interface Membership {
  /** The objects that no kustomization or GitOps object applies any more. */
  readonly left: readonly Pair[];
  /** The objects that a kustomization or GitOps object newly applies. */
  readonly joined: readonly Pair[];
  readonly removed: readonly Statement[];
  readonly added: readonly Statement[];
}

/** Returns the objects that kustomizations and GitOps objects no longer apply, or newly apply, although their files exist in both trees. */
export function membershipOf(trees: readonly [Tree, Tree], pairs: readonly Pair[]): Membership {
  const scopes = trees.map((tree) => new Set(scopesOf(tree).map((scope) => keyOf(tree, scope))));
  const [known = new Set<string>(), later = new Set<string>()] = scopes;
  const [left, joined, moved]: [Pair[], Pair[], Pair[]] = [[], [], []];
  for (const pair of pairs) {
    const [was, is] = [pair.before?.builtBy, pair.after?.builtBy];
    if (pair.before === undefined || pair.after === undefined || was === is) continue;
    // Overlays that are new or gone are applied in another way.
    if (was !== undefined && is === undefined && (isGitops(was) || later.has(keyOf(trees[0], was)))) left.push(pair);
    else if (was === undefined && is !== undefined && (isGitops(is) || known.has(keyOf(trees[1], is))))
      joined.push(pair);
    else if (was !== undefined && is !== undefined && keyOf(trees[0], was) !== keyOf(trees[1], is)) {
      if (isGitops(was) || isGitops(is) || later.has(keyOf(trees[0], was))) moved.push(pair);
    }
  }
  const nameOld = (scope: Scope | undefined) => (scope === undefined ? '' : nameOf(trees[0], scope));
  const nameNew = (scope: Scope | undefined) => (scope === undefined ? '' : nameOf(trees[1], scope));
  return {
    left,
    joined,
    removed: [
      ...statements(left, ({ before }) => nameOld(before?.builtBy), 'no longer applies', 'still'),
      ...statements(
        moved,
        ({ before, after }) => `${nameNew(after?.builtBy)} instead of ${nameOld(before?.builtBy)}`,
        'applies',
        'moved',
      ),
    ],
    added: statements(joined, ({ after }) => nameNew(after?.builtBy), 'now applies', 'already'),
  };
}

function statements(
  pairs: readonly Pair[],
  subjectOf: (pair: Pair) => string,
  verb: string,
  end: 'still' | 'already' | 'moved',
): readonly Statement[] {
  const groups = new Map<string, Pair[]>();
  for (const pair of pairs) getOrAdd(groups, subjectOf(pair), () => []).push(pair);
  return [...groups].map(([subject, all]) => ({
    text: `${subject} ${verb} ${listed(namesByKind(all))}${endOf(end, all.length)}.`,
    count: all.length,
  }));
}

function endOf(end: 'still' | 'already' | 'moved', count: number): string {
  if (end === 'moved') return `; the other one may delete ${count === 1 ? 'it' : 'them'}`;
  const files = count === 1 ? 'file' : 'files';
  return end === 'still'
    ? `, whose ${files} ${count === 1 ? 'is' : 'are'} still there`
    : `, whose ${files} ${count === 1 ? 'was' : 'were'} already there`;
}

function scopesOf({ session }: Tree): readonly Scope[] {
  return session.snapshot().scopes().all();
}

function isGitops({ gitops }: Scope): boolean {
  return gitops !== undefined;
}

/** Returns a key of a scope that is equal in both trees; the file of a GitOps object is not part of its identity. */
function keyOf({ root }: Tree, { kind, path, name, gitops }: Scope): string {
  if (gitops === undefined) return JSON.stringify([kind, relativeFolder(root, path), name]);
  return JSON.stringify([kind, gitops.facts.namespace, gitops.facts.name, gitops.facts.appliedBy !== undefined]);
}

function nameOf({ root }: Tree, { gitops, path }: Scope): string {
  if (gitops === undefined) return path === root ? 'The kustomization of the root folder' : relativeFolder(root, path);
  return `${kindNames[gitops.kind]}/${gitops.facts.name}`;
}
