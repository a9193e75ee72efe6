/** Tests that a review says that nothing changes only if an independent comparison of all matches, references, ports, keys and policies agrees. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { home, runInMemory } from '../cli/memory-world.ts';
import { campaignRuns } from './scale.ts';

/** Objects as JSON, which is YAML; the campaign changes one field of one of them. */
type Data = Record<string, unknown>;

/** The objects of a workspace, by file. */
type Objects = Readonly<Record<string, Data>>;

const metadata = (name: string, labels: Data = {}) => ({ name, namespace: 'shop', labels });

function workload(kind: string, name: string, more: Data = {}): Data {
  const volumes = [{ name: 'config', configMap: { name: 'settings', items: [{ key: 'mode', path: 'mode' }] } }];
  const container = {
    name: 'main',
    image: `shop/${name}:1.0`,
    ports: [
      { name: 'http', containerPort: 8080 },
      { name: 'metrics', containerPort: 9090 },
    ],
    env: [{ name: 'MODE', valueFrom: { configMapKeyRef: { name: 'settings', key: 'mode' } } }],
    envFrom: [{ secretRef: { name: 'token' } }],
    volumeMounts: [{ name: 'config', mountPath: '/config' }],
    livenessProbe: { httpGet: { path: '/', port: 'http' } },
  };
  const pod = { serviceAccountName: 'account', volumes, containers: [container] };
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: metadata(name, { app: name }),
    spec: {
      replicas: 2,
      ...(kind === 'StatefulSet' && { serviceName: 'web' }),
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name, tier: 'back' } }, spec: pod },
      ...more,
    },
  };
}

const objects: Objects = {
  'web.yaml': workload('Deployment', 'web'),
  'db.yaml': workload('StatefulSet', 'db'),
  'service.yaml': {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metadata('web', { app: 'web' }),
    spec: {
      selector: { app: 'web' },
      ports: [
        { name: 'http', port: 80, targetPort: 'http' },
        { name: 'metrics', port: 90, targetPort: 9090 },
      ],
    },
  },
  'settings.yaml': {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: metadata('settings'),
    data: { mode: 'fast', other: 'x' },
  },
  'token.yaml': { apiVersion: 'v1', kind: 'Secret', metadata: metadata('token'), stringData: { token: 'x' } },
  'account.yaml': { apiVersion: 'v1', kind: 'ServiceAccount', metadata: metadata('account') },
  'ingress.yaml': {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: metadata('web'),
    spec: {
      rules: [
        {
          host: 'shop.example.com',
          http: {
            paths: [
              { path: '/', pathType: 'Prefix', backend: { service: { name: 'web', port: { name: 'http' } } } },
              { path: '/m', pathType: 'Prefix', backend: { service: { name: 'web', port: { number: 90 } } } },
            ],
          },
        },
      ],
    },
  },
  'policy.yaml': {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: metadata('db'),
    spec: {
      podSelector: { matchLabels: { app: 'db' } },
      policyTypes: ['Ingress'],
      ingress: [{ from: [{ podSelector: { matchLabels: { app: 'web' } } }], ports: [{ port: 9090, protocol: 'TCP' }] }],
    },
  },
  'budget.yaml': {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: metadata('back'),
    spec: { minAvailable: 1, selector: { matchLabels: { tier: 'back' } } },
  },
  'scaler.yaml': {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: metadata('web'),
    spec: { maxReplicas: 4, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } },
  },
  'monitor.yaml': {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'ServiceMonitor',
    metadata: metadata('web'),
    spec: { selector: { matchLabels: { app: 'web' } }, endpoints: [{ port: 'metrics' }] },
  },
  'definition.yaml': {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'ovens.bakery.example.com' },
    spec: {
      group: 'bakery.example.com',
      names: { kind: 'Oven', plural: 'ovens' },
      scope: 'Namespaced',
      versions: ['v1', 'v2'].map((name) => ({
        name,
        served: true,
        storage: name === 'v1',
        schema: { openAPIV3Schema: { type: 'object' } },
      })),
    },
  },
};

type Step = string | number;

