/** What do all the facts together say about each kind? */

import { parseGroupKind } from '../../../server/src/engine/catalogue/kinds.ts';
import { joinPath, parentPath } from '../../../server/src/engine/catalogue/packed.ts';
import type { GroupKind, LabelKeyPlace, Meaning } from '../../../server/src/engine/catalogue/types.ts';
import type { Facts, FactTarget, KeyPlaceEntry, PlaceEntry, SelectorEntry } from './facts.ts';
import { meaningsOf } from './meanings.ts';
import { reachOf } from './reaches.ts';
import {
  emptyRecord,
  type KindRecord,
  type LabelRow,
  type PartRecord,
  type SelectorRow,
  type TemplateRow,
} from './records.ts';
import { MOUNTS, TEMPLATES } from './templates.ts';
import { FORMS, KEY_FORMS, NAME_RULES, NO_SELECTOR } from './words.ts';

/** The kinds while they are gathered, and the phrases of the facts that no table knows. */
export interface Gathering {
  readonly kinds: Map<string, KindRecord>;
  /** The same kinds by their names in lower case; the first that came is meant. */
  readonly folded: Map<string, KindRecord>;
  readonly unmapped: Set<string>;
  /** The family of each kind, for the list of what stays unknown. */
  readonly families: Map<string, string>;
}

/** Gathers the facts: names first, so that a kind has its capitals; then what was looked at; then what was mined. */
export function gather(facts: Facts): Gathering {
  const gathering: Gathering = { kinds: new Map(), folded: new Map(), unmapped: new Set(), families: new Map() };
  gatherNames(facts, gathering);
  gatherTemplates(gathering);
  gatherSelectors(facts.selectors, gathering);
  for (const place of facts.places) gatherPlace(place, gathering);
  for (const place of facts.keyPlaces) gatherKeyPlace(place, gathering);
  gatherEmbedded(facts, gathering);
  gatherMined(facts, gathering);
  gatherPodMakers(gathering);
  return gathering;
}

/** Finds or opens the record of a kind; where the facts lost the capitals, the kind that has them is meant. */
function kindOf(gathering: Gathering, group: string, kind: string): KindRecord {
  const key = `${group}/${kind}`;
  const lostCapitals = kind === kind.toLowerCase() ? gathering.folded.get(key.toLowerCase()) : undefined;
  const found = gathering.kinds.get(key) ?? lostCapitals;
  if (found) return found;
  const opened: KindRecord = { group, kind, versions: [], facts: emptyRecord(), only: new Map() };
  gathering.kinds.set(key, opened);
  if (!gathering.folded.has(key.toLowerCase())) gathering.folded.set(key.toLowerCase(), opened);
  return opened;
}

/** Adds versions that are not listed yet; the facts list them newest first. */
function addVersions(record: KindRecord, versions: readonly string[]): void {
  for (const version of versions) {
    if (version !== '*' && !record.versions.includes(version)) record.versions.push(version);
  }
  record.versions.sort(byAge);
}

/** Orders versions as Kubernetes does: stable before beta before alpha, then the higher number. */
function byAge(a: string, b: string): number {
  const rank = (version: string) => {
    const [, major = '0', stage = '', minor = '0'] = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version) ?? [];
    return [stage === '' ? 2 : stage === 'beta' ? 1 : 0, Number(major), Number(minor)];
  };
  const [left, right] = [rank(a), rank(b)];
  for (const [at, value] of left.entries()) {
    const other = right[at] ?? 0;
    if (value !== other) return other - value;
  }
  return a < b ? -1 : 1;
}

function gatherNames(facts: Facts, gathering: Gathering): void {
  for (const entry of facts.names) {
    const record = kindOf(gathering, entry.group, entry.kind);
    addVersions(record, [...entry.versions, ...Object.keys(entry.removedVersions ?? {})]);
    record.namespaced = entry.namespaced;
    if (!entry.plural.startsWith('(')) record.plural = entry.plural;
    record.shortNames = entry.shortNames;
    const rule = NAME_RULES.has(entry.nameRule) ? entry.nameRule : 'none';
    record.name = `${rule} ${entry.maxLength ?? 0} ${entry.childLimits?.safeMaxLength ?? 0}`;
  }
  for (const [group, kinds] of Object.entries(facts.crdNames)) {
    for (const [kind, entry] of Object.entries(kinds)) {
      const record = kindOf(gathering, group, kind);
      addVersions(record, entry.v);
      record.namespaced = entry.ns;
      record.plural = entry.plural;
      record.shortNames = entry.short ?? [];
      if (entry.name?.maxLength !== undefined) record.name = `dns1123Subdomain ${entry.name.maxLength} 0`;
    }
  }
}

