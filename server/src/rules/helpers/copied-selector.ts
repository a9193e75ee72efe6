/** Finds selectors that were copied with their objects: they still match the pods of the original instead of the workload with the name of their own object. */

import type { Selector } from '../../engine/index.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import type { ManifestObject, SelectorSite } from '../../manifests/model.ts';
import type { LabeledObjectInFile, ObjectInFile, SiteInFile } from '../../workspace/model.ts';
import { candidatesAround } from '../../workspace/selection/candidates-around.ts';
import { selectingObjectsOf } from '../../workspace/selection/selecting-objects.ts';
import type { RuleContext } from '../framework/rule.ts';
import { namesakeOf } from './namesake.ts';

/** Returns the name of an object as it is written: equal template expressions of a chart have equal outputs. */
export function writtenName({ name }: ManifestObject): string | undefined {
  return name?.text === '' ? undefined : name?.text;
}

/** The workload that a copied selector misses. */
export interface Copied {
  readonly own: LabeledObjectInFile;
  /** The object with the same selector and the name of the selected workload. */
  readonly original: ObjectInFile;
}

/** The objects that select pods with their own name, by the labels of the pods and by their kind and the path of the selector: thousands of objects may select the same pods. */
export type Originals = Map<
  LabeledObjectInFile['labeledObject'],
  Map<string, { readonly original: ObjectInFile | undefined }>
>;

/**
 * Returns the workload with the name of the selector's object, if the selector matches only another workload, which an
 * object of the same kind with the name of that workload also selects, and if no object of this kind selects the
 * workload. One name must not be a part of the other: `web` may select the variant `web-canary`.
 */
export function copiedSelector(
  context: RuleContext,
  where: ObjectInFile,
  site: SelectorSite,
  selector: Selector,
  only: LabeledObjectInFile,
  originals: Originals,
): Copied | undefined {
  const { workspace, catalogue } = context;
  const name = writtenName(where.object);
  const taken = writtenName(only.object);
  if (name === undefined || taken === undefined) return undefined;
  if (name.includes(taken) || taken.includes(name)) return undefined;
  const isAlike = ({ object, site: { fact } }: SiteInFile) =>
    object.kind === where.object.kind && object.group === where.object.group && fact.path === site.fact.path;
  const ofPods = getOrAdd(originals, only.labeledObject, () => new Map());
  const { original } = getOrAdd(ofPods, `${where.object.group}/${where.object.kind} ${site.fact.path}`, () => ({
    original: selectingObjectsOf(workspace, catalogue, only, isAlike).find(
      ({ object, certain, relation }) => certain && relation === 'here' && writtenName(object) === taken,
    ),
  }));
  if (original === undefined) return undefined;
  const near = namesakeOf(where, selector, candidatesAround(workspace, catalogue, where, site), writtenName);
  if (near === undefined || selectingObjectsOf(workspace, catalogue, near.miss, isAlike).length > 0) return undefined;
  return { own: near.miss, original };
}
