/** Finds the selectors that match different objects after a rename than before. */

import { evaluate } from '../../engine/index.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import { kindKey } from '../../workspace/index/file-outline.ts';
import type { LabeledObjectInFile, ObjectInFile } from '../../workspace/model.ts';
import { areInCluster } from '../../workspace/scopes/cluster.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import { effectiveSelector } from '../../workspace/selection/effective-selector.ts';
import { reaches } from '../../workspace/selection/namespaces.ts';
import { NameFinder, type SiteInFile } from '../navigation/named-labels.ts';
import type { View } from '../view.ts';
import { hasName, type LabelName, renamedLabels, renamedSelector } from './label-name.ts';
import type { World } from './overlays.ts';
import { objectInWorldKey, objectKey, type Reach, selectorKey } from './renamed-labels.ts';

/** A selector, and an object that it would newly match or no longer match. */
export interface Changed {
  readonly selector: ObjectInFile;
  readonly labeledObject: ObjectInFile;
  readonly now: 'taken' | 'left';
  /** Whether the change occurs regardless of the actual content of unknown values. */
  readonly certain: boolean;
}

export interface Question {
  readonly view: View;
  readonly name: LabelName;
  readonly to: string;
  readonly reach: Reach;
  /** Whether the object is in a file that must not be edited, such as a generated file. */
  isFixed(found: ObjectInFile): boolean;
}

/** Returns the selector matches that a rename would add or remove, with certain changes first. */
export function changedMatches(question: Question): readonly Changed[] {
  const changed = new Map<string, Changed>();
  const { objects, selectors } = question.reach;
  const worlds = new Set([...objects.values(), ...selectors.values()].map(({ world }) => world));
  for (const world of worlds) {
    for (const pair of pairs(question, world)) {
      question.reach.comparisons.add(1);
      if (question.reach.comparisons.leaveOut()) return [];
      const found = difference(question, world, pair);
      if (found === undefined) continue;
      const key = [objectKey(pair.from), pair.from.site.path, objectKey(pair.to), pair.to.labeledObject.via].join('\n');
      if (changed.get(key)?.certain) continue;
      changed.set(key, { selector: pair.from, labeledObject: pair.to, ...found });
    }
  }
  return [...changed.values()].toSorted((a, b) => Number(b.certain) - Number(a.certain));
}

interface Pair {
  readonly from: SiteInFile;
  readonly to: LabeledObjectInFile;
}

/** Pairs each selector in a world with each object that it may newly match or no longer match after the rename. Pairs in which both sides have the old name and neither has the new name are omitted, because both sides are renamed in the same way. */
function* pairs(question: Question, world: World): Iterable<Pair> {
  const { name, to, reach } = question;
  const old = world.finder;
  const other = new NameFinder(world.workspace, name.value === undefined ? { key: to } : { key: name.key, value: to });
  const staying = oncePerSpan((place: string) => [
    ...other.around(place).labeledObjects,
    ...old.around(place).labeledObjects.filter((each) => !isLabelRenamed(question, world, each)),
  ]);
  const asking = oncePerSpan((place: string) => [
    ...other.around(place).selectors,
    ...old.around(place).selectors.filter((each) => !isSelectorRenamed(question, world, each)),
  ]);
  for (const from of reach.selectors.values()) {
    if (from.world === world) for (const to of staying(placeOf(from))) yield { from, to };
  }
  for (const found of reach.objects.values()) {
    const { file, object } = found;
    if (found.world !== world) continue;
    for (const labeledObject of labeledObjectsOf(object)) {
      if (!hasName(labeledObject, name)) continue;
      for (const from of asking(placeOf({ file, object }))) yield { from, to: { file, object, labeledObject } };
    }
  }
}

function oncePerSpan<T>(make: (place: string) => T): (place: string) => T {
  const known = new Map<string, T>();
  return (place) => getOrAdd(known, place, make);
}

function difference(
  question: Question,
  world: World,
  { from, to }: Pair,
): Pick<Changed, 'now' | 'certain'> | undefined {
  const { name, to: text } = question;
  const selector = effectiveSelector(from.site);
  const isOver = from.site.fact.targets.some((target) => kindKey(target) === kindKey(to.labeledObject.target));
  if (selector === undefined || !isOver) return undefined;
  const before = evaluate(selector, to.labeledObject);
  const labels = isLabelRenamed(question, world, to)
    ? { ...to.labeledObject, labels: renamedLabels(to.labeledObject.labels, name, text) }
    : to.labeledObject;
  const after = evaluate(
    isSelectorRenamed(question, world, from) ? renamedSelector(selector, name, text) : selector,
    labels,
  );
  if (before === after) return undefined;
  const { catalogue } = question.view;
  if (!areInCluster(world.workspace.scopes(), placeOf(from), placeOf(to), to)) return undefined;
  const place = reaches(world.workspace, catalogue, from, from.site, to).answer;
  if (place === 'no') return undefined;
  const certain = place === 'yes' && !from.site.open && before !== 'maybe' && after !== 'maybe';
  return { now: before === 'no' || after === 'yes' ? 'taken' : 'left', certain };
}

function isSelectorRenamed({ reach, isFixed }: Question, world: World, from: SiteInFile): boolean {
  if (isFixed(from)) return false;
  if (reach.selectors.has(selectorKey(from, world))) return true;
  if (!isOfOther(world, from)) return false;
  const renamed = getOrAdd(selectorsAnywhere, reach, () => new Set(Array.from(reach.selectors.values(), writtenKey)));
  return renamed.has(writtenKey(from));
}

/** Whether an object belongs to another GitOps object, so that a rename includes it in another world. */
function isOfOther({ workspace: { appliedBy } }: World, { file }: ObjectInFile): boolean {
  return appliedBy?.gitops !== undefined && !appliedBy.files.has(file.uri);
}

/** The renamed selectors in all worlds, by `writtenKey`. */
const selectorsAnywhere = new WeakMap<Reach, ReadonlySet<string>>();

function writtenKey(found: SiteInFile): string {
  return `${objectKey(found)}\n${found.site.path}`;
}

/** Whether the rename changes a label of the object. Labels that the cluster or a controller adds are not in any file and are not renamed. */
function isLabelRenamed({ reach, isFixed, name }: Question, world: World, found: LabeledObjectInFile): boolean {
  const isReached =
    reach.objects.has(objectInWorldKey(found, world)) ||
    (isOfOther(world, found) && reach.sources.has(objectKey(found)));
  if (!isReached || isFixed(found)) return false;
  const { object, labeledObject } = found;
  const entries = [
    ...(labeledObject.site?.entries ?? []),
    ...(labeledObject.via === undefined ? object.inherited : []),
  ];
  return entries.some((entry) => entry.key.value === name.key);
}
