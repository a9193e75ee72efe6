/** Formats unified diffs of texts by lines, for `git apply` and `patch`. */

import { formatPatch, OMIT_HEADERS, type StructuredPatch, structuredPatch } from 'diff';
import { percentEncode } from './percent-encoding.ts';

/** Lines of context around a change. */
const contextLines = 3;

/**
 * The maximum number of changed lines, since the work grows with their square. With more changes, the diff replaces the
 * whole text, which is also correct.
 */
const maximumChanges = 1_000;

/** Returns the lines of the diff of one file; empty if both texts are equal. `name` is a path with slashes. */
export function unifiedDiff(name: string, before: string, after: string): readonly string[] {
  if (before === after) return [];
  const options = { context: contextLines, maxEditLength: maximumChanges };
  const patch = structuredPatch('', '', before, after, undefined, undefined, options) ?? replacement(before, after);
  const hunks = formatPatch(patch, OMIT_HEADERS).slice(0, -1).split('\n');
  return [`--- ${shownName(`a/${name}`)}`, `+++ ${shownName(`b/${name}`)}`, ...hunks];
}

/** Returns the patch that removes all lines of one text and adds all lines of the other. */
function replacement(before: string, after: string): StructuredPatch {
  const [removed, added] = [linesOf(before), linesOf(after)];
  const lines = [...removed.flatMap((line) => signed('-', line)), ...added.flatMap((line) => signed('+', line))];
  const hunk = { oldStart: 1, oldLines: removed.length, newStart: 1, newLines: added.length, lines };
  return { oldFileName: '', newFileName: '', oldHeader: undefined, newHeader: undefined, hunks: [hunk] };
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

function signed(sign: '-' | '+', line: string): readonly string[] {
  return line.endsWith('\n') ? [sign + line.slice(0, -1)] : [sign + line, '\\ No newline at end of file'];
}

/** Returns the name in git's form: a tab follows a name with blanks; an ambiguous name is quoted. */
function shownName(name: string): string {
  const quoted = name.replaceAll(/[\p{Cc}\p{Cf}"\\]/gu, octal);
  if (quoted !== name) return `"${quoted}"`;
  return name.includes(' ') ? `${name}\t` : name;
}

/** Returns the bytes of a character as octal escapes. */
function octal(character: string): string {
  return percentEncode(character).replaceAll(/%(..)/g, (_, hex: string) => {
    return `\\${Number.parseInt(hex, 16).toString(8).padStart(3, '0')}`;
  });
}
