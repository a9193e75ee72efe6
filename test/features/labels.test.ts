/** Tests what completion and hovers show of the registry of labels. */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';

const fixture = (line: string) => `
  ==> .selector-lens.yaml <==
  labels:
    team:
      meaning: The team on call
      owner: platform
      values: [blue, red]
      required: { objects: [Service], pods: true }
      since: 2026-03-01
      replaces: [squad]
    cost-center: { pattern: "[0-9]{4}", selectable: false }
  ==> others.yaml <==
  {apiVersion: v1, kind: Pod, metadata: {name: b, labels: {team: blue}}}
  ---
  {apiVersion: apps/v1, kind: Deployment, metadata: {name: c}, spec: {template: {metadata: {labels: {team: blue}}}}}
  ---
  {apiVersion: v1, kind: ConfigMap, metadata: {name: d, labels: {team: red}}}
  ==> service.yaml <==
  apiVersion: v1
  kind: Service
  metadata:
    name: a
    labels:
${line}
`;

describe('the registry of labels', () => {
  it('is in the hover of a label', async () => {
    const b = await bench(fixture('      team: blue\n     #^ here'));
    assert.match(
      b.hover('here'),
      /The team on call\. Owner: platform\. Allowed values: 'blue', 'red'\. Required on Service and all pods since 2026-03-01\. Replaces 'squad'\./,
    );
  });

  it('offers required keys first, then described keys, with their meaning and users', async () => {
    const b = await bench(fixture('\n     #^ here'));
    const { items } = b.completions('here');
    const [team] = items;
    assert.deepEqual([team?.label, team?.description], ['team', 'required by the label policy']);
    assert.match(
      team?.documentation?.() ?? '',
      /^The team on call\.[\s\S]*On 2 pods and 1 other object in this workspace\.$/,
    );
    const cost = items.find(({ label }) => label === 'cost-center');
    assert.equal(cost?.description, 'described by the team');
    assert.match(cost?.documentation?.() ?? '', /Not allowed in selectors\./);
  });

  it('offers the allowed values with their users', async () => {
    const b = await bench(fixture('      team: \n      #     ^ here'));
    const { items } = b.completions('here');
    assert.deepEqual(
      items.slice(0, 2).map(({ label, description }) => [label, description]),
      [
        ['blue', 'allowed by the label policy'],
        ['red', 'allowed by the label policy'],
      ],
    );
    assert.equal(items[0]?.documentation?.(), '`team=blue` is on 2 pods in this workspace.');
    assert.equal(items[1]?.documentation?.(), '`team=red` is on 1 object in this workspace.');
  });
});
