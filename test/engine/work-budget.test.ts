/** Tests that work counts for the evaluation that is running, wherever it happens. */

import assert from 'node:assert/strict';
import { BudgetSpent, spend, WorkBudget } from '../../server/src/engine/work-budget.ts';

describe('a budget of work', () => {
  it('is spent by everything that runs during its evaluation, and by nothing else', () => {
    const [outer, inner] = [new WorkBudget(10), new WorkBudget(2)];
    spend(1_000);
    outer.during(() => {
      spend(6);
      assert.throws(() => inner.during(() => spend(2)), BudgetSpent);
      spend(3);
      assert.equal(outer.isSpent, false);
      assert.throws(() => spend(1), BudgetSpent);
    });
    spend(1_000);
    assert.deepEqual([outer.isSpent, inner.isSpent], [true, true]);
  });

  it('remains the running one after an error inside', () => {
    const budget = new WorkBudget(10);
    const fails = () =>
      new WorkBudget(10).during(() => {
        throw new Error('no');
      });
    budget.during(() => {
      assert.throws(fails, /no/);
      assert.throws(() => spend(10), BudgetSpent);
    });
  });
});
