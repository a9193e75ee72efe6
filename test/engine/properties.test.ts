/** Tests properties of all selectors with random ones. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  describe as describeSelector,
  equivalent,
  evaluate,
  explain,
  format,
  fromLabelSelector,
  fromMap,
  fromNodeSelector,
  fromPreferredTerms,
  implies,
  isLabelKey,
  isLabelValue,
  matches,
  overlap,
  parseFieldSelector,
  parseSelector,
  parseSelectorTree,
  type Selector,
  satisfiable,
  simplify,
  toLabelSelector,
  toMap,
  toNodeSelectorTerm,
  validateAnnotationKey,
  validateLabelKey,
  validateLabelValue,
  validateName,
} from '../../server/src/engine/index.ts';
import { labelSets, parse, requirementsOf, selector, unknown } from './universe.ts';

/** Requirements on one key, whose states can all be evaluated. */
const aboutX = selector.map((one) =>
  parse(
    requirementsOf(one)
      .map((r) => format({ kind: 'all', requirements: [{ ...r, key: 'x' }] }, 'canonical'))
      .join(','),
  ),
);
const selectsSome = (one: Selector): boolean => [...labelSets(['x'])].some((set) => matches(one, set));

describe('selectors as text', () => {
  it('are parsed as they were printed', () => {
    fc.assert(
      fc.property(selector, (one) => {
        const text = format(one, 'canonical');
        const read = parse(text);
        assert.equal(format(read, 'canonical'), text);
        assert.deepEqual(
          requirementsOf(read),
          requirementsOf(one).map((r) => ({ ...r, values: [...new Set(r.values)].toSorted() })),
        );
      }),
    );
  });

  it('have spans that tile the text, and the same problems as the selector', () => {
    fc.assert(
      fc.property(noise, (text) => {
        const tree = parseSelectorTree(text);
        let last = 0;
        for (const token of tree.tokens) {
          assert.ok(last <= token.start && token.start < token.end);
          assert.equal(token.text, text.slice(token.start, token.end));
          assert.match(text.slice(last, token.start), /^[ \t\r\n\0]*$/);
          last = token.end;
        }
        for (const { start = -1, end = -1 } of tree.problems)
          assert.ok(0 <= start && start <= end && end <= text.length);
        const parsed = parseSelector(text);
        assert.equal(parsed.ok, tree.problems.length === 0);
        if (parsed.ok) assert.equal(tree.requirements.length, requirementsOf(parsed.value).length);
      }),
    );
  });
});

/** Text that is nearly a selector. */
const noise = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...'=!<>(),  \t\n\0',
        '==',
        '!=',
        'in',
        'notin',
        'IN',
        ' in (',
        'x',
        'a',
        'k8s.io/x',
        '5',
        '-',
        '\\',
        '/',
        'é',
        '\ud800',
        '\ufeff',
      ),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    { maxLength: 24 },
  )
  .map((parts) => parts.join(''));

