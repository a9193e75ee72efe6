/** Applies the transformers of a kustomization to objects: namespaces, names, labels, annotations, patches. */

import { hasSchema } from '../../manifests/kustomize/merge-keys.ts';
import type { PatchEntry, PatchTarget } from '../../manifests/kustomize/model.ts';
import type { LabelEntry, ManifestObject, Written } from '../../manifests/model.ts';
import {
  childOf,
  isNull,
  type MapEntry,
  type MapNode,
  type Node,
  type ScalarNode,
  treeSizeOf,
} from '../../manifests/yaml/tree.ts';
import type { Steps } from './build-limits.ts';
import {
  entryFor,
  fewEntries,
  mapOf,
  Overwriting,
  type Source,
  withEntries,
  withEntry,
  withOrigin,
  withoutEntry,
  withValue,
} from './edit-tree.ts';
import type { Field } from './field-specs.ts';
import * as table from './field-specs.ts';
import { patchedByOperations } from './json-patch.ts';
import {
  type Choice,
  identityOf,
  isOrWas,
  isSelected,
  type Resource,
  remembering,
  sourceFor,
  textAt,
} from './resource.ts';
import { mergedByPatch } from './strategic-merge.ts';

/** Sets entries in every map that the fields find. */
export function withLabels(
  resource: Resource,
  entries: readonly LabelEntry[],
  fields: readonly Field[],
  uri: string,
  open = false,
): Resource {
  if (entries.length === 0 && !open) return resource;
  const source = sourceFor(resource, uri);
  const type = identityOf(resource.tree);
  const pairs = entries.map(({ key, value }) => {
    return { key: scalarNode(key, source), value: scalarNode(value, source), places: 0 };
  });
  const overwriting = new Overwriting(resource.shared);
  const set = (node: Node): Node => {
    if (node.kind !== 'map') return node;
    // Few keys are found faster without an index.
    const known = pairs.length > fewEntries ? indexed(node) : undefined;
    const added: MapEntry[] = [];
    for (const pair of pairs) {
      const { key, value } = pair;
      const before =
        known === undefined
          ? (added.findLast((each) => each.key.text === key.text)?.value ?? childOf(node, key.text))
          : known.get(key.text);
      if (before === value) continue;
      // All maps without the key share one new node; an existing value is overwritten.
      if (before === undefined) pair.places++;
      const after = before === undefined ? value : overwriting.over(before, withOrigin(before, { ...value }));
      known?.set(key.text, after);
      added.push(entryFor(key, after));
    }
    const map = withEntries(node, added);
    return open ? { ...map, open: true } : map;
  };
  let changed = resource.tree;
  for (const field of fields) {
    if (table.concerns(field, type)) changed = table.atField(changed, field, source.anchor, set);
  }
  const { tree, shared } = overwriting.finished(changed);
  if (tree === resource.tree) return resource;
  const transformers =
    entries.length === 0 ? resource.transformers : resource.transformers.concat({ kind: 'labels', uri, entries });
  const more = pairs.flatMap(({ value, places }) => (places > 1 ? value : []));
  return { ...resource, tree, shared: withMore(shared, more), transformers };
}

/** Returns the values of a map by key; of several entries with one key, the last counts. */
function indexed({ entries }: MapNode): Map<string, Node> {
  return new Map(entries.flatMap(({ key, value }) => (key.pattern === undefined ? [[key.text, value]] : [])));
}

function withMore(shared: ReadonlySet<Node> | undefined, more: readonly Node[]) {
  return more.length === 0 ? shared : new Set([...(shared ?? []), ...more]);
}

function scalarNode({ text, value, style, span, replaced }: Written, { uri, into, anchor }: Source): ScalarNode {
  const plain: ScalarNode =
    uri === into
      ? { kind: 'scalar', span, text, style, type: 'string' }
      : { kind: 'scalar', span: anchor, text, style, type: 'string', origin: { uri, span } };
  const node = replaced === undefined ? plain : { ...plain, replaced };
  return typeof value === 'string' ? node : { ...node, pattern: value.pattern ?? '*' };
}

/** Returns the labels that a transformer in a separate file sets. */
export function entriesOf(node: Node | undefined): readonly LabelEntry[] {
  if (node?.kind !== 'map') return [];
  return node.entries.flatMap(({ key, value }) => {
    if (value.kind !== 'scalar') return [];
    return { key: writtenOf(key), value: writtenOf(value), merged: false, conditional: false };
  });
}

function writtenOf({ text, pattern, type, style, span }: ScalarNode): Written {
  return { text, value: pattern === undefined ? text : { unknown: text, pattern }, type, style, span };
}

