/** Tests that the terms of a rendering include everything that selectors and labels in it may match. */

import assert from 'node:assert/strict';
import { labeledObjectsOf } from '../../server/src/manifests/label-sets.ts';
import { kindKey } from '../../server/src/workspace/index/file-outline.ts';
import { LazyBuiltIndex } from '../../server/src/workspace/kustomize/built-index.ts';
import { mayMatchSelector, maySelectLabels, termsOf } from '../../server/src/workspace/kustomize/rendering-terms.ts';
import { alternativesOf } from '../../server/src/workspace/selection/effective-selector.ts';
import { selectsInOwnNamespace } from '../../server/src/workspace/selection/own-namespace.ts';
import { bench } from '../harness/bench.ts';

const pod = (labels: string, namespace = 'shop') =>
  `{apiVersion: v1, kind: Pod, metadata: {name: a, namespace: ${namespace}, labels: {${labels}}}}`;
const workload = (kind: string, labels: string) =>
  `{apiVersion: ${kind === 'Job' ? 'batch' : 'apps'}/v1, kind: ${kind}, metadata: {name: a, namespace: shop}, spec: {selector: {matchLabels: {${labels}}}, template: {metadata: {labels: {${labels}}}}}}`;
const policy = (selector: string, namespace = 'shop') =>
  `{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {name: a, namespace: ${namespace}}, spec: {podSelector: {${selector}}}}`;
const peer = (selector: string) =>
  `{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {name: a, namespace: other}, spec: {podSelector: {matchLabels: {no: one}}, ingress: [{from: [{namespaceSelector: {}, podSelector: {${selector}}}]}]}}`;

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are variables of Flux.
const objects = [
  pod('app: web'),
  pod('app: web, tier: front', 'other'),
  pod('app: api', '"${where}"'),
  pod('app: "${app}"'),
  pod('"${key}": web'),
  pod(''),
  '{apiVersion: v1, kind: Pod, metadata: {name: a, labels: {app: web}}}',
  workload('Deployment', 'app: web'),
  workload('Job', 'app: web'),
  workload('Job', 'tier: front'),
  policy(''),
  policy('', 'other'),
  policy('', '"${where}"'),
  policy('matchLabels: {app: web}'),
  policy('matchLabels: {app: "${app}"}'),
  policy('matchLabels: {app: "${app}", tier: front}'),
  policy('matchExpressions: [{key: app, operator: NotIn, values: [web]}]'),
  policy('matchExpressions: [{key: app, operator: In, values: [web, api]}]'),
  policy('matchExpressions: [{key: pod-template-hash, operator: In, values: [a]}]'),
  policy('matchExpressions: [{key: tier, operator: Exists}]'),
  peer(''),
  peer('matchExpressions: [{key: app, operator: DoesNotExist}]'),
  peer('matchLabels: {app: api}'),
];
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: these are variables of Flux.

describe('the terms of a rendering', () => {
  it('include what each selector may match, and each selector that may match labels', async () => {
    const b = await bench(objects.map((each, at) => `==> ${at}.yaml <==\n${each}`).join('\n'));
    const files = objects.flatMap((_, at) => b.session.snapshot().files.get(b.uriOf(`${at}.yaml`)) ?? []);
    const renderings = files.map((file) => {
      const built = file.manifest.objects.map((object) => ({ file, object, written: true, transformers: [] }));
      const rendering = { objects: built } as unknown as Parameters<typeof termsOf>[0]; // termsOf uses only the objects
      return { index: new LazyBuiltIndex([file]), terms: termsOf(rendering, new Map()).terms };
    });
    let [found, omitted] = [0, 0];
    for (const object of files.flatMap(({ manifest }) => manifest.objects)) {
      const value = object.namespace?.value;
      const namespace = typeof value === 'string' ? value : undefined;
      for (const [at, { index, terms }] of renderings.entries()) {
        const other = files[at]?.manifest.objects[0]?.namespace?.value;
        const isApart = typeof other === 'string' && namespace !== undefined && other !== namespace;
        for (const site of object.selectorSites)
          for (const selector of alternativesOf(site)) {
            const isOwn = selectsInOwnNamespace(object, site);
            const matches = site.fact.targets.flatMap((each) => index.labeledObjects(kindKey(each), selector));
            const isFound = mayMatchSelector(terms, selector, isOwn ? namespace : undefined);
            // A controller may add labels to the pods of a Job; they alone are no evidence.
            const isEvident = matches.some(({ labelSet, answer }) => answer === 'yes' || !labelSet.open);
            if (isEvident && !(isOwn && isApart)) assert.ok(isFound, `${objects[at]} for ${JSON.stringify(selector)}`);
            if (isFound) found++;
            else omitted++;
          }
        for (const labeledObject of labeledObjectsOf(object)) {
          const selecting = [...index.selectors(kindKey(labeledObject.target), labeledObject)];
          const isFound = maySelectLabels(terms, labeledObject, kindKey(labeledObject.target), namespace);
          const isReached = selecting.some(({ id }) => {
            const owner = files[at]?.manifest.objects[id.object];
            const site = owner?.selectorSites[id.site];
            return !isApart || owner === undefined || site === undefined || !selectsInOwnNamespace(owner, site);
          });
          if (isReached) assert.ok(isFound, `${objects[at]} for ${JSON.stringify(labeledObject)}`);
          if (isFound) found++;
          else omitted++;
        }
      }
    }
    assert.ok(found > 100 && omitted > 100, `${found} found, ${omitted} omitted`);
  });
});
