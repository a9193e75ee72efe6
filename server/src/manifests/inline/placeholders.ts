/** Finds the parts of a word that are not known from the file itself, such as template actions and placeholders. */

import type { Placeholder } from '../../engine/index.ts';
import type { Host } from './host-language.ts';

/** Template actions and the placeholders of documentation: `{{ .name }}`, `${{ x }}`, `$NAME`, `${NAME}`, `$(name)`, `<name>`, `[NAME]`, `[a|b]`, `[,KEY=VALUE]`, `[other` of `[other labels]`, `{name}`, `{}`, `{a,b}`, `%NAME%`, `%s`, `%%i`, `@NAME@`, `__NAME__`, `____`, `!NAME!`, `...`, and characters that occur in scripts but not in labels. */
const placeholders = new RegExp(
  [
    /\$?\{\{[^{}\n]{0,300}\}\}/,
    /\$\{[^{}\n]{0,300}\}/,
    /\$\([^()\n]{0,300}\)/,
    /\$[A-Za-z_][A-Za-z0-9_:]{0,100}/,
    /\$[0-9@*#?]/,
    /<[^<>\n=]{1,80}>/,
    /\[,?[A-Za-z][\w .-]{0,80}(?:[|=][\w .|-]{0,80})?\]/,
    /\[,?[A-Za-z][\w.-]{0,80}$/,
    /\{[\w .,|/#-]{0,80}\}/,
    /%[A-Za-z_][A-Za-z0-9_]{0,80}%/,
    /%{1,2}[A-Za-z]?/,
    /@[A-Za-z_][\w.-]{0,80}@/,
    /![A-Za-z_]\w{0,80}!/,
    /(?:(?![ -~])[\p{L}\p{M}\p{N}\p{Po}\p{Ps}\p{Pe}]){1,80}/u,
    /__[0-9]{0,20}[A-Z][A-Z0-9_]{0,80}?__/,
    /(?<![A-Za-z0-9])_{3,40}(?![A-Za-z0-9])/,
    /\.{3,}|\u2026/,
  ]
    .map((each) => each.source)
    .join('|'),
  'gu',
);

/** Whether a match consists of letters that look like, or resemble, ASCII letters, in a word with ASCII letters: `w\u0435b`, `caf\u00e9`; or of Latin letters: `\u00e9`. */
function isPartOfWord(text: string, { 0: found, index }: RegExpExecArray): boolean {
  if (latinLetters.test(found)) return true;
  if (!similarLetters.test(found)) return false;
  return /[A-Za-z0-9]/.test(text.charAt(index - 1)) || /[A-Za-z0-9]/.test(text.charAt(index + found.length));
}

const latinLetters = /^[\p{Script=Latin}\p{M}]+$/u;
const similarLetters = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{M}]+$/u;

/** Returns the unknown parts of a word in the order of the text: the parts in `known`, and placeholders. */
export function placeholdersIn(text: string, known: readonly Placeholder[], host: Host): readonly Placeholder[] {
  const isProse = host === 'markdown' || host === 'text';
  const matches = [...text.matchAll(placeholders)].filter((match) => isProse || !isPartOfWord(text, match));
  const found = matches.map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    id: match[0],
  }));
  const free = found.filter((each) => known.every((other) => each.end <= other.start || other.end <= each.start));
  return [...known, ...free].toSorted((a, b) => a.start - b.start);
}