describe('any input', () => {
  it('is parsed without an exception, as text', () => {
    fc.assert(
      fc.property(noise, (text) => {
        const parsed = parseSelector(text);
        const selector = parsed.ok ? parsed.value : parsed.partial;
        if (selector) everythingAbout(selector, { [text]: text });
        const fields = parseFieldSelector(text);
        if (fields.ok) for (const style of ['canonical', 'kubectl', 'url'] as const) format(fields.value, style);
        validateLabelKey(text);
        validateLabelValue(text);
        validateAnnotationKey(text);
        for (const rule of ['dns1123Subdomain', 'dns1123Label', 'dns1035Label', 'pathSegment'] as const) {
          for (const prefix of [true, false]) {
            for (const { start = -1, end = -1 } of validateName(rule, text, { prefix })) {
              assert.ok(0 <= start && start <= end && end <= text.length, `${rule} ${JSON.stringify(text)}`);
            }
          }
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('is parsed without an exception, as data', () => {
    const field = fc.constantFrom(
      'matchLabels',
      'matchExpressions',
      'key',
      'operator',
      'values',
      'unknown',
      '__proto__',
      'nodeSelectorTerms',
      'matchFields',
      'weight',
      'preference',
    );
    const leaf = fc.oneof(fc.constantFrom('In', 'Exists', 'Gt', 'x', '', '5', '-'), fc.anything(), unknown);
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof({ maxDepth: 5 }, leaf, fc.dictionary(field, tie('tree')), fc.array(tie('tree'))),
    }));
    fc.assert(
      fc.property(tree, (data) => {
        for (const parsed of [fromLabelSelector(data), fromMap(data)]) {
          const selector = parsed.ok ? parsed.value : parsed.partial;
          if (selector) everythingAbout(selector, { x: '5' });
        }
        fromNodeSelector(data);
        fromPreferredTerms(data);
      }),
      { numRuns: 1000 },
    );
  });
});

function everythingAbout(selector: Selector, set: Record<string, string>): void {
  describeSelector(selector);
  explain(selector, { labels: set });
  assert.equal(evaluate(selector, { labels: set }) === 'yes', matches(selector, set));
  toLabelSelector(selector);
  if (selector.kind !== 'all' || !selector.open) assert.ok(equivalent(selector, selector));
  assert.equal(overlap(selector, simplify(selector)).overlaps, satisfiable(selector));
  for (const style of ['canonical', 'kubectl', 'url'] as const) format(selector, style);
}

describe('conversions', () => {
  it('preserve the meaning, in every form that exists', () => {
    fc.assert(
      fc.property(selector, (one) => {
        const term = toNodeSelectorTerm(one);
        if (term.ok) assert.ok(equivalent(termSelector(term.value), one));
        else assert.equal(one.kind, 'everything');

        const isComparison = requirementsOf(one).some(({ operator }) => operator === 'gt' || operator === 'lt');
        const structured = toLabelSelector(one);
        assert.equal(structured.ok, !isComparison);
        const back = fromLabelSelector(structured.ok && structured.value);
        if (structured.ok) assert.ok(back.ok && equivalent(back.value, one));

        const map = toMap(one);
        const fromIt = fromMap(map.ok && map.value);
        if (map.ok) assert.ok(fromIt.ok && equivalent(fromIt.value, one));
      }),
      { numRuns: 1000 },
    );
  });
});

function termSelector(term: unknown): Selector {
  const parsed = fromNodeSelector({ nodeSelectorTerms: [term] });
  assert.ok(parsed.ok);
  return { kind: 'all', requirements: parsed.value.terms.flatMap(({ labels }) => labels) };
}

describe('algebra', () => {
  it('finds a selector satisfiable if some label set satisfies it', () => {
    fc.assert(
      fc.property(aboutX, (one) => satisfiable(one) === selectsSome(one)),
      { numRuns: 2000 },
    );
  });

  it('finds an overlap if some label set satisfies both, with a valid example', () => {
    fc.assert(
      fc.property(aboutX, aboutX, (a, b) => {
        const { overlaps, witness } = overlap(a, b);
        assert.equal(
          overlaps,
          [...labelSets(['x'])].some((set) => matches(a, set) && matches(b, set)),
        );
        if (!overlaps) return;
        assert.ok(witness && matches(a, witness) && matches(b, witness));
        assert.ok(Object.entries(witness).every(([key, value]) => isLabelKey(key) && isLabelValue(value)));
      }),
      { numRuns: 2000 },
    );
  });

  it('finds an implication if every label set that satisfies one satisfies the other', () => {
    fc.assert(
      fc.property(aboutX, aboutX, (a, b) => {
        assert.equal(
          implies(a, b),
          [...labelSets(['x'])].every((set) => !matches(a, set) || matches(b, set)),
        );
      }),
      { numRuns: 4000 },
    );
  });

  it('treats keys as independent', () => {
    const over = ['x', 'y'];
    const aboutXY = selector.filter((one) => requirementsOf(one).every(({ key }) => over.includes(key)));
    fc.assert(
      fc.property(aboutXY, aboutXY, (a, b) => {
        const all = [...labelSets(over)];
        assert.equal(
          implies(a, b),
          all.every((set) => !matches(a, set) || matches(b, set)),
        );
        assert.equal(
          overlap(a, b).overlaps,
          all.some((set) => matches(a, set) && matches(b, set)),
        );
      }),
      { numRuns: 200 },
    );
  });

  it('simplifies to an equivalent selector without redundant requirements', () => {
    fc.assert(
      fc.property(selector, (one) => {
        const simple = simplify(one);
        assert.ok(equivalent(one, simple));
        const left = requirementsOf(simple);
        left.forEach((_, index) => {
          assert.ok(!equivalent({ kind: 'all', requirements: left.toSpliced(index, 1) }, simple));
        });
      }),
      { numRuns: 1000 },
    );
  });
});
