/** Tests that a rename keeps every match in random workspaces. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { checkSomeRename } from '../harness/random-renames.ts';

const folder = 'file:///shop';
const keys = ['app', 'tier'];
const values = ['a', 'b', 'c'];

const labels = fc.dictionary(fc.constantFrom(...keys), fc.constantFrom(...values), { maxKeys: 2 });
const expression = fc.oneof(
  fc.record({
    key: fc.constantFrom(...keys),
    operator: fc.constantFrom('In', 'NotIn'),
    values: fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 2 }),
  }),
  fc.record({ key: fc.constantFrom(...keys), operator: fc.constantFrom('Exists', 'DoesNotExist') }),
);
const labelSelector = fc.record(
  { matchLabels: labels, matchExpressions: fc.array(expression, { maxLength: 2 }) },
  { requiredKeys: [] },
);

interface Made {
  readonly apiVersion: string;
  readonly kind: string;
  readonly own: object;
  readonly spec?: object;
}

const objects: fc.Arbitrary<Made> = fc.oneof(
  labels.map((own) => ({ apiVersion: 'v1', kind: 'Pod', own })),
  fc.tuple(labels, labels).map(([own, selector]) => ({ apiVersion: 'v1', kind: 'Service', own, spec: { selector } })),
  fc.tuple(labels, labelSelector).map(([own, podSelector]) => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    own,
    spec: { podSelector },
  })),
  fc.tuple(labels, labelSelector, labels).map(([own, selector, made]) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    own,
    spec: { selector, template: { metadata: { labels: made } } },
  })),
  fc.tuple(labels, labelSelector).map(([own, selector]) => ({
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'ServiceMonitor',
    own,
    spec: { selector },
  })),
);

const workspaces = fc.array(
  fc.record({
    object: objects,
    namespace: fc.constantFrom(undefined, 'one', 'two'),
    file: fc.constantFrom('all.yaml', 'more.yaml', 'deep/some.yaml', 'far/away/other.yaml'),
  }),
  { minLength: 2, maxLength: 8 },
);

/** Several objects per file, each on a separate line, since JSON is YAML. */
function textsOf(made: typeof workspaces extends fc.Arbitrary<infer T> ? T : never): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const [number, { object, namespace, file }] of made.entries()) {
    const { apiVersion, kind, own, spec } = object;
    const metadata = { name: `made-${number}`, namespace, labels: own };
    const uri = `${folder}/${file}`;
    const text = JSON.stringify({ apiVersion, kind, metadata, spec });
    texts.set(uri, `${texts.get(uri) ?? ''}---\n${text}\n`);
  }
  return texts;
}

describe('a rename in any workspace', () => {
  it('to a new name is possible, and preserves every match unless it is rejected', async () => {
    let made = 0;
    const property = fc.asyncProperty(
      workspaces,
      fc.nat(),
      fc.constantFrom('new', 'a', 'b'),
      async (given, which, to) => {
        const isMade = await checkSomeRename(textsOf(given), folder, which, to);
        if (isMade === undefined) return;
        if (to === 'new') assert.ok(isMade, 'a new name collides with nothing');
        if (isMade) made++;
      },
    );
    await fc.assert(property, { numRuns: 300 });
    assert.ok(made > 100, `${made} renames were made`);
  });
});
