/** Deserializes the facts on a kind from the serialized catalogue. */

import { installedBy } from './installers.ts';
import { nameLabelsOf } from './name-labels.ts';
import { selectorRoleOf } from './selector-role.ts';
import {
  deserializeNumbers,
  deserializeTexts,
  HOLDS,
  joinPath,
  MEANINGS,
  parentPath,
  SELECTOR_FLAGS,
  type SerializedCatalogue,
  type SerializedKind,
  type SerializedPart,
  type SerializedReference,
  type SerializedSelector,
  type SerializedTemplate,
  usualPlural,
} from './serialized.ts';
import type {
  GroupKind,
  IgnoredWhere,
  KindFact,
  LabelField,
  LabelKeyField,
  Meaning,
  NameRule,
  ProducerFact,
  Reach,
  ReferenceFact,
  SelectorFact,
  SelectorLanguage,
  TemplateFact,
} from './types.ts';

/** The tables of a serialized catalogue, deserialized once. */
export interface Tables {
  readonly serialized: SerializedCatalogue;
  readonly paths: readonly string[];
  readonly objects: readonly GroupKind[];
}

/** The facts on a kind while they are collected, by path; the first fact on a path wins. */
interface Gathered {
  readonly selectors: Map<string, SelectorFact>;
  readonly labels: Map<string, LabelField>;
  readonly templates: Map<string, TemplateFact>;
  readonly labelKeys: Map<string, LabelKeyField>;
  readonly references: Map<string, ReferenceFact>;
}

/** Deserializes the tables that all kinds share. */
export function openTables(serialized: SerializedCatalogue): Tables {
  return {
    serialized,
    paths: deserializeTexts(serialized.paths, true),
    objects: serialized.objects.map(parseGroupKind),
  };
}

/** Parses `group/kind`; the core group is empty. */
export function parseGroupKind(text: string): GroupKind {
  const slash = text.lastIndexOf('/');
  return { group: text.slice(0, slash), kind: text.slice(slash + 1) };
}

/** Deserializes the facts on one kind in `version`; for an unknown version, the facts on the newest version. */
export function deserializeKind(
  tables: Tables,
  kind: GroupKind,
  serialized: SerializedKind,
  version: string,
): KindFact {
  const [versionsAt, scope = 0, facts = 0, plural = 0, shortNames = 0, nameAt = 0, only = 0] = serialized;
  const versions = versionList(tables, versionsAt);
  const evaluated = versions.includes(version) ? version : versions[0];
  const gathered: Gathered = {
    ...{ selectors: new Map(), labels: new Map(), templates: new Map() },
    ...{ labelKeys: new Map(), references: new Map() },
  };
  for (const [onlyAt, part] of only === 0 ? [] : only) {
    if (evaluated !== undefined && versionList(tables, onlyAt).includes(evaluated)) gather(tables, part, '', gathered);
  }
  if (facts !== 0) gather(tables, facts, '', gathered);
  const name = deserializeName(tables.serialized.names[nameAt] ?? '');
  const nameLabels = nameLabelsOf(kind);
  const installs = installedBy(kind);
  const producers = producersOf(tables.serialized, kind);
  return {
    ...kind,
    versions,
    ...(scope === 0 ? {} : { namespaced: scope === 1 }),
    selectors: [...gathered.selectors.values()],
    labels: [...gathered.labels.values()],
    templates: [...gathered.templates.values()],
    labelKeys: [...gathered.labelKeys.values()],
    references: [...gathered.references.values()],
    ...(producers.length > 0 ? { producers } : {}),
    ...(nameLabels ? { nameLabels } : {}),
    ...(installs ? { installs } : {}),
    ...(name ? { name } : {}),
    plural: plural === 0 ? usualPlural(kind.kind) : plural,
    ...(shortNames === 0 ? {} : { shortNames: shortNames.split(' ') }),
  };
}

/** Returns the known versions of a kind, newest first. */
export function versionsOf(tables: Tables, serialized: SerializedKind): readonly string[] {
  return versionList(tables, serialized[0]);
}

function versionList(tables: Tables, index: number): readonly string[] {
  return tables.serialized.versions[index]?.split(' ').filter((version) => version !== '') ?? [];
}

function deserializeName(text: string): KindFact['name'] {
  const [rule = '', longest = '0', safe = '0'] = text.split(' ');
  if (!isNameRule(rule)) return undefined;
  return {
    rule,
    ...(longest === '0' ? {} : { maxLength: Number(longest) }),
    ...(safe === '0' ? {} : { childSafeMaxLength: Number(safe) }),
  };
}

function isNameRule(word: string): word is NameRule {
  return /^(?:dns1123Subdomain|dns1123Label|dns1035Label|pathSegment|priorityClass)$/.test(word);
}

