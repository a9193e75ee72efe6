/** Tests the parsing and writing of selectors in manifests (requirements A14, A34). */

import assert from 'node:assert/strict';
import {
  format,
  fromLabelSelector,
  fromMap,
  fromNodeSelector,
  fromPreferredTerms,
  matches,
  matchesNode,
  type Parsed,
  type Selector,
  toLabelSelector,
  toMap,
  toNodeSelectorTerm,
} from '../../server/src/engine/index.ts';
import { parse } from './universe.ts';

/** Each problem as its code and path. */
function faults(parsed: Parsed<unknown>): string[] {
  return parsed.ok ? [] : parsed.problems.map(({ code, path }) => `${code} ${path?.join('.')}`);
}

function printed(parsed: Parsed<Selector>): string | undefined {
  const selector = parsed.ok ? parsed.value : parsed.partial;
  return selector && (selector.kind === 'all' ? format(selector, 'canonical') : selector.kind);
}

describe('a label selector', () => {
  it('is nothing if it is null, and everything if it is empty', () => {
    assert.equal(printed(fromLabelSelector(null)), 'nothing');
    assert.equal(printed(fromLabelSelector(undefined)), 'nothing');
    for (const empty of [{}, { matchLabels: null }, { matchLabels: {}, matchExpressions: [] }]) {
      assert.equal(printed(fromLabelSelector(empty)), 'everything');
    }
  });

  it('ANDs its parts, ordered by key', () => {
    const parsed = fromLabelSelector({
      matchLabels: { tier: 'web', app: 'shop' },
      matchExpressions: [
        { key: 'env', operator: 'NotIn', values: ['prod', 'dev', 'prod'] },
        { key: 'app', operator: 'Exists', values: null },
        { key: 'old', operator: 'DoesNotExist' },
      ],
    });
    assert.equal(printed(parsed), 'app=shop,app,env notin (dev,prod,prod),!old,tier=web');
  });

  it('reports every fault with its path, and keeps valid parts', () => {
    const parsed = fromLabelSelector({
      matchLabels: { app: 'web', port: 80, 'a b': '-' },
      matchExpressions: [
        { key: 'a', operator: 'in', values: ['x'] },
        { key: 'b', operator: 'Exists', values: [''] },
        { key: 'c', operator: 'In' },
        { values: ['x', '-', true] },
        'd',
        { key: 'e', operator: 'Gt', values: ['5'] },
        { key: 'f', operator: 'In', values: 'x' },
      ],
    });
    assert.deepEqual(faults(parsed), [
      'wrong-type matchLabels.port',
      'name-syntax matchLabels.a b',
      'value-syntax matchLabels.a b',
      'operator-unknown matchExpressions.0.operator',
      'values-forbidden matchExpressions.1.values',
      'values-required matchExpressions.2.values',
      'wrong-type matchExpressions.3.values.2',
      'operator-unknown matchExpressions.3.operator',
      'name-empty matchExpressions.3.key',
      'name-syntax matchExpressions.3.key',
      'wrong-type matchExpressions.4',
      'operator-unknown matchExpressions.5.operator',
      'wrong-type matchExpressions.6.values',
    ]);
    assert.equal(printed(parsed), 'app=web');
  });

  it('is open if a key or operator is unknown', () => {
    const unknown = { unknown: 'u', pattern: 'web-*' };
    const parsed = fromLabelSelector({
      matchLabels: { app: unknown },
      matchExpressions: [
        { key: unknown, operator: 'Exists' },
        { key: 'b', operator: unknown, values: ['x'] },
      ],
    });
    const requirements = [{ key: 'app', operator: '=', values: [unknown] }];
    assert.deepEqual(parsed, { ok: true, value: { kind: 'all', requirements, open: true } });
  });

  it('does not change its input', () => {
    const given = {
      matchLabels: { b: '1', a: '2' },
      matchExpressions: [{ key: 'c', operator: 'In', values: ['z', 'y'] }],
    };
    const before = structuredClone(given);
    const parsed = fromLabelSelector(given);
    if (parsed.ok) format(parsed.value, 'canonical');
    assert.deepEqual(given, before);
  });
});

describe('a map', () => {
  it('requires each of its labels', () => {
    assert.equal(printed(fromMap({ tier: 'web', app: 'shop', empty: null })), 'app=shop,empty=,tier=web');
    assert.equal(printed(fromMap({})), 'everything');
    assert.equal(printed(fromMap(null)), 'everything');
  });

  it('reports every fault with its path', () => {
    assert.deepEqual(faults(fromMap({ a: 1, b: '-' })), ['wrong-type a', 'value-syntax b']);
    assert.deepEqual(faults(fromMap(['a'])), ['wrong-type ']);
  });

  it('may contain a key that every object inherits', () => {
    const parsed = fromMap(JSON.parse('{"constructor":"a","__proto__":"b"}'));
    assert.equal(printed(parsed), 'constructor=a');
    assert.deepEqual(faults(parsed), ['name-syntax __proto__']);
  });
});

