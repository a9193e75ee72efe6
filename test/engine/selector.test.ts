/** Tests the meaning of selector texts, including odd and incomplete ones (requirements A13, A17, A18, A19, A21). */

import assert from 'node:assert/strict';
import { format, matches, parseSelector, parseSelectorTree } from '../../server/src/engine/index.ts';
import { parse } from './universe.ts';

/** The text that Kubernetes prints for a selector; its name describes what is odd about it. */
function accepts(name: string, ...cases: readonly (readonly [text: string, canonical: string])[]): void {
  it(name, () => {
    for (const [text, canonical] of cases)
      assert.equal(format(parse(text), 'canonical'), canonical, JSON.stringify(text));
  });
}

/** The problems of a text, each as its code and the affected text. */
function faults(text: string): string[] {
  return parseSelectorTree(text).problems.map(({ code, start, end }) => `${code} '${text.slice(start, end)}'`);
}

function rejects(name: string, ...cases: readonly (readonly [text: string, ...faults: string[]])[]): void {
  it(name, () => {
    for (const [text, ...expected] of cases) assert.deepEqual(faults(text), expected, JSON.stringify(text));
  });
}

describe('a selector text', () => {
  accepts('without requirements is everything', ['', ''], [' \t\r\n', '']);
  accepts('takes a missing value for the empty one', ['x=', 'x='], ['x==', 'x=='], ['x!=', 'x!='], ['x=,y', 'x=,y']);
  accepts('keeps = and == apart', ['x==a', 'x==a'], ['x= a', 'x=a']);
  accepts(
    'takes in and notin for words where no operator is due',
    ['in', 'in'],
    ['!in', '!in'],
    ['in,notin', 'in,notin'],
    ['in=in', 'in=in'],
    ['in in (in)', 'in in (in)'],
    ['x in (in,notin)', 'x in (in,notin)'],
  );
  accepts('needs no space before a parenthesis', ['x in(a)', 'x in (a)'], ['x notin(a)', 'x notin (a)']);
  accepts(
    'takes an empty place in a list for the empty value',
    ['x in ()', 'x in ()'],
    ['x in (,)', 'x in ()'],
    ['x in (a,)', 'x in (,a)'],
    ['x in (,a)', 'x in (,a)'],
    ['x in (a,,b)', 'x in (,a,b)'],
    ['x in (a,,)', 'x in (,a)'],
  );
  accepts('sorts values as text and drops repeats', ['x in (b,a,b)', 'x in (a,b)'], ['x in (10,9,1)', 'x in (1,10,9)']);
  accepts('sorts keys by their bytes', ['b=1,a=1,B=1', 'B=1,a=1,b=1']);
  accepts('keeps what is written about one key in its order', ['x=b,x=a', 'x=b,x=a'], ['x=a,x=a', 'x=a,x=a']);
  accepts('allows white space around !', ['! x', '!x'], ['!\n x', '!x']);
  accepts('keeps leading zeros of a number', ['x>01', 'x>01'], [`x<${'0'.repeat(62)}7`, `x<${'0'.repeat(62)}7`]);
  accepts(
    'takes U+0000 for the end of a word, or of the text',
    ['a\0,b', 'a,b'],
    ['\0 x=,,', ''],
    ['a,b \0,,', 'a,b'],
    ['x=\0a', 'x=a'],
  );

  rejects('does not join what U+0000 parts', ['x=\0=', "value-expected '='"], ['x!\0=a', "operator-expected '!'"]);
  rejects(
    'must have a requirement on both sides of a comma',
    [',', "requirement-expected ','"],
    ['a,', "requirement-expected ','"],
    [',a', "requirement-expected ','"],
    ['a,,b', "requirement-expected ','"],
  );
  rejects(
    'knows no other white space',
    ['a\v', "name-syntax '\v'"],
    ['\ufeffa', "name-syntax '\ufeff'"],
    ['x=\u00a0a', "value-syntax '\u00a0'"],
  );
  rejects(
    'takes ! before a key only',
    ['!x=a', "not-with-operator '!'"],
    ['!x in (a)', "not-with-operator '!'"],
    ['!!x', "key-expected '!'"],
    ['!(x)', "key-expected '('"],
    ['x!', "operator-expected '!'"],
    ['x ! = a', "operator-expected '!'"],
  );
  rejects(
    'reads operators greedily',
    ['x===a', "value-expected '='"],
    ['x= =a', "value-expected '='"],
    ['x=!a', "value-expected '!'"],
    ['x=a=b', "unexpected-text '='"],
    ['x>=1', "value-expected '='"],
    ['x<>1', "value-expected '>'"],
  );
  rejects(
    'knows no quotes',
    ['"x"=a', `name-syntax '"'`],
    ["x='a'", "value-syntax '''"],
    ['(x=a)', "key-expected '('"],
  );
  rejects(
    'wants operators in lower case',
    ['x IN (a)', "operator-case 'IN'"],
    ['x NotIn (a)', "operator-case 'NotIn'"],
  );
  rejects(
    'compares with integers of 64 bits only',
    ['x>', "value-not-integer ''"],
    ['x>-1', "value-syntax '-'"],
    ['x>1.5', "value-not-integer '1.5'"],
    ['x>9223372036854775808', "value-not-integer '9223372036854775808'"],
  );
  rejects(
    'tells every fault, not the first alone',
    ['-x=-a', "name-syntax '-'", "value-syntax '-'"],
    ['x in (-,_),!', "value-syntax '-'", "value-syntax '_'", "key-expected '!'"],
    ['x>a-', "value-not-integer 'a-'", "value-syntax '-'"],
    ['-x in (', "name-syntax '-'", "list-not-closed '('"],
  );

  it('compares numbers exactly, for any label', () => {
    const sixth = parse('x>9007199254740992');
    assert.ok(matches(sixth, { x: '9007199254740993' }));
    assert.ok(!matches(sixth, { x: '9007199254740992' }));
    assert.ok(matches(parse('x<0'), { x: '-4' }));
    for (const value of ['+6', '006', '9223372036854775807']) assert.ok(matches(parse('x>5'), { x: value }), value);
    for (const value of ['6.0', '1e3', '0x10', ' 6', '1_0', '', '9223372036854775808', '-', '٦']) {
      assert.ok(!matches(parse('x>5'), { x: value }), value);
      assert.ok(!matches(parse('x<5'), { x: value }), value);
    }
    assert.ok(matches(parse('x<1'), { x: '-9223372036854775808' }));
    assert.ok(!matches(parse('x<1'), { x: '-9223372036854775809' }));
  });

  it('never treats an inherited property as a label', () => {
    for (const key of ['constructor', 'toString', 'hasOwnProperty']) {
      assert.ok(!matches(parse(key), {}));
      assert.ok(matches(parse(`!${key}`), {}));
      assert.ok(matches(parse(`${key}!=a`), {}));
    }
    const labels = JSON.parse('{"__proto__":"a"}');
    assert.ok(matches({ kind: 'all', requirements: [{ key: '__proto__', operator: '=', values: ['a'] }] }, labels));
    assert.ok(!matches({ kind: 'all', requirements: [{ key: '__proto__', operator: 'exists', values: [] }] }, {}));
  });
});

