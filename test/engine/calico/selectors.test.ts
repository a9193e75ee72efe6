/** Tests the selector language of Calico: random expressions, repairs, unknown parts, and hostile texts. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { calicoToSelector, evaluateCalico, parseCalicoSelector } from '../../../server/src/engine/calico/index.ts';
import { type Answer, evaluate, type LabelSet } from '../../../server/src/engine/index.ts';

/** A text, and a function that evaluates it without the parser. */
interface Sample {
  readonly text: string;
  readonly holds: (labels: Readonly<Record<string, string>>) => boolean;
}

const key = fc.constantFrom('a', 'b', 'in', 'not', 'x.y/z');
const value = fc.constantFrom('', '1', '12', 'a');

const leaf: fc.Arbitrary<Sample> = fc
  .tuple(
    key,
    value,
    value,
    fc.constantFrom('==', '!=', 'in', 'not in', 'contains', 'starts with', 'ends with', 'has', 'all'),
  )
  .map(([name, one, two, operator]): Sample => {
    switch (operator) {
      case '==':
        return { text: `${name}=='${one}'`, holds: (labels) => labels[name] === one };
      case '!=':
        return { text: `${name} != "${one}"`, holds: (labels) => labels[name] !== one };
      case 'in':
        return { text: `${name} in {'${one}', "${two}"}`, holds: ({ [name]: has }) => has === one || has === two };
      case 'not in':
        return { text: `${name} not in {'${one}'}`, holds: (labels) => labels[name] !== one };
      case 'contains':
        return { text: `${name} contains '${one}'`, holds: (labels) => labels[name]?.includes(one) ?? false };
      case 'starts with':
        return { text: `${name} starts with '${one}'`, holds: (labels) => labels[name]?.startsWith(one) ?? false };
      case 'ends with':
        return { text: `${name} endswith '${one}'`, holds: (labels) => labels[name]?.endsWith(one) ?? false };
      case 'has':
        return { text: `has(${name})`, holds: (labels) => labels[name] !== undefined };
      default:
        return { text: 'all()', holds: () => true };
    }
  });

const sample: fc.Arbitrary<Sample> = fc.letrec<{ or: Sample; and: Sample; not: Sample; group: Sample }>((tie) => ({
  or: fc.array(tie('and'), { minLength: 1, maxLength: 3 }).map((parts) => ({
    text: parts.map(({ text }) => text).join(' || '),
    holds: (labels) => parts.some(({ holds }) => holds(labels)),
  })),
  and: fc.array(tie('not'), { minLength: 1, maxLength: 3 }).map((parts) => ({
    text: parts.map(({ text }) => text).join('&& '),
    holds: (labels) => parts.every(({ holds }) => holds(labels)),
  })),
  not: fc.tuple(fc.boolean(), tie('group')).map(([isNegated, part]) => ({
    text: isNegated ? `!${part.text}` : part.text,
    holds: (labels) => part.holds(labels) !== isNegated,
  })),
  group: fc.oneof(
    { maxDepth: 3 },
    leaf,
    tie('or').map(({ text, holds }) => ({ text: `( ${text})`, holds })),
  ),
})).or;

const labels = fc.dictionary(key, value, { maxKeys: 4 });

