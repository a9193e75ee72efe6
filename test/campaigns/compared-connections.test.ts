/** Tests that `diff` and `impact` compare connections between objects that are applied, and no others. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { home, runInMemory } from '../cli/memory-world.ts';
import { campaignRuns } from './scale.ts';

type Files = Readonly<Record<string, string>>;

const flux = (name: string, path = name) => `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: ${name}, namespace: flux-system}
spec: {interval: 10m, prune: true, path: ./${path}, sourceRef: {kind: GitRepository, name: fleet}}
`;

const argo = (path: string, more = '') => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: ${path}, namespace: argocd}
spec:
  project: default
  destination: {namespace: shop, server: https://kubernetes.default.svc}
  source: {repoURL: https://example.com/all, path: ${path}${more}}
`;

const deployment = (name: string) => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, namespace: shop}
spec:
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec: {containers: [{name: main, image: example.com/main}]}
`;

const policy = (selector = '{}', name = 'deny') => `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: ${name}, namespace: shop}
spec: {podSelector: ${selector}}
`;

const onlyA = '{matchLabels: {app: a}}';
const workloads: Files = { 'app/a.yaml': deployment('a'), 'app/b.yaml': deployment('b') };

/** Two workloads in a folder, a policy in another one, and Flux Kustomizations in clusters that apply folders. */
const fleet = (clusters: Readonly<Record<string, readonly string[]>>, more: Files = {}): Files => ({
  ...workloads,
  'pol/np.yaml': policy(),
  ...Object.fromEntries(
    Object.entries(clusters).flatMap(([name, parts]) => [
      [`clusters/${name}/kustomization.yaml`, `resources: [${parts.map((part) => `${part}.yaml`).join(', ')}]\n`],
      ...parts.map((part) => [`clusters/${name}/${part}.yaml`, flux(part)]),
    ]),
  ),
  ...more,
});

interface Answer {
  readonly connections: readonly {
    readonly kind: string;
    readonly from: string;
    readonly to: string;
    readonly scope: string;
  }[];
  readonly complete: boolean;
}

const short = (end: string) => end.replace('shop/Deployment/', '');

function shown({ connections, complete }: Answer): readonly string[] {
  const lines = connections.map(({ kind, from, to, scope }) => `${scope}: ${kind} ${short(from)} -> ${short(to)}`);
  return [...(complete ? [] : ['incomplete']), ...lines.toSorted()];
}

async function diff(before: Files, after: Files): Promise<readonly string[]> {
  const world = { files: after, commits: { HEAD: before }, repositories: [home] };
  const { json } = await runInMemory(['diff', 'HEAD', '--format', 'json'], world);
  return shown(json as Answer); // its schema
}

async function impact(before: Files, after: Files): Promise<readonly string[]> {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = paths.filter((path) => before[path] !== after[path]);
  const files = changed.map((path) => ({ path, text: after[path] ?? null }));
  const world = { files: before, standardInput: { text: JSON.stringify({ files }) }, repositories: [home] };
  const { json } = await runInMemory(['impact', '-', '--format', 'json'], world);
  return shown(json as Answer); // its schema
}

const without = (files: Files, ...paths: readonly string[]): Files =>
  Object.fromEntries(Object.entries(files).filter(([path]) => !paths.includes(path)));

const between = (kind: string, scope: string, targets: readonly string[]) =>
  targets
    .flatMap((to) => ['a', 'b', 'ip:0.0.0.0/0', 'ip:::/0'].flatMap((from) => (from === to ? [] : [[from, to]])))
    .map(([from, to]) => `${scope}: ${kind} ${from} -> ${to}`)
    .toSorted();

/** Asserts that both commands list the same connections after a change, and that each is the reverse after the reverse change. */
async function assertChanges(before: Files, after: Files, scope: string, opened: readonly string[]): Promise<void> {
  for (const command of [diff, impact]) {
    assert.deepEqual(await command(before, after), between('opened', scope, opened), command.name);
    assert.deepEqual(await command(after, before), between('closed', scope, opened), command.name);
  }
}

