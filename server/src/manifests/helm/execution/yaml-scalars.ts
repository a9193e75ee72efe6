/** Writes scalars as `toYaml` does. Sources: gopkg.in/yaml.v2 `encode.go`, `emitterc.go`, `resolve.go`, `sorter.go`. */

import { floatText, printed, type TemplateValue } from './template-value.ts';

/** Returns the lines of a scalar that begins in a column; all lines but the first are indented by the caller. */
export function scalarLines(value: TemplateValue, column: number): readonly string[] {
  if (typeof value === 'number') return [numberText(value)];
  if (typeof value !== 'string') return [printed(value, 'null')];
  const facts = factsAbout(value);
  if (value.includes('\n')) return facts.allowsBlock ? blockLines(value) : [doubleQuoted(value)];
  if (!isString(value) || !facts.allowsSingle) return folded(doubleQuoted(value), column, '\\');
  if (facts.allowsPlain) return folded(value, column, '');
  return folded(singleQuoted(value), column, '');
}

export function keyText(key: string): string {
  const { allowsSingle, allowsPlain } = factsAbout(key);
  if (!isString(key) || key.includes('\n') || !allowsSingle) return doubleQuoted(key);
  return allowsPlain ? key : singleQuoted(key);
}

/** Returns a `float64`, which is an integer if its JSON is one that an `int64` or `uint64` can contain. */
function numberText(value: number): string {
  if (!Number.isInteger(value) || Math.abs(value) >= 1e21) return floatText(value);
  const digits = BigInt(String(value));
  return digits >= -(2n ** 63n) && digits < 2n ** 64n ? String(value) : floatText(value);
}

interface Facts {
  readonly allowsPlain: boolean;
  readonly allowsSingle: boolean;
  readonly allowsBlock: boolean;
}

/** A character that is written only as an escape: a control character, a tab, or one outside of the basic plane. */
const special = /[^\n -~\u00A0-\uD7FF\uE000-\uFEFE\uFF00-\uFFFD]/u;
const indicators = /^(?:[#,[\]{}&*!|>'"%@`]|[?:-](?:[ \t\n]|$)|---|\.\.\.)|:(?:[ \t\n]|$)|[ \t\n]#/;

/** Analyzes a text as the emitter of YAML does. */
function factsAbout(text: string): Facts {
  const isSpecial = special.test(text) || / \n/.test(text);
  const afterBreak = /\n /.test(text);
  return {
    allowsPlain: !isSpecial && !/^ | $|\n/.test(text) && !indicators.test(text) && text !== '',
    allowsSingle: !isSpecial && !afterBreak,
    allowsBlock: !isSpecial && !text.endsWith(' ') && text !== '',
  };
}

const words = new Set([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON', 'n', 'N', 'no', 'No', 'NO', 'false'],
  ...['False', 'FALSE', 'off', 'Off', 'OFF', '', '~', 'null', 'Null', 'NULL', '.nan', '.NaN', '.NAN', '.inf', '.Inf'],
  ...['.INF', '+.inf', '+.Inf', '+.INF', '-.inf', '-.Inf', '-.INF'],
]);
const integerForm = /^[-+]?(?:0x[\da-f]+|0o?[0-7]+|0b[01]+|0|[1-9]\d*)$/i;
const floatForm = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:e[-+]?\d+)?$/i;
const baseSixty = /^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/;
const dateForm = /^\d{4}-(\d{1,2})-(\d{1,2})(?:[Tt ]\d{1,2}:\d{1,2}:\d{1,2}(?:\.\d+)?(?:Z|[-+]\d\d:\d\d)?)?$/;

/** Whether a plain scalar is a string, not a value of another type. */
function isString(text: string): boolean {
  if (words.has(text) || baseSixty.test(text) || dateForm.test(text)) return false;
  if (/^\./.test(text)) return !floatForm.test(text.replaceAll('_', ''));
  if (!/^[-+\d]/.test(text)) return true;
  const digits = text.replaceAll('_', '');
  return !integerForm.test(digits) && !floatForm.test(digits);
}

const escapes: Readonly<Record<string, string>> = {
  '\0': '\\0',
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\x1B': '\\e',
  '"': '\\"',
  '\\': '\\\\',
  '\x85': '\\N',
  '\u2028': '\\L',
  '\u2029': '\\P',
};

function doubleQuoted(text: string): string {
  const inner = [...text].map((character) => {
    const known = escapes[character];
    if (known !== undefined) return known;
    if (!special.test(character)) return character;
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
    return code.length <= 2
      ? `\\x${code.padStart(2, '0')}`
      : code.length <= 4
        ? `\\u${code.padStart(4, '0')}`
        : `\\U${code.padStart(8, '0')}`;
  });
  return `"${inner.join('')}"`;
}

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The column after which the emitter breaks lines at spaces. */
const width = 80;

/** Breaks a line at single spaces after the maximum width. */
function folded(text: string, column: number, mark: string): readonly string[] {
  const lines: string[] = [];
  let [start, from] = [0, column];
  for (let at = text.indexOf(' ', 1); at !== -1; at = text.indexOf(' ', at + 1)) {
    const isAlone = text[at + 1] !== ' ' && text[at - 1] !== ' ' && at < text.length - 1;
    if (!isAlone || from + at - start <= width) continue;
    lines.push(text.slice(start, at) + mark);
    start = at + 1;
    from = 2;
  }
  return [...lines, text.slice(start)];
}

function blockLines(text: string): readonly string[] {
  const hint = /^[ \n]/.test(text) ? '2' : '';
  const chomp = !text.endsWith('\n') ? '-' : text === '\n' || text.endsWith('\n\n') ? '+' : '';
  return [`|${hint}${chomp}`, ...text.replace(/\n$/, '').split('\n')];
}

/** Compares keys as `toYaml` sorts them: letters after other characters, and numbers in them by size. */
export function byNumbers(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  for (let at = 0; at < left.length && at < right.length; at++) {
    const [one = '', other = ''] = [left[at], right[at]];
    if (one === other) continue;
    const areLetters = [one, other].map((each) => /\p{L}/u.test(each));
    if (areLetters[0] && areLetters[1]) return one < other ? -1 : 1;
    if (areLetters[0] || areLetters[1]) return areLetters[1] ? -1 : 1;
    const [digits, others] = [digitsAt(left, at), digitsAt(right, at)];
    const hasZero = one === '0' || other === '0';
    const before = hasZero && /[1-9]/.test(/\d{0,30}$/.exec(left.slice(0, at).join(''))?.[0] ?? '') ? '1' : '';
    const difference = Number(before + digits) - Number(before + others) || digits.length - others.length;
    if (difference !== 0) return difference;
    return one < other ? -1 : 1;
  }
  return left.length - right.length;
}

function digitsAt(characters: readonly string[], at: number): string {
  return /^\d*/.exec(characters.slice(at, at + 16).join(''))?.[0] ?? '';
}
