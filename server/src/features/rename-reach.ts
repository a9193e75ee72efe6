/** What does a rename take along? The labels that selectors answer by, the selectors that ask for them, and so on. */

import type { GroupKind } from '../engine/catalogue/types.ts';
import { evaluate, type Selector } from '../engine/index.ts';
import { carriersOf } from '../manifests/carriers.ts';
import type { LabelKeySite, ManifestObject, SelectorSite } from '../manifests/manifest.ts';
import { effectiveSelector } from '../workspace/effective-selector.ts';
import { reaches } from '../workspace/namespaces.ts';
import { kindKey } from '../workspace/outline.ts';
import { identityOf, placeOf } from '../workspace/scope-facts.ts';
import { type CarrierInFile, type ObjectInFile, objectsOf } from '../workspace/workspace.ts';
import { asksFor, hasName, type LabelName, mentions, renameInEntries, renameInSelector } from './label-name.ts';
import { NameFinder, type SiteInFile } from './named-places.ts';
import type { View } from './view.ts';

/** Something of an object that a rename takes along. */
export interface Joined extends ObjectInFile {
  /** Every link on the way to it is certain. */
  readonly sure: boolean;
}

export interface JoinedSelector extends Joined {
  readonly site: SelectorSite;
}

/** A field that holds the key by itself. */
export interface JoinedKey extends Joined {
  readonly site: LabelKeySite;
}

/** What has the name, or asks for it. */
export interface Reach {
  /** By `objectKey`: objects whose maps of labels are meant. */
  readonly objects: ReadonlyMap<string, Joined>;
  /** By `selectorKey`. */
  readonly selectors: ReadonlyMap<string, JoinedSelector>;
  readonly keys: ReadonlyMap<string, JoinedKey>;
  /** Who else has the name. */
  readonly finder: NameFinder;
}

/** Where a rename begins. */
export type Start = ObjectInFile & { readonly site?: SelectorSite };

/** The same object each time, also where its file was unpacked anew meanwhile. */
export function objectKey({ file, object }: ObjectInFile): string {
  return `${file.uri}\n${object.span.start}`;
}

/** The same for a part of an object. */
export function selectorKey(found: ObjectInFile & { readonly site: { readonly path: string } }): string {
  return `${objectKey(found)}\n${found.site.path}`;
}

/** Everything that a name reaches from where it stands. */
export function reachOf(view: View, name: LabelName, start: Start): Reach {
  const walk = new Walk(view, name);
  walk.run(start);
  return walk;
}

type Step = () => void;

/** First over all certain links, then over the others, so that each thing is known by its surest way. */
class Walk implements Reach {
  readonly objects = new Map<string, Joined>();
  readonly selectors = new Map<string, JoinedSelector>();
  readonly keys = new Map<string, JoinedKey>();
  readonly #view: View;
  readonly #name: LabelName;
  readonly finder: NameFinder;
  readonly #certain: Step[] = [];
  readonly #doubtful: Step[] = [];
  /** By file, the objects that each place speaks for. */
  readonly #written = new Map<string, Map<number, readonly ManifestObject[]>>();

  constructor(view: View, name: LabelName) {
    this.#view = view;
    this.#name = name;
    this.finder = new NameFinder(view.workspace, name);
  }

  run({ file, object, site }: Start): void {
    if (site === undefined) this.#object({ file, object }, true);
    else this.#selector({ file, object, site }, true);
    for (;;) {
      const step = this.#certain.pop() ?? this.#doubtful.pop();
      if (step === undefined) return;
      step();
    }
  }

  #next(sure: boolean, step: Step): void {
    (sure ? this.#certain : this.#doubtful).push(step);
  }

