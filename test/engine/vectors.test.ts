/**
 * Tests that the engine agrees with the recorded behavior of Kubernetes, line by line. test/vectors/README.md has the
 * format (requirement D1).
 */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { catalogue, immutableChanges } from '../../server/src/engine/catalogue/index.ts';
import {
  equivalent,
  evaluate,
  type FieldSelector,
  format,
  fromLabelSelector,
  fromNodeSelector,
  type LabelSelector,
  matches,
  matchesFields,
  matchesNode,
  type NameRule,
  type Node,
  overlap,
  type Parsed,
  parseFieldSelector,
  parseSelector,
  type Requirement,
  toLabelSelector,
  validateAnnotationKey,
  validateAnnotations,
  validateLabelKey,
  validateLabelValue,
  validateName,
} from '../../server/src/engine/index.ts';
import { requirementsOf } from './universe.ts';

const readme = readFileSync(new URL('../vectors/README.md', import.meta.url), 'utf8');

type Labels = Record<string, string>;

function sound<T>(parsed: Parsed<T>): T {
  assert.ok(parsed.ok, parsed.ok ? '' : parsed.problems.map((problem) => problem.message).join('; '));
  return parsed.value;
}

/** One test per file: every line goes through `check`, and the title contains the number of lines. */
function file<Line extends object>(name: string, check: (line: Line) => void): void {
  const path = new URL(`../vectors/${name}.jsonl`, import.meta.url);
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  it(`${name}: ${lines.length} lines`, () => {
    assert.notEqual(lines.length, 0);
    assert.match(readme, new RegExp(`^\\| \`${name}\\.jsonl\` \\| ${lines.length} \\| `, 'm'));
    for (const [index, text] of lines.entries()) {
      try {
        check(JSON.parse(text));
      } catch (cause) {
        throw new Error(`${name}.jsonl:${index + 1}: ${text}`, { cause });
      }
    }
  });
}

/** A key or value: as many problems as reasons, each with a span inside the text. */
function checkText(validate: (text: string) => readonly { start?: number; end?: number }[]) {
  return ({ input, ok, reasons }: { input: string; ok: boolean; reasons: number }): void => {
    const problems = validate(input);
    assert.equal(problems.length, reasons);
    assert.equal(problems.length === 0, ok);
    for (const { start = -1, end = -1 } of problems) assert.ok(0 <= start && start <= end && end <= input.length);
  };
}

describe('vectors', () => {
  file<{ input: string; ok: boolean; requirements: Requirement[]; canonical: string }>('selector-parse', (line) => {
    const parsed = parseSelector(line.input);
    assert.equal(parsed.ok, line.ok);
    if (!parsed.ok) return;
    assert.deepEqual(requirementsOf(parsed.value), line.requirements);
    assert.equal(format(parsed.value, 'canonical'), line.canonical);
    assert.deepEqual(parseSelector(line.canonical), parsed);
  });

  file<{ selector: string; labels: Labels; match: boolean }>('selector-match', (line) => {
    const selector = sound(parseSelector(line.selector));
    assert.equal(matches(selector, line.labels), line.match);
    assert.equal(evaluate(selector, { labels: line.labels }), line.match ? 'yes' : 'no');
  });

  file<{
    labelSelector: LabelSelector | null;
    labels: Labels;
    ok: boolean;
    match: boolean;
    string: string;
    validationErrors: number;
  }>('label-selector', (line) => {
    const parsed = fromLabelSelector(line.labelSelector);
    assert.equal(parsed.ok, line.ok);
    assert.equal(parsed.ok ? 0 : parsed.problems.length, line.validationErrors);
    if (!parsed.ok) return;
    assert.equal(matches(parsed.value, line.labels), line.match);
    assert.equal(format(parsed.value, 'canonical'), line.string === '<none>' ? '' : line.string);
  });

  file('label-key', checkText(validateLabelKey));
  file('label-value', checkText(validateLabelValue));
  file('annotation-key', checkText(validateAnnotationKey));

  file<{ entries: { key: string; char: string; repeat: number }[]; ok: boolean }>('annotation-size', (line) => {
    const annotations = Object.fromEntries(line.entries.map(({ key, char, repeat }) => [key, char.repeat(repeat)]));
    assert.equal(validateAnnotations(annotations).length === 0, line.ok);
  });

  type NameLine = { input: string; generateName: Record<NameRule, boolean> } & Record<NameRule, boolean>;
  file<NameLine>('name', (line) => {
    for (const rule of ['dns1123Subdomain', 'dns1123Label', 'dns1035Label', 'pathSegment'] as const) {
      assert.equal(validateName(rule, line.input).length === 0, line[rule], rule);
      assert.equal(validateName(rule, line.input, { prefix: true }).length === 0, line.generateName[rule], rule);
    }
  });

  type FieldLine = FieldSelector & { input: string; ok: boolean; canonical: string; fields: Labels; match: boolean };
  file<FieldLine>('field-selector', (line) => {
    const parsed = parseFieldSelector(line.input);
    assert.equal(parsed.ok, line.ok);
    if (!parsed.ok) return;
    assert.deepEqual(parsed.value.requirements, line.requirements);
    assert.equal(format(parsed.value, 'canonical'), line.canonical);
    assert.equal(matchesFields(parsed.value, line.fields), line.match);
  });

  file<{ nodeSelector: unknown; node: Node; ok: boolean; match: boolean }>('node-selector', (line) => {
    const parsed = fromNodeSelector(line.nodeSelector);
    assert.equal(parsed.ok, line.ok);
    const selector = parsed.ok ? parsed.value : parsed.partial;
    assert.ok(selector);
    assert.equal(matchesNode(selector, line.node), line.match);
  });

  file<{ a: string; b: string; overlap: boolean }>('overlap', (line) => {
    const a = sound(parseSelector(line.a));
    const b = sound(parseSelector(line.b));
    const { overlaps, witness } = overlap(a, b);
    assert.equal(overlaps, line.overlap);
    assert.equal(witness !== undefined, overlaps);
    if (!witness) return;
    assert.ok(matches(a, witness) && matches(b, witness), JSON.stringify(witness));
    for (const [key, value] of Object.entries(witness)) {
      assert.deepEqual([...validateLabelKey(key), ...validateLabelValue(value)], []);
    }
  });

  file<{ input: string; ok: boolean; labelSelector: LabelSelector }>('selector-to-label-selector', (line) => {
    if (!line.ok) return;
    const selector = sound(parseSelector(line.input));
    const structured = sound(toLabelSelector(selector));
    const back = sound(fromLabelSelector(structured));
    assert.ok(equivalent(back, selector));
  });

  file<{ old: unknown; new: unknown; refused: string[]; noEffect?: string[] }>('immutable', (line) => {
    const paths = (changes: readonly { readonly path: string }[]) => changes.map(({ path }) => path).toSorted();
    assert.deepEqual(paths(immutableChanges(line.old, line.new)), line.refused.toSorted());
    assert.deepEqual(paths(catalogue.ignoredChanges(line.old, line.new)), (line.noEffect ?? []).toSorted());
  });
});
