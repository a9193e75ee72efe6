/**
 * Tests that the fast YAML parser and the libraries create equal trees for every text, and that it supports common
 * YAML.
 */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { generateFiles } from '../../bench/generate-workspace.ts';
import { blank } from '../../server/src/manifests/placeholders/placeholders.ts';
import { parseYaml } from '../../server/src/manifests/yaml/parse-yaml.ts';
import { plainData } from '../../server/src/manifests/yaml/plain-data.ts';
import { readTolerantly } from '../../server/src/manifests/yaml/tolerant-parser.ts';
import { readStories } from '../harness/folders.ts';
import { mutated } from '../harness/mutations.ts';
import { compareReaders } from './readers.ts';

const stories = readStories().flatMap(({ files }) => files.map(({ text }) => text));
const generated = generateFiles(200).map(({ text }) => text);

/** Single documents that the fast parser supports. */
const usual: Readonly<Record<string, string>> = {
  'a map': 'a: b\n',
  'no line end': 'a: b',
  'a scalar': 'just words\n',
  'a list': '- a\n- b\n',
  'a list in the column of its key': 'a:\n- b\n- c: d\n  e: f\ng: h\n',
  'lists in lists': '- - a\n  - b\n-\n  - c\n-\n- d\n',
  'nothing as a value': 'a:\nb:\n  c:\nd: # said\n',
  comments: '# a\na: b # c\n  # d\nb: c#d\n#e\n',
  'a colon and a hash in a word': 'a: http://b#c\n',
  'a word with a dash': 'a: -b\nc:\n- --d\n',
  'a line end of two characters': 'a: b\r\nc:\r\n  - d # e\r\n  - |\r\n    f\r\n\r\n    g\r\n',
  'words over lines': 'a: b\n  c\n\n\n  d # e\nf:\n  g\n  h\n',
  quotes: `"a": 'b'\n'c': "d" # e\nf: 'it''s'\ng: "\\"h\\" \\n \\u00e9"\n`,
  'quotes over lines': `a: "b\n  c"\nd: 'e \n\n\n    f''\n    ''g '\nh:\n- "i\r\n   j"\n`,
  'quotes over lines with escapes': 'a: "b \\\n  \\ c\\n  \n  d\\\\\n  e \\\n  f"\ng: [ "h\n  i" ]\n',
  'a literal block': 'a: |\n  b\n\n    c\n  d\n\n# e\nf: |-\n  g\nh: |+ # i\n\n  j\n\n',
  'a folded block': 'a: >\n  b\n  c\n\n  d\n    e\n  f\ng: >-\n\n  h\n\n   i\n\n\n  j\n',
  braces: 'a: {}\nb: { c: d, "e":f, g, h: , i: [j, {k: l}, ], }\nm: [] # n\n',
  'braces over lines': '{\n  "a": [\n    1,\n    "b"\n  ],\n  "c": { "d": null }\n}\n',
  'braces with tabs': '{\n\t"a": [\n\t\t1,\n\t\t"b"\n\t],\n\t"c":\t{\t"d":\tnull }\n}\n',
  anchors: 'a: &b c\nd: &e\n  f: *b\ng: &h\n- &i j\n- *i\n- &k\n  l: m\n- *k\nn: { o: &p q, r: *p, s: [ &t u, *t ] }\n',
  'merge keys': 'a: &a { b: c }\nd: &d\n  e: f\ng:\n  <<: *a\nh:\n  <<: [*a, *d]\n  i: j\n',
  'an alias as a key': 'a: &b c\nd:\n  *b : e\n  f: g\n',
  'a block with a given indentation': 'a: |2-\n\n   b\n  c\n\nd:\n- >1\n   e\n  f\n- |+2\n    g\n',
  'words that begin with indicators': 'a: :80\nb: ?c\nd: [ -e ]\n',
  'tabs in braces': 'a: {\n\tb: c }\n',
  'comments in braces': 'a: { b: c, # d\n  # e\n  f: g # h\n  }\n',
  'letters of all kinds': 'é: ü\n"漢": 字\n',
};

/** Documents that Kubernetes accepts and the library rejects, and their data. */
const ofKubernetes: Readonly<Record<string, readonly [text: string, data: unknown]>> = {
  'quotes over lines with tabs': [`a: "b\n\t\n  c"\nd: 'e\n \tf'\n`, { a: 'b\nc', d: 'e f' }],
  'a quote over lines in any column': ['a:\n  b: "c\nd"\n', { a: { b: 'c d' } }],
  'an escaped line break before an empty line': ['a: "b \\\n\nc"\n', { a: 'b \nc' }],
  'brackets in the column of their key': ['a:\n  b: [\n  c,\nd]\n', { a: { b: ['c', 'd'] } }],
  'a comment directly after a value': ['a: "b"#c\nd: [e]#f\n', { a: 'b', d: ['e'] }],
  'dashes in brackets': ['a: [b, -]\nc: {d: -, -: e}\n', { a: ['b', '-'], c: { d: '-', '-': 'e' } }],
  'colons in brackets': ['a: {b: c:, d::, e:}\nf: [g:]\n', { a: { b: 'c:', 'd::': null, 'e:': null }, f: ['g:'] }],
  'an escaped apostrophe': ['a: "it\\\'s"\n', { a: "it's" }],
  'all escapes': [
    'a: "\\0\\a\\e\\ \\x41\\U0001f600\\N\\_\\L\\P\t"\n',
    { a: '\0\u0007\u001b A😀\u0085\u00a0\u2028\u2029\t' },
  ],
  'an alias as a key without a blank': ['a: &b c\nd:\n  *b: e\nf: {*b: g}\n', { a: 'c', d: { c: 'e' }, f: { c: 'g' } }],
};

