/** Generates typing mistakes in texts: characters and lines that are inserted, deleted, moved and repeated. */

import fc from 'fast-check';

/** Characters with a meaning in YAML, and unusual characters. */
const signs = [
  ...':-#{}[]&*!|>\'"%@`,?~<=.\n\r\t x0é\u00a0\ufeff\u0085\u2028\u0000\ue000\ud800',
  ...[
    '',
    '  ',
    '\n\n',
    '\n  ',
    '- ',
    ': ',
    ' #',
    "''",
    '\\"',
    '"\\u00e9"',
    '|\n',
    '>-\n',
    '|+\n',
    '|2\n',
    '\r\n',
    '😀',
  ],
  ...['---\n', '&a ', '*a', '!!str ', '<<: ', '{a: b}', '[a, b]', '? a\n: b\n'],
];

const slips = ['insert', 'replace', 'cut', 'dropLine', 'indent', 'repeatLine', 'joinLines'] as const;

const slip = fc.record({
  what: fc.constantFrom(...slips),
  at: fc.nat(),
  other: fc.nat(),
  sign: fc.constantFrom(...signs),
});

/** A part of one of the texts with up to four mistakes. */
export function mutated(texts: readonly string[]): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...texts), fc.nat(), fc.array(slip, { minLength: 1, maxLength: 4 }))
    .map(([text, from, made]) => {
      const start = text.length > 3000 ? text.lastIndexOf('\n', from % (text.length - 1500)) + 1 : 0;
      return made.reduce(withSlip, text.slice(start, start + 3000));
    });
}

/** A text with up to four mistakes; `random` returns whole numbers below a bound. */
export function slipped(text: string, random: (below: number) => number): string {
  let result = text;
  for (let count = random(4); count >= 0; count--) {
    const what = slips[random(slips.length)] ?? 'cut';
    result = withSlip(result, {
      what,
      at: random(2 ** 31),
      other: random(2 ** 31),
      sign: signs[random(signs.length)] ?? '',
    });
  }
  return result;
}

function withSlip(
  text: string,
  { what, at: anywhere, other, sign }: typeof slip extends fc.Arbitrary<infer T> ? T : never,
) {
  const at = anywhere % (text.length + 1);
  const lines = text.split('\n');
  const line = anywhere % lines.length;
  switch (what) {
    case 'insert':
      return text.slice(0, at) + sign + text.slice(at);
    case 'replace':
      return text.slice(0, at) + sign + text.slice(at + 1);
    case 'cut':
      return text.slice(0, at) + text.slice(at + (other % 30));
    case 'dropLine':
      return lines.toSpliced(line, 1).join('\n');
    case 'indent':
      return lines.with(line, ' '.repeat(other % 6) + (lines[line] ?? '').trimStart()).join('\n');
    case 'repeatLine':
      return lines.toSpliced(line, 0, lines[other % lines.length] ?? '').join('\n');
    case 'joinLines':
      return lines.toSpliced(line, 2, lines.slice(line, line + 2).join('')).join('\n');
  }
}
