/** Tests that API documents become proposed rows of the catalogue: a pretended next release, and a CustomResourceDefinition. */
import assert from 'node:assert/strict';
import { textsIn } from './catalogue/facts.ts';
import { updateCatalogue } from './catalogue-update.ts';
import { FACTS, generateCatalogue } from './generate-catalogue.ts';

const text = { type: 'string' };
const reference = (name: string) => ({ $ref: `#/definitions/${name}` });
const api = (name: string) => `io.k8s.api.${name}`;
const meta = (name: string) => `io.k8s.apimachinery.pkg.apis.meta.v1.${name}`;
const gvk = (group: string, version: string, kind: string) => ({
  'x-kubernetes-group-version-kind': [{ group, version, kind }],
});
const served = (group: string, version: string, kind: string) => ({
  get: { 'x-kubernetes-group-version-kind': { group, version, kind } },
});

/** A part of an OpenAPI document of a release with changes made for this test. */
const nextRelease = {
  swagger: '2.0',
  definitions: {
    [meta('ObjectMeta')]: { properties: { name: text } },
    [meta('LabelSelector')]: { properties: { matchLabels: {}, matchExpressions: {} } },
    [api('core.v1.LocalObjectReference')]: { properties: { name: text } },
    // A kind with a new version.
    [api('networking.v2.NetworkPolicy')]: {
      properties: { metadata: reference(meta('ObjectMeta')), spec: reference(api('networking.v2.NetworkPolicySpec')) },
      ...gvk('networking.k8s.io', 'v2', 'NetworkPolicy'),
    },
    [api('networking.v2.NetworkPolicySpec')]: {
      properties: { podSelector: reference(meta('LabelSelector')), exemptSelector: reference(meta('LabelSelector')) },
    },
    // A kind of which facts differ between versions.
    [api('policy.v2.PodDisruptionBudget')]: {
      properties: { metadata: reference(meta('ObjectMeta')), spec: {} },
      ...gvk('policy', 'v2', 'PodDisruptionBudget'),
    },
    // What the API server answers is no kind of objects.
    [meta('Status')]: { properties: { metadata: reference(meta('ListMeta')) }, ...gvk('', 'v1', 'Status') },
    [meta('ListMeta')]: { properties: {} },
    [api('apps.v1.Guard')]: {
      properties: { guardSelector: reference(meta('LabelSelector')), configMapName: text },
    },
    // A kind with a new field, and without an old one.
    [api('apps.v1.DeploymentStrategy')]: {
      properties: {
        type: text,
        canaryConfigMapName: text,
        pauseRef: { allOf: [reference(api('core.v1.LocalObjectReference'))] },
        zone: { description: 'This field is immutable.', ...text },
      },
    },
    [api('apps.v1.DeploymentSpec')]: {
      properties: {
        replicas: {},
        strategy: reference(api('apps.v1.DeploymentStrategy')),
        standbySelector: reference(meta('LabelSelector')),
        guards: { items: reference(api('apps.v1.Guard')) },
      },
    },
    [api('apps.v1.Deployment')]: {
      properties: { metadata: reference(meta('ObjectMeta')), spec: reference(api('apps.v1.DeploymentSpec')) },
      ...gvk('apps', 'v1', 'Deployment'),
    },
    // A new kind, and its list.
    [api('apps.v1.Bakery')]: {
      properties: { metadata: reference(meta('ObjectMeta')), selector: { additionalProperties: text } },
      ...gvk('apps', 'v1', 'Bakery'),
    },
    [api('apps.v1.BakeryList')]: { properties: { metadata: {}, items: {} }, ...gvk('apps', 'v1', 'BakeryList') },
  },
  paths: {
    '/apis/apps/v1/bakeries': served('apps', 'v1', 'Bakery'),
    '/apis/apps/v1/namespaces/{namespace}/bakeries': served('apps', 'v1', 'Bakery'),
  },
};

const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ovens.bakery.example.com}
spec:
  group: bakery.example.com
  scope: Cluster
  names: {kind: Oven, plural: ovens, shortNames: [ov]}
  versions:
    - name: v1beta1
      served: true
      schema:
        openAPIV3Schema:
          properties:
            metadata: {type: object}
            spec:
              properties:
                podSelector:
                  properties: {matchLabels: {type: object}, matchExpressions: {type: array}}
                secretName: {type: string}
                steps:
                  items:
                    properties:
                      nodeSelector: {additionalProperties: {type: string}}
    - {name: v1alpha1, served: false}
