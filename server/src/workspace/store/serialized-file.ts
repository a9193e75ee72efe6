/** Serialized facts of closed files. They are deserialized lazily. */

import type { Chart } from '../../manifests/helm/chart-file.ts';
import type { Kustomization } from '../../manifests/kustomize/model.ts';
import type {
  LabelEntry,
  LabelKeySite,
  LabelSite,
  Manifest,
  ManifestObject,
  SpeakingSite,
  TemplateSite,
} from '../../manifests/model.ts';
import { type BareSelectorSite, dataText, withSelectors } from '../../manifests/sites/sites.ts';
import { uniformManifest } from '../../manifests/uniform-manifest.ts';
import type { LineTable } from '../../text/lines.ts';
import type { WorkspaceFile } from '../model.ts';
import type { Identified } from '../scopes/scope-facts.ts';
import { deserialize, Items, SomeKeys, type Wanted } from './deserialize.ts';
import { equalExceptSpans } from './equal-except-spans.ts';
import { Changed, Pool, pack, type SerializedFile, Sized } from './serialize.ts';

/** The fields that contain the catalogue's facts, which all files share. */
const facts = new Set(['fact', 'place']);

/** A file as bytes: the facts of every file that scopes need, separate from facts that few callers need. */
export interface SerializedFileFacts {
  readonly objects: number;
  readonly scope: SerializedFile;
  readonly rest: SerializedFile;
}

/**
 * Whether a file can be serialized. Configurations, and the files of charts that other files depend on, cannot: they
 * are parsed before all other files, each time. Neither can the few files with notes for rules, or with data for GitOps
 * objects.
 */
export function isSerializable(file: WorkspaceFile): boolean {
  const isReported = file.notes?.some(({ is, near }) => is !== undefined || near !== undefined) === true;
  return file.config === undefined && file.helm === undefined && file.data === undefined && !isReported;
}

/** Serializes a file; returns `before` for equal facts that were serialized with the same pool. */
export function serializeFile(file: WorkspaceFile, pool: Pool, before?: SerializedFileFacts): SerializedFileFacts {
  const { manifest, lines, scope, objects, kustomization, chart, chartKey, valuesRead, template } = file;
  const serialized = {
    objects,
    scope: pack(scope, pool, facts, before?.scope),
    rest: pack(
      { lines, manifest: bareManifest(manifest), kustomization, chart, chartKey, valuesRead, template },
      pool,
      facts,
      before?.rest,
    ),
  };
  return before?.scope === serialized.scope && before.rest === serialized.rest ? before : serialized;
}

type NotSerialized = 'inline' | 'words' | 'firstErrors';

/** Returns a manifest in serialized form. The content of its commands is not retained, and its first errors are not serialized, because their reasons are in the language of the user. */
function bareManifest(manifest: Manifest): Readonly<Record<keyof Omit<Manifest, NotSerialized>, unknown>> {
  const { documents, syntaxErrors, readInPart, tooLargeAt, unresolved } = manifest;
  const { trees, valueSites, obscured, mentions, publishes, faults } = manifest;
  const objects = manifest.objects.map(bareObject);
  return {
    ...{ documents, syntaxErrors, readInPart, tooLargeAt, unresolved },
    ...{ trees, valueSites, obscured, mentions, publishes, objects, faults },
  };
}

/** An object in serialized form: a map of labels that two fields share is an index in one of them. */
type BareObject = Omit<ManifestObject, 'labels' | 'templates' | 'selectorSites'> & {
  readonly labels?: number;
  readonly templates: readonly (Omit<TemplateSite, 'labels'> & { readonly labels?: number })[];
  readonly selectorSites: readonly (Omit<BareSelectorSite, 'data'> & { readonly data: string })[];
};

function bareObject(object: ManifestObject): Sized {
  const numberOf = (labels: LabelSite | undefined) => labels && object.labelSites.indexOf(labels);
  return new Sized(object, {
    labels: numberOf(object.labels),
    labelSites: object.labelSites.map(withoutLastApplied),
    templates: object.templates.map((template) => new Changed(template, { labels: numberOf(template.labels) })),
    // Values that users write may have any keys, including the keys in `facts`, so they are serialized as text.
    selectorSites: object.selectorSites.map((site) => new Changed(site, { data: dataText(site) })),
  });
}

