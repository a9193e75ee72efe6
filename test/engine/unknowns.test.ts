/** Tests that unknown values never make a result wrong, in evaluation, in the algebra and in the indexes. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  compile,
  equivalent,
  evaluate,
  implies,
  isUnknown,
  LabelIndex,
  matches,
  overlap,
  type Requirement,
  type Selector,
  SelectorIndex,
  satisfiable,
  simplify,
  type Value,
} from '../../server/src/engine/index.ts';
import { keys, labels, labelsOf, partlyUnknown, states, unknown } from './universe.ts';

/** The possible values of every unknown in the universe: values that fit its pattern. */
const worlds = fc.record({
  p: fc.constantFrom('', 'a', '2', 'not a value'),
  q: fc.constantFrom('', 'a', '2', 'b'),
  r: fc.constantFrom('a', 'ab', 'a2'),
  s: fc.constantFrom('2', '02', 'a2', '-2'),
});
type World = Readonly<Record<string, string>>;

const unknownLabels = fc
  .tuple(...keys.map(() => fc.oneof(fc.constantFrom(...states), unknown)))
  .map((chosen) => labelsOf<Value>(new Map(keys.map((name, index) => [name, chosen[index]]))));

function settle(value: Value, world: World): string {
  return isUnknown(value) ? (world[value.unknown] ?? '') : value;
}

function settleSelector(selector: Selector, world: World): Selector {
  if (selector.kind !== 'all') return selector;
  const requirements = selector.requirements.map((r) => ({
    ...r,
    values: r.values.map((value) => settle(value, world)),
  }));
  return { kind: 'all', requirements };
}

