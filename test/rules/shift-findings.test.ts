/** Tests that a finding stays at its text during typing. */

import assert from 'node:assert/strict';
import type { Finding } from '../../server/src/rules/framework/rule.ts';
import { shiftFindings } from '../../server/src/rules/framework/shift-findings.ts';

function finding(text: string, words: string): Finding {
  const start = text.indexOf(words);
  const span = { start, end: start + words.length };
  const fixes = () => [{ title: 'Mend it', edits: [], preferred: true }];
  return { rule: 'selects-nothing', severity: 'hint', span, message: 'm', related: [], tags: [], fixes };
}

function where(before: string, after: string, words: string): string | undefined {
  const [found] = shiftFindings([finding(before, words)], before, after);
  return found && after.slice(found.span.start, found.span.end);
}

describe('shifted findings', () => {
  const before = 'first: a\nsecond: b\nthird: c\n';

  for (const [what, after] of [
    ['above', 'first: more\nsecond: b\nthird: c\n'],
    ['below', 'first: a\nsecond: b\nthird: more\n'],
    ['above, that goes away', 'second: b\nthird: c\n'],
    ['on a new line', 'first: a\n\n# note\nsecond: b\nthird: c\n'],
  ] as const) {
    it(`stay at their text when the user types ${what}`, () => assert.equal(where(before, after, 'second'), 'second'));
  }

  it('are removed by typing inside of them, or at their end', () => {
    assert.equal(where(before, before.replace('second', 'secOnd'), 'second'), undefined);
    assert.equal(where(before, before.replace('second', 'seconds'), 'second'), undefined);
  });

  it('have no fix until the next check', () => {
    const [moved] = shiftFindings([finding(before, 'second')], before, `${before}more`);
    assert.deepEqual(moved?.fixes(), []);
    const [same] = shiftFindings([finding(before, 'second')], before, before);
    assert.equal(same?.fixes().length, 1);
  });
});
