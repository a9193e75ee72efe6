/** Workloads and policies as documents, and the answers of reach about them. */

import assert from 'node:assert/strict';
import { lines } from '../harness/margin.ts';
import { runInMemory } from './memory-world.ts';

export const workload = (name: string, namespace = 'shop') =>
  lines(`
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: ${name}, namespace: ${namespace}}
    spec:
      selector: {matchLabels: {app: ${name}}}
      template:
        metadata: {labels: {app: ${name}}}
        spec: {containers: [{name: main, image: example, ports: [{containerPort: 80}]}]}
  `);

export const isolating = lines(`
  apiVersion: networking.k8s.io/v1
  kind: NetworkPolicy
  metadata: {name: db, namespace: shop}
  spec: {podSelector: {matchLabels: {app: db}}, policyTypes: [Ingress]}
`);

export const policy = (type: string, spec: string, namespace = 'shop') => {
  const at = type.lastIndexOf('/');
  return `apiVersion: ${type.slice(0, at)}\nkind: ${type.slice(at + 1)}\nmetadata: {name: other, namespace: ${namespace}}\nspec: ${spec}\n`;
};

export interface Answer {
  readonly allowed: boolean;
  readonly unknown?: boolean;
  readonly reasons: readonly string[];
}

export function answerText({ allowed, unknown }: Answer): string {
  return unknown ? 'unknown' : allowed ? 'allowed' : 'denied';
}

export async function asked(from: string, to: string, documents: readonly string[], protocol = 'TCP'): Promise<Answer> {
  const files = Object.fromEntries(documents.map((text, index) => [`${index}.yaml`, text]));
  const words = ['reach', from, to, '--port', '80', '--protocol', protocol, '--format', 'json'];
  const { code, json, err } = await runInMemory(words, { files });
  assert.equal(code, 0, err.join('\n'));
  return json as Answer;
}

export const calicoRule = (rule: string) => `{selector: all(), order: 1, ingress: [{${rule}}]}`;