/** Adds the facts of a part, and of the parts mounted in it, below `base`. */
function gather(tables: Tables, part: SerializedPart, base: string, into: Gathered): void {
  const [selectors = [], labels = [], templates = [], labelKeys = [], mounts = [], references = []] = part
    .split(' ')
    .map(deserializeNumbers);
  const { serialized, objects } = tables;
  eachPair(tables, selectors, base, (path, index) => {
    const row = serialized.selectors[index];
    if (row) keep(into.selectors, path, () => deserializeSelector(tables, row, path, base));
  });
  eachPair(tables, labels, base, (path, code) => {
    const of = objects[Math.floor(code / 3) - 1];
    const holds = code % 3;
    const labeledObject = of ? { of } : {};
    const at = (key: 'labels' | 'annotations') => (holds === HOLDS.both ? joinPath(path, key) : path);
    if (holds !== HOLDS.annotations) {
      keep(into.labels, at('labels'), () => ({ path: at('labels'), holds: 'labels', ...labeledObject }));
    }
    if (holds !== HOLDS.labels) {
      keep(into.labels, at('annotations'), () => ({ path: at('annotations'), holds: 'annotations', ...labeledObject }));
    }
  });
  eachPair(tables, templates, base, (path, index) => {
    const row = serialized.templates[index];
    if (row) keep(into.templates, templateKey(row, path, base), () => deserializeTemplate(tables, row, path, base));
  });
  eachPair(tables, labelKeys, base, (path, index) => {
    const of = objects[index - 1];
    keep(into.labelKeys, path, () => ({ path, ...(of ? { of } : {}) }));
  });
  eachPair(tables, references, base, (path, index) => {
    const row = serialized.references[index];
    if (row) keep(into.references, path, () => deserializeReference(tables, row, path, base));
  });
  eachPair(tables, mounts, base, (path, index) => {
    const mounted = serialized.parts[index];
    if (mounted) gather(tables, mounted, path, into);
  });
}

/** Calls a function for every pair in a flat list of alternating paths and values. */
function eachPair(
  tables: Tables,
  flat: readonly number[],
  base: string,
  visit: (path: string, value: number) => void,
): void {
  let index = 0;
  for (let at = 0; at + 1 < flat.length; at += 2) {
    index += flat[at] ?? 0;
    visit(joinPath(base, tables.paths[index] ?? ''), flat[at + 1] ?? 0);
  }
}

function keep<T>(into: Map<string, T>, place: string, make: () => T): void {
  if (!into.has(place)) into.set(place, make());
}

function deserializeSelector(tables: Tables, row: SerializedSelector, path: string, base: string): SelectorFact {
  const flags = row.x ?? 0;
  const role = selectorRoleOf(path);
  const targets = (row.t ?? []).flatMap((index) => tables.objects[index] ?? []);
  // Other rules of an admission policy decide, too.
  const isOfRules = targets.some(({ kind }) => kind === '*') && admissionSelector.test(path);
  const language = row.f === 'calicoSelector' ? 'calico' : isOfRules ? 'rules' : languageIn(flags);
  const meaning = (at: number): Meaning => MEANINGS[row.m[at] ?? '?'] ?? 'unknown';
  const filled =
    flags & SELECTOR_FLAGS.fillsLabels ? 'templateLabels' : flags & SELECTOR_FLAGS.generates ? 'generated' : undefined;
  return {
    path,
    form: row.f,
    targets,
    reach: deserializeReach(row.r, path, base),
    absent: meaning(0),
    null: meaning(1),
    empty: meaning(2),
    ...(filled ? { filledFrom: filled } : {}),
    ...(row.l === undefined ? {} : { templateLabelsAt: joinPath(base, row.l) }),
    ...(row.i === undefined ? {} : { ignored: deserializeIgnored(row.i, path, base, flags) }),
    ...(row.k === undefined
      ? {}
      : { targetsBy: { at: pathAround(row.k[0], path, base), kinds: kindsBy(tables, row.k[1]) } }),
    ...(row.u === undefined ? {} : { absentUnless: row.u.map((at) => pathAround(at, path, base)) }),
    mustMatchTemplate: (flags & SELECTOR_FLAGS.mustMatchTemplate) !== 0,
    immutable: (flags & SELECTOR_FLAGS.immutable) !== 0,
    plain: (flags & SELECTOR_FLAGS.notPlain) === 0,
    ...(language === undefined ? {} : { language }),
    ...(role === undefined ? {} : { role }),
  };
}

/** The selectors of objects in the rules of admission policies. */
const admissionSelector = /\.(?:resources\.selector|match\.labelSelector|objectSelector)$/;

function languageIn(flags: number): SelectorLanguage | undefined {
  if ((flags & SELECTOR_FLAGS.cilium) !== 0) return 'cilium';
  return (flags & SELECTOR_FLAGS.istio) === 0 ? undefined : 'istio';
}

function kindsBy({ objects }: Tables, numbers: Readonly<Record<string, number>>): Record<string, GroupKind> {
  const known = Object.entries(numbers).map(([value, number]) => [value, objects[number]] as const);
  return Object.fromEntries(known.flatMap(([value, kind]) => (kind === undefined ? [] : [[value, kind] as const])));
}

