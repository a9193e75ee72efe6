/** Computes the changes that Argo CD makes to the objects of an Application. Source: argo-cd `util/kustomize/kustomize.go`, `controller/state.go`, `util/argo/resource_tracking.go`. */

import type { Catalogue } from '../../../engine/catalogue/types.ts';
import { knownData, refsOf } from '../../../manifests/gitops/argo.ts';
import { argoSourcesOf, textsIn } from '../../../manifests/gitops/argo-source.ts';
import { knownText } from '../../../manifests/gitops/flux.ts';
import { isMap } from '../../../manifests/helm/value.ts';
import { isTrue, writtenAt } from '../../../manifests/kustomize/kustomization-fields.ts';
import { patchOf } from '../../../manifests/kustomize/kustomization-patches.ts';
import type { ImageChange, LabelChange, PatchEntry } from '../../../manifests/kustomize/model.ts';
import type { LabelEntry, Written } from '../../../manifests/model.ts';
import { blank } from '../../../manifests/placeholders/placeholders.ts';
import { splitImage } from '../../../manifests/sites/images.ts';
import { labelEntries } from '../../../manifests/sites/sites.ts';
import { childOf, itemsOf, type Node, nodeAt } from '../../../manifests/yaml/tree.ts';
import type { Edits } from '../../kustomize/build.ts';
import { withoutEntry, withValue } from '../../kustomize/edit-tree.ts';
import { ownLabels, templateLabels } from '../../kustomize/field-specs.ts';
import { identityOf, type Resource } from '../../kustomize/resource.ts';
import { withLabels, withNamespace } from '../../kustomize/transformers.ts';
import { folderOf, relativePath, resolveUri } from '../../uri.ts';
import type { Release } from '../installed-charts.ts';
import type { GitopsContent, GitopsObject } from '../model.ts';
import type { Definition, Recipe, RecipeSurroundings } from '../recipes.ts';
import { mergedValueFiles, valueFilesIn } from '../value-files.ts';
import { variablesOf, withOwnValues, withVariables } from './helm-values.ts';
import { overriddenTree } from './source-overrides.ts';
import { instanceName, isInTemplates, trackingLabel } from './tracking.ts';

/** Returns the changes that Argo CD makes to the objects of one source; `spec` is the spec of the Application. */
export function argoRecipe(
  definition: Definition,
  content: GitopsContent,
  index: number,
  around: RecipeSurroundings,
): Recipe {
  const { gitops, spec } = definition;
  const source = sourceOf(definition, content, index, around);
  const namespace = writtenAt(childOf(spec, 'destination'), 'namespace');
  const expand = expander(definition, source);
  const kustomize = childOf(source, 'kustomize');
  const edits = { edits: kustomizeEdits(gitops.uri, kustomize, content, { catalogue: around.catalogue, expand }) };
  return {
    ...(content.kustomized && edits),
    ...(content.chart && { release: releaseOf(definition, content, index, around) }),
    finish: (resources) => {
      const placed = resources.map((resource) => inNamespace(resource, namespace, gitops.uri, around.catalogue));
      return { resources: placed.map((resource) => tracked(resource, definition, around)), isCut: false };
    },
  };
}

function sourceAt(spec: Node, index: number): Node | undefined {
  const sources = itemsOf(childOf(spec, 'sources'));
  return sources.length > 0 ? sources[index] : childOf(spec, 'source');
}

/** Returns a source of an Application, with the options of the files in its folder. */
function sourceOf(
  { gitops, spec }: SourceDefinition,
  { overrides: uris = [] }: GitopsContent,
  index: number,
  { data }: SourceSurroundings,
): Node | undefined {
  const written = sourceAt(spec, gitops.facts.sources[index]?.index ?? index);
  const overrides = uris.map((uri) => data(uri) ?? null);
  return written && overrides.length > 0 ? overriddenTree(written, overrides) : written;
}

/** The definition of an Application, and the files on which its sources depend. */
interface SourceDefinition {
  readonly gitops: Pick<GitopsObject, 'facts' | 'located'>;
  readonly spec: Node;
  readonly hasOtherValues?: Definition['hasOtherValues'];
}

