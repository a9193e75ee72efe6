/** Tests that a unified diff converts one text to the other. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { unifiedDiff } from '../../server/src/text/unified-diff.ts';

/** The text after a diff: every hunk is applied at its position. */
function patched(text: string, diff: readonly string[]): string {
  const old = text.match(/[^\n]*\n|[^\n]+/g) ?? [];
  const result: string[] = [];
  let at = 0;
  const lines = diff.slice(2);
  for (const [number, line] of lines.entries()) {
    const head = /^@@ -(\d+),(\d+) \+(\d+),(\d+) @@$/.exec(line);
    const ended = lines[number + 1]?.startsWith('\\') ? '' : '\n';
    if (head !== null) {
      const start = Number(head[1]) - (head[2] === '0' ? 0 : 1);
      while (at < start) result.push(old[at++] ?? '');
      assert.equal(result.length, Number(head[3]) - (head[4] === '0' ? 0 : 1));
    } else if (line.startsWith('\\')) {
      assert.equal(line, '\\ No newline at end of file');
    } else if (line.startsWith('+')) {
      result.push(line.slice(1) + ended);
    } else {
      assert.equal(old[at++], line.slice(1) + ended);
      if (line.startsWith(' ')) result.push(line.slice(1) + ended);
    }
  }
  return [...result, ...old.slice(at)].join('');
}

const texts = fc
  .array(fc.constantFrom('a\n', 'b\n', 'c\r\n', '\n', 'd\n'), { maxLength: 40 })
  .chain((lines) => fc.constantFrom('', 'end').map((end) => lines.join('') + end));

describe('a unified diff', () => {
  it('converts one text to the other', () => {
    fc.assert(fc.property(texts, texts, (a, b) => assert.equal(patched(a, unifiedDiff('x', a, b)), b)));
  });

  it('is empty for equal texts', () => assert.deepEqual(unifiedDiff('x', 'a\n', 'a\n'), []));

  it('shows three lines around a change, and near changes in one hunk', () => {
    const lines = Array.from({ length: 30 }, (_, number) => `${number}\n`);
    const changed = lines.with(10, 'x\n').with(16, 'y\n').with(29, 'z\n');
    const diff = unifiedDiff('a/b.yaml', lines.join(''), changed.join(''));
    assert.deepEqual(diff.slice(0, 3), ['--- a/a/b.yaml', '+++ b/a/b.yaml', '@@ -8,13 +8,13 @@']);
    assert.deepEqual(diff.filter((line) => line.startsWith('@@')).length, 2);
  });

  it('replaces the whole text if there are too many differences', () => {
    const [a, b] = ['a', 'b'].map((letter) =>
      Array.from({ length: 2100 }, (_, number) => `${letter}${number}\n`).join(''),
    );
    assert.equal(patched(a ?? '', unifiedDiff('x', a ?? '', b ?? '')), b);
  });

  for (const name of ['x.yaml', 'a b.yaml', 'end ', 'tä\u009b.yaml', 'a\t"b\\\n--- x\u001B[31m\u202E.yaml']) {
    it(`is accepted by git apply, for a file ${JSON.stringify(name)}`, () => {
      const folder = mkdtempSync(join(tmpdir(), 'selector-lens-diff-'));
      try {
        const [a, b] = ['one\ntwo\nthree', 'one\n2\nthree\nfour'];
        writeFileSync(join(folder, name), a);
        const input = `${unifiedDiff(name, a, b).join('\n')}\n`;
        const applied = spawnSync('git', ['apply', '-'], { cwd: folder, input, encoding: 'utf8' });
        assert.equal(applied.stderr, '');
        assert.equal(readFileSync(join(folder, name), 'utf8'), b);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  }

  it('escapes a name to one line that a terminal can show', () => {
    const [head] = unifiedDiff('a\n--- b/\u001B[31m\u202E', 'a\n', 'b\n');
    assert.equal(head, '--- "a/a\\012--- b/\\033[31m\\342\\200\\256"');
  });
});
