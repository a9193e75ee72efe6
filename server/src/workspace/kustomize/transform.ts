/** What do the transformers of a kustomization make of objects? Namespaces, names, labels, annotations, patches. */

import type { FieldSpec, LabelChange, PatchEntry, PatchTarget } from '../../manifests/kustomization.ts';
import type { LabelEntry, ManifestObject, Written } from '../../manifests/manifest.ts';
import { childOf, type MapNode, type Node } from '../../manifests/tree.ts';
import * as table from './field-specs.ts';
import { patchedByOperations } from './json-patch.ts';
import { adopted, entryFor, mapOf, type Source, scalarOf, withEntry, withOrigin } from './nodes.ts';
import {
  type Choice,
  identitiesOf,
  identityOf,
  isSame,
  isSelected,
  type Resource,
  remembering,
  sourceFor,
  textAt,
} from './resource.ts';
import { mergedByPatch } from './strategic-merge.ts';

/** What `configurations` add to the tables. */
export interface Configuration {
  readonly commonLabels: readonly FieldSpec[];
  readonly templateLabels: readonly FieldSpec[];
  readonly labels: readonly FieldSpec[];
  readonly commonAnnotations: readonly FieldSpec[];
  readonly namespace: readonly FieldSpec[];
  readonly namePrefix: readonly FieldSpec[];
}

export const noConfiguration: Configuration = {
  commonLabels: [],
  templateLabels: [],
  labels: [],
  commonAnnotations: [],
  namespace: [],
  namePrefix: [],
};

/** The places that a `labels` or `commonLabels` of a kustomization sets. */
export function labelFields(
  change: Pick<LabelChange, 'fields' | 'includeSelectors' | 'includeTemplates'>,
  more: Configuration,
) {
  if (change.includeSelectors) return [...change.fields, ...table.commonLabels, ...more.commonLabels];
  const templates = change.includeTemplates ? [...table.templateLabels, ...more.templateLabels] : [];
  return [...change.fields, ...templates, table.ownLabels, ...more.labels];
}

/** Sets entries in every map that the fields find. */
export function withLabels(
  resource: Resource,
  entries: readonly LabelEntry[],
  fields: readonly FieldSpec[],
  uri: string,
  open = false,
): Resource {
  if (entries.length === 0 && !open) return resource;
  const source = sourceFor(resource, uri);
  const type = identityOf(resource.tree);
  const nodes = entries.map(({ key, value }) => ({ key: scalarNode(key, source), value: scalarNode(value, source) }));
  const set = (node: Node): Node => {
    if (node.kind !== 'map') return node;
    let map: MapNode = node;
    for (const { key, value } of nodes) map = withEntry(map, entryFor(key, withOrigin(childOf(map, key.text), value)));
    return open ? { ...map, open: true } : map;
  };
  let tree = resource.tree;
  for (const field of fields) {
    if (table.speaksOf(field, type)) tree = table.atField(tree, field, source.anchor, set);
  }
  if (tree === resource.tree) return resource;
  const writers = entries.length === 0 ? [] : [{ kind: 'labels', uri, entries } as const];
  return { ...resource, tree, writers: [...resource.writers, ...writers] };
}

export function scalarNode({ text, value, style, span }: Written, source: Source) {
  const pattern = typeof value === 'string' ? undefined : (value.pattern ?? '*');
  return adopted({ ...scalarOf(text, span), style, ...(pattern !== undefined && { pattern }) }, source);
}

/** A transformer's own labels, that no kustomization writes as such. */
export function entriesOf(node: Node | undefined): readonly LabelEntry[] {
  if (node?.kind !== 'map') return [];
  return node.entries.flatMap(({ key, value }) => {
    if (value.kind !== 'scalar') return [];
    const written = (each: typeof value): Written => ({
      text: each.text,
      value: each.pattern === undefined ? each.text : { unknown: each.text, pattern: each.pattern },
      type: each.type,
      style: each.style,
      span: each.span,
    });
    return { key: written(key), value: written(value), merged: false, conditional: false };
  });
}

/** Into a namespace, unless the kind has none; a Namespace gets its name, where that is not left to `more`. */
export function withNamespace(
  resource: Resource,
  namespace: Written,
  uri: string,
  more: Configuration,
  renames = true,
): Resource {
  const source = sourceFor(resource, uri);
  const type = identityOf(resource.tree);
  const value = scalarNode(namespace, source);
  const set = () => value;
  const anchor = source.anchor;
  let { tree } = resource;
  if (!table.isClusterScoped(type)) tree = table.atField(tree, field('metadata/namespace'), anchor, set, 'scalar');
  if (renames && type.kind === 'Namespace') tree = table.atField(tree, field('metadata/name'), anchor, set, 'scalar');
  for (const each of more.namespace) {
    if (each.path !== 'metadata/namespace' && table.speaksOf(each, type)) {
      tree = table.atField(tree, each, anchor, set, 'scalar');
    }
  }
  return { ...remembering(resource), tree };
}

function field(path: string): FieldSpec {
  return { group: '', version: '', kind: '', path, create: true };
}

