/** Rebuilds the syntax tree of an object from its facts, since no tree is stored for a closed file. The tree contains exactly the nodes that paths of the catalogue can reach. */

import type { Value } from '../../engine/index.ts';
import { BoundedMap, getOrAdd } from '../../engine/memoize.ts';
import type {
  Expression,
  LabelEntry,
  LabelSite,
  ManifestObject,
  Mark,
  SelectorSite,
  Written,
} from '../../manifests/model.ts';
import { concretePath } from '../../manifests/sites/catalogue-paths.ts';
import { type ListedItem, listedItems } from '../../manifests/sites/field-values.ts';
import type { MapEntry, MapNode, Node, ScalarNode } from '../../manifests/yaml/tree.ts';
import type { Span } from '../../text/span.ts';
import { entryFor, listOf, mapOf, scalarOf } from './edit-tree.ts';

export function partialTree(object: ManifestObject): MapNode {
  const draft = new Draft(object.kindSpan);
  const { group, version, kind, kindSpan } = object;
  draft.put(['apiVersion'], scalarOf(group === '' ? version : `${group}/${version}`, kindSpan));
  draft.put(['kind'], scalarOf(kind, kindSpan));
  for (const field of ['name', 'generateName', 'namespace'] as const) {
    const value = object[field];
    if (value !== undefined) draft.put(['metadata', field], scalarNode(value));
  }
  // The spec of a policy or a GitOps object is complete, including its selectors and its template.
  const isWhole = [object.policySpec, object.gitopsSpec].some((part) => part !== undefined) || hasContent(object);
  const isKept = ({ path }: { readonly path: string }) => isWhole && path.startsWith('spec');
  const templates = object.templates.filter((template) => !isKept(template));
  for (const { path, fact } of templates) if (fact.path !== '') draft.open(segmentsOf(path));
  for (const { path, ports } of [{ path: '', ports: object.ports }, ...templates])
    if (ports?.network !== undefined) putNetwork(draft, segmentsOf(path), ports.network);
  for (const { path, fieldValues } of [{ path: '', fieldValues: object.fieldValues }, ...templates])
    for (const [field, value] of Object.entries(fieldValues ?? {}))
      putField(draft, [...segmentsOf(path), ...field.split('.')], value, kindSpan, listedItems(field, value));
  if (object.policySpec !== undefined) draft.put(['spec'], object.policySpec);
  if (object.networkSpec?.kind === 'map')
    for (const { key, value } of object.networkSpec.entries) draft.put([key.text], value);
  if (object.meshConfig !== undefined) draft.put(['data', 'mesh'], object.meshConfig);
  if (object.addresses?.kind === 'map')
    for (const { key: part, value: fields } of object.addresses.entries)
      if (fields.kind === 'map')
        for (const { key, value } of fields.entries) draft.put([part.text, key.text], value, key.span);
  if (object.gitopsSpec !== undefined) draft.put(['spec'], object.gitopsSpec);
  if (object.variables !== undefined) draft.put(['data'], object.variables);
  for (const site of object.labelSites)
    if (!isKept(site)) draft.put(segmentsOf(site.path), labelsNode(site), site.keySpan);
  for (const site of object.selectorSites)
    if (site.state !== 'absent' && !isKept(site)) {
      const path = segmentsOf(site.path);
      draft.put(path, selectorNode(site), site.keySpan);
      if (site.weight !== undefined) draft.put([...path.slice(0, -1), 'weight'], dataNode(site.weight, site.keySpan));
      putNamespaces(draft, site);
    }
  for (const { path, key, text = key } of object.labelKeySites) draft.put(segmentsOf(path), scalarNode(text));
  for (const mark of object.marks ?? []) if (!isKept(mark)) draft.mark(mark);
  return draft.finished();
}

/** Whether the stored parts of a policy of a network plugin or mesh are its whole content. */
function hasContent({ networkSpec }: ManifestObject): boolean {
  return networkSpec !== undefined && (networkSpec.kind !== 'map' || networkSpec.entries.length > 0);
}

function putNamespaces(draft: Draft, { fact: { reach }, path, keySpan, namespaces }: SelectorSite): void {
  if (namespaces === undefined || typeof reach === 'string') return;
  const { names, any, open, isSingle } = namespaces;
  const put = (at: string, node: Node) => draft.put(segmentsOf(concretePath(at, path)), node);
  const nodes = names.map((name) => dataNode(name, keySpan));
  const node = (isSingle ? nodes[0] : undefined) ?? listOf(nodes, keySpan, open);
  if (reach.namesAt !== undefined && (names.length > 0 || open || any === false)) put(reach.namesAt, node);
  if (reach.anyAt !== undefined && any !== false)
    put(reach.anyAt, any === true ? scalarOf('true', keySpan) : { ...scalarOf('', keySpan), pattern: '*' });
}