function deserializeReference(tables: Tables, row: SerializedReference, path: string, base: string): ReferenceFact {
  const at = (text: string) => pathAround(text, path, base);
  const granted = row.r === undefined ? undefined : tables.objects[row.r];
  return {
    path,
    targets: row.t.flatMap((index) => tables.objects[index] ?? []),
    ...(row.k === undefined ? {} : { kindAt: at(row.k) }),
    ...(row.g === undefined ? {} : { groupAt: at(row.g) }),
    ...(row.n === undefined ? {} : { namespaceAt: at(row.n) }),
    ...(row.o === undefined ? {} : { optionalAt: at(row.o) }),
    ...(row.p === undefined ? {} : { portAt: at(row.p) }),
    ...(row.d === undefined ? {} : { keysAt: row.d.map(at) }),
    ...(granted === undefined ? {} : { grantedTo: granted }),
    ...(row.a === undefined ? {} : { accepts: row.a.flatMap((index) => tables.objects[index] ?? []) }),
    ...(row.f === undefined ? {} : { form: row.f }),
    ...(row.c === undefined ? {} : { creates: true as const }),
    ...(row.runs === undefined ? {} : { runs: true as const }),
    ...(row.l === undefined ? {} : { local: row.l.map(at) }),
    ...(row.part === undefined ? {} : { part: row.part }),
  };
}

function producersOf({ producers }: SerializedCatalogue, { group, kind }: GroupKind): readonly ProducerFact[] {
  const owner = `${group}/${kind}`;
  return producers.flatMap(({ kind: of, makes, ...fact }) =>
    of === owner ? [{ ...fact, makes: parseGroupKind(makes) }] : [],
  );
}

/** Resolves a path: each `^` at its start means a parent of the selector, and `>` means the selector itself. */
function pathAround(text: string, path: string, base: string): string {
  if (text.startsWith('^^')) return pathAround(text.slice(1), parentPath(path), base);
  if (text.startsWith('^')) return joinPath(parentPath(path), text.slice(1));
  return text.startsWith('>') ? joinPath(path, text.slice(1)) : joinPath(base, text);
}

function deserializeIgnored(text: string, path: string, base: string, flags: number): IgnoredWhere {
  const [where = '', word = ''] = text.split('=');
  const refused = (flags & SELECTOR_FLAGS.refused) !== 0 ? { refused: true as const } : {};
  if (where.endsWith('!')) return { at: pathAround(where.slice(0, -1), path, base), unless: word, ...refused };
  return { at: pathAround(where, path, base), is: word, ...refused };
}

function deserializeReach(reach: SerializedSelector['r'], path: string, base: string): Reach {
  if (reach === 'own' || reach === 'all' || reach === 'cluster') return reach;
  if (reach === undefined || typeof reach === 'string') return 'unknown';
  const [selectorAt = '', namesAt = '', anyAt = '', otherwise = '', allFrom = '', wholeAt = ''] = reach;
  const at = (text: string) => pathAround(text, path, base);
  return {
    ...(selectorAt === '' ? {} : { namespaceSelectorAt: at(selectorAt) }),
    ...(wholeAt === '' ? {} : { wholeNamespacesAt: at(wholeAt) }),
    ...(namesAt === '' ? {} : { namesAt: at(namesAt) }),
    ...(anyAt === '' ? {} : { anyAt: at(anyAt) }),
    ...(otherwise === 'all' ? { otherwise: 'all' as const } : {}),
    ...(allFrom === '' ? {} : { allFrom }),
  };
}

/** Returns a key that is the same for all templates that create objects of one kind with labels from one path, regardless of the paths of the templates. */
function templateKey(row: SerializedTemplate, path: string, base: string): string {
  const labelsAt = row.l === undefined ? joinPath(path, 'metadata.labels') : joinPath(base, row.l);
  return `${row.m} ${row.l === '' ? path : labelsAt}`;
}

function deserializeTemplate(tables: Tables, row: SerializedTemplate, path: string, base: string): TemplateFact {
  const sets: Record<string, string | null> = {};
  const setsName: string[] = [];
  const setsDerived: Record<string, string> = {};
  const setsDefault: string[] = [];
  for (const entry of row.s ?? []) {
    const [name = '', value] = (tables.serialized.sets[entry] ?? '').split('=');
    const key = name.replace(/\?$/, '');
    sets[key] = value?.includes('@') ? null : (value ?? null);
    if (value === '@') setsName.push(key);
    else if (value?.includes('@')) setsDerived[key] = value;
    if (key !== name) setsDefault.push(key);
  }
  const [at = '', ...values] = row.u?.split(' ') ?? [];
  return {
    path,
    makes: tables.objects[row.m] ?? { group: '', kind: 'Pod' },
    ...(row.l === undefined ? {} : { labelsAt: row.l === '' ? '' : joinPath(base, row.l) }),
    ...(row.s ? { sets } : {}),
    ...(setsName.length > 0 ? { setsName } : {}),
    ...(Object.keys(setsDerived).length > 0 ? { setsDerived } : {}),
    ...(setsDefault.length > 0 ? { setsDefault } : {}),
    open: row.open === 1,
    ...(row.u !== undefined && { unless: { at: joinPath(base, at), values } }),
  };
}
