/**
 * Collects everything that a rename includes: labels, the selectors that require them, and fields that name their keys.
 */

import type { GroupKind } from '../../engine/catalogue/types.ts';
import { evaluate, type Selector } from '../../engine/index.ts';
import { isOwnKey } from '../../manifests/cursor/label-name-at.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { LabelKeySite, ManifestObject, SelectorSite } from '../../manifests/model.ts';
import { mayNameKey, selectsTargets } from '../../manifests/sites/prometheus-labels.ts';
import { prometheusName } from '../../manifests/sites/prometheus-names.ts';
import { kindKey } from '../../workspace/index/file-outline.ts';
import { type TransformerSource, transformerKey } from '../../workspace/kustomize/transformer-sources.ts';
import type { LabeledObjectInFile, ObjectInFile, WorkspaceFile } from '../../workspace/model.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import { Comparisons } from '../../workspace/selection/comparison-budget.ts';
import { effectiveSelector } from '../../workspace/selection/effective-selector.ts';
import { reaches } from '../../workspace/selection/namespaces.ts';
import { objectsOf } from '../../workspace/snapshot.ts';
import { namedKeys } from '../navigation/named-keys.ts';
import type { SiteInFile } from '../navigation/named-labels.ts';
import type { View } from '../view.ts';
import { startsOf, writesName } from './kustomization-names.ts';
import { asksFor, hasName, type LabelName, mentions } from './label-name.ts';
import { type ObjectInWorld, type World, Worlds } from './overlays.ts';

/** A part of an object that a rename includes. */
interface Joined extends ObjectInFile {
  /** Whether every link on the path to it is certain. */
  readonly sure: boolean;
  /** The world that contains it in this form. */
  readonly world: World;
}

/** An object as it is written, or as a kustomization applies it. */
interface JoinedObject extends Joined {
  readonly transformers: readonly TransformerSource[];
}

interface JoinedSelector extends JoinedObject {
  readonly site: SelectorSite;
}

/** A field whose value is the key. */
interface JoinedKey extends JoinedObject {
  readonly site: LabelKeySite;
}

/** A part of a kustomization that writes the name into objects. */
export interface JoinedTransformer {
  readonly transformer: TransformerSource;
  readonly sure: boolean;
  /** One of the objects that it writes into. */
  readonly into: ObjectInFile;
}

/** Everything that has the name or refers to it. */
export interface Reach {
  /** By `objectKey`: the included objects with labels, as they are written or generated. */
  readonly sources: ReadonlyMap<string, Joined>;
  /** By `objectInWorldKey`: the same as they are applied. */
  readonly objects: ReadonlyMap<string, JoinedObject>;
  /** By `selectorKey`. */
  readonly selectors: ReadonlyMap<string, JoinedSelector>;
  readonly keys: ReadonlyMap<string, JoinedKey>;
  /** By `transformerKey`. */
  readonly transformers: ReadonlyMap<string, JoinedTransformer>;
  /** Counts the selectors and objects that are compared; when it is incomplete, so is the rest. */
  readonly comparisons: Comparisons;
}

/** The starting point of a rename: an object, one of its selectors, or a part of a kustomization. */
export type Start =
  | (ObjectInFile & { readonly site?: SelectorSite })
  | { readonly file: WorkspaceFile; readonly transformer: TransformerSource };

/** A starting point, and whether it is certainly included. */
export type SureStart = Start & { readonly sure: boolean };

/** Returns a key that identifies an object, also after its file was deserialized again. */
export function objectKey({ file, object }: ObjectInFile): string {
  return `${file.uri}\n${object.kindSpan.start}\n${object.span.start}`;
}

/**
 * Returns a key that identifies an object in one world: a kustomization may apply it more than once, with several
 * names.
 */
export function objectInWorldKey(found: ObjectInFile, { key }: World): string {
  const { name, namespace } = found.object;
  return `${objectKey(found)}\n${key}\n${name?.text ?? ''}\n${namespace?.text ?? ''}`;
}

