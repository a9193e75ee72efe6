/** Names that are known: finalizers, the Service of an EndpointSlice, the same object elsewhere (requirements N-1, O2, O11). */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';

describe('a finalizer', () => {
  it('is explained and offered', async () => {
    const b = await bench(`
      apiVersion: v1
      kind: PersistentVolume
      metadata:
        name: disk
        finalizers:
          - kubernetes.io/pv-protection
          # ^ known
          - kube
          #     ^ typed
    `);
    assert.equal(
      b.hover('known'),
      'kubernetes.io/pv-protection\n---\nA PersistentVolume is not deleted while a PersistentVolumeClaim is bound to it.',
    );
    assert.ok(b.completion('typed').includes('- kubernetes.io/pv-protection'), b.completion('typed').join('\n'));
  });
});

describe('the name of a Service in the label of an EndpointSlice', () => {
  it('leads to the Service', async () => {
    const b = await bench(`
      ==> service.yaml <==
      apiVersion: v1
      kind: Service
      metadata: {name: external, namespace: shop}
      ==> slice.yaml <==
      apiVersion: discovery.k8s.io/v1
      kind: EndpointSlice
      metadata:
        name: external-1
        namespace: shop
        labels: {kubernetes.io/service-name: external}
        #                                    ^ name
    `);
    assert.equal(b.definition('name'), 'service.yaml:3 external');
  });
});

describe('the name of an object', () => {
  it('shows the other definitions of an object', async () => {
    const b = await bench(`
      ==> a.yaml <==
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: prices, namespace: shop}
      #                ^ name
      ==> b.yaml <==
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: prices, namespace: shop}
      ==> c.yaml <==
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: prices, namespace: other}
    `);
    assert.match(b.hover('name'), /\*\*The same object in other files\*\* \(1\)\n- \[ConfigMap\/prices\].* b\.yaml:3/);
  });
});
