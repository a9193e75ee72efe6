/** Tests that exported policies reject exactly the objects in which `check` reports a violation of the label policy. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseAllDocuments } from 'yaml';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { compileCel } from '../harness/cel.ts';
import { runInMemory } from './memory-world.ts';

const configuration = `
labels:
  team:
    values: [blue, red]
    required: { objects: [Deployment, Service], pods: true, namespaces: true }
    replaces: [squad]
  cost-center: { pattern: "[0-9]{4}|none", selectable: false }
  tier: { kinds: [Pod], values: [web, db], pattern: "x-.*" }
  example.com/old: { forbidden: true, kinds: [Service, Pod, Job] }
  env: { from: { folders: ["envs/*"] }, required: { pods: [CronJob, StatefulSet] } }
labelPolicy:
  - { key: floor, kinds: [ConfigMap, Widget], required: true }
  - { key: tier, kinds: [Deployment], values: [web] }
`;

type Data = { readonly [key: string]: unknown };

const values: Readonly<Record<string, readonly string[]>> = {
  team: ['blue', 'red', 'green', ''],
  squad: ['blue'],
  'cost-center': ['1234', 'none', '12345', 'x1234'],
  tier: ['web', 'db', 'x-1', 'cache'],
  'example.com/old': ['yes'],
  env: ['prod', 'dev', 'test'],
  floor: ['2'],
  app: ['web'],
};

const labels = fc
  .uniqueArray(fc.constantFrom(...Object.keys(values)), { minLength: 0, maxLength: 5 })
  .chain((keys) =>
    fc.tuple(...keys.map((key) => fc.constantFrom(...(values[key] ?? [])).map((value) => [key, value] as const))),
  )
  .map((entries) => Object.fromEntries(entries));

const metadata = fc.oneof(
  labels.map((each) => ({ labels: each })),
  fc.constant({}),
);
const named = metadata.map((each) => ({ name: 'web', ...each }));
const claim = fc.record({ metadata, spec: fc.constant({}) });

const selector = fc.oneof(
  labels.map((matchLabels) => ({ matchLabels })),
  labels.map((each) => ({
    matchExpressions: Object.keys(each).map((key) => ({ key, operator: 'Exists' })),
  })),
  fc.constant({}),
);

const podSpec = fc.record(
  {
    containers: fc.constant([{ name: 'web', image: 'web:1' }]),
    nodeSelector: labels,
    volumes: fc.array(fc.record({ name: fc.constant('data'), ephemeral: fc.record({ volumeClaimTemplate: claim }) }), {
      maxLength: 1,
    }),
  },
  { requiredKeys: ['containers'] },
);
const template = fc.record({ metadata, spec: podSpec });

const object = (apiVersion: string, kind: string, rest: fc.Arbitrary<object>) =>
  fc.tuple(named, rest).map(([own, fields]): Data => ({ apiVersion, kind, metadata: own, ...fields }));

const workload = (apiVersion: string, kind: string) =>
  object(apiVersion, kind, fc.record({ spec: fc.record({ selector, template }) }));

const objects = fc.oneof(
  workload('apps/v1', 'Deployment'),
  workload('apps/v1', 'DaemonSet'),
  object(
    'apps/v1',
    'StatefulSet',
    fc.record({ spec: fc.record({ selector, template, volumeClaimTemplates: fc.array(claim, { maxLength: 2 }) }) }),
  ),
  object('batch/v1', 'Job', fc.record({ spec: fc.record({ template }) })),
  object(
    'batch/v1',
    'CronJob',
    fc.record({ spec: fc.record({ jobTemplate: fc.record({ metadata, spec: fc.record({ template }) }) }) }),
  ),
  object('v1', 'Pod', fc.record({ spec: podSpec })),
  object('v1', 'Service', fc.oneof(fc.record({ spec: fc.record({ selector: labels }) }), fc.constant({}))),
  object('v1', 'Namespace', fc.constant({})),
  object('v1', 'ConfigMap', fc.constant({ data: {} })),
  object('example.com/v1', 'Widget', fc.constant({ spec: {} })),
  object('policy/v1', 'PodDisruptionBudget', fc.record({ spec: fc.record({ selector }) })),
  object(
    'networking.k8s.io/v1',
    'NetworkPolicy',
    fc.record({
      spec: fc.record({
        podSelector: selector,
        ingress: fc.array(fc.record({ from: fc.array(fc.record({ podSelector: selector }), { maxLength: 2 }) }), {
          maxLength: 2,
        }),
      }),
    }),
  ),
);

/** A policy as the cluster evaluates it: which objects it applies to, and its expressions. */
interface Policy {
  applies(object: Data): boolean;
  readonly expressions: readonly ((object: unknown) => boolean)[];
}

