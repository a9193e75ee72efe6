/** Builds the sites of labels and selectors from a syntax node and the catalogue's fact about its path. */

import { type CalicoTree, parseCalicoSelector, splitCalico } from '../../engine/calico/index.ts';
import type { LabelField, SelectorFact } from '../../engine/catalogue/types.ts';
import { ciliumOwnRequirements } from '../../engine/cilium/own-requirements.ts';
import {
  type FieldSelector,
  fromLabelSelector,
  fromMap,
  fromNodeSelector,
  type LabelSet,
  type NodeSelector,
  type Parsed,
  type Placeholder,
  type Problem,
  parseFieldSelector,
  parseSelector,
  type Selector,
  type Value,
} from '../../engine/index.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import { isAddedByIstio } from '../../engine/policies/istio.ts';
import { fieldOf, isRecord } from '../../engine/structured.ts';
import { localize } from '../../text/localize.ts';
import type { Span } from '../../text/span.ts';
import { onlyAction } from '../helm/output.ts';
import type {
  Expression,
  LabelEntry,
  LabelSite,
  Mutable,
  NamespaceNames,
  NotMap,
  SelectorSite,
  Written,
} from '../model.ts';
import { plainData, put, scalarValue } from '../yaml/plain-data.ts';
import { readKey } from '../yaml/scalar-types.ts';
import {
  childOf,
  entryOf,
  itemsOf,
  type MapEntry,
  type MapNode,
  type Node,
  type ScalarNode,
  treeSizeOf,
} from '../yaml/tree.ts';
import { writtenPiece } from './string-pieces.ts';
import { expressionsData, isUnknownList } from './unknown-lists.ts';

/** Returns the notation and position of a node. For a map or list, the span is only its start, because messages never refer to a whole block. */
export function written(node: Node): Written {
  if (node.kind !== 'scalar') {
    const span = { start: node.span.start, end: Math.min(node.span.start + 1, node.span.end) };
    return {
      text: '',
      value: { unknown: localize`${node.kind} at ${node.span.start}` },
      // The output of a template below the key may be a string instead of a map.
      type: node.kind === 'map' && node.open && node.entries.length === 0 ? 'string' : node.kind,
      style: 'plain',
      span,
    };
  }
  const { text, type, style, span, origin, anchored, tagged, replaced, letters } = node;
  const value = scalarValue(node);
  const plain = { text, value, type, style, span };
  if (letters !== undefined) return { ...plain, letters };
  if (replaced !== undefined) return { ...plain, ...(origin && { origin }), replaced };
  if (origin === undefined && anchored === undefined && tagged === undefined) return plain;
  return { ...plain, ...(origin && { origin }), ...(anchored && { anchored }), ...(tagged && { tagged }) };
}

/** Returns the namespace in the metadata of an object; undefined for an empty string or null, because the namespace is then determined when the object is applied. */
export function namespaceIn(metadata: Node | undefined): ScalarNode | undefined {
  const node = childOf(metadata, 'namespace');
  return node?.kind === 'scalar' && node.type !== 'null' && node.text !== '' ? node : undefined;
}

/** The previous version of a map of labels or annotations, and its site. */
export interface LabelsBefore {
  readonly node: MapNode;
  readonly site: LabelSite;
}

/** Builds the site of a map of labels or annotations. If the field contains a scalar or list instead of a map, the site has no entries. */
export function labelSite(path: string, field: LabelField, entry: MapEntry, before?: LabelsBefore): LabelSite {
  const node = entry.value;
  const unknown = node.kind === 'scalar' && node.pattern !== undefined;
  const site: Mutable<LabelSite> = {
    path,
    place: field,
    keySpan: entry.key.span,
    span: node.kind === 'map' ? node.span : entry.key.span,
    entries: labelEntries(node, before),
    open: unknown || (node.kind === 'map' && node.open),
  };
  const parts = partsIn(node);
  if (parts !== undefined) site.parts = parts;
  const notMap = notMapIn(node);
  if (notMap !== undefined) site.notMap = notMap;
  return site;
}

/** Returns the value of a field that must be a map, if it is certainly not a map; undefined if it depends on a template. */
function notMapIn(node: Node): NotMap | undefined {
  if (node.kind === 'map') return undefined;
  if (node.kind === 'list') {
    const isWritten = !node.open && node.items.every((item) => item.kind !== 'scalar' || item.pattern === undefined);
    return isWritten ? { type: 'list', text: '', span: node.span } : undefined;
  }
  if (node.type === 'null' || node.pattern !== undefined || node.rendered === true) return undefined;
  return { type: node.type, text: node.text, span: node.span };
}

