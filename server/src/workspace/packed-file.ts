/** How is a file kept that nobody has open? Packed; its facts are read again where somebody asks for them. */

import type { Chart } from '../manifests/chart.ts';
import type { Kustomization } from '../manifests/kustomization.ts';
import type { LabelSite, Manifest, ManifestObject } from '../manifests/manifest.ts';
import { withSelectors } from '../manifests/sites.ts';
import type { LineTable } from '../text/lines.ts';
import { type Pool, pack, unpack } from './pack.ts';
import type { WorkspaceFile } from './workspace.ts';

/** The fields that hold the catalogue's facts: they are shared by all files. */
const facts = new Set(['fact', 'place']);

/** A file as bytes: what the scopes ask of every file apart from what few ask for. */
export interface PackedFile {
  readonly objects: number;
  readonly scope: Uint8Array;
  readonly rest: Uint8Array;
}

/** Configurations, and what charts tell their templates, are read before all other files, each time. */
export function isPackable(file: WorkspaceFile): boolean {
  return file.config === undefined && file.helm === undefined;
}

export function packFile(file: WorkspaceFile, pool: Pool): PackedFile {
  const { manifest, lines, scope, objects: count, kustomization, chart, chartKey } = file;
  const objects = manifest.objects.map(bareObject);
  return {
    objects: count,
    scope: pack(scope, pool, facts),
    rest: pack({ lines, manifest: { ...manifest, objects }, kustomization, chart, chartKey }, pool, facts),
  };
}

/** An object as it is packed: a map of labels that two fields share is a number in one of them. */
function bareObject(object: ManifestObject) {
  const numberOf = (labels: LabelSite | undefined) =>
    labels === undefined ? undefined : object.labelSites.indexOf(labels);
  return {
    ...object,
    labels: numberOf(object.labels),
    labelSites: object.labelSites.map(withoutLastApplied),
    templates: object.templates.map((template) => ({ ...template, labels: numberOf(template.labels) })),
    // What a person wrote may have any keys, those of `facts` too: as text it is only text.
    selectorSites: object.selectorSites.map((site) => ({ ...site, data: JSON.stringify(site.data) })),
  };
}

type BareObject = ReturnType<typeof bareObject>;

function wholeObject({ labels, templates, selectorSites, ...object }: BareObject): ManifestObject {
  const siteAt = (number: number | undefined) => {
    const site = number === undefined ? undefined : object.labelSites[number];
    return site && { labels: site };
  };
  return {
    ...object,
    ...siteAt(labels),
    templates: templates.map(({ labels: number, ...template }) => ({ ...template, ...siteAt(number) })),
    selectorSites: selectorSites.map((site) => withSelectors({ ...site, data: JSON.parse(site.data) })),
  };
}

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** That annotation repeats the whole object, of a Secret its data too: it is not kept. */
function withoutLastApplied(site: LabelSite): LabelSite {
  if (site.place.holds !== 'annotations' || !site.entries.some((entry) => entry.key.text === lastApplied)) return site;
  const entries = site.entries.map((entry) =>
    entry.key.text === lastApplied ? { ...entry, value: { ...entry.value, text: '', value: '' } } : entry,
  );
  return { ...site, entries };
}

/** A file with all its facts. */
export function readPacked(uri: string, { objects, scope, rest }: PackedFile, pool: Pool): WorkspaceFile {
  return { uri, objects, ...unpackRest(rest, pool), scope: unpackScope(scope, pool) };
}

/** What is kept of a file: charts are few and asked for often, so they are not taken apart. */
export function keptFile(file: WorkspaceFile, packed: PackedFile, pool: Pool): WorkspaceFile {
  return file.chart === undefined ? unpackFile(file, packed, pool) : file;
}

/** A file whose facts are read when they are asked for, and forgotten when memory is short. */
function unpackFile({ uri, kustomization }: WorkspaceFile, packed: PackedFile, pool: Pool): WorkspaceFile {
  const scope = remembered(() => unpackScope(packed.scope, pool));
  const rest = remembered(() => unpackRest(packed.rest, pool));
  const file: WorkspaceFile = {
    uri,
    objects: packed.objects,
    get manifest() {
      return rest().manifest;
    },
    get lines() {
      return rest().lines;
    },
    get chartKey() {
      return rest().chartKey;
    },
    get scope() {
      return scope();
    },
  };
  // Only a kustomization has the field at all: whether a file is one is asked of all of them.
  if (kustomization !== undefined)
    Object.defineProperty(file, 'kustomization', { get: () => rest().kustomization, enumerable: true });
  return file;
}

function unpackScope(bytes: Uint8Array, pool: Pool): WorkspaceFile['scope'] {
  return unpack(bytes, pool) as WorkspaceFile['scope']; // as `packFile` put it there
}

interface PackedRest {
  readonly manifest: Omit<Manifest, 'objects'> & { readonly objects: readonly BareObject[] };
  readonly lines: LineTable;
  readonly kustomization?: Kustomization;
  readonly chart?: Chart;
  readonly chartKey?: string;
}

function unpackRest(bytes: Uint8Array, pool: Pool) {
  const { manifest, ...others } = unpack(bytes, pool) as PackedRest; // as `packFile` put it there
  return { ...others, manifest: { ...manifest, objects: manifest.objects.map(wholeObject) } };
}

/** Made again after the garbage collector took it. */
function remembered<T extends object>(make: () => T): () => T {
  let held: WeakRef<T> | undefined;
  return () => {
    const known = held?.deref();
    if (known !== undefined) return known;
    const made = make();
    held = new WeakRef(made);
    return made;
  };
}
