/**
 * Collects everything that a rename includes: labels, the selectors that require them, and fields that name their keys.
 */

import type { GroupKind } from '../../engine/catalogue/types.ts';
import { evaluate, type Selector } from '../../engine/index.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import { isOwnKey } from '../../manifests/cursor/label-name-at.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { LabeledObject, LabelKeySite, ManifestObject, SelectorSite } from '../../manifests/model.ts';
import { mayNameKey, selectsTargets } from '../../manifests/sites/prometheus-labels.ts';
import { prometheusName } from '../../manifests/sites/prometheus-names.ts';
import { selectorAt } from '../../manifests/sites/site-at.ts';
import { kindKey } from '../../workspace/index/file-outline.ts';
import { selectorWith } from '../../workspace/index/index-entries.ts';
import { type TransformerSource, transformerKey } from '../../workspace/kustomize/transformer-sources.ts';
import type { LabeledObjectInFile, ObjectInFile, SelectorInFile, WorkspaceFile } from '../../workspace/model.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import { Comparisons } from '../../workspace/selection/comparison-budget.ts';
import { effectiveSelector } from '../../workspace/selection/effective-selector.ts';
import { objectsOf } from '../../workspace/snapshot.ts';
import { namedKeys } from '../navigation/named-keys.ts';
import type { SiteInFile } from '../navigation/named-labels.ts';
import type { View } from '../view.ts';
import { startsOf, writesName } from './kustomization-names.ts';
import { hasName, type LabelName, mentions, selectorRefersTo } from './label-name.ts';
import { type InWorld, type ObjectInWorld, reachesInCluster, type World, Worlds } from './overlays.ts';
import { RemainingItems } from './remaining-items.ts';

/** A part of an object that a rename includes. */
interface Joined extends ObjectInFile {
  /** Whether every link between the starting point of the rename and this part is certain. */
  readonly sure: boolean;
  /** The world in which the object was found: the written files, or the files as a kustomization applies them. */
  readonly world: World;
}

/** An object as it is written, or as a kustomization applies it. */
interface JoinedObject extends Joined {
  readonly transformers: readonly TransformerSource[];
}

interface JoinedSelector extends JoinedObject {
  readonly site: SelectorSite;
}

/** The fields of an object that may name labels of the objects that it selects; `isSettled` is mutable. */
interface KeysOfObject {
  readonly sites: readonly LabelKeySite[];
  readonly itself: LabeledObject | undefined;
  isSettled: boolean;
}

/** A field whose value is the renamed label key. */
interface JoinedKey extends JoinedObject {
  readonly site: LabelKeySite;
}

/** A transformer that adds the renamed label to objects. */
export interface JoinedTransformer {
  readonly transformer: TransformerSource;
  readonly sure: boolean;
  /** One of the objects that the transformer changes. */
  readonly into: ObjectInFile;
}

/** All objects, selectors, fields and transformers that have the renamed label or refer to it. */
export interface Reach {
  /** The included objects with labels, as they are written or generated, by `objectKey`. */
  readonly sources: ReadonlyMap<string, Joined>;
  /** The included objects as they are applied, by `objectInWorldKey`. */
  readonly objects: ReadonlyMap<string, JoinedObject>;
  /** By `selectorKey`. */
  readonly selectors: ReadonlyMap<string, JoinedSelector>;
  readonly keys: ReadonlyMap<string, JoinedKey>;
  /** By `transformerKey`. */
  readonly transformers: ReadonlyMap<string, JoinedTransformer>;
  /** Counts the comparisons of selectors with objects; if the limit was reached, the other fields are incomplete. */
  readonly comparisons: Comparisons;
  readonly worlds: Worlds;
}

/** The starting point of a rename: an object, one of its selectors, or a transformer. */
export type Start =
  | (ObjectInFile & { readonly site?: SelectorSite })
  | { readonly file: WorkspaceFile; readonly transformer: TransformerSource };

/** A starting point, and whether it is certainly included. */
export type SureStart = Start & { readonly sure: boolean };