/** Returns the template code of the parts that a template adds to a map; an empty string represents a part that cannot be compared. */
function partsIn(node: Node | undefined): readonly string[] | undefined {
  if (node?.kind === 'scalar' && node.text.startsWith('{{ toJson ')) {
    const code = onlyAction(node.text);
    return code === undefined ? undefined : [code];
  }
  if (node?.kind !== 'map' || !isOpen(node)) return undefined;
  const parts = [...(node.parts ?? []), ...node.entries.flatMap(partOf)];
  return parts.length === 0 ? undefined : parts;
}

/** Returns the template code for an entry that may not exist, or whose key is unknown. */
function partOf({ key, value, conditional, condition }: MapEntry): readonly string[] {
  if (!conditional && key.pattern === undefined) return [];
  if ((conditional && condition === undefined) || value.kind !== 'scalar') return [''];
  return [`${condition ?? ''}, ${key.text}=${value.text}`];
}

/** Returns the entries in a map of labels. Entries that are unchanged since `before` are reused. */
export function labelEntries(node: Node | undefined, before?: LabelsBefore): readonly LabelEntry[] {
  if (node?.kind !== 'map') return [];
  return node.entries.map((entry, index) => {
    const known = before?.node.entries[index] === entry ? before.site.entries[index] : undefined;
    return known ?? labelEntry(entry);
  });
}

function labelEntry(entry: MapEntry): LabelEntry {
  const key = written(entry.key);
  const value = written(entry.value);
  const rendered = entry.rendered === true || isRendered(entry.key) || isRendered(entry.value);
  if (!rendered) return { key, value, merged: entry.merged, conditional: entry.conditional };
  return { key, value, merged: true, conditional: entry.conditional, rendered };
}

function isRendered(node: Node): boolean {
  return node.kind === 'scalar' && node.rendered === true;
}

/** Returns the labels that a map certainly has, and whether it may have further labels. */
export function knownLabels(
  entries: readonly LabelEntry[],
  open: boolean,
): { readonly labels: Readonly<Record<string, Value>>; readonly open: boolean } {
  const labels: Record<string, Value> = {};
  let others = open;
  for (const { key, value, conditional } of entries) {
    if (conditional || typeof key.value !== 'string') {
      others = true;
      continue;
    }
    put(labels, readKey(key), value.value);
  }
  return { labels, open: others };
}

/** Builds the site of a field that contains a selector. With `rejectsUnknownFields`, a label selector that contains only unknown fields is invalid; without it, such a selector is treated as empty. */
export function selectorSite(
  path: string,
  fact: SelectorFact,
  node: Node,
  key: Span,
  namespaces?: NamespaceNames,
  rejectsUnknownFields = false,
): SelectorSite {
  const isNull = node.kind === 'scalar' && node.type === 'null';
  const isReadable = treeSizeOf(node).size <= maximumSelectorSize;
  const shape = isReadable ? shapeOf(fact, node) : unreadable;
  const open = shape.open || (node.kind === 'scalar' && node.pattern !== undefined);
  return new Site({
    path,
    fact: fact.form === 'calicoSelector' && isGlobalSelector(node) ? ofGlobals(fact) : fact,
    keySpan: key,
    span: isNull ? key : node.span,
    state: isNull ? 'null' : isEmptySelector(fact, node, rejectsUnknownFields) && !open ? 'empty' : 'present',
    entries: shape.entries,
    expressions: shape.expressions,
    text: node.kind === 'scalar' && !isNull ? written(node) : undefined,
    open,
    parts: open ? shape.parts : undefined,
    data: isNull || !isReadable ? null : selectorData(fact, node, rejectsUnknownFields),
    namespaces,
  });
}

/** Whether a node is the selector `global()` of Calico, which selects what is in no namespace. */
function isGlobalSelector(node: Node): boolean {
  return node.kind === 'scalar' && /^[\t ]*global\([\t ]*\)[\t ]*$/.test(node.text);
}

const globals = ['projectcalico.org', 'crd.projectcalico.org'].flatMap((group) =>
  ['HostEndpoint', 'GlobalNetworkSet'].map((kind) => ({ group, kind })),
);
const factsOfGlobals = new WeakMap<SelectorFact, SelectorFact>();

