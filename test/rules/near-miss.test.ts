/** Tests the description of the closest object of a selector that matches nothing. */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';

/** The findings about a budget next to a Deployment with the label `tier: front` and pods with the given labels. */
async function findings(requirements: string, labels: string) {
  const b = await bench(`
    ==> shop.yaml <==
    apiVersion: policy/v1
    kind: PodDisruptionBudget
    metadata: {name: front}
    spec: {minAvailable: 1, selector: {matchExpressions: [${requirements}]}}
    ---
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: web, labels: {tier: front}}
    spec:
      selector: {matchLabels: {app: web}}
      template: {metadata: {labels: {app: web, ${labels}}}, spec: {containers: []}}
    ---
    apiVersion: v1
    kind: Service
    metadata: {name: web}
    spec: {selector: {app: web}, ports: [{port: 80}]}
  `);
  const found = b.findings('shop.yaml').filter(({ rule }) => rule === 'selects-nothing');
  return found.map(({ severity, message, fixes }) => [
    severity,
    message,
    ...(fixes?.() ?? []).map(({ title }) => title),
  ]);
}

const nothing = 'This selector matches no object in its scope.';
const front = '{key: tier, operator: In, values: [front]}';

describe('the closest object of a selector', () => {
  it('lacks labels that are on the workload itself', async () => {
    assert.deepEqual(await findings(`${front}, {key: region, operator: NotIn, values: [us]}`, 'region: eu'), [
      [
        'warning',
        `${nothing} Closest: Deployment/web (the labels are on the object itself, not in \`spec.template\`).`,
        "Add 'tier: front' to the labels of `spec.template`",
      ],
    ]);
  });

  it('has a label that the selector excludes, although the labels of the workload match', async () => {
    assert.deepEqual(
      await findings(`${front}, {key: region, operator: NotIn, values: [us]}`, 'tier: front, region: us'),
      [['hint', `${nothing} Closest: Deployment/web (\`region\` is 'us', but the selector excludes 'us').`]],
    );
    assert.deepEqual(await findings(`${front}, {key: region, operator: DoesNotExist}`, 'tier: front, region: us'), [
      [
        'hint',
        `${nothing} Closest: Deployment/web (\`region\` is 'us', but the selector wants the label to be absent).`,
      ],
    ]);
  });

  it('is not reported as a misplaced label if the pods also have a label that the selector excludes', async () => {
    assert.deepEqual(await findings(`${front}, {key: region, operator: NotIn, values: [us]}`, 'region: us'), []);
  });
});