/** The known parts of an incomplete text: its requirements, and the valid selector among them. */
function known(text: string): { tree: string[]; partial: string | undefined } {
  const tree = parseSelectorTree(text).requirements.map(({ key, operator, values }) =>
    [key?.text, operator?.text, ...values.map((value) => `'${value.text}'`)].filter(Boolean).join(' '),
  );
  const parsed = parseSelector(text);
  const selector = parsed.ok ? parsed.value : parsed.partial;
  return { tree, partial: selector && format(selector, 'canonical') };
}

describe('an incomplete selector', () => {
  const cases: readonly (readonly [text: string, partial: string | undefined, ...tree: string[]])[] = [
    ['env in (prod,,', 'env in (,prod)', "env in 'prod' ''"],
    ['env in (prod,', 'env in (prod)', "env in 'prod'"],
    ['env in (', undefined, 'env in'],
    ['env in', undefined, 'env in'],
    ['env in prod', undefined, 'env in'],
    ['env In (prod', undefined, "env In 'prod'"],
    ['app=web,!', 'app=web', "app = 'web'", '!'],
    ['app=web,,tier=db', 'app=web,tier=db', "app = 'web'", "tier = 'db'"],
    ['app=web tier=db,x', 'app=web,x', "app = 'web'", 'x'],
    ['x in (a,(b),c),y', 'y', "x in 'a' 'c'", 'y'],
    ['x in (a b,c),y', 'y', "x in 'a' 'c'", 'y'],
    ['-x=a,y=b', 'y=b', "-x = 'a'", "y = 'b'"],
  ];
  for (const [text, partial, ...tree] of cases) {
    it(text, () => assert.deepEqual(known(text), { tree, partial }));
  }

  it('has the position of every token', () => {
    const text = 'a in (b,,c), !d ,e==';
    const tokens = parseSelectorTree(text).tokens.map(
      ({ role, start, end }) => `${role} ${start}-${end} ${text.slice(start, end)}`,
    );
    assert.deepEqual(tokens, [
      'key 0-1 a',
      'operator 2-4 in',
      'open 5-6 (',
      'value 6-7 b',
      'comma 7-8 ,',
      'comma 8-9 ,',
      'value 9-10 c',
      'close 10-11 )',
      'comma 11-12 ,',
      'not 13-14 !',
      'key 14-15 d',
      'comma 16-17 ,',
      'key 17-18 e',
      'operator 18-20 ==',
    ]);
    const places = parseSelectorTree(text).requirements.map(({ start, end, values }) => [
      text.slice(start, end),
      values.map((value) => `${value.start}-${value.end}`),
    ]);
    assert.deepEqual(places, [
      ['a in (b,,c)', ['6-7', '8-8', '9-10']],
      ['!d', []],
      ['e==', ['20-20']],
    ]);
  });
});

