/** Tests the changes of matches between objects of different GitOps objects that `impact` and `diff` list. */

import assert from 'node:assert/strict';
import { type Choices, filesOf, usual } from './cluster-choices.ts';
import { type Changed, diffOf, type Files, impactOf } from './cluster-comparison.ts';
import { runInMemory } from './memory-world.ts';

interface Story {
  readonly title: string;
  readonly before?: Partial<Choices>;
  readonly after: Partial<Choices>;
  /** The changes in a cluster of Flux, and in a cluster of Argo CD, whose Applications set a namespace. */
  readonly changes: readonly string[];
  readonly ofArgo?: readonly string[];
}

const withoutLedger = ['platform', 'books', 'namespaces'];

/** The matches of the platform with the web server. */
const ofPlatform = [
  'NetworkPolicy/shop Deployment/web',
  'NetworkPolicy/zone Deployment/web',
  'PodDisruptionBudget/web Deployment/web',
  'ServiceMonitor/all Service/web',
];
/** The matches in the ledger. */
const ofLedger = ['Service/api Deployment/web', 'Service/web Pod/api'];
const lost = (...matches: readonly string[]) => matches.map((each) => `lost ${each}`);
const gained = (...matches: readonly string[]) => matches.map((each) => `gained ${each}`);

const stories: readonly Story[] = [
  {
    title: 'matches that are lost because a label changes',
    after: { labels: 'app: api' },
    changes: [...lost(...ofPlatform, 'Service/api Deployment/web'), ...gained('Service/web Deployment/web')],
  },
  {
    title: 'matches that are gained because a selector becomes empty',
    after: { selector: '{}' },
    changes: gained('NetworkPolicy/shop Pod/api'),
  },
  {
    title: 'only the matches of an object in another namespace after it moves to another GitOps object',
    after: { home: 'books' },
    changes: lost('Service/web Pod/api', 'ServiceMonitor/all Service/web'),
    ofArgo: [],
  },
  {
    title: 'only the matches of an object in another namespace after it moves to the GitOps object of the selectors',
    after: { home: 'platform' },
    changes: lost('Service/web Pod/api', 'ServiceMonitor/all Service/web'),
    ofArgo: [],
  },
  {
    title: 'matches of a deleted object',
    after: { home: 'nowhere' },
    changes: lost(...ofPlatform, 'Service/api Deployment/web', 'Service/web Pod/api'),
  },
  {
    title: 'matches of a deleted GitOps object',
    after: { applied: withoutLedger },
    changes: lost(...ofPlatform, 'ServiceMonitor/all Service/api'),
  },
  {
    title: 'matches of a new GitOps object',
    before: { applied: withoutLedger },
    after: {},
    changes: gained(...ofPlatform, 'ServiceMonitor/all Service/api', ...ofLedger),
  },
  {
    title: 'matches in a deleted GitOps object whose objects are only in part applied by another',
    after: { applied: withoutLedger, home: 'books' },
    changes: lost('Service/api Deployment/web', 'ServiceMonitor/all Service/api', 'ServiceMonitor/all Service/web'),
    ofArgo: lost(...ofLedger, 'ServiceMonitor/all Service/api'),
  },
  {
    title: 'matches in a new GitOps object some of whose objects another one applied before',
    before: { applied: withoutLedger, home: 'books' },
    after: {},
    changes: gained(...ofLedger, 'ServiceMonitor/all Service/api', 'ServiceMonitor/all Service/web'),
    ofArgo: gained(...ofLedger, 'ServiceMonitor/all Service/api'),
  },
  {
    title: 'matches that depend on a label of a Namespace of a third GitOps object',
    after: { zone: 'edge' },
    changes: lost('NetworkPolicy/zone Deployment/web', 'NetworkPolicy/zone Namespace/shop'),
  },
  {
    title: 'matches in one GitOps object that depend on a label of a Namespace of another',
    before: { home: 'platform' },
    after: { home: 'platform', zone: 'edge' },
    changes: lost('NetworkPolicy/zone Deployment/web', 'NetworkPolicy/zone Namespace/shop'),
  },
  {
    title: 'matches in the namespaces that a monitor lists',
    before: { reach: '{matchNames: [bank]}' },
    after: {},
    changes: gained('ServiceMonitor/all Service/api', 'ServiceMonitor/all Service/web'),
  },
  {
    title: 'matches that are lost because an object moves to another namespace',
    before: { home: 'books' },
    after: { home: 'books', namespace: 'bank' },
    changes: [
      ...lost(
        'NetworkPolicy/shop Deployment/web',
        'PodDisruptionBudget/web Deployment/web',
        'Service/api Deployment/web',
        'NetworkPolicy/zone Deployment/web',
      ),
      ...gained('NetworkPolicy/zone Deployment/web', 'NetworkPolicy/zone Deployment/web'),
    ],
  },
];