/** Returns a key that identifies a selector in one world. */
export function selectorKey(found: ObjectInFile & { readonly site: { readonly path: string } }, world: World): string {
  return `${objectInWorldKey(found, world)}\n${found.site.path}`;
}

/** Collects everything that a name reaches from its starting points. */
export function reachOf(view: View, name: LabelName, starts: readonly SureStart[]): Reach {
  const walk = new Walk(view, name);
  walk.run(starts);
  return walk;
}

type Step = () => void;

/** A rename compares at most so many selectors with objects: one or two seconds. */
const maximumRenameComparisons = 2_000_000;

/** First over all certain links, then over the others, so that each thing is known by its surest way. */
class Walk implements Reach {
  readonly sources = new Map<string, Joined>();
  readonly objects = new Map<string, JoinedObject>();
  readonly selectors = new Map<string, JoinedSelector>();
  readonly keys = new Map<string, JoinedKey>();
  readonly transformers = new Map<string, JoinedTransformer>();
  readonly comparisons = new Comparisons(maximumRenameComparisons);
  readonly #view: View;
  readonly #name: LabelName;
  readonly #worlds: Worlds;
  readonly #certain: Step[] = [];
  readonly #uncertain: Step[] = [];
  #named: readonly string[] | undefined;
  /** By file, the objects that each place speaks for. */
  readonly #written = new Map<WorkspaceFile, Map<number, readonly ManifestObject[]>>();

