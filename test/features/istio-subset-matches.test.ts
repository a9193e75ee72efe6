/** Tests that a subset of a DestinationRule matches only pods of the Service that is its host. */

import assert from 'node:assert/strict';
import { runInMemory } from '../cli/memory-world.ts';

const workload = (name: string, namespace: string) => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, namespace: ${namespace}}
spec:
  selector: {matchLabels: {app: ${name}}}
  template: {metadata: {labels: {app: ${name}, version: v1}}, spec: {containers: []}}
---
`;
const service =
  'apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: shop}\nspec: {selector: {app: web}}\n---\n';
const workloads = `${workload('web', 'shop')}${workload('cart', 'shop')}${workload('web', 'pay')}`;
const rule = (host: string) => `apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata: {name: web, namespace: shop}
spec: {host: ${host}, subsets: [{name: v1, labels: {version: v1}}]}
`;

interface Answer {
  readonly selectors: readonly {
    readonly matches: readonly { readonly name: string; readonly namespace: string; readonly answer: string }[];
  }[];
}

async function matchesOf(text: string, others: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  const { json } = await runInMemory(['match', '--object', 'DestinationRule/web', '--format', 'json'], {
    files: { 'all.yaml': text, ...others },
  });
  const [first] = (json as Answer).selectors;
  return (first?.matches ?? []).map(({ name, namespace, answer }) => `${namespace}/${name} ${answer}`);
}

describe('a subset of a DestinationRule', () => {
  for (const host of ['web', 'web.shop', 'web.shop.svc.cluster.local'])
    it(`matches the pods of the Service ${host}`, async () => {
      assert.deepEqual(await matchesOf(`${service}${workloads}${rule(host)}`), ['shop/web yes']);
    });

  it('may match all pods if its host is not in the files', async () => {
    const all = ['shop/cart maybe', 'shop/web maybe'];
    const found = await matchesOf(`${workloads}${rule('web')}`);
    assert.deepEqual(found.filter((each) => each.startsWith('shop')).toSorted(), all);
  });

  it('matches the pods of a Service that several files declare, if they agree', async () => {
    const same = { 'ipv4.yaml': service, 'ipv6.yaml': service };
    assert.deepEqual(await matchesOf(`${workloads}${rule('web')}`, same), ['shop/web yes']);
    const different = { ...same, 'cart.yaml': service.replace('app: web', 'app: cart') };
    assert.deepEqual((await matchesOf(`${workloads}${rule('web')}`, different)).toSorted(), [
      'shop/cart maybe',
      'shop/web maybe',
    ]);
  });

  it('matches the pods of its own host beside an equal subset of another host', async () => {
    const cart = service.replaceAll('web', 'cart');
    const second = rule('cart').replace('{name: web,', '{name: cart,');
    assert.deepEqual(await matchesOf(`${service}${cart}${workloads}${rule('web')}---\n${second}`), ['shop/web yes']);
    const [first, last] = [rule('cart'), rule('web').replace('{name: web,', '{name: cart,')];
    assert.deepEqual(await matchesOf(`${service}${cart}${workloads}${last}---\n${first}`), ['shop/cart yes']);
  });
});