/** Completes a deserialized object in place, which is possible because a new object is not shared. */
function wholeObject(bare: BareObject): ManifestObject {
  const siteAt = (number: number | undefined) => {
    const site = number === undefined ? undefined : bare.labelSites[number];
    return site && { labels: site };
  };
  return Object.assign(bare, {
    ...siteAt(bare.labels),
    templates: bare.templates.map((template) => Object.assign(template, siteAt(template.labels))),
    selectorSites: bare.selectorSites.map((site) => {
      const text = site.data;
      return withSelectors(Object.assign(site, { data: JSON.parse(text) }), text);
    }),
  });
}

export const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** Returns a site without the value of the annotation `last-applied-configuration`, which repeats the whole object, including the data of a Secret, and so is not stored. */
function withoutLastApplied(site: LabelSite): LabelSite {
  if (site.place.holds !== 'annotations' || !site.entries.some((entry) => entry.key.text === lastApplied)) return site;
  const entries = site.entries.map((entry) =>
    entry.key.text === lastApplied ? { ...entry, value: { ...entry.value, text: '', value: '' } } : entry,
  );
  return { ...site, entries };
}

export function readSerialized(uri: string, { objects, scope, rest }: SerializedFileFacts, pool: Pool): WorkspaceFile {
  return { uri, objects, ...deserializeRest(rest, pool), scope: deserializeScope(scope, pool) };
}

/** Whether two versions of a file are equal for all other files, except for positions that findings refer to: all facts except their offsets are equal. Each version is passed with the pool with which it was serialized. */
export function isSameToOthers(a: SerializedFileFacts, poolOfA: Pool, b: SerializedFileFacts, poolOfB: Pool): boolean {
  const facts = ({ objects, scope, rest }: SerializedFileFacts, pool: Pool) => {
    const { lines: _, manifest, ...others } = deserialize(rest, pool) as SerializedRest; // as `serializeFile` wrote it
    // Problems in fields do not affect other files.
    const { faults: _faults, ...toOthers } = manifest;
    return { objects, scope: deserialize(scope, pool), manifest: toOthers, ...others };
  };
  return equalExceptSpans(facts(a, poolOfA), facts(b, poolOfB));
}

/** Whether two versions of a file are equal for all other files, as `isSameToOthers` defines it. */
export function areSameToOthers(before: WorkspaceFile, after: WorkspaceFile): boolean {
  if (before === after) return true;
  if (before.config !== undefined || after.config !== undefined) return false;
  if (!equalExceptSpans(unserialized(before), unserialized(after))) return false;
  const pool = new Pool();
  return isSameToOthers(serializeFile(before, pool), pool, serializeFile(after, pool), pool);
}

/** Returns the facts that only files without a serialized form have, without the positions of notes. */
function unserialized({ helm, data, notes = [] }: WorkspaceFile) {
  return [helm, data, notes.map(({ at: _, ...note }) => note)];
}

/** Returns the lazy form of a file. Charts are few and frequently used, so they are retained. */
export function storedFile(
  file: WorkspaceFile,
  serialized: SerializedFileFacts,
  pool: Pool,
  cache: ObjectCache,
): WorkspaceFile {
  return file.chart === undefined ? new StoredFile(file, serialized, pool, cache) : file;
}

/** The maximum number of serialized bytes whose deserialized facts are cached; the deserialized facts are about thirty times as large. */
const maximumRead = 150_000;

/** The cache of recently deserialized facts. Weak references would be too expensive, because their targets survive quick garbage collections. */
export class ObjectCache {
  #files: StoredFile[] = [];
  #bytes = 0;
  #isFull = false;

