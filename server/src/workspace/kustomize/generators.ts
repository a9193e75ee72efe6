/** Creates the ConfigMaps and Secrets that a kustomization generates. Of their data, only variables of Flux are retained. */

import { anyRoot, isMeshName } from '../../manifests/kinds/mesh-roots.ts';
import { hasPluginSettings } from '../../manifests/kinds/plugin-settings.ts';
import type { GeneratorEntry } from '../../manifests/kustomize/model.ts';
import type { LabelEntry, LabelSite, ManifestObject } from '../../manifests/model.ts';
import { childOf, type MapNode } from '../../manifests/yaml/tree.ts';
import { entryFor, mapOf, scalarOf, withEntry, withoutEntry, withValue } from './edit-tree.ts';
import { ownAnnotations, ownLabels } from './field-specs.ts';
import { identityOf, isOrWas, type Resource, resourceOf } from './resource.ts';
import { withLabels } from './transformers.ts';

/** A generated object, and its effect on an existing object. */
export interface Generated {
  readonly resource: Resource;
  readonly behavior: string;
  readonly entry: GeneratorEntry;
}

/**
 * Returns the object that a generator of the kustomization `uri` creates; `index` is its index among the generators.
 */
export function generated(entry: GeneratorEntry, uri: string, index: number): Generated {
  const source = generatedObject(entry);
  const made = { generated: true, needsHash: !entry.plainName, hash: entry.hash, content: contentKey(uri, index) };
  return { resource: { ...resourceOf(uri, source), ...made }, behavior: entry.behavior, entry };
}

/** An object of the core API group that is in no file. */
interface CoreObject
  extends Pick<GeneratorEntry, 'span' | 'name' | 'namespace' | 'labels' | 'annotations' | 'variables'> {
  readonly kind: string;
  readonly keys?: GeneratorEntry['keys'];
}

/** Returns an object that is in no file, at the position of the entry that creates it. */
export function generatedObject(entry: CoreObject): ManifestObject {
  const { kind, span, name, namespace, labels, annotations, variables } = entry;
  const sites = [siteOf('labels', labels, entry), siteOf('annotations', annotations, entry)].flatMap(
    (site) => site ?? [],
  );
  const own = sites.find((site) => site.path === 'metadata.labels');
  return {
    group: '',
    version: 'v1',
    kind,
    kindSpan: span,
    span,
    ...(name && { name }),
    ...(namespace && { namespace }),
    ...(own && { labels: own }),
    ...(variables && { variables }),
    labelSites: sites,
    selectorSites: [],
    templates: [],
    labelKeySites: [],
    inherited: [],
    forCluster: true,
    ...settingsOf(entry),
  };
}

/** Returns the settings of a network plugin or a mesh in a generated ConfigMap. Their values are not retained, and therefore unknown. */
function settingsOf({
  kind,
  name,
  keys,
  span,
}: CoreObject): Pick<ManifestObject, 'networkSpec' | 'meshConfig' | 'meshRoots'> {
  if (kind !== 'ConfigMap' || name === undefined || keys === undefined) return {};
  const unknown = { ...scalarOf('', span), pattern: '*' };
  if (isMeshName(name.text) && keys.keys.some(({ text }) => text === 'mesh'))
    return { meshConfig: unknown, meshRoots: [anyRoot] };
  if (!hasPluginSettings({ group: '', kind }, name.text)) return {};
  const entries = keys.keys.map(({ text }) => entryFor(scalarOf(text, span), unknown));
  return { networkSpec: mapOf([entryFor(scalarOf('data', span), mapOf(entries, span, keys.open))], span) };
}

function siteOf(
  holds: 'labels' | 'annotations',
  entries: readonly LabelEntry[],
  { span }: CoreObject,
): LabelSite | undefined {
  if (entries.length === 0) return undefined;
  const path = `metadata.${holds}`;
  return { path, place: { path, holds }, keySpan: span, span, entries, open: false };
}

/** Adds a generated resource to a list, in which it may replace an existing resource. */
export function addGenerated(resources: Resource[], { resource, behavior, entry }: Generated): void {
  const wanted = identityOf(resource.tree);
  const index = behavior === 'create' ? -1 : resources.findIndex((each) => isOrWas(each, wanted));
  const old = resources[index];
  if (old === undefined) {
    resources.push(resource);
    return;
  }
  const { uri } = resource;
  const labelled = withLabels(old, entry.labels, [ownLabels], uri);
  const changed = withLabels(labelled, entry.annotations, [ownAnnotations], uri);
  const content = behavior === 'replace' ? resource.content : contentAfter(old.content, resource.content);
  // Only the hash of the merged content is available, because the content itself is not stored.
  const hash = behavior === 'replace' ? resource.hash : content && entry.merged?.get(content);
  const needsHash = old.needsHash && resource.needsHash;
  const data = behavior === 'replace' ? dataIn(resource) : mergedData(dataIn(old), dataIn(resource));
  const tree =
    data === undefined ? withoutEntry(changed.tree, 'data') : withValue(changed.tree, 'data', data, data.span);
  resources[index] = { ...changed, tree, needsHash, hash, content };
}

/** Returns the variables that a resource provides; undefined if they are not known. */
function dataIn({ tree }: Resource): MapNode | undefined {
  const data = childOf(tree, 'data');
  return data?.kind === 'map' ? data : undefined;
}

function mergedData(below: MapNode | undefined, above: MapNode | undefined): MapNode | undefined {
  if (below === undefined || above === undefined) return undefined;
  return above.entries.reduce(withEntry, below);
}

/** Returns the key of the content of a generator: the kustomization, and the index of the generator in it. */
export function contentKey(uri: string, index: number): string {
  return `${uri}#${index}`;
}

/** Returns the key of content that is merged into other content; undefined if no generator produced the other content. */
export function contentAfter(below: string, above: string): string;
export function contentAfter(below: string | undefined, above: string | undefined): string | undefined;
export function contentAfter(below: string | undefined, above: string | undefined): string | undefined {
  return below === undefined || above === undefined ? undefined : `${below}\n${above}`;
}
