/** Tests the completions at a position of a selector text, and the number of matches after each. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { evaluate, type LabelSet, matches, parseSelector, parseSelectorTree } from '../../server/src/engine/index.ts';
import { countText, type Reachable, tallyOf } from '../../server/src/features/completion/label-counts.ts';
import {
  completeSelectorText,
  type SelectorTextItem,
} from '../../server/src/features/completion/selector-text-completion.ts';
import { applyEdits } from '../../server/src/text/edit.ts';

const shop: readonly LabelSet[] = [
  { labels: { app: 'basket', tier: 'front', 'example.com/team': 'blue' } },
  { labels: { app: 'basket', tier: 'back' } },
  { labels: { app: 'prices', tier: 'back' } },
];

const reach =
  (labelSets: readonly LabelSet[]): Reachable =>
  (chosen) =>
    tallyOf(
      labelSets.flatMap((labelSet) => {
        const answer = evaluate(chosen, labelSet);
        return answer === 'no' ? [] : [{ labelSet, answer }];
      }),
    );

/** The text after accepting each item, with the cursor as `|` if it is not at the end, and the number of matches. */
function offered(marked: string, labelSets = shop): readonly string[] {
  const offset = marked.indexOf('|');
  const text = marked.replace('|', '');
  return completeSelectorText(text, offset, reach(labelSets)).map((item) => `${accepted(text, item)}${told(item)}`);
}

function accepted(text: string, { edit, cursor }: SelectorTextItem): string {
  const shown = cursor === undefined ? edit.text : `${edit.text.slice(0, cursor)}|${edit.text.slice(cursor)}`;
  return applyEdits(text, [{ ...edit, text: shown }]);
}

function told({ matches: count }: SelectorTextItem): string {
  return count === undefined ? '' : `   ${countText(count)}`;
}

const cases: readonly (readonly [what: string, marked: string, found: readonly string[]])[] = [
  ['keys at the start', '|', ['app   matches 3', 'tier   matches 3', 'example.com/team   matches 1']],
  [
    'keys that are not there yet',
    'app=basket,|',
    ['app=basket,tier   matches 2', 'app=basket,example.com/team   matches 1'],
  ],
  ['the whole word around the cursor', 'ti|erx,app=prices', ['tier,app=prices   matches 1']],
  ['keys to exclude', '!|', ['!app   matches nothing', '!tier   matches nothing', '!example.com/team   matches 2']],
  ['keys with a prefix', 'example.com/t|', ['app   matches 3', 'tier   matches 3', 'example.com/team   matches 1']],
  [
    'what may follow a known key',
    'tier|',
    [
      'app   matches 3',
      'tier   matches 3',
      'example.com/team   matches 1',
      'tier=',
      'tier!=',
      'tier in (|)',
      'tier notin (|)',
    ],
  ],
  ['operators after a blank', 'tier |', ['tier =', 'tier !=', 'tier in (|)', 'tier notin (|)']],
  ['no operator for a key that nothing has', 'nope |', []],
  ['values', 'tier=|', ['tier=back   matches 2', 'tier=front   matches 1']],
  ['values beside other requirements', 'app=prices,tier=|', ['app=prices,tier=back   matches 1']],
  [
    'values in the middle',
    'tier=f|r,app=basket',
    ['tier=back,app=basket   matches 1', 'tier=front,app=basket   matches 1'],
  ],
  ['values to exclude', 'tier!=|', ['tier!=back   matches 1', 'tier!=front   matches 2']],
  ['values of a list', 'tier in (|', ['tier in (back   matches 2', 'tier in (front   matches 1']],
  ['more values of a list', 'tier in (back,|)', ['tier in (back,front)   matches 3']],
  ['values of a list that is not begun', 'tier in |', ['tier in (back)   matches 2', 'tier in (front)   matches 1']],
  [
    'values of a list to exclude',
    'app notin (|)',
    ['app notin (basket)   matches 1', 'app notin (prices)   matches 2'],
  ],
  ['nothing after a whole requirement', 'tier=back |', []],
  ['nothing inside of what is broken', 'tier in (back front |', []],
  ['nothing before a key that would become an operator', '| notin', []],
  ['no amounts', 'tier>|', []],
];

describe('completion of a selector text', () => {
  for (const [what, marked, found] of cases) it(what, () => assert.deepEqual(offered(marked), found));

  it('counts possible matches', () => {
    const unsure: readonly LabelSet[] = [
      { labels: { app: 'basket' } },
      { labels: { app: { unknown: 'name' } } },
      { labels: { app: 'prices' } },
    ];
    assert.deepEqual(offered('app=|', unsure), [
      'app=basket   matches 1, may match 1 more',
      'app=prices   matches 1, may match 1 more',
    ]);
    assert.deepEqual(offered('app!=|', unsure), [
      'app!=basket   matches 1, may match 1 more',
      'app!=prices   matches 1, may match 1 more',
    ]);
  });

  it('writes valid selectors, and counts their matches', () => {
    const words = fc.constantFrom(
      'app',
      'tier',
      'basket',
      'back',
      'in',
      'notin',
      'IN',
      '=',
      '!=',
      '!',
      '(',
      ')',
      ',',
      ' ',
      'x🐋',
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 10 }), fc.nat(), (parts, at) => {
        const text = parts.join('');
        const offset = at % (text.length + 1);
        for (const { edit, matches: count, kind } of completeSelectorText(text, offset, reach(shop))) {
          assert.ok(edit.span.start <= offset && offset <= edit.span.end);
          const after = applyEdits(text, [edit]);
          if (parseSelectorTree(text).problems.length === 0 && kind !== 'operator')
            assert.deepEqual(parseSelectorTree(after).problems, [], after);
          const selector = parseSelector(after);
          if (count === undefined || !selector.ok) continue;
          const found = shop.filter(({ labels }) => matches(selector.value, labels as Record<string, string>));
          assert.equal(count.certain, found.length, after);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
