/** Determines the types of unquoted YAML scalars in the same way as Kubernetes, whose parser implements YAML 1.1: `yes`, `on`, `1.10`, `0x1f` and `1e3` are not strings, but dates and times are. */

export type ScalarType = 'string' | 'number' | 'boolean' | 'null';

const trues = ['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'];
const falses = ['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'];
const nulls = ['', '~', 'null', 'Null', 'NULL'];
const words: ReadonlyMap<string, 'true' | 'false' | 'null'> = new Map([
  ...trues.map((word) => [word, 'true'] as const),
  ...falses.map((word) => [word, 'false'] as const),
  ...nulls.map((word) => [word, 'null'] as const),
]);
const longestWord = 5;
/** A table of the characters that can begin a scalar that is not a string; most strings begin with other characters. */
const typedStarts = new Uint8Array(128);
for (const typed of [...'0123456789+-.', ...words.keys()]) typedStarts[typed.charCodeAt(0)] = 1;
const specialFloats = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
const integer = /^[-+]?(?:0[xX][0-9a-fA-F]+|0[oO]?[0-7]+|0[bB][01]+|0|[1-9][0-9]*)$/;
const float = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;

/** Returns the type of a plain (unquoted, untagged) scalar. */
export function plainType(text: string): ScalarType {
  if (text !== '' && typedStarts[text.charCodeAt(0)] !== 1) return 'string';
  const word = text.length <= longestWord ? words.get(text) : undefined;
  if (word !== undefined) return word === 'null' ? 'null' : 'boolean';
  return isPlainNumber(text) ? 'number' : 'string';
}

/** Whether a plain scalar is a boolean only in YAML 1.1: `yes`, `off` and `y` are strings in YAML 1.2. */
export function isOldBoolean(text: string): boolean {
  return plainType(text) === 'boolean' && !/^(?:true|false)$/i.test(text);
}

/** Returns the JSON text to which a plain mapping key is decoded: `on` becomes "true", `010` becomes "8", and `1.0` becomes "1"; all other keys are unchanged. */
export function plainKey(text: string): string {
  const word = words.get(text);
  if (word !== undefined) return word === 'null' ? text : word;
  if (!isPlainNumber(text)) return text;
  const number = plainNumber(text);
  return typeof number === 'bigint' ? String(number) : floatText(number);
}

/** Returns the string to which Kubernetes decodes a key. It differs from the text of the key if the key is not a string. */
export function readKey({ text, type }: { readonly text: string; readonly type: string }): string {
  return type === 'string' || type === 'null' ? text : plainKey(text);
}

/** Returns the value to which Kubernetes decodes a scalar of a given type. */
export function scalarData(text: string, type: ScalarType): string | number | boolean | null {
  if (type === 'null') return null;
  if (type === 'boolean') return words.get(text) === 'true';
  return type === 'number' && isPlainNumber(text) ? Number(plainNumber(text)) : text;
}

function isPlainNumber(text: string): boolean {
  const first = text.charCodeAt(0);
  const isDigit = first >= 48 && first <= 57;
  if (!isDigit && first !== 43 && first !== 45 && first !== 46) return false;
  if (specialFloats.test(text)) return true;
  const digits = withoutUnderscores(text);
  if (integer.test(digits)) return true;
  return float.test(first === 46 ? text : digits) && Number.isFinite(Number(digits));
}

/**
 * Formats a float as Kubernetes prints it in a key: with the fewest digits that distinguish it among 32-bit floats, and
 * in exponent notation if its magnitude is at least 1e6 or less than 1e-4.
 */
function floatText(number: number): string {
  const float = Math.fround(number);
  if (Number.isNaN(float)) return '.nan';
  if (!Number.isFinite(float)) return float > 0 ? '.inf' : '-.inf';
  let places = 0;
  while (Math.fround(Number(float.toExponential(places))) !== float) places++;
  const shortest = float.toExponential(places);
  const [digits = '', exponent = ''] = shortest.split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(Number(shortest));
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

function plainNumber(text: string): number | bigint {
  if (specialFloats.test(text)) return /nan$/i.test(text) ? Number.NaN : text.startsWith('-') ? -Infinity : Infinity;
  const digits = withoutUnderscores(text);
  return integer.test(digits) ? integerValue(digits) : Number(digits);
}

function withoutUnderscores(text: string): string {
  return text.includes('_') ? text.replaceAll('_', '') : text;
}

function integerValue(text: string): number | bigint {
  const negative = text.startsWith('-');
  const digits = text.replace(/^[-+]/, '');
  const octal = /^0[oO]?([0-7]+)$/.exec(digits)?.[1];
  const value = BigInt(octal === undefined ? digits : `0o${octal}`);
  return negative ? -value : value;
}

/** Whether a string must be quoted in YAML because Kubernetes would otherwise decode it to a different value. */
export function needsQuotes(text: string): boolean {
  if (plainType(text) !== 'string') return true;
  if (text === '<<' || text === '=') return true;
  if (/^[\s\-?:,[\]{}#&*!|>'"%@`]/.test(text) && !/^[-?:][^\s,[\]{}]/.test(text)) return true;
  if (/[,[\]{}]/.test(text)) return true;
  return /: |\s#|[\s:]$/.test(text) || /[\p{Cc}\u2028\u2029\ufeff]/u.test(text) || /^(?:---|\.\.\.)/.test(text);
}
