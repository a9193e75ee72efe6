/** Defines the serialized form of the catalogue, which fits into one small file: its types, and the functions that serialize and deserialize strings and numbers. */

import type { Meaning, ProducerFact, ReferenceFact, SelectorForm } from './types.ts';

/** The whole catalogue, as written to `data.generated.ts`. Repeated data is stored once and referred to by its index: paths, version lists, and the facts on selectors and templates without their paths. Lists that occur in many kinds (all selectors of a pod spec) are parts, mounted at a path. */
export interface SerializedCatalogue {
  /** All paths, sorted and then serialized by `serializeTexts`. */
  readonly paths: string;
  /** Version lists, newest first, separated by spaces. */
  readonly versions: readonly string[];
  /** Groups and kinds that are selected, created or labeled: `group/kind`. */
  readonly objects: readonly string[];
  /** Rules for names: `rule maxLength childSafeMaxLength`; the first is the rule of custom resources. */
  readonly names: readonly string[];
  readonly selectors: readonly SerializedSelector[];
  readonly templates: readonly SerializedTemplate[];
  /** Labels that controllers set: `key`, `key=value`, or `key=@` for the name of the object. */
  readonly sets: readonly string[];
  readonly references: readonly SerializedReference[];
  /** One line per label or annotation: its key, `label` or `annotation`, indexes into `objects`, form and kinds. */
  readonly keyReferences: string;
  readonly producers: readonly SerializedProducer[];
  readonly parts: readonly SerializedPart[];
  /** The kinds, by group and then by name. */
  readonly kinds: Readonly<Record<string, Readonly<Record<string, SerializedKind>>>>;
  /** One line for each well-known key, sorted, with columns separated by tabs; serialized by `serializeTexts`. */
  readonly keys: string;
  /** Comma-separated lists of the kinds that can have a key. */
  readonly labeledObjects: readonly string[];
  /** By `group/kind`. */
  readonly fields: Readonly<Record<string, SerializedFields>>;
}

/** The meaning of a selector, independent of its path. A path that begins with `^` is relative to the parent of the selector, a path that begins with `>` is relative to the selector itself, and any other path is relative to the path where its part is mounted. */
export interface SerializedSelector {
  /** Form. */
  readonly f: SelectorForm;
  /** Targets. */
  readonly t?: readonly number[];
  /**
   * The namespaces to which the selector applies (`Reach`): a word, or `[namespaceSelectorAt, namesAt, anyAt,
   * otherwise, allFrom, wholeNamespacesAt]`, with '' for an absent item.
   */
  readonly r?: string | readonly string[];
  /** The meanings of an absent, null and empty selector as letters of `MEANINGS`, e.g. `nna`. */
  readonly m: string;
  /** The sum of the flags of the selector, as in `SELECTOR_FLAGS`. */
  readonly x?: number;
  /** The path of the labels in the template of the object. */
  readonly l?: string;
  /** The condition under which the selector is ignored, in the form `path=word` or `path!=word`. */
  readonly i?: string;
  /** The paths of the fields of which none may be set, if an object without the selector applies to everything. */
  readonly u?: readonly string[];
  /** The path of the field that determines the kind, and the kinds as indexes into `objects`, by value. */
  readonly k?: readonly [at: string, kinds: Readonly<Record<string, number>>];
}

export interface SerializedTemplate {
  /** The kind that the object creates, as an index into `objects`. */
  readonly m: number;
  /** The path of the labels, if it is not `metadata.labels`. */
  readonly l?: string;
  /** Labels that the controller sets: indexes into `sets`. */
  readonly s?: readonly number[];
  readonly open?: 1;
  /** A field and the values for which nothing is created, separated by blanks. */
  readonly u?: string;
}

/** The meaning of a reference, independent of its path. Paths have the same form as in `SerializedSelector`. */
export interface SerializedReference {
  /** The kinds that the reference may name, as indexes into `objects`. */
  readonly t: readonly number[];
  /** The paths of the fields with the kind, group, namespace, `optional` flag, port and keys. */
  readonly k?: string;
  readonly g?: string;
  readonly n?: string;
  readonly o?: string;
  readonly p?: string;
  readonly d?: readonly string[];
  /** The kind that a ReferenceGrant must allow, as an index into `objects`. */
  readonly r?: number;
  /** The kinds that the kind field accepts, as indexes into `objects`. */
  readonly a?: readonly number[];
  /** Form. */
  readonly f?: NonNullable<ReferenceFact['form']>;
  /** Creates. */
  readonly c?: 1;
  readonly runs?: 1;
  /** The paths of the fields in the same object that contain the allowed names. */
  readonly l?: readonly string[];
  readonly part?: NonNullable<ReferenceFact['part']>;
}

/** A producer; kinds are written as `group/kind`. */
type SerializedProducer = Omit<ProducerFact, 'makes'> & { readonly kind: string; readonly makes: string };

/**
 * Six lists separated by spaces, each serialized by `serializeNumbers`: a path, a value, a path, ...; empty lists at
 * the end are left out. A path is written as its distance from the previous one. The values: 0. selectors: an index
 * into `selectors`; 1. labels: `holds + 3 * (1 + of)`, see `HOLDS`; `of` is an index into `objects`, -1 for none; 2.
 * templates: an index into `templates`; 3. label keys: `1 + of`; 4. mounts: an index into `parts`; 5. references: an index into
 * `references`.
 */
export type SerializedPart = string;

