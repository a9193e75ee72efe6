/** Which selectors do the facts tell of, and what do they mean? */

import type { GroupKind, Meaning, SelectorForm } from '../../../server/src/engine/catalogue/types.ts';
import { CORRECTIONS, OLD_VERSIONS } from './corrections.ts';
import type { Facts, FactTarget, SelectorEntry } from './facts.ts';
import {
  addOnce,
  addVersions,
  CARRIERS,
  expandBraces,
  type Gathering,
  kindOf,
  partFor,
  realTarget,
} from './gathering.ts';
import { meaningsOf } from './meanings.ts';
import { type PackedReach, reachOf } from './reaches.ts';
import type { PartRecord, SelectorRow } from './records.ts';
import { FORMS, KEY_FORMS, NO_SELECTOR } from './words.ts';

/** Splits entries that stand for several kinds or groups, and leaves out those that are no kind of a manifest. */
function kindsMeant(entry: SelectorEntry): readonly GroupKind[] {
  if (!/^[a-z0-9.-]*$/.test(entry.group)) return [];
  const kinds = /^\*/.test(entry.kind) ? ['*'] : entry.kind.split(', ').map((kind) => kind.replace(/ \(.*$/, ''));
  const groups = [entry.group, ...(entry.altGroups ?? []).map((other) => other.group)];
  return groups.flatMap((group) => kinds.map((kind) => ({ group, kind })));
}

/** A kind whose entries differ in their versions keeps each fact to the versions that the facts name. */
export function gatherSelectors(entries: readonly SelectorEntry[], gathering: Gathering): void {
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
      addSelector(
        part,
        entry,
        CORRECTIONS[`${group}/${kind} ${entry.path}`] ?? CORRECTIONS[`${group}/* ${entry.path}`],
        gathering,
      );
    }
  }
  for (const { group, kind, version, row } of OLD_VERSIONS) {
    const record = kindOf(gathering, group, kind);
    const usual = record.facts.selectors.find((known) => known.path === row.path);
    if (usual) partFor(record, [version]).selectors.push({ ...usual, ...row });
  }
}

function addSelector(
  part: PartRecord,
  entry: SelectorEntry,
  correction: Partial<SelectorRow> | undefined,
  gathering: Gathering,
): void {
  if (KEY_FORMS.has(entry.form)) {
    const path = entry.path.endsWith('Keys') ? `${entry.path}[]` : entry.path;
    addOnce(part.labelKeys, { path, ...carrier(entry.targets) });
    return;
  }
  const form = formOf(entry);
  const tell = (phrase: string) => gathering.unmapped.add(`${entry.family} ${entry.kind} ${entry.path}: ${phrase}`);
  if (form === undefined) {
    tell(`form "${entry.form}"`);
    return;
  }
  if (/^nodeSelector/.test(form) && entry.nullMeans === 'unknown') {
    addOnce(part.selectors, { ...minedSelector(entry.form, entry.path, 'Node'), ...correction });
    return;
  }
  const filled = filledFrom(entry.nullMeans);
  const ignored = ignoredWhere(entry);
  const templateLabelsAt = correction?.templateLabelsAt ?? templateLabels(entry) ?? '';
  const { templateLabelsAt: _, ...corrected } = correction ?? {};
  addOnce(part.selectors, {
    // Of a list of requirements we name the list, not its items.
    path: form === 'requirements' ? entry.path.replace(/\[\]$/, '') : entry.path,
    form,
    targets: entry.resolvable === false ? [] : entry.targets.flatMap(realTarget),
    reach: reachInCluster(entry, reachOf(entry, tell), gathering),
    ...meaningsOf(entry, tell),
    ...(filled ? { filledFrom: filled } : {}),
    ...(templateLabelsAt === '' ? {} : { templateLabelsAt }),
    ...(ignored === undefined ? {} : { ignored }),
    mustMatchTemplate: entry.mustMatchTemplate,
    immutable: entry.immutable,
    plain: isPlain(entry, form),
    ...corrected,
  });
}

/** Compares it labels as Kubernetes does, with the operators of its own label selectors? */
function isPlain(entry: SelectorEntry, form: SelectorForm): boolean {
  if (form === 'other' || entry.wildcards === true || entry.matches !== undefined) return false;
  return !hasSourcePrefixes(entry) && !(form === 'requirements' && entry.operators.includes('Gt'));
}

function formOf(entry: SelectorEntry): SelectorForm | undefined {
  // Requirements on fields are not on labels.
  if (entry.form === 'requirements' && entry.path.includes('fieldSelector')) return 'other';
  return FORMS[entry.form];
}

/** The facts say "cluster" also of a selector that sees all namespaces of a namespaced kind. */
function reachInCluster(entry: SelectorEntry, reach: PackedReach, gathering: Gathering): PackedReach {
  const namespaced = entry.targets.some(
    ({ group = '', kind = '' }) => gathering.kinds.get(`${group}/${kind}`)?.namespaced === true,
  );
  return reach === 'cluster' && namespaced ? 'all' : reach;
}