/** Sets the namespace of a resource, unless its kind is cluster-scoped; `fields` are the other fields that contain the namespace. */
export function withNamespace(
  resource: Resource,
  namespace: Written,
  uri: string,
  { fields, unsetOnly = false }: { readonly fields: readonly Field[]; readonly unsetOnly?: boolean },
): Resource {
  const source = sourceFor(resource, uri);
  const type = identityOf(resource.tree);
  const value = scalarNode(namespace, source);
  const isSet = (node: Node) => node.kind === 'scalar' && node.type !== 'null' && node.text !== '';
  const set = (node: Node) => (unsetOnly && isSet(node) ? node : value);
  const anchor = source.anchor;
  let { tree } = resource;
  if (!table.isClusterScoped(type)) tree = table.atField(tree, table.ownNamespace, anchor, set, 'scalar');
  for (const each of fields) {
    // Other API groups also have kinds named Namespace.
    const isOther = each.path === 'metadata/name' && (type.group !== '' || type.version !== 'v1');
    if (each.path !== 'metadata/namespace' && !isOther && table.concerns(each, type)) {
      tree = table.atField(tree, each, anchor, set, 'scalar');
    }
  }
  return { ...resource, tree, previous: resource.previous.concat(type) };
}

export interface Affixes {
  readonly prefix?: Written | undefined;
  readonly suffix?: Written | undefined;
}

export function withLongerName(
  resource: Resource,
  { prefix, suffix }: Affixes,
  fields: readonly Field[],
  uri: string,
): Resource {
  const first = resource.previous[0] ?? identityOf(resource.tree);
  if (table.keepsName(first)) return resource;
  return fields.reduce((longer, field) => {
    if (!table.concerns(field, first)) return longer;
    if (field.path !== 'metadata/name') return withLongerText(longer, field, { prefix, suffix }, uri);
    const lengthened = withName(longer, (name) => [prefix, name, suffix]);
    return lengthened === longer ? longer : { ...remembering(longer), tree: lengthened.tree };
  }, resource);
}

function withLongerText(resource: Resource, field: Field, { prefix, suffix }: Affixes, uri: string): Resource {
  if (!table.concerns(field, identityOf(resource.tree))) return resource;
  const source = sourceFor(resource, uri);
  const overwriting = new Overwriting(resource.shared);
  const changed = table.atField(
    resource.tree,
    field,
    source.anchor,
    (node) => {
      if (node.kind !== 'scalar') return node;
      const text = writtenOf(node);
      return overwriting.over(node, scalarNode(joinedText([prefix, text, suffix], text), source));
    },
    'scalar',
  );
  return { ...resource, ...overwriting.finished(changed) };
}

/** Returns the concatenated text of several parts; one unknown part makes the whole text unknown. */
function joinedText(parts: readonly (Written | undefined)[], around: Written): Written {
  const all = parts.filter((part) => part !== undefined);
  const text = all.map((part) => part.text).join('');
  if (all.every(({ value }) => typeof value === 'string')) return { ...around, text, value: text, type: 'string' };
  const pattern = all.map(({ value }) => (typeof value === 'string' ? value : (value.pattern ?? '*'))).join('');
  return { ...around, text, value: { unknown: text, pattern }, type: 'string' };
}

/** Returns the resource with a name that consists of several parts; one unknown part makes the whole name unknown. */
export function withName(resource: Resource, parts: (name: Written) => readonly (Written | undefined)[]): Resource {
  const metadata = childOf(resource.tree, 'metadata');
  const name = childOf(metadata, 'name');
  if (metadata?.kind !== 'map' || name?.kind !== 'scalar') return resource;
  const old = writtenOf(name);
  const { text, value } = joinedText(parts(old), old);
  const { pattern: _, ...bare } = name;
  const node = {
    ...bare,
    text,
    ...(typeof value !== 'string' && value.pattern !== undefined && { pattern: value.pattern }),
  };
  const longer = withValue(metadata, 'name', node, name.span);
  return { ...resource, tree: withValue(resource.tree, 'metadata', longer, name.span) };
}

/** One patch in a file or a string: an object that is merged, or a list of operations. */
export type Patch =
  | { readonly kind: 'merge'; readonly object: ManifestObject; readonly tree: MapNode; readonly uri: string }
  | { readonly kind: 'operations'; readonly node: Node; readonly uri: string };

/** The result of a patch on all resources, and the number of resources that it selects. */
export interface Patched {
  readonly resources: readonly Resource[];
  readonly targets: number;
}

/** Applies a patch to the resources that it selects, within the limit of steps. Also returns how many it selects. */
export function withPatch(
  resources: readonly Resource[],
  patch: Patch,
  entry: Pick<PatchEntry, 'field' | 'target' | 'allowNameChange' | 'allowKindChange'>,
  steps: Steps,
  report?: (path: ScalarNode, resource: string) => void,
): Patched {
  if (!steps.allowChoosing(resources)) return { resources, targets: 0 };
  const isCopied = entry.target !== undefined || entry.field === 'patchesStrategicMerge';
  const choose = chooserOf(patch, entry.target);
  const weight = treeSizeOf(patch.kind === 'operations' ? patch.node : patch.tree).size;
  let targets = 0;
  const patched = resources.flatMap((resource): Resource | readonly Resource[] => {
    const choice = choose(resource);
    if (choice === 'no') return resource;
    targets++;
    if (!steps.allow(resource, weight)) return resource;
    if (choice === 'maybe') return { ...resource, patched: true, uncertain: 'everything' };
    if (patch.kind === 'merge') return withMerged(resource, patch, entry, isCopied);
    return withOperations(resource, patch, resource.uncertain === false ? report : undefined);
  });
  return { resources: targets === 0 ? resources : patched, targets };
}

