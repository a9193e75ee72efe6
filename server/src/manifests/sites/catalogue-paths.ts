/** Finds the nodes of an object at the field paths in the catalogue. The paths are combined into one tree, so each object is traversed only once. */

import type {
  IgnoredWhere,
  KindFact,
  LabelField,
  LabelKeyField,
  ReferenceFact,
  SelectorFact,
  TemplateFact,
} from '../../engine/catalogue/types.ts';
import { childOf, effectiveEntries, itemsOf, type MapEntry, type Node } from '../yaml/tree.ts';
import { labelKeyFields } from './label-key-sites.ts';

type FieldSite =
  | { readonly kind: 'selector'; readonly fact: SelectorFact }
  | { readonly kind: 'labels'; readonly fact: LabelField }
  | { readonly kind: 'template'; readonly fact: TemplateFact }
  | { readonly kind: 'labelKey'; readonly fact: LabelKeyField }
  | { readonly kind: 'reference'; readonly fact: ReferenceFact }
  /** A field whose value determines whether a selector is ignored. */
  | { readonly kind: 'switch'; readonly fact: IgnoredWhere };

/** Represents a part of an object that is unchanged since the previous version, so its sites are already known. */
interface Same {
  readonly kind: 'same';
}

/** A node at a path for which the catalogue contains a fact. */
export interface Found {
  readonly place: FieldSite | Same;
  /** The path from the root of the object, with list indexes, such as `spec.ingress[0].from[1].podSelector`. */
  readonly path: string;
  readonly node: Node;
  /** The map entry whose value is the node; undefined for an item of a list. */
  readonly entry: MapEntry | undefined;
}

export interface Branch {
  readonly places: FieldSite[];
  readonly children: Map<string, Branch>;
}

const branches = new WeakMap<KindFact, Branch>();

const same: Same = { kind: 'same' };

/** Finds all nodes at the catalogue's paths for a kind, in the order of the tree. For a part that is unchanged since `before`, only the root of the part is returned. */
export function findFieldSites(root: Node, facts: KindFact, before?: Node): readonly Found[] {
  const found: Found[] = [];
  visit(root, undefined, '', branchOf(facts), found, before);
  return found;
}

/** Returns the catalogue's paths for a kind as a tree of path segments. */
export function branchOf(facts: KindFact): Branch {
  const known = branches.get(facts);
  if (known !== undefined) return known;
  const root = newBranch();
  for (const fact of facts.labels) putFieldSite(root, fact.path, { kind: 'labels', fact });
  for (const fact of facts.templates) putFieldSite(root, fact.path, { kind: 'template', fact });
  for (const fact of facts.selectors) {
    putFieldSite(root, fact.path, { kind: 'selector', fact });
    if (fact.ignored !== undefined) putFieldSite(root, fact.ignored.at, { kind: 'switch', fact: fact.ignored });
  }
  for (const fact of [...facts.labelKeys, ...labelKeyFields(facts)])
    putFieldSite(root, fact.path, { kind: 'labelKey', fact });
  branches.set(facts, root);
  return root;
}

/** Finds all nodes at the paths in a tree of path segments. */
export function findAt(root: Node, branch: Branch): readonly Found[] {
  const found: Found[] = [];
  visit(root, undefined, '', branch, found);
  return found;
}

/** Returns an empty tree of path segments. */
export function newBranch(): Branch {
  return { places: [], children: new Map() };
}

/** Adds a fact about the field at a path to a tree of path segments. */
export function putFieldSite(root: Branch, path: string, site: FieldSite): void {
  let branch = root;
  for (const segment of segmentsOf(path)) {
    let next = branch.children.get(segment);
    if (next === undefined) {
      next = newBranch();
      branch.children.set(segment, next);
    }
    branch = next;
  }
  branch.places.push(site);
}

/** Splits a path into segments: `spec.ingress[].from` becomes `spec`, `ingress`, `[]`, `from`. In a segment, `·` represents a dot. */
export function segmentsOf(path: string): readonly string[] {
  return path.split('.').flatMap((each) => {
    const part = each.replaceAll('·', '.');
    const brackets = part.indexOf('[]');
    const name = brackets === -1 ? part : part.slice(0, brackets);
    const lists = Array.from({ length: (part.length - name.length) / 2 }, () => '[]');
    return name === '' ? lists : [name, ...lists];
  });
}

/** Returns a catalogue path with the list indexes of a related path: `spec.ingress[].from` with the indexes of `spec.ingress[2].to` is `spec.ingress[2].from`. */
export function concretePath(path: string, beside: string): string {
  if (!path.includes('[')) return path;
  const numbers = beside.match(/\[\d+\]/g) ?? [];
  let next = 0;
  return path.replaceAll('[]', () => numbers[next++] ?? '[]');
}

/** Returns the node at a path such as `spec.terms[0].namespaces`. */
export function nodeAt(root: Node, path: string): Node | undefined {
  let node: Node | undefined = root;
  const steps = path.includes('[') ? path.replaceAll('[', '.').replaceAll(']', '') : path;
  for (const step of steps.split('.')) {
    if (node?.kind === 'list') node = node.items[Number(step)];
    else node = childOf(node, step);
  }
  return node;
}

/** Returns the items of the lists at a path of the catalogue that ends with `[]`, with their paths. */
export function itemsAt(root: Node, path: string): readonly Pick<Found, 'path' | 'node'>[] {
  return segmentsOf(path).reduce<readonly Pick<Found, 'path' | 'node'>[]>(
    (found, segment) =>
      found.flatMap(({ path: at, node }) => {
        if (segment === '[]') return itemsOf(node).map((item, index) => ({ path: `${at}[${index}]`, node: item }));
        const child = childOf(node, segment);
        return child === undefined ? [] : [{ path: at === '' ? segment : `${at}.${segment}`, node: child }];
      }),
    [{ path: '', node: root }],
  );
}

function visit(
  node: Node,
  entry: MapEntry | undefined,
  path: string,
  branch: Branch,
  found: Found[],
  before?: Node,
): void {
  for (const place of branch.places) found.push({ place, path, node, entry });
  if (branch.children.size === 0) return;
  if (node.kind === 'list') {
    const items = branch.children.get('[]');
    if (items === undefined) return;
    const those = itemsOf(before);
    for (const [index, item] of node.items.entries()) {
      const at = `${path}[${index}]`;
      if (item === those[index]) found.push({ place: same, path: at, node: item, entry: undefined });
      else visit(item, undefined, at, items, found, those[index]);
    }
  } else if (node.kind === 'map') {
    const every = branch.children.get('*');
    for (const each of effectiveEntries(node)) {
      const next = branch.children.get(each.key.text);
      if (next === undefined && every === undefined) continue;
      const below = path === '' ? each.key.text : `${path}.${each.key.text}`;
      const there = childOf(before, each.key.text);
      if (each.value === there) {
        found.push({ place: same, path: below, node: there, entry: each });
        continue;
      }
      if (next !== undefined) visit(each.value, each, below, next, found, there);
      if (every !== undefined) visit(each.value, each, below, every, found, there);
    }
  }
}
