/** Tests that the matches of a selector that is too large to be evaluated are unknown in every command. */

import assert from 'node:assert/strict';
import { runInMemory } from './memory-world.ts';
import { review } from './review-world.ts';

const values = Array.from({ length: 5_001 }, (_, at) => `v${at}`).join(', ');
const budget = `apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: p}\nspec: {maxUnavailable: 1, selector: {matchExpressions: [{key: tier, operator: In, values: [${values}]}]}}\n`;
const keys = Array.from({ length: 5_001 }, (_, at) => `k${at}: v`).join(', ');
const service = `apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {selector: {${keys}}}\n`;
const workload = (tier: string) =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: w}\nspec: {selector: {matchLabels: {app: w}}, template: {metadata: {labels: {app: w, tier: ${tier}}}, spec: {containers: [{name: w, image: w}]}}}\n`;
const before = { 'p.yaml': budget, 's.yaml': service, 'w.yaml': workload('v1') };
const after = { ...before, 'w.yaml': workload('other') };

describe('a selector that is too large to be evaluated', () => {
  it('may match every object', async () => {
    for (const name of ['PodDisruptionBudget/p', 'Service/s']) {
      const { out } = await runInMemory(['match', '--object', name], { files: before });
      assert.match(out.join('\n'), /Its matches are unknown/, name);
    }
    const { out } = await runInMemory(['who-selects', 'Deployment/w'], { files: before });
    assert.match(out.join('\n'), /PodDisruptionBudget\/p.*too many keys and values/);
    assert.match(out.join('\n'), /Service\/s.*too many keys and values/);
  });

  it('refuses a rename of a label that it may use', async () => {
    const words = ['rename-plan', '--object', 'Deployment/w', '--label', 'tier', '--to', 'level', '--format', 'json'];
    const { json } = await runInMemory(words, { files: { 'p.yaml': budget, 'w.yaml': workload('v1') } });
    const { refused } = json as { readonly refused?: string };
    assert.match(refused ?? '', /^A selector of PodDisruptionBudget\/p has too many keys and values/);
  });

  it('leaves comparisons incomplete', async () => {
    const not =
      /Selectors with more than 5,000 keys, values and lists are not evaluated: PodDisruptionBudget\/p and Service\/s\./;
    const reviewed = await review(before, after, '--fail-on', 'incomplete');
    assert.equal(reviewed.code, 1);
    assert.match(reviewed.out.join('\n'), not);
    const proposal = JSON.stringify({ files: [{ path: 'w.yaml', text: workload('other') }] });
    const files = { ...before, 'proposal.json': proposal };
    const { json, err } = await runInMemory(['impact', 'proposal.json', '--format', 'json'], { files });
    assert.equal((json as { readonly complete: boolean }).complete, false);
    assert.match(err.join('\n'), not);
  });
});