function filledFrom(nullMeans: string): SelectorRow['filledFrom'] {
  if (nullMeans === 'defaulted to template labels') return 'templateLabels';
  return /^generated (?:\(batch|on each Job)/.test(nullMeans) ? 'generated' : undefined;
}

/** Some selectors count only where a field beside them says so; other conditions are of validation. */
function ignoredWhere({ conditionalOn = '' }: SelectorEntry): string | undefined {
  if (/[nN]amespaces\.from == Selector\b/.test(conditionalOn)) return '^from!=Selector';
  const trigger = /^(triggers\[\]\.type) == ([\w-]+)$/.exec(conditionalOn);
  return trigger === null ? undefined : `spec.${trigger[1]}!=${trigger[2]}`;
}

/** Cilium's keys for endpoints may begin with a source: `k8s:app`, `reserved:host`. */
function hasSourcePrefixes(entry: SelectorEntry): boolean {
  return entry.family === 'cilium' && entry.targets.some((target) => target.kind === 'Pod');
}

/** The path of the template's labels, where there is one path only. */
function templateLabels(entry: SelectorEntry): string | undefined {
  const path = entry.templateLabelsPath;
  return path?.includes(`(${entry.kind}:`) ? undefined : path?.split(/[ (|]/)[0];
}

function carrier(targets: readonly FactTarget[]): { of?: GroupKind } {
  const of = targets.flatMap(realTarget)[0];
  return of ? { of } : {};
}

/**
 * Takes back what the facts say of neighbours that the kind does not have: a namespace selector beside a selector, the
 * labels of a template. Without such a selector it stays at home, unless only another version has it.
 */
export function dropMissingNeighbours({ kinds }: Gathering): void {
  for (const { facts, only } of kinds.values()) {
    for (const part of [facts, ...only.values()]) {
      const paths = new Set([...part.selectors, ...facts.selectors].map((row) => row.path));
      part.selectors.forEach((row, at) => {
        const beside = typeof row.reach === 'string' ? '' : (row.reach[0] ?? '');
        const parent = row.path.slice(0, row.path.lastIndexOf('.') + 1);
        if (beside.startsWith('^') && !paths.has(parent + beside.slice(1))) {
          part.selectors[at] = { ...row, reach: part === facts ? 'own' : 'unknown' };
        }
      });
    }
  }
}

/** Adds the selectors that a script found in the schemas of kinds nobody looked at. */
export function gatherMinedSelectors(facts: Facts, gathering: Gathering): void {
  for (const [group, kinds] of Object.entries(facts.minedSelectors)) {
    for (const [kind, entry] of Object.entries(kinds)) {
      const record = kindOf(gathering, group, kind);
      addVersions(record, entry.v);
      for (const [form, path, target] of entry.s) {
        for (const each of expandBraces(path)) {
          const row = { ...minedSelector(form, each, target), ...CORRECTIONS[`${group}/${kind} ${each}`] };
          addOnce(record.facts.selectors, row);
        }
      }
    }
  }
}

/** A selector that a script found: where it is, not what it means. */
function minedSelector(form: string, path: string, target: string | undefined): SelectorRow {
  const of = target === 'PersistentVolume' ? { group: '', kind: target } : CARRIERS[target ?? ''];
  const anywhere = target === 'Node' || target === 'Namespace' || target === 'PersistentVolume';
  const means = minedMeanings(form, path, target);
  return {
    path: form === 'requirements' ? path.replace(/\[\]$/, '') : path,
    form: minedForm(form, target),
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

/** What a script takes for `matchExpressions` or a list of texts turned out to be of other languages. */
function minedForm(form: string, target: string | undefined): SelectorForm {
  if (form === 'matchExpressionsOnly' || form === 'string[]') return 'other';
  if (target === 'Node' && (form === 'map' || form === 'object')) return 'nodeSelectorMap';
  return FORMS[form] ?? 'other';
}

/** What can be said of a selector whose kind nobody looked at: those of nodes mean everywhere what they mean in a pod. */
function minedMeanings(form: string, path: string, target: string | undefined): { absent: Meaning; empty: Meaning } {
  if (form === 'nodeSelectorTerm' && path.endsWith('.preference')) return { absent: 'invalid', empty: 'notFiltered' };
  if (form === 'nodeSelector') return { absent: 'all', empty: 'invalid' };
  // Any volume, and any series, unless the selector says otherwise.
  if (target === 'PersistentVolume' || target === 'metric series') return { absent: 'all', empty: 'all' };
  if (target === 'Node' && /nodeSelector$/.test(path)) return { absent: 'all', empty: 'all' };
  return { absent: 'unknown', empty: 'unknown' };
}
