/** Tests what hovers and lenses say of kustomizations of which not everything is known. */
import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';

describe('a kustomization of which not everything is known', () => {
  it('names the reasons in the hover', async () => {
    const b = await bench(`
      ==> kustomization.yaml <==
      resources: [pod.yaml, https://git.example.com/shop.git]
      #^ here
      ==> pod.yaml <==
      {apiVersion: v1, kind: Pod, metadata: {name: web}}
    `);
    assert.equal(b.lenses('kustomization.yaml'), '1 : builds 1 or more objects');
    assert.match(
      b.hover('here') ?? '',
      /so there may be more objects\.\n- kustomization\.yaml includes '.*', which is not in the workspace/,
    );
  });

  it('claims nothing if no object is known', async () => {
    const b = await bench(`
      ==> kustomization.yaml <==
      apiVersion: kustomize.config.k8s.io/v1beta1
      kind: Kustomization
      #^ whole
      resources: [https://git.example.com/shop.git]
      patches:
      #^ patches
        - {target: {kind: Pod}, patch: "[{op: remove, path: /metadata/labels/a}]"}
    `);
    assert.equal(b.lenses('kustomization.yaml'), '2 : builds objects that are not in the indexed files');
    const why = /so there may be more objects\.\n- kustomization\.yaml includes '.*', which is not in the workspace/;
    assert.match(b.hover('whole'), why);
    assert.match(b.hover('patches'), why);
    assert.match(b.hover('patches'), /\nChanges no known object of this kustomization\.\n/);
  });

  it('names a reason of a component in a kustomization that includes it', async () => {
    const b = await bench(`
      ==> c/kustomization.yaml <==
      apiVersion: kustomize.config.k8s.io/v1alpha1
      kind: Component
      configMapGenerator:
      #^ here
        - {name: settings, literals: [a=b]}
      ==> staging/kustomization.yaml <==
      resources: [https://git.example.com/shop.git]
      components: [../c]
      ==> production/kustomization.yaml <==
      resources: [https://git.example.com/shop.git]
      components: [../c]
    `);
    assert.match(b.hover('here'), /\n- In production and 1 more: kustomization\.yaml includes '.*'/);
  });

  it('states that no kustomization includes a component', async () => {
    const b = await bench(`
      ==> c/kustomization.yaml <==
      apiVersion: kustomize.config.k8s.io/v1alpha1
      kind: Component
      #^ here
      resources: [pod.yaml]
      patches: [{patch: "{apiVersion: v1, kind: Service, metadata: {name: web}, spec: {clusterIP: None}}"}]
      ==> c/pod.yaml <==
      {apiVersion: v1, kind: Pod, metadata: {name: web}}
    `);
    assert.match(
      b.hover('here'),
      /\*\*Adds or changes\*\* \(1\)\n.*\n\nNo kustomization includes this component, so the objects that it changes are unknown\.$/,
    );
  });
});
