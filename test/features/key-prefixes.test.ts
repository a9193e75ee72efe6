/** Tests the hover of key prefixes (requirements A8, A9, T3, T4, C18, C19, C24). */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';

describe('hover on a key', () => {
  it('states that a key without a prefix is private, and which prefixes are reserved', async () => {
    const b = await bench(`
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: prices
        annotations:
          purpose: test
          # ^ private
          kubernetes.io/mine: a
          # ^ reserved
          foo.k8s.io/bar: a
          # ^ under
          foo.alpha.kubernetes.io/name: a
          # ^ alpha
          shop.example.com/mine: a
          # ^ own
    `);
    const described = (place: string) => b.hover(place).split('\n---\n')[1] ?? '';
    assert.equal(described('private'), '`purpose` has no prefix, so the key is private to the user.');
    assert.equal(
      described('reserved'),
      'The prefix `kubernetes.io` is reserved for Kubernetes, and this key is not documented. New keys of Kubernetes name their subsystem in the prefix, `subsystem.kubernetes.io`.',
    );
    assert.equal(
      described('under'),
      'Prefixes under `k8s.io` are reserved for Kubernetes projects. New keys prefer `kubernetes.io`.',
    );
    assert.equal(
      described('alpha'),
      "Prefixes under `kubernetes.io` are reserved for Kubernetes projects. A prefix that contains 'alpha' belongs to an old feature.",
    );
    assert.equal(b.hover('own'), '(none)');
  });

  it('recommends a prefix for keys that a kustomization adds', async () => {
    const b = await bench(`
      ==> kustomization.yaml <==
      apiVersion: kustomize.config.k8s.io/v1beta1
      kind: Kustomization
      commonLabels:
        team: blue
        # ^ key
    `);
    assert.match(b.hover('key'), /keys that automation adds should have a prefix/);
  });
});
