/**
 * How is an object built, as far as labels, selectors and names go? Its tree again, made of its facts: a closed file keeps
 * no other. Everything that the catalogue's paths can reach is in it, and nothing else.
 */

import type {
  Expression,
  LabelEntry,
  LabelSite,
  ManifestObject,
  Mark,
  SelectorSite,
  Written,
} from '../../manifests/manifest.ts';
import type { MapEntry, MapNode, Node, ScalarNode } from '../../manifests/tree.ts';
import type { Span } from '../../text/span.ts';
import { entryFor, listOf, mapOf, scalarOf } from './nodes.ts';

/** The tree of an object, made anew. */
export function partialTree(object: ManifestObject): MapNode {
  const draft = new Draft(object.kindSpan);
  const { group, version, kind, kindSpan } = object;
  draft.put(['apiVersion'], scalarOf(group === '' ? version : `${group}/${version}`, kindSpan));
  draft.put(['kind'], scalarOf(kind, kindSpan));
  for (const field of ['name', 'generateName', 'namespace'] as const) {
    const value = object[field];
    if (value !== undefined) draft.put(['metadata', field], scalarNode(value));
  }
  for (const { path, fact } of object.templates) if (fact.path !== '') draft.open(segmentsOf(path));
  for (const site of object.labelSites) draft.put(segmentsOf(site.path), labelsNode(site), site.keySpan);
  for (const site of object.selectorSites) draft.put(segmentsOf(site.path), selectorNode(site), site.keySpan);
  for (const { path, key } of object.labelKeySites) draft.put(segmentsOf(path), scalarNode(key));
  for (const mark of object.marks ?? []) draft.mark(mark);
  return draft.finished();
}

/** `spec.ingress[0].from` is `spec`, `ingress`, 0, `from`. */
export function segmentsOf(path: string): readonly (string | number)[] {
  if (path === '') return [];
  if (!path.includes('[')) return path.split('.');
  return path.split('.').flatMap((part) => {
    const [name = '', ...numbers] = part.split('[');
    return [name, ...numbers.map((number) => Number.parseInt(number, 10))];
  });
}

function scalarNode({ text, value, type, style, span }: Written): ScalarNode | MapNode {
  // Of a map in the place of a value nobody knows more than that it is one.
  if (type === 'map' || type === 'list') return mapOf([], span);
  const pattern = typeof value === 'string' ? undefined : value.pattern;
  return { kind: 'scalar', span, text, style, type, ...(pattern !== undefined && { pattern }) };
}

function keyNode(key: Written): ScalarNode {
  const node = scalarNode(key);
  return node.kind === 'scalar' ? node : scalarOf('', key.span);
}

function labelsNode({ entries, span, open }: LabelSite): MapNode {
  return mapOf(entries.map(entryNode), span, open);
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
      return mapOf(site.entries.map(entryNode), span, open);
    case 'labelSelector':
    case 'matchLabelsOnly':
    case 'matchExpressionsOnly':
      return mapOf(labelSelectorEntries(site), span, open);
    case 'requirements':
      return listOf(site.expressions.map(expressionNode), span, open);
    default:
      return site.text === undefined ? dataNode(data, span) : scalarNode(site.text);
  }
}

function labelSelectorEntries({ data, span, entries, expressions }: SelectorSite): readonly MapEntry[] {
  const said = typeof data === 'object' && data !== null ? data : {};
  const nodes: MapEntry[] = [];
  if ('matchLabels' in said || entries.length > 0) {
    const labels = 'matchLabels' in said && said.matchLabels === null;
    const node: Node = labels ? { ...scalarOf('', span), type: 'null' } : mapOf(entries.map(entryNode), span);
    nodes.push(entryFor(scalarOf('matchLabels', span), node));
  }
  if ('matchExpressions' in said || expressions.length > 0) {
    nodes.push(entryFor(scalarOf('matchExpressions', span), listOf(expressions.map(expressionNode), span)));
  }
  return nodes;
}

function expressionNode({ span, key, operator, values }: Expression): Node {
  const entries: MapEntry[] = [];
  if (key !== undefined) entries.push(entryFor(scalarOf('key', span), scalarNode(key)));
  if (operator !== undefined) entries.push(entryFor(scalarOf('operator', span), scalarNode(operator)));
  if (values.length > 0) entries.push(entryFor(scalarOf('values', span), listOf(values.map(scalarNode), span)));
  return mapOf(entries, span);
}

/** Plain data as `plainData` writes it. */
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
  readonly children: Map<string | number, Branch>;
  node?: Node;
  key?: Span;
  length: number;
  isNull: boolean;
  directive: string | undefined;
}

/** Collects what stands where, and makes nodes of it in the end. */
class Draft {
  readonly #root = newBranch();
  readonly #span: Span;

  constructor(span: Span) {
    this.#span = span;
  }

  put(path: readonly (string | number)[], node: Node, key?: Span): void {
    const branch = this.open(path);
    branch.node = node;
    if (key !== undefined) branch.key = key;
  }

  open(path: readonly (string | number)[]): Branch {
    let branch = this.#root;
    for (const segment of path) {
      let next = branch.children.get(segment);
      if (next === undefined) {
        next = newBranch();
        branch.children.set(segment, next);
      }
      if (typeof segment === 'number') branch.length = Math.max(branch.length, segment + 1);
      branch = next;
    }
    return branch;
  }

  mark({ path, is }: Mark): void {
    const branch = this.open(segmentsOf(path));
    if (typeof is === 'number') branch.length = Math.max(branch.length, is);
    else if (is === 'null') branch.isNull = true;
    else if (typeof is === 'object') this.put(segmentsOf(path), scalarOf(is.text, this.#span));
    else branch.directive = is;
  }

  finished(): MapNode {
    const node = this.#node(this.#root);
    return node.kind === 'map' ? node : mapOf([], this.#span);
  }

  #node(branch: Branch): Node {
    const { node, children, length, isNull, directive } = branch;
    if (isNull) return { ...scalarOf('', this.#span), type: 'null' };
    if (node !== undefined && children.size === 0) return withDirective(node, directive);
    if (length >= 0) {
      const items = Array.from({ length }, (_, index) => this.#node(children.get(index) ?? newBranch()));
      return listOf(items, this.#span);
    }
    const own = node?.kind === 'map' ? node.entries : [];
    const below = [...children].map(([key, child]) =>
      entryFor(scalarOf(String(key), child.key ?? this.#span), this.#node(child)),
    );
    return withDirective(mapOf([...own, ...below], node?.span ?? this.#span), directive);
  }
}

function withDirective(node: Node, directive: string | undefined): Node {
  if (directive === undefined || node.kind !== 'map') return node;
  if (node.entries.some(({ key }) => key.text === '$patch')) return node;
  return mapOf([entryFor(scalarOf('$patch', node.span), scalarOf(directive, node.span)), ...node.entries], node.span);
}

function newBranch(): Branch {
  return { children: new Map(), length: -1, isNull: false, directive: undefined };
}
