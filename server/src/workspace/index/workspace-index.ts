/** The index of all labels and selectors of a workspace. Finds them by content, and is updated file by file. */

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
import { getOrAdd } from '../../engine/memoize.ts';
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
import { LruCache } from '../store/text-cache.ts';
import { isSameOutline, kindKey } from './file-outline.ts';
import { byFolder, type InFolder } from './folder-index.ts';
import { type Fillable, LazyIndex } from './lazy-index.ts';

/** Which object of which file, and what else tells who looks at it. */
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
  readonly #location = new Map<string, ObjectLocation>();
  readonly #own: (text: string) => string;
  readonly #lazy: boolean;
  /** What was taken in last: what stands near to each other often says the same, and is then kept once. */
  readonly #lastLabels = new LabelCache();
  /** By their form: the same data means something else in each. */
  readonly #lastSelectors = new Map<SelectorForm, LruCache<readonly Selector[]>>();
  /** Who carries the labels that very many carry, as far as somebody asked since something changed. */
  readonly #carrying = new Map<string, readonly InFolder<LabeledObjectId>[]>();
  #carryingFolders = 0;
  /** How many files were taken in since it was made: what an edit costs. */
  updates = 0;
  /** How many selectors and label sets were looked up since it was made: what a check costs. */
  lookups = 0;

  /**
   * `own` gives a copy of a text that keeps nothing else in memory: a text cut out of a file keeps all of the file.
   * `late` where most of it will never be asked, and nobody waits for the first answer.
   */
  constructor(own: (text: string) => string = (text) => text, lazy = false) {
    this.#own = own;
    this.#lazy = lazy;
  }

  /** Takes a file in, in the place of what it was before; nothing to do where others see the same of both. */
  update(uri: string, before: WorkspaceFile | undefined, after: WorkspaceFile | undefined): void {
    if (before !== undefined && after !== undefined && isSameOutline(before.manifest, after.manifest)) return;
    this.updates++;
    // To clear a map makes it anew, even one that is empty.
    if (this.#carrying.size > 0) this.#forgetCarrying(0);
    this.#remove(uri);
    if (after !== undefined && after.manifest.objects.length > 0) this.#add(after);
  }

  /** What of one kind a selector may match. Of files that are not `within` nothing need be told. */
  labeledObjects(target: string, selector: Selector, within?: ReadonlySet<string>): Iterable<FoundLabeledObject> {
    this.lookups++;
    if (within === undefined || !this.#holdFew(within)) return this.labelSets(target, selector);
    return [...within]
      .flatMap((uri) => this.labeledObjectsIn(uri, [target]))
      .flatMap((each) => answered(each, selector));
  }

  /** Whether it costs less to compare a selector with all labels in the files than to look it up. */
  #holdFew(uris: ReadonlySet<string>): boolean {
    if (uris.size > fewFiles) return false;
    let labeledObjects = 0;
    for (const uri of uris) labeledObjects += this.#contributions.get(uri)?.labeledObjects.length ?? 0;
    return labeledObjects <= fewLabeledObjects;
  }

  /** What of some kinds carries labels in a file, in the order in which it stands there. */
  labeledObjectsIn(uri: string, targets: readonly string[]): readonly FoundLabeledObject[] {
    return (this.#contributions.get(uri)?.labeledObjects ?? []).flatMap((id): readonly FoundLabeledObject[] => {
      const labelSet = targets.includes(id.target) ? this.#labels.get(id.target)?.filled().get(id) : undefined;
      return labelSet === undefined ? [] : [{ id, answer: 'yes', labelSet }];
    });
  }

  /** The selectors over one kind in a file, of those that match anything. */
  selectorsIn(uri: string, target: string): readonly Selector[] {
    return (this.#contributions.get(uri)?.selectors ?? []).flatMap((id) =>
      id.target === target ? (this.#selectors.get(target)?.filled().get(id) ?? []) : [],
    );
  }

  /** Which selectors over one kind may match a label set. */
  selectors(target: string, labels: LabelSet): readonly FoundSelector[] {
    this.lookups++;
    return this.#selectors.get(target)?.filled().find(labels) ?? [];
  }

  /** What of any kind certainly carries a label. */
  carrying(key: string, value?: string): readonly InFolder<LabeledObjectId>[] {
    const name = value === undefined ? key : `${key}=${value}`;
    const before = this.#carrying.get(name);
    if (before !== undefined) return before;
    const indexes = Array.from(this.#labels.values(), (index) => index.filled());
    const found = byFolder(carryingIn(indexes, key, value));
    if (found.length < manyFolders) return found;
    this.#carryingFolders += found.length;
    if (this.#carryingFolders > maximumRemembered) this.#forgetCarrying(found.length);
    this.#carrying.set(name, found);
    return found;
  }

  /** The selectors over any kind that ask about a key, as `SelectorIndex` tells them. */
  speaking(
    key: string,
    values: readonly string[],
    alsoConcerns?: (requirement: Requirement) => boolean,
  ): readonly SelectorId[] {
    return [...this.#selectors.values()].flatMap((index) => index.filled().having(key, values, alsoConcerns));
  }

  /** The keys of all kinds that something carries labels of. */
  targets(): Iterable<string> {
    return this.#labels.keys();
  }

  /** What of one kind a selector may match, with its labels as they are kept here. */
  labelSets(target: string, selector: Selector): Iterable<FoundLabeledObject> {
    return this.#labels.get(target)?.filled().labelSets(selector) ?? [];
  }

  /** How often a kind's objects have each label. */
  labelCounts(target: string): LabelCounts {
    const labels = this.#labels.get(target)?.filled();
    return {
      size: labels?.size ?? 0,
      keys: () => labels?.keyCounts() ?? [],
      values: (key) => labels?.valueCounts(key) ?? [],
    };
  }

  /** Whether anything of a kind has a label key. */
  hasKey(target: string, key: string): boolean {
    return this.#labels.get(target)?.filled().hasKey(key) === true;
  }

  /** Every label key that a kind's objects have, with its known values. */
  labelsOf(target: string): Iterable<readonly [key: string, values: Iterable<string>]> {
    return this.#labels.get(target)?.filled().keys() ?? [];
  }

  #forgetCarrying(folders: number): void {
    this.#carrying.clear();
    this.#carryingFolders = folders;
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
      // What was added is known, so that it can be removed, even if an object fails. Copies, since an array that grew
      // keeps room for more.
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
    // The same text may stand for another value in each chart.
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
    if (this.#location.size === maximumLocations) this.#location.clear();
    if (value === undefined || typeof value === 'string') this.#location.set(own(key), made);
    return made;
  }

  readonly #newLabels = (): LazyLabels => this.#filled(new LazyIndex(() => new LabelIndex()));
  readonly #newSelectors = (): LazySelectors => this.#filled(new LazyIndex(() => new SelectorIndex()));

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
      // Assigning to this one key would change the object's prototype.
      if (key === '__proto__') Object.defineProperty(own, key, { value, enumerable: true });
      else own[key] = value;
    }
    return own;
  }

  #ownSelectors(site: SelectorSite): readonly Selector[] {
    const make = () => selectorsAt(site).map((each) => this.#ownSelector(each));
    // Of few, something else than the data has a say in what they select.
    if (site.state !== 'present' || site.placeholders !== undefined) return make();
    return getOrAdd(this.#lastSelectors, site.fact.form, newCache<readonly Selector[]>).getOrAdd(dataText(site), make);
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
    const { unknown, pattern, assumed } = value;
    return {
      unknown: this.#own(unknown),
      ...(pattern !== undefined && { pattern: this.#own(pattern) }),
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

/** Removes an id from the index of its kind; without it, that of a kind which was typed once would stay for ever. */
function removeFrom<Id extends { readonly target: string }, What, Index extends Fillable<Id, What>>(
  indexes: Map<string, LazyIndex<Id, What, Index>>,
  id: Id,
): void {
  const index = indexes.get(id.target);
  index?.remove(id);
  if (index?.isEmpty) indexes.delete(id.target);
}

/**
 * Updates an index; `before` has the versions of the changed files that are in the index. Without `before`, the index
 * is empty.
 */
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

/** So many are kept to be shared; most workspaces have fewer. */
const maximumLocations = 5_000;

/** So many are looked through one by one: all that may match may stand in thousands. */
const fewFiles = 40;
/** In so many files there may be thousands of objects; each selector in them would be compared with all. */
const fewLabeledObjects = 200;

function answered(found: FoundLabeledObject, selector: Selector): FoundLabeledObject | [] {
  const answer = evaluate(selector, found.labelSet);
  return answer === 'no' ? [] : { ...found, answer };
}

/** The selectors of a site in the form of the index; one of them must match. */
export function selectorsAt(site: SelectorSite): readonly Selector[] {
  // What nothing satisfies would match labels of which too little is known.
  const selectors = alternativesOf(site).filter(satisfiable);
  return site.nodeSelector === undefined ? selectors : selectors.map(asTerm);
}

/** A term that asks for no label may ask for a name, and then it does not take everything. */
function asTerm(selector: Selector): Selector {
  return selector.kind === 'everything' ? { kind: 'all', requirements: [] } : selector;
}

function newCache<T>(): LruCache<T> {
  return new LruCache();
}

/** What is in fewer folders is found as quickly anew. */
const manyFolders = 30;

/** What is remembered is in so many folders, or is the last that was asked for: a megabyte or two. */
const maximumRemembered = 5_000;

function* carryingIn(kinds: Iterable<LabelIndex<LabeledObjectId>>, key: string, value: string | undefined) {
  for (const index of kinds) yield* index.carrying(key, value);
}