/** Adds a field that field selectors support, or the items of a list that decides on scheduling, which may contain selectors, too. */
function putField(
  draft: Draft,
  path: Segments,
  value: Value,
  span: Span,
  items: readonly ListedItem[] | undefined,
): void {
  const fields = items?.map((item) => Object.entries(item).filter(([, text]) => text !== '')) ?? [];
  // Items without any field would be lost.
  if (fields.length === 0 || fields.some(({ length }) => length === 0)) draft.put(path, dataNode(value, span));
  else
    for (const [index, known] of fields.entries())
      for (const [name, text] of known) draft.put([...path, index, name], dataNode(text ?? { unknown: name }, span));
}

/** Adds the ports of containers to the other parts of the containers. */
function putNetwork(draft: Draft, path: Segments, network: Node): void {
  if (network.kind !== 'map') return;
  for (const { key, value } of network.entries) {
    const at = [...path, 'spec', key.text];
    if (value.kind !== 'list') draft.put(at, value);
    else
      for (const [index, item] of value.items.entries()) {
        if (item.kind !== 'map') continue;
        for (const entry of item.entries) draft.put([...at, index, entry.key.text], entry.value, entry.key.span);
      }
  }
}

type Segments = readonly (string | number)[];

/** Caches split paths, because few different paths occur. */
const knownSegments = new BoundedMap<string, Segments>(500);

/** Splits a path: `spec.ingress[0].from` becomes `spec`, `ingress`, 0, `from`. */
function segmentsOf(path: string): Segments {
  return getOrAdd(knownSegments, path, splitPath);
}

function splitPath(path: string): Segments {
  if (path === '') return [];
  return path.split('.').flatMap((part) => {
    const [name = '', ...numbers] = part.split('[');
    return [name, ...numbers.map((number) => Number.parseInt(number, 10))];
  });
}

function scalarNode({ text, value, type, style, span, tagged }: Written): ScalarNode | MapNode {
  // A map that replaces a value has unknown content.
  if (type === 'map' || type === 'list') return mapOf([], span);
  const pattern = typeof value === 'string' ? undefined : value.pattern;
  if (pattern !== undefined) return { kind: 'scalar', span, text, style, type, pattern };
  if (tagged) return { kind: 'scalar', span, text, style, type, tagged };
  return { kind: 'scalar', span, text, style, type };
}

function keyNode(key: Written): ScalarNode {
  const node = scalarNode(key);
  return node.kind === 'scalar' ? node : scalarOf('', key.span);
}

function labelsNode({ entries, span, open, parts }: LabelSite): MapNode {
  return mapWithParts(entries, span, open, parts);
}

/** Returns a map with the template parts of its site. The parts for entries that may not exist, or whose keys are unknown, are last. */
function mapWithParts(
  entries: readonly LabelEntry[],
  span: Span,
  open: boolean,
  parts: readonly string[] | undefined,
): MapNode {
  const nodes = entries.map(entryNode);
  if (parts === undefined) return mapOf(nodes, span, open);
  let at = parts.length;
  for (const [index, entry] of [...nodes.entries()].toReversed()) {
    const { key, value, conditional } = entry;
    if (!conditional && key.pattern === undefined) continue;
    const part = parts[--at] ?? '';
    if (!conditional || part === '' || value.kind !== 'scalar') continue;
    nodes[index] = { ...entry, condition: part.slice(0, -`, ${key.text}=${value.text}`.length) };
  }
  const others = parts.slice(0, Math.max(at, 0));
  if (others.length === 0) return mapOf(nodes, span);
  return { ...mapOf(nodes, span, true), parts: others };
}

function entryNode({ key, value, merged, conditional }: LabelEntry): MapEntry {
  return { key: keyNode(key), value: scalarNode(value), merged, conditional };
}

function selectorNode(site: SelectorSite): Node {
  const { fact, data, span, open, state } = site;
  if (state === 'null') return { ...scalarOf('', span), type: 'null' };
  switch (fact.form) {
    case 'map':
    case 'nodeSelectorMap':
      return mapWithParts(site.entries, span, open, site.parts);
    case 'labelSelector':
    case 'matchLabelsOnly':
    case 'matchExpressionsOnly':
      // A selector with parts is open only in its `matchLabels`.
      return mapOf(labelSelectorEntries(site), span, open && site.parts === undefined);
    case 'requirements':
      return listOf(site.expressions.map(expressionNode), span, open);
    default:
      return site.text === undefined ? dataNode(data, span) : scalarNode(site.text);
  }
}

function labelSelectorEntries(site: SelectorSite): readonly MapEntry[] {
  const { data, span, entries, expressions } = site;
  const described = typeof data === 'object' && data !== null ? data : {};
  // Other fields are part of the data only if the API server rejects them.
  const isRejected =
    !('matchLabels' in described || 'matchExpressions' in described) && Object.keys(described).length > 0;
  const rejected = isRejected ? dataNode(data, span) : undefined;
  if (rejected?.kind === 'map') return rejected.entries;
  const labels = 'matchLabels' in described || entries.length > 0 ? matchLabelsEntry(site, described) : undefined;
  if (!('matchExpressions' in described) && expressions.length === 0) return labels === undefined ? [] : [labels];
  const list = listOf(expressions.map(expressionNode), span);
  const asked = entryFor(scalarOf('matchExpressions', span), list);
  return labels === undefined ? [asked] : [labels, asked];
}

