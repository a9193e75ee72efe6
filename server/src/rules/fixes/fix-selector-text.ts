/** Corrects label and field selectors that are written as a single string, and explains their errors. */

import {
  isLabelKey,
  isLabelValue,
  type Problem,
  parseFieldSelector,
  parseSelector,
  parseSelectorTree,
} from '../../engine/index.ts';
import type { Written } from '../../manifests/model.ts';
import { replaceScalar } from '../../manifests/write/write-text.ts';
import { localize } from '../../text/localize.ts';
import { percentEncode } from '../../text/percent-encoding.ts';
import type { Fix } from '../framework/rule.ts';
import { describeProblems, shorten } from '../helpers/sentences.ts';
import { corrections } from './fix-label.ts';

export interface Repair {
  /** The corrected selector; absent if the correction is uncertain and there is only an explanation. */
  readonly text?: string;
  /** The explanation of the error, as a sentence. */
  readonly why: string;
  /** Whether the corrected selector only resembles what is written, so that editors do not prefer it. */
  readonly isGuess?: true;
}

/** The maximum length of a corrected selector, in UTF-16 code units. */
const maximumLength = 1000;

/** A notation from a different language: a pattern that matches strings with this notation, the explanation, and the equivalent notation in selectors. */
interface Habit {
  readonly pattern: RegExp;
  readonly why: string;
  readonly replace: (text: string) => string;
}

