/** Tests that the changes since a base, after any edits of both states, equal those that are found without the results of earlier comparisons. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { changesSince } from '../../server/src/features/pages/changes.ts';
import { Session } from '../../server/src/session.ts';
import type { Base, Side } from '../../server/src/workspace/base.ts';
import type { LiveWorkspace } from '../../server/src/workspace/live/live-workspace.ts';
import { manyClusters } from '../cli/many-clusters.ts';
import { manyFluxes } from '../cli/many-gitops.ts';
import { manyNames } from '../cli/many-names.ts';
import { manyNamespaces } from '../cli/many-namespaces.ts';
import { references } from '../cli/many-references.ts';
import { manyScopes } from '../cli/many-scopes.ts';
import { manySiblings, manyStructures } from '../cli/many-structures.ts';
import { changeKinds, changeOne, nameKinds, related, visibleKinds } from '../cli/random-changes.ts';
import { structureKinds } from '../cli/structure-changes.ts';
import { Watched } from '../features/watched-problems.ts';
import { TestLog } from '../harness/bench.ts';
import { MemoryFiles } from '../harness/memory-files.ts';
import { campaignRuns } from './scale.ts';

const folder = 'file:///work';

type Texts = ReadonlyMap<string, string>;

/** One of the two states, which changes. */
class State {
  readonly #files: MemoryFiles;
  readonly workspace: LiveWorkspace;
  texts: Texts;

  constructor(workspace: LiveWorkspace, texts: Texts) {
    this.workspace = workspace;
    this.texts = texts;
    this.#files = new MemoryFiles(located(texts));
  }

  async write(texts: Texts): Promise<void> {
    const paths = [...new Set([...this.texts.keys(), ...texts.keys()])];
    const changed = paths.filter((path) => this.texts.get(path) !== texts.get(path));
    this.texts = texts;
    for (const path of changed) {
      const text = texts.get(path);
      if (text === undefined) this.#files.texts.delete(`${folder}/${path}`);
      else this.#files.texts.set(`${folder}/${path}`, text);
    }
    const events = changed.map((path) => ({ uri: `${folder}/${path}`, gone: !texts.has(path) }));
    await this.workspace.refresh(this.#files, events);
  }

  side(): Side {
    return {
      workspace: this.workspace.snapshot(),
      catalogueOf: (uri) => this.workspace.catalogueOf(uri),
      textOf: (uri) => this.texts.get(uri.slice(folder.length + 1)),
    };
  }
}

function located(texts: Texts): Map<string, string> {
  return new Map([...texts].map(([path, text]) => [`${folder}/${path}`, text]));
}

async function sessionWith(texts: Texts): Promise<Session> {
  const session = new Session({ catalogue, log: new TestLog() });
  await session.workspace.load(
    new MemoryFiles(located(texts)),
    [folder],
    () => undefined,
    () => false,
  );
  return session;
}

const pools: readonly Readonly<Record<string, string>>[] = [
  ...[related, manyScopes, manyNames, manyStructures, manySiblings, manyClusters, manyFluxes, references],
  ...[manyNamespaces, manyNamespaces],
];

/** Compares a workspace with a state of its files. */
async function compared(watched: Watched, old: Texts): Promise<Watched> {
  const state = new State((await sessionWith(old)).workspace.clone(), old);
  const changed = new Set([...old.keys()].map((path) => `${folder}/${path}`));
  const textNow = (uri: string) => watched.source.texts.get(uri);
  watched.session.choose({ base: { name: 'HEAD', side: state.side(), textNow, changed, client: {} } });
  return watched;
}

describe('the changes since a base, in many workspaces', () => {
  it('equal those of a comparison of the same files without an earlier one', async () => {
    const kinds = [...visibleKinds, ...visibleKinds, ...nameKinds, ...structureKinds, ...changeKinds];
    const change = fc.record({
      file: fc.nat(),
      kind: fc.constantFrom(...kinds),
      seed: fc.nat(),
      isBase: fc.integer({ min: 0, max: 5 }),
    });
    const numRuns = campaignRuns(600);
    let found = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...pools),
        fc.array(change, { minLength: 2, maxLength: 8 }),
        async (files, steps) => {
          const pool = Object.entries(files);
          const first = new Map(pool);
          const { workspace } = await sessionWith(first);
          const [old, now] = [new State(workspace.clone(), first), new State(workspace, first)];
          const client = {};
          for (const { file, kind, seed, isBase } of steps) {
            const state = isBase === 0 ? old : now;
            const texts = new Map(state.texts);
            changeOne(texts, pool, file, kind, seed);
            await state.write(texts);
            const paths = [...new Set([...old.texts.keys(), ...now.texts.keys()])];
            const differing = paths.filter((path) => old.texts.get(path) !== now.texts.get(path));
            const changed = new Set(differing.map((path) => `${folder}/${path}`));
            const textNow = () => undefined;
            const base: Base = { name: 'HEAD', side: old.side(), textNow, changed, client };
            const since = changesSince({ base, now: now.side() });
            found += since.scopes.length;
            const { client: _, ...alone } = base;
            assert.deepEqual(since, changesSince({ base: alone, now: now.side() }));
          }
        },
      ),
      { numRuns },
    );
    // In few runs, possibly nothing changes.
    if (numRuns >= 100) assert.ok(found > 0, 'nothing ever changed');
  }).timeout(3_600_000);

  it('are reported as in a workspace that is checked anew', async () => {
    const change = fc.record({
      file: fc.nat(),
      kind: fc.constantFrom(...visibleKinds, ...nameKinds, ...changeKinds),
      seed: fc.nat(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...pools),
        fc.array(change, { minLength: 2, maxLength: 6 }),
        async (files, steps) => {
          const pool = Object.entries(files);
          const old: Texts = new Map(pool);
          const watched = await compared(await new Watched(located(old)).load(), old);
          await watched.run();
          const now = new Map(old);
          for (const { file, kind, seed } of steps) {
            const was = new Map(now);
            changeOne(now, pool, file, kind, seed);
            for (const path of new Set([...was.keys(), ...now.keys()])) {
              const text = now.get(path);
              if (was.get(path) === text) continue;
              if (text === undefined) await watched.delete(`${folder}/${path}`);
              else await watched.write(`${folder}/${path}`, text);
            }
            const updated = await watched.run();
            const fresh = await compared(await new Watched(located(now)).load(), old);
            assert.deepEqual(new Map([...updated].toSorted()), new Map([...(await fresh.run())].toSorted()));
          }
        },
      ),
      { numRuns: campaignRuns(100) },
    );
  }).timeout(3_600_000);
});
