/** Parses the entries of `catalogue:` in `.selector-lens.yaml`, in which users describe kinds. */

import { selectorRoleOf } from './selector-role.ts';
import type {
  GroupKind,
  LabelField,
  Meaning,
  Reach,
  ReferenceFact,
  SelectorFact,
  SelectorForm,
  TemplateFact,
} from './types.ts';

/** A part of an entry that cannot be used; the rest of the entry still applies. */
export interface EntryProblem {
  readonly path: readonly (string | number)[];
  readonly code:
    | 'not-a-list'
    | 'not-a-map'
    | 'not-a-string'
    | 'not-a-boolean'
    | 'not-a-path'
    | 'not-a-word'
    | 'missing'
    | 'unknown-key';
  readonly message: string;
}

/** One parsed entry of `catalogue:`. */
export interface UserKind extends GroupKind {
  /** The API versions to which the entry applies; empty means every version. */
  readonly versions: readonly string[];
  readonly namespaced?: boolean;
  readonly plural?: string;
  readonly shortNames: readonly string[];
  readonly selectors: readonly SelectorFact[];
  readonly templates: readonly TemplateFact[];
  readonly labels: readonly LabelField[];
  readonly labelKeys: readonly string[];
  readonly references: readonly ReferenceFact[];
}

type Path = readonly (string | number)[];
type Plain = Readonly<Record<string, unknown>>;

const FORMS: readonly SelectorForm[] = [
  'labelSelector',
  'matchLabelsOnly',
  'matchExpressionsOnly',
  'map',
  'nodeSelectorMap',
  'nodeSelector',
  'nodeSelectorTerm',
  'requirements',
  'string',
  'fieldSelectorString',
  'fieldSelectorMap',
  'calicoSelector',
  'other',
];
const MEANINGS: readonly Meaning[] = [
  'nothing',
  'all',
  'ownNamespace',
  'notFiltered',
  'invalid',
  'sameAsAbsent',
  'unknown',
];
const REACH_WORDS = ['own', 'all', 'cluster', 'unknown'] as const;
const ENTRY_KEYS = [
  'annotations',
  'group',
  'kind',
  'labelKeys',
  'labels',
  'namespaced',
  'plural',
  'podTemplates',
  'references',
  'selectors',
  'shortNames',
  'versions',
];
const SELECTOR_KEYS = [
  'absent',
  'empty',
  'form',
  'immutable',
  'mustMatchTemplate',
  'null',
  'path',
  'plain',
  'reach',
  'targets',
  'templateLabelsAt',
];
const TEMPLATE_KEYS = ['labelsAt', 'open', 'path', 'sets'];
const REACH_KEYS = ['anyAt', 'namesAt', 'namespaceSelectorAt', 'otherwise'];

/** A path in the catalogue's notation: names, optionally followed by `[]`, or `*`, separated by dots. */
const PATH = /^[\w/-]+(?:\[\])*(?:\.(?:\*|[\w/-]+)(?:\[\])*)*$/;

/** Parses all entries. Invalid parts are reported with their paths; valid parts are kept. */
export function readEntries(entries: unknown): { kinds: readonly UserKind[]; problems: readonly EntryProblem[] } {
  const parser = new EntryParser();
  const kinds = parser.list(entries, [], (entry, path) => readEntry(parser, entry, path));
  return { kinds, problems: parser.problems };
}

function readEntry(parser: EntryParser, value: unknown, path: Path): UserKind | undefined {
  const entry = parser.map(value, path, ENTRY_KEYS);
  if (!entry) return undefined;
  const kind = parser.text(entry, 'kind', path) ?? parser.missing('kind', path);
  const group = entry['group'] === '' ? '' : (parser.text(entry, 'group', path) ?? '');
  const texts = (key: string, isPath: boolean) =>
    parser.list(entry[key], [...path, key], (item, at) => (isPath ? parser.place(item, at) : parser.string(item, at)));
  const labels = texts('labels', true).map((at): LabelField => ({ path: at, holds: 'labels', of: POD }));
  const annotations = texts('annotations', true).map((at): LabelField => ({ path: at, holds: 'annotations', of: POD }));
  const plural = parser.text(entry, 'plural', path);
  const namespaced = parser.flag(entry, 'namespaced', path);
  const read = {
    versions: texts('versions', false),
    shortNames: texts('shortNames', false),
    selectors: parser.list(entry['selectors'], [...path, 'selectors'], (item, at) => readSelector(parser, item, at)),
    templates: parser.list(entry['podTemplates'], [...path, 'podTemplates'], (item, at) =>
      readTemplate(parser, item, at),
    ),
    labels: [...labels, ...annotations],
    labelKeys: texts('labelKeys', true),
    references: parser.list(entry['references'], [...path, 'references'], (item, at) =>
      readReference(parser, item, at),
    ),
  };
  if (kind === undefined) return undefined;
  return {
    group,
    kind,
    ...read,
    ...(plural === undefined ? {} : { plural }),
    ...(namespaced === undefined ? {} : { namespaced }),
  };
}