/** Documents that Kubernetes rejects and the library accepts, and the text at which the error is. */
const refused: Readonly<Record<string, readonly [text: string, at: string]>> = {
  'a line of tabs': ['a: b\n\t\nc: d\n', '\t'],
  'a line of tabs after a quote': ['a: "b"\n\t\nc: d\n', '\t'],
  'a line of tabs in a block': ['a: |\n  b\n\t\nc: d\n', '\n'],
  'a line of tabs before a comment': ['a: b\n\t# c\nc: d\n', '\t'],
  'a line of tabs at the end': ['a: b\n\t', '\t'],
  'a tab after the sign of an item': ['a:\n-\tb\n', '\t'],
  'a question in braces': ['a: {b: really?}\n', '?}'],
  'a question in brackets': ['a: [b?c, d]\n', '?c'],
  'a colon at the start of a word in brackets': ['a: [::1]\n', '::1'],
  'an escaped slash': ['a: "b\\/c"\n', '\\/'],
  'an escaped slash on a further line': ['a: "b\n  \\/c"\n', '\\/'],
  'an escaped half of a character': ['a: "\\ud83d"\n', '\\ud83d'],
};

/** Documents that are left to the library, or have an error. */
const unusual: Readonly<Record<string, string>> = {
  'an anchor of a key': '- &a b: c\n',
  'an anchor of nothing': 'a: &b\nc: d\n',
  'an anchor in a key': 'a: { &b c: d }\n',
  'a tag': 'a: !!str b\n',
  'an explicit key': '? a\n: b\n',
  'a tab': 'a:\tb\n',
  'a key over lines': '"a\n  b": c\n',
  'an old line end': 'a: b\rc: d\n',
  'a control character': 'a: b\u0007\n',
  'a value beside a value': 'a: "b" c\n',
  'a map in a line': 'a: b: c\n',
  'a column too far': 'a: b\n  c: d\n',
  'a column between': 'a:\n    b: c\n  d: e\n',
  'a line that is no entry': 'a: b\nc\n',
  'a bracket that stays open': 'a: [b\nc: d\n',
  'a first line that is indented less than blank ones': 'a: |\n    \n  b\n',
};

describe('the fast YAML parser', () => {
  for (const [what, text] of Object.entries(usual)) {
    it(`parses ${what}`, () => assert.deepEqual(compareReaders(text), { all: 1, usual: 1, rejected: 0 }));
  }

  for (const [what, [text, data]] of Object.entries(ofKubernetes)) {
    it(`parses ${what}`, () => {
      const { root, errors } = parseYaml(text, blank(text), { start: 0, end: text.length });
      assert.deepEqual([root && plainData(root), errors], [data, []]);
    });
  }

  for (const [what, [text, at]] of Object.entries(refused)) {
    it(`rejects ${what}`, () => {
      const { errors } = parseYaml(text, blank(text), { start: 0, end: text.length });
      assert.deepEqual(
        errors.map((error) => text.slice(error.at, error.at + at.length)),
        [at],
      );
    });
  }

  for (const [what, text] of Object.entries(unusual)) {
    it(`leaves ${what} to the library`, () =>
      assert.deepEqual(compareReaders(text), { all: 1, usual: 0, rejected: 0 }));
  }

  it('parses nearly all manifests of people', () => {
    const counts = { all: 0, usual: 0, rejected: 0 };
    for (const text of [...stories, ...generated]) compareReaders(text, counts);
    assert.ok(counts.usual > 0.9 * counts.all, JSON.stringify(counts));
  }).timeout(300_000);

  it('produces the trees of the library for mutated texts', () => {
    const counts = { all: 0, usual: 0, rejected: 0 };
    fc.assert(
      fc.property(mutated([...stories, ...generated, ...Object.values(usual)]), (text) => {
        compareReaders(text, counts);
      }),
      { numRuns: 3000 },
    );
    assert.ok(counts.usual > 0.2 * counts.all, JSON.stringify(counts));
  }).timeout(300_000);
});

describe('the tolerant library', () => {
  it('determines the types of tagged nodes', () => {
    const text = `a: !!int "3"\nb: !!bool 'true'\nc: !!float 1\ne: !!null ""\nf: !x 5\ng: !!str 6\nh: !!int word\n`;
    const { root } = readTolerantly(text, blank(text), { start: 0, end: text.length });
    assert.ok(root?.kind === 'map');
    const types = root.entries.map(({ value }) => (value.kind === 'scalar' ? value.type : value.kind));
    assert.deepEqual(types, ['number', 'boolean', 'number', 'null', 'string', 'string', 'string']);
  });

  it('includes the colon in a key without a value, as Kubernetes does', () => {
    const text = '? a\n: {team:, app:}\nb: {"team":, c: {d: e}, f:g}\n';
    const { root, errors } = parseYaml(text, blank(text), { start: 0, end: text.length });
    assert.deepEqual(
      [root && plainData(root), errors],
      [{ a: { 'team:': null, 'app:': null }, b: { team: null, c: { d: 'e' }, 'f:g': null } }, []],
    );
  });

  it('treats single carriage returns as line breaks', () => {
    const text = 'a: b\rc: d\r';
    const { root, errors } = readTolerantly(text, blank(text), { start: 0, end: text.length });
    assert.deepEqual([root && plainData(root), errors], [{ a: 'b', c: 'd' }, []]);
  });
});
