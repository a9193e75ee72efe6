/** Tests that `impact` and `diff` list exactly the matches that changes of the structure of GitOps objects change. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { checkChanges, outsideClusters } from '../cli/cluster-answers.ts';
import { diffOf, impactOf } from '../cli/cluster-comparison.ts';
import { filesOfStructure, type Structure, structures } from '../cli/gitops-structures.ts';
import { campaignRuns } from './scale.ts';

/** The clusters that have GitOps objects. */
function clustersOf({ prodShop, prodRules, devShop, devRules }: Structure): readonly string[] {
  const [inProd, inDev] = [
    [prodShop, prodRules],
    [devShop, devRules],
  ].map((all) => all.some(({ folder }) => folder));
  return [...(inProd ? ['prod'] : []), ...(inDev ? ['dev'] : [])];
}

/** Whether the only cluster of one state is compared with the only cluster of the other, which has another name. */
function isRenamed(before: readonly string[], after: readonly string[]): boolean {
  return before.length === 1 && after.length === 1 && before[0] !== after[0];
}

describe('the changes of matches by new, moved and deleted GitOps objects', () => {
  it('are the differences of the answers of match and who-selects', async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(
        structures,
        structures,
        fc.integer({ min: 1, max: 2047 }),
        fc.boolean(),
        async (structure, other, kept, isArgo) => {
          // Of the changes, only some are made.
          const keys = Object.keys(structure) as readonly (keyof Structure)[]; // its own keys
          const chosen = keys.filter((_, index) => ((kept >> index) & 1) === 1);
          const next = { ...structure, ...Object.fromEntries(chosen.map((key) => [key, other[key]])) };
          const [before, after] = [filesOfStructure(structure, isArgo), filesOfStructure(next, isArgo)];
          if ([...before].every(([path, text]) => after.get(path) === text) && before.size === after.size) return;
          if (isRenamed(clustersOf(structure), clustersOf(next))) return;
          found += await checkChanges(before, after);
          // For `diff`, a match that moves to another overlay existed before; `impact` compares each overlay.
          if (chosen.includes('listed') || chosen.includes('existing')) return;
          if (chosen.includes('overlay') && chosen.length > 1) return;
          const [{ changes }, { changes: impacts }] = [await diffOf(before, after), await impactOf(before, after)];
          assert.deepEqual(outsideClusters(changes), outsideClusters(impacts));
        },
      ),
      { numRuns: campaignRuns(500), seed: 1 },
    );
    assert.ok(found > 0, 'nothing ever changed');
  }).timeout(3_600_000);
});
