/** Renames labels in commands: finds the commands that mention a renamed label, and the objects to which a command refers. */

import { evaluate } from '../../engine/index.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { LabelKeySite, LabelSite, ManifestObject, SelectorSite } from '../../manifests/model.ts';
import { keyAsWritten, mayNameKey } from '../../manifests/sites/prometheus-labels.ts';
import { kindKey } from '../../workspace/index/file-outline.ts';
import { idsIn } from '../../workspace/index/folder-index.ts';
import { labeledObjectWith, selectorWith } from '../../workspace/index/index-entries.ts';
import type { LabeledObjectInFile, ObjectInFile } from '../../workspace/model.ts';
import type { Comparisons } from '../../workspace/selection/comparison-budget.ts';
import { reaches } from '../../workspace/selection/namespaces.ts';
import { rankFrom } from '../../workspace/selection/nearness.ts';
import type { FileView, View } from '../view.ts';
import {
  hasName,
  type LabelName,
  renameInEntries,
  renameInSelector,
  renameWritten,
  selectorRefersTo,
  valuesOf,
} from './label-name.ts';
import type { AsyncAccess } from './patch-targets.ts';
import { type Reach, type Start, type SureStart, withoutName } from './renamed-labels.ts';

/** The maximum number of edits in commands. It is limited because the user has to review each edit. */
const maximumPlaces = 10_000;

/** Returns the edits in commands that may select a renamed object, or that set the label on such an object; truncated if there are too many. */
export function inCommands(view: FileView, reach: Reach, name: LabelName, to: string): readonly AsyncAccess[] {
  const commandFiles = view.commandFiles?.() ?? [];
  const labeledObjects = [...reach.objects.values()].flatMap((found) =>
    labeledObjectsOf(found.object).flatMap((labeledObject) =>
      hasName(labeledObject, name) ? [{ ...found, labeledObject }] : [],
    ),
  );
  const selectors = [...reach.selectors.values()];
  const asides: AsyncAccess[] = [];
  for (const file of commandFiles) {
    // Commands of closed files are parsed lazily.
    for (const object of file.manifest.inline ?? []) {
      if (asides.length >= maximumPlaces) reach.comparisons.add(Number.POSITIVE_INFINITY);
      if (reach.comparisons.leaveOut()) return asides;
      const isMeant = isSpokenOf(
        view,
        { file, object },
        { labeledObjects, selectors, comparisons: reach.comparisons },
        name,
      );
      if (isMeant) asides.push(...inCommand({ file, object }, name, to));
    }
  }
  return asides;
}

/** The parts of a rename that a command may refer to. */
interface Renamed {
  readonly labeledObjects: readonly LabeledObjectInFile[];
  readonly selectors: readonly { readonly site: SelectorSite }[];
  readonly comparisons: Comparisons;
}

/** Returns the edits at all positions at which a command contains the renamed label key or value. */
export function inCommand({ file, object }: ObjectInFile, name: LabelName, to: string): readonly AsyncAccess[] {
  const edits = [
    ...object.selectorSites.flatMap((site) => renameInSelector(site, name, to)),
    ...labelsIn(object).flatMap(({ entries }) => renameInEntries(entries, name, to)),
    ...keysNamed(object, name).flatMap((site) => {
      const text = keyAsWritten(site, to);
      return text === undefined || mayNameKey(site, to) ? [] : renameWritten(site.key, text);
    }),
  ];
  return edits.map((edit) => ({ file, edit }));
}

function labelsIn({ labelSites }: ManifestObject): readonly LabelSite[] {
  return labelSites.filter(({ place }) => place.holds === 'labels');
}

function isSpokenOf(
  view: View,
  command: ObjectInFile,
  { labeledObjects, selectors, comparisons }: Renamed,
  name: LabelName,
): boolean {
  const { selectorSites } = command.object;
  const labelSites = labelsIn(command.object);
  const asking = selectorSites.filter((site) => selectorRefersTo(site, name));
  const setting = labelSites.filter(({ entries }) => renameInEntries(entries, name, '').length > 0);
  const naming = keysNamed(command.object, name);
  if (labeledObjects.some(({ labeledObject }) => naming.some((site) => isOver([labeledObject.target], site))))
    return true;
  if (asking.length === 0 && setting.length === 0) return false;
  const isLabeled = labeledObjects.some((found) => {
    comparisons.add(1);
    return asking.some((site) => mayMatch(view, command, site, found, name));
  });
  if (isLabeled) return true;
  return setting.some((site) => {
    // If there are selectors for the labeled kind, they decide: the command is included only if one of them would match
    // the label that it sets.
    const looking = selectors.filter((each) => isOver(each.site.fact.targets, site));
    if (looking.length > 0) return looking.some((each) => wouldMatch(each.site, site, name));
    return labeledObjects.some(({ labeledObject }) => isOver([labeledObject.target], site));
  });
}

