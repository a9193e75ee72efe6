/** Tests that margins are parsed as documented, and that a test without any check fails. */

import assert from 'node:assert/strict';
import { bench } from './bench.ts';
import { checkFixes } from './check-fixes.ts';
import { readFixture } from './margin.ts';
import { show, showEdits } from './show.ts';
import { checkMargins, trueMargin } from './stories.ts';

function only(fixture: string) {
  const [file, ...others] = readFixture(fixture);
  if (file === undefined || others.length > 0) throw new Error('one file was expected');
  return file;
}

describe('margin', () => {
  it('leaves the manifest unchanged', () => {
    const { text } = only(`
      kind: Pod
      # a comment of the author
      name: web
      #     ^^^ here
    `);
    assert.equal(text, 'kind: Pod\n# a comment of the author\nname: web\n');
  });

  it('names the text above the carets', () => {
    const { text, places } = only(`
      name: web
      #     ^^^ value
      #<^^ key
    `);
    const value = places.get('value');
    assert.equal(text.slice(value?.start, value?.end), 'web');
    assert.deepEqual(places.get('key'), { start: 0, end: 4 });
  });

  it('restores blanks up to a caret beyond the end of the line', () => {
    const { text, places } = only(`
      labels:

      # ^ here
    `);
    assert.equal(text, 'labels:\n  \n');
    assert.deepEqual(places.get('here'), { start: 10, end: 10 });
  });

  it('expects findings with a part of the message, locations and fixes', () => {
    const { findings, text } = only(`
      app: baskett
      #    ~~~~~~~ warning selects-nothing (deprecated) "app=baskett" → nearest → a.yaml:5 "x" [Change it] [Add it]
    `);
    const [finding] = findings;
    assert.equal(text.slice(finding?.span.start, finding?.span.end), 'baskett');
    assert.deepEqual(finding && { ...finding, span: undefined }, {
      span: undefined,
      severity: 'warning',
      rule: 'selects-nothing',
      tags: ['deprecated'],
      piece: 'app=baskett',
      related: ['nearest', 'a.yaml:5 "x"'],
      fixes: ['Change it', 'Add it'],
    });
  });

  it('splits files, and counts with the requested line ends', () => {
    const files = readFixture('==> a.yaml <==\nx: 1\n==> b.yaml <==\n\ny: 2\n#  ^ here\n', '\r\n');
    assert.deepEqual(
      files.map((file) => [file.name, file.text]),
      [
        ['a.yaml', 'x: 1\r\n'],
        ['b.yaml', '\r\ny: 2\r\n'],
      ],
    );
    assert.deepEqual(files[1]?.places.get('here'), { start: 5, end: 6 });
  });

  for (const [what, fixture] of [
    ['an unknown level', 'a: b\n#  ~ fatal some-rule'],
    ['a finding without a rule', 'a: b\n#  ~'],
    ['something that follows a finding', 'a: b\n#  ~ error some-rule and more'],
    ['tildes beyond the line', 'a: b\n#  ~~~ error some-rule'],
    ['a place without a name', 'a: b\n#  ^'],
    ['a name that is given twice', 'a: b\n#  ^ x\n#  ^ x'],
    ['a note above the first line', '#  ^ x\na: b'],
    ['a file that is there twice', '==> a <==\nx: 1\n==> a <==\ny: 1'],
  ] as const) {
    it(`rejects ${what}`, () => assert.throws(() => readFixture(fixture)));
  }
});

const wrong = `
  apiVersion: v1
  kind: ConfigMap
  metadata:
    labels:
      team: team blue
`;

describe('bench', () => {
  it('fails if a finding is unexpected', async () => {
    const b = await bench(`${wrong}\n#= 1 object, 1 label`);
    assert.throws(() => checkMargins(b), /margin of manifest.yaml/);
  });

  it('fails if an expected finding is missing', async () => {
    const b = await bench(`
      apiVersion: v1
      kind: ConfigMap
      metadata:
        labels:
          team: blue
          #     ~~~~ error label-value-syntax
    `);
    assert.throws(() => checkMargins(b), /margin of manifest.yaml/);
  });

  it('fails without expectations', async () => {
    const b = await bench('a: b\n');
    assert.throws(() => checkMargins(b), /expects nothing/);
    assert.throws(() => checkFixes(b), /no fix to check/);
    assert.throws(() => b.hover('here'), /No place is called 'here'/);
    assert.throws(() => show('a: b', []), /nothing to show/);
    assert.throws(() => bench(''), /fixture is empty/);
  });

  it('fails if a file without findings was checked less than it states', async () => {
    const b = await bench('a: b\n#= 1 object, 2 labels\n');
    assert.throws(() => checkMargins(b), /margin of manifest.yaml/);
  });

  it('writes the correct margin, which then passes', async () => {
    const before = await bench(wrong);
    const approved = trueMargin(before, before.file());
    assert.match(approved, /# {5}~~~~~~~~~ error label-value-syntax "Label value must not contain ' '"/);
    const after = await bench(approved);
    checkMargins(after);
    assert.equal(after.file().text, before.file().text);
  });

  it('freezes the input of a rule', async () => {
    const b = await bench(wrong);
    const [object] = b.manifest().objects;
    assert.ok(object !== undefined && Object.isFrozen(object) && Object.isFrozen(object.labels?.entries[0]?.value));
  });

  it('fails if an internal error is logged', async () => {
    const b = await bench(wrong);
    assert.throws(() => b.log.bug('somewhere', new Error('a fault')), /somewhere/);
  });
});

describe('show', () => {
  it('prints the result of edits, and the replaced text', () => {
    const edits = [
      { span: { start: 8, end: 9 }, text: 'four' },
      { span: { start: 3, end: 4 }, text: '"2"' },
    ];
    assert.equal(showEdits('a: 1\nb: 2\nc: 3', edits), 'a: "2"\n   ~~~ was 1\nb: four\n   ~~~~ was 2');
  });
});