  put(file: StoredFile, { start, end }: SerializedFile): void {
    this.#files.push(file);
    this.#bytes += end - start;
    if (this.#bytes <= maximumRead || this.#isFull) return;
    this.#isFull = true;
    // Nothing is dropped within one task, so that repeated accesses return identical facts.
    void Promise.resolve().then(() => this.clear());
  }

  clear(): void {
    for (const file of this.#files) file.invalidate();
    this.#files = [];
    this.#bytes = 0;
    this.#isFull = false;
  }
}

/** A file whose facts are deserialized lazily, and cached until the cache is cleared. A workspace has very many such files. */
class StoredFile implements WorkspaceFile {
  readonly uri: string;
  readonly #serialized: SerializedFileFacts;
  readonly #pool: Pool;
  readonly #cache: ObjectCache;
  /** Stored instead of computed lazily, because it is needed for all files. */
  readonly #isKustomization: boolean;
  readonly #firstErrors: Manifest['firstErrors'];
  /** The scopes also reference it. */
  #scope: WorkspaceFile['scope'] | undefined;
  #rest: Rest | undefined;

  constructor(file: WorkspaceFile, serialized: SerializedFileFacts, pool: Pool, cache: ObjectCache) {
    this.uri = file.uri;
    this.#serialized = serialized;
    this.#pool = pool;
    this.#cache = cache;
    this.#isKustomization = file.kustomization !== undefined;
    this.#firstErrors = file.manifest.firstErrors;
  }

  get objects() {
    return this.#serialized.objects;
  }

  get manifest() {
    return this.#read().manifest;
  }

  /** Deserialized separately, since a result with known offsets often needs only the lines. */
  get lines() {
    if (this.#rest !== undefined) return this.#rest.lines;
    return deserialize(this.#serialized.rest, this.#pool, 'all', ['lines']) as LineTable; // as `serializeFile` wrote it
  }

  get kustomization() {
    return this.#isKustomization ? this.#read().kustomization : undefined;
  }

  get chartKey() {
    return this.#read().chartKey;
  }

  get valuesRead() {
    return this.#read().valuesRead;
  }

  get template() {
    return this.#read().template;
  }

  get scope() {
    this.#scope ??= deserializeScope(this.#serialized.scope, this.#pool);
    return this.#scope;
  }

  about(wanted: Wanted): FileAbout {
    if (this.#rest !== undefined) return new WholeAbout(this.#rest.manifest);
    return new SerializedAbout(new Items(this.#serialized.rest, this.#pool, ['manifest', 'objects'], wanted));
  }

  referredNames(): readonly string[] {
    if (this.#rest !== undefined) return namesIn(this.#rest.manifest.objects);
    const objects = deserialize(this.#serialized.rest, this.#pool, wantedNames, ['manifest', 'objects']);
    return namesIn(objects as readonly ObjectWithNames[]); // as `serializeFile` wrote it
  }

  #read(): Rest {
    if (this.#rest === undefined) {
      this.#rest = deserializeRest(this.#serialized.rest, this.#pool, this.#firstErrors);
      this.#cache.put(this, this.#serialized.rest);
    }
    return this.#rest;
  }

  invalidate(): void {
    this.#rest = undefined;
  }
}

interface ObjectWithNames {
  readonly references?: readonly { readonly name: { readonly text: string } }[];
}

const wantedNames = new SomeKeys({ references: new SomeKeys({ name: new SomeKeys({ text: 'all' }) }) });

function namesIn(objects: readonly ObjectWithNames[]): readonly string[] {
  return objects.flatMap(({ references = [] }) => references.map(({ name }) => name.text));
}

/** Returns the names of other objects in a file. For a closed file, nothing is cached. */
export function referredNames(file: WorkspaceFile): readonly string[] {
  return file instanceof StoredFile ? file.referredNames() : namesIn(file.manifest.objects);
}

/** The identity of an object, and its facts about labels. */
export interface ObjectAbout extends Identified {
  /** The labels of each labeled object of the object, in order. */
  readonly carried: readonly (readonly LabelEntry[])[];
  readonly selectorSites: readonly SpeakingSite[];
  readonly labelKeySites: readonly LabelKeySite[];
}

/** The facts of a file about one label key, and possibly about other keys. */
export interface FileAbout {
  /** Returns the facts of the object with this index in the file. Access is fastest in ascending order. */
  objectAt(number: number): ObjectAbout | undefined;
}

/**
 * Deserializes the facts of files about a label key. For closed files, only the requested objects are deserialized, and
 * nothing is cached.
 */
export function aboutKey(key: string): (file: WorkspaceFile) => FileAbout {
  const wanted = wantedAbout(key);
  return (file) => (file instanceof StoredFile ? file.about(wanted) : new WholeAbout(file.manifest));
}

class WholeAbout implements FileAbout {
  readonly #manifest: Manifest;

  constructor(manifest: Manifest) {
    this.#manifest = manifest;
  }

  objectAt(number: number): ObjectAbout | undefined {
    const object = this.#manifest.objects[number];
    if (object === undefined) return undefined;
    const sites = [object.labels, ...object.templates.map(({ labels }) => labels)];
    return { ...object, carried: sites.map((site) => together(site?.entries, object.inherited)) };
  }
}

class SerializedAbout implements FileAbout {
  readonly #objects: Items;
  #number = -1;
  /** The last deserialized object: callers need its labels and then its selectors. */
  #object: ObjectAbout | undefined;

  constructor(objects: Items) {
    this.#objects = objects;
  }

  objectAt(number: number): ObjectAbout | undefined {
    if (number !== this.#number) {
      const bare = this.#objects.at(number) as BareAbout | undefined; // as `serializeFile` wrote it
      this.#number = number;
      this.#object = bare && bareAbout(bare);
    }
    return this.#object;
  }
}

type BareAbout = Identified &
  Pick<BareObject, 'labels' | 'templates' | 'inherited' | 'labelSites'> &
  Pick<ObjectAbout, 'selectorSites' | 'labelKeySites'>;

function bareAbout(bare: BareAbout): ObjectAbout {
  const { group, kind, name, namespace, template, labels, templates, inherited, labelSites } = bare;
  const { selectorSites, labelKeySites } = bare;
  const entriesOf = (site: number | undefined) =>
    together(site === undefined ? undefined : labelSites[site]?.entries, inherited);
  const carried = [entriesOf(labels), ...templates.map((each) => entriesOf(each.labels))];
  return {
    group,
    kind,
    ...(name && { name }),
    ...(namespace && { namespace }),
    ...(template !== undefined && { template }),
    carried,
    selectorSites,
    labelKeySites,
  };
}

function together(own: readonly LabelEntry[] = [], inherited: readonly LabelEntry[]): readonly LabelEntry[] {
  return inherited.length === 0 ? own : [...own, ...inherited];
}

/** Returns the parts of an object to deserialize: its identity, and its facts about the key. */
function wantedAbout(key: string): Wanted {
  const all = 'all';
  const entries: Wanted = { under: ['key', 'text'], text: key };
  const parts: Readonly<Record<keyof BareAbout, Wanted>> = {
    group: all,
    kind: all,
    name: all,
    namespace: all,
    template: all,
    labels: all,
    templates: new SomeKeys({ labels: all }),
    inherited: entries,
    labelSites: new SomeKeys({ entries }),
    selectorSites: new SomeKeys({ entries, expressions: entries, text: all, fact: all }),
    labelKeySites: all,
  };
  return new SomeKeys(parts);
}

function deserializeScope(serialized: SerializedFile, pool: Pool): WorkspaceFile['scope'] {
  return deserialize(serialized, pool) as WorkspaceFile['scope']; // as `serializeFile` wrote it
}

interface SerializedRest {
  readonly manifest: Omit<Manifest, 'objects'> & { readonly objects: readonly BareObject[] };
  readonly lines: LineTable;
  readonly kustomization?: Kustomization;
  readonly chart?: Chart;
  readonly chartKey?: string;
  readonly valuesRead?: readonly string[];
  readonly template?: string;
}

type Rest = ReturnType<typeof deserializeRest>;

function deserializeRest(serialized: SerializedFile, pool: Pool, firstErrors?: Manifest['firstErrors']) {
  const { manifest, ...others } = deserialize(serialized, pool) as SerializedRest; // as `serializeFile` wrote it
  const objects = manifest.objects.map(wholeObject);
  return { ...others, manifest: uniformManifest({ ...manifest, objects, firstErrors }) };
}
