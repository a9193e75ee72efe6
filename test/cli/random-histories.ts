/** Workspaces and random changes of their files, for tests that compare results after changes with those of a new process. */

import fc from 'fast-check';
import { manyClusters } from './many-clusters.ts';
import { manyApplications, manyFluxes } from './many-gitops.ts';
import { manyNames } from './many-names.ts';
import { manyNamespaces } from './many-namespaces.ts';
import { references } from './many-references.ts';
import { manyScopes } from './many-scopes.ts';
import { manyClusterVariables, manyTracked, manyVariables } from './many-settings.ts';
import { manySiblings, manyStructures } from './many-structures.ts';
import { changeKinds, changeOne, nameKinds, quietKinds, related, visibleKinds } from './random-changes.ts';
import { structureKinds } from './structure-changes.ts';

/** The texts of files, by path. */
export type Files = ReadonlyMap<string, string>;

type Pool = readonly (readonly [path: string, text: string])[];

/** The files of one of several workspaces. */
export const pools: fc.Arbitrary<Pool> = fc.constantFrom(
  ...[
    related,
    references,
    manyScopes,
    manyNames,
    manyNamespaces,
    manyStructures,
    manyStructures,
    manySiblings,
    manyClusters,
    manyApplications,
    manyFluxes,
    manyVariables,
    manyClusterVariables,
    manyTracked,
  ].map((files) => Object.entries(files)),
);

interface Change {
  readonly file: number;
  readonly kind: string;
  readonly seed: number;
}

const changeOf = (kinds: readonly string[]) =>
  fc.record({ file: fc.nat(), kind: fc.constantFrom(...kinds), seed: fc.nat() });

/** Some changes that are made at the same time. Most edits change labels and selectors, and keep the scopes. */
export const changes: fc.Arbitrary<readonly Change[]> = fc.oneof(
  { weight: 3, arbitrary: fc.array(changeOf(visibleKinds), { minLength: 1, maxLength: 2 }) },
  { weight: 3, arbitrary: fc.array(changeOf(nameKinds), { minLength: 1, maxLength: 2 }) },
  { weight: 4, arbitrary: fc.array(changeOf(structureKinds), { minLength: 1, maxLength: 3 }) },
  { weight: 1, arbitrary: fc.array(changeOf(quietKinds), { minLength: 1, maxLength: 2 }) },
  { weight: 1, arbitrary: fc.array(changeOf(changeKinds), { minLength: 1, maxLength: 2 }) },
);

/** Returns the files after some changes. */
export function changed(now: Files, pool: Pool, made: readonly Change[]): Files {
  const next = new Map(now);
  for (const { file, kind, seed } of made) changeOne(next, pool, file, kind, seed);
  return next;
}

/** Returns the paths of the files that differ between two states. */
export function differing(before: Files, after: Files): readonly string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path));
}