  constructor(view: View, name: LabelName) {
    this.#view = view;
    this.#name = name;
    this.#worlds = new Worlds(view, name);
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

  /** An object as its file says it, wherever it is applied. */
  #source(found: ObjectInFile, sure: boolean): void {
    const key = objectKey(found);
    if (this.sources.has(key)) return;
    const { file, object } = found;
    this.sources.set(key, { file, object, sure, world: this.#worlds.written });
    for (const each of this.#worlds.versions(found)) this.#next(sure, () => this.#object(each, sure));
    for (const other of this.#sharing(found)) this.#next(sure, () => this.#source({ file, object: other }, sure));
  }

  /** An object as it is applied, and all that writes the name into it. */
  #object(found: ObjectInWorld, sure: boolean): void {
    const { file, object, world, transformers } = found;
    const key = objectInWorldKey(found, world);
    if (this.objects.has(key)) return;
    this.objects.set(key, { file, object, world, transformers, sure });
    const source = this.#worlds.sourceOf(found) ?? found;
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

  /** What else it writes the name into. */
  #transformer(transformer: TransformerSource, sure: boolean, into?: ObjectInFile): void {
    const key = transformerKey(transformer);
    if (this.transformers.has(key)) return;
    // What a patch takes away is spoken of too; of a value, what others wrote over it is not meant.
    const isMeant = ({ object }: ObjectInWorld) =>
      this.#name.value === undefined || startsOf(object, this.#name, true).size > 0;
    const users = this.#worlds.users(transformer).filter(isMeant);
    const [first = into] = users;
    if (first === undefined) return;
    this.transformers.set(key, { transformer, sure, into: into ?? first });
    for (const each of users) this.#next(sure, () => this.#object(each, sure));
  }

  /** What is spoken of where a piece writes into nothing. */
  #ownerOf({ file, transformer }: Start & { readonly transformer: TransformerSource }): ObjectInFile | undefined {
    const [first] = this.#worlds.users(transformer);
    const object = transformer.kind === 'merge' ? transformer.object : file.manifest.objects[0];
    return first ?? (object && { file, object });
  }

  /** Something that was seen from a world: it may be applied in others too. */
  #seen(found: ObjectInFile, world: World, sure: boolean): void {
    const { file, object } = found;
    if (world.isOwn(file)) this.#object({ file, object, world, transformers: world.transformersOf(object) }, sure);
    else this.#source(found, sure);
  }

  #selector(found: ObjectInWorld & { readonly site: SelectorSite }, sure: boolean): void {
    const { file, object, site, world, transformers } = found;
    const key = selectorKey(found, world);
    if (this.selectors.has(key) || !asksFor(site, this.#name)) return;
    this.selectors.set(key, { file, object, site, world, transformers, sure });
    if (this.#isOfItsWorld(site)) this.#next(sure, () => this.#object(found, sure));
    else this.#selectorEverywhere(this.#worlds.sourceOf(found) ?? found, site, sure);
    const rest = withoutName(site, this.#name);
    if (rest === undefined) return;
    const targets = new Set(site.fact.targets.map(kindKey));
    const { labeledObjects } = world.finder.around(placeOf(found));
    this.comparisons.add(labeledObjects.length);
    for (const each of labeledObjects) {
      if (this.objects.has(objectInWorldKey(each, world)) || !targets.has(kindKey(each.labeledObject.target))) continue;
      const link = this.#link(found, each, evaluate(rest, each.labeledObject), world);
      if (link !== 'no') this.#next(sure && link === 'yes', () => this.#seen(each, world, sure && link === 'yes'));
    }
  }

  /** A selector that says nothing of its object's own labels, wherever that is applied. */
  #selectorEverywhere(found: ObjectInFile, { path }: SelectorSite, sure: boolean): void {
    for (const each of this.#worlds.versions(found)) {
      const site = each.object.selectorSites.find((other) => other.path === path);
      if (site !== undefined) this.#next(sure, () => this.#selector({ ...each, site }, sure));
    }
  }

  /**
   * The selectors that ask for the name on a labeled object, whether they take it or pass over it because of the name.
   */
  #askers(candidate: LabeledObjectInFile & ObjectInWorld, sure: boolean): void {
    const { world } = candidate;
    const target = kindKey(candidate.labeledObject.target);
    const found = world.finder.around(placeOf(candidate)).selectors;
    this.comparisons.add(found.length);
    for (const each of [...found, ...this.#askersBesideIndex(candidate)]) {
      if (this.selectors.has(selectorKey(each, world))) continue;
      if (!each.site.fact.targets.some((kind) => kindKey(kind) === target)) continue;
      const rest = withoutName(each.site, this.#name);
      if (rest === undefined) continue;
      const link = this.#link(each, candidate, evaluate(rest, candidate.labeledObject), world);
      const isSure = sure && link === 'yes';
      if (link !== 'no') this.#next(isSure, () => this.#seenSelector(each, world, isSure));
    }
  }

  #seenSelector(found: SiteInFile, world: World, sure: boolean): void {
    const { file, object, site } = found;
    if (world.isOwn(file))
      this.#selector({ file, object, site, world, transformers: world.transformersOf(object) }, sure);
    else this.#selectorEverywhere(found, site, sure);
  }

  /**
   * Node affinity and topology keys are not in the index: they are looked for around what has no namespace, as a Node.
   */
  #askersBesideIndex({
    file,
    object,
    labeledObject,
    world,
  }: LabeledObjectInFile & ObjectInWorld): readonly SiteInFile[] {
    const { target, via } = labeledObject;
    if (via !== undefined || this.#isNamespaced(target)) return [];
    const isOver = (kind: GroupKind | undefined) => kind?.group === target.group && kind.kind === target.kind;
    const { workspace } = world;
    return [...workspace.scopes().filesAround(placeOf({ file, object }))].flatMap((uri) => {
      const other = workspace.files.get(uri);
      return (other === undefined ? [] : objectsOf(workspace, other)).flatMap((each) => {
        if (other === undefined) return [];
        for (const site of each.labelKeySites) {
          if (isOver(site.place.of)) {
            this.#key({ file: other, object: each, site, world, transformers: world.transformersOf(each) }, true);
          }
        }
        const sites = each.selectorSites.filter(
          (site) => site.nodeSelector !== undefined && site.fact.targets.some(isOver),
        );
        return sites.map((site): SiteInFile => ({ file: other, object: each, site }));
      });
    });
  }

  /** Fields that name labels of what their object selects: of `target`, or of what selects that (pods of services). */
  #keysOver(from: LabeledObjectInFile & ObjectInWorld, target: GroupKind, sure: boolean, depth = 0): void {
    const { world, labeledObject } = from;
    for (const each of world.workspace.selecting(kindKey(labeledObject.target), labeledObject)) {
      const { file, object } = each;
      const link = this.#link(each, from, each.answer, world);
      if (link === 'no') continue;
      const isSure = sure && link === 'yes';
      const placed = { file, object, world, transformers: world.transformersOf(object) };
      for (const site of object.labelKeySites) {
        if (site.place.of !== undefined && kindKey(site.place.of) === kindKey(target))
          this.#next(isSure, () => this.#key({ ...placed, site }, isSure));
      }
      const [itself] = labeledObjectsOf(object);
      if (depth === 0 && itself !== undefined)
        this.#next(isSure, () => this.#keysOver({ ...placed, labeledObject: itself }, target, isSure, depth + 1));
    }
  }

  /** Fields in a patch that name labels of the objects that it changes. */
  #keysInPatch(transformer: TransformerSource, sure: boolean): void {
    const file = transformer.kind === 'merge' ? this.#view.workspace.files.get(transformer.uri) : undefined;
    if (transformer.kind !== 'merge' || file === undefined) return;
    const { object } = transformer;
    const { written } = this.#worlds;
    for (const site of object.labelKeySites)
      if (isOwnKey(object, site)) this.#key({ file, object, site, world: written, transformers: [] }, sure);
  }