const shown = (changes: readonly Changed[]) =>
  changes
    .map(({ kind, owner, target }) => `${kind} ${owner.kind}/${owner.name} ${target.kind}/${target.name}`)
    .toSorted();

/** Like `shown`, without the pods of a workload that it finds itself, which only `diff` lists. */
const shownToOthers = (changes: readonly Changed[]) =>
  shown(changes).filter((each) => !each.includes(' Deployment/web Deployment/'));

/** The states of a workspace in which only one of two clusters with the same names changes. */
function statesOf({ before, after }: Story, cluster: string, isArgo: boolean): readonly [Files, Files] {
  const files = (some: Partial<Choices> | undefined) => {
    const own = { ...usual, ...some };
    return cluster === 'prod' ? filesOf(own, usual, isArgo) : filesOf(usual, own, isArgo);
  };
  return [files(before), files(after)];
}

describe('the changes between GitOps objects', () => {
  for (const story of stories)
    it(`contain ${story.title}`, async () => {
      for (const [cluster, isArgo] of [
        ['prod', false],
        ['dev', true],
      ] as const) {
        const { changes: expected, ofArgo = expected } = story;
        const states = statesOf(story, cluster, isArgo);
        const { changes: all, complete } = await impactOf(...states);
        assert.deepEqual(shown(all), (isArgo ? ofArgo : expected).toSorted());
        assert.ok(complete);
        const others = all.filter(({ scope }) => !scope?.startsWith(`clusters/${cluster}/`));
        assert.deepEqual(others, []);
        const { changes, notes } = await diffOf(...states);
        assert.deepEqual([shownToOthers(changes), notes], [shown(all), []]);
      }
    });

  it('contain all matches in the first GitOps object of a cluster, and none after its deletion', async () => {
    const path = 'clusters/prod/ledger.yaml';
    const all = [...filesOf(usual, usual)].filter(([each]) => each === path || each.startsWith('prod/ledger/'));
    for (const before of [[], all.filter(([each]) => each !== path)]) {
      const states = [new Map(before), new Map(all)] as const;
      const { changes, complete } = await impactOf(...states);
      assert.deepEqual([shown(changes), complete], [gained(...ofLedger), true]);
      assert.deepEqual(shownToOthers((await diffOf(...states)).changes), gained(...ofLedger));
    }
    assert.deepEqual((await impactOf(new Map(all), new Map())).changes, []);
  });

  for (const [isArgo, name] of [
    [false, 'Flux'],
    [true, 'Argo CD'],
  ] as const)
    it(`contain no matches of kustomizations that ${name} applies in one state only`, async () => {
      const path = 'clusters/prod/ledger.yaml';
      const overlay = (label: string) =>
        `resources: [../ledger]\npatches: [{target: {kind: Pod}, patch: "[{op: add, path: /metadata/labels/app, value: ${label}}]"}]\n`;
      const overlays = [
        ['prod/one/kustomization.yaml', overlay('api')],
        ['prod/two/kustomization.yaml', overlay('other')],
      ] as const;
      const all = new Map([...filesOf(usual, usual, isArgo), ...overlays]);
      const building = (folder: string) =>
        new Map([...all, [path, all.get(path)?.replace('prod/ledger', `prod/${folder}`) ?? '']]);
      const none = new Map([...filesOf({ ...usual, applied: withoutLedger }, usual, isArgo), ...overlays]);
      const ofOthers = [...ofPlatform, 'ServiceMonitor/all Service/api'];
      const expected = [
        ['one', 'two', lost('Service/web Pod/api')],
        ['two', 'one', gained('Service/web Pod/api')],
        ['one', undefined, lost(...ofOthers)],
        [undefined, 'one', gained(...ofOthers, ...ofLedger)],
        [undefined, 'two', gained(...ofOthers, 'Service/api Deployment/web')],
      ] as const;
      for (const [before, after, changes] of expected) {
        const states = [before, after].map((each) => (each === undefined ? none : building(each)));
        const [from = none, to = none] = states;
        const { changes: found, complete } = await impactOf(from, to);
        assert.deepEqual([shown(found), complete], [changes.toSorted(), true]);
        assert.deepEqual(shownToOthers((await diffOf(from, to)).changes), changes.toSorted());
      }
    });

  it('are incomplete if the folder of a GitOps object is missing', async () => {
    const path = 'clusters/prod/ledger.yaml';
    const all = filesOf(usual, usual);
    const missing = new Map([...all, [path, all.get(path)?.replace('prod/ledger', 'prod/books2') ?? '']]);
    const { complete, notes } = await impactOf(all, missing);
    const note = `selector-lens: '${path}' is compared only in part: ledger.yaml builds 'prod/books2', which is not in the workspace. (and 1 more)`;
    assert.deepEqual([complete, notes], [false, [note]]);
    const unrelated = new Map([...missing, ['prod/books/notes.yaml', 'a: b\n'] as const]);
    assert.ok((await impactOf(missing, unrelated)).complete);
  });

  it('name the GitOps objects', async () => {
    const states = [filesOf(usual, usual), filesOf({ ...usual, selector: '{}' }, usual)] as const;
    const [change, ...others] = (await impactOf(...states)).changes;
    assert.deepEqual(
      [others, change],
      [
        [],
        {
          kind: 'gained',
          message:
            'NetworkPolicy/shop (clusters/prod/platform.yaml) now applies to Pod/api in shop (clusters/prod/ledger.yaml).',
          scope: 'clusters/prod/platform.yaml',
          owner: { group: 'networking.k8s.io', kind: 'NetworkPolicy', namespace: 'shop', name: 'shop' },
          path: 'spec.podSelector',
          target: {
            group: '',
            kind: 'Pod',
            namespace: 'shop',
            name: 'api',
            builtBy: 'clusters/prod/ledger.yaml',
          },
          file: 'prod/platform/all.yaml',
          line: 4,
        },
      ],
    );
  });

  it('name the GitOps objects once in the text of impact', async () => {
    const files = Object.fromEntries(filesOf(usual, usual));
    const path = 'prod/ledger/all.yaml';
    const proposal = { files: [{ path, text: filesOf({ ...usual, labels: 'app: api' }, usual).get(path) }] };
    const standardInput = { text: JSON.stringify(proposal) };
    const { out } = await runInMemory(['impact', '-'], { files, standardInput });
    const shop =
      '- NetworkPolicy/shop (clusters/prod/platform.yaml) no longer applies to Deployment/web in shop (clusters/prod/ledger.yaml).';
    assert.ok(out.includes(shop), out.join('\n'));
    const own = out.find((line) => line.startsWith('+ Service/web now selects'));
    assert.ok(own?.endsWith(' (clusters/prod/ledger.yaml).'), out.join('\n'));
  });

  it('are incomplete if not all objects of the cluster are known', async () => {
    const remote = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: redis, namespace: shop}
spec: {interval: 1h, chart: {spec: {chart: redis, sourceRef: {kind: HelmRepository, name: charts}}}}
`;
    const withRemote = (files: Files) => new Map([...files, ['prod/books/redis.yaml', remote] as const]);
    const note =
      'Not all objects that other GitOps objects apply to the cluster of clusters/prod/ledger.yaml are known: matches with them are not compared.';
    const states = [filesOf(usual, usual), filesOf({ ...usual, labels: 'app: api' }, usual)] as const;
    const { complete, notes } = await impactOf(withRemote(states[0]), withRemote(states[1]));
    assert.deepEqual([complete, notes], [false, [`selector-lens: ${note}`]]);
    assert.deepEqual((await diffOf(withRemote(states[0]), withRemote(states[1]))).notes, [note]);
    const unrelated = [...withRemote(states[0]), ['prod/ledger/notes.yaml', 'a: b\n'] as const];
    assert.ok((await impactOf(withRemote(states[0]), new Map(unrelated))).complete);
  });

  it('are incomplete if a GitOps object is unknown after the change', async () => {
    const states = [filesOf(usual, usual), filesOf({ ...usual, isBroken: true }, usual)] as const;
    const { changes, complete, notes } = await impactOf(...states);
    assert.deepEqual([changes, complete], [[], false]);
    assert.deepEqual(notes, [
      "selector-lens: 'prod/platform/kustomization.yaml' has a syntax error, so only a part of it is compared.",
      'selector-lens: The objects of clusters/prod/platform.yaml are unknown: matches with other GitOps objects are not compared.',
    ]);
  });
});

describe('the matches of a selector of namespaces in a cluster', () => {
  const matched = async (choices: Choices) => {
    const files = Object.fromEntries(filesOf(choices, { ...usual, applied: [] }));
    const { json } = await runInMemory(['match', '--object', 'NetworkPolicy/zone', '--format', 'json'], { files });
    const { selectors } = json as {
      readonly selectors: readonly {
        readonly path: string;
        readonly file: string;
        readonly matches: readonly { readonly name: string; readonly implied?: true }[];
      }[];
    };
    return selectors
      .filter(({ path, file }) => path.endsWith('namespaceSelector') && file.startsWith('prod/'))
      .flatMap(({ matches }) => matches.map(({ name, implied }) => `${name}${implied ? ' (implied)' : ''}`));
  };

  it('are each named once if another GitOps object applies the Namespace', async () => {
    assert.deepEqual(await matched({ ...usual, zone: 'core' }), ['shop', 'bank']);
  });

  it('are implied if no GitOps object applies the Namespace', async () => {
    const applied = usual.applied.filter((name) => name !== 'namespaces');
    assert.deepEqual(await matched({ ...usual, zone: 'core', applied }), ['shop (implied)', 'bank (implied)']);
  });
});
