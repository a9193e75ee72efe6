/** How are the facts packed into one small file? Types of the packed form, and the parts of it that both sides share. */

import type { Meaning, SelectorForm } from './types.ts';

/**
 * Everything, as it is written into `data.generated.ts`. Whatever occurs more than once is stored once and named by its
 * index: paths, version lists, and the facts on selectors and templates apart from where they are. Lists that occur in
 * many kinds (all selectors of a pod spec) are parts, mounted at a path.
 */
export interface PackedCatalogue {
  /** All paths in order, front-coded: `frontDecode` gives them back. */
  readonly paths: string;
  /** Version lists, newest first, separated by spaces. */
  readonly versions: readonly string[];
  /** Groups and kinds that are selected, made or labelled: `group/kind`. */
  readonly objects: readonly string[];
  readonly selectors: readonly PackedSelector[];
  readonly templates: readonly PackedTemplate[];
  readonly parts: readonly PackedPart[];
  /** By group, then by kind. */
  readonly kinds: Readonly<Record<string, Readonly<Record<string, PackedKind>>>>;
  /** One line per well-known key; its columns are separated by tabs. */
  readonly keys: string;
  /** By `group/kind`. */
  readonly fields: Readonly<Record<string, PackedFields>>;
}

/**
 * What a selector means, wherever it is. A path that begins with `^` is beside the selector (in its parent), with `>`
 * inside it; any other starts where its part is mounted.
 */
export interface PackedSelector {
  /** Form. */
  readonly f: SelectorForm;
  /** Targets. */
  readonly t?: readonly number[];
  /** Reach: a word, or `[namespaceSelectorAt, namesAt, anyAt, otherwise]` with '' for what is not there. */
  readonly r?: string | readonly string[];
  /** Absent, null and empty as letters of `MEANINGS`, e.g. `nna`. */
  readonly m: string;
  /** Flags of `SELECTOR_FLAGS`, added up. */
  readonly x?: number;
  /** Template labels. */
  readonly l?: string;
}

export interface PackedTemplate {
  /** What it makes: an index into `objects`. */
  readonly m: number;
  /** Where the labels are, when not at `metadata.labels`. */
  readonly l?: string;
  /** Labels that the controller sets: `key`, `key=value`, or `key=@` for the name of the object. */
  readonly s?: readonly string[];
  readonly open?: 1;
}

/**
 * Flat lists of a path, what is there, a path, ...; lists at the end are left out when empty. What is there:
 * 0. selectors: an index into `selectors`;
 * 1. labels: `holds + 3 * (1 + of)`, see `HOLDS`; `of` is an index into `objects`, -1 for none;
 * 2. templates: an index into `templates`;
 * 3. label keys: `1 + of`;
 * 4. mounts: an index into `parts`.
 */
export type PackedPart = readonly (readonly number[])[];

export interface PackedKind {
  /** Index of its versions. */
  readonly v: number;
  /** 1: namespaced, 0: cluster-scoped. */
  readonly n?: 0 | 1;
  /** The plural, where `usualPlural` would be wrong. */
  readonly p?: string;
  /** Short names. */
  readonly s?: readonly string[];
  /** `[rule, maxLength, childSafeMaxLength]`, 0 for no length. */
  readonly name?: readonly [string, number, number];
  readonly f?: PackedPart;
  /** Facts that hold in some versions only: index of those versions, facts. */
  readonly o?: readonly (readonly [number, PackedPart])[];
}

export interface PackedFields {
  /** `[field, type, values, note]`. */
  readonly f: readonly (readonly [string, string?, (readonly string[])?, string?])[];
  readonly a?: Readonly<Record<string, string>>;
}

/** The letters for meanings. */
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
} as const;

/** What a label place holds; `both` stands for `.labels` and `.annotations` below the path. */
export const HOLDS = { labels: 0, annotations: 1, both: 2 } as const;

/** The columns of a well-known key. */
export const KEY_TYPES = { l: 'label', a: 'annotation', b: 'both', t: 'taint' } as const;

/** The first of the letters that count how much a path shares with the one before it. */
const SHARED_ZERO = 48;

/** Packs sorted texts: each line is a character for how many characters it shares with the line before, and the rest. */
export function frontEncode(sorted: readonly string[]): string {
  let previous = '';
  const lines: string[] = [];
  for (const text of sorted) {
    let shared = 0;
    while (shared < 74 && shared < text.length && text[shared] === previous[shared]) shared++;
    lines.push(String.fromCharCode(SHARED_ZERO + shared) + text.slice(shared));
    previous = text;
  }
  return lines.join('\n').replaceAll('\\', '~');
}

/** Gives back what `frontEncode` packed. */
export function frontDecode(packed: string): string[] {
  let previous = '';
  return packed
    .replaceAll('~', '\\')
    .split('\n')
    .map((line) => {
      previous = previous.slice(0, line.charCodeAt(0) - SHARED_ZERO) + line.slice(1);
      return previous;
    });
}

/** The plural that most kinds have. */
export function usualPlural(kind: string): string {
  const word = kind.toLowerCase();
  if (/(?:s|x|ch|sh)$/.test(word)) return `${word}es`;
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return `${word}s`;
}

/** Puts a path below another one; either may be empty. */
export function joinPath(base: string, path: string): string {
  if (base === '' || path === '') return base + path;
  return `${base}.${path}`;
}

/** Where the object is that holds the field at `path`. */
export function parentPath(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('.')));
}
