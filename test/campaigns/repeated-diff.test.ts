/** Tests that a comparison of two trees that is updated after edits equals a comparison of the new files. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { generateFiles } from '../../bench/generate-workspace.ts';
import { indexFolders } from '../../server/src/cli/indexed-workspace.ts';
import { compare } from '../../server/src/cli/objects/compare.ts';
import { type ChangesAt, changesAgain, type TreeChanges } from '../../server/src/cli/objects/last-comparisons.ts';
import { sideOf } from '../../server/src/cli/paths/committed-world.ts';
import { PathSelection } from '../../server/src/cli/paths/path-selection.ts';
import { connectionChanges } from '../../server/src/cli/reach/connection-changes.ts';
import type { Tree } from '../../server/src/cli/trees/tree.ts';
import type { Session } from '../../server/src/session.ts';
import { manyClusters } from '../cli/many-clusters.ts';
import { manyFluxes } from '../cli/many-gitops.ts';
import { manyNames } from '../cli/many-names.ts';
import { manyNamespaces } from '../cli/many-namespaces.ts';
import { manyScopes } from '../cli/many-scopes.ts';
import { manySiblings, manyStructures } from '../cli/many-structures.ts';
import { home, memoryWorld } from '../cli/memory-world.ts';
import { changeKinds, changeOne, nameKinds, related, visibleKinds } from '../cli/random-changes.ts';
import { structureKinds } from '../cli/structure-changes.ts';
import { campaignRuns } from './scale.ts';

const root = `file://${home}`;

function worldOf(now: ReadonlyMap<string, string>) {
  return memoryWorld({ files: Object.fromEntries(now) }, [], [], new Map(), []);
}

/** A process that keeps results records what they depend on. */
const cacheOf = () => ({ read: async () => undefined, write: async () => {} });

function indexed(now: ReadonlyMap<string, string>): Promise<Session> {
  return indexFolders({ ...worldOf(now), cacheOf }, { folders: [root], inside: [], namespace: undefined });
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
  return { changes, notes, connections: connections.changes, problems: connections.problems };
}

/** A tree that changes, compared with its first state. */
class ComparedTree {
  readonly #old: ReadonlyMap<string, string>;
  readonly #before: Session;
  readonly #live: Session;
  #now: ReadonlyMap<string, string>;
  #last: ChangesAt;

  private constructor(old: ReadonlyMap<string, string>, before: Session, live: Session) {
    this.#old = old;
    this.#now = old;
    this.#before = before;
    this.#live = live;
    this.#last = compareAll(treeOf(before, old), treeOf(live, old));
  }

  static async of(files: ReadonlyMap<string, string>): Promise<ComparedTree> {
    return new ComparedTree(files, await indexed(files), await indexed(files));
  }

  /** The number of changed connections. */
  get connections(): number {
    return this.#last.connections.changes.length;
  }