describe('selector language of Calico', () => {
  it('gives the answers of the expression', () => {
    fc.assert(
      fc.property(sample, labels, ({ text, holds }, own) => {
        fc.pre(text.length <= 1024);
        const tree = parseCalicoSelector(text);
        assert.deepEqual(tree.problems, []);
        const expected = holds(own) ? 'yes' : 'no';
        assert.equal(evaluateCalico(tree, { labels: own }), expected, text);
        const selector = calicoToSelector(tree);
        if (selector) assert.equal(evaluate(selector, { labels: own }), expected, text);
      }),
      { numRuns: 300 },
    );
  });

  it('gives no certain answer that an unknown label can change', () => {
    fc.assert(
      fc.property(sample, labels, key, fc.option(value, { nil: undefined }), ({ text }, own, unknownKey, actual) => {
        fc.pre(text.length <= 1024);
        const tree = parseCalicoSelector(text);
        const { [unknownKey]: _, ...rest } = own;
        const answer = evaluateCalico(tree, { labels: rest, open: true });
        const whole = actual === undefined ? rest : { ...rest, [unknownKey]: actual };
        if (answer !== 'maybe') assert.equal(evaluateCalico(tree, { labels: whole }), answer, text);
      }),
      { numRuns: 300 },
    );
  });

  const repairs: readonly (readonly [string, string])[] = [
    ["app = 'web'", "app == 'web'"],
    ["app === 'web'", "app == 'web'"],
    ["app =! 'web'", "app != 'web'"],
    ["app <> 'web'", "app != 'web'"],
    ['app == web-1', "app == 'web-1'"],
    ['app=web', "app=='web'"],
    ["'app' == 'web'", "app == 'web'"],
    ['app', 'has(app)'],
    ['all', 'all()'],
    ['has app', 'has(app)'],
    ['has (app)', 'has(app)'],
    ["has('app')", 'has(app)'],
    ['Has(app)', 'has(app)'],
    ['has(app', 'has(app)'],
    ['ALL()', 'all()'],
    ["(app == 'web'", "(app == 'web')"],
    ["app == 'web' & b == 'x'", "app == 'web' && b == 'x'"],
    ["app == 'web' and b == 'x'", "app == 'web' && b == 'x'"],
    ["app == 'web' OR b == 'x'", "app == 'web' || b == 'x'"],
    ["app == 'web', b == 'x'", "app == 'web' && b == 'x'"],
    ["not app == 'web'", "! app == 'web'"],
    ["app in ('web', 'db')", "app in {'web', 'db'}"],
    ['app notin (web,db)', "app notin {'web', 'db'}"],
    ["app in 'web'", "app in {'web'}"],
    ['app in {web, db}', "app in {'web', 'db'}"],
    ["app in {'web' 'db'}", "app in {'web', 'db'}"],
    ["app in {'web', 'db'", "app in {'web', 'db'}"],
    ["app IN {'web'}", "app in {'web'}"],
    ["app starts 'we'", "app starts with 'we'"],
    ["app == 'web", "app == 'web'"],
    ['app == "web\'', 'app == "web"'],
    ['app == ‘web’', "app == 'web'"],
    ["app: 'web'", "app == 'web'"],
    ["k8s:app == 'web'", "app == 'web'"],
    ["app == 'web'\n", "app == 'web'"],
    ["app == 'web' &&\n  b == 'x'", "app == 'web' &&   b == 'x'"],
    ['app=web,tier in (a,b)', "app=='web' &&tier in {'a', 'b'}"],
  ];
  for (const [wrong, right] of repairs) {
    it(`repairs ${JSON.stringify(wrong)}`, () => {
      const { problems } = parseCalicoSelector(wrong);
      let text = wrong;
      for (const { fix } of problems.toSorted((a, b) => b.start - a.start)) {
        if (fix) text = text.slice(0, fix.start) + fix.text + text.slice(fix.end);
      }
      assert.equal(text, right, JSON.stringify(problems));
      assert.deepEqual(parseCalicoSelector(text).problems, []);
    });
  }

  const unknowns: readonly (readonly [string, LabelSet['labels'], Answer])[] = [
    ["app == '@X@'", { app: 'web' }, 'maybe'],
    ["app == '@X@' && b == '1'", { app: 'web' }, 'no'],
    ["app == '@X@'", {}, 'no'],
    ["app == 'web-@X@'", { app: 'db' }, 'no'],
    ["app starts with '@X@'", { app: 'web' }, 'maybe'],
    ['has(@X@)', { app: 'web' }, 'maybe'],
    ["app == @X@ && b == '1'", {}, 'maybe'],
    ["app starts with 'we'", { app: { unknown: 'v', pattern: 'web-*' } }, 'yes'],
    ["app starts with 'db'", { app: { unknown: 'v', pattern: 'web-*' } }, 'no'],
    ["app contains 'eb'", { app: { unknown: 'v', pattern: 'web-*' } }, 'yes'],
    ["app ends with 'eb'", { app: { unknown: 'v', pattern: '*-1' } }, 'no'],
  ];
  for (const [text, own, expected] of unknowns) {
    it(`answers ${expected} for ${text} with ${JSON.stringify(own)}`, () => {
      const start = text.indexOf('@X@');
      const placeholders = start === -1 ? [] : [{ start, end: start + 3, id: 'X' }];
      const tree = parseCalicoSelector(text, { placeholders });
      assert.deepEqual(tree.problems, []);
      assert.equal(evaluateCalico(tree, { labels: own }), expected);
    });
  }

  it('parses any text without an exception, and applies repairs within the text', () => {
    const parts = fc.constantFrom(
      ..."app|'web'|\"|'|==|=|!|!=|in|not|has(|)|(|all()|{|}|,|&&|&|\\|\\|| |\n|*|é|😀|starts|with|global()|:".split(
        '|',
      ),
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 12 }), (words) => {
        const text = words.join('');
        const { problems, tokens, root } = parseCalicoSelector(text);
        assert.equal(root !== undefined, problems.length === 0, text);
        for (const { start, end, fix } of problems) {
          assert.ok(0 <= start && start <= end && end <= text.length, text);
          if (fix) assert.ok(0 <= fix.start && fix.start <= fix.end && fix.end <= text.length, text);
        }
        for (const { start, end } of tokens) assert.ok(start < end && end <= text.length, text);
      }),
      { numRuns: 500 },
    );
  });

  it('bounds the depth of nested parentheses by the length of the text', () => {
    assert.equal(parseCalicoSelector('('.repeat(1024)).problems.length > 0, true);
    assert.equal(parseCalicoSelector('!'.repeat(1024)).problems.length > 0, true);
    const [problem] = parseCalicoSelector('('.repeat(100_000)).problems;
    assert.equal(problem?.code, 'selector-too-long');
  });
});