function matchLabelsEntry({ span, entries, parts }: SelectorSite, described: object): MapEntry {
  const isNull = 'matchLabels' in described && described.matchLabels === null;
  const node: Node = isNull ? { ...scalarOf('', span), type: 'null' } : mapWithParts(entries, span, false, parts);
  return entryFor(scalarOf('matchLabels', span), node);
}

function expressionNode({ span, key, operator, values }: Expression): Node {
  const entries: MapEntry[] = [];
  if (key !== undefined) entries.push(entryFor(scalarOf('key', span), scalarNode(key)));
  if (operator !== undefined) entries.push(entryFor(scalarOf('operator', span), scalarNode(operator)));
  if (values.length > 0) entries.push(entryFor(scalarOf('values', span), listOf(values.map(scalarNode), span)));
  return mapOf(entries, span);
}

/** Converts plain data, as `plainData` returns it, to a node. */
function dataNode(data: unknown, span: Span): Node {
  if (Array.isArray(data)) {
    return listOf(
      data.map((item) => dataNode(item, span)),
      span,
    );
  }
  if (typeof data !== 'object' || data === null) {
    return data === null || data === undefined ? { ...scalarOf('', span), type: 'null' } : scalarOf(String(data), span);
  }
  if ('unknown' in data && typeof data.unknown === 'string') {
    const pattern = 'pattern' in data && typeof data.pattern === 'string' ? data.pattern : '*';
    return { ...scalarOf(data.unknown, span), pattern };
  }
  return mapOf(
    Object.entries(data).map(([key, value]) => entryFor(scalarOf(key, span), dataNode(value, span))),
    span,
  );
}

interface Branch {
  /** Created lazily, because most branches are leaves. */
  children: Map<string | number, Branch> | undefined;
  node: Node | undefined;
  key: Span | undefined;
  /** The minimum length, if the node is a list. */
  length: number;
  isNull: boolean;
  directive: string | undefined;
}

/** Collects nodes by path, and builds the tree at the end. */
class Draft {
  readonly #root = newBranch();
  readonly #span: Span;

  constructor(span: Span) {
    this.#span = span;
  }

  put(path: Segments, node: Node, key?: Span): void {
    const branch = this.open(path);
    branch.node = node;
    if (key !== undefined) branch.key = key;
  }

  open(path: Segments): Branch {
    let branch = this.#root;
    for (const segment of path) {
      if (typeof segment === 'number') branch.length = Math.max(branch.length, segment + 1);
      branch.children ??= new Map();
      branch = getOrAdd(branch.children, segment, newBranch);
    }
    return branch;
  }

  mark({ path, is }: Mark): void {
    const branch = this.open(segmentsOf(path));
    if (typeof is === 'number') branch.length = Math.max(branch.length, is);
    else if (is === 'null') branch.isNull = true;
    else if (typeof is === 'object') branch.node = { ...scalarOf(is.text, this.#span), ...patternOf(is) };
    else branch.directive = is;
  }

  finished(): MapNode {
    const node = this.#node(this.#root);
    return node.kind === 'map' ? node : mapOf([], this.#span);
  }

  #node({ node, children, length, isNull, directive }: Branch): Node {
    if (isNull) return { ...scalarOf('', this.#span), type: 'null' };
    if (node !== undefined && children === undefined) return withDirective(node, directive);
    if (length >= 0) {
      const items = Array.from({ length }, (_, index) => this.#node(children?.get(index) ?? newBranch()));
      return listOf(items, this.#span);
    }
    const below = children === undefined ? [] : this.#entries(children);
    const entries = node?.kind === 'map' ? node.entries.concat(below) : below;
    return withDirective(mapOf(entries, node?.span ?? this.#span), directive);
  }

  #entries(children: ReadonlyMap<string | number, Branch>): readonly MapEntry[] {
    const entries: MapEntry[] = new Array(children.size);
    let at = 0;
    children.forEach((child, segment) => {
      entries[at++] = entryFor(scalarOf(String(segment), child.key ?? this.#span), this.#node(child));
    });
    return entries;
  }
}

function withDirective(node: Node, directive: string | undefined): Node {
  if (directive === undefined || node.kind !== 'map') return node;
  if (node.entries.some(({ key }) => key.text === '$patch')) return node;
  return mapOf([entryFor(scalarOf('$patch', node.span), scalarOf(directive, node.span)), ...node.entries], node.span);
}

function patternOf({ pattern }: { readonly pattern?: string }): Pick<ScalarNode, 'pattern'> {
  return pattern === undefined ? {} : { pattern };
}

function newBranch(): Branch {
  return { children: undefined, node: undefined, key: undefined, length: -1, isNull: false, directive: undefined };
}