function field(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined),
    value,
  );
}

function list(value: unknown): readonly unknown[] {
  assert.ok(Array.isArray(value));
  return value;
}

function groupOf({ apiVersion }: Data): string {
  const text = String(apiVersion);
  return text.includes('/') ? text.slice(0, text.indexOf('/')) : '';
}

/** Whether a rule for resources applies to the creation of an object. A star matches everything, also as one of several items. */
function isRuled(rule: unknown, created: Data): boolean {
  const group = groupOf(created);
  const plural =
    catalogue.kind(group, '', String(created['kind']))?.plural ?? `${String(created['kind']).toLowerCase()}s`;
  const includes = (name: string, value: string) => {
    const items = list(field(rule, name));
    return items.includes('*') || items.includes(value);
  };
  return includes('apiGroups', group) && includes('resources', plural) && includes('operations', 'CREATE');
}

function expressionsIn(validations: unknown): Policy['expressions'] {
  return list(validations).map((each) => compileCel(String(field(each, 'expression'))));
}

const readers: Readonly<Record<string, (documents: readonly unknown[]) => readonly Policy[]>> = {
  'validating-admission-policy': (documents) =>
    documents
      .filter((each) => field(each, 'kind') === 'ValidatingAdmissionPolicy')
      .map((each) => policyWithRules(each)),
  kyverno: (documents) => documents.map((each) => policyWithRules(each)),
  gatekeeper: (documents) => {
    const templates = documents.filter((each) => field(each, 'kind') === 'ConstraintTemplate');
    return templates.map((each) => {
      const kind = field(each, 'spec', 'crd', 'spec', 'names', 'kind');
      assert.equal(field(each, 'metadata', 'name'), String(kind).toLowerCase());
      const constraint = documents.find((other) => field(other, 'kind') === kind);
      const [target] = list(field(each, 'spec', 'targets'));
      const [code] = list(field(target, 'code'));
      return {
        applies: (created) =>
          list(field(constraint, 'spec', 'match', 'kinds')).some((match) => {
            const includes = (name: string, value: string) =>
              list(field(match, name)).some((item) => item === '*' || item === value);
            return includes('apiGroups', groupOf(created)) && includes('kinds', String(created['kind']));
          }),
        expressions: expressionsIn(field(code, 'source', 'validations')),
      };
    });
  },
};

function policyWithRules(document: unknown): Policy {
  const rules = list(field(document, 'spec', 'matchConstraints', 'resourceRules'));
  return {
    applies: (created) => rules.some((rule) => isRuled(rule, created)),
    expressions: expressionsIn(field(document, 'spec', 'validations')),
  };
}

const configured = { '.selector-lens.yaml': configuration, 'envs/prod/a.yaml': '', 'envs/dev/a.yaml': '' };

async function exported(format: string): Promise<readonly Policy[]> {
  const { code, out } = await runInMemory(['labels', '--export', format], { files: configured });
  assert.equal(code, 0);
  const documents = parseAllDocuments(out.join('\n')).map((each): unknown => each.toJS());
  const names = documents.map((each) => `${field(each, 'kind')}/${field(each, 'metadata', 'name')}`);
  assert.deepEqual(names, [...new Set(names)]);
  const read = readers[format];
  assert.ok(read !== undefined && documents.length > 0);
  return read(documents);
}

describe('exported policies', () => {
  it('agree with check on random objects', async () => {
    const samples = fc.sample(objects, { numRuns: 1000, seed: 47 });
    const files = samples.map((each, index) => [`objects/${index}.json`, JSON.stringify(each)] as const);
    const { json } = await runInMemory(['check', '--format', 'json', '--rule', 'label-policy', '.'], {
      files: { ...configured, ...Object.fromEntries(files) },
    });
    const found = list(field(json, 'diagnostics')).map((each) => field(each, 'file'));
    const faulty = new Set(found);
    assert.ok(faulty.size > 300 && faulty.size < 950, `${faulty.size} objects have findings`);
    for (const format of Object.keys(readers)) {
      const policies = await exported(format);
      assert.ok(policies.length > 4, format);
      const differing = samples.flatMap((each, index) => {
        const own = policies.filter(({ applies }) => applies(each));
        const isDenied = own.some(({ expressions }) => expressions.some((holds) => !holds(each)));
        return isDenied === faulty.has(`objects/${index}.json`) ? [] : [JSON.stringify(each)];
      });
      assert.deepEqual(differing.slice(0, 3), [], format);
    }
  });
});
