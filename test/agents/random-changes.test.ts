/** Tests that a server answers after any changes of the files as a new server does. */

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { campaignRuns } from '../campaigns/scale.ts';
import { manyClusters } from '../cli/many-clusters.ts';
import { manyApplications, manyFluxes } from '../cli/many-gitops.ts';
import { manyNames } from '../cli/many-names.ts';
import { manyScopes } from '../cli/many-scopes.ts';
import { manyClusterVariables, manyTracked, manyVariables } from '../cli/many-settings.ts';
import { manySiblings, manyStructures } from '../cli/many-structures.ts';
import { changeKinds, changeOne, nameKinds, quietKinds, related, visibleKinds } from '../cli/random-changes.ts';
import { structureKinds } from '../cli/structure-changes.ts';
import { agentIn, jsonOf } from './agent.ts';

type Files = ReadonlyMap<string, string>;

/** Writes the files that differ, and deletes the files that no longer exist. */
function write(folder: string, before: Files, after: Files): void {
  for (const path of before.keys()) if (!after.has(path)) rmSync(join(folder, path));
  for (const [path, text] of after) {
    if (before.get(path) === text) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** The files that differ, with their new texts. */
function proposalOf(before: Files, after: Files) {
  const paths = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
  return { files: paths.map((path) => ({ path, text: after.get(path) ?? null })) };
}

const changeOf = (kinds: readonly string[]) =>
  fc.record({ file: fc.nat(), kind: fc.constantFrom(...kinds), seed: fc.nat() });
// Most edits of agents change labels and selectors, and keep the scopes.
const changes = fc.oneof(
  { weight: 3, arbitrary: fc.array(changeOf(visibleKinds), { minLength: 1, maxLength: 2 }) },
  { weight: 3, arbitrary: fc.array(changeOf(nameKinds), { minLength: 1, maxLength: 2 }) },
  { weight: 4, arbitrary: fc.array(changeOf(structureKinds), { minLength: 1, maxLength: 3 }) },
  { weight: 1, arbitrary: fc.array(changeOf(quietKinds), { minLength: 1, maxLength: 2 }) },
  { weight: 1, arbitrary: fc.array(changeOf(changeKinds), { minLength: 1, maxLength: 2 }) },
);
const step = fc.record({ changes, proposed: changes });

describe('a server for agents', () => {
  it('answers after any changes as a new server does', async () => {
    const pools = fc.constantFrom(
      ...[
        related,
        manyScopes,
        manyNames,
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
    await fc.assert(
      fc.asyncProperty(pools, fc.array(step, { minLength: 1, maxLength: 5 }), async (pool, steps) => {
        const folder = mkdtempSync(join(tmpdir(), 'selector-lens-agent-'));
        try {
          let now = new Map(pool);
          write(folder, new Map(), now);
          const agent = agentIn(folder, true);
          await agent.call('check', {});
          for (const { changes: made, proposed } of steps) {
            const next = new Map(now);
            for (const { file, kind, seed } of made) changeOne(next, pool, file, kind, seed);
            write(folder, now, next);
            now = next;
            const proposal = new Map(now);
            for (const { file, kind, seed } of proposed) changeOne(proposal, pool, file, kind, seed);
            const { files } = proposalOf(now, proposal);
            const calls = [['check', {}], ...(files.length > 0 ? [['impact', { files }] as const] : [])] as const;
            for (const [tool, input] of [...calls, ['check', {}] as const]) {
              const all = { ...input, limit: 500, details: true };
              const fresh = agentIn(folder, true);
              assert.deepEqual(jsonOf(await agent.call(tool, all)), jsonOf(await fresh.call(tool, all)), tool);
            }
          }
        } finally {
          rmSync(folder, { recursive: true });
        }
      }),
      { numRuns: campaignRuns(300) },
    );
  }).timeout(3_600_000);
});