/** A longer name: `prefix` before and `suffix` after it. */
export function withLongerName(
  resource: Resource,
  { prefix, suffix }: { readonly prefix?: Written; readonly suffix?: Written },
): Resource {
  const first = resource.previous[0] ?? identityOf(resource.tree);
  if (table.keepsName(first)) return resource;
  const lengthened = withName(resource, (name) => [prefix, name, suffix]);
  return lengthened === resource ? resource : { ...remembering(resource), tree: lengthened.tree };
}

/** The resource under a name that is joined of parts; a part that is not known makes all of it unknown. */
export function withName(resource: Resource, parts: (name: Written) => readonly (Written | undefined)[]): Resource {
  const metadata = childOf(resource.tree, 'metadata');
  const name = childOf(metadata, 'name');
  if (metadata?.kind !== 'map' || name?.kind !== 'scalar') return resource;
  const [old] = entriesOf(mapOf([entryFor(scalarOf('name', name.span), name)], name.span));
  if (old === undefined) return resource;
  const joined = parts(old.value).filter((part) => part !== undefined);
  const text = joined.map((part) => part.text).join('');
  const isKnown = joined.every(({ value }) => typeof value === 'string');
  const pattern = joined.map(({ value }) => (typeof value === 'string' ? value : (value.pattern ?? '*'))).join('');
  const { pattern: _, ...bare } = name;
  const node = { ...bare, text, ...(!isKnown && { pattern }) };
  const longer = withEntry(metadata, entryFor(scalarOf('name', name.span), node));
  return { ...resource, tree: withEntry(resource.tree, entryFor(scalarOf('metadata', name.span), longer)) };
}

/** One patch of a file or of a string: an object that is merged, or a list of operations. */
export type Patch =
  | { readonly kind: 'merge'; readonly object: ManifestObject; readonly tree: MapNode; readonly uri: string }
  | { readonly kind: 'operations'; readonly node: Node; readonly uri: string };

/** What a patch does to all resources, and how many of them it is meant for. */
export interface Patched {
  readonly resources: readonly Resource[];
  readonly targets: number;
}

export function withPatch(
  resources: readonly Resource[],
  patch: Patch,
  entry: Pick<PatchEntry, 'target' | 'allowNameChange' | 'allowKindChange'>,
): Patched {
  let targets = 0;
  const patched = resources.flatMap((resource) => {
    const choice = choose(resource, patch, entry.target);
    if (choice === 'no') return resource;
    targets++;
    if (choice === 'maybe') return { ...resource, patched: true, uncertain: true };
    return patch.kind === 'operations' ? withOperations(resource, patch) : withMerged(resource, patch, entry);
  });
  return { resources: patched, targets };
}

function choose(resource: Resource, patch: Patch, target: PatchTarget | undefined): Choice {
  if (target !== undefined) return isSelected(resource, target);
  if (patch.kind === 'operations') return 'no';
  const wanted = identityOf(patch.tree);
  return identitiesOf(resource).some((identity) => isSame(identity, wanted)) ? 'yes' : 'no';
}

function withOperations(resource: Resource, { node, uri }: Patch & { readonly kind: 'operations' }): Resource {
  const tree = patchedByOperations(resource.tree, node, sourceFor(resource, uri));
  const writers = [...resource.writers, { kind: 'operations', uri, node } as const];
  return { ...remembering(resource), tree, patched: true, writers };
}

function withMerged(
  resource: Resource,
  { object, tree: patch, uri }: Patch & { readonly kind: 'merge' },
  { allowNameChange, allowKindChange }: Pick<PatchEntry, 'allowNameChange' | 'allowKindChange'>,
): readonly Resource[] {
  const { group } = identityOf(resource.tree);
  const knowsLists = group === '' || !group.includes('.') || group.endsWith('.k8s.io');
  const merged = mergedByPatch(resource.tree, patch, sourceFor(resource, uri), knowsLists);
  if (merged === undefined) return [];
  // What an object is and where does not come from a patch, unless that is allowed.
  let tree = kept(merged, resource.tree, 'apiVersion');
  if (!allowKindChange) tree = kept(tree, resource.tree, 'kind');
  const metadata = childOf(tree, 'metadata');
  const before = childOf(resource.tree, 'metadata');
  let own: MapNode = metadata?.kind === 'map' ? metadata : mapOf([], tree.span);
  if (before?.kind === 'map') {
    own = kept(own, before, 'namespace');
    if (!allowNameChange) own = kept(own, before, 'name');
  }
  tree = withEntry(tree, entryFor(scalarOf('metadata', tree.span), own));
  const renamed = allowNameChange || allowKindChange;
  const writers = [...resource.writers, { kind: 'merge', uri, object } as const];
  return [{ ...(renamed ? remembering(resource) : resource), tree, patched: true, writers }];
}

/** The map with the entry that another one has for a key, or without it. */
function kept(map: MapNode, other: MapNode, key: string): MapNode {
  const entry = other.entries.findLast((each) => each.key.text === key);
  if (entry !== undefined) return withEntry(map, entry);
  return mapOf(
    map.entries.filter((each) => each.key.text !== key),
    map.span,
    map.open,
  );
}

/** Objects that say so are for kustomize alone. */
export function isLocal({ tree }: Resource): boolean {
  return textAt(tree, 'metadata', 'annotations', 'config.kubernetes.io/local-config') === 'true';
}