describe('unknown values', () => {
  it('never cause a wrong certain answer', () => {
    fc.assert(
      fc.property(partlyUnknown, unknownLabels, worlds, fc.boolean(), labels, (one, set, world, open, more) => {
        const answer = evaluate(one, { labels: set, open });
        const settled = Object.fromEntries(Object.entries(set).map(([key, value]) => [key, settle(value, world)]));
        const truth = matches(settleSelector(one, world), open ? { ...more, ...settled } : settled);
        if (answer !== 'maybe') assert.equal(truth, answer === 'yes');
      }),
      { numRuns: 4000 },
    );
  });

  it('never cause a wrong answer of the algebra', () => {
    fc.assert(
      fc.property(partlyUnknown, partlyUnknown, worlds, (a, b, world) => {
        const settledA = settleSelector(a, world);
        const settledB = settleSelector(b, world);
        if (!satisfiable(a)) assert.ok(!satisfiable(settledA));
        if (!overlap(a, b).overlaps) assert.ok(!overlap(settledA, settledB).overlaps);
        if (implies(a, b)) assert.ok(implies(settledA, settledB));
        assert.ok(equivalent(settledA, settleSelector(simplify(a), world)));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('indexes', () => {
  const labelSet = fc.record({ labels: unknownLabels, open: fc.boolean() });

  const labelChanges = fc.array(fc.tuple(fc.nat(9), fc.option(labelSet)));

  it('find the label sets that a loop finds, also after changes', () => {
    fc.assert(
      fc.property(labelChanges, fc.nat(9), partlyUnknown, (changes, early, one) => {
        const index = new LabelIndex<number>();
        const present = new Map<number, { labels: Record<string, Value>; open: boolean }>();
        for (const [number, [id, set]] of changes.entries()) {
          // A result that was requested early is kept up to date.
          if (number === early) index.find(one);
          if (set) index.add(id, set);
          else index.remove(id);
          if (set) present.set(id, set);
          else present.delete(id);
        }
        const expected = [...present].map(([id, labelSet]) => ({ id, answer: evaluate(one, labelSet), labelSet }));
        const found = index.find(one).toSorted((a, b) => a.id - b.id);
        assert.deepEqual(
          found,
          expected.filter(({ answer }) => answer !== 'no').toSorted((a, b) => a.id - b.id),
        );
      }),
    );
  });

  it('count the keys and values that a loop counts, also after changes', () => {
    fc.assert(
      fc.property(labelChanges, fc.nat(9), (changes, early) => {
        const index = new LabelIndex<number>();
        const counted = () => ({
          keys: Object.fromEntries(index.keyCounts()),
          values: keys.map((key) => Object.fromEntries(index.valueCounts(key))),
        });
        const present = new Map<number, { labels: Record<string, Value>; open: boolean }>();
        for (const [number, [id, set]] of changes.entries()) {
          if (number === early) counted();
          if (set) index.add(id, set);
          else index.remove(id);
          if (set) present.set(id, set);
          else present.delete(id);
        }
        const labels = [...present.values()].flatMap((set) => Object.entries(set.labels));
        const valuesOf = (key: string) => labels.flatMap(([each, value]) => (each === key ? value : []));
        assert.deepEqual(counted(), {
          keys: timesOf(labels.map(([key]) => key)),
          values: keys.map((key) => timesOf(valuesOf(key).filter((value) => typeof value === 'string'))),
        });
      }),
    );
  });

  it('find the selectors that a loop finds, also after changes', () => {
    const any = fc.oneof(partlyUnknown, fc.constant<Selector>({ kind: 'nothing' }));
    const some = fc.array(any, { minLength: 1, maxLength: 4 });
    const which = fc.array(fc.tuple(fc.nat(9), fc.option(fc.nat(3))));
    fc.assert(
      fc.property(some, which, labelSet, (selectors, changes, set) => {
        const index = new SelectorIndex<number>();
        const present = new Map<number, Selector>();
        for (const [id, number] of changes) {
          // Several ids may have an identical selector.
          const one = number === null ? undefined : selectors[number % selectors.length];
          if (one) index.add(id, one);
          else index.remove(id);
          if (one) present.set(id, one);
          else present.delete(id);
        }
        const expected = [...present].map(([id, selector]) => ({ id, answer: evaluate(selector, set), selector }));
        const found = index.find(set).toSorted((a, b) => a.id - b.id);
        assert.deepEqual(
          found,
          expected.filter(({ answer }) => answer !== 'no').toSorted((a, b) => a.id - b.id),
        );
      }),
    );
  });
});

describe('an index of selectors', () => {
  const key = fc.constantFrom(...keys);
  const values = fc.uniqueArray(fc.constantFrom('', 'a', '2', 'b'), { maxLength: 2 });
  const change = fc.tuple(fc.nat(9), fc.option(partlyUnknown));

  it('finds selectors by key, and by value or other requirements, also after changes', () => {
    fc.assert(
      fc.property(fc.array(change), fc.nat(9), key, values, fc.boolean(), (changes, early, key, values, also) => {
        const index = new SelectorIndex<number>();
        const present = new Map<number, Selector>();
        for (const [number, [id, one]] of changes.entries()) {
          // A result that was requested early is kept up to date.
          if (number === early) index.having(key, values);
          if (one) index.add(id, one);
          else index.remove(id);
          if (one) present.set(id, one);
          else present.delete(id);
        }
        const isMeant = (requirement: Requirement) => {
          if (requirement.key !== key) return false;
          if (values.length === 0 || values.some((value) => requirement.values.includes(value))) return true;
          const names = ['=', '==', '!=', 'in', 'notin'].includes(requirement.operator);
          return also && !(names && requirement.values.every((value) => typeof value === 'string'));
        };
        const asking = [...present].filter(([, one]) => one.kind === 'all' && one.requirements.some(isMeant));
        assert.deepEqual(index.having(key, values, () => also).toSorted(), asking.map(([id]) => id).toSorted());
      }),
    );
  });
});

describe('compiled selectors', () => {
  it('return the same as evaluate', () => {
    fc.assert(
      fc.property(partlyUnknown, labels, (one, set) => {
        assert.equal(compile(one).matches(set), evaluate(one, { labels: set }) === 'yes');
      }),
    );
  });
});

function timesOf(texts: readonly string[]): Readonly<Record<string, number>> {
  const times = new Map<string, number>();
  for (const text of texts) times.set(text, (times.get(text) ?? 0) + 1);
  return Object.fromEntries(times);
}