describe('the changed connections of a cluster', () => {
  const both = fleet({ prod: ['app', 'pol'] });

  it('depend on the Flux Kustomizations that exist', async () => {
    await assertChanges(both, { ...fleet({ prod: ['app'] }) }, 'clusters/prod', ['a', 'b']);
  });

  it('depend on the path of a Flux Kustomization', async () => {
    const moved = { ...both, 'clusters/prod/pol.yaml': flux('pol', 'other'), 'other/np.yaml': policy(onlyA) };
    await assertChanges({ ...both, 'other/np.yaml': policy(onlyA) }, moved, 'clusters/prod', ['b']);
  });

  it('are those of the cluster that loses a policy', async () => {
    const before = fleet({ prod: ['app', 'pol'], dev: ['app', 'pol'] });
    const after = fleet({ prod: ['app'], dev: ['app', 'pol'] });
    await assertChanges(before, after, 'clusters/prod', ['a', 'b']);
  });

  it('depend on the files that an Application applies', async () => {
    const named = (more: string): Files => ({
      ...workloads,
      'pol/more/np.yaml': policy(),
      'pol/np.yaml': policy(onlyA, 'first'),
      'apps/app.yaml': argo('app'),
      'apps/pol.yaml': argo('pol', more),
      'root.yaml': argo('apps'),
    });
    const recursive = named(', directory: {recurse: true}');
    await assertChanges(recursive, named(''), 'root.yaml', ['b']);
    const excluding = named(", directory: {recurse: true, exclude: '**/np.yaml'}");
    assert.deepEqual(await diff(recursive, excluding), await impact(recursive, excluding));
  });

  it('do not depend on objects that no GitOps object applies', async () => {
    const junk: Files = { 'junk/np.yaml': policy('{}', 'junk'), 'junk/q.yaml': deployment('q') };
    const built: Files = { ...junk, 'junk/kustomization.yaml': 'resources: [np.yaml, q.yaml]\n' };
    for (const more of [junk, built]) {
      const after = fleet({ prod: ['app'] });
      await assertChanges({ ...both, ...more }, { ...after, ...more }, 'clusters/prod', ['a', 'b']);
      assert.deepEqual(await diff({ ...both, ...more }, both), []);
    }
  });

  it('do not include connections to workloads that no GitOps object applies', async () => {
    const junk = { ...both, 'junk/q.yaml': deployment('q') };
    const after = { ...junk, 'pol/np.yaml': policy(onlyA) };
    assert.deepEqual(await diff(junk, after), between('opened', 'clusters/prod', ['b']));
  });

  it('do not include objects that a GitOps object applies in only one state', async () => {
    const adopted = fleet({ prod: ['app', 'pol'], more: [] });
    const none = without(adopted, ...Object.keys(adopted).filter((path) => path.startsWith('clusters/')));
    for (const command of [diff, impact]) {
      assert.deepEqual(await command(none, adopted), []);
      assert.deepEqual(await command(adopted, none), []);
    }
  });
});

describe('the changed connections of objects that no GitOps object applies', () => {
  it('are compared among these objects', async () => {
    const plain: Files = {
      ...fleet({ prod: ['web'] }),
      'web/q.yaml': deployment('q'),
    };
    assert.deepEqual(await diff(plain, without(plain, 'pol/np.yaml')), between('opened', '.', ['a', 'b']));
  });

  it('are uncertain if a GitOps object applies a policy to the same pods', async () => {
    const plain: Files = { ...fleet({ prod: ['web'] }), 'web/np.yaml': policy('{}', 'web') };
    assert.deepEqual(await diff(plain, without(plain, 'pol/np.yaml')), []);
  });
});

