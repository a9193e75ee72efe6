/** Tests that every text is parsed, however broken or hostile it is, and that every span is inside of it. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { typingTargetAt } from '../../server/src/manifests/cursor/parse-with-marker.ts';
import { readKustomization } from '../../server/src/manifests/kustomize/kustomization.ts';
import { readManifest } from '../../server/src/manifests/parse-manifest.ts';
import { readStories } from '../harness/folders.ts';
import { spansOf } from '../manifests/outline.ts';

const texts = readStories().flatMap((folder) => folder.files.map((file) => file.text));
const text = fc.constantFrom(...texts);

/** Parses a text and checks every span. */
function read(source: string): number {
  const manifest = readManifest(source, catalogue);
  for (const span of spansOf(manifest)) {
    assert.ok(0 <= span.start && span.start <= span.end && span.end <= source.length, JSON.stringify({ span, source }));
  }
  return manifest.objects.length;
}

describe('any manifest', () => {
  it('is parsed, truncated anywhere', () => {
    fc.assert(
      fc.property(text, fc.nat(), fc.nat(), (whole, a, b) => {
        const [start, end] = [a % whole.length, b % whole.length].toSorted((x, y) => x - y);
        read(whole.slice(start, end));
        read(whole.slice(0, end));
      }),
      { numRuns: 300 },
    );
  });

  it('is parsed with its parts scrambled', () => {
    const piece = fc.tuple(text, fc.nat(), fc.integer({ min: 1, max: 40 })).map(([whole, at, length]) => {
      const start = at % whole.length;
      return whole.slice(start, start + length);
    });
    const sign = fc.constantFrom(
      ...':-#{}[]&*!|>\'"%@`,?\n\r\t \u0000\ufeff\ud800',
      '{{',
      '}}',
      '---\n',
      '<<: *a',
      '&a ',
      '\r\n',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, piece, sign), { maxLength: 40 }), (pieces) => {
        read(`apiVersion: v1\nkind: Pod\n${pieces.join('')}`);
      }),
      { numRuns: 500 },
    );
  });

  it('is parsed with one changed character, and with a word typed anywhere', () => {
    const sign = fc.constantFrom(...':-#{}[]&*!|>\'"%@`,?\n\t x', '');
    fc.assert(
      fc.property(text, fc.nat(), sign, (whole, at, changed) => {
        const offset = at % whole.length;
        const other = whole.slice(0, offset) + changed + whole.slice(offset + 1);
        read(other);
        const cursorTarget = typingTargetAt(other, offset, { catalogue });
        if (cursorTarget === undefined) return;
        assert.ok(
          0 <= cursorTarget.token.start && cursorTarget.token.start <= offset && offset <= cursorTarget.token.end,
        );
        assert.ok(cursorTarget.token.end <= other.length);
      }),
      { numRuns: 300 },
    );
  });
});

const pod = 'apiVersion: v1\nkind: Pod\nmetadata:\n  labels:\n    app: web\n';
const braces = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth);

