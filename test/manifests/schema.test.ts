/** Tests the facts that are derived from the schema in a definition of a kind. */

import assert from 'node:assert/strict';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { readManifest } from '../../server/src/manifests/parse-manifest.ts';

const selector = {
  type: 'object',
  properties: {
    matchLabels: { type: 'object', additionalProperties: { type: 'string' } },
    matchExpressions: {
      type: 'array',
      items: { type: 'object', properties: { key: { type: 'string' }, operator: { type: 'string' } } },
    },
  },
};

const template = {
  type: 'object',
  properties: {
    metadata: { type: 'object' },
    spec: { type: 'object', properties: { containers: { type: 'array', items: {} }, affinity: selector } },
  },
};

const list = (items: object) => ({ type: 'array', items });
const values = (additionalProperties: object) => ({ type: 'object', additionalProperties });
const map = (properties: object) => ({ type: 'object', properties });

function definition(spec: object, more: object = {}, kind = 'Widget', group = 'example.com'): string {
  const version = {
    name: 'v1',
    schema: { openAPIV3Schema: map({ metadata: selector, status: map({ selector }), spec }) },
  };
  return JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group,
      scope: 'Cluster',
      names: { kind, plural: 'widgetry', shortNames: ['wi'] },
      versions: [version],
      ...more,
    },
  });
}

function taught(text: string) {
  return readManifest(text, catalogue).objects[0]?.defines?.teaches;
}

describe('a definition', () => {
  it('provides the paths of selectors and pod templates, and the names of its objects', () => {
    const spec = map({
      chooser: selector,
      peers: list(map({ pods: selector, names: list({ type: 'string' }) })),
      byName: values(list(map({ template }))),
      'with.dot': selector,
    });
    assert.deepEqual(taught(definition(spec)), {
      group: 'example.com',
      kind: 'Widget',
      namespaced: false,
      plural: 'widgetry',
      shortNames: ['wi'],
      selectors: ['spec.byName.*[].template.spec.affinity', 'spec.chooser', 'spec.peers[].pods'],
      templates: ['spec.byName.*[].template'],
    });
  });

  it('of the old version is for a namespaced kind if its scope is empty or absent', () => {
    const scopeOf = (scope: unknown, version: string) =>
      taught(definition(map({}), { scope }).replace('apiextensions.k8s.io/v1', `apiextensions.k8s.io/${version}`))
        ?.namespaced;
    for (const scope of [undefined, null, '']) {
      assert.equal(scopeOf(scope, 'v1beta1'), true);
      assert.equal(scopeOf(scope, 'v1'), undefined);
    }
    assert.equal(scopeOf('Cluster', 'v1beta1'), false);
    assert.equal(scopeOf('{{ .Values.scope }}', 'v1beta1'), undefined);
  });

  it('of the old version provides them as well', () => {
    const schema = { openAPIV3Schema: map({ spec: map({ chooser: selector }) }) };
    assert.deepEqual(taught(definition({}, { versions: undefined, validation: schema }))?.selectors, ['spec.chooser']);
  });

  for (const [what, schema] of [
    ['a map of whatever', map({ matchLabels: values({ type: 'object' }) })],
    ['expressions of another shape', map({ matchExpressions: list({ type: 'string' }) })],
    ['a spec of its own with containers, but nothing around it', map({ containers: list({}) })],
    ['no schema', { $ref: '#/nowhere' }],
    ['a text', 'matchLabels'],
  ] as const) {
    it(`does not infer more from ${what}`, () => {
      const { selectors, templates } = taught(definition(map({ field: schema }))) ?? assert.fail();
      assert.deepEqual([selectors, templates], [[], []]);
    });
  }

  it('adds nothing to a kind of the catalogue', () => {
    assert.equal(taught(definition(map({ chooser: selector }), {}, 'NetworkPolicy', 'networking.k8s.io')), undefined);
  });

  it('is left out with a document whose aliases expand too far', () => {
    const levels = Array.from({ length: 30 }, (_, n) => {
      const below = n === 0 ? '{ type: string }' : `*s${n - 1}`;
      return `  s${n}: &s${n} { properties: { a: ${below}, b: ${below}, c: ${below} } }`;
    });
    const text = [
      'apiVersion: apiextensions.k8s.io/v1',
      'kind: CustomResourceDefinition',
      'x:',
      ...levels,
      'spec:',
      '  group: example.com',
      '  names: { kind: Widget }',
      '  versions: [{ schema: { openAPIV3Schema: *s29 } }]',
    ].join('\n');
    assert.equal(taught(text), undefined);
  });
});
