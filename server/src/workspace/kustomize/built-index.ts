/**
 * Indexes the labels and selectors of the objects that a kustomization builds. The index of a kind is lazy, since most
 * kinds are never looked up.
 */

import type { GroupKind } from '../../engine/catalogue/types.ts';
import { LabelIndex, type LabelSet, type Selector, SelectorIndex } from '../../engine/index.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { kindKey } from '../index/file-outline.ts';
import { byFolder, type InFolder } from '../index/folder-index.ts';
import { selectorsAt } from '../index/workspace-index.ts';
import type {
  BuiltIndex,
  FoundLabeledObject,
  FoundSelector,
  LabeledObjectId,
  SelectorId,
  Workspace,
  WorkspaceFile,
} from '../model.ts';

interface Numbered {
  readonly uri: string;
  readonly number: number;
  readonly object: ManifestObject;
}

/** An index with the methods of a workspace's index. */
export class LazyBuiltIndex implements BuiltIndex {
  readonly #objects: readonly Numbered[];
  /**
   * The objects that have labels of a kind, by the kind. `#selecting` contains the objects that have a selector for a
   * kind.
   */
  #carrying: ReadonlyMap<string, readonly Numbered[]> | undefined;
  #selecting: ReadonlyMap<string, readonly Numbered[]> | undefined;
  readonly #labels = new Map<string, LabelIndex<LabeledObjectId>>();
  readonly #selectors = new Map<string, SelectorIndex<SelectorId>>();

  constructor(files: Iterable<WorkspaceFile>) {
    this.#objects = [...files].flatMap(({ uri, manifest }) =>
      manifest.objects.flatMap((object, number) => (object.forCluster ? { uri, number, object } : [])),
    );
  }

  /** Returns the labeled objects of one kind that a selector may match. */
  labeledObjects(target: string, selector: Selector): readonly FoundLabeledObject[] {
    return this.#labeledObjectsOf(target).find(selector);
  }

  /** Yields the selectors of objects of one kind that may match a label set. */
  selectors(target: string, labels: LabelSet): Iterable<FoundSelector> {
    return this.#selectorsOver(target).each(labels);
  }

  /** Returns the labeled objects of any kind that certainly have a label. */
  carrying(key: string, value?: string): readonly InFolder<LabeledObjectId>[] {
    return byFolder([...this.#byCarried().keys()].flatMap((each) => this.#labeledObjectsOf(each).carrying(key, value)));
  }

  /** Returns the selectors of any kind that have a requirement on a key, as `SelectorIndex.having` does. */
  speaking(...asked: Parameters<Workspace['speaking']>): readonly SelectorId[] {
    return [...this.#bySelected().keys()].flatMap((target) => this.#selectorsOver(target).having(...asked));
  }

  /** Returns the keys of all kinds that have labeled objects. */
  targets(): Iterable<string> {
    return this.#byCarried().keys();
  }

  /** Yields the labeled objects of one kind that a selector may match. */
  labelSets(target: string, selector: Selector): Iterable<FoundLabeledObject> {
    return this.#labeledObjectsOf(target).labelSets(selector);
  }

  hasKey(target: string | undefined, key: string): boolean {
    const targets = target === undefined ? [...this.targets()] : [target];
    return targets.some((each) => this.#labeledObjectsOf(each).hasKey(key));
  }

  /** Returns every label key of the objects of a kind, with its known values. */
  labelsOf(target: string): Iterable<readonly [key: string, values: Iterable<string>]> {
    const values = new Map<string, Set<string>>();
    for (const { labelSet } of this.labelSets(target, { kind: 'everything' })) {
      for (const [key, value] of Object.entries(labelSet.labels)) {
        const known = getOrAdd(values, key, () => new Set());
        if (typeof value === 'string') known.add(value);
      }
    }
    return values;
  }

  #byCarried(): ReadonlyMap<string, readonly Numbered[]> {
    this.#carrying ??= byKind(this.#objects, labeledKinds);
    return this.#carrying;
  }

  #bySelected(): ReadonlyMap<string, readonly Numbered[]> {
    this.#selecting ??= byKind(this.#objects, selectedKinds);
    return this.#selecting;
  }

  #labeledObjectsOf(target: string): LabelIndex<LabeledObjectId> {
    return getOrAdd(this.#labels, target, () => {
      const index = new LabelIndex<LabeledObjectId>();
      for (const { uri, number, object } of this.#byCarried().get(target) ?? []) {
        for (const [labeledObject, found] of labeledObjectsOf(object).entries()) {
          if (kindKey(found.target) === target)
            index.add({ uri, location: object, object: number, labeledObject, target }, found);
        }
      }
      return index;
    });
  }

  #selectorsOver(target: string): SelectorIndex<SelectorId> {
    return getOrAdd(this.#selectors, target, () => {
      const index = new SelectorIndex<SelectorId>();
      for (const { uri, number, object } of this.#bySelected().get(target) ?? []) {
        for (const [site, found] of object.selectorSites.entries()) {
          if (!found.fact.targets.some((kind) => kindKey(kind) === target)) continue;
          for (const selector of selectorsAt(found)) index.add({ uri, object: number, site, target }, selector);
        }
      }
      return index;
    });
  }
}

/** Groups the objects by the keys of the kinds that `kindsOf` returns for them, in their order. */
function byKind(
  objects: readonly Numbered[],
  kindsOf: (object: ManifestObject) => readonly GroupKind[],
): ReadonlyMap<string, readonly Numbered[]> {
  const found = new Map<string, Numbered[]>();
  for (const each of objects) {
    for (const kind of kindsOf(each.object)) {
      const beside = getOrAdd(found, kindKey(kind), newList);
      if (beside.at(-1) !== each) beside.push(each);
    }
  }
  return found;
}

function newList(): Numbered[] {
  return [];
}

/** Returns the kinds of the labeled objects in an object: the object itself, and the objects that its templates create. */
function labeledKinds(object: ManifestObject): readonly GroupKind[] {
  return [object, ...object.templates.map(({ fact }) => fact.makes)];
}

function selectedKinds({ selectorSites }: ManifestObject): readonly GroupKind[] {
  return selectorSites.flatMap(({ fact }) => fact.targets);
}
