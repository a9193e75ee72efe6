/** The index of all labels and selectors of a workspace. Entries are found by content, and the index is updated file by file. */

import type { SelectorForm } from '../../engine/catalogue/types.ts';
import {
  evaluate,
  LabelIndex,
  type LabelSet,
  type Requirement,
  type Selector,
  SelectorIndex,
  satisfiable,
  type Value,
} from '../../engine/index.ts';
import { BoundedMap, getOrAdd } from '../../engine/memoize.ts';
import { contain, type Log } from '../../log.ts';
import { makeLabeledObjects } from '../../manifests/label-sets.ts';
import type { LabeledObject, ManifestObject, SelectorSite } from '../../manifests/model.ts';
import { dataText } from '../../manifests/sites/sites.ts';
import type {
  FoundLabeledObject,
  FoundSelector,
  LabelCounts,
  LabeledObjectId,
  ObjectLocation,
  SelectorId,
  WorkspaceFile,
} from '../model.ts';
import { everyCluster } from '../scopes/model.ts';
import { alternativesOf } from '../selection/effective-selector.ts';
import { LabelCache } from '../store/label-cache.ts';
import { isSameOutline, kindKey } from './file-outline.ts';
import { byFolder, type InFolder } from './folder-index.ts';
import { type Fillable, LazyIndex } from './lazy-index.ts';

/** The position of an object, with the properties that determine which selectors apply to it. */
type ObjectPosition = Pick<LabeledObjectId, 'uri' | 'location' | 'object'>;

interface Contribution {
  readonly labeledObjects: readonly LabeledObjectId[];
  readonly selectors: readonly SelectorId[];
}

type LazyLabels = LazyIndex<LabeledObjectId, LabelSet, LabelIndex<LabeledObjectId>>;
type LazySelectors = LazyIndex<SelectorId, Selector, SelectorIndex<SelectorId>>;

/** The index of a workspace. Mutable: only the newest snapshot owns it. */
export class WorkspaceIndex {
  readonly #labels = new Map<string, LazyLabels>();
  readonly #selectors = new Map<string, LazySelectors>();
  readonly #contributions = new Map<string, Contribution>();
  readonly #location = new BoundedMap<string, ObjectLocation>(maximumLocations);
  readonly #own: (text: string) => string;
  readonly #lazy: boolean;
  /** Recent label sets. Neighboring objects often have equal labels, which are then stored once. */
  readonly #lastLabels = new LabelCache();
  /**
   * Recent selectors by form, since equal data has a different meaning in each form, and by data. Neighboring selectors
   * are often equal.
   */
  readonly #lastSelectors = new Map<SelectorForm, BoundedMap<string, readonly Selector[]>>();
  /** Cached results for labels that very many objects have; invalidated by changes. */
  readonly #carrying = new Map<string, readonly InFolder<LabeledObjectId>[]>();
  #carryingSize = 0;
  /** The number of files that were updated since the index was created, which measures the cost of edits. */
  updates = 0;
  /**
   * The number of lookups of selectors and label sets since the index was created, which measures the cost of checks.
   */
  lookups = 0;

  /**
   * `own` copies a string so that it does not keep other text in memory: a slice of a file's text would keep the whole
   * text. `lazy` is set if most of the index will never be needed and the first lookup need not be fast.
   */
  constructor(own: (text: string) => string = (text) => text, lazy = false) {
    this.#own = own;
    this.#lazy = lazy;
  }

