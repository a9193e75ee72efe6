/** The model of a resource during a build: its origin, its current tree, and its previous names. */

import { evaluate, parseSelector, type Value } from '../../engine/index.ts';
import { memoized } from '../../engine/memoize.ts';
import { matcherOf } from '../../manifests/go-pattern.ts';
import type { PatchTarget } from '../../manifests/kustomize/model.ts';
import type { ManifestObject, Written } from '../../manifests/model.ts';
import { childOf, type MapNode, type Node, nodeAt } from '../../manifests/yaml/tree.ts';
import type { Source } from './edit-tree.ts';
import { isClusterScoped } from './field-specs.ts';
import { partialTree } from './partial-tree.ts';
import type { TransformerSource } from './transformer-sources.ts';

export interface Resource {
  /** The URI of the file that contains the object, or of the kustomization that generates it. */
  readonly uri: string;
  /** The object as written or generated, before any change. */
  readonly source: ManifestObject;
  /** The tree of the object as written, before any change. */
  readonly written: MapNode;
  readonly tree: MapNode;
  /** The previous identities, oldest first. */
  readonly previous: readonly Identity[];
  /** Whether a patch changed the object, so that fields outside of its sites may have changed too. */
  readonly patched: boolean;
  /** What may have changed in an unknown way: labels and requirements may have been added, or everything may differ. */
  readonly uncertain: false | 'additions' | 'everything';
  readonly generated: boolean;
  /** Whether a hash of the content is appended to the name at the end. */
  readonly needsHash: boolean;
  /** The sources of changes to the object, in order. */
  readonly transformers: readonly TransformerSource[];
  /**
   * Nodes that several maps of the object share: as in kustomize, a change to one of these maps changes all of them.
   */
  readonly shared: ReadonlySet<Node> | undefined;
  /** The hash of the generated content, if it is known. */
  readonly hash: string | undefined;
  /** The key of the generators that produced the content, in order. */
  readonly content: string | undefined;
}

/** Returns the resource of a written object, before any change. */
export function resourceOf(uri: string, source: ManifestObject): Resource {
  const tree = partialTree(source);
  return {
    uri,
    source,
    written: tree,
    tree,
    previous: none,
    patched: false,
    uncertain: false,
    generated: false,
    needsHash: false,
    transformers: none,
    shared: undefined,
    hash: undefined,
    content: undefined,
  };
}

const none: readonly never[] = [];

export interface Identity {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
}

/** Returns the identity of an object, with which each patch and replacement is compared. */
export const identityOf = memoized(identityIn);

function identityIn(tree: Node): Identity {
  const apiVersion = textOf(childOf(tree, 'apiVersion'));
  const slash = apiVersion.indexOf('/');
  const metadata = childOf(tree, 'metadata');
  return {
    group: slash === -1 ? '' : apiVersion.slice(0, slash),
    version: apiVersion.slice(slash + 1),
    kind: textOf(childOf(tree, 'kind')),
    name: textOf(childOf(metadata, 'name')),
    namespace: textOf(childOf(metadata, 'namespace')),
  };
}

/** Returns the text of the scalar at a path of keys; '' if there is none. */
export function textAt(tree: Node, ...path: readonly string[]): string {
  return textOf(nodeAt(tree, ...path));
}

function textOf(node: Node | undefined): string {
  return node?.kind === 'scalar' && node.type !== 'null' ? node.text : '';
}

/** Adds the current identity of a resource to its previous identities, before the resource is changed. */
export function remembering(resource: Resource): Resource {
  return { ...resource, previous: resource.previous.concat(identityOf(resource.tree)) };
}

/** Returns the source of nodes from the file `from` that are inserted into a resource. */
export function sourceFor({ uri, source }: Resource, from: string): Source {
  return { uri: from, into: uri, anchor: source.kindSpan };
}

/** Whether two identities are equal for kustomize: an absent namespace equals `default`. */
function isSame(a: Identity, b: Identity): boolean {
  return (
    a.name === b.name &&
    a.kind === b.kind &&
    a.group === b.group &&
    a.version === b.version &&
    namespaceOf(a) === namespaceOf(b)
  );
}

/** Returns the namespace of an identity for kustomize, in which an absent namespace equals `default`. */
export function namespaceOf(identity: Identity): string {
  if (isClusterScoped(identity)) return '\n';
  return identity.namespace === '' ? 'default' : identity.namespace;
}

export function isOrWas({ previous, tree }: Resource, wanted: Identity): boolean {
  if (previous.some((each) => isSame(each, wanted))) return true;
  const name = childOf(childOf(tree, 'metadata'), 'name');
  return textOf(name) === wanted.name && isSame(identityOf(tree), wanted);
}

export type Choice = 'yes' | 'no' | 'maybe';

export function isSelected(resource: Resource, target: Omit<PatchTarget, 'span'>): Choice {
  const now = identityOf(resource.tree);
  const first = resource.previous[0] ?? now;
  // Most resources have another kind or another name.
  const own = [matchesOne(target.kind, now.kind), matchesOne(target.name, first.name, now.name)];
  if (own.includes('no')) return 'no';
  const answers = [
    ...own,
    matchesOne(target.namespace, namespaceOf(first), namespaceOf(now)),
    matchesOne(target.group, now.group),
    matchesOne(target.version, now.version),
    hasLabels(resource.tree, 'labels', target.labelSelector),
    hasLabels(resource.tree, 'annotations', target.annotationSelector),
  ];
  return answers.includes('no') ? 'no' : answers.includes('maybe') ? 'maybe' : 'yes';
}

function matchesOne(pattern: Written | undefined, text: string, other = text): Choice {
  if (pattern === undefined) return 'yes';
  const matches = typeof pattern.value === 'string' ? matcherOf(pattern.value) : undefined;
  if (matches === undefined) return 'maybe';
  return matches(text) || (other !== text && matches(other)) ? 'yes' : 'no';
}

function hasLabels(tree: Node, field: 'labels' | 'annotations', selector: Written | undefined): Choice {
  if (selector === undefined) return 'yes';
  const parsed = typeof selector.value === 'string' ? parseSelector(selector.value) : undefined;
  if (parsed?.ok !== true) return 'maybe';
  const node = childOf(childOf(tree, 'metadata'), field);
  return evaluate(parsed.value, { labels: labelsIn(node), open: node?.kind === 'map' && node.open });
}

function labelsIn(node: Node | undefined): Readonly<Record<string, Value>> {
  if (node?.kind !== 'map') return {};
  return Object.fromEntries(
    node.entries.flatMap(({ key, value }) => {
      if (value.kind !== 'scalar') return [];
      return [[key.text, value.pattern === undefined ? value.text : { unknown: value.text, pattern: value.pattern }]];
    }),
  );
}