/** One kind, as a tuple without trailing zeros. */
export type SerializedKind = readonly [
  /** Index into `versions`. */
  versions: number,
  /** The scope of the kind: 0 if unknown, 1 if namespaced, 2 if cluster-scoped. */
  scope?: 0 | 1 | 2,
  facts?: SerializedPart | 0,
  /** The plural, if it differs from `usualPlural`. */
  plural?: string | 0,
  /** Short names, separated by spaces. */
  shortNames?: string | 0,
  /** Index into `names`. */
  name?: number,
  /** Facts that hold only in some versions: an index into `versions`, and the facts. */
  only?: readonly (readonly [number, SerializedPart])[] | 0,
];

export interface SerializedFields {
  /** The fields, each as `[field, type, values, note]`. */
  readonly f: readonly (readonly [string, string?, (readonly string[])?, string?])[];
  readonly a?: Readonly<Record<string, string>>;
}

/** The letters that represent meanings in `SerializedSelector`. */
export const MEANINGS: Readonly<Record<string, Meaning>> = {
  n: 'nothing',
  a: 'all',
  o: 'ownNamespace',
  f: 'notFiltered',
  i: 'invalid',
  '?': 'unknown',
};

export const SELECTOR_FLAGS = {
  mustMatchTemplate: 1,
  immutable: 2,
  notPlain: 4,
  fillsLabels: 8,
  generates: 16,
  refused: 32,
  /** The keys of a label selector have the sources of Cilium. */
  cilium: 64,
  /** Istio decides on namespaces and on labels that it adds. */
  istio: 128,
} as const;

/** The contents of the map at a label path; `both` means that the map has the fields `labels` and `annotations`. */
export const HOLDS = { labels: 0, annotations: 1, both: 2 } as const;

/** The letters for the types of well-known keys. A `*` after the letter marks a pattern; a final `s` or `k` means that the value is a selector or a label key. */
export const KEY_TYPES = { l: 'label', a: 'annotation', b: 'both', t: 'taint' } as const;

/** The most frequent words of paths, each with the character that replaces it in the serialized form. */
const WORDS: readonly (readonly [word: string, code: string])[] = [
  ['topologySpreadConstraints', '!'],
  ['preferredDuringSchedulingIgnoredDuringExecution', '#'],
  ['requiredDuringSchedulingIgnoredDuringExecution', '$'],
  ['namespaceSelector', '%'],
  ['annotationSelector', '&'],
  ['labelSelector', '('],
  ['nodeSelector', ')'],
  ['volumeClaimTemplate', '+'],
  ['persistentVolumeClaim', ':'],
  ['podMetadata', ';'],
  ['metadata', '<'],
  ['annotations', '='],
  ['Annotations', '>'],
  ['selector', '?'],
  ['affinity', '@'],
  ['Affinity', '^'],
  ['template', '~'],
  ['labels', '{'],
  ['Selector', '|'],
  ['volumes', '}'],
];

/** The digits of serialized numbers. */
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-.';

/** Serializes sorted strings, one on each line: a digit for the length of the prefix that the string shares with the previous string, and then the remaining characters. If `shorten` is true, frequent words of paths are replaced by one-character codes, which the strings must not contain themselves. */
export function serializeTexts(sorted: readonly string[], shorten: boolean): string {
  let previous = '';
  const lines = sorted.map((text) => {
    let shared = 0;
    while (shared < DIGITS.length - 1 && shared < text.length && text[shared] === previous[shared]) shared++;
    previous = text;
    return [DIGITS[shared] ?? 'A', text.slice(shared)] as const;
  });
  const short = (text: string) => WORDS.reduce((rest, [word, code]) => rest.replaceAll(word, code), text);
  return lines.map(([letter, rest]) => letter + (shorten ? short(rest) : rest)).join('\n');
}

/** Deserializes the result of `serializeTexts`. */
export function deserializeTexts(serialized: string, shortened: boolean): string[] {
  const words = new Map(WORDS.map(([word, code]) => [code, word]));
  const whole = (rest: string) => rest.replaceAll(/[!#-&()+:-@^{-~]/g, (code) => words.get(code) ?? code);
  let previous = '';
  return serialized.split('\n').map((line) => {
    const rest = line.slice(1);
    previous = previous.slice(0, DIGITS.indexOf(line.charAt(0))) + (shortened ? whole(rest) : rest);
    return previous;
  });
}

/** Serializes non-negative integers: each digit holds five bits, the lowest bits first, and its sixth bit marks that more digits follow. */
export function serializeNumbers(numbers: readonly number[]): string {
  let serialized = '';
  for (const number of numbers) {
    let rest = number;
    while (rest > 31) {
      serialized += DIGITS[32 + (rest % 32)];
      rest = Math.floor(rest / 32);
    }
    serialized += DIGITS[rest];
  }
  return serialized;
}

/** Deserializes the result of `serializeNumbers`. */
export function deserializeNumbers(serialized: string): number[] {
  const numbers: number[] = [];
  let number = 0;
  let unit = 1;
  for (const letter of serialized) {
    const digit = DIGITS.indexOf(letter);
    number += (digit % 32) * unit;
    unit *= 32;
    if (digit < 32) {
      numbers.push(number);
      number = 0;
      unit = 1;
    }
  }
  return numbers;
}

/** Returns the regular English plural of a kind, in lower case. */
export function usualPlural(kind: string): string {
  const word = kind.toLowerCase();
  if (/(?:s|x|ch|sh)$/.test(word)) return `${word}es`;
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return `${word}s`;
}

/** Joins two paths; either may be empty. */
export function joinPath(base: string, path: string): string {
  if (base === '' || path === '') return base + path;
  return `${base}.${path}`;
}

/** Returns the path of the object that contains the field at `path`. */
export function parentPath(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('.')));
}
