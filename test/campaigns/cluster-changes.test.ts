/** Tests that `impact` and `diff` list exactly the matches between GitOps objects by which the answers of `match` and `who-selects` differ. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { checkChanges } from '../cli/cluster-answers.ts';
import { type Choices, choices, filesOf } from '../cli/cluster-choices.ts';
import { campaignRuns } from './scale.ts';

describe('the changes of matches between GitOps objects', () => {
  it('are the differences of the answers of match and who-selects', async () => {
    const numRuns = campaignRuns(500);
    let found = 0;
    const pair = fc.tuple(choices, choices).map(([some, others]) => [{ ...some, isBroken: false }, others] as const);
    await fc.assert(
      fc.asyncProperty(
        pair,
        choices,
        fc.integer({ min: 1, max: 511 }),
        fc.boolean(),
        async ([prod, other], dev, kept, isArgo) => {
          // Of the changes, only some are made.
          const keys = Object.keys(prod) as readonly (keyof Choices)[]; // its own keys
          const chosen = keys.filter((_, index) => ((kept >> index) & 1) === 1);
          const next = { ...prod, ...Object.fromEntries(chosen.map((key) => [key, other[key]])) };
          const still = { ...dev, isBroken: false };
          const [before, after] = [filesOf(prod, still, isArgo), filesOf(next, still, isArgo)];
          if ([...before].every(([path, text]) => after.get(path) === text) && before.size === after.size) return;
          const hasSyntaxError = next.isBroken;
          const hasUnknownObjects = hasSyntaxError && next.applied.includes('platform');
          found += await checkChanges(before, after, { hasUnknownObjects, hasSyntaxError });
        },
      ),
      { numRuns },
    );
    // In few runs, possibly nothing changes.
    if (numRuns >= 100) assert.ok(found > 0, 'nothing ever changed');
  }).timeout(3_600_000);
});
