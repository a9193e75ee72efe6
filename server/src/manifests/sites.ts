/** What do the labels and selectors of one object say? A node and what the catalogue knows of its place, made a site. */

import type { LabelPlace, SelectorFact } from '../engine/catalogue/types.ts';
import { fromLabelSelector, fromMap, type Parsed, parseSelector, type Selector, type Value } from '../engine/index.ts';
import type { Span } from '../text/span.ts';
import type { Expression, LabelEntry, LabelSite, SelectorSite, Written } from './manifest.ts';
import { childOf, effectiveEntries, entryOf, type MapEntry, type Node } from './tree.ts';

/** A node as it was typed; a map or list shows only where it begins, since nothing is ever said about a whole block. */
export function written(node: Node): Written {
  if (node.kind !== 'scalar') {
    const span = { start: node.span.start, end: Math.min(node.span.start + 1, node.span.end) };
    return {
      text: '',
      value: { unknown: `${node.kind} at ${node.span.start}` },
      type: node.kind,
      style: 'plain',
      span,
    };
  }
  const value: Value = node.pattern === undefined ? node.text : { unknown: node.text, pattern: node.pattern };
  return { text: node.text, value, type: node.type, style: node.style, span: node.span };
}

/** A map of labels or annotations. A scalar or list in its place is a site without entries. */
export function labelSite(path: string, place: LabelPlace, entry: MapEntry): LabelSite {
  const node = entry.value;
  const unknown = node.kind === 'scalar' && node.pattern !== undefined;
  return {
    path,
    place,
    keySpan: entry.key.span,
    span: node.kind === 'map' ? node.span : entry.key.span,
    entries: labelEntries(node),
    open: unknown || (node.kind === 'map' && node.open),
  };
}

export function labelEntries(node: Node | undefined): readonly LabelEntry[] {
  if (node?.kind !== 'map') return [];
  return node.entries.map((entry) => ({
    key: written(entry.key),
    value: written(entry.value),
    merged: entry.merged,
    conditional: entry.conditional,
  }));
}

/** The labels that a map certainly has, and whether it may have others. */
export function knownLabels(
  entries: readonly LabelEntry[],
  open: boolean,
): { readonly labels: Readonly<Record<string, Value>>; readonly open: boolean } {
  const labels: [string, Value][] = [];
  let others = open;
  for (const entry of entries) {
    if (entry.conditional || typeof entry.key.value !== 'string') others = true;
    else labels.push([entry.key.value, entry.value.value]);
  }
  return { labels: Object.fromEntries(labels), open: others };
}

/** A field that holds a selector, read in the form that the catalogue gives it. */
export function selectorSite(path: string, fact: SelectorFact, node: Node, key: Span): SelectorSite {
  const isNull = node.kind === 'scalar' && node.type === 'null';
  const base = { path, fact, keySpan: key, span: isNull ? key : node.span };
  const shape = shapeOf(fact, node);
  const open = shape.open || (node.kind === 'scalar' && node.pattern !== undefined);
  const state = isNull ? 'null' : isEmptySelector(node) && !open ? 'empty' : 'present';
  const selector = readSelector(fact, node, shape, isNull);
  return {
    ...base,
    state,
    entries: shape.entries,
    expressions: shape.expressions,
    open,
    ...(selector && { selector }),
  };
}

interface Shape {
  readonly entries: readonly LabelEntry[];
  readonly expressions: readonly Expression[];
  readonly open: boolean;
}

const nothingInIt: Shape = { entries: [], expressions: [], open: false };

function shapeOf(fact: SelectorFact, node: Node): Shape {
  switch (fact.form) {
    case 'map':
    case 'nodeSelectorMap': {
      if (node.kind !== 'map') return nothingInIt;
      const conditional = node.entries.some((entry) => entry.conditional);
      return { entries: labelEntries(node), expressions: [], open: node.open || conditional };
    }
    case 'labelSelector':
    case 'matchLabelsOnly':
    case 'matchExpressionsOnly': {
      const labels = childOf(node, 'matchLabels');
      const expressions = childOf(node, 'matchExpressions');
      return {
        entries: labelEntries(labels),
        expressions: expressions?.kind === 'list' ? expressions.items.map(expressionOf) : [],
        open: [node, labels, expressions].some(isOpen),
      };
    }
    default:
      return nothingInIt;
  }
}

function isOpen(node: Node | undefined): boolean {
  if (node === undefined) return false;
  if (node.kind === 'scalar') return node.pattern !== undefined;
  return node.open || (node.kind === 'map' && node.entries.some((entry) => entry.conditional));
}

function expressionOf(node: Node): Expression {
  const key = entryOf(node, 'key')?.value;
  const operator = entryOf(node, 'operator')?.value;
  const values = entryOf(node, 'values')?.value;
  return {
    span: node.span,
    ...(key && { key: written(key) }),
    ...(operator && { operator: written(operator) }),
    values: values?.kind === 'list' ? values.items.map(written) : [],
  };
}

function isEmptySelector(node: Node): boolean {
  if (node.kind === 'list') return node.items.length === 0;
  if (node.kind === 'scalar') return node.text === '';
  return node.entries.every((entry) => entry.value.kind !== 'scalar' && isEmptySelector(entry.value));
}

function readSelector(fact: SelectorFact, node: Node, shape: Shape, isNull: boolean): Parsed<Selector> | undefined {
  switch (fact.form) {
    case 'map':
    case 'nodeSelectorMap':
      return fromMap(isNull ? null : plainData(node));
    case 'labelSelector':
      return fromLabelSelector(isNull ? null : selectorData(node, shape));
    case 'matchLabelsOnly':
    case 'matchExpressionsOnly':
      return fromLabelSelector(isNull ? null : selectorData(node, shape));
    case 'string':
      return node.kind === 'scalar' && node.pattern === undefined ? parseSelector(node.text) : undefined;
    default:
      return undefined;
  }
}

/** Siblings of `matchLabels` are other fields of the same object, and none of the selector's business. */
function selectorData(node: Node, shape: Shape): unknown {
  if (node.kind !== 'map') return plainData(node);
  const conditionalFree = shape.entries.filter((entry) => !entry.conditional);
  const labels = childOf(node, 'matchLabels');
  const expressions = childOf(node, 'matchExpressions');
  return {
    ...(labels && { matchLabels: labels.kind === 'map' ? entriesData(conditionalFree) : plainData(labels) }),
    ...(expressions && { matchExpressions: plainData(expressions) }),
  };
}

function entriesData(entries: readonly LabelEntry[]): unknown {
  return Object.fromEntries(entries.map((entry) => [entry.key.text, valueData(entry.value)]));
}

function valueData(value: Written): unknown {
  return value.type === 'map' || value.type === 'list' ? {} : value.value;
}

/**
 * A node as plain data for the engine, strings that a template fills as unknowns. Numbers and booleans come as the text
 * that was typed: rules say that they must be quoted, and the reader sees what the selector means once they are.
 */
export function plainData(node: Node): unknown {
  switch (node.kind) {
    case 'scalar':
      if (node.type === 'null') return null;
      return node.pattern === undefined ? node.text : { unknown: node.text, pattern: node.pattern };
    case 'list':
      return node.items.map(plainData);
    case 'map': {
      const known = effectiveEntries(node).filter((entry) => !entry.conditional && entry.key.pattern === undefined);
      return Object.fromEntries(known.map((entry) => [entry.key.text, plainData(entry.value)]));
    }
  }
}