describe('the structured form of a selector', () => {
  const cases: readonly (readonly [text: string, structured: unknown])[] = [
    ['app=web,tier==db', { matchLabels: { app: 'web', tier: 'db' } }],
    [
      'a in (x,y),b notin (z),c,!d',
      {
        matchExpressions: [
          { key: 'a', operator: 'In', values: ['x', 'y'] },
          { key: 'b', operator: 'NotIn', values: ['z'] },
          { key: 'c', operator: 'Exists' },
          { key: 'd', operator: 'DoesNotExist' },
        ],
      },
    ],
    ['a!=x', { matchExpressions: [{ key: 'a', operator: 'NotIn', values: ['x'] }] }],
    ['a=x,a=y', { matchLabels: { a: 'x' }, matchExpressions: [{ key: 'a', operator: 'In', values: ['y'] }] }],
    ['', {}],
  ];
  for (const [text, structured] of cases) {
    it(`of '${text}'`, () => assert.deepEqual(toLabelSelector(parse(text)), { ok: true, value: structured }));
  }

  it('is null for nothing', () => {
    assert.deepEqual(toLabelSelector({ kind: 'nothing' }), { ok: true, value: null });
  });

  it('does not exist for numbers; the rest is preserved', () => {
    const parsed = toLabelSelector(parse('a=x,b>5'));
    assert.deepEqual(faults(parsed), ['not-expressible 1']);
    assert.deepEqual(!parsed.ok && parsed.partial, { matchLabels: { a: 'x' } });
  });
});

describe('the map of a selector', () => {
  it('has one value for each key', () => {
    assert.deepEqual(toMap(parse('a=x,b in (y)')), { ok: true, value: { a: 'x', b: 'y' } });
    assert.deepEqual(toMap(parse('')), { ok: true, value: {} });
  });

  it('does not exist for any other selector', () => {
    const parsed = toMap(parse('a=x,a=y,b in (y,z),c!=x,d'));
    assert.deepEqual(
      faults(parsed),
      [1, 2, 3, 4].map((index) => `not-expressible ${index}`),
    );
    assert.deepEqual(!parsed.ok && parsed.partial, { a: 'x' });
    assert.deepEqual(faults(toMap({ kind: 'nothing' })), ['not-expressible ']);
    assert.deepEqual(faults(toMap({ kind: 'all', requirements: [], open: true })), ['not-expressible ']);
  });
});

describe('the node selector term of a selector', () => {
  it('has a form for every operator', () => {
    const term = toNodeSelectorTerm(parse('a=x,b!=y,c>5,d<5,e,!f,g in (x,y),h notin (z)'));
    const back = fromNodeSelector({ nodeSelectorTerms: [term.ok && term.value] });
    assert.ok(back.ok);
    const requirements = back.value.terms[0]?.labels ?? [];
    assert.equal(
      format({ kind: 'all', requirements }, 'canonical'),
      'a in (x),b notin (y),c>5,d<5,e,!f,g in (x,y),h notin (z)',
    );
  });

  it('is empty for nothing, and does not exist for everything', () => {
    assert.deepEqual(toNodeSelectorTerm({ kind: 'nothing' }), { ok: true, value: {} });
    assert.deepEqual(faults(toNodeSelectorTerm(parse(''))), ['not-expressible ']);
  });
});

describe('a node selector', () => {
  const zone = { key: 'zone', operator: 'In', values: ['a'] };
  const cores = { key: 'cores', operator: 'Gt', values: ['8'] };

  it('matches if one of its terms matches', () => {
    const parsed = fromNodeSelector({
      nodeSelectorTerms: [
        { matchExpressions: [zone, cores] },
        { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }] },
      ],
    });
    assert.ok(parsed.ok);
    assert.ok(matchesNode(parsed.value, { name: 'n2', labels: { zone: 'a', cores: '16' } }));
    assert.ok(!matchesNode(parsed.value, { name: 'n2', labels: { zone: 'a', cores: '8' } }));
    assert.ok(matchesNode(parsed.value, { name: 'n1', labels: {} }));
  });

  it('matches nothing without terms', () => {
    for (const empty of [{}, { nodeSelectorTerms: [] }, { nodeSelectorTerms: [null, {}, { matchExpressions: [] }] }]) {
      const parsed = fromNodeSelector(empty);
      assert.deepEqual(parsed, { ok: true, value: { terms: [] } });
      assert.ok(parsed.ok && !matchesNode(parsed.value, { name: 'n', labels: {} }));
    }
  });

  it('uses its valid terms', () => {
    const parsed = fromNodeSelector({
      nodeSelectorTerms: [
        { matchExpressions: [{ key: 'cores', operator: 'Gt', values: ['8', 'x'] }] },
        { matchExpressions: [zone] },
      ],
    });
    assert.deepEqual(faults(parsed), [
      'value-count nodeSelectorTerms.0.matchExpressions.0.values',
      'value-not-integer nodeSelectorTerms.0.matchExpressions.0.values.1',
    ]);
    assert.ok(!parsed.ok && parsed.partial && matchesNode(parsed.partial, { name: 'n', labels: { zone: 'a' } }));
  });

  it('may prefer with weights from 1 to 100', () => {
    const preference = { matchExpressions: [zone] };
    const parsed = fromPreferredTerms([
      { weight: 1, preference },
      { weight: 100, preference },
      { weight: 0, preference },
      { weight: 101, preference },
      { weight: '5', preference },
    ]);
    assert.deepEqual(faults(parsed), ['weight-range 2.weight', 'weight-range 3.weight', 'weight-range 4.weight']);
    const terms = parsed.ok ? [] : (parsed.partial ?? []);
    assert.deepEqual(
      terms.map(({ weight, term }) => [weight, term.labels.length]),
      [
        [1, 1],
        [100, 1],
      ],
    );
  });
});

describe('a converted selector', () => {
  it('matches what the text matches', () => {
    for (const text of ['a!=x', 'a=x,a=y', 'a=x,a=x', 'a in (x,y),a!=y,!b']) {
      const structured = toLabelSelector(parse(text));
      const back = fromLabelSelector(structured.ok && structured.value);
      assert.ok(back.ok);
      for (const labels of [{}, { a: 'x' }, { a: 'y' }, { a: 'x', b: '' }]) {
        assert.equal(matches(back.value, labels), matches(parse(text), labels), `${text} ${JSON.stringify(labels)}`);
      }
    }
  });
});
