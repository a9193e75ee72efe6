/** Adds the kinds that users describe in `.selector-lens.yaml` to a catalogue. */

import { joinPath, usualPlural } from './serialized.ts';
import type { Catalogue, GroupKind, KindFact, LabelKeyField, Reach, ReferenceFact } from './types.ts';
import { type EntryProblem, readEntries, type UserKind } from './user-entry.ts';

/** Adds the entries of a configuration file's `catalogue:` list (plain data) to a catalogue. An entry for a known kind extends the kind, and takes precedence if both describe the same field. Each problem has a path from the list's root, a stable code and a message; the valid parts of an entry with problems are still used. Never throws. */
export function withUserKinds(
  catalogue: Catalogue,
  entries: unknown,
): { readonly catalogue: Catalogue; readonly problems: readonly EntryProblem[] } {
  const { kinds, problems } = readEntries(entries);
  if (kinds.length === 0) return { catalogue, problems };
  const byName = new Map<string, UserKind[]>();
  const words = new Map<string, GroupKind[]>();
  for (const kind of kinds) {
    push(byName, `${kind.group}/${kind.kind}`, kind);
    const plural = kind.plural ?? usualPlural(kind.kind);
    for (const word of [kind.kind.toLowerCase(), plural, ...kind.shortNames]) {
      for (const spelled of [word, `${word}.${kind.group}`])
        push(words, spelled, { group: kind.group, kind: kind.kind });
    }
  }
  const memory = new Map<UserKind, Map<KindFact | undefined, KindFact>>();
  const extend = (known: KindFact | undefined, user: UserKind): KindFact => {
    const extended = memory.get(user) ?? new Map<KindFact | undefined, KindFact>();
    memory.set(user, extended);
    const found = extended.get(known) ?? extendKind(catalogue, known, user);
    extended.set(known, found);
    return found;
  };
  return {
    problems,
    catalogue: {
      ...catalogue,
      kind: (group, version, kind) =>
        (byName.get(`${group}/${kind}`) ?? [])
          .filter((user) => user.versions.length === 0 || user.versions.includes(version))
          .reduce<KindFact | undefined>(extend, catalogue.kind(group, version, kind)),
      named: (word) => {
        const known = catalogue.named(word);
        const own = (words.get(word.toLowerCase()) ?? []).filter(
          (user) => !known.some((other) => other.group === user.group && other.kind === user.kind),
        );
        return own.length === 0 ? known : [...known, ...own];
      },
    },
  };
}

function push<T>(into: Map<string, T[]>, key: string, value: T): void {
  const list = into.get(key);
  if (list) list.push(value);
  else into.set(key, [value]);
}

/** Adds the user's facts to the known facts on a kind; the user's facts take precedence. A pod template adds all facts on pod templates. */
function extendKind(catalogue: Catalogue, known: KindFact | undefined, user: UserKind): KindFact {
  const podTemplates = user.templates.map((row) => mountedPodTemplate(catalogue, row.path));
  const namespaced = user.namespaced ?? known?.namespaced;
  const labelKeys = user.labelKeys.map((path): LabelKeyField => ({ path }));
  return {
    group: user.group,
    kind: user.kind,
    versions: [...new Set([...user.versions, ...(known?.versions ?? [])])],
    ...(namespaced === undefined ? {} : { namespaced }),
    selectors: firstOfEach([user, ...podTemplates, known].flatMap((part) => part?.selectors ?? [])),
    labels: firstOfEach([user, ...podTemplates, known].flatMap((part) => part?.labels ?? [])),
    templates: firstOfEach([user, ...podTemplates, known].flatMap((part) => part?.templates ?? [])),
    labelKeys: firstOfEach([...labelKeys, ...[...podTemplates, known].flatMap((part) => part?.labelKeys ?? [])]),
    references: firstOfEach([user, ...podTemplates, known].flatMap((part) => part?.references ?? [])),
    ...(known?.producers ? { producers: known.producers } : {}),
    ...(known?.nameLabels ? { nameLabels: known.nameLabels } : {}),
    ...(known?.name ? { name: known.name } : { name: { rule: 'dns1123Subdomain', maxLength: 253 } }),
    plural: user.plural ?? known?.plural ?? usualPlural(user.kind),
    ...(user.shortNames.length > 0 || known?.shortNames
      ? { shortNames: [...new Set([...user.shortNames, ...(known?.shortNames ?? [])])] }
      : {}),
  };
}

function firstOfEach<T extends { readonly path: string }>(rows: readonly T[]): readonly T[] {
  const seen = new Map<string, T>();
  for (const row of rows) if (!seen.has(row.path)) seen.set(row.path, row);
  return [...seen.values()];
}

/** Returns all facts on a pod template, as Kubernetes' own PodTemplate has them at `template`, moved to another path. */
function mountedPodTemplate(catalogue: Catalogue, path: string): KindFact | undefined {
  const model = catalogue.kind('', 'v1', 'PodTemplate');
  if (!model) return undefined;
  const root = 'template';
  const move = (old: string) => (old === root ? path : joinPath(path, old.slice(root.length + 1)));
  const isInside = (row: { readonly path: string }) => row.path === root || row.path.startsWith(`${root}.`);
  return {
    ...model,
    selectors: model.selectors.filter(isInside).map((row) => ({
      ...row,
      path: move(row.path),
      reach: moveReach(row.reach, move),
      ...(row.templateLabelsAt === undefined ? {} : { templateLabelsAt: move(row.templateLabelsAt) }),
    })),
    labels: model.labels.filter(isInside).map((row) => ({ ...row, path: move(row.path) })),
    templates: model.templates.filter(isInside).map((row) => ({ ...row, path: move(row.path) })),
    labelKeys: model.labelKeys.filter(isInside).map((row) => ({ ...row, path: move(row.path) })),
    references: model.references.filter(isInside).map((row) => moveReference(row, move)),
  };
}

function moveReference(row: ReferenceFact, move: (path: string) => string): ReferenceFact {
  const { kindAt, groupAt, namespaceAt, optionalAt, portAt, keysAt, local } = row;
  return {
    ...row,
    path: move(row.path),
    ...(kindAt !== undefined && { kindAt: move(kindAt) }),
    ...(groupAt !== undefined && { groupAt: move(groupAt) }),
    ...(namespaceAt !== undefined && { namespaceAt: move(namespaceAt) }),
    ...(optionalAt !== undefined && { optionalAt: move(optionalAt) }),
    ...(portAt !== undefined && { portAt: move(portAt) }),
    ...(keysAt !== undefined && { keysAt: keysAt.map(move) }),
    ...(local !== undefined && { local: local.map(move) }),
  };
}

function moveReach(reach: Reach, move: (path: string) => string): Reach {
  if (typeof reach === 'string') return reach;
  return {
    ...reach,
    ...(reach.namespaceSelectorAt === undefined ? {} : { namespaceSelectorAt: move(reach.namespaceSelectorAt) }),
    ...(reach.namesAt === undefined ? {} : { namesAt: move(reach.namesAt) }),
  };
}
