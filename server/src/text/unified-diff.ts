/** How do two texts differ, line by line? As a unified diff, which `git apply` and `patch` read. */

import { percentEncode } from './percent-encoding.ts';

/** So many lines stand around a change. */
const contextLines = 3;

/** A line that both texts have, or that only the old or only the new one has. */
interface Step {
  readonly sign: ' ' | '-' | '+';
  /** With its line end, so that two that differ in it alone are not the same. */
  readonly line: string;
}

/** The diff of one file; nothing where both texts are the same. `name` is a path with slashes. */
export function unifiedDiff(name: string, before: string, after: string): readonly string[] {
  if (before === after) return [];
  const steps = stepsBetween(linesOf(before), linesOf(after));
  return [`--- ${shownName(`a/${name}`)}`, `+++ ${shownName(`b/${name}`)}`, ...hunksOf(steps)];
}

/** As git writes it: a tab ends a name with blanks, and one that could be taken for more than a name stands in quotes. */
function shownName(name: string): string {
  const quoted = name.replaceAll(/[\p{Cc}\p{Cf}"\\]/gu, octal);
  if (quoted !== name) return `"${quoted}"`;
  return name.includes(' ') ? `${name}\t` : name;
}

/** The bytes of a character. */
function octal(character: string): string {
  return percentEncode(character).replaceAll(/%(..)/g, (_, hex: string) => {
    return `\\${Number.parseInt(hex, 16).toString(8).padStart(3, '0')}`;
  });
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

function stepsBetween(old: readonly string[], fresh: readonly string[]): readonly Step[] {
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start++;
  let same = 0;
  const most = Math.min(old.length, fresh.length) - start;
  while (same < most && old[old.length - 1 - same] === fresh[fresh.length - 1 - same]) same++;
  const keep = (line: string): Step => ({ sign: ' ', line });
  return [
    ...old.slice(0, start).map(keep),
    ...middleSteps(old.slice(start, old.length - same), fresh.slice(start, fresh.length - same)),
    ...old.slice(old.length - same).map(keep),
  ];
}

/** What differs in more than this is replaced as a whole: that is right as well, and bounded. */
const maximumCells = 4_000_000;

/** The fewest steps, by the longest common subsequence of the lines. */
function middleSteps(old: readonly string[], fresh: readonly string[]): readonly Step[] {
  if (old.length * fresh.length > maximumCells) return [...signed('-', old), ...signed('+', fresh)];
  const width = fresh.length + 1;
  const common = new Uint16Array((old.length + 1) * width);
  for (let row = old.length - 1; row >= 0; row--) {
    for (let column = fresh.length - 1; column >= 0; column--) {
      const at = row * width + column;
      const same = old[row] === fresh[column];
      common[at] = same ? (common[at + width + 1] ?? 0) + 1 : Math.max(common[at + width] ?? 0, common[at + 1] ?? 0);
    }
  }
  const steps: Step[] = [];
  let [row, column] = [0, 0];
  while (row < old.length && column < fresh.length) {
    const at = row * width + column;
    const line = old[row] ?? '';
    if (line === fresh[column]) {
      steps.push({ sign: ' ', line });
      row++;
      column++;
    } else if ((common[at + width] ?? 0) >= (common[at + 1] ?? 0)) {
      steps.push({ sign: '-', line });
      row++;
    } else {
      steps.push({ sign: '+', line: fresh[column] ?? '' });
      column++;
    }
  }
  return [...steps, ...signed('-', old.slice(row)), ...signed('+', fresh.slice(column))];
}

function signed(sign: Step['sign'], lines: readonly string[]): readonly Step[] {
  return lines.map((line) => ({ sign, line }));
}

/** Changes with little between them stand under one heading. */
function hunksOf(steps: readonly Step[]): readonly string[] {
  const changed = [...steps.keys()].filter((at) => steps[at]?.sign !== ' ');
  const lines: string[] = [];
  let [oldLine, freshLine, done] = [1, 1, 0];
  const skipTo = (end: number) => {
    for (; done < end; done++) {
      if (steps[done]?.sign !== '+') oldLine++;
      if (steps[done]?.sign !== '-') freshLine++;
    }
  };
  for (let at = 0; at < changed.length; ) {
    const first = changed[at] ?? 0;
    let last = first;
    while (at < changed.length && (changed[at] ?? 0) - last <= 2 * contextLines) last = changed[at++] ?? last;
    skipTo(Math.max(done, first - contextLines));
    const hunk = steps.slice(done, last + 1 + contextLines);
    const count = (sign: Step['sign']) => hunk.filter((step) => step.sign !== sign).length;
    const range = (line: number, size: number) => `${size === 0 ? line - 1 : line},${size}`;
    lines.push(`@@ -${range(oldLine, count('+'))} +${range(freshLine, count('-'))} @@`, ...hunk.flatMap(shownStep));
    skipTo(done + hunk.length);
  }
  return lines;
}

function shownStep({ sign, line }: Step): readonly string[] {
  return line.endsWith('\n') ? [sign + line.slice(0, -1)] : [sign + line, '\\ No newline at end of file'];
}