describe('the changed connections of kustomizations', () => {
  const folder: Files = {
    'a.yaml': deployment('a'),
    'b.yaml': deployment('b'),
    'np.yaml': policy(),
    'kustomization.yaml': 'resources: [a.yaml, b.yaml, np.yaml]\n',
  };

  it('depend on the files that they list', async () => {
    const after = { ...folder, 'kustomization.yaml': 'resources: [a.yaml, b.yaml]\n' };
    await assertChanges(folder, after, '.', ['a', 'b']);
  });

  it('depend on the files in other folders that they list', async () => {
    const before: Files = { ...without(folder, 'np.yaml'), 'pol/np.yaml': policy() };
    const listed = { ...before, 'kustomization.yaml': 'resources: [a.yaml, b.yaml, pol/np.yaml]\n' };
    const after = { ...before, 'kustomization.yaml': 'resources: [a.yaml, b.yaml]\n' };
    await assertChanges(listed, after, '.', ['a', 'b']);
  });

  it('depend on the kustomizations that they include', async () => {
    const more: Files = { ...workloads, 'pol/np.yaml': policy(), 'pol/kustomization.yaml': 'resources: [np.yaml]\n' };
    const including = { ...more, 'app/kustomization.yaml': 'resources: [a.yaml, b.yaml, ../pol]\n' };
    const excluding = { ...more, 'app/kustomization.yaml': 'resources: [a.yaml, b.yaml]\n' };
    await assertChanges(including, excluding, 'app', ['a', 'b']);
  });

  it('do not depend on a file next to them that none of them lists', async () => {
    const before = { ...folder, 'other.yaml': policy('{}', 'other') };
    const after = without({ ...before, 'kustomization.yaml': 'resources: [a.yaml, b.yaml]\n' }, 'np.yaml');
    for (const command of [diff, impact]) {
      assert.deepEqual(await command(before, after), between('opened', '.', ['a', 'b']), command.name);
      assert.deepEqual(await command(before, without(before, 'other.yaml')), [], command.name);
    }
  });

  it('do not include connections to workloads that they no longer list', async () => {
    const before = { ...folder, 'q.yaml': deployment('q') };
    const after = { ...before, 'kustomization.yaml': 'resources: [a.yaml, b.yaml]\n' };
    await assertChanges(before, after, '.', ['a', 'b']);
    const listed = { ...before, 'kustomization.yaml': 'resources: [a.yaml, b.yaml, np.yaml, q.yaml]\n' };
    await assertChanges(listed, after, '.', ['a', 'b']);
  });

  it('depend on the labels of the Namespaces that they list', async () => {
    const ingress = '{podSelector: {}, ingress: [{from: [{namespaceSelector: {matchLabels: {zone: in}}}]}]}';
    const before: Files = {
      ...folder,
      'np.yaml': policy().replace('{podSelector: {}}', ingress),
      'namespace.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: {name: shop, labels: {zone: in}}\n',
    };
    const after = { ...before, 'kustomization.yaml': 'resources: [a.yaml, b.yaml, namespace.yaml, np.yaml]\n' };
    const expected = ['.: opened a -> b', '.: opened b -> a'];
    for (const command of [diff, impact]) assert.deepEqual(await command(before, after), expected, command.name);
  });

  it('include those of plain files in other folders', async () => {
    const before = { ...without(folder, 'np.yaml'), 'kustomization.yaml': 'resources: [a.yaml, b.yaml]\n' };
    await assertChanges({ ...before, 'pol/np.yaml': policy() }, before, '.', ['a', 'b']);
  });

  it('include those of several kustomizations', async () => {
    const before: Files = {
      ...workloads,
      'app/kustomization.yaml': 'resources: [a.yaml, b.yaml]\n',
      'pol/np.yaml': policy(),
      'pol/kustomization.yaml': 'resources: [np.yaml]\n',
    };
    const after = { ...before, 'pol/np.yaml': policy(onlyA) };
    await assertChanges(before, after, '.', ['b']);
    const empty = { ...before, 'pol/kustomization.yaml': 'resources: []\n' };
    for (const command of [diff, impact])
      assert.deepEqual(await command(before, empty), between('opened', 'app', ['a', 'b']), command.name);
  });

  it('do not change if a new kustomization builds the same objects', async () => {
    const plain = without(folder, 'kustomization.yaml');
    for (const command of [diff, impact]) {
      assert.deepEqual(await command(plain, folder), []);
      assert.deepEqual(await command(folder, plain), []);
    }
  });

  it('are compared by overlay if several overlays build the objects in one of the states', async () => {
    const base: Files = {
      ...workloads,
      'app/np.yaml': policy(),
      'app/kustomization.yaml': 'resources: [a.yaml, b.yaml]\n',
      'prod/kustomization.yaml': 'resources: [../app, ../pol]\n',
      'pol/np.yaml': policy(),
      'pol/kustomization.yaml': 'resources: [np.yaml]\n',
    };
    const dev = { 'dev/kustomization.yaml': 'namespace: dev\nresources: [../app, ../pol]\n' };
    const after = { ...base, 'prod/kustomization.yaml': 'resources: [../app]\n' };
    for (const command of [diff, impact])
      assert.deepEqual(await command({ ...base, ...dev }, after), between('opened', 'prod', ['a', 'b']), command.name);
  });
});

