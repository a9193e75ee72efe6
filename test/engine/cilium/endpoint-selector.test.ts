/** Tests selectors of Cilium with vectors. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { matchesEndpoint, matchesIdentity, parseEndpointSelector } from '../../../server/src/engine/index.ts';

interface Vector {
  readonly id: string;
  readonly place: 'endpointSelector' | 'fromEndpoints';
  readonly clusterwide: boolean;
  readonly policyNamespace: string;
  readonly selector: unknown;
  readonly pod: {
    readonly namespace: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly namespaceLabels: Readonly<Record<string, string>> | null;
    readonly serviceAccount?: string;
    readonly hostNetwork?: boolean;
  };
  readonly verdict: string;
}

const verdicts = { yes: 'yes', no: 'no', maybe: 'unknown' } as const;

function verdictOf({ place, clusterwide, policyNamespace, selector, pod }: Vector): string {
  const field = place === 'endpointSelector' ? place : 'peer';
  const read = parseEndpointSelector(selector, { field, namespace: clusterwide ? undefined : policyNamespace });
  if (!read.ok) return 'invalid';
  if (pod.hostNetwork && field === 'endpointSelector') return 'no';
  const name = { 'kubernetes.io/metadata.name': pod.namespace };
  return verdicts[
    matchesEndpoint(read.value, {
      namespace: pod.namespace,
      labels: { labels: pod.labels },
      namespaceLabels:
        pod.namespaceLabels === null ? { labels: name, open: true } : { labels: { ...pod.namespaceLabels, ...name } },
      serviceAccount: pod.serviceAccount,
    })
  ];
}

describe('selectors of Cilium', () => {
  it('agree with the vectors', () => {
    const lines = readFileSync(new URL('../../vectors/cilium-selectors.jsonl', import.meta.url), 'utf8');
    const vectors: readonly Vector[] = lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.equal(vectors.length, 80);
    for (const vector of vectors) assert.equal(verdictOf(vector), vector.verdict, vector.id);
  });

  it('may match addresses that have no namespace, depending on the version', () => {
    const answer = (key: string, operator: string) => {
      const selector = { matchExpressions: [{ key, operator, ...(operator === 'NotIn' && { values: ['dev'] }) }] };
      const read = parseEndpointSelector(selector, { field: 'peer', namespace: 'shop' });
      assert.ok(read.ok);
      return matchesIdentity(read.value, 'address');
    };
    assert.equal(answer('k8s:io.kubernetes.pod.namespace', 'NotIn'), 'maybe');
    assert.equal(answer('io.kubernetes.pod.namespace', 'DoesNotExist'), 'maybe');
    assert.equal(answer('k8s:app', 'NotIn'), 'no');
    assert.equal(answer('reserved:host', 'DoesNotExist'), 'yes');
  });
});
