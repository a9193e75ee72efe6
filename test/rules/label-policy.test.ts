/** Tests that a configured label policy enables its rule (requirement D11). */

import assert from 'node:assert/strict';
import type { Settings } from '../../server/src/settings/settings.ts';
import { bench } from '../harness/bench.ts';

const fixture = `
  apiVersion: v1
  kind: ConfigMap
  metadata:
    name: prices
    labels:
      team: green
`;

const labelPolicy = [{ key: 'team', values: ['blue', 'red'] }];

async function severities(text: string, settings: Partial<Settings>): Promise<readonly string[]> {
  const b = await bench(text, { settings });
  return b.findings('manifest.yaml').map((finding) => `${finding.rule} ${finding.severity}`);
}

describe('label-policy', () => {
  it('is silent without a policy, and otherwise warns', async () => {
    assert.deepEqual(await severities(fixture, {}), []);
    assert.deepEqual(await severities(fixture, { labelPolicy }), ['label-policy warning']);
  });

  it('has the configured severity', async () => {
    assert.deepEqual(await severities(fixture, { labelPolicy, rules: { 'label-policy': 'error' } }), [
      'label-policy error',
    ]);
    assert.deepEqual(await severities(fixture, { labelPolicy, rules: { 'label-policy': 'off' } }), []);
  });

  it('requires nothing of external objects', async () => {
    const files = `
      ==> .selector-lens.yaml <==
      externals:
        - { kind: Deployment, name: dns, labels: { app: Dns, Other_Key: x } }
      ==> manifest.yaml <==
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: prices
    `;
    const rules = {
      'recommended-labels': 'warning',
      'legacy-labels': 'warning',
      'label-key-style': 'warning',
    } as const;
    const settings = { rules, labelPolicy: [{ key: 'team', required: true }] };
    const b = await bench(files, { settings });
    assert.deepEqual(b.findings('.selector-lens.yaml'), []);
    assert.deepEqual(
      b.findings('manifest.yaml').map(({ rule }) => rule),
      ['label-policy'],
    );
  });

  it('prefers the configuration of the team to the settings of the editor', async () => {
    const files = `
      ==> .selector-lens.yaml <==
      labelPolicy:
        - { key: team, values: [green] }
        - { key: floor, required: true }
      ==> manifest.yaml <==
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: prices
        labels:
          team: green
    `;
    const b = await bench(files, { settings: { labelPolicy } });
    const messages = b.findings('manifest.yaml').map((finding) => finding.message);
    assert.deepEqual(messages, ["ConfigMap/prices has no label 'floor'; the label policy requires it."]);
  });
});
