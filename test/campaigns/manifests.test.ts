/** Campaign over mutated manifests: 200,000 of them are parsed and checked, and none throws. */

import fc from 'fast-check';
import { generateFiles } from '../../bench/generate-workspace.ts';
import { bench } from '../harness/bench.ts';
import { readStories } from '../harness/folders.ts';
import { mutated } from '../harness/mutations.ts';
import { campaignRuns } from './scale.ts';

const stories = readStories().flatMap(({ files }) => files.map(({ text }) => text));
const texts = [...stories, ...generateFiles(100).map(({ text }) => text)];

describe('campaign: mutated manifests', () => {
  it('are parsed and checked without an exception', async () => {
    const { service } = await bench('==> a.yaml <==\nkind: Pod\n');
    const uri = 'file:///work/mutated.yaml';
    service.edit(uri, '');
    fc.assert(
      fc.property(mutated(texts), (text) => {
        service.edit(uri, text);
        service.findings(uri);
      }),
      { numRuns: campaignRuns(200_000), ignoreEqualValues: false },
    );
  });
});
