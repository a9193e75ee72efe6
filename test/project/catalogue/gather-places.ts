/** Where do objects hold labels, and what do they make? */

import { parseGroupKind } from '../../../server/src/engine/catalogue/kinds.ts';
import { joinPath, parentPath } from '../../../server/src/engine/catalogue/packed.ts';
import type { GroupKind, LabelKeyPlace } from '../../../server/src/engine/catalogue/types.ts';
import type { Facts, KeyPlaceEntry, PlaceEntry } from './facts.ts';
import { addOnce, addVersions, CARRIERS, expandBraces, type Gathering, kindOf } from './gathering.ts';
import type { LabelRow, PartRecord, TemplateRow } from './records.ts';
import { MOUNTS, TEMPLATES } from './templates.ts';

const ANY: GroupKind = { group: '*', kind: '*' };

/** The labels of an object's metadata, whatever the object is. */
const METADATA = /(?:^|\.)\w*[mM]etadata\.(?:labels|annotations)$/;

/** Adds what is known by hand about what makes what. */
export function gatherTemplates(gathering: Gathering): void {
  for (const [name, rows] of Object.entries(TEMPLATES)) {
    const { group, kind } = parseGroupKind(name);
    kindOf(gathering, group, kind).facts.templates.push(...rows);
  }
  for (const [name, mounts] of Object.entries(MOUNTS)) {
    const { group, kind } = parseGroupKind(name);
    kindOf(gathering, group, kind).facts.mounts.push(...mounts);
  }
}

/** Adds the maps of labels that were looked at, and the templates around them. */
export function gatherPlace(place: PlaceEntry, gathering: Gathering): void {
  const holds = place.holds;
  const isOwn = place.path === 'metadata.labels' || place.path === 'metadata.annotations';
  if ((holds !== 'labels' && holds !== 'annotations') || place.kind === '*' || place.kind === 'List') return;
  for (const path of expandBraces(place.path)) {
    if (/[[ <]/.test(path.replaceAll('[]', ''))) continue;
    const record = kindOf(gathering, place.group, place.kind);
    if (place.family !== undefined) gathering.families.set(`${place.group}/${place.kind}`, place.family);
    addVersions(record, place.versions ?? []);
    const of = place.yields ?? ANY;
    if (!isOwn) addLabels(record.facts, { path, holds, of });
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

/** Adds a field that holds the key of a label; what selectors hold is theirs to tell. */
export function gatherKeyPlace(entry: KeyPlaceEntry, gathering: Gathering): void {
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
export function gatherPodMakers(gathering: Gathering): void {
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

/** Makes the labels of every template a place of labels, carried by what the template makes. */
export function gatherTemplateLabels(gathering: Gathering): void {
  for (const { facts } of gathering.kinds.values()) {
    for (const template of facts.templates) {
      const path = labelsOf(template);
      if (path === '' || path === 'metadata.labels') continue;
      const isUsual = path.endsWith('.metadata.labels');
      const row: LabelRow = isUsual
        ? { path: parentPath(path), holds: 'both', of: template.makes }
        : { path, holds: 'labels', of: template.makes };
      const known = facts.labels.findIndex((other) => other.path === row.path && other.holds !== 'annotations');
      const twin = facts.labels.findIndex((other) => other.holds === 'both' && other.path === parentPath(path));
      const at = known >= 0 ? known : twin;
      const old = facts.labels[at];
      if (old === undefined) facts.labels.push(row);
      else if (old.of === undefined || old.of === ANY) facts.labels[at] = { ...old, of: template.makes };
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

/** Adds the types that occur in many kinds where a script found them. */
export function gatherEmbedded(facts: Facts, gathering: Gathering): void {
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

/** Adds the maps of labels that a script found. */
export function gatherMinedPlaces(facts: Facts, gathering: Gathering): void {
  for (const [group, kinds] of Object.entries(facts.minedPlaces)) {
    for (const [kind, places] of Object.entries(kinds)) {
      const record = kindOf(gathering, group, kind);
      for (const holds of ['labels', 'annotations'] as const) {
        for (const path of places[holds] ?? []) {
          addLabels(record.facts, { path, holds, ...(METADATA.test(path) ? { of: ANY } : {}) });
        }
      }
      for (const path of places['openMetadata'] ?? []) addLabels(record.facts, { path, holds: 'both', of: ANY });
    }
  }
}