`;

const readText = textsIn(FACTS);
const update = (...documents: readonly string[]) => updateCatalogue(documents, 'crd-schemas', readText);

describe('the update of the catalogue', () => {
  it('proposes rows for a release, with reasons', () => {
    const { lines, problems } = update(JSON.stringify(nextRelease));
    assert.deepEqual(problems, []);
    const expected = [
      'kinds.jsonl: networking.k8s.io/NetworkPolicy: served in v2',
      'kinds.jsonl: apps/Bakery: a new kind, in v1',
      'structures.jsonl: networking.v2.NetworkPolicySpec: a new structure',
      'structures.jsonl: apps.v1.DeploymentStrategy: new fields: canaryConfigMapName, pauseRef, zone',
      'structures.jsonl: apps.v1.DeploymentSpec: new fields: guards, standbySelector',
      'selectors.jsonl: policy/PodDisruptionBudget spec.selector: assumed to hold in v2 as in v1',
      'selectors.jsonl: networking.k8s.io/NetworkPolicy spec.exemptSelector: a new selector; its meaning is unknown until a person has read the code',
      'selectors.jsonl: apps/Deployment spec.guards[].guardSelector: a new selector; its meaning is unknown until a person has read the code',
      'references.jsonl: apps/Deployment spec.guards[].configMapName: names a /ConfigMap',
      'kind-structures.jsonl: apps/Bakery v1: its fields are checked',
      'selectors.jsonl: apps/Deployment spec.standbySelector: a new selector; its meaning is unknown until a person has read the code',
      'selectors.jsonl: apps/Bakery selector: a new selector; its meaning is unknown until a person has read the code',
      'references.jsonl: apps/Deployment spec.strategy.canaryConfigMapName: names a /ConfigMap',
      'To decide: apps.v1.DeploymentStrategy.zone seems to be immutable: see immutable.jsonl.',
      'To decide: apps/Deployment spec.strategy.pauseRef.name names an object of an unknown kind: see references.jsonl.',
    ];
    for (const line of expected) assert.ok(lines.includes(line), `${line}\n\n${lines.join('\n')}`);
    assert.ok(lines.every((line) => !/BakeryList|Status/.test(line)));
    const kept = lines.filter((line) => line.startsWith('Kept while a supported release serves them: '));
    assert.equal(kept.length, 1);
    assert.match(kept.join(), /apps\/Deployment v1beta2 v1beta1, .*apps\.v1\.DeploymentStrategy\.rollingUpdate/);
  });

  it('writes rows that the catalogue accepts, as a diff', () => {
    const { patch, changed } = update(JSON.stringify(nextRelease));
    const generated = generateCatalogue((fileName) => changed.get(fileName) ?? readText(fileName));
    assert.deepEqual(generated.problems, []);
    assert.match(generated.text, /Bakery/);
    assert.match(patch, /^--- server\/catalogue\/kinds\.jsonl$/m);
    assert.match(patch, /^\+\{"kind":"apps\/Bakery","versions":\["v1"\],"scope":"namespaced","plural":"bakeries",/m);
    assert.match(patch, /^-\{"kind":"networking\.k8s\.io\/NetworkPolicy".*\n\+.*"versions":\["v2","v1"/m);
  });

  it('proposes rows for a CustomResourceDefinition', () => {
    const { lines, patch, problems } = update(definition);
    assert.deepEqual(problems, []);
    const kindOf = (line: string) => line.split(':').slice(0, 2).join(':');
    assert.deepEqual(lines.map(kindOf).toSorted(), [
      'kinds.jsonl: bakery.example.com/Oven',
      'references.jsonl: bakery.example.com/Oven spec.secretName',
      'selectors.jsonl: bakery.example.com/Oven spec.podSelector',
      'selectors.jsonl: bakery.example.com/Oven spec.steps[].nodeSelector',
    ]);
    assert.match(patch, /"versions":\["v1beta1"\],"scope":"cluster","shortNames":\["ov"\]/);
  });

  it('proposes nothing for what the catalogue contains', () => {
    const { changed } = update(JSON.stringify(nextRelease), definition);
    const again = updateCatalogue(
      [JSON.stringify(nextRelease), definition],
      'crd-schemas',
      (fileName) => changed.get(fileName) ?? readText(fileName),
    );
    assert.deepEqual([again.patch, again.lines.filter((line) => !/^(?:To decide|Kept)/.test(line))], ['', []]);
  });
});