type SourceSurroundings = Pick<RecipeSurroundings, 'facts' | 'data'>;

type Expand = (text: string) => string;

/** Returns a function that replaces the build variables of a source. */
function expander({ gitops: { facts }, spec }: SourceDefinition, source: Node | undefined): Expand {
  const text = (node: Node | undefined, key: string) => writtenAt(node, key)?.text ?? '';
  const variables = variablesOf({
    name: facts.name,
    namespace: text(childOf(spec, 'destination'), 'namespace'),
    project: text(spec, 'project'),
    path: text(source, 'path'),
    repository: text(source, 'repoURL'),
    revision: text(source, 'targetRevision'),
  });
  return (written) => withVariables(written, variables);
}

/** Returns the edits that Argo CD makes to the kustomization of a source before the build. */
function kustomizeEdits(
  uri: string,
  options: Node | undefined,
  { folder, components }: GitopsContent,
  { catalogue, expand }: { readonly catalogue: Catalogue; readonly expand: Expand },
): Edits {
  const reading = { text: '', blanked: blank(''), catalogue };
  const patches = itemsOf(childOf(options, 'patches')).flatMap((item) => patchOf(item, 'patches', reading));
  const expanded = (entries: readonly LabelEntry[]) =>
    entries.map((entry) => ({ ...entry, value: expandedText(entry.value, expand) }));
  const labels = expanded(labelEntries(childOf(options, 'commonLabels')));
  const annotations = labelEntries(childOf(options, 'commonAnnotations'));
  return {
    uri,
    namespace: writtenAt(options, 'namespace'),
    namePrefix: writtenAt(options, 'namePrefix'),
    nameSuffix: writtenAt(options, 'nameSuffix'),
    // Paths are relative to the kustomization.
    changes: patches.map((patch) => atFolder(patch, folder, uri)),
    labels: labels.length === 0 ? [] : [labelChange(labels, options)],
    images: itemsOf(childOf(options, 'images')).flatMap(imageChange),
    annotations: isTrue(options, 'commonAnnotationsEnvsubst') ? expanded(annotations) : annotations,
    components,
  };
}

/** Returns the change that an item of `images` makes: an image reference, or a name, `=` and an image reference. */
function imageChange(item: Node): readonly ImageChange[] {
  if (item.kind !== 'scalar') return [];
  const [first = '', second] = item.text.split('=', 2);
  const { name, tag, digest } = splitImage(second ?? first);
  return [
    {
      name: second === undefined ? name : first,
      newName: name,
      ...(tag !== undefined && { newTag: tag }),
      ...(digest !== undefined && { digest }),
      ...(item.pattern !== undefined && { isUnknown: true }),
      span: item.span,
    },
  ];
}

function atFolder(patch: PatchEntry, folder: string, uri: string): PatchEntry {
  if (patch.path === undefined) return patch;
  const path = relativePath(folderOf(uri), resolveUri(folder, patch.path.path));
  return { ...patch, path: { ...patch.path, path } };
}

/** Returns the change that adds the labels of a source. The labels are also added to selectors unless an option prevents it. */
function labelChange(entries: readonly LabelEntry[], options: Node | undefined): LabelChange {
  const isWithout = isTrue(options, 'labelWithoutSelector');
  const includeTemplates = !isWithout || isTrue(options, 'labelIncludeTemplates');
  const change = { entries, open: false, includeSelectors: !isWithout, includeTemplates, fields: [] };
  return isWithout ? change : { ...change, isCommon: true };
}

function expandedText(written: Written, expand: Expand): Written {
  if (!written.text.includes('$')) return written;
  const text = expand(written.text);
  return { ...written, text, value: text.includes('{{') ? { unknown: text, pattern: '*' } : text };
}