/** Returns the fact about a selector of namespaces that contains `global()`. */
function ofGlobals(fact: SelectorFact): SelectorFact {
  const isOfNamespaces = fact.targets.some(({ kind }) => kind === 'Namespace');
  return isOfNamespaces ? getOrAdd(factsOfGlobals, fact, () => ({ ...fact, targets: globals })) : fact;
}

/** A selector site without the selectors that are parsed from its data. */
export type BareSelectorSite = Omit<SelectorSite, 'selector' | 'nodeSelector' | 'fieldSelector'>;

/** Returns a site whose selector is parsed on first access, in the form that the catalogue defines for the field. `text` is the result of `dataText` for the site, if it is already known. */
export function withSelectors(site: BareSelectorSite, text?: string): SelectorSite {
  return new Site(site, text);
}

export function dataText(site: BareSelectorSite): string {
  return site instanceof Site ? site.dataText : JSON.stringify(site.data);
}

/**
 * A site whose selectors are parsed lazily. They are accessors of the class, so spreading a site into a new object neither
 * parses nor copies them. All sites have the same fields in the same order, because V8 optimizes functions for each order.
 */
class Site implements SelectorSite {
  readonly path: string;
  readonly fact: SelectorFact;
  readonly keySpan: Span;
  readonly span: Span;
  readonly state: SelectorSite['state'];
  readonly entries: readonly LabelEntry[];
  readonly expressions: readonly Expression[];
  readonly text: Written | undefined;
  readonly defaults: LabelSet | undefined;
  readonly aloneInPeer: true | undefined;
  readonly open: boolean;
  readonly placeholders: SelectorSite['placeholders'];
  readonly parts: readonly string[] | undefined;
  readonly data: unknown;
  readonly namespaces: NamespaceNames | undefined;
  readonly weight: Value | undefined;
  #labels: { readonly value: Parsed<Selector> | undefined } | undefined;
  #dataText: string | undefined;

  constructor(site: BareSelectorSite, text?: string) {
    this.path = site.path;
    this.fact = site.fact;
    this.keySpan = site.keySpan;
    this.span = site.span;
    this.state = site.state;
    this.entries = site.entries;
    this.expressions = site.expressions;
    this.text = site.text;
    this.defaults = site.defaults;
    this.aloneInPeer = site.aloneInPeer;
    this.open = site.open;
    this.placeholders = site.placeholders;
    this.parts = site.parts;
    this.data = site.data;
    this.namespaces = site.namespaces;
    this.weight = site.weight;
    this.#dataText = text;
  }

  get dataText(): string {
    this.#dataText ??= JSON.stringify(this.data);
    return this.#dataText;
  }

  get selector(): Parsed<Selector> | undefined {
    this.#labels ??= { value: labelSelectorOf(this) };
    return this.#labels.value;
  }

  get nodeSelector(): Parsed<NodeSelector> | undefined {
    if (isTooLarge(this)) return undefined;
    if (this.fact.form === 'nodeSelector') return fromNodeSelector(this.data);
    return this.fact.form === 'nodeSelectorTerm' ? fromNodeSelector({ nodeSelectorTerms: [this.data] }) : undefined;
  }

  get fieldSelector(): Parsed<FieldSelector> | undefined {
    if (this.fact.form !== 'fieldSelectorString' || typeof this.data !== 'string') return undefined;
    return parseFieldSelector(this.data);
  }
}

function labelSelectorOf({
  path,
  fact,
  state,
  open,
  data,
  placeholders,
}: BareSelectorSite): Parsed<Selector> | undefined {
  if (isTooLarge({ state, data })) return undefined;
  switch (fact.form) {
    case 'map':
    case 'nodeSelectorMap':
      return fact.language === 'istio' ? withoutAdded(fromMap(data)) : fromMap(data);
    case 'calicoSelector':
      return calicoSelector(path, state, data, placeholders);
    case 'labelSelector':
    case 'matchLabelsOnly':
    case 'matchExpressionsOnly':
      if (fact.language === 'cilium') return data === null ? fromLabelSelector({}) : ciliumOwnRequirements(data);
      if (fact.language === 'rules' && !fact.plain) return fromLabelSelector(withoutWildcards(data));
      if (fact.language === 'istio') return withoutAdded(fromLabelSelector(data));
      return hasOnlyUnknownFields(data) ? { ok: false, problems: [unknownFields] } : fromLabelSelector(data);
    case 'requirements':
      return fromLabelSelector(data === null ? null : { matchExpressions: data });
    case 'string':
      return typeof data === 'string' ? parseSelector(data, placeholders) : undefined;
    default:
      return fact.form === 'other' && state === 'absent' && !open ? fromMap({}) : undefined;
  }
}