describe('the changed connections of plain files', () => {
  it('depend on the policies in other folders', async () => {
    const before = { ...workloads, 'pol/np.yaml': policy() };
    await assertChanges(before, workloads, '.', ['a', 'b']);
    await assertChanges(before, { ...before, 'pol/np.yaml': policy(onlyA) }, '.', ['b']);
    assert.deepEqual(await impact({ ...before, 'app/np.yaml': policy('{}', 'more') }, before), []);
  });

  it('depend on the policies in all overlays', async () => {
    const before: Files = {
      ...workloads,
      'app/kustomization.yaml': 'resources: [a.yaml, b.yaml]\n',
      'dev/kustomization.yaml': 'resources: [../app]\n',
      'prod/kustomization.yaml': 'resources: [../app]\n',
      'pol/np.yaml': policy(),
    };
    const expected = [...between('opened', 'dev', ['a', 'b']), ...between('opened', 'prod', ['a', 'b'])];
    for (const command of [diff, impact])
      assert.deepEqual(await command(before, without(before, 'pol/np.yaml')), expected, command.name);
  });

  it('are not all compared in a proposal if there are very many files', async () => {
    const more = Array.from({ length: 1000 }, (_, at): readonly [string, string] => [
      `more/${at}.yaml`,
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c${at}, namespace: shop}\n`,
    ]);
    const before: Files = { ...workloads, 'pol/np.yaml': policy(), ...Object.fromEntries(more) };
    assert.deepEqual(await impact(before, without(before, 'pol/np.yaml')), ['incomplete']);
    assert.deepEqual(await impact(before, without(before, 'more/0.yaml')), []);
  });

  it('are compared by folder in a proposal if several folders contain the same objects', async () => {
    const of = (folder: string): Files => ({
      [`${folder}/a.yaml`]: deployment('a'),
      [`${folder}/b.yaml`]: deployment('b'),
      [`${folder}/np.yaml`]: policy(),
    });
    const before = { ...of('dev'), ...of('prod') };
    assert.deepEqual(await impact(before, without(before, 'dev/np.yaml')), between('opened', 'dev', ['a', 'b']));
  });
});

describe('changed connections in a cluster with unknown objects', () => {
  const release = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: redis, namespace: shop}
spec:
  interval: 1h
  chart: {spec: {chart: redis, sourceRef: {kind: HelmRepository, name: charts}}}
`;
  const released = (files: Files): Files => ({ ...files, 'rel/redis.yaml': release });

  it('are listed if only the objects of a release are unknown', async () => {
    const before = released(fleet({ prod: ['app', 'pol', 'rel'] }));
    const expected = ['incomplete', ...between('opened', 'clusters/prod', ['b'])];
    const after = { ...before, 'pol/np.yaml': policy(onlyA) };
    assert.deepEqual(await impact(before, after), expected);
    assert.deepEqual(await diff(before, after), expected);
  });

  it('are not listed if a kustomization has unknown resources', async () => {
    const before = fleet(
      { prod: ['app', 'pol'] },
      { 'pol/kustomization.yaml': 'resources: [np.yaml, missing.yaml]\n' },
    );
    const after = { ...before, 'pol/np.yaml': policy(onlyA) };
    for (const command of [diff, impact]) assert.deepEqual(await command(before, after), ['incomplete'], command.name);
  });

  it('are listed if another kustomization has unknown resources', async () => {
    const before: Files = {
      ...workloads,
      'app/np.yaml': policy(),
      'app/kustomization.yaml': 'resources: [a.yaml, b.yaml, np.yaml]\n',
      'pol/other.yaml': policy('{matchLabels: {app: b}}', 'other'),
      'pol/kustomization.yaml': 'resources: [other.yaml]\n',
      'else/kustomization.yaml': 'resources: [https://example.com/all.yaml]\n',
    };
    const expected = ['incomplete', ...between('opened', '.', ['a'])];
    for (const command of [diff, impact]) {
      assert.deepEqual(await command(before, without(before, 'app/np.yaml')), ['incomplete'], command.name);
      const after = { ...before, 'app/kustomization.yaml': 'resources: [a.yaml, b.yaml]\n' };
      assert.deepEqual(await command(before, after), expected, command.name);
      const unlisted = { ...before, 'pol/kustomization.yaml': 'resources: []\n', 'app/np.yaml': policy(onlyA) };
      assert.deepEqual(await command({ ...before, 'app/np.yaml': policy(onlyA) }, unlisted), ['incomplete']);
    }
  });

  it('are listed if the API server rejects the same policies as before', async () => {
    const before = { ...fleet({ prod: ['app', 'pol'] }), 'app/np.yaml': policy('{matchLabels: {app: -a}}', 'wrong') };
    const after = { ...before, 'pol/np.yaml': policy(onlyA) };
    await assertChanges(before, after, 'clusters/prod', ['b']);
  });

  it('are not listed if the API server rejects a policy', async () => {
    const before = fleet({ prod: ['app', 'pol'] });
    const after = { ...before, 'pol/np.yaml': policy('{matchLabels: {app: -a}}') };
    for (const command of [diff, impact]) assert.deepEqual(await command(before, after), ['incomplete'], command.name);
  });
});

/** The varying parts of a fleet. */
interface Choices {
  readonly prod: readonly string[];
  readonly dev: readonly string[];
  /** The selectors of the policies in the folders; undefined without a policy. */
  readonly policies: readonly (string | undefined)[];
  /** Whether the folders contain kustomizations, and whether these list the policy. */
  readonly lists: readonly ('plain' | 'listed' | 'unlisted')[];
}

const folders = ['app', 'web', 'pol', 'junk'];

const choices: fc.Arbitrary<Choices> = fc.record({
  prod: fc.subarray(folders),
  dev: fc.subarray(folders),
  policies: fc.tuple(...folders.map(() => fc.constantFrom(undefined, '{}', onlyA, '{matchLabels: {app: c}}'))),
  lists: fc.tuple(...folders.map(() => fc.constantFrom('plain' as const, 'listed' as const, 'unlisted' as const))),
});

function filesOf({ prod, dev, policies, lists }: Choices): Files {
  const own = folders.map((folder, index): Files => {
    const name = ['a', 'b', 'c', 'd'][index] ?? '';
    const selector = policies[index];
    const hasPolicy = selector !== undefined;
    const listed = ['web.yaml', ...(hasPolicy && lists[index] === 'listed' ? ['np.yaml'] : [])];
    return {
      [`${folder}/web.yaml`]: deployment(name),
      ...(hasPolicy && { [`${folder}/np.yaml`]: policy(selector, folder) }),
      ...(lists[index] !== 'plain' && { [`${folder}/kustomization.yaml`]: `resources: [${listed.join(', ')}]\n` }),
    };
  });
  const all = Object.assign({}, ...own) as Files; // their union
  return { ...without(fleet({ prod, dev }), 'app/a.yaml', 'app/b.yaml', 'pol/np.yaml'), ...all };
}

interface End {
  readonly name?: string;
  readonly cidr?: string;
}

interface Reached {
  readonly connections: readonly { readonly from: End; readonly to: End; readonly allow: readonly object[] }[];
}

/** Returns the connections of a cluster that are certainly allowed, and those that are possibly allowed. */
async function reached(files: Files, scope: string) {
  const { json } = await runInMemory(['reach', '--format', 'json', '--scope', scope], { files, repositories: [home] });
  const { connections } = (json ?? { connections: [] }) as Reached; // its schema
  const nameOf = ({ name, cidr }: End) => name ?? `ip:${cidr}`;
  const named = (list: Reached['connections']) =>
    new Set(list.map(({ from, to }) => `${nameOf(from)} -> ${nameOf(to)}`));
  return { allowed: named(connections.filter(({ allow }) => allow.length > 0)), possible: named(connections) };
}

function workloadsOf(applied: readonly string[]): readonly string[] {
  return folders.flatMap((folder, index) => (applied.includes(folder) ? [['a', 'b', 'c', 'd'][index] ?? ''] : []));
}

async function expectedIn(cluster: 'prod' | 'dev', before: Choices, after: Choices): Promise<readonly string[]> {
  const scope = `clusters/${cluster}`;
  const [old, fresh] = [await reached(filesOf(before), scope), await reached(filesOf(after), scope)];
  const here = workloadsOf(before[cluster]).filter((each) => workloadsOf(after[cluster]).includes(each));
  const isHere = (line: string) => line.split(' -> ').every((end) => end.startsWith('ip:') || here.includes(end));
  const only = (kind: string, { allowed }: typeof old, { possible }: typeof old) =>
    [...allowed].filter((each) => isHere(each) && !possible.has(each)).map((each) => `${scope}: ${kind} ${each}`);
  return [...only('opened', fresh, old), ...only('closed', old, fresh)];
}

describe('the changed connections of two clusters', () => {
  it('are the differences of the answers of reach', async () => {
    const numRuns = campaignRuns(500);
    let found = 0;
    await fc.assert(
      fc.asyncProperty(choices, choices, fc.integer({ min: 1, max: 15 }), async (one, other, kept) => {
        const keys = Object.keys(one) as readonly (keyof Choices)[]; // its own keys
        const changed = keys.filter((_, index) => ((kept >> index) & 1) === 1);
        const two = { ...one, ...Object.fromEntries(changed.map((key) => [key, other[key]])) };
        const [before, after] = [filesOf(one), filesOf(two)];
        const expected = [...(await expectedIn('prod', one, two)), ...(await expectedIn('dev', one, two))].toSorted();
        found += expected.length;
        const inClusters = (list: readonly string[]) => list.filter((each) => each.startsWith('clusters/'));
        assert.deepEqual(inClusters(await diff(before, after)), expected, 'diff');
        if (JSON.stringify(before) === JSON.stringify(after)) return;
        assert.deepEqual(inClusters(await impact(before, after)), expected, 'impact');
      }),
      { numRuns },
    );
    // Few runs may change no connection.
    if (numRuns >= 100) assert.ok(found > 0, 'nothing ever changed');
  }).timeout(3_600_000);
});

describe('the connections in a tree with missing files', () => {
  it('are not compared if there are many files, and diff states this', async () => {
    const config = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n';
    const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`many/${index}.yaml`, config]));
    const files = { ...many, 'app/kustomization.yaml': 'resources: [missing.yaml]\n' };
    const world = { files, commits: { HEAD: { ...files, 'many/0.yaml': `# ${config}` } }, repositories: [home] };
    const { json, err } = await runInMemory(['diff', 'HEAD', '--format', 'json'], world);
    assert.equal((json as { readonly complete: boolean }).complete, false); // its schema
    const note = 'Connections are not compared: files are missing, and more than 1000 files contain objects.';
    assert.ok(
      err.some((line) => line.includes(note)),
      err.join('\n'),
    );
  });
});
