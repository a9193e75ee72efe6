/** Tests the texts of the engine: sentences, reasons and the formatted selectors. */

import assert from 'node:assert/strict';
import {
  describe as describeSelector,
  evaluate,
  explain,
  format,
  type LabelSet,
  parseFieldSelector,
  type Selector,
} from '../../server/src/engine/index.ts';
import { parse } from './universe.ts';

describe('describe', () => {
  const cases: readonly (readonly [text: string, sentence: string])[] = [
    ['', 'Everything, whatever its labels.'],
    ['app=web', "Everything where `app` is 'web'."],
    ['app=web,tier in (a,b,c)', "Everything where `app` is 'web' and `tier` is 'a', 'b' or 'c'."],
    ['a,!b,c=', 'Everything where `a` has any value, `b` is absent and `c` is empty.'],
    ['a!=x', "Everything where `a` is absent or not 'x'."],
    ['a notin (x,y)', "Everything where `a` is absent or neither 'x' nor 'y'."],
    ['a>5,a<9', 'Everything where `a` is an integer greater than 5 and `a` is an integer less than 9.'],
    [
      'a in (a,b,c,d,e,f,g,h,i,j,k,l)',
      "Everything where `a` is 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i' or 3 more.",
    ],
    ['a in (,x)', "Everything where `a` is empty or 'x'."],
  ];
  for (const [text, sentence] of cases) {
    it(`'${text}'`, () => assert.equal(describeSelector(parse(text)), sentence));
  }

  it('with the name of the selected objects', () => {
    assert.equal(describeSelector(parse('a=b'), 'Pods'), "Pods where `a` is 'b'.");
    assert.equal(describeSelector(parse(''), 'Pods'), 'All Pods, whatever their labels.');
    assert.equal(describeSelector({ kind: 'nothing' }, 'Pods'), 'No Pods.');
  });

  it('nothing, and unknown values', () => {
    assert.equal(describeSelector({ kind: 'nothing' }), 'Nothing.');
    const requirements = [
      { key: 'a', operator: 'in', values: [{ unknown: 'u' }, { unknown: 'v', pattern: 'web-*' }] },
    ] as const;
    assert.equal(
      describeSelector({ kind: 'all', requirements, open: true }),
      "Everything where `a` is an unknown value or 'web-*' and further conditions hold that are not known.",
    );
  });
});

describe('format', () => {
  const cases: readonly (readonly [text: string, kubectl: string, url: string])[] = [
    ['', '', ''],
    ['app=web,tier=db', 'app=web,tier=db', 'app%3Dweb%2Ctier%3Ddb'],
    ['a in (x,y)', "'a in (x,y)'", 'a%20in%20%28x%2Cy%29'],
    ['!a', "'!a'", '%21a'],
    ['a>5', "'a>5'", 'a%3E5'],
  ];
  for (const [text, kubectl, url] of cases) {
    it(`'${text}'`, () => {
      assert.equal(format(parse(text), 'kubectl'), kubectl);
      assert.equal(format(parse(text), 'url'), url);
    });
  }

  it('formats field selectors too, with any content', () => {
    const parsed = parseFieldSelector("a='\ud800\\,");
    assert.ok(parsed.ok);
    assert.equal(format(parsed.value, 'canonical'), "a='\ud800\\,");
    assert.equal(format(parsed.value, 'kubectl'), "'a='\\''\ud800\\,'");
    assert.equal(format(parsed.value, 'url'), 'a%3D%27%EF%BF%BD%5C%2C');
  });

  it('writes no control character into a word of a shell', () => {
    const selector: Selector = {
      kind: 'all',
      requirements: [{ key: 'a', operator: '=', values: ['x\n\u001b[201~y'] }],
    };
    assert.equal(format(selector, 'kubectl'), "'a=x\uFFFD\uFFFD[201~y'");
  });

  it('shows the known parts of unknown values', () => {
    const values = [{ unknown: 'u' }, { unknown: 'v', pattern: 'web-*' }];
    assert.equal(
      format({ kind: 'all', requirements: [{ key: 'a', operator: 'in', values }] }, 'canonical'),
      'a in (*,web-*)',
    );
  });
});