/** Returns a selector without entries of `matchLabels` with wildcards, which Kyverno compares in its own way. */
function withoutWildcards(data: unknown): unknown {
  const labels = fieldOf(data, 'matchLabels');
  if (!isRecord(labels) || !isRecord(data)) return data;
  const hasWildcard = (text: unknown) => typeof text === 'string' && /[*?]/.test(text);
  const entries = Object.entries(labels).filter((entry) => !entry.some(hasWildcard));
  return { ...data, matchLabels: Object.fromEntries(entries) };
}

/** Returns a selector without requirements on labels that Istio adds, which may hold for any workload. */
function withoutAdded(read: Parsed<Selector>): Parsed<Selector> {
  if (!read.ok || read.value.kind !== 'all' || !read.value.requirements.some(({ key }) => isAddedByIstio(key)))
    return read;
  const requirements = read.value.requirements.filter(({ key }) => !isAddedByIstio(key));
  return { ok: true, value: requirements.length === 0 ? { kind: 'everything' } : { ...read.value, requirements } };
}

/** Returns the requirements of a selector of Calico on the object's own labels; the whole selector is evaluated for each object that meets them. */
function calicoSelector(
  path: string,
  state: SelectorSite['state'],
  data: unknown,
  placeholders: SelectorSite['placeholders'],
): Parsed<Selector> | undefined {
  if (state !== 'present') return fromMap({});
  if (typeof data !== 'string') return undefined;
  const tree = calicoTree(path, data, placeholders);
  return tree.problems.length > 0 ? { ok: false, problems: tree.problems } : { ok: true, value: splitCalico(tree).own };
}

/** Parses a selector text of Calico at a path, which determines whether `global()` is allowed. */
export function calicoTree(path: string, text: string, placeholders: readonly Placeholder[] = []): CalicoTree {
  const isOfRule = /\.(?:source|destination)\.namespaceSelector$/.test(path);
  return parseCalicoSelector(text, { global: isOfRule ? 'alone' : 'never', placeholders });
}

/** Whether the data of a selector contains only unknown fields. For sites that do not reject unknown fields, the data never contains them. */
function hasOnlyUnknownFields(data: unknown): boolean {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return false;
  const fields = Object.keys(data);
  return fields.length > 0 && !fields.some((field) => selectorFields.includes(field));
}

const selectorFields: readonly string[] = ['matchLabels', 'matchExpressions'];

const unknownFields: Problem = {
  code: 'wrong-type',
  message: 'selector must have `matchLabels` or `matchExpressions`: the API server rejects other fields',
  path: [],
};

interface Shape {
  readonly entries: readonly LabelEntry[];
  readonly expressions: readonly Expression[];
  readonly open: boolean;
  readonly parts?: readonly string[] | undefined;
}

/** The maximum number of nodes in a selector, because aliases can expand a few lines to a very large tree. */
export const maximumSelectorSize = 5_000;

/** Whether a selector has too many nodes to be parsed. Its matches are then unknown. */
export function isTooLarge({ state, data }: Pick<SelectorSite, 'state' | 'data'>): boolean {
  return state === 'present' && data === null;
}

const unreadable: Shape = { entries: [], expressions: [], open: true };

const nothingInIt: Shape = { entries: [], expressions: [], open: false };