  #object(found: ObjectInFile, sure: boolean): void {
    const key = objectKey(found);
    if (this.objects.has(key)) return;
    this.objects.set(key, { file: found.file, object: found.object, sure });
    const { file, object } = found;
    for (const site of object.selectorSites) {
      if (this.#isOfItsWorld(site)) this.#next(sure, () => this.#selector({ file, object, site }, sure));
    }
    for (const site of object.labelKeySites) {
      if (site.place.of !== undefined && this.#isNamespaced(site.place.of)) this.#key({ file, object, site }, sure);
    }
    for (const other of this.#sharing(found)) this.#next(sure, () => this.#object({ file, object: other }, sure));
    for (const carrier of carriersOf(object)) {
      if (hasName(carrier, this.#name)) this.#askers({ file, object, carrier }, sure);
    }
  }

  #selector(found: SiteInFile, sure: boolean): void {
    const { file, object, site } = found;
    const key = selectorKey(found);
    if (this.selectors.has(key) || !asksFor(site, this.#name)) return;
    this.selectors.set(key, { file, object, site, sure });
    if (this.#isOfItsWorld(site)) this.#next(sure, () => this.#object({ file, object }, sure));
    const rest = withoutName(site, this.#name);
    if (rest === undefined) return;
    const targets = new Set(site.fact.targets.map(kindKey));
    for (const each of this.finder.around(placeOf(found)).carriers) {
      if (this.objects.has(objectKey(each)) || !targets.has(kindKey(each.carrier.target))) continue;
      const link = this.#link(found, each, evaluate(rest, each.carrier));
      if (link !== 'no') this.#next(sure && link === 'yes', () => this.#object(each, sure && link === 'yes'));
    }
  }

  /** The selectors that ask for the name on a carrier, whether they take it or pass over it because of the name. */
  #askers(candidate: CarrierInFile, sure: boolean): void {
    const target = kindKey(candidate.carrier.target);
    const found = this.finder.around(placeOf(candidate)).selectors;
    for (const each of [...found, ...this.#askersBesideIndex(candidate)]) {
      if (this.selectors.has(selectorKey(each)) || !each.site.fact.targets.some((kind) => kindKey(kind) === target))
        continue;
      const rest = withoutName(each.site, this.#name);
      if (rest === undefined) continue;
      const link = this.#link(each, candidate, evaluate(rest, candidate.carrier));
      if (link !== 'no') this.#next(sure && link === 'yes', () => this.#selector(each, sure && link === 'yes'));
    }
  }

  /** Node affinity and topology keys are not in the index: they are looked for around what has no namespace, as a Node. */
  #askersBesideIndex({ file, object, carrier }: CarrierInFile): readonly SiteInFile[] {
    const { target, via } = carrier;
    if (via !== undefined || this.#isNamespaced(target)) return [];
    const isOver = (kind: GroupKind | undefined) => kind?.group === target.group && kind.kind === target.kind;
    const { workspace } = this.#view;
    return [...workspace.scopes().filesAround(placeOf({ file, object }))].flatMap((uri) => {
      const other = workspace.files.get(uri);
      return (other === undefined ? [] : objectsOf(workspace, other)).flatMap((each) => {
        if (other === undefined) return [];
        for (const site of each.labelKeySites) {
          if (isOver(site.place.of)) this.#key({ file: other, object: each, site }, true);
        }
        const sites = each.selectorSites.filter(
          (site) => site.nodeSelector !== undefined && site.fact.targets.some(isOver),
        );
        return sites.map((site): SiteInFile => ({ file: other, object: each, site }));
      });
    });
  }

  #key(found: ObjectInFile & { readonly site: LabelKeySite }, sure: boolean): void {
    const key = selectorKey(found);
    if (this.#name.value !== undefined || found.site.key.value !== this.#name.key || this.keys.has(key)) return;
    this.keys.set(key, { ...found, sure });
  }

  /** Whether a selector looks at a carrier, where its other requirements say `answer`. */
  #link(from: SiteInFile, to: CarrierInFile, answer: 'yes' | 'no' | 'maybe') {
    const { workspace, catalogue } = this.#view;
    if (answer === 'no') return 'no';
    const relation = workspace.scopes().relation(placeOf(from), placeOf(to), identityOf(to.object));
    if (relation !== 'here') return 'no';
    const place = reaches(workspace, catalogue, from, from.site, to).answer;
    if (place === 'no') return 'no';
    return answer === 'yes' && place === 'yes' && !from.site.open ? 'yes' : 'maybe';
  }

  /** Through an alias, a merge key or a Template's labels, one text may speak for several objects. */
  #sharing({ file, object }: ObjectInFile): readonly ManifestObject[] {
    if (file.manifest.objects.length === 1) return [];
    let byStart = this.#written.get(file.uri);
    if (byStart === undefined) {
      byStart = new Map();
      for (const each of file.manifest.objects) {
        for (const start of startsOf(each, this.#name)) byStart.set(start, [...(byStart.get(start) ?? []), each]);
      }
      this.#written.set(file.uri, byStart);
    }
    const known = byStart;
    return [...startsOf(object, this.#name)].flatMap((start) => known.get(start) ?? []);
  }

  /** Nodes and namespaces have their own labels: that an object asks for one says nothing of its own. */
  #isOfItsWorld(site: SelectorSite): boolean {
    return site.fact.targets.length > 0 && site.fact.targets.every((target) => this.#isNamespaced(target));
  }

  #isNamespaced({ group, kind }: GroupKind): boolean {
    return this.#view.catalogue.kind(group, '', kind)?.namespaced !== false;
  }
}

/** What a selector asks for beside the name; undefined for one that cannot be read. */
function withoutName(site: SelectorSite, name: LabelName): Selector | undefined {
  if (site.nodeSelector !== undefined) return { kind: 'all', requirements: [], open: true };
  const selector = effectiveSelector(site);
  if (selector?.kind !== 'all') return undefined;
  return { ...selector, requirements: selector.requirements.filter((each) => !mentions(each, name)) };
}

/** Where an object writes the name. */
function startsOf(object: ManifestObject, name: LabelName): ReadonlySet<number> {
  const edits = [
    ...object.labelSites.flatMap((site) => renameInEntries(site.entries, name, '')),
    ...object.selectorSites.flatMap((site) => renameInSelector(site, name, '')),
    ...renameInEntries(object.inherited, name, ''),
  ];
  return new Set(edits.map(({ edit }) => edit.span.start));
}