/** Returns the starting points that a command refers to. If none is certain, the nearest one is considered certain. */
export function meantBy(view: View, command: ObjectInFile, name: LabelName): readonly SureStart[] {
  const { workspace } = view;
  const { selectorSites, labelSites } = command.object;
  const naming = keysNamed(command.object, name);
  const carrying = idsIn(workspace.carrying(name.key, name.value)).flatMap((id): readonly SureStart[] => {
    const found = labeledObjectWith(workspace, id);
    if (found === undefined) return [];
    const answers = selectorSites.map((site) => mayMatch(view, command, site, found, name));
    const sets = [...labelSites, ...naming].some((site) => isOver([found.labeledObject.target], site));
    const { file, object } = found;
    return sets || answers.some((each) => each !== undefined) ? [{ file, object, sure: answers.includes('yes') }] : [];
  });
  const asking = labelSites.flatMap((site) =>
    workspace.speaking(name.key, valuesOf(name)).flatMap((id): readonly SureStart[] => {
      const found = selectorWith(workspace, id);
      const isMeant =
        found !== undefined && isOver(found.site.fact.targets, site) && wouldMatch(found.site, site, name);
      return isMeant ? [{ ...found, sure: false }] : [];
    }),
  );
  const added = [...workspace.scopes().facts()].flatMap(([uri, { kustomization }]): readonly SureStart[] => {
    const file = kustomization && workspace.files.get(uri);
    if (file === undefined) return [];
    const pairs = (file.kustomization?.labels ?? []).filter(
      ({ entries }) => renameInEntries(entries, name, '').length > 0,
    );
    return pairs.map(({ entries }) => ({ file, transformer: { kind: 'labels', uri, entries }, sure: false }));
  });
  const all = [...carrying, ...asking, ...added];
  const farOf = rankFrom(command.file.uri);
  const far = (start: Start) => farOf(start.file.uri);
  const [nearest] = all.some(({ sure }) => sure) ? [] : all.toSorted((a, b) => far(a) - far(b));
  return all.map((each) => (each === nearest ? { ...each, sure: true } : each));
}

/** Returns whether a selector of a command matches an object with the renamed label, apart from its requirements on this label: `yes`, `maybe`, or undefined if it does not match or the object lacks the label. */
function mayMatch(
  { workspace, catalogue }: View,
  command: ObjectInFile,
  site: SelectorSite,
  found: LabeledObjectInFile,
  name: LabelName,
): 'yes' | 'maybe' | undefined {
  const { labeledObject } = found;
  const { targets } = site.fact;
  if (
    !hasName(labeledObject, name) ||
    !targets.some((each) => each.kind === '*' || kindKey(each) === kindKey(labeledObject.target))
  )
    return undefined;
  const rest = withoutName(site, name);
  const answer = rest === undefined ? 'maybe' : evaluate(rest, labeledObject);
  const { answer: place } = reaches(workspace, catalogue, command, site, found);
  if (answer === 'no' || place === 'no') return undefined;
  return answer === 'yes' && place === 'yes' ? 'yes' : 'maybe';
}

/** Returns the fields of a command that contain the key without a value. */
function keysNamed({ labelKeySites }: ObjectInFile['object'], { key, value }: LabelName): readonly LabelKeySite[] {
  return value === undefined ? labelKeySites.filter((site) => mayNameKey(site, key)) : [];
}

/** Whether a command sets or names labels of objects of the given kinds. */
function isOver(targets: SelectorSite['fact']['targets'], { place }: LabelSite | LabelKeySite): boolean {
  const { of } = place;
  return of !== undefined && (of.kind === '*' || targets.some((each) => kindKey(each) === kindKey(of)));
}

/** Whether a selector matches objects on which a command sets labels, or excludes them only because of the renamed label. */
function wouldMatch(site: SelectorSite, { entries }: LabelSite, name: LabelName): boolean {
  const rest = withoutName(site, name);
  const labels = Object.fromEntries(entries.map(({ key, value }) => [key.text, value.value]));
  return rest !== undefined && evaluate(rest, { labels, open: true }) !== 'no';
}