function gatherTemplates(gathering: Gathering): void {
  for (const [name, rows] of Object.entries(TEMPLATES)) {
    const { group, kind } = parseGroupKind(name);
    kindOf(gathering, group, kind).facts.templates.push(...rows);
  }
  for (const [name, mounts] of Object.entries(MOUNTS)) {
    const { group, kind } = parseGroupKind(name);
    kindOf(gathering, group, kind).facts.mounts.push(...mounts);
  }
}

/** Splits entries that stand for several kinds or groups, and leaves out those that are no kind of a manifest. */
function kindsMeant(entry: SelectorEntry): readonly GroupKind[] {
  if (!/^[a-z0-9.-]*$/.test(entry.group)) return [];
  const kinds = /^\*/.test(entry.kind) ? ['*'] : entry.kind.split(', ').map((kind) => kind.replace(/ \(.*$/, ''));
  const groups = [entry.group, ...(entry.altGroups ?? []).map((other) => other.group)];
  return groups.flatMap((group) => kinds.map((kind) => ({ group, kind })));
}

/** A kind whose entries differ in their versions keeps each fact to the versions that the facts name. */
function gatherSelectors(entries: readonly SelectorEntry[], gathering: Gathering): void {
  const versionSets = new Map<string, Set<string>>();
  for (const entry of entries) {
    const key = `${entry.group}/${entry.kind}`;
    versionSets.set(key, (versionSets.get(key) ?? new Set()).add(entry.versions.join(' ')));
  }
  for (const entry of entries) {
    if (NO_SELECTOR.has(entry.form) || /[ *<]|\[[^\]]/.test(entry.path.replaceAll('.*', ''))) continue;
    const versioned = (versionSets.get(`${entry.group}/${entry.kind}`)?.size ?? 0) > 1;
    for (const { group, kind } of kindsMeant(entry)) {
      const record = kindOf(gathering, group, kind);
      gathering.families.set(`${group}/${kind}`, entry.family);
      const removed = entry.family === 'kubernetes' && !versioned ? Object.keys(entry.removedVersions ?? {}) : [];
      addVersions(record, [...entry.versions, ...removed]);
      const part = versioned ? partFor(record, entry.versions) : record.facts;
      addSelector(part, entry, gathering);
    }
  }
}

function partFor(record: KindRecord, versions: readonly string[]): PartRecord {
  const key = [...versions].sort(byAge).join(' ');
  let part = record.only.get(key);
  if (!part) {
    part = emptyRecord();
    record.only.set(key, part);
  }
  return part;
}

function addSelector(part: PartRecord, entry: SelectorEntry, gathering: Gathering): void {
  if (KEY_FORMS.has(entry.form)) {
    const path = entry.path.endsWith('Keys') ? `${entry.path}[]` : entry.path;
    addOnce(part.labelKeys, { path, ...carrier(entry.targets) });
    return;
  }
  const form = FORMS[entry.form];
  const tell = (phrase: string) => gathering.unmapped.add(`${entry.family} ${entry.kind} ${entry.path}: ${phrase}`);
  if (form === undefined) {
    tell(`form "${entry.form}"`);
    return;
  }
  const filled = /^generated \(batch|^generated on each Job/.test(entry.nullMeans)
    ? 'generated'
    : entry.nullMeans === 'defaulted to template labels'
      ? 'templateLabels'
      : undefined;
  addOnce(part.selectors, {
    path: entry.path,
    form,
    targets: entry.resolvable === false ? [] : entry.targets.flatMap(realTarget),
    reach: reachOf(entry, tell),
    ...meaningsOf(entry, tell),
    ...(filled ? { filledFrom: filled } : {}),
    ...(templateLabels(entry) === undefined ? {} : { templateLabelsAt: templateLabels(entry) ?? '' }),
    mustMatchTemplate: entry.mustMatchTemplate,
    immutable: entry.immutable,
    plain: entry.wildcards !== true && entry.matches === undefined && form !== 'other',
  });
}

/** The path of the template's labels, where there is one path only. */
function templateLabels(entry: SelectorEntry): string | undefined {
  return entry.templateLabelsPath?.split(/[ (|]/)[0];
}

/** A target that is a kind; descriptions in parentheses and targets given by sibling fields are none. */
function realTarget(target: FactTarget): readonly GroupKind[] {
  const { group = '', kind = '' } = target;
  return kind === '*' || /^[A-Za-z0-9]+$/.test(kind) ? [{ group, kind }] : [];
}

function carrier(targets: readonly FactTarget[]): { of?: GroupKind } {
  const of = targets.flatMap(realTarget)[0];
  return of ? { of } : {};
}

function addOnce<T extends { readonly path: string }>(rows: T[], row: T): void {
  if (!rows.some((known) => known.path === row.path)) rows.push(row);
}

/** Writes out `{a,b}` in a path. */
export function expandBraces(path: string): readonly string[] {
  const found = /^(.*?)\{([^}]*)\}(.*)$/.exec(path);
  if (!found) return [path];
  const [, before = '', choices = '', after = ''] = found;
  return choices.split(',').flatMap((choice) => expandBraces(before + choice + after));
}

function gatherPlace(place: PlaceEntry, gathering: Gathering): void {
  const holds = place.holds;
  const isOwn = place.path === 'metadata.labels' || place.path === 'metadata.annotations';
  if ((holds !== 'labels' && holds !== 'annotations') || place.kind === '*' || place.kind === 'List') return;
  for (const path of expandBraces(place.path)) {
    if (/[[ <]/.test(path.replaceAll('[]', ''))) continue;
    const record = kindOf(gathering, place.group, place.kind);
    if (place.family !== undefined) gathering.families.set(`${place.group}/${place.kind}`, place.family);
    addVersions(record, place.versions ?? []);
    const of =
      place.yields ?? realTarget({ kind: /^(?:the )?(\w+) object$/.exec(place.labels_of)?.[1] ?? '(none)' })[0];
    if (!isOwn) addLabels(record.facts, { path, holds, ...(of ? { of } : {}) });
    if (place.yields && holds === 'labels') addTemplate(record.facts, place, path);
  }
}

/** Adds what makes objects, unless a row by hand already says it. */
function addTemplate(part: PartRecord, place: PlaceEntry, path: string): void {
  const lent = place.labels_of.includes('while they play that role') || place.labels_of.includes('are also copied');
  if (!place.yields || lent || path.includes('.ephemeral.')) return;
  const row = templateAt(path, place.yields);
  const said = part.templates.some((known) => known.makes.kind === row.makes.kind && labelsOf(known) === path);
  if (!said) part.templates.push(row);
}

/** The template whose labels are at `path`. `podMetadata` is a field that may be missing: what is around it makes pods. */
function templateAt(path: string, makes: GroupKind): TemplateRow {
  const usual = /^(?:(.*)\.)?metadata\.labels$/.exec(path);
  if (usual) return { path: usual[1] ?? '', makes, open: true };
  const holder = parentPath(path);
  const mayBeMissing = /(?:Metadata|[pP]odTemplate)$/.test(holder);
  return { path: mayBeMissing ? parentPath(holder) : holder, makes, labelsAt: path, open: true };
}

function labelsOf(row: TemplateRow): string {
  return row.labelsAt ?? joinPath(row.path, 'metadata.labels');
}

/** Joins the labels and the annotations of one place into one row. */
function addLabels(part: PartRecord, row: LabelRow): void {
  const suffix = `.${row.holds}`;
  const parent = row.path.endsWith(suffix) ? row.path.slice(0, -suffix.length) : undefined;
  const twin = row.holds === 'labels' ? 'annotations' : 'labels';
  const twinAt = part.labels.findIndex((known) => known.holds === twin && known.path === `${parent}.${twin}`);
  if (part.labels.some((known) => known.path === row.path || (known.holds === 'both' && known.path === parent))) return;
  if (parent === undefined || twinAt < 0) {
    part.labels.push(row);
    return;
  }
  const of = row.of ?? part.labels[twinAt]?.of;
  part.labels.splice(twinAt, 1, { path: parent, holds: 'both', ...(of ? { of } : {}) });
}

const CARRIERS: Readonly<Record<string, GroupKind>> = {
  Pod: { group: '', kind: 'Pod' },
  Node: { group: '', kind: 'Node' },
  Service: { group: '', kind: 'Service' },
  Namespace: { group: '', kind: 'Namespace' },
  PersistentVolumeClaim: { group: '', kind: 'PersistentVolumeClaim' },
  Application: { group: 'argoproj.io', kind: 'Application' },
};

function gatherKeyPlace(entry: KeyPlaceEntry, gathering: Gathering): void {
  const isKind = /^[A-Z][A-Za-z0-9]+$/.test(entry.kind) && /^[a-z]/.test(entry.path);
  const isInSelector = entry.path.endsWith('matchExpressions[].key');
  if (!isKind || isInSelector || !entry.what.includes('label key') || /\[[^\]]/.test(entry.path)) return;
  const of = CARRIERS[entry.labelsOf];
  const row: LabelKeyPlace = { path: entry.path, ...(of ? { of } : {}) };
  addOnce(kindOf(gathering, entry.group ?? '', entry.kind).facts.labelKeys, row);
}

/**
 * Adds the pods of kinds that the facts only show to hold what belongs to pods: a pod's spec, a `podMetadata`, or rules
 * on where pods go. What labels such pods get in the end is up to an operator.
 */
function gatherPodMakers(gathering: Gathering): void {
  const podKind: GroupKind = { group: '', kind: 'Pod' };
  for (const record of gathering.kinds.values()) {
    const { templates, labels, mounts } = record.facts;
    const isMaker = () => templates.some((row) => row.makes.kind === 'Pod');
    const byHand = TEMPLATES[`${record.group}/${record.kind}`]?.some((row) => row.makes.kind === 'Pod') === true;
    if (byHand) continue;
    for (const mount of mounts) {
      if (mount.part !== 'PodSpec' || record.group === '') continue;
      if (mount.path.endsWith('.spec')) templates.push({ path: parentPath(mount.path), makes: podKind, open: true });
      else templates.push({ path: mount.path, makes: podKind, labelsAt: '', open: true });
    }
    for (const row of labels) {
      const path = row.holds === 'both' ? `${row.path}.labels` : row.path;
      if (row.holds === 'annotations' || !POD_LABELS.test(path) || path.includes('artifactGC')) continue;
      const found = templateAt(path, podKind);
      if (!templates.some((known) => labelsOf(known) === path)) templates.push(found);
    }
    const hasTemplate = mounts.some((mount) => mount.part === 'PodTemplateSpec' || mount.part === 'JobSpec');
    const placesPods = mounts.some((mount) => mount.part === 'Affinity' || mount.part === 'TopologySpreadConstraint');
    if (placesPods && !hasTemplate && !isMaker() && !NO_PODS.has(`${record.group}/${record.kind}`)) {
      templates.push({ path: '', makes: podKind, labelsAt: '', open: true });
    }
  }
}

/** Where operators let people write the labels of pods. */
const POD_LABELS = /(?:[pP]odMetadata\.labels|[pP]odTemplate\.(?:metadata\.)?(?:labels|extraLabels)|[pP]odLabels)$/;

/** Kinds that say where something goes, but not pods of their own. */
const NO_PODS: ReadonlySet<string> = new Set([
  'cluster.open-cluster-management.io/Placement',
  'snapshot.kubevirt.io/VirtualMachineSnapshotContent',
  'crdgenerator.strimzi.io/Example',
]);

function gatherEmbedded(facts: Facts, gathering: Gathering): void {
  for (const [group, kinds] of Object.entries(facts.embedded)) {
    for (const [kind, types] of Object.entries(kinds)) {
      const record = kindOf(gathering, group, kind);
      for (const [type, paths] of Object.entries(types)) {
        if (type === 'v') addVersions(record, paths);
        else record.facts.mounts.push(...paths.map((path) => ({ path, part: type })));
      }
    }
  }
}

function gatherMined(facts: Facts, gathering: Gathering): void {
  for (const [group, kinds] of Object.entries(facts.minedSelectors)) {
    for (const [kind, entry] of Object.entries(kinds)) {
      const record = kindOf(gathering, group, kind);
      addVersions(record, entry.v);
      for (const [form, path, target] of entry.s) {
        for (const each of expandBraces(path)) addOnce(record.facts.selectors, minedSelector(form, each, target));
      }
    }
  }
  for (const [group, kinds] of Object.entries(facts.minedPlaces)) {
    for (const [kind, places] of Object.entries(kinds)) {
      const record = kindOf(gathering, group, kind);
      for (const holds of ['labels', 'annotations'] as const) {
        for (const path of places[holds] ?? []) addLabels(record.facts, { path, holds });
      }
      for (const path of places['openMetadata'] ?? []) addLabels(record.facts, { path, holds: 'both' });
    }
  }
}

/** A selector that a script found: where it is, not what it means. */
function minedSelector(form: string, path: string, target: string | undefined): SelectorRow {
  const of = target === 'PersistentVolume' ? { group: '', kind: target } : CARRIERS[target ?? ''];
  const anywhere = target === 'Node' || target === 'Namespace' || target === 'PersistentVolume';
  const means = minedMeanings(form, path, target);
  return {
    path,
    form: target === 'Node' && form === 'map' ? 'nodeSelectorMap' : (FORMS[form] ?? 'other'),
    targets: of ? [of] : [],
    reach: anywhere ? 'cluster' : 'unknown',
    absent: means.absent,
    null: means.absent,
    empty: means.empty,
    mustMatchTemplate: false,
    immutable: false,
    plain: true,
  };
}

/** What can be said of a selector whose kind nobody looked at: those of nodes mean everywhere what they mean in a pod. */
function minedMeanings(form: string, path: string, target: string | undefined): { absent: Meaning; empty: Meaning } {
  if (form === 'nodeSelectorTerm' && path.endsWith('.preference')) return { absent: 'invalid', empty: 'notFiltered' };
  if (form === 'nodeSelector') return { absent: 'all', empty: 'invalid' };
  if (target === 'Node' && /nodeSelector$/.test(path)) return { absent: 'all', empty: 'all' };
  return { absent: 'unknown', empty: 'unknown' };
}