  /** Replaces the previous version of a file; does nothing if the outlines are equal. */
  update(uri: string, before: WorkspaceFile | undefined, after: WorkspaceFile | undefined): void {
    if (before !== undefined && after !== undefined && isSameOutline(before.manifest, after.manifest)) return;
    this.updates++;
    // Clearing a map allocates a new map, even if it is empty.
    if (this.#carrying.size > 0) this.#forgetCarrying(0);
    this.#remove(uri);
    if (after !== undefined && after.manifest.objects.length > 0) this.#add(after);
  }

  /** Returns the labeled objects of one kind that a selector may match. Files outside of `within` may be omitted. */
  labeledObjects(target: string, selector: Selector, within?: ReadonlySet<string>): Iterable<FoundLabeledObject> {
    this.lookups++;
    if (within === undefined || !this.#holdFew(within)) return this.labelSets(target, selector);
    return [...within]
      .flatMap((uri) => this.labeledObjectsIn(uri, [target]))
      .flatMap((each) => answered(each, selector));
  }

  /** Whether comparing a selector with all labels in the files is faster than a lookup. */
  #holdFew(uris: ReadonlySet<string>): boolean {
    if (uris.size > fewFiles) return false;
    let labeledObjects = 0;
    for (const uri of uris) labeledObjects += this.#contributions.get(uri)?.labeledObjects.length ?? 0;
    return labeledObjects <= fewLabeledObjects;
  }

  /** Returns the labeled objects of some kinds in a file, in the order of the text. */
  labeledObjectsIn(uri: string, targets: readonly string[]): readonly FoundLabeledObject[] {
    return (this.#contributions.get(uri)?.labeledObjects ?? []).flatMap((id): readonly FoundLabeledObject[] => {
      const labelSet = targets.includes(id.target) ? this.#labels.get(id.target)?.filled().get(id) : undefined;
      return labelSet === undefined ? [] : [{ id, answer: 'yes', labelSet }];
    });
  }