/** Returns a function that determines to which resources a patch applies; without a target, these are the resources that it names. */
function chooserOf(patch: Patch, target: PatchTarget | undefined): (resource: Resource) => Choice {
  if (target !== undefined) return (resource) => isSelected(resource, target);
  if (patch.kind === 'operations') return () => 'no';
  const wanted = identityOf(patch.tree);
  return (resource) => (isOrWas(resource, wanted) ? 'yes' : 'no');
}

function withOperations(
  resource: Resource,
  { node, uri }: Patch & { readonly kind: 'operations' },
  report: ((path: ScalarNode, resource: string) => void) | undefined,
): Resource {
  const { kind, name } = identityOf(resource.tree);
  const absent = report && ((path: ScalarNode) => report(path, `${kind}/${name}`));
  const tree = patchedByOperations(resource.tree, node, sourceFor(resource, uri), absent);
  const transformers = resource.transformers.concat({ kind: 'operations', uri, node });
  // Kustomize applies the patch to a copy of the object, in which no nodes are shared.
  return { ...remembering(resource), tree, shared: undefined, patched: true, transformers };
}

function withMerged(
  resource: Resource,
  { object, tree: written, uri }: Patch & { readonly kind: 'merge' },
  { allowNameChange, allowKindChange }: Pick<PatchEntry, 'allowNameChange' | 'allowKindChange'>,
  isCopied: boolean,
): readonly Resource[] {
  const { group } = identityOf(resource.tree);
  const knowsLists = hasSchema(group);
  const patch = isCopied ? withTextMaps(written) : written;
  // Replacing a whole object has no effect, because kustomize drops the replacement.
  if (textAt(patch, '$patch') === 'replace') return [resource];
  // A patch does not change the type and identity of an object unless that is allowed.
  const others = withoutEntry(allowKindChange ? patch : withoutEntry(patch, 'kind'), 'apiVersion');
  const overwriting = new Overwriting(resource.shared);
  const changed = mergedByPatch(resource.tree, others, { source: sourceFor(resource, uri), overwriting, knowsLists });
  if (changed === undefined) return [];
  const { tree: merged, shared } = overwriting.finished(changed);
  const metadata = childOf(merged, 'metadata');
  const before = childOf(resource.tree, 'metadata');
  let own: MapNode = metadata?.kind === 'map' ? metadata : mapOf([], merged.span);
  if (before?.kind === 'map') {
    own = kept(own, before, 'namespace');
    if (!allowNameChange) own = kept(own, before, 'name');
  }
  const tree = own === metadata ? merged : withValue(merged, 'metadata', own, merged.span);
  const renamed = allowNameChange || allowKindChange;
  const transformers = resource.transformers.concat({ kind: 'merge', uri, object });
  return [{ ...(renamed ? remembering(resource) : resource), tree, shared, patched: true, transformers }];
}

/** Returns a patch as kustomize copies it: labels and annotations are maps of strings, so null is a string too, and a value that is not a map is dropped. */
function withTextMaps(patch: MapNode): MapNode {
  const metadata = childOf(patch, 'metadata');
  if (metadata?.kind !== 'map') return patch;
  const own = ['labels', 'annotations'].reduce((map, field) => {
    const found = childOf(map, field);
    if (found === undefined) return map;
    if (found.kind !== 'map' || found.entries.length === 0) return withoutEntry(map, field);
    const entries = found.entries.map((entry) => {
      return isNull(entry.value) ? { ...entry, value: { ...entry.value, type: 'string' as const } } : entry;
    });
    return withValue(map, field, mapOf(entries, found.span, found.open), map.span);
  }, metadata);
  return withValue(patch, 'metadata', own, patch.span);
}

/** Returns a map with the entry that a different map has for a key, or without the key if the other map lacks it. */
function kept(map: MapNode, other: MapNode, key: string): MapNode {
  const entry = other.entries.findLast((each) => each.key.text === key);
  if (entry === undefined) return withoutEntry(map, key);
  return childOf(map, key) === entry.value ? map : withEntry(map, entry);
}

/** Whether an annotation marks an object as local to kustomize, so that it is not applied. */
export function isLocal({ tree }: Resource): boolean {
  const annotations = childOf(childOf(tree, 'metadata'), 'annotations');
  return annotations !== undefined && textAt(annotations, 'config.kubernetes.io/local-config') === 'true';
}
