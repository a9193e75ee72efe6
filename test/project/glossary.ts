/** The words of the old dialect that texts and comments must not contain, each with its standard alternative. */

/** Patterns of words to avoid, and the words to write instead. */
const words: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\bpicture\b/i, 'snapshot, image'],
  [/\bselectors? takes?\b|\btakers?\b/i, 'matches, selects'],
  [/\bcarr(?:y|ies|ied|ying|iers?)\b/i, 'has, labeled object'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix'],
  [/\bsilenc(?:e|es|ed|ing)\b/i, 'disable, suppress'],
  [/\bdoubtful\b|\bperhaps\b/i, 'uncertain, may'],
  [/\bheeds?\b/i, 'invalidate'],
  [/\b(?:some|no|any|every)body\b|\bwhoever\b/i, 'a thing as the subject'],
  [/\b(?:asks?|asked|asking) for\b/i, 'requires'],
  [/\b(?:tells?|speaks?|stands?)\b(?! for\b)/i, 'reports, returns, contains'],
  [/\bbut where\b/i, 'unless'],
  [/\bmissed by\b/i, 'near miss'],
  [/\b(?:colour|behaviour|licence|labell(?:ed|ing)|neighbour)s?\b/i, 'American spelling'],
];

/** A text and the file that contains it. */
export interface Text {
  readonly where: string;
  readonly text: string;
}

/** Returns a sentence for each word to avoid in some texts, with the words around it. */
export function faultsOf(texts: readonly Text[]): readonly string[] {
  return texts.flatMap(({ where, text }) =>
    words.flatMap(([pattern, instead]) => {
      const found = pattern.exec(text);
      if (found === null) return [];
      return [
        `${where}: "${found[0]}" (write: ${instead}) in: ${text.slice(Math.max(0, found.index - 60), found.index + 60)}`,
      ];
    }),
  );
}
