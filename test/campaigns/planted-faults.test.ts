/** Plants faults of 52 classes one by one, and compares the findings with the reviewed list. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { faultClasses } from './planted/faults.ts';
import { findingsOf, outcomeOf } from './planted/outcomes.ts';
import { type Outcome, plantsOfClass, readOutcomes } from './planted/table.ts';
import { filesOf, workspaceKinds } from './planted/workspaces.ts';
import { campaignRuns } from './scale.ts';

const list = new URL('planted/outcomes.txt', import.meta.url);
const reviewed = () => readOutcomes(readFileSync(list, 'utf8'));

/** Every run of the tests plants one fault of each class. */
const count = Math.min(plantsOfClass, Math.max(1, campaignRuns(plantsOfClass)));

/** Writes the reviewed list. */
const command = 'npm run approve -- faults';

/** The minimum share of the near misses that must be an error or a warning. */
const smallestPart = 0.95;

/** The Service of a variant of an application: another name, and another value in its selector. */
function variantOf(text: string, app: string, variant: string): string {
  return text.replaceAll(`name: ${app}\n`, `name: ${app}${variant}\n`);
}

describe('campaign: planted faults', () => {
  it('have 52 classes', () => assert.equal(faultClasses.length, 52));

  for (const kind of workspaceKinds) {
    it(`has no findings without a fault: ${kind.name}`, async () => {
      assert.deepEqual([...(await findingsOf(filesOf(kind)))], []);
    });
  }

  it('has no warnings of selectors for variants that no file has', async () => {
    for (const kind of workspaceKinds.filter(({ built }) => !built)) {
      for (const app of kind.apps) {
        for (const variant of ['-canary', '-blue', '-v2', '-2', '2', '-eu', '-ro', '-b', '-dev']) {
          const change = (text: string) => `${text}---\n${variantOf(text, app, variant)}`;
          const found = await findingsOf(filesOf(kind, { app, part: 'service', change }));
          assert.deepEqual(
            [...found.values()].filter((severity) => severity === 'warning' || severity === 'error'),
            [],
            app + variant,
          );
        }
      }
    }
  });

  for (const fault of faultClasses) {
    it(`finds what was reviewed: ${fault.id}`, async () => {
      const outcomes: Outcome[] = [];
      for (let number = 0; number < count; number++) outcomes.push(await outcomeOf(fault, number));
      assert.deepEqual(outcomes, reviewed().get(fault.id)?.slice(0, count), command);
    });
  }

  it('finds nearly every selector that differs by one word from the intended one', () => {
    const near = faultClasses.flatMap(({ id, near: isNear }) => (isNear ? (reviewed().get(id) ?? []) : []));
    const found = near.filter((outcome) => outcome === 'problem').length;
    assert.ok(near.length >= 100);
    assert.ok(found >= smallestPart * near.length, `${found} of ${near.length}`);
  });
});
