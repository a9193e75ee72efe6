/** Tests features in kustomizations: the origin of labels, and the active overlay. */
import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';
import { lines } from '../harness/margin.ts';

const shop = `
  ==> base/kustomization.yaml <==
  resources: [web.yaml]
  ==> base/web.yaml <==
  apiVersion: v1
  kind: Service
  metadata: {name: web}
  spec:
    selector: {app: web}
    #          ^ here
  ---
  apiVersion: apps/v1
  kind: Deployment
  metadata: {name: web}
  spec:
    selector: {matchLabels: {app: web}}
    template:
      metadata:
        labels: {app: web}
  ==> overlays/dev/kustomization.yaml <==
  resources: [../../base]
  labels:
    - pairs: {env: dev}
      includeSelectors: true
  ==> overlays/prod/kustomization.yaml <==
  resources: [../../base]
  namePrefix: prod-
  patches:
    - target: {kind: Deployment}
      patch: |-
        - {op: replace, path: /spec/template/metadata/labels/app, value: api}
`;

describe('a file of a base', () => {
  it('is evaluated for one overlay, with the files that add labels', async () => {
    const b = await bench(shop);
    b.session.choose({ perspective: { selected: [b.uriOf('overlays/dev')] } });
    const hover = b.hover('here');
    assert.match(hover, /In dev, it also requires `env` from \[\.\.\/overlays\/dev\/kustomization\.yaml\]\(/);
    assert.match(hover, /\*\*Matches in dev\*\* \(1\)\n- \[Deployment\/web\].*`env` from \[\.\.\/overlays\/dev/);
    assert.match(hover, /\*\*In prod\*\*: nothing matches\./);
  });

  it('is evaluated for production if no overlay is selected', async () => {
    const b = await bench(shop);
    assert.match(b.hover('here'), /\*\*Matches nothing in prod\*\*\.[\s\S]*In dev/);
    assert.match(b.hover('here'), /\*\*In dev\*\*: 1 match\./);
  });

  it('names the overlay in which an object selects the listed objects', async () => {
    const b = await bench(shop.replace('kind: Service', 'kind: Service\n  #     ^ kind'));
    b.session.choose({ perspective: { selected: [b.uriOf('overlays/dev')] } });
    assert.match(b.hover('kind'), /\*\*Selects in dev\*\* \(1\)\n- \[Deployment\/web\]/);
  });

  it('has the other selectors of the overlay whose matches are listed', async () => {
    const budget = (name: string) =>
      `{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: ${name}}, spec: {selector: {matchLabels: {app: web}}}}`;
    const b = await bench(
      shop
        .replace('resources: [../../base]', 'resources: [../../base, budget.yaml]')
        .replace('==> overlays/prod', `==> overlays/dev/budget.yaml <==\n  ${budget('dev')}\n  ==> overlays/prod`)
        .replace('value: api', 'value: web'),
    );
    b.session.choose({ perspective: { selected: [b.uriOf('overlays/dev')] } });
    assert.match(
      b.hover('here'),
      /\*\*Other selectors for the same Pods in dev\*\* \(1\)\n- \[PodDisruptionBudget\/dev\]/,
    );
    b.session.choose({ perspective: { selected: [b.uriOf('overlays/prod')] } });
    assert.doesNotMatch(b.hover('here'), /Other selectors/);
  });

  it('has findings that name their overlays', async () => {
    const b = await bench(shop);
    const described = b.findings('base/web.yaml').map(({ rule, message }) => `${rule}: ${message}`);
    assert.equal(
      described.join('\n'),
      lines(`
        selects-nothing: This selector matches no object in its scope. Closest: Deployment/prod-web (has app=api, but the selector wants app=web). In prod, through kustomization.yaml.
        selector-template-mismatch: The selector wants app=web, but the pod template has app=api; the API server rejects this. In prod, through kustomization.yaml.
      `),
    );
  });
});

describe('a kustomization that another one includes', () => {
  it('states which repository it includes', async () => {
    const b = await bench(`
      ==> root/kustomization.yaml <==
      resources: [../part]
      ==> part/kustomization.yaml <==
      resources: [https://github.com/example/parts/config?ref=v1, web.yaml]
      # ^ resources
      ==> part/web.yaml <==
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: web}
    `);
    assert.match(
      b.hover('resources'),
      /there may be more objects\.\n- `https:\/\/github\.com\/example\/parts\/config\?ref=v1` is not in the workspace\./,
    );
  });
});