const habits: readonly Habit[] = [
  {
    pattern: /["']/,
    why: 'A selector must not have quotes around keys or values',
    replace: withoutQuotes,
  },
  {
    pattern: /&&|;|(?<=\s)(?:and|AND)(?=\s)/,
    why: "Requirements are joined with ',', which means AND",
    replace: (text) => text.replaceAll(/\s?(?:&&?|;|(?<=\s)(?:and|AND)(?=\s))/g, ','),
  },
  {
    pattern: /[[\]{}]/,
    why: 'A list of values is written in parentheses',
    replace: (text) => text.replaceAll(/[[{]/g, '(').replaceAll(/[\]}]/g, ')'),
  },
  {
    pattern: /\s(?:not|NOT|Not)\s+in\b/i,
    why: 'The operator `notin` is one word in lower case',
    replace: (text) => text.replaceAll(/(?<=\s)not\s+in\b/gi, 'notin'),
  },
  {
    pattern: /\s(?:IN|In|NOTIN|NotIn|notIn|Notin)(?=[\s(])/,
    why: 'The operators `in` and `notin` are in lower case',
    replace: (text) => text.replaceAll(/(?<=\s)(?:in|notin)(?=[\s(])/gi, (word) => word.toLowerCase()),
  },
  {
    pattern: /===|!==|<>/,
    why: "The equality operators are '=', '==' and '!='",
    replace: (text) => text.replaceAll('!==', '!=').replaceAll('<>', '!=').replaceAll('===', '=='),
  },
  {
    pattern: /[\w./-]: ?[\w.-]/,
    why: "A key and its value are joined with '='",
    replace: (text) => text.replaceAll(/(?<=[\w./-]): ?(?=[\w.-])/g, '='),
  },
  {
    pattern: /(?:^|,) ?![\w./-]+ ?=/,
    why: "To exclude a value, write '!=' between the key and the value",
    replace: (text) => text.replaceAll(/((?:^|,) ?)!([\w./-]+) ?==?(?=[^=])/g, '$1$2!='),
  },
  {
    pattern: /\s(?:in|notin)\s+[^\s(]/,
    why: 'The values after `in` and `notin` are written in parentheses',
    replace: (text) => text.replaceAll(/\s(in|notin)\s+([\w.-]+(?:\s?,\s?[\w.-]+)*)(?=\s?$)/g, ' $1 ($2)'),
  },
  {
    pattern: /\s(?:in|notin)\s?\([^()]*[\w.-] [\w.-]/,
    why: "The values of a list are separated with ','",
    replace: (text) => text.replaceAll(/(?<=\s(?:in|notin)\s?\([^()]{0,300}[\w.-]) (?=[\w.-][^()]{0,300}\))/g, ', '),
  },
  {
    // A word without an operator before a space may be the start of the key.
    pattern: /(?:= ?[\w.-]{1,63}|\)) (?=[\w./-]+ ?!?=)/,
    why: "Requirements are joined with ','",
    replace: (text) => text.replaceAll(/((?:= ?[\w.-]{1,63}|\))) (?=[\w./-]+ ?!?=)/g, '$1,'),
  },
  {
    pattern: /\([^()]*$/,
    why: "The list of values has no ')' at its end",
    replace: (text) => `${text})`,
  },
  {
    pattern: /,\s?(?:,|$)|^\s?,/,
    why: 'There must be a requirement on both sides of a comma',
    replace: (text) => withoutEmpty(text),
  },
];

/** Removes quotes around the whole selector, and around single keys and values. Quotes around a list or an expression are kept. */
function withoutQuotes(text: string): string {
  const [, , whole] = /^(["'])([^"']*)\1$/.exec(text) ?? [];
  return whole ?? text.replaceAll(/(["'])([\w./-]*)\1/g, '$2');
}

/** Explains and corrects a label selector that cannot be parsed. Undefined if the error is unclear. */
export function repairSelector(written: string): Repair | undefined {
  if (written.length > maximumLength) return undefined;
  const text = written.replaceAll(/\s+/g, ' ').trim();
  return repairOr(text) ?? applyHabits(text, (each) => parseSelector(each).ok) ?? repairLabels(text);
}

/** Matches a key that consists of several words, before an operator or a comma. */
const spacedKey = /(^|,)( ?!?)((?:[\w./-]{1,320} ){1,8}[\w./-]{1,320})(?= ?(?:!=|=|,|$)| (?:in|notin) ?\()/g;

/** Corrects the keys and values of a selector in which only these are invalid. */
function repairLabels(text: string): Repair | undefined {
  const joined = text.replaceAll(spacedKey, (all: string, before: string, not: string, key: string) =>
    /(?:^| )(?:in|notin|and|or|not)(?: |$)/i.test(key) ? all : `${before}${not}${key.replaceAll(' ', '-')}`,
  );
  let repaired = joined;
  let isGuess = false;
  for (const { key, values } of parseSelectorTree(joined).requirements.toReversed()) {
    for (const token of [...values.toReversed(), ...(key === undefined ? [] : [key])]) {
      const is = token === key ? 'key' : 'value';
      if (is === 'key' ? isLabelKey(token.text) : isLabelValue(token.text)) continue;
      const [corrected] = corrections(is, token.text);
      if (corrected === undefined) return undefined;
      isGuess ||= !corrected.preferred;
      repaired = repaired.slice(0, token.start) + corrected.text + repaired.slice(token.end);
    }
  }
  const [problem] = parsed(text);
  if (repaired === text || problem === undefined || !parseSelector(repaired).ok) return undefined;
  const why = joined === text ? describeProblems([problem]).slice(0, -1) : localize`A key must not contain spaces`;
  return { text: repaired, why, ...(isGuess && { isGuess }) };
}

function parsed(text: string): readonly Problem[] {
  const result = parseSelector(text);
  return result.ok ? [] : result.problems;
}

/** Explains and corrects a field selector that cannot be parsed. Undefined if the error is unclear. */
export function repairFieldSelector(written: string): Repair | undefined {
  if (written.length > maximumLength) return undefined;
  const text = written.replaceAll(/\s+/g, ' ').trim();
  if (isOr(text)) return { why: 'There is no OR in a field selector: use a separate request for each value' };
  const list = /^([\w.]+) (in|notin|not in) ?\( ?([^\s,()]+) ?\)$/i.exec(text);
  if (list !== null) {
    const [, field = '', operator = '', value = ''] = list;
    const repaired = `${field}${operator.toLowerCase() === 'in' ? '=' : '!='}${value}`;
    return { text: repaired, why: "A field selector does not support lists: the operators are '=', '==' and '!='" };
  }
  if (/ (?:in|notin|not in) ?\(/i.test(text))
    return { why: "A field selector does not support lists: the operators are '=', '==' and '!='" };
  const repair = applyHabits(text, (each) => parseFieldSelector(each).ok);
  // In a field selector, spaces around an operator would be part of the field or of the value.
  return repair?.text === undefined ? repair : { ...repair, text: repair.text.replaceAll(/ ?(,|!=|==?) ?/g, '$1') };
}

/** Replaces notations from other languages one by one until the string can be parsed. The explanation is the one for the first notation that was replaced. */
function applyHabits(text: string, canBeParsed: (text: string) => boolean): Repair | undefined {
  let repaired = text;
  let why: string | undefined;
  for (const habit of habits) {
    if (!habit.pattern.test(repaired)) continue;
    const next = habit.replace(repaired);
    if (next === repaired) continue;
    why ??= habit.why;
    repaired = next;
    if (canBeParsed(repaired)) return { text: repaired, why };
  }
  return undefined;
}

function isOr(text: string): boolean {
  return /\|\|?| or /i.test(text);
}

/** Converts alternatives for the same key, such as `app=web || app=api`, to one requirement with a list of values. */
function repairOr(text: string): Repair | undefined {
  if (!isOr(text)) return undefined;
  const parts = text.split(/ ?\|\|? ?| or /i).map((part) => /^([\w./-]+) ?==? ?["']?([\w.-]+)["']?$/.exec(part));
  const [first] = parts;
  const key = first?.[1];
  const list = text.split(/\|\|?| or /i).map((part) => part.trim());
  const inKey = /^([\w./-]+) ?==? ?([\w.-]+)$/.exec(list[0] ?? '');
  if (key !== undefined && parts.every((part) => part?.[1] === key)) {
    const repaired = `${key} in (${parts.map((part) => part?.[2] ?? '').join(', ')})`;
    return { text: repaired, why: `There is no OR: use \`${shorten(repaired)}\`` };
  }
  // `app=web|api`
  if (inKey !== null && list.slice(1).every((value) => /^[\w.-]+$/.test(value))) {
    const repaired = `${inKey[1]} in (${[inKey[2], ...list.slice(1)].join(', ')})`;
    return { text: repaired, why: `There is no OR: use \`${shorten(repaired)}\`` };
  }
  if (/!=|\bnotin\b/.test(text)) return { why: 'There is no OR between requirements: a comma means AND' };
  return { why: 'There is no OR between requirements: use `key in (a, b)`, or two selectors' };
}

/** Removes empty requirements from a selector string. */
function withoutEmpty(text: string): string {
  let depth = 0;
  let part = '';
  const parts: string[] = [];
  for (const character of `${text},`) {
    if (character === '(') depth++;
    if (character === ')') depth--;
    if (character !== ',' || depth > 0) part += character;
    else {
      if (part.trim() !== '') parts.push(part.trim());
      part = '';
    }
  }
  return parts.join(',');
}

/** Returns the fix that replaces a string with the corrected selector. */
export function fixText(source: string, scalar: Written, { text, isGuess }: Repair): readonly Fix[] {
  if (text === undefined) return [];
  const edit = scalar.letters === undefined ? replaceScalar(scalar, text) : inWord(source, scalar, text);
  return edit === undefined
    ? []
    : [{ title: localize`Change to '${shorten(text)}'`, edits: [edit], preferred: isGuess !== true }];
}

/** Returns the edit for a selector string in a command; undefined if the source text of the word differs from its value, or if the new word would need different quotes. */
function inWord(source: string, { span, text }: Written, repaired: string) {
  const written = source.slice(span.start, span.end);
  if (written !== text) return written === percentEncode(text) ? { span, text: percentEncode(repaired) } : undefined;
  const quote = source[span.start - 1] ?? '';
  const isQuoted = /["']/.test(quote) && source[span.end] === quote;
  if (isQuoted && !(quote === '"' && /[!$`\\]/.test(repaired))) return { span, text: repaired };
  return /^[\w./=,-]+$/.test(repaired) ? { span, text: repaired } : undefined;
}