  /** Returns the selectors of objects of one kind in a file that can match something. */
  selectorsIn(uri: string, target: string): readonly Selector[] {
    return (this.#contributions.get(uri)?.selectors ?? []).flatMap((id) =>
      id.target === target ? (this.#selectors.get(target)?.filled().get(id) ?? []) : [],
    );
  }

  /** Yields the selectors of objects of one kind that may match a label set, in the files `within` if they are given. */
  selectors(target: string, labels: LabelSet, within?: ReadonlySet<string>): Iterable<FoundSelector> {
    this.lookups++;
    return this.#selectors.get(target)?.filled().each(labels, within) ?? [];
  }

  /** Returns the ids of the labeled objects of any kind that certainly have a label. */
  idsWith(key: string, value: string | undefined): readonly LabeledObjectId[] {
    return [...this.#labels.values()].flatMap((index) => index.filled().carrying(key, value));
  }

  /** Returns the number of the labeled objects of any kind that certainly have a label. */
  countWith(key: string, value: string): number {
    let count = 0;
    for (const index of this.#labels.values()) count += index.filled().countCarrying(key, value);
    return count;
  }

  /** Returns the labeled objects of any kind that certainly have a label. */
  carrying(key: string, value?: string): readonly InFolder<LabeledObjectId>[] {
    const name = value === undefined ? key : `${key}=${value}`;
    const before = this.#carrying.get(name);
    if (before !== undefined) return before;
    const found = byFolder(this.idsWith(key, value));
    const size = found.length + found.reduce((sum, { objects }) => sum + objects, 0) / objectsOfFolder;
    if (size < manyFolders) return found;
    this.#carryingSize += size;
    if (this.#carryingSize > maximumRemembered) this.#forgetCarrying(size);
    this.#carrying.set(name, found);
    return found;
  }

  /** Returns the selectors of any kind that have a requirement on a key, as `SelectorIndex.having` does. */
  speaking(
    key: string,
    values: readonly string[],
    alsoConcerns?: (requirement: Requirement) => boolean,
  ): readonly SelectorId[] {
    return [...this.#selectors.values()].flatMap((index) => index.filled().having(key, values, alsoConcerns));
  }

  /** Returns the keys of all kinds that have labeled objects. */
  targets(): Iterable<string> {
    return this.#labels.keys();
  }

  /** Returns the labeled objects of one kind that a selector may match, with their stored labels. */
  labelSets(target: string, selector: Selector): Iterable<FoundLabeledObject> {
    return this.#labels.get(target)?.filled().labelSets(selector) ?? [];
  }

  labelCounts(target: string): LabelCounts {
    const labels = this.#labels.get(target)?.filled();
    return {
      size: labels?.size ?? 0,
      keys: () => labels?.keyCounts() ?? [],
      values: (key) => labels?.valueCounts(key) ?? [],
    };
  }

  hasKey(target: string | undefined, key: string): boolean {
    const targets = target === undefined ? [...this.#labels.keys()] : [target];
    return targets.some((each) => this.#labels.get(each)?.filled().hasKey(key) === true);
  }

  /** Returns every label key of the objects of a kind, with its known values. */
  labelsOf(target: string): Iterable<readonly [key: string, values: Iterable<string>]> {
    return this.#labels.get(target)?.filled().keys() ?? [];
  }

  #forgetCarrying(size: number): void {
    this.#carrying.clear();
    this.#carryingSize = size;
  }

  #add({ uri, manifest }: WorkspaceFile): void {
    const labeledObjects: LabeledObjectId[] = [];
    const selectors: SelectorId[] = [];
    try {
      manifest.objects.forEach((object, number) => {
        if (!object.forCluster) return;
        const place = { uri, location: this.#whereaboutsOf(object), object: number };
        this.#addCarriers(object, place, labeledObjects);
        this.#addSelectors(object, place, selectors);
      });
    } finally {
      // The entries are stored before they are indexed, so that they can be removed even if indexing one of them
      // throws. They are copied, because an array that grew has spare capacity.
      this.#contributions.set(uri, { labeledObjects: labeledObjects.slice(), selectors: selectors.slice() });
    }
  }

  #addCarriers(from: ManifestObject, { uri, location, object }: ObjectPosition, added: LabeledObjectId[]): void {
    makeLabeledObjects(from).forEach((made, labeledObject) => {
      const target = this.#own(kindKey(made.target));
      const id: LabeledObjectId = { uri, location, object, labeledObject, target };
      getOrAdd(this.#labels, target, this.#newLabels).add(id, this.#ownLabelSet(made));
      added.push(id);
    });
  }

  #addSelectors(from: ManifestObject, { uri, location, object }: ObjectPosition, added: SelectorId[]): void {
    from.selectorSites.forEach((each, site) => {
      const home = each.fact.reach === 'own' ? location : undefined;
      for (const selector of this.#ownSelectors(each)) {
        for (const kind of each.fact.targets) {
          const target = this.#own(kindKey(kind));
          const id: SelectorId = { uri, object, site, target, home };
          getOrAdd(this.#selectors, target, this.#newSelectors).add(id, selector);
          added.push(id);
        }
      }
    });
  }

  #whereaboutsOf({ group, version, kind, template, namespace }: ManifestObject): ObjectLocation {
    const value = namespace?.value;
    const places = `${namespace ? `in ${namespace.text}` : ''}\n${template === undefined ? '' : `of ${template}`}`;
    const key = `${group}/${version}/${kind}\n${places}`;
    // Equal text may represent different values in different charts.
    const known = value === undefined || typeof value === 'string' ? this.#location.get(key) : undefined;
    if (known !== undefined) return known;
    const own = this.#own;
    const made: ObjectLocation = {
      group: own(group),
      version: own(version),
      kind: own(kind),
      ...(template !== undefined && { template: own(template) }),
      ...(namespace && { namespace: { text: own(namespace.text), value: this.#ownValue(namespace.value) } }),
    };
    if (value === undefined || typeof value === 'string') this.#location.set(own(key), made);
    return made;
  }

  readonly #newLabels = (): LazyLabels => this.#filled(new LazyIndex(() => new LabelIndex()));
  readonly #newSelectors = (): LazySelectors => this.#filled(new LazyIndex(() => new SelectorIndex(({ uri }) => uri)));

  #filled<Lazy extends { filled(): unknown }>(index: Lazy): Lazy {
    if (!this.#lazy) index.filled();
    return index;
  }

  #ownLabelSet({ labels, open }: LabeledObject): LabelSet {
    return this.#lastLabels.like(labels, open) ?? this.#lastLabels.add({ labels: this.#ownLabels(labels), open });
  }

  #ownLabels(labels: LabeledObject['labels']): LabeledObject['labels'] {
    const own: Record<string, Value> = {};
    for (const key of Object.keys(labels)) {
      const value = this.#ownValue(labels[key] ?? '');
      // Assigning to the key `__proto__` would change the prototype of the object.
      if (key === '__proto__') Object.defineProperty(own, key, { value, enumerable: true });
      else own[key] = value;
    }
    return own;
  }

  #ownSelectors(site: SelectorSite): readonly Selector[] {
    const make = () => selectorsAt(site).map((each) => this.#ownSelector(each));
    // In some cases, the matches of a selector depend on more than its data.
    if (site.state !== 'present' || site.placeholders !== undefined) return make();
    const known = getOrAdd(this.#lastSelectors, site.fact.form, newSelectorCache);
    return getOrAdd(known, dataText(site), make);
  }

  #ownSelector(selector: Selector): Selector {
    if (selector.kind !== 'all') return selector;
    const requirements = selector.requirements.map(({ key, operator, values }) => {
      return { key: this.#own(key), operator, values: values.map((value) => this.#ownValue(value)) };
    });
    return { ...selector, requirements };
  }

  #ownValue(value: Value): Value {
    if (typeof value === 'string') return this.#own(value);
    const { unknown, pattern, oneOf, assumed } = value;
    return {
      unknown: this.#own(unknown),
      ...(pattern !== undefined && { pattern: this.#own(pattern) }),
      ...(oneOf !== undefined && { oneOf: oneOf.map((each) => this.#own(each)) }),
      ...(assumed !== undefined && { assumed: this.#ownValue(assumed) }),
    };
  }

  #remove(uri: string): void {
    const contribution = this.#contributions.get(uri);
    if (contribution === undefined) return;
    for (const id of contribution.labeledObjects) removeFrom(this.#labels, id);
    for (const id of contribution.selectors) removeFrom(this.#selectors, id);
    this.#contributions.delete(uri);
  }
}

/** Removes an id from the index of its kind, and the index itself if it is empty, since the index of a misspelled kind would otherwise remain forever. */
function removeFrom<Id extends { readonly target: string }, What, Index extends Fillable<Id, What>>(
  indexes: Map<string, LazyIndex<Id, What, Index>>,
  id: Id,
): void {
  const index = indexes.get(id.target);
  index?.remove(id);
  if (index?.isEmpty) indexes.delete(id.target);
}

/** Updates an index; `before` contains the versions of the changed files that are in the index. Without `before`, the index is empty. */
export function updateIndex(
  index: WorkspaceIndex,
  files: ReadonlyMap<string, WorkspaceFile>,
  before: ReadonlyMap<string, WorkspaceFile | undefined> | undefined,
  log: Log | undefined,
): void {
  for (const uri of before?.keys() ?? files.keys()) {
    if (uri === everyCluster) continue;
    const update = () => index.update(uri, before?.get(uri), files.get(uri));
    contain(log, `index of ${uri}`, update, () => index.update(uri, undefined, undefined));
  }
}

/** The maximum number of cached locations; most workspaces have fewer. */
const maximumLocations = 5_000;

/** Up to this number of files, a scan is faster than a lookup, whose results may be in thousands of files. */
const fewFiles = 40;
/** The maximum number of labeled objects for a scan: each selector in the files would be compared with all of them. */
const fewLabeledObjects = 200;

function answered(found: FoundLabeledObject, selector: Selector): FoundLabeledObject | [] {
  const answer = evaluate(selector, found.labelSet);
  return answer === 'no' ? [] : { ...found, answer };
}

/** Returns the selectors of a site as they are in the index, of which at least one must match. */
export function selectorsAt(site: SelectorSite): readonly Selector[] {
  // An unsatisfiable selector would be a possible match of labels that are partly unknown.
  const selectors = alternativesOf(site).filter(satisfiable);
  return site.nodeSelector === undefined ? selectors : selectors.map(asTerm);
}

/** A term without label requirements may have a requirement on the name, and so does not match everything. */
function asTerm(selector: Selector): Selector {
  return selector.kind === 'everything' ? { kind: 'all', requirements: [] } : selector;
}

/** Creates a cache that can hold a few hundred selectors. */
const newSelectorCache = () => new BoundedMap<string, readonly Selector[]>(200);

/** A result with fewer folders can be computed again as quickly as it is found in a cache. */
const manyFolders = 30;

/** The number of objects that require about as much time and memory as one folder. */
const objectsOfFolder = 20;

/** Maximum size of all cached results in folders, which amounts to one or two megabytes; a larger single result is cached alone. */
const maximumRemembered = 5_000;