  /** Relabelings of objects that select nothing, as of a ScrapeConfig: they may mean any target around them. */
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

  /** Files with the name that Prometheus has for the key. */
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

  /** Whether a selector looks at a labeled object, where its other requirements say `answer`. */
  #link(from: SiteInFile, to: LabeledObjectInFile, answer: 'yes' | 'no' | 'maybe', { workspace }: World) {
    const { catalogue } = this.#view;
    if (answer === 'no') return 'no';
    const relation = workspace.scopes().relation(placeOf(from), placeOf(to), to);
    if (relation !== 'here') return 'no';
    const place = reaches(workspace, catalogue, from, from.site, to).answer;
    if (place === 'no') return 'no';
    return answer === 'yes' && place === 'yes' && !from.site.open ? 'yes' : 'maybe';
  }

  /** Through an alias, a merge key or a Template's labels, one text may speak for several objects. */
  #sharing({ file, object }: ObjectInFile): readonly ManifestObject[] {
    if (file.manifest.objects.length === 1) return [];
    let byStart = this.#written.get(file);
    if (byStart === undefined) {
      byStart = new Map();
      for (const each of file.manifest.objects) {
        for (const start of startsOf(each, this.#name)) byStart.set(start, [...(byStart.get(start) ?? []), each]);
      }
      this.#written.set(file, byStart);
    }
    const known = byStart;
    return [...startsOf(object, this.#name)].flatMap((start) => known.get(start) ?? []);
  }

  /** Whether a field names a label of what the object selects, as `targetLabels` of a ServiceMonitor. */
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

/**
 * Whether a selector selects only namespaced objects. Labels of Nodes and Namespaces are unrelated to those of the
 * selecting object.
 */
export function isOfItsWorld(view: View, { fact }: SelectorSite): boolean {
  return fact.targets.length > 0 && fact.targets.every((target) => isNamespaced(view, target));
}

function isNamespaced({ catalogue }: View, { group, kind }: GroupKind): boolean {
  return catalogue.kind(group, '', kind)?.namespaced !== false;
}

/** Returns a selector without the requirements on the name; undefined for one that cannot be parsed. */
export function withoutName(site: SelectorSite, name: LabelName): Selector | undefined {
  if (site.nodeSelector !== undefined) return { kind: 'all', requirements: [], open: true };
  const selector = effectiveSelector(site);
  if (selector?.kind !== 'all') return undefined;
  return { ...selector, requirements: selector.requirements.filter((each) => !mentions(each, name)) };
}