const POD: GroupKind = { group: '', kind: 'Pod' };

function readSelector(parser: EntryParser, value: unknown, path: Path): SelectorFact | undefined {
  const entry = parser.map(value, path, SELECTOR_KEYS);
  if (!entry) return undefined;
  const at = parser.placeAt(entry, 'path', path) ?? parser.missing('path', path);
  const form = entry['form'] === undefined ? 'labelSelector' : parser.word(entry, 'form', FORMS, path);
  const absent = settled(parser.word(entry, 'absent', MEANINGS, path), 'unknown');
  const templateLabelsAt = parser.placeAt(entry, 'templateLabelsAt', path);
  const fact = {
    targets: parser.list(entry['targets'], [...path, 'targets'], (item, itemPath) =>
      readTarget(parser, item, itemPath),
    ),
    reach: readReach(parser, entry['reach'], [...path, 'reach']),
    absent,
    null: settled(parser.word(entry, 'null', MEANINGS, path), absent),
    empty: settled(parser.word(entry, 'empty', MEANINGS, path) ?? 'unknown', absent),
    mustMatchTemplate: parser.flag(entry, 'mustMatchTemplate', path) ?? false,
    immutable: parser.flag(entry, 'immutable', path) ?? false,
    plain: parser.flag(entry, 'plain', path) ?? (form !== 'other' && form !== 'calicoSelector'),
  };
  if (at === undefined || form === undefined) return undefined;
  const role = selectorRoleOf(at);
  return {
    path: at,
    form,
    ...fact,
    ...(templateLabelsAt === undefined ? {} : { templateLabelsAt }),
    ...(form === 'calicoSelector' ? { language: 'calico' as const } : {}),
    ...(role === undefined ? {} : { role }),
  };
}

/** Replaces `sameAsAbsent`, or a missing meaning, with the meaning of an absent selector. */
function settled(word: Meaning | undefined, absent: Meaning): Meaning {
  return word === undefined || word === 'sameAsAbsent' ? absent : word;
}

function readTarget(parser: EntryParser, value: unknown, path: Path): GroupKind | undefined {
  const entry = parser.map(value, path, ['group', 'kind']);
  if (!entry) return undefined;
  const kind = parser.text(entry, 'kind', path) ?? parser.missing('kind', path);
  const group = entry['group'] === '' ? '' : (parser.text(entry, 'group', path) ?? '');
  return kind === undefined ? undefined : { group, kind };
}

const REFERENCE_KEYS = ['groupAt', 'keysAt', 'kindAt', 'namespaceAt', 'optionalAt', 'path', 'targets'];

function readReference(parser: EntryParser, value: unknown, path: Path): ReferenceFact | undefined {
  const entry = parser.map(value, path, REFERENCE_KEYS);
  if (!entry) return undefined;
  const at = parser.placeAt(entry, 'path', path) ?? parser.missing('path', path);
  const targets = parser.list(entry['targets'], [...path, 'targets'], (item, each) => readTarget(parser, item, each));
  const keysAt = parser.list(entry['keysAt'], [...path, 'keysAt'], (item, each) => parser.place(item, each));
  const beside = ['kindAt', 'groupAt', 'namespaceAt', 'optionalAt'].flatMap((key) => {
    const field = parser.placeAt(entry, key, path);
    return field === undefined ? [] : [[key, field] as const];
  });
  if (at === undefined) return undefined;
  return { path: at, targets, ...Object.fromEntries(beside), ...(keysAt.length > 0 && { keysAt }) };
}

function readReach(parser: EntryParser, value: unknown, path: Path): Reach {
  if (value === undefined) return 'own';
  if (typeof value === 'string') return parser.word({ reach: value }, 'reach', REACH_WORDS, path.slice(0, -1)) ?? 'own';
  const entry = parser.map(value, path, REACH_KEYS);
  if (!entry) return 'own';
  const namespaceSelectorAt = parser.placeAt(entry, 'namespaceSelectorAt', path);
  const namesAt = parser.placeAt(entry, 'namesAt', path);
  const anyAt = parser.placeAt(entry, 'anyAt', path);
  const otherwise = parser.word(entry, 'otherwise', ['own', 'all'] as const, path);
  return {
    ...(namespaceSelectorAt === undefined ? {} : { namespaceSelectorAt }),
    ...(namesAt === undefined ? {} : { namesAt }),
    ...(anyAt === undefined ? {} : { anyAt }),
    ...(otherwise === undefined ? {} : { otherwise }),
  };
}

