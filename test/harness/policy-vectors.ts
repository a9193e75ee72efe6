/** Reads the vectors of policies; test/vectors/README.md has their format. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';

/** Returns the lines of a file in test/vectors/policies. */
export function policyVectors<Line extends { readonly id: string }>(name: string): readonly Line[] {
  const path = new URL(`../vectors/policies/${name}.jsonl.br`, import.meta.url);
  const lines: Line[] = brotliDecompressSync(readFileSync(path))
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  assert.notEqual(lines.length, 0);
  return lines;
}

/** Checks every line, and fails with all lines that disagree. */
export function checkVectors<Line extends { readonly id: string }>(
  lines: readonly Line[],
  answer: (line: Line) => unknown,
  expected: (line: Line) => unknown,
): void {
  const wrong = lines.filter((line) => JSON.stringify(answer(line)) !== JSON.stringify(expected(line)));
  const shown = wrong.map((line) => `${line.id}: ${JSON.stringify(answer(line))}, expected ${JSON.stringify(line)}`);
  assert.equal(wrong.length, 0, shown.join('\n'));
}
