/** Tests that a check examines again what depends on other GitOps objects of the cluster, and nothing else. */
import assert from 'node:assert/strict';
import type { StoredFiles } from '../../server/src/workspace/store/file-store.ts';
import { runInMemory } from './memory-world.ts';

const names = ['one', 'two', 'three', 'far'] as const;

const flux = (name: string) => `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: ${name}, namespace: flux-system}
spec: {interval: 10m, prune: true, path: ./${name}, sourceRef: {kind: GitRepository, name: fleet}}
`;
const deployment = (name: string, labels: string, namespace = 'shop') => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, namespace: ${namespace}}
spec:
  selector: {matchLabels: {${labels}}}
  template:
    metadata: {labels: {${labels}}}
    spec: {containers: [{name: main, image: example.com/main}]}
`;
const service = (labels: string, namespace = 'shop') => `apiVersion: v1
kind: Service
metadata: {name: web, namespace: ${namespace}}
spec: {selector: {${labels}}, ports: [{port: 80}]}
`;
const budget = (name: string) => `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: ${name}, namespace: shop}
spec: {minAvailable: 1, selector: {matchLabels: {tier: front}}}
`;
const policy = (labels: string) => `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: peers, namespace: shop}
spec:
  podSelector: {matchLabels: {app: web}}
  ingress: [{from: [{namespaceSelector: {}, podSelector: {matchLabels: {${labels}}}}]}]
`;

const affine = (term: string) =>
  deployment('one', 'app: one').replace(
    'spec: {containers',
    `spec: {affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: zone, ${term}}]}}, containers`,
  );

const always: Readonly<Record<string, string>> = {
  'clusters/prod/kustomization.yaml': `resources: [${names.map((name) => `${name}.yaml`).join(', ')}]\n`,
  ...Object.fromEntries(names.map((name) => [`clusters/prod/${name}.yaml`, flux(name)])),
  'three/settings.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: shop}\n',
  // Nothing outside of the namespace is similar to these selectors. The invalid label is reported.
  'far/far.yaml': [
    service('app: distant', 'far').replace('{name', '{labels: {team: "red and blue"}, name'),
    deployment('far', 'app: distant', 'far'),
    budget('far').replace('namespace: shop', 'namespace: far').replace('tier: front', 'app: distant'),
  ].join('---\n'),
};

/** What a file depends on: the files, and two versions of the Deployment in `two/web.yaml`. */
const cases: readonly (readonly [
  what: string,
  rule: string,
  files: Readonly<Record<string, string>>,
  versions: readonly [with_: string, without: string],
])[] = [
  [
    'labels in its namespace that are almost those of a selector',
    'selects-nothing',
    { 'one/web.yaml': service('app: storefront') },
    ['app: storefrnt', 'app: other'],
  ],
  [
    'labels in any namespace that are almost those of a selector',
    'selects-nothing',
    { 'one/web.yaml': policy('role: gateway') },
    ['role: gatewya', 'role: other'],
  ],
  [
    'labels in its namespace that are almost those of an affinity',
    'selects-nothing',
    { 'one/web.yaml': affine('labelSelector: {matchLabels: {role: gateway}}') },
    ['role: gatewya', 'role: other'],
  ],
  [
    'labels in any namespace that are almost those of an affinity',
    'selects-nothing',
    { 'one/web.yaml': affine('namespaceSelector: {}, labelSelector: {matchLabels: {role: gateway}}') },
    ['role: gatewya', 'role: other'],
  ],
  [
    'one of two objects that an affinity may mean',
    'selects-nothing',
    {
      'one/web.yaml': affine('namespaceSelector: {}, labelSelector: {matchLabels: {role: gateway}}'),
      'three/web.yaml': deployment('three', 'role: gatewya'),
    },
    ['role: other', 'role: gaetway'],
  ],
  [
    'a match for which a near miss is not reported',
    'selects-nothing',
    { 'one/web.yaml': service('app: web'), 'one/other.yaml': deployment('other', 'app: webb') },
    ['app: other', 'app: web'],
  ],
  [
    'pods that two budgets select',
    'overlapping-disruption-budgets',
    { 'one/web.yaml': budget('one'), 'three/budget.yaml': budget('three') },
    ['tier: front', 'tier: back'],
  ],
  [
    'pods that another controller selects',
    'overlapping-controllers',
    { 'one/web.yaml': deployment('one', 'tier: front') },
    ['tier: front', 'tier: back'],
  ],
];

interface Finding {
  readonly rule: string;
  readonly file: string;
  readonly message: string;
}

describe('a check of what a file in another GitOps object changes', () => {
  for (const [what, rule, files, versions] of cases) {
    it(`examines again ${what}`, async () => {
      const words = ['check', '--format', 'json', '--severity', 'hint'];
      const caches = new Map<string, StoredFiles>();
      const [found, other] = versions;
      const reported: string[] = [];
      for (const [round, labels] of [found, other, found].entries()) {
        const all = { files: { ...always, ...files, 'two/web.yaml': deployment('two', labels) } };
        const cached = await runInMemory(words, { ...all, caches });
        const anew = await runInMemory([...words, '--no-cache'], all);
        assert.deepEqual([cached.code, cached.out, cached.err], [anew.code, anew.out, anew.err]);
        assert.ok(anew.readAgain.includes('far/far.yaml'));
        if (round > 0) assert.ok(!cached.readAgain.includes('far/far.yaml'), cached.readAgain.join());
        const { diagnostics } = cached.json as { diagnostics: readonly Finding[] };
        const ofRule = diagnostics.filter((each) => each.rule === rule && each.file === 'one/web.yaml');
        reported.push(ofRule.map(({ message }) => message).join());
      }
      const [first, second, third] = reported;
      assert.ok(first !== '' && first !== second);
      assert.equal(first, third);
    });
  }
});