/** Parses a pod template: its path, or a map that also describes what the controller does with the labels. */
function readTemplate(parser: EntryParser, value: unknown, path: Path): TemplateFact | undefined {
  if (typeof value === 'string') {
    const at = parser.place(value, path);
    return at === undefined ? undefined : { path: at, makes: POD, open: true };
  }
  const entry = parser.map(value, path, TEMPLATE_KEYS);
  if (!entry) return undefined;
  const at = parser.placeAt(entry, 'path', path) ?? parser.missing('path', path);
  const labelsAt = parser.placeAt(entry, 'labelsAt', path);
  const open = parser.flag(entry, 'open', path) ?? true;
  const sets = entry['sets'] === undefined ? undefined : readSets(parser, entry['sets'], [...path, 'sets']);
  if (at === undefined) return undefined;
  return {
    path: at,
    makes: POD,
    open,
    ...(labelsAt === undefined ? {} : { labelsAt }),
    ...(sets === undefined ? {} : { sets }),
  };
}

function readSets(parser: EntryParser, value: unknown, path: Path): Readonly<Record<string, string | null>> {
  const entries = Object.entries(parser.map(value, path) ?? {}).flatMap(([key, label]): [string, string | null][] => {
    if (label === null) return [[key, null]];
    const text = parser.string(label, [...path, key]);
    return text === undefined ? [] : [[key, text]];
  });
  return Object.fromEntries(entries);
}

/** Parses entries, which are plain data, and collects their problems. */
class EntryParser {
  readonly problems: EntryProblem[] = [];

  /** Returns the valid items of a list; empty for a missing list. */
  list<T>(value: unknown, path: Path, read: (item: unknown, path: Path) => T | undefined): T[] {
    if (value === undefined || value === null) return [];
    if (!Array.isArray(value)) {
      this.report(path, 'not-a-list', 'must be a list');
      return [];
    }
    return value.flatMap((item: unknown, index) => {
      const made = read(item, [...path, index]);
      return made === undefined ? [] : [made];
    });
  }

  map(value: unknown, path: Path, keys?: readonly string[]): Plain | undefined {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      this.report(path, 'not-a-map', 'must be a map');
      return undefined;
    }
    for (const key of Object.keys(value)) {
      if (keys && !keys.includes(key)) {
        this.report([...path, key], 'unknown-key', `unknown field \`${key}\`; known are ${quoted(keys, '`')}`);
      }
    }
    return Object.fromEntries(Object.entries(value));
  }

  /** Returns the string in an optional field. */
  text(entry: Plain, key: string, path: Path): string | undefined {
    return entry[key] === undefined ? undefined : this.string(entry[key], [...path, key]);
  }

  string(value: unknown, path: Path): string | undefined {
    if (typeof value === 'string' && value !== '') return value;
    this.report(path, 'not-a-string', 'must be a string');
    return undefined;
  }

  placeAt(entry: Plain, key: string, path: Path): string | undefined {
    return entry[key] === undefined ? undefined : this.place(entry[key], [...path, key]);
  }

  place(value: unknown, path: Path): string | undefined {
    const text = this.string(value, path);
    if (text === undefined || PATH.test(text)) return text;
    this.report(
      path,
      'not-a-path',
      "must be a path such as 'spec.selector', 'spec.parts[].selector' or 'spec.byName.*'",
    );
    return undefined;
  }

  flag(entry: Plain, key: string, path: Path): boolean | undefined {
    const value = entry[key];
    if (value === undefined || typeof value === 'boolean') return value;
    this.report([...path, key], 'not-a-boolean', "must be 'true' or 'false'");
    return undefined;
  }

  word<W extends string>(entry: Plain, key: string, words: readonly W[], path: Path): W | undefined {
    const value = entry[key];
    const found = words.find((word) => word === value);
    if (found === undefined && value !== undefined) {
      this.report([...path, key], 'not-a-word', `must be one of ${quoted(words, "'")}`);
    }
    return found;
  }

  /** Reports that a field is missing, unless a problem of the field is already reported. */
  missing(key: string, path: Path): undefined {
    const place = [...path, key].join('.');
    if (!this.problems.some((problem) => problem.path.join('.') === place)) {
      this.report([...path, key], 'missing', `must have the field \`${key}\``);
    }
    return undefined;
  }

  private report(path: Path, code: EntryProblem['code'], message: string): void {
    this.problems.push({ path, code, message });
  }
}

function quoted(words: readonly string[], quote: string): string {
  return words.map((word) => `${quote}${word}${quote}`).join(', ');
}