/** Returns the release with which Argo CD installs the chart of a source. */
export function releaseOf(
  definition: SourceDefinition,
  content: GitopsContent,
  index: number,
  around: SourceSurroundings,
): Release {
  const { gitops, spec } = definition;
  const { facts: files, data } = around;
  const source = sourceOf(definition, content, index, around);
  const { facts, located } = gitops;
  const expand = expander(definition, source);
  const options = childOf(source, 'helm');
  const namespace = writtenAt(options, 'namespace') ?? writtenAt(childOf(spec, 'destination'), 'namespace');
  const helm = options === undefined ? {} : knownData(options);
  const [all] = argoSourcesOf(knownData(spec));
  const named = {
    ...facts.sources[index],
    valueFiles: textsIn(helm, 'valueFiles'),
    refs: refsOf(all),
  };
  return {
    name: writtenAt(options, 'releaseName')?.text ?? facts.name,
    namespace: namespace?.text,
    isInstall: true,
    skipsCrds: isTrue(options, 'skipCrds'),
    skipsTests: isTrue(options, 'skipTests'),
    values: () => {
      if (definition.hasOtherValues === 'unknown') return undefined;
      const place = located[index];
      const valueFiles = place && valueFilesIn(place, named, files, expand);
      const values = mergedValueFiles(valueFiles ?? [], data, isTrue(options, 'ignoreMissingValueFiles'));
      const own = values && withOwnValues(values, isMap(helm) ? helm : {}, expand);
      return own === undefined ? undefined : { data: own };
    },
  };
}

/** Sets the namespace of the destination on an object without a namespace, except on a cluster-scoped object. */
export function inNamespace(
  resource: Resource,
  namespace: Written | undefined,
  uri: string,
  catalogue: Catalogue,
): Resource {
  const { group, version, kind } = identityOf(resource.tree);
  const metadata = childOf(resource.tree, 'metadata');
  if (catalogue.kind(group, version, kind)?.namespaced === false) {
    if (metadata?.kind !== 'map' || childOf(metadata, 'namespace') === undefined) return resource;
    const tree = withValue(resource.tree, 'metadata', withoutEntry(metadata, 'namespace'), metadata.span);
    return { ...resource, tree };
  }
  if (namespace === undefined || writtenAt(metadata, 'namespace') !== undefined) return resource;
  return withNamespace(resource, namespace, uri, { fields: [], unsetOnly: true });
}

/** Sets the label by which Argo CD recognizes the objects of the Application. */
function tracked(
  resource: Resource,
  { gitops: { uri, facts }, object }: Definition,
  around: RecipeSurroundings,
): Resource {
  const tracking = around.tracking(facts.namespace);
  const { name, namespace } = facts;
  if (tracking === undefined || name === '') return resource;
  const value = trackingLabel(tracking, instanceName(name, namespace, tracking.namespace));
  if (value === undefined || identityOf(resource.tree).kind === 'CustomResourceDefinition') return resource;
  const key: Written = {
    text: tracking.key,
    value: tracking.key,
    type: 'string',
    style: 'plain',
    span: object.kindSpan,
  };
  const written = value.includes('{{') ? { unknown: value, pattern: '*' } : value;
  const replaced = knownText(nodeAt(resource.tree, 'metadata', 'labels', tracking.key));
  const isReplaced = replaced !== undefined && replaced !== value && typeof written === 'string';
  const label = { ...key, text: value, value: written, ...(isReplaced && { replaced }) };
  const entry: LabelEntry = { key, value: label, merged: false, conditional: false };
  return withLabels(resource, [entry], isInTemplates(tracking) ? [ownLabels, ...podLabels] : [ownLabels], uri);
}

const workloads = new Set(['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'Job']);

const podLabels = templateLabels.filter(({ kind, path }) => {
  return workloads.has(kind) && path === 'spec/template/metadata/labels';
});

/** Returns the objects of several sources. Of several objects with the same identity, only the last is returned; each object with a `generateName` is created. */
export function withoutRepeated(resources: readonly Resource[]): readonly Resource[] {
  const last = new Map<string | Resource, Resource>();
  const keyOf = (resource: Resource) => {
    const { group, kind, namespace, name } = identityOf(resource.tree);
    return name === '' ? resource : [group, kind, namespace, name].join('\n');
  };
  for (const resource of resources) last.set(keyOf(resource), resource);
  return last.size === resources.length ? resources : resources.filter((each) => last.get(keyOf(each)) === each);
}