describe('a hostile text', () => {
  it('with exponential aliases affects no other document', () => {
    const levels = Array.from({ length: 60 }, (_, n) => `x${n + 1}: &a${n + 1} [*a${n}, *a${n}]`);
    const manifest = readManifest(`${pod}x0: &a0 [lol]\n${levels.join('\n')}\n---\n${pod}`, catalogue);
    assert.equal(manifest.tooLargeAt, 0);
    assert.equal(manifest.objects.length, 1);
  });

  it('with exponential merge keys has the written entries', () => {
    const levels = Array.from({ length: 40 }, (_, n) => `  l${n + 1}: &m${n + 1} {<<: [*m${n}, *m${n}], k${n}: v}`);
    const source = `apiVersion: v1\nkind: Pod\nx:\n  l0: &m0 {a: b}\n${levels.join('\n')}\nmetadata:\n  labels:\n    <<: *m40\n`;
    assert.equal(read(source), 1);
  });

  it('with exponential aliases in labels is left out', () => {
    const levels = Array.from({ length: 40 }, (_, n) => `  l${n + 1}: &m${n + 1} {a: *m${n}, b: *m${n}}`);
    const source = `apiVersion: v1\nkind: Pod\nx:\n  l0: &m0 {a: b}\n${levels.join('\n')}\nmetadata:\n  labels: *m40\nspec:\n  nodeSelector: *m40\n`;
    assert.equal(read(source), 0);
  });

  for (const [what, labels] of [
    ['aliases', '*big'],
    ['merge keys', '{<<: *big}'],
    ['lists of merge keys', '{<<: [*big, *big]}'],
  ] as const) {
    const keys = Array.from({ length: 400 }, (_, n) => `k${n}: v`).join(', ');
    const list = (count: number) => {
      const items = Array.from(
        { length: count },
        () => `- {apiVersion: v1, kind: Pod, metadata: {labels: ${labels}}}\n`,
      );
      return `kind: List\napiVersion: v1\nx: &big {${keys}}\nitems:\n${items.join('')}`;
    };

    it(`with a few ${what} is parsed completely`, () => {
      const manifest = readManifest(list(10), catalogue);
      assert.equal(manifest.tooLargeAt, undefined);
      assert.equal(manifest.objects.length, 10);
    });

    it(`with ${what} that multiply labels and objects is left out`, () => {
      const manifest = readManifest(`${pod}---\n${list(3_000)}`, catalogue);
      assert.equal(manifest.objects.length, 1);
      assert.equal(manifest.readInPart, true);
      assert.equal(manifest.tooLargeAt, pod.length + '---\n'.length);
    });
  }

  it('with thousands of merge keys in one map is parsed', () => {
    const labels = '    <<: *one\n'.repeat(20_000);
    assert.equal(read(`apiVersion: v1\nkind: Pod\nx: &one {a: b}\nmetadata:\n  labels:\n${labels}`), 1);
  });

  for (const [what, nested] of [
    ['lists in brackets', braces(10_000, '[', ']')],
    ['maps in braces', braces(10_000, '{a: ', '}')],
    ['brackets that stay open', '['.repeat(10_000)],
    ['lists in blocks', '- '.repeat(10_000)],
    ['maps in blocks', Array.from({ length: 2_000 }, (_, n) => `${' '.repeat(n)}a:`).join('\n')],
    ['quotes', '"\\"'.repeat(10_000)],
    ['actions that stay open', '{{ if '.repeat(10_000)],
    ['actions', '{{ if x }}'.repeat(5_000) + '{{ end }}'.repeat(5_000)],
    ['dollars', '$'.repeat(100_000)],
    ['dollars and braces', '${'.repeat(50_000)],
    ['underscores', '__A'.repeat(50_000)],
    ['angles', '<a'.repeat(50_000)],
    ['statements that stay open', '{% a '.repeat(20_000)],
    ['ytt', '- #@ '.repeat(20_000)],
  ] as const) {
    it(`with nested ${what} affects no other document`, () => {
      assert.ok(read(`${pod}x:\n${nested}\n---\n${pod}`) >= 1);
      assert.equal(readManifest(`${pod}---\nx: ${nested}\n---\n${pod}`, catalogue).objects.length >= 1, true);
    });
  }

  for (const [what, line] of [
    ['letters', 'x'.repeat(1_000_000)],
    ['blanks', ' '.repeat(1_000_000)],
    ['blanks and a comment', `${' #'.repeat(500_000)}`],
    ['words', 'ab '.repeat(350_000)],
    ['digits', `1${'_0'.repeat(500_000)}`],
    ['colons', ': '.repeat(100_000)],
    ['dots', '.'.repeat(1_000_000)],
    ['quotes', "''".repeat(500_000)],
    ['at signs', '@a'.repeat(300_000)],
    ['tabs', '\t'.repeat(1_000_000)],
  ] as const) {
    it(`with a line of a million ${what} is parsed`, () => {
      assert.equal(read(`---\n# ${line}\n${pod}    long: "${line.replaceAll('"', '')}"\n`), 1);
      assert.ok(read(`${pod}    long: ${line}\n---\n${pod}`) >= 1);
    });
  }

  it('with a million lines is parsed', () => {
    assert.equal(read(`${pod}x:\n${'- a\n'.repeat(200_000)}`), 1);
    assert.equal(read(`${'\n'.repeat(1_000_000)}${pod}`), 1);
    assert.equal(read(`${'# x\n'.repeat(300_000)}${pod}`), 1);
    assert.equal(read(`${pod}${'---\n'.repeat(200_000)}`), 1);
  });

  it('with nested aliases affects no other document', () => {
    const deep = Array.from({ length: 20_000 }, (_, n) => `a${n}: &a${n} ${n === 0 ? '{x: y}' : `[*a${n - 1}]`}`);
    const chain = `${deep.join('\n')}\nspec: {selector: *a19999}\n`;
    const service = 'apiVersion: v1\nkind: Service\nmetadata: {name: a}\n';
    assert.equal(readManifest(`${service}${chain}---\n${service}`, catalogue).objects.length, 1);
  });

  it('with a hundred thousand unclosed quotes affects no other document', () => {
    const hostile = `x: [\n${"- 'x\n".repeat(100_000)}`;
    const manifest = readManifest(`${hostile}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: a}\n`, catalogue);
    assert.equal(manifest.syntaxErrors, 1);
    assert.deepEqual(
      manifest.objects.map((object) => object.kind),
      ['Pod'],
    );
  });

  it('is parsed as a kustomization, too', () => {
    for (const whole of ['[', '{{', 'resources: [a, [b], {c: d}, "e\\nf", 7]', ...texts]) {
      for (const { span } of readKustomization(whole, catalogue).resources) assert.ok(span.end <= whole.length);
    }
  });

  it('is parsed with more objects and documents than a call can have arguments', () => {
    const count = 150_000;
    const items = Array.from({ length: count }, () => '{"kind":"Pod","apiVersion":"v1"}').join(',');
    assert.equal(readManifest(`{"kind":"List","apiVersion":"v1","items":[${items}]}`, catalogue).objects.length, count);
    const values = `{"kind":"Pod","apiVersion":"v1"}\n`.repeat(count);
    assert.equal(readManifest(values, catalogue).documents, count);
  });
});