  /** Writes files, and compares the trees again; `update` is undefined if all objects are compared. Fails if the result is not that of a new comparison. */
  async write(now: ReadonlyMap<string, string>) {
    const was = this.#now;
    this.#now = now;
    const edited = [...new Set([...was.keys(), ...now.keys()])].filter((path) => was.get(path) !== now.get(path));
    const events = edited.map((path) => ({ uri: `${root}/${path}`, gone: !now.has(path) }));
    await this.#live.workspace.refresh(worldOf(now).files, events);
    const trees = [treeOf(this.#before, this.#old), treeOf(this.#live, now)] as const;
    const isRestructured = this.#last.snapshot.scopes() !== this.#live.snapshot().scopes();
    const update = changesAgain(this.#last, ...trees);
    const fresh = compareAll(treeOf(await indexed(this.#old), this.#old), treeOf(await indexed(now), now));
    if (update !== undefined) assert.deepEqual(shown(update), shown(fresh));
    this.#last = update === undefined ? compareAll(...trees) : { ...update, ...stateOf(this.#live) };
    assert.deepEqual(shown(this.#last), shown(fresh));
    return { update, isRestructured };
  }
}

const pods = `apiVersion: v1
kind: Pod
metadata: {name: web, namespace: shop}
---
apiVersion: v1
kind: Pod
metadata: {name: api, namespace: shop}
`;
const policy = `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: deny, namespace: shop}
spec: {podSelector: {}}
`;
const flux = (name: string) => `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: ${name}, namespace: flux-system}
spec: {path: ./${name}, prune: true, interval: 1h, sourceRef: {kind: GitRepository, name: all}}
`;

describe('a comparison of two trees', () => {
  it('equals a new comparison after any edits', async () => {
    const small = Object.entries(related);
    const scopes = Object.entries(manyScopes);
    const policies = [...scopes, ...generateFiles(40).map(({ path, text }) => [path, text] as const)];
    const pools = fc.constantFrom(
      small,
      scopes,
      policies,
      ...[manyNames, manyNamespaces, manyStructures, manySiblings, manyClusters, manyFluxes].map((files) =>
        Object.entries(files),
      ),
    );
    const kinds = [...visibleKinds, ...visibleKinds, ...nameKinds, ...nameKinds, ...structureKinds, ...changeKinds];
    const change = fc.record({ file: fc.nat(), kind: fc.constantFrom(...kinds), seed: fc.nat() });
    const steps = fc.array(fc.array(change, { minLength: 1, maxLength: 2 }), { minLength: 2, maxLength: 8 });
    let [updates, restructured, found] = [0, 0, 0];
    await fc.assert(
      fc.asyncProperty(pools, steps, async (pool, all) => {
        const now = new Map<string, string>(pool);
        const compared = await ComparedTree.of(new Map(now));
        for (const changes of all) {
          for (const { file, kind, seed } of changes) changeOne(now, pool, file, kind, seed);
          const { update, isRestructured } = await compared.write(new Map(now));
          if (update === undefined) continue;
          updates++;
          if (isRestructured) restructured++;
          found += update.compared.changes.length + update.connections.changes.length;
        }
      }),
      { numRuns: campaignRuns(600) },
    );
    assert.ok(
      updates > 0 && restructured > 0 && found > 0,
      `${updates} updates, ${restructured} with changed names, ${found} changes`,
    );
  }).timeout(3_600_000);

  it('finds a reference to an object that moved to another scope and then disappeared', async () => {
    const configMap = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: shop}\n`;
    const pod = `apiVersion: v1
kind: Pod
metadata: {name: web, namespace: shop}
spec:
  containers:
  - name: web
    envFrom: [{configMapRef: {name: settings}}]
`;
    const compared = await ComparedTree.of(
      new Map([
        ['a/web/pod.yaml', pod],
        ['a/web/settings.yaml', configMap('settings')],
        ['b/more/other.yaml', configMap('other')],
      ]),
    );
    const brokenAfter = async (...files: readonly (readonly [path: string, text: string])[]) => {
      const { update } = await compared.write(new Map([['a/web/pod.yaml', pod], ...files]));
      return update?.compared.changes.map(({ message }) => message);
    };
    const elsewhere = `${configMap('other')}---\n${configMap('settings')}`;
    assert.deepEqual(await brokenAfter(['b/more/other.yaml', elsewhere]), []);
    const broken = await brokenAfter(['b/more/other.yaml', configMap('other')]);
    assert.deepEqual(broken, ['Pod/web in shop names ConfigMap/settings, which no longer exists.']);
  });

  it('finds the connections that a policy in a plain folder changes in all overlays', async () => {
    const pod = (name: string) => `apiVersion: v1
kind: Pod
metadata: {name: ${name}, namespace: shop, labels: {app: ${name}}}
spec: {containers: [{name: main, ports: [{containerPort: 80}]}]}
`;
    const policy = (client: string) => `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: web, namespace: shop}
spec:
  podSelector: {matchLabels: {app: web}}
  ingress: [{from: [{podSelector: {matchLabels: {app: ${client}}}}], ports: [{port: 80}]}]
`;
    const files = new Map([
      ['base/kustomization.yaml', 'resources: [pods.yaml]\n'],
      ['base/pods.yaml', ['web', 'api', 'job'].map(pod).join('---\n')],
      ['dev/kustomization.yaml', 'resources: [../base]\n'],
      ['prod/kustomization.yaml', 'resources: [../base]\n'],
      ['network/policy.yaml', policy('api')],
    ]);
    const compared = await ComparedTree.of(files);
    const { update } = await compared.write(new Map([...files, ['network/policy.yaml', policy('job')]]));
    const found = update?.connections.changes.map(({ kind, from, scope }) => `${kind} from ${from} in ${scope}`);
    assert.deepEqual(found?.toSorted(), [
      'closed from shop/Pod/api in dev',
      'closed from shop/Pod/api in prod',
      'opened from shop/Pod/job in dev',
      'opened from shop/Pod/job in prod',
    ]);
  });

  it('finds the connections of objects that become applied, or are no longer applied', async () => {
    const parts = [
      ['app/pods.yaml', pods],
      ['app/deny.yaml', policy],
      ['app/kustomization.yaml', 'resources: [pods.yaml]\n'],
      ['network/deny.yaml', policy],
      ['network/kustomization.yaml', 'resources: [deny.yaml]\n'],
    ] as const;
    const overlay = (name: string, more = ''): readonly [string, string] => [
      `${name}/kustomization.yaml`,
      `resources: [../app${more}]\n`,
    ];
    const definitions = (...names: readonly string[]): readonly (readonly [string, string])[] => [
      ['cluster/kustomization.yaml', `resources: [${names.map((name) => `${name}.yaml`).join(', ')}]\n`],
      ...names.map((name) => [`cluster/${name}.yaml`, flux(name)] as const),
    ];
    const all = (...more: readonly (readonly [string, string])[]) => new Map<string, string>([...parts, ...more]);
    const network = ', ../network';
    const listing = ['app/kustomization.yaml', 'resources: [pods.yaml, deny.yaml]\n'] as const;
    const [dev, prod] = [overlay('dev', network), overlay('prod', network)];
    const series = [
      [all(dev, prod), all(dev, overlay('prod')), all(overlay('dev'), overlay('prod')), all(dev), all(dev, prod)],
      [all(overlay('dev'), overlay('prod')), all(overlay('dev'), prod), all(dev, prod, listing), all(prod, listing)],
      [all(overlay('dev')), all(dev), all(overlay('dev'), listing), all(overlay('dev'), overlay('prod'), listing)],
      [all(...definitions('app')), all(...definitions('app', 'network')), all(...definitions('network')), all()],
      [all(...definitions('app', 'network')), all(...definitions('app')), all(...definitions('app'), listing)],
    ];
    const numbers: number[][] = [];
    for (const [first, ...states] of series) {
      const compared = await ComparedTree.of(first ?? new Map());
      const found: number[] = [];
      for (const state of states) {
        await compared.write(state);
        found.push(compared.connections);
      }
      numbers.push(found);
    }
    assert.deepEqual(numbers, [
      [6, 12, 0, 0],
      [6, 12, 6],
      [6, 6, 6],
      [6, 0, 0],
      [6, 0],
    ]);
  });
});