describe('a selector text with unknown parts', () => {
  /** Placeholders are written `<NAME>`, and NAME is their id. */
  function parseWithPlaceholders(text: string) {
    const placeholders = [...text.matchAll(/<(\w+)>/g)].map((match) => ({
      start: match.index,
      end: match.index + match[0].length,
      id: match[1] ?? '',
    }));
    return parseSelector(text, placeholders);
  }

  it('has unknown values', () => {
    assert.deepEqual(parseWithPlaceholders('app=<A>,env in (b,<B>,web-<A>-<B>)'), {
      ok: true,
      value: {
        kind: 'all',
        requirements: [
          { key: 'app', operator: '=', values: [{ unknown: 'A' }] },
          {
            key: 'env',
            operator: 'in',
            values: ['b', { unknown: 'B' }, { unknown: 'web-{A}-{B}', pattern: 'web-*-*' }],
          },
        ],
      },
    });
  });

  it('is open if a key is unknown', () => {
    const requirements = [{ key: 'a', operator: 'exists', values: [] }];
    assert.deepEqual(parseWithPlaceholders('a,<K>=b'), { ok: true, value: { kind: 'all', requirements, open: true } });
    assert.deepEqual(parseWithPlaceholders('<ALL>'), {
      ok: true,
      value: { kind: 'all', requirements: [], open: true },
    });
  });
});

describe('a selector of a megabyte', () => {
  /**
   * Quadratic work on a megabyte would take minutes, so the time limit of the test distinguishes it from linear work.
   */
  const parts = [
    'a,',
    'x in (a,',
    '(',
    '!',
    'a b ',
    'a=b,',
    'é',
    'a/',
    '\ud83d',
    'x in (a),',
    '-=-,',
    ',',
    'x in (a b ',
  ];
  for (const part of parts) {
    it(`of ${JSON.stringify(part)}`, () => {
      const text = part.repeat(Math.ceil(2 ** 20 / part.length));
      const tree = parseSelectorTree(text);
      assert.equal(
        tree.tokens.reduce((length, token) => length + token.text.length, 0),
        text.replaceAll(' ', '').length,
      );
    });
  }
});
