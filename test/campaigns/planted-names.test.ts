/** Plants misspelled names of other objects in closed scopes, ten for each of twelve classes. */

import assert from 'node:assert/strict';
import { type NameClass, nameClasses, namedFiles, scopeKinds } from './planted/names.ts';
import { findingsOf } from './planted/outcomes.ts';
import { plantsOfClass } from './planted/table.ts';
import { campaignRuns } from './scale.ts';

const count = Math.min(plantsOfClass, Math.max(1, campaignRuns(plantsOfClass)));

/** The minimum share of the faults that must be a warning. */
const smallestPart = 0.9;

async function isFound(fault: NameClass, number: number): Promise<boolean> {
  const kind = scopeKinds[number % scopeKinds.length] ?? 'folder';
  const planted = namedFiles(kind, fault, number);
  assert.notDeepEqual([...planted], [...namedFiles(kind)], `${fault.id} ${number}`);
  const found = await findingsOf(planted);
  return [...found].some(([text, severity]) => text.includes(' reference-missing ') && severity === 'warning');
}

describe('campaign: misspelled names', () => {
  it('has twelve classes', () => assert.equal(nameClasses.length, 12));

  for (const kind of scopeKinds) {
    it(`has no warnings of names without a fault: ${kind}`, async () => {
      const found = [...(await findingsOf(namedFiles(kind))).keys()];
      assert.deepEqual(
        found.filter((each) => / reference-/.test(each)),
        [],
      );
    });
  }

  it('finds nearly every misspelled name', async () => {
    const missed: string[] = [];
    for (const fault of nameClasses)
      for (let number = 0; number < count; number++)
        if (!(await isFound(fault, number))) missed.push(`${fault.id} ${number}`);
    const all = count * nameClasses.length;
    assert.ok(all - missed.length >= smallestPart * all, `${missed.length} of ${all} missed: ${missed.join(', ')}`);
  });
});