/** Returns a key that identifies an object, even after its file is deserialized again. */
export function objectKey({ file, object }: ObjectInFile): string {
  return `${file.uri}\n${object.kindSpan.start}\n${object.span.start}`;
}

/** Returns a key that identifies an object in one `World`: a kustomization can apply an object more than once, under different names. */
export function objectInWorldKey(found: ObjectInFile, { key }: World): string {
  const { name, namespace } = found.object;
  return `${objectKey(found)}\n${key}\n${name?.text ?? ''}\n${namespace?.text ?? ''}`;
}

/** Returns a key that identifies a selector in one `World`. */
export function selectorKey(found: ObjectInFile & { readonly site: { readonly path: string } }, world: World): string {
  return `${objectInWorldKey(found, world)}\n${found.site.path}`;
}

/** Collects everything that the rename of a label reaches from its starting points. */
export function reachOf(view: View, name: LabelName, starts: readonly SureStart[]): Reach {
  const walk = new Walk(view, name);
  walk.run(starts);
  return walk;
}

type Step = () => void;

const noSites: readonly SiteInFile[] = [];

/** The maximum number of comparisons of selectors with objects in a rename; this many comparisons take about half a second. */
const maximumRenameComparisons = 500_000;

/** Finds everything that a rename includes. Follows all certain links before any uncertain link, so that each item is reached on its most certain path. */
class Walk implements Reach {
  readonly sources = new Map<string, Joined>();
  readonly objects = new Map<string, JoinedObject>();
  readonly selectors = new Map<string, JoinedSelector>();
  readonly keys = new Map<string, JoinedKey>();
  readonly transformers = new Map<string, JoinedTransformer>();
  readonly comparisons = new Comparisons(maximumRenameComparisons);
  readonly #view: View;
  readonly #name: LabelName;
  readonly worlds: Worlds;
  readonly #certain: Step[] = [];
  readonly #uncertain: Step[] = [];
  /** The labeled objects and selectors that no certain link has reached yet. */
  readonly #labeledObjects = new RemainingItems<LabeledObjectInFile>(this.comparisons);
  readonly #sites = new RemainingItems<SiteInFile>(this.comparisons);
  readonly #shared = new RemainingItems<ManifestObject>(this.comparisons);
  /** The items that an uncertain link has already reached. */
  readonly #uncertainLinks = new Set<object>();
  /** The selectors that are not in the index, by the files around a position, then by world and kind. */
  readonly #besideIndex = new Map<ReadonlySet<string>, Map<string, readonly SiteInFile[]>>();
  /** The objects whose fields may name labels of the objects that they select, by world, kind and distance. */
  readonly #links = new Map<string, Map<ManifestObject, KeysOfObject>>();
  readonly #rests = new Map<SelectorSite, Selector | undefined>();
  #named: readonly string[] | undefined;
  /** The objects that contain the renamed label, by file and offset. */
  readonly #written = new Map<WorkspaceFile, Map<number, readonly ManifestObject[]>>();

  constructor(view: View, name: LabelName) {
    this.#view = view;
    this.#name = name;
    this.worlds = new Worlds(view, name);
  }

  run(starts: readonly SureStart[]): void {
    for (const start of starts) this.#next(start.sure, () => this.#start(start));
    for (;;) {
      const step = this.#certain.pop() ?? this.#uncertain.pop();
      if (step === undefined || this.comparisons.leaveOut()) return;
      step();
    }
  }

  #start(start: SureStart): void {
    const { sure } = start;
    if ('transformer' in start) this.#transformer(start.transformer, sure, this.#ownerOf(start));
    else if (start.site === undefined || this.#isOfItsWorld(start.site)) this.#source(start, sure);
    else this.#selectorEverywhere(start, start.site, sure);
  }

  #next(sure: boolean, step: Step): void {
    (sure ? this.#certain : this.#uncertain).push(step);
  }

