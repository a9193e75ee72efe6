/** Validates regular expressions as Go does, in one pass. Source: regexp/syntax of Go. */

import type { Answer } from './types.ts';

/** The maximum number of repetitions that Go accepts. */
const maxRepetitions = 1000;

/** The maximum length of a regular expression that is validated. */
const maxLength = 1000;

/** Escapes, classes and groups whose validity depends on tables of characters or on the version of Go. */
const notValidated = /\\[QEpPxC0-7]|\(\?P?<[A-Za-z_]|\[\^?\[|\[:|[^\x20-\x7e]/;

const token =
  /(?<class>\[(?:\^|(?!\^))(?:[^\\]|\\[\s\S])(?:[^\]\\]|\\[\s\S])*\])|(?<group>\(\?(?:[imsU]+(?:-[imsU]+)?|-[imsU]+)?:|\((?!\?))|(?<flags>\(\?(?:[imsU]+(?:-[imsU]+)?|-[imsU]+)?\))|(?<end>\))|(?<or>\|)|(?<repetition>(?:[*+?]|\{(?<low>0|[1-9]\d*)(?:(?<comma>,)(?<high>0|[1-9]\d*)?)?\})\??)|(?<one>\\[AbBzdDsSwWafnrtv]|\\[^A-Za-z\d]|[^[(\\])/y;

/** Whether a text is a valid regular expression; `maybe` if this is not determined. */
export function isGoRegexp(text: string): Answer {
  if (text.length > maxLength || notValidated.test(text)) return 'maybe';
  // Whether an expression precedes that an operator may repeat, for the whole text and each open group.
  const operands = [false];
  let isRepeated = false;
  let total = 1;
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const parts = token.exec(text)?.groups;
    if (parts === undefined) return 'no';
    const wasRepeated = isRepeated;
    isRepeated = parts['repetition'] !== undefined;
    if (parts['group'] !== undefined) operands.push(false);
    else if (parts['end'] !== undefined) {
      operands.pop();
      if (operands.length === 0) return 'no';
      operands[operands.length - 1] = true;
    } else if (parts['or'] !== undefined) operands[operands.length - 1] = false;
    else if (isRepeated) {
      if (wasRepeated || operands.at(-1) !== true) return 'no';
      const from = Number(parts['low'] ?? 0);
      const to = parts['comma'] === undefined ? from : Number(parts['high'] ?? from);
      if (to > maxRepetitions || from > to) return 'no';
      total *= Math.max(to, 1);
    } else if (parts['flags'] === undefined) {
      if (parts['class'] !== undefined && !isClass(parts['class'])) return 'no';
      operands[operands.length - 1] = true;
    }
  }
  // Nested repetitions are limited together.
  return operands.length > 1 ? 'no' : total > maxRepetitions ? 'maybe' : 'yes';
}

/** Whether all escapes and ranges of a class of characters are valid. */
function isClass(text: string): boolean {
  const items = text.slice(text.startsWith('[^') ? 2 : 1, -1).match(/\\[\s\S]|[\s\S]/g) ?? [];
  if (items.some((item) => /^\\(?![dDsSwWafnrtv])[A-Za-z\d]/.test(item))) return false;
  for (let at = 0; at < items.length; at++) {
    const [low = '', dash, high] = items.slice(at, at + 3);
    if (dash !== '-' || high === undefined || /^\\[dDsSwW]/.test(low)) continue;
    if (/^\\[dDsSwW]/.test(high) || codeOf(high) < codeOf(low)) return false;
    at += 2;
  }
  return true;
}

const controls: ReadonlyMap<string, string> = new Map([
  ...[['a', '\x07'] as const, ['f', '\f'] as const, ['n', '\n'] as const],
  ...[['r', '\r'] as const, ['t', '\t'] as const, ['v', '\v'] as const],
]);

function codeOf(item: string): number {
  const last = item.slice(-1);
  return (item.length > 1 ? (controls.get(last) ?? last) : last).charCodeAt(0);
}
