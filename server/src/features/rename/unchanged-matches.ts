/** Finds the selectors that match different objects after a rename than before. */

import { evaluate } from '../../engine/index.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { LabeledObjectInFile, ObjectInFile } from '../../workspace/model.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import { effectiveSelector } from '../../workspace/selection/effective-selector.ts';
import { NameFinder, type SiteInFile } from '../navigation/named-labels.ts';
import type { View } from '../view.ts';
import { hasName, type LabelName, renamedLabels, renamedSelector } from './label-name.ts';
import { type FilesInWorld, type InWorld, reachesInCluster, type World } from './overlays.ts';
import { isOver, objectInWorldKey, objectKey, type Reach, selectorKey } from './renamed-labels.ts';

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
  for (const pair of pairs(question)) {
    question.reach.comparisons.add(1);
    if (question.reach.comparisons.leaveOut()) return [];
    const found = difference(question, pair);
    if (found === undefined) continue;
    const key = [objectKey(pair.from), pair.from.site.path, objectKey(pair.to), pair.to.labeledObject.via].join('\n');
    if (changed.get(key)?.certain) continue;
    changed.set(key, { selector: pair.from, labeledObject: pair.to, ...found });
  }
  return [...changed.values()].toSorted((a, b) => Number(b.certain) - Number(a.certain));
}

type SelectorInWorld = SiteInFile & InWorld;
type LabeledObjectInWorld = LabeledObjectInFile & InWorld;

interface Pair {
  readonly from: SelectorInWorld;
  readonly to: LabeledObjectInWorld;
}

/** Pairs each selector with each object that it may newly match or no longer match after the rename. Pairs in which both sides have the old name and neither has the new name are omitted, because both sides are renamed in the same way. */
function* pairs(question: Question): Iterable<Pair> {
  const { name, to, reach } = question;
  const renamed = name.value === undefined ? { key: to } : { key: name.key, value: to };
  const others = new Map<World, NameFinder>();
  const otherIn = (world: World) => getOrAdd(others, world, () => new NameFinder(world.workspace, renamed));
  const staying = oncePerSet(({ world, files }): readonly LabeledObjectInWorld[] => [
    ...otherIn(world)
      .within(files)
      .labeledObjects.map((each) => ({ ...each, world })),
    ...world.finder
      .within(files)
      .labeledObjects.map((each) => ({ ...each, world }))
      .filter((each) => !isLabelRenamed(question, each)),
  ]);
  const asking = oncePerSet(({ world, files }): readonly SelectorInWorld[] => [
    ...otherIn(world)
      .within(files)
      .selectors.map((each) => ({ ...each, world })),
    ...world.finder
      .within(files)
      .selectors.map((each) => ({ ...each, world }))
      .filter((each) => !isSelectorRenamed(question, each)),
  ]);
  for (const from of reach.selectors.values())
    for (const around of reach.worlds.inCluster(from.world, placeOf(from)))
      for (const each of staying(around)) yield { from, to: each };
  for (const { file, object, world } of reach.objects.values()) {
    for (const labeledObject of labeledObjectsOf(object)) {
      if (!hasName(labeledObject, name)) continue;
      for (const around of reach.worlds.inCluster(world, placeOf({ file, object })))
        for (const from of asking(around)) yield { from, to: { file, object, labeledObject, world } };
    }
  }
}

/** Returns a function that computes a value once for each world and set of files. */
function oncePerSet<T>(make: (around: FilesInWorld) => T): (around: FilesInWorld) => T {
  const known = new Map<World, Map<ReadonlySet<string>, T>>();
  return (around) => {
    const inWorld = getOrAdd(known, around.world, () => new Map<ReadonlySet<string>, T>());
    return getOrAdd(inWorld, around.files, () => make(around));
  };
}

function difference(question: Question, { from, to }: Pair): Pick<Changed, 'now' | 'certain'> | undefined {
  const { name, to: text } = question;
  const selector = effectiveSelector(from.site);
  if (selector === undefined || !isOver(from.site, to.labeledObject.target)) return undefined;
  const before = evaluate(selector, to.labeledObject);
  const labels = isLabelRenamed(question, to)
    ? { ...to.labeledObject, labels: renamedLabels(to.labeledObject.labels, name, text) }
    : to.labeledObject;
  const after = evaluate(isSelectorRenamed(question, from) ? renamedSelector(selector, name, text) : selector, labels);
  if (before === after) return undefined;
  const place = reachesInCluster(question.view, from, to);
  if (place === 'no') return undefined;
  const certain = place === 'yes' && !from.site.open && before !== 'maybe' && after !== 'maybe';
  return { now: before === 'no' || after === 'yes' ? 'taken' : 'left', certain };
}

function isSelectorRenamed({ reach, isFixed }: Question, from: SelectorInWorld): boolean {
  return !isFixed(from) && reach.selectors.has(selectorKey(from, from.world));
}

/** Whether the rename changes a label of the object. Labels that the cluster or a controller adds are not in any file and are not renamed. */
function isLabelRenamed({ reach, isFixed, name }: Question, found: LabeledObjectInWorld): boolean {
  if (!reach.objects.has(objectInWorldKey(found, found.world)) || isFixed(found)) return false;
  const { object, labeledObject } = found;
  const entries = [
    ...(labeledObject.site?.entries ?? []),
    ...(labeledObject.via === undefined ? object.inherited : []),
  ];
  return entries.some((entry) => entry.key.value === name.key);
}