  /** Adds an object as it is in its file, and as it is applied in every `World`. */
  #source(found: ObjectInFile, sure: boolean): void {
    const key = objectKey(found);
    if (this.sources.has(key)) return;
    const { file, object } = found;
    this.sources.set(key, { file, object, sure, world: this.worlds.written });
    for (const each of this.worlds.versions(found)) this.#next(sure, () => this.#object(each, sure));
    for (const sharing of this.#sharing(found)) {
      this.#shared.visit(sharing, (other) => {
        this.#next(sure, () => this.#source({ file, object: other }, sure));
        return true;
      });
    }
  }

  /** Adds an applied object, and every transformer that adds the renamed label to it. */
  #object(found: ObjectInWorld, sure: boolean): void {
    const { file, object, world, transformers } = found;
    const key = objectInWorldKey(found, world);
    if (this.objects.has(key)) return;
    this.objects.set(key, { file, object, world, transformers, sure });
    const source = this.worlds.sourceOf(found) ?? found;
    if (startsOf(source.object, this.#name).size > 0) this.#next(sure, () => this.#source(source, sure));
    for (const transformer of transformers) {
      if (writesName(transformer, object, this.#name))
        this.#next(sure, () => this.#transformer(transformer, sure, found));
      this.#keysInPatch(transformer, sure);
    }
    for (const site of object.selectorSites) {
      if (this.#isOfItsWorld(site)) this.#next(sure, () => this.#selector({ ...found, site }, sure));
    }
    for (const site of object.labelKeySites) {
      if (isOwnKey(object, site) || this.#selectsKind(object, site)) this.#key({ ...found, site }, sure);
    }
    for (const labeledObject of labeledObjectsOf(object)) {
      if (!hasName(labeledObject, this.#name)) continue;
      this.#askers({ ...found, labeledObject }, sure);
      if (this.#name.value !== undefined) continue;
      this.#keysOver({ ...found, labeledObject }, labeledObject.target, sure);
      this.#relabelingsOver(found, labeledObject.target);
    }
  }

  /** Adds a transformer, and the other objects to which it adds the renamed label. */
  #transformer(transformer: TransformerSource, sure: boolean, into?: ObjectInFile): void {
    const key = transformerKey(transformer);
    if (this.transformers.has(key)) return;
    // For a key, objects from which a patch removes the label are included too; for a value, objects in which it is
    // overwritten are not.
    const isMeant = ({ object }: ObjectInWorld) =>
      this.#name.value === undefined || startsOf(object, this.#name, true).size > 0;
    const users = this.worlds.users(transformer).filter(isMeant);
    const [first = into] = users;
    if (first === undefined) return;
    this.transformers.set(key, { transformer, sure, into: into ?? first });
    for (const each of users) this.#next(sure, () => this.#object(each, sure));
  }

  /** Returns an object that a transformer changes or, if there is none, an object of the transformer's file. */
  #ownerOf({ file, transformer }: Start & { readonly transformer: TransformerSource }): ObjectInFile | undefined {
    const [first] = this.worlds.users(transformer);
    const object = transformer.kind === 'merge' ? transformer.object : file.manifest.objects[0];
    return first ?? (object && { file, object });
  }

  /**
   * Adds an object that was found in one `World`. If the kustomization of that `World` does not apply the object, adds
   * the object in every `World`.
   */
  #seen(found: ObjectInFile, world: World, sure: boolean): void {
    const { file, object } = found;
    if (world.isOwn(file)) this.#object({ file, object, world, transformers: world.transformersOf(object) }, sure);
    else this.#source(found, sure);
  }

  #selector(found: ObjectInWorld & { readonly site: SelectorSite }, sure: boolean): void {
    const { file, object, site, world, transformers } = found;
    const key = selectorKey(found, world);
    if (this.selectors.has(key) || !selectorRefersTo(site, this.#name)) return;
    this.selectors.set(key, { file, object, site, world, transformers, sure });
    if (this.#isOfItsWorld(site)) this.#next(sure, () => this.#object(found, sure));
    else this.#selectorEverywhere(this.worlds.sourceOf(found) ?? found, site, sure);
    const rest = this.#restOf(site);
    if (rest === undefined) return;
    for (const { world: other, files } of this.worlds.inCluster(world, placeOf(found))) {
      this.#labeledObjects.visit(other.finder.within(files).labeledObjects, (each) => {
        if (!isOver(site, each.labeledObject.target)) return false;
        const to = { ...each, world: other };
        const link = this.#link(found, to, evaluate(rest, each.labeledObject));
        return this.#follow(each, link, sure, (isSure) => this.#seen(each, other, isSure));
      });
    }
  }

  /** Adds, in every `World`, a selector that is independent of the labels of its own object. */
  #selectorEverywhere(found: ObjectInFile, { path }: SelectorSite, sure: boolean): void {
    for (const each of this.worlds.versions(found)) {
      const site = selectorAt(each.object.selectorSites, path);
      if (site !== undefined) this.#next(sure, () => this.#selector({ ...each, site }, sure));
    }
  }

  /**
   * Adds the selectors with a requirement on the renamed label of an object, whether they match the object or exclude
   * it because of this label.
   */
  #askers(candidate: LabeledObjectInFile & ObjectInWorld, sure: boolean): void {
    const { labeledObject } = candidate;
    const visitIn = (world: World) => (each: SiteInFile) => {
      const rest = isOver(each.site, labeledObject.target) ? this.#restOf(each.site) : undefined;
      if (rest === undefined) return false;
      const link = this.#link({ ...each, world }, candidate, evaluate(rest, labeledObject));
      return this.#follow(each, link, sure, (isSure) => this.#seenSelector(each, world, isSure));
    };
    for (const { world, files } of this.worlds.inCluster(candidate.world, placeOf(candidate)))
      this.#sites.visit(world.finder.within(files).selectors, visitIn(world));
    this.#sites.visit(this.#askersBesideIndex(candidate), visitIn(candidate.world));
  }

  /** Follows a link and includes its target; returns whether all further links to the target can be ignored. */
  #follow(to: object, link: 'yes' | 'no' | 'maybe', sure: boolean, include: (isSure: boolean) => void): boolean {
    if (link === 'no') return false;
    const isSure = sure && link === 'yes';
    if (isSure || !this.#uncertainLinks.has(to)) this.#next(isSure, () => include(isSure));
    if (!isSure) this.#uncertainLinks.add(to);
    // All certain links are followed before any uncertain link.
    return isSure || !sure;
  }

  #restOf(site: SelectorSite): Selector | undefined {
    return getOrAdd(this.#rests, site, () => withoutName(site, this.#name));
  }

  #seenSelector(found: SiteInFile, world: World, sure: boolean): void {
    const { file, object, site } = found;
    if (world.isOwn(file))
      this.#selector({ file, object, site, world, transformers: world.transformersOf(object) }, sure);
    else this.#selectorEverywhere(found, site, sure);
  }

  /**
   * Returns the node affinities, and adds the topology keys, that may refer to a cluster-scoped object such as a Node.
   * They are not in the index, so the files are searched.
   */
  #askersBesideIndex({
    file,
    object,
    labeledObject,
    world,
  }: LabeledObjectInFile & ObjectInWorld): readonly SiteInFile[] {
    const { target, via } = labeledObject;
    if (via !== undefined || this.#isNamespaced(target)) return noSites;
    const isTarget = (kind: GroupKind | undefined) => kind?.group === target.group && kind.kind === target.kind;
    const { workspace } = world;
    const files = workspace.scopes().filesAround(placeOf({ file, object }));
    const known = getOrAdd(this.#besideIndex, files, () => new Map<string, readonly SiteInFile[]>());
    const search = (uri: string): readonly SiteInFile[] => {
      const other = workspace.files.get(uri);
      return (other === undefined ? [] : objectsOf(workspace, other)).flatMap((each) => {
        if (other === undefined) return [];
        for (const site of each.labelKeySites) {
          if (isTarget(site.place.of)) {
            this.#key({ file: other, object: each, site, world, transformers: world.transformersOf(each) }, true);
          }
        }
        const sites = each.selectorSites.filter(
          (site) => site.nodeSelector !== undefined && site.fact.targets.some(isTarget),
        );
        return sites.map((site): SiteInFile => ({ file: other, object: each, site }));
      });
    };
    return getOrAdd(known, [world.key, kindKey(target)].join('\n'), () => [...files].flatMap(search));
  }

  /**
   * Adds fields that name labels of `target` objects, in objects that select these directly or through other objects (a
   * ServiceMonitor selects Services, which select pods).
   */
  #keysOver(from: LabeledObjectInFile & ObjectInWorld, target: GroupKind, sure: boolean, depth = 0): void {
    for (const each of this.#selectingInCluster(from)) {
      const { file, object, world } = each;
      const links = getOrAdd(this.#links, [world.key, kindKey(target), depth].join('\n'), () => new Map());
      const known = getOrAdd(links, object, () => {
        const sites = object.labelKeySites.filter(({ place: { of } }) => of && kindKey(of) === kindKey(target));
        const [itself] = depth === 0 ? labeledObjectsOf(object) : [];
        return { sites, itself, isSettled: sites.length === 0 && itself === undefined };
      });
      if (known.isSettled) continue;
      known.isSettled = this.#follow(known, this.#link(each, from, each.answer), sure, (isSure) => {
        const placed = { file, object, world, transformers: world.transformersOf(object) };
        for (const site of known.sites) this.#key({ ...placed, site }, isSure);
        if (known.itself) this.#keysOver({ ...placed, labeledObject: known.itself }, target, isSure, depth + 1);
      });
    }
  }

  #selectingInCluster(to: LabeledObjectInFile & ObjectInWorld): readonly (SelectorInFile & InWorld)[] {
    const target = kindKey(to.labeledObject.target);
    const found = this.worlds.inCluster(to.world, placeOf(to)).flatMap(({ world, files }) =>
      [...world.workspace.selectingIds(target, to.labeledObject, files)].flatMap(({ id, answer }) => {
        const selecting = selectorWith(world.workspace, id);
        return selecting === undefined ? [] : [{ ...selecting, answer, world }];
      }),
    );
    this.comparisons.add(found.length);
    return found;
  }

  /** Adds the fields of a patch that name labels of the objects that it changes. */
  #keysInPatch(transformer: TransformerSource, sure: boolean): void {
    const file = transformer.kind === 'merge' ? this.#view.workspace.files.get(transformer.uri) : undefined;
    if (transformer.kind !== 'merge' || file === undefined) return;
    const { object } = transformer;
    const { written } = this.worlds;
    for (const site of object.labelKeySites)
      if (isOwnKey(object, site)) this.#key({ file, object, site, world: written, transformers: [] }, sure);
  }

  /**
   * Adds relabelings of objects without selectors, such as ScrapeConfigs; such relabelings can concern any target in a
   * related scope.
   */
  #relabelingsOver(from: ObjectInWorld, target: GroupKind): void {
    const { workspace } = from.world;
    const scopes = workspace.scopes();
    for (const uri of this.#relabelingFiles(from.world)) {
      const file = workspace.files.get(uri);
      if (file === undefined) continue;
      for (const object of objectsOf(workspace, file)) {
        if (selectsTargets(object) || scopes.relation(placeOf(from), placeOf({ file, object })) === 'apart') continue;
        for (const site of object.labelKeySites) {
          const isMeant =
            site.place.form === 'prometheus' && site.place.of && kindKey(site.place.of) === kindKey(target);
          const placed = { file, object, world: from.world, transformers: from.world.transformersOf(object) };
          if (isMeant) this.#next(false, () => this.#key({ ...placed, site }, false));
        }
      }
    }
  }

  /** Returns the files with relabelings that contain the Prometheus name of the key. */
  #relabelingFiles({ workspace }: World): readonly string[] {
    const name = prometheusName(this.#name.key);
    this.#named ??= [...workspace.scopes().facts()].flatMap(([uri, { namedKeys: keys, relabelings }]) =>
      relabelings === true && keys?.includes(name) === true ? [uri] : [],
    );
    return this.#named;
  }

  #key(found: ObjectInWorld & { readonly site: LabelKeySite }, sure: boolean): void {
    const { file, object, site, world, transformers } = found;
    const key = selectorKey(found, world);
    if (this.#name.value !== undefined || !mayNameKey(site, this.#name.key) || this.keys.has(key)) return;
    const isOnly = namedKeys(this.#view, site).length <= 1;
    this.keys.set(key, { file, object, site, world, transformers, sure: sure && isOnly });
  }

  /**
   * Returns whether a selector matches a labeled object. `answer` is the result for the requirements on other keys; the
   * object must also be in the cluster and the namespaces of the selector.
   */
  #link(from: SiteInFile & InWorld, to: LabeledObjectInFile & InWorld, answer: 'yes' | 'no' | 'maybe') {
    if (answer === 'no') return 'no';
    const place = reachesInCluster(this.#view, from, to);
    if (place === 'no') return 'no';
    return answer === 'yes' && place === 'yes' && !from.site.open ? 'yes' : 'maybe';
  }

  /**
   * Returns the objects that share the renamed label with an object through an alias, a merge key or the labels of a
   * Template.
   */
  #sharing({ file, object }: ObjectInFile): readonly (readonly ManifestObject[])[] {
    if (file.manifest.objects.length === 1) return [];
    const byStart = getOrAdd(this.#written, file, () => {
      const objects = new Map<number, ManifestObject[]>();
      for (const each of file.manifest.objects)
        for (const start of startsOf(each, this.#name)) getOrAdd(objects, start, () => []).push(each);
      return objects;
    });
    return [...startsOf(object, this.#name)].map((start) => byStart.get(start) ?? []);
  }

  /** Whether a field names a label of the objects that the object selects, like `targetLabels` of a ServiceMonitor. */
  #selectsKind({ selectorSites }: ManifestObject, { place: { of } }: LabelKeySite): boolean {
    if (of === undefined || !this.#isNamespaced(of)) return false;
    return selectorSites.some(({ fact }) => fact.targets.some((each) => kindKey(each) === kindKey(of)));
  }

  #isOfItsWorld(site: SelectorSite): boolean {
    return isOfItsWorld(this.#view, site);
  }

  #isNamespaced({ group, kind }: GroupKind): boolean {
    return isNamespaced(this.#view, { group, kind });
  }
}

/** Whether a selector selects only namespaced objects of known kinds, or the objects of its own overlay that a patch changes. Any other selector of Nodes, Namespaces or objects of any kind is unrelated to the labels of its own object. */
export function isOfItsWorld(view: View, { fact }: SelectorSite): boolean {
  const isOfPatch = fact.form === 'string';
  const isOwn = (target: GroupKind) => (target.kind === '*' ? isOfPatch : isNamespaced(view, target));
  return fact.targets.length > 0 && fact.targets.every(isOwn);
}

function isNamespaced({ catalogue }: View, { group, kind }: GroupKind): boolean {
  return catalogue.kind(group, '', kind)?.namespaced !== false;
}

/** Whether a selector selects objects of a kind. */
export function isOver({ fact }: SelectorSite, { group, kind }: GroupKind): boolean {
  return fact.targets.some((target) => target.kind === '*' || (target.kind === kind && target.group === group));
}

/** Returns a selector without the requirements on the name; undefined if the selector cannot be parsed. */
export function withoutName(site: SelectorSite, name: LabelName): Selector | undefined {
  if (site.nodeSelector !== undefined) return { kind: 'all', requirements: [], open: true };
  const selector = effectiveSelector(site);
  // Kyverno compares entries with wildcards in its own way.
  if (selector?.kind === 'everything' && site.entries.length > 0) return { kind: 'all', requirements: [], open: true };
  if (selector?.kind !== 'all') return undefined;
  return { ...selector, requirements: selector.requirements.filter((each) => !mentions(each, name)) };
}