describe('explain', () => {
  const known: LabelSet = { labels: { app: 'web', tier: 'db', cores: '7a', size: '9' } };
  const cases: readonly (readonly [text: string, answer: string, reason: string])[] = [
    ['app=web', 'yes', "`app` is 'web'"],
    ['tier=web', 'no', "`tier` is 'db', but the selector wants 'web'"],
    ['tier in (web,api)', 'no', "`tier` is 'db', but the selector wants 'api' or 'web'"],
    ['tier!=db', 'no', "`tier` is 'db', but the selector excludes 'db'"],
    ['old', 'no', '`old` is absent, but the selector wants any value'],
    ['!old', 'yes', '`old` is absent'],
    ['old!=a', 'yes', '`old` is absent, which is allowed'],
    ['!app', 'no', "`app` is 'web', but the selector wants the label to be absent"],
    ['cores>5', 'no', "`cores` is '7a', which is not an integer, but the selector wants an integer greater than 5"],
    ['size<5', 'no', "`size` is '9', but the selector wants an integer less than 5"],
    ['tier=', 'no', "`tier` is 'db', but the selector wants an empty value"],
  ];
  for (const [text, answer, reason] of cases) {
    it(`'${text}'`, () => {
      const [one] = explain(parse(text), known);
      assert.deepEqual([one?.answer, one?.reason], [answer, reason]);
    });
  }

  it('is empty for everything and nothing', () => {
    assert.deepEqual(explain({ kind: 'nothing' }, known), []);
    assert.deepEqual(explain(parse(''), known), []);
  });
});

describe('unknown values', () => {
  const web = { unknown: 'A', pattern: 'web-*' };
  const any = { unknown: 'B' };
  const labels = { app: web, env: any, tier: 'db' };
  const one = (operator: '=' | '!=' | 'gt', key: string, value: string | typeof web | typeof any): Selector => ({
    kind: 'all',
    requirements: [{ key, operator, values: [value] }],
  });
  const cases: readonly (readonly [name: string, selector: Selector, answer: string])[] = [
    ['a literal part rules a value out', one('=', 'app', 'api'), 'no'],
    ['a literal part never confirms', one('=', 'app', 'web-1'), 'maybe'],
    ['the same unknown is the same value', one('=', 'env', { unknown: 'B' }), 'yes'],
    ['two unknowns may be the same', one('=', 'env', { unknown: 'C' }), 'maybe'],
    ['two patterns that cannot meet', one('=', 'app', { unknown: 'C', pattern: 'api-*' }), 'no'],
    ['two endings that cannot meet', one('=', 'app', { unknown: 'C', pattern: '*-x' }), 'maybe'],
    ['what cannot be that value is allowed by !=', one('!=', 'app', 'api'), 'yes'],
    ['what is a word is no number', one('gt', 'app', '5'), 'no'],
    ['anything may be a number', one('gt', 'env', '5'), 'maybe'],
    ['nothing is greater than itself', one('gt', 'env', { unknown: 'B' }), 'no'],
    ['an absent key stays absent', one('=', 'old', any), 'no'],
    ['a long value has room for both ends', one('=', 'tier', { unknown: 'C', pattern: 'd*b' }), 'maybe'],
    ['a short one has not', one('=', 'tier', { unknown: 'C', pattern: 'db*b' }), 'no'],
    ['parts must come in their order', one('=', 'tier', { unknown: 'C', pattern: '*b*d*' }), 'no'],
  ];
  for (const [name, selector, answer] of cases) {
    it(name, () => assert.equal(evaluate(selector, { labels }), answer));
  }

  it('are further keys in an open set, and further requirements in an open selector', () => {
    assert.equal(evaluate(parse('old'), { labels, open: true }), 'maybe');
    assert.equal(evaluate(parse('!old'), { labels, open: true }), 'maybe');
    assert.equal(evaluate(parse('tier=web'), { labels, open: true }), 'no');
    assert.equal(evaluate({ kind: 'all', requirements: [], open: true }, { labels }), 'maybe');
    assert.equal(
      evaluate({ kind: 'all', requirements: [{ key: 'tier', operator: '!', values: [] }], open: true }, { labels }),
      'no',
    );
  });
});