function shapeOf(fact: SelectorFact, node: Node): Shape {
  switch (fact.form) {
    case 'map':
    case 'nodeSelectorMap': {
      if (node.kind === 'list') return nothingInIt;
      return { entries: labelEntries(node), expressions: [], open: isOpen(node), parts: partsIn(node) };
    }
    case 'labelSelector':
    case 'matchLabelsOnly':
    case 'matchExpressionsOnly': {
      const labels = childOf(node, 'matchLabels');
      const expressions = childOf(node, 'matchExpressions');
      const isSourced = fact.language === 'cilium';
      return {
        entries: isSourced ? labelEntries(labels).map(withoutSource) : labelEntries(labels),
        expressions: isSourced ? expressionsOf(expressions).map(withoutSource) : expressionsOf(expressions),
        open: isOpen(node) || isOpen(labels) || isOpen(expressions),
        // The parts can be compared with parts of labels only if a template adds them to `matchLabels`.
        parts: isOpen(node) || isOpen(expressions) ? undefined : partsIn(labels),
      };
    }
    case 'requirements':
      return { entries: [], expressions: expressionsOf(node), open: isOpen(node) };
    case 'nodeSelector': {
      const terms = childOf(node, 'nodeSelectorTerms');
      const items = itemsOf(terms);
      return { entries: [], expressions: items.flatMap(termExpressions), open: [node, terms, ...items].some(isOpen) };
    }
    case 'nodeSelectorTerm':
      return { entries: [], expressions: termExpressions(node), open: isOpen(node) };
    default:
      return nothingInIt;
  }
}

/** Returns an entry or expression whose key, in the file, begins after the source of Cilium: `app` in `k8s:app`. */
function withoutSource<T extends { readonly key?: Written }>(part: T): T {
  const { key } = part;
  const source = key === undefined ? undefined : /^(?:k8s|any):/.exec(key.text)?.[0];
  if (key === undefined || source === undefined) return part;
  const own = writtenPiece(key, { start: source.length, end: key.text.length });
  return own === undefined ? part : { ...part, key: own };
}

function termExpressions(term: Node): readonly Expression[] {
  return [...expressionsOf(childOf(term, 'matchExpressions')), ...expressionsOf(childOf(term, 'matchFields'))];
}

function expressionsOf(node: Node | undefined): readonly Expression[] {
  return node?.kind === 'list' ? node.items.map(expressionOf) : [];
}

function isOpen(node: Node | undefined): boolean {
  if (node === undefined) return false;
  if (node.kind === 'scalar') return node.pattern !== undefined;
  if (node.kind === 'list') return node.open;
  return node.open || node.entries.some(({ conditional, key }) => conditional || key.pattern !== undefined);
}

/** Parses one item of `matchExpressions`; some of its fields may be missing. */
export function expressionOf(node: Node): Expression {
  const key = entryOf(node, 'key')?.value;
  const operator = entryOf(node, 'operator')?.value;
  const values = entryOf(node, 'values')?.value;
  const expression: Mutable<Expression> = {
    span: node.span,
    values: values?.kind === 'list' ? values.items.map(written) : [],
  };
  if (key !== undefined) expression.key = written(key);
  if (operator !== undefined) expression.operator = written(operator);
  return expression;
}

function isEmptySelector({ form }: SelectorFact, node: Node, rejectsUnknownFields: boolean): boolean {
  if (node.kind === 'scalar') return node.text === '';
  if (node.kind === 'list') return node.items.length === 0;
  const isMap = form === 'map' || form === 'nodeSelectorMap';
  if (rejectsUnknownFields && node.entries.some(({ key }) => !selectorFields.includes(key.text))) return false;
  return isMap ? node.entries.length === 0 : node.entries.every(({ value }) => isEmptyCollection(value));
}

/** Whether a part of a selector contains no requirements because it is null, `{}` or `[]`. */
function isEmptyCollection(node: Node): boolean {
  if (node.kind === 'scalar') return node.type === 'null';
  return node.kind === 'map' ? node.entries.length === 0 : node.items.length === 0;
}

/** Returns the data of the selector. Other fields next to `matchLabels` belong to the object, not to the selector. */
function selectorData(fact: SelectorFact, node: Node, rejectsUnknownFields: boolean): unknown {
  const isLabelSelector = ['labelSelector', 'matchLabelsOnly', 'matchExpressionsOnly'].includes(fact.form);
  if (!isLabelSelector || node.kind !== 'map') return plainData(node);
  const labels = childOf(node, 'matchLabels');
  const expressions = childOf(node, 'matchExpressions');
  if (rejectsUnknownFields && labels === undefined && expressions === undefined) return plainData(node);
  const data: { matchLabels?: unknown; matchExpressions?: unknown } = {};
  if (labels !== undefined) data.matchLabels = plainData(labels);
  if (expressions !== undefined && !isUnknownList(expressions)) data.matchExpressions = expressionsData(expressions);
  return data;
}
