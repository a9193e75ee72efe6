/** Tests the relations of two selectors with examples; the properties test them with random selectors. */

import assert from 'node:assert/strict';
import {
  equivalent,
  format,
  implies,
  overlap,
  type Requirement,
  satisfiable,
  simplify,
} from '../../server/src/engine/index.ts';
import { parse } from './universe.ts';

/** All ways to write an integer as a label value. */
function spellings(integer: bigint): string {
  const digits = String(integer);
  return Array.from({ length: 64 - digits.length }, (_, zeros) => '0'.repeat(zeros) + digits).join(',');
}

describe('satisfiable', () => {
  for (const text of [
    'a=1,a=2',
    'a,!a',
    'a in (x),a notin (x)',
    'a>5,a<3',
    'a>5,a<6',
    'a<0',
    'a>9223372036854775807',
    'a=x,a>1',
    `a>5,a<7,a notin (${spellings(6n)})`,
  ]) {
    it(`never: ${text.slice(0, 40)}`, () => assert.ok(!satisfiable(parse(text))));
  }
  for (const text of [
    '',
    '!a',
    'a!=1,a!=2',
    'a notin (x),!a',
    'a>5,a<7',
    'a>5,a<7,a!=6',
    'a<1',
    'a>9223372036854775806',
    'a=007,a>6,a<8',
    `a>5,a<8,a notin (${spellings(6n)})`,
  ]) {
    it(`sometimes: ${text.slice(0, 40)}`, () => assert.ok(satisfiable(parse(text))));
  }
});

describe('overlap', () => {
  const cases: readonly (readonly [a: string, b: string, witness: object | undefined])[] = [
    ['app=web', 'app=api', undefined],
    ['app=web', 'tier=db', { app: 'web', tier: 'db' }],
    ['app in (a,b)', 'app notin (a)', { app: 'b' }],
    ['app', 'app!=any,app!=any-1', { app: 'any-2' }],
    ['x>5', 'x<7,x!=6', { x: '06' }],
    ['!x', 'x notin (a)', {}],
    ['', '', {}],
  ];
  for (const [a, b, witness] of cases) {
    it(`of '${a}' and '${b}'`, () => {
      assert.deepEqual(overlap(parse(a), parse(b)), witness ? { overlaps: true, witness } : { overlaps: false });
    });
  }

  it('is never with nothing', () => {
    assert.deepEqual(overlap({ kind: 'nothing' }, parse('')), { overlaps: false });
  });
});

describe('implies', () => {
  const cases: readonly (readonly [a: string, b: string])[] = [
    ['app=web', 'app'],
    ['app=web', 'app in (web,api)'],
    ['app=web,tier=db', 'app=web'],
    ['app=web', 'app!=api'],
    ['!app', 'app notin (a,b)'],
    ['x>5', 'x>4'],
    ['x>5,x<7', 'x>5,x<8,x!=7,x'],
    [`x>5,x<8,x notin (${spellings(6n)})`, 'x>6'],
    [`x>5,x<8,x notin (${spellings(7n)})`, 'x<7'],
    ['x<3', 'x!=a'],
    ['a=1,a=2', 'b'],
    ['x=1', ''],
  ];
  for (const [a, b] of cases) {
    it(`'${a.slice(0, 40)}' implies '${b.slice(0, 40)}' and not the other way round`, () => {
      assert.ok(implies(parse(a), parse(b)));
      assert.ok(!implies(parse(b), parse(a)));
    });
  }
  it('supports all spellings of the largest number', () => {
    assert.ok(equivalent(parse('x>9223372036854775806'), parse(`x in (${spellings(9223372036854775807n)})`)));
  });

  it('distinguishes a number from its spelling', () => {
    assert.ok(!implies(parse('x>5,x<7'), parse('x=6')));
    assert.ok(implies(parse('x=6'), parse('x>5,x<7')));
  });
});

describe('simplify', () => {
  const cases: readonly (readonly [text: string, simple: string])[] = [
    ['a=1,a', 'a=1'],
    ['a=1,a==1,a in (1)', 'a=1'],
    ['a=1,a!=2,a in (1,2),b', 'a=1,b'],
    ['a!=1,a notin (1,2)', 'a notin (1,2)'],
    ['!a,a!=1', '!a'],
    ['a>5,a>3,a', 'a>5'],
    ['a in (1,2),a in (2,3)', 'a in (1,2),a in (2,3)'],
    ['a=1,a=2,b,c=3', 'a=1,a=2'],
    ['a,b', 'a,b'],
  ];
  for (const [text, simple] of cases) {
    it(`'${text}' to '${simple}'`, () => assert.equal(format(simplify(parse(text)), 'canonical'), simple));
  }
});

describe('unknown values in relations', () => {
  const all = (...requirements: Requirement[]) => ({ kind: 'all', requirements }) as const;
  const u = { unknown: 'u' };

  it('imply themselves', () => {
    assert.ok(implies(all({ key: 'a', operator: '=', values: [u] }), all({ key: 'a', operator: 'in', values: [u] })));
    assert.ok(implies(all({ key: 'a', operator: '=', values: [u] }), parse('a')));
    assert.ok(!implies(all({ key: 'a', operator: '=', values: [u] }), parse('a=x')));
    assert.ok(implies(parse('a=x'), all({ key: 'a', operator: 'in', values: ['x', u] })));
    assert.ok(implies(parse('!a'), all({ key: 'a', operator: 'notin', values: ['x', u] })));
  });

  it('may overlap, without an example', () => {
    assert.deepEqual(overlap(all({ key: 'a', operator: '=', values: [u] }), parse('a=x')), { overlaps: true });
    assert.deepEqual(overlap(all({ key: 'a', operator: '=', values: [u] }), parse('!a')), { overlaps: false });
  });
});
