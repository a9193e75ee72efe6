/** The escape sequences of double-quoted strings that the YAML parser of Kubernetes knows: those of YAML 1.1, and `\'`, but not `\/`. */

/** Matches an escape sequence; its group is the text after the backslash. */
export const escapeSequence = /\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)/gs;

const characters: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\u0007',
  b: '\b',
  t: '\t',
  '\t': '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\u001b',
  ' ': ' ',
  '"': '"',
  "'": "'",
  '\\': '\\',
  N: '\u0085',
  _: '\u00a0',
  L: '\u2028',
  P: '\u2029',
};

/** Returns the character of an escape sequence without its backslash; undefined if Kubernetes rejects it. */
export function characterOf(sequence: string): string | undefined {
  if (sequence.length === 1) return characters[sequence];
  const code = Number.parseInt(sequence.slice(1), 16);
  return code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? undefined : String.fromCodePoint(code);
}
