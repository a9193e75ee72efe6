/** Tests that `check --show-settings` shows the effective configuration of a file, and the file that sets each value. */

import assert from 'node:assert/strict';
import { lines } from '../harness/margin.ts';
import { goodPrices } from './manifests.ts';
import { runInMemory } from './memory-world.ts';

const files = {
  '.selector-lens.yaml': lines(`
    kubernetesVersion: "1.36"
    level: essential
    rules:
      selects-nothing: error
      label-key-style: warning
  `),
  'apps/.selector-lens.yaml': lines(`
    extends: ../.selector-lens.yaml
    level: strict
    rules: {selects-nothing: hint}
    overrides:
      - objects: [Service/web]
        rules: {selects-too-much: off}
      - files: [old/**]
        rules: {duplicate-key: off}
  `),
  'apps/prices.yaml': goodPrices,
  'apps/old/prices.yaml': goodPrices,
};

const shown = async (...words: readonly string[]) => {
  const { code, out, err } = await runInMemory(['check', '--show-settings', ...words], { files });
  assert.deepEqual([code, err], [0, []]);
  return out;
};

describe('check --show-settings', () => {
  it('names the configuration that sets each value', async () => {
    assert.deepEqual(await shown('apps/prices.yaml'), [
      '# apps/prices.yaml: the configuration is apps/.selector-lens.yaml, which extends .selector-lens.yaml',
      'level: strict  # apps/.selector-lens.yaml',
      'kubernetesVersion: "1.36"  # .selector-lens.yaml',
      'rules:',
      '  label-key-style: warning  # .selector-lens.yaml',
      '  selects-nothing: hint  # apps/.selector-lens.yaml',
      '  selects-too-much: default  # apps/.selector-lens.yaml, with other severities for some objects',
    ]);
  });

  it('considers the overrides for the file, and the level of the command line', async () => {
    const out = await shown('apps/old/prices.yaml', '--level', 'default');
    assert.ok(out.includes('level: default  # --level'), out.join('\n'));
    assert.ok(out.includes('  duplicate-key: off  # apps/.selector-lens.yaml'), out.join('\n'));
  });

  it('states that no configuration applies', async () => {
    const { out } = await runInMemory(['check', '--show-settings', 'a.yaml'], { files: { 'a.yaml': goodPrices } });
    assert.deepEqual(out, ['# a.yaml: no configuration applies', 'level: default  # the default']);
  });
});