/** Returns the paths of all scalars, and of all lists and maps, in data. */
function pathsIn(value: unknown, path: readonly Step[] = []): readonly (readonly Step[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inside = Object.entries(value).flatMap(([key, each]) =>
    pathsIn(each, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return path.length === 0 ? inside : [path, ...inside];
}

/** Returns a copy of data with another value at a path, or without it. */
function changedAt(value: unknown, path: readonly Step[], to: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return to;
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    return items.flatMap((each, index) => {
      const changed = index === step ? changedAt(each, rest, to) : each;
      return changed === undefined ? [] : [changed];
    });
  }
  const entries = Object.entries(Object(value)).flatMap(([key, each]) => {
    const changed = key === step ? changedAt(each, rest, to) : each;
    return changed === undefined ? [] : [[key, changed] as const];
  });
  return Object.fromEntries(entries);
}

/** Identities and types decide which objects there are; other faults of such fields are reported by rules. */
function isChangeable(path: readonly Step[]): boolean {
  return path[0] !== 'apiVersion' && path[0] !== 'kind' && path[1] !== 'name' && path[1] !== 'namespace';
}

const places = Object.entries(objects).flatMap(([file, data]) =>
  pathsIn(data)
    .filter((path) => path.length > 1 && isChangeable(path))
    .map((path) => ({ file, path })),
);

function valueAt(value: unknown, path: readonly Step[]): unknown {
  return path.reduce<unknown>((at, step) => (at === undefined || at === null ? undefined : Object(at)[step]), value);
}

const others: readonly unknown[] = ['web', 'db', 'http', 'metrics', 'mode', 'other', 'settings', 'gone', 8080, 9090, 1];

const mutation = fc.record({
  place: fc.constantFrom(...places),
  /** Undefined removes the field. */
  to: fc.oneof(fc.constant(undefined), fc.constantFrom(...others)),
});

// The independent comparison: plain data, and no code of the product.

function fieldAt(value: unknown, ...path: readonly Step[]): unknown {
  return valueAt(value, path);
}

function listAt(value: unknown, ...path: readonly Step[]): readonly unknown[] {
  const found = valueAt(value, path);
  return Array.isArray(found) ? found : [];
}

function entriesAt(value: unknown, ...path: readonly Step[]): readonly (readonly [string, unknown])[] {
  const found = valueAt(value, path);
  return typeof found === 'object' && found !== null ? Object.entries(found) : [];
}

function isSelected(selector: readonly (readonly [string, unknown])[], labels: unknown): boolean {
  return selector.every(([key, value]) => Object(labels)[key] === value);
}

type Say = (...words: readonly unknown[]) => void;

function byKind(all: Objects, ...kinds: readonly string[]): readonly Data[] {
  return Object.values(all).filter(({ kind }) => typeof kind === 'string' && kinds.includes(kind));
}

const nameOf = (data: Data) => `${data['kind']}/${fieldAt(data, 'metadata', 'name')}`;
const labelsOf = (each: Data) => fieldAt(each, 'spec', 'template', 'metadata', 'labels');

function portNamesOf(each: Data): ReadonlySet<unknown> {
  const [container] = listAt(each, 'spec', 'template', 'spec', 'containers');
  return new Set(listAt(container, 'ports').map((port) => fieldAt(port, 'name')));
}

/** States whether a name is declared; a number need not be. */
function isFound(names: ReadonlySet<unknown>, port: unknown): unknown {
  return typeof port === 'string' ? names.has(port) : 'number';
}

function sayWorkload(all: Objects, each: Data, say: Say): void {
  const pod = ['spec', 'template', 'spec'] as const;
  const name = nameOf(each);
  say('selector', name, fieldAt(each, 'spec', 'selector'), fieldAt(each, 'spec', 'serviceName'));
  const [container] = listAt(each, ...pod, 'containers');
  say('probe', name, isFound(portNamesOf(each), fieldAt(container, 'livenessProbe', 'httpGet', 'port')));
  const volumes = new Set(listAt(each, ...pod, 'volumes').map((volume) => fieldAt(volume, 'name')));
  for (const mount of listAt(container, 'volumeMounts')) say('mount', name, volumes.has(fieldAt(mount, 'name')));
  for (const variable of listAt(container, 'env')) {
    const reference = fieldAt(variable, 'valueFrom', 'configMapKeyRef');
    const wanted = fieldAt(reference, 'name');
    const config = byKind(all, 'ConfigMap').find((one) => fieldAt(one, 'metadata', 'name') === wanted);
    const value = fieldAt(config, 'data', String(fieldAt(reference, 'key')));
    say('key', name, reference, config !== undefined && value !== undefined);
  }
  for (const from of listAt(container, 'envFrom')) say('envFrom', name, from);
  say('account', name, fieldAt(each, ...pod, 'serviceAccountName'));
}

function sayService(service: Data, workloads: readonly Data[], say: Say): void {
  const selector = entriesAt(service, 'spec', 'selector');
  const ports = listAt(service, 'spec', 'ports');
  say('ports', ports.map((port) => [fieldAt(port, 'name'), fieldAt(port, 'port')]).toSorted());
  say('labels', fieldAt(service, 'metadata', 'labels'));
  for (const each of workloads) {
    const isMatch = selector.length > 0 && isSelected(selector, labelsOf(each));
    say('selects', nameOf(service), nameOf(each), isMatch);
    for (const port of isMatch ? ports : []) {
      const target = fieldAt(port, 'targetPort') ?? fieldAt(port, 'port');
      say('target', nameOf(service), nameOf(each), target, isFound(portNamesOf(each), target));
    }
  }
}

/** Returns all facts that a reader must be told about, if they change. */
function factsIn(all: Objects): readonly string[] {
  const facts: string[] = [];
  const say: Say = (...words) => facts.push(JSON.stringify(words));
  const workloads = byKind(all, 'Deployment', 'StatefulSet');
  for (const each of workloads) sayWorkload(all, each, say);
  for (const service of byKind(all, 'Service')) sayService(service, workloads, say);
  for (const policy of byKind(all, 'PodDisruptionBudget', 'NetworkPolicy')) {
    const field = policy['kind'] === 'NetworkPolicy' ? 'podSelector' : 'selector';
    const selector = entriesAt(policy, 'spec', field, 'matchLabels');
    for (const each of workloads) say('applies', nameOf(policy), nameOf(each), isSelected(selector, labelsOf(each)));
  }
  for (const policy of byKind(all, 'NetworkPolicy')) say('rules', fieldAt(policy, 'spec'));
  for (const ingress of byKind(all, 'Ingress'))
    for (const rule of listAt(ingress, 'spec', 'rules'))
      for (const path of listAt(rule, 'http', 'paths')) say('backend', fieldAt(path, 'backend'));
  for (const scaler of byKind(all, 'HorizontalPodAutoscaler')) say('scales', fieldAt(scaler, 'spec', 'scaleTargetRef'));
  for (const monitor of byKind(all, 'ServiceMonitor')) {
    const ports = listAt(monitor, 'spec', 'endpoints').map((one) => fieldAt(one, 'port'));
    say('scrapes', fieldAt(monitor, 'spec', 'selector'), ports);
  }
  for (const definition of byKind(all, 'CustomResourceDefinition'))
    for (const one of listAt(definition, 'spec', 'versions'))
      say('version', fieldAt(one, 'name'), fieldAt(one, 'served') === true, fieldAt(one, 'storage') === true);
  return facts.toSorted();
}

const neutral = 'No selector, reference, connection or immutable field changes.';

/** The layouts in which the objects are applied. */
const layouts: Readonly<Record<string, (all: Objects) => Readonly<Record<string, string>>>> = {
  plain: (all) => Object.fromEntries(Object.entries(all).map(([file, data]) => [file, `${JSON.stringify(data)}\n`])),
  kustomized: (all) => ({
    ...Object.fromEntries(Object.entries(all).map(([file, data]) => [`base/${file}`, `${JSON.stringify(data)}\n`])),
    'base/kustomization.yaml': `resources: [${Object.keys(all).join(', ')}]\n`,
    'overlays/one/kustomization.yaml': 'resources: [../../base]\nnamePrefix: one-\n',
    'overlays/two/kustomization.yaml': 'resources: [../../base]\nnamespace: two\n',
  }),
  applied: (all) => ({
    ...Object.fromEntries(
      Object.entries(all).map(([file, data]) => [`apps/shop/${file}`, `${JSON.stringify(data)}\n`]),
    ),
    'argocd/shop.yaml':
      "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: shop, namespace: argocd}\nspec:\n  source: {repoURL: 'https://github.com/acme/shop', path: apps/shop}\n  destination: {server: 'https://kubernetes.default.svc', namespace: shop}\n",
  }),
};

describe('a review of one changed field', () => {
  for (const [layout, filesOf] of Object.entries(layouts))
    it(`says that nothing changes only if no match, reference, port, key or policy changes: ${layout}`, async function () {
      this.timeout(0);
      const old = filesOf(objects);
      const facts = factsIn(objects).join('\n');
      await fc.assert(
        fc.asyncProperty(mutation, async ({ place: { file, path }, to }) => {
          const changed = { ...objects, [file]: changedAt(objects[file], path, to) as Data }; // the place is inside of a map
          const files = { repositories: [home], commits: { main: old }, files: filesOf(changed) };
          const { out } = await runInMemory(['review', 'main'], files);
          if (out[0]?.startsWith(neutral) === true) assert.equal(factsIn(changed).join('\n'), facts, out.join('\n'));
        }),
        { numRuns: campaignRuns(600) },
      );
    });
});
