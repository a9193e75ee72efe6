/** Tests that commands other than `check` report the scopes that exceed a limit of the analysis. */

import assert from 'node:assert/strict';
import { maximumLevels } from '../../server/src/workspace/kustomize/build-limits.ts';
import { runInMemory } from './memory-world.ts';

const service = 'apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {selector: {app: web}}\n';
const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: p, labels: {app: web}}\n';

/** A chain of bases, the first of which exceeds the limit of levels. */
const files: Readonly<Record<string, string>> = {
  'o0/kustomization.yaml': 'resources: [../o1]\nlabels: [{pairs: {app: other}}]\n',
  ...Object.fromEntries(
    Array.from({ length: maximumLevels + 2 }, (_, n) => [
      `o${n + 1}/kustomization.yaml`,
      `resources: [../o${n + 2}]\n`,
    ]),
  ),
  [`o${maximumLevels + 3}/kustomization.yaml`]: 'resources: [a.yaml]\n',
  [`o${maximumLevels + 3}/a.yaml`]: `${service}---\n${pod}`,
};

describe('a kustomization that exceeds a limit', () => {
  for (const words of [
    ['match', '--object', 'Service/s'],
    ['match', '-l', 'app=web'],
    ['who-selects', '--object', 'Pod/p'],
    ['uses', 'Pod/p'],
    ['objects'],
    ['labels'],
  ])
    it(`is reported by ${words.join(' ')}`, async () => {
      const { err } = await runInMemory(words, { files });
      assert.match(err.join('\n'), /o0 exceeds a limit of the analysis, so its objects are known only as written/);
    });
});
