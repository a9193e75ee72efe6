/** Tests that edits keep the author's style: quotes, indentation, braces and line ends. */

import assert from 'node:assert/strict';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import type { LabelEntry, LabelSite, ManifestObject } from '../../server/src/manifests/model.ts';
import { readManifest } from '../../server/src/manifests/parse-manifest.ts';
import {
  addAnnotation,
  addEntry,
  quoteAsTyped,
  removeEntry,
  replaceScalar,
  scalarText,
} from '../../server/src/manifests/write/write-text.ts';
import { applyEdits, type Edit } from '../../server/src/text/edit.ts';
import { dedent } from '../harness/margin.ts';

interface Read {
  readonly text: string;
  readonly object: ManifestObject;
  readonly labels: LabelSite;
  readonly annotations: LabelSite | undefined;
}

function read(metadata: string, lineEnd = '\n'): Read {
  const text = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n${metadata}`.replaceAll('\n', lineEnd);
  const [object] = readManifest(text, catalogue).objects;
  if (object?.labels === undefined) throw new Error(`no labels in ${text}`);
  const annotations = object.labelSites.find((site) => site.path === 'metadata.annotations');
  return { text, object, labels: object.labels, annotations };
}

function entry({ labels }: Read, key: string): LabelEntry {
  const found = labels.entries.find((each) => each.key.text === key);
  if (found === undefined) throw new Error(`no label ${key}`);
  return found;
}

/** The content of `metadata:` after an edit. */
function after({ text }: Read, edits: readonly Edit[]): string {
  return applyEdits(text, edits).split(/metadata:\r?\n/)[1] ?? '';
}

function block(text: string): string {
  return dedent(text)
    .map((line) => (line === '' ? '' : `  ${line}`))
    .join('\n');
}

describe('a scalar', () => {
  for (const [text, style, written] of [
    ['web', 'plain', 'web'],
    ['1.10', 'plain', '"1.10"'],
    ['yes', 'plain', '"yes"'],
    ['a: b', 'plain', '"a: b"'],
    ['', 'plain', '""'],
    ["it's", 'single', "'it''s'"],
    ['a\nb', 'single', '"a\\nb"'],
    ['a"b', 'double', '"a\\"b"'],
  ] as const) {
    it(`${JSON.stringify(text)} in ${style} style`, () => assert.equal(scalarText(text, style), written));
  }

  for (const [written, text, replaced] of [
    ['web', 'shop', 'shop'],
    ['web', '1.10', '"1.10"'],
    ["'web'", 'shop', "'shop'"],
    ['"web"', 'shop', '"shop"'],
    ['|\n      web\n', 'shop', 'shop\n'],
    ['>-\n      web\n      two\n', 'yes', '"yes"\n'],
    ['&x web', 'shop', '&x shop'],
    ['!!str 7', '8', '!!str "8"'],
    ['web # a comment', 'shop', 'shop # a comment'],
  ] as const) {
    it(`is replaced in its style: ${JSON.stringify(written)}`, () => {
      const r = read(`  labels:\n    a: ${written}`);
      assert.equal(after(r, [replaceScalar(entry(r, 'a').value, text)]), `  labels:\n    a: ${replaced}`);
    });
  }

  it('is quoted as it is written', () => {
    const r = read('  labels:\n    a: 1.10 # c\n    0x1F: b\n');
    const edits = [quoteAsTyped(entry(r, 'a').value), quoteAsTyped(entry(r, '0x1F').key)];
    assert.equal(after(r, edits), '  labels:\n    a: "1.10" # c\n    "0x1F": b\n');
  });
});

describe('removing an entry', () => {
  const cases: readonly (readonly [what: string, before: string, left: string | undefined])[] = [
    ['the first', block('labels:\n  x: 1\n  b: 2\n'), block('labels:\n  b: 2\n')],
    ['the last', block('labels:\n  b: 2\n  x: 1\n'), block('labels:\n  b: 2\n')],
    ['with its comment', block('labels:\n  x: 1 # one\n  # two\n  b: 2\n'), block('labels:\n  # two\n  b: 2\n')],
    ['the only one', block('labels:\n  x: 1\nname: a\n'), block('name: a\n')],
    ['without a line end', block('labels:\n  b: 2\n  x: 1'), block('labels:\n  b: 2\n')],
    ['a block scalar', block('labels:\n  x: |\n    1\n\n    2\n  b: 2\n'), block('labels:\n  b: 2\n')],
    ['a list', block('labels:\n  x:\n    - 1\n    - 2\n  b: 2\n'), undefined],
    ['the first in braces', block('labels: {x: 1, b: 2}\n'), block('labels: {b: 2}\n')],
    ['the last in braces', block('labels: {b: 2, x: 1}\n'), block('labels: {b: 2}\n')],
    ['the only one in braces', block('labels: {x: 1}\n'), block('labels: {}\n')],
    ['quoted in braces', block('labels: {"b": "2", "x": "1"}\n'), block('labels: {"b": "2"}\n')],
    ['in braces over lines', block('labels: {\n  b: 2,\n  x: 1\n}\n'), block('labels: {\n  b: 2\n}\n')],
    ['beside others on one line', block('labels: {a: {c: d}, x: 1}\n'), block('labels: {a: {c: d}}\n')],
    ['of a question mark', block('labels:\n  ? x\n  : 1\n  b: 2\n'), undefined],
  ];
  for (const [what, before, left] of cases) {
    for (const lineEnd of ['\n', '\r\n']) {
      it(`${what}${lineEnd === '\n' ? '' : ' with CRLF'}`, () => {
        const r = read(before, lineEnd);
        const edit = removeEntry(r.text, entry(r, 'x'), r.labels);
        assert.equal(edit && after(r, [edit]), left?.replaceAll('\n', lineEnd));
      });
    }
  }
});

describe('adding an annotation', () => {
  const cases: readonly (readonly [what: string, before: string, then: string])[] = [
    ['beside labels', block('labels:\n  a: b\n'), block('annotations:\n  k: a b\nlabels:\n  a: b\n')],
    [
      'after the last',
      block('annotations:\n  c: d # e\nlabels:\n  a: b\n'),
      block('annotations:\n  c: d # e\n  k: a b\nlabels:\n  a: b\n'),
    ],
    [
      'after a block scalar',
      block('annotations:\n  c: |\n    d\nlabels:\n  a: b\n'),
      block('annotations:\n  c: |\n    d\n  k: a b\nlabels:\n  a: b\n'),
    ],
    ['to none', block('annotations:\nlabels:\n  a: b\n'), block('annotations:\n  k: a b\nlabels:\n  a: b\n')],
    ['to empty braces', block('annotations: {}\nlabels:\n  a: b\n'), block('annotations: {k: a b}\nlabels:\n  a: b\n')],
    [
      'to braces',
      block('annotations: {c: d}\nlabels:\n  a: b\n'),
      block('annotations: {c: d, k: a b}\nlabels:\n  a: b\n'),
    ],
    ['beside labels in braces', block('labels: {a: b}\n'), block('annotations:\n  k: a b\nlabels: {a: b}\n')],
    [
      'with wide steps',
      '      labels:\n          a: b\n',
      '      annotations:\n        k: a b\n      labels:\n          a: b\n',
    ],
  ];
  for (const [what, before, then] of cases) {
    for (const lineEnd of ['\n', '\r\n']) {
      it(`${what}${lineEnd === '\n' ? '' : ' with CRLF'}`, () => {
        const r = read(before, lineEnd);
        const edit = addAnnotation(r.text, r.annotations, r.labels, 'k', 'a b');
        assert.equal(after(r, [edit]), then.replaceAll('\n', lineEnd));
      });
    }
  }

  it('in JSON', () => {
    const text = '{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "labels": {"a": "b"}}}';
    const [object] = readManifest(text, catalogue).objects;
    assert.ok(object?.labels);
    const edit = addAnnotation(text, undefined, object.labels, 'k', 'a "b"');
    const metadata: unknown = JSON.parse(applyEdits(text, [edit])).metadata;
    assert.deepEqual(metadata, { name: 'a', annotations: { k: 'a "b"' }, labels: { a: 'b' } });
  });

  it('in JSON without annotations', () => {
    const text = '{"apiVersion": "v1", "kind": "Pod", "metadata": {"annotations": {}, "labels": {"a": "b"}}}';
    const [object] = readManifest(text, catalogue).objects;
    const annotations = object?.labelSites.find((site) => site.path === 'metadata.annotations');
    assert.ok(object?.labels && annotations);
    const edit = addAnnotation(text, annotations, object.labels, 'k', 'v');
    assert.deepEqual(JSON.parse(applyEdits(text, [edit])).metadata.annotations, { k: 'v' });
  });

  it('adds an entry to labels with the indentation of the other entries', () => {
    const r = read('    labels:\n        a: b\n    name: c\n');
    assert.equal(
      after(r, [addEntry(r.text, r.labels, 'k', 'yes')]),
      '    labels:\n        a: b\n        k: "yes"\n    name: c\n',
    );
  });
});
