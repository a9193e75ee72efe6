/** Tests that a comparison of two trees that is updated after edits equals a comparison of the new files. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { generateFiles } from '../../bench/generate-workspace.ts';
import { indexFolders } from '../../server/src/cli/indexed-workspace.ts';
import { compare, type Tree } from '../../server/src/cli/objects/compare.ts';
import { type ChangesAt, changesAgain, type TreeChanges } from '../../server/src/cli/objects/last-comparisons.ts';
import { sideOf } from '../../server/src/cli/paths/committed-world.ts';
import { PathSelection } from '../../server/src/cli/paths/path-selection.ts';
import { connectionChanges } from '../../server/src/cli/reach/connection-changes.ts';
import type { Session } from '../../server/src/session.ts';
import { campaignRuns } from '../campaigns/scale.ts';
import { manyScopes } from './many-scopes.ts';
import { home, memoryWorld } from './memory-world.ts';
import { changeKinds, changeOne, related, visibleKinds } from './random-changes.ts';

const root = `file://${home}`;

function worldOf(now: ReadonlyMap<string, string>) {
  return memoryWorld({ files: Object.fromEntries(now) }, [], [], new Map(), []);
}

function indexed(now: ReadonlyMap<string, string>): Promise<Session> {
  return indexFolders(worldOf(now), { folders: [root], inside: [], namespace: undefined });
}

function treeOf(session: Session, now: ReadonlyMap<string, string>): Tree {
  const textOf = (uri: string) => now.get(uri.slice(root.length + 1));
  return {
    session,
    side: { ...sideOf(session, worldOf(now)), textOf },
    selection: new PathSelection(session, [{ kind: 'folder', uri: root }], undefined),
    root,
    skipped: [],
    isFaulty: false,
    isPartial: false,
  };
}

function stateOf({ workspace }: Session): Pick<ChangesAt, 'snapshot' | 'rewritten'> {
  return { snapshot: workspace.snapshot(), rewritten: workspace.rewritten.version };
}

function compareAll(before: Tree, after: Tree): ChangesAt {
  const [compared, connections] = [compare(before, after), connectionChanges(before, after)];
  return { compared, connections, ...stateOf(after.session) };
}

function shown({ compared: { changes, notes }, connections }: TreeChanges) {
  return { changes, notes, connections: connections.changes, isCut: connections.isCut };
}

describe('a comparison of two trees', () => {
  it('equals a new comparison after any edits', async () => {
    const small = Object.entries(related);
    const scopes = Object.entries(manyScopes);
    const policies = [...scopes, ...generateFiles(40).map(({ path, text }) => [path, text] as const)];
    const pools = fc.constantFrom(small, scopes, scopes, policies);
    const kinds = [...visibleKinds, ...visibleKinds, ...changeKinds];
    const change = fc.record({ file: fc.nat(), kind: fc.constantFrom(...kinds), seed: fc.nat() });
    const steps = fc.array(fc.array(change, { minLength: 1, maxLength: 2 }), { minLength: 2, maxLength: 8 });
    let [updates, found] = [0, 0];
    await fc.assert(
      fc.asyncProperty(pools, steps, async (pool, all) => {
        const old = new Map<string, string>(pool);
        const now = new Map(old);
        const [before, live] = [await indexed(old), await indexed(now)];
        let last = compareAll(treeOf(before, old), treeOf(live, now));
        for (const changes of all) {
          const was = new Map(now);
          for (const { file, kind, seed } of changes) changeOne(now, pool, file, kind, seed);
          const edited = [...new Set([...was.keys(), ...now.keys()])].filter((path) => was.get(path) !== now.get(path));
          const events = edited.map((path) => ({ uri: `${root}/${path}`, gone: !now.has(path) }));
          await live.workspace.refresh(worldOf(now).files, events);
          const trees = [treeOf(before, old), treeOf(live, now)] as const;
          const again = changesAgain(last, ...trees);
          const fresh = compareAll(treeOf(await indexed(old), old), treeOf(await indexed(now), now));
          if (again !== undefined) {
            updates++;
            found += again.compared.changes.length + again.connections.changes.length;
            assert.deepEqual(shown(again), shown(fresh));
          }
          last = again === undefined ? compareAll(...trees) : { ...again, ...stateOf(live) };
          assert.deepEqual(shown(last), shown(fresh));
        }
      }),
      { numRuns: campaignRuns(600) },
    );
    assert.ok(updates > 3 && found > 3, `${updates} updates, ${found} changes`);
  }).timeout(3_600_000);
});
