/** Parses the objects in the output of a template. Their positions are those of the parts of the template that wrote them. */

import type { Catalogue } from '../engine/catalogue/types.ts';
import { getOrAdd } from '../engine/memoize.ts';
import { spend } from '../engine/work-budget.ts';
import { textAsCode } from './helm/actions.ts';
import type { TemplateReading } from './helm/chart-context.ts';
import { SourceMap, type TemplateOutput } from './helm/execution/output.ts';
import { unescaped } from './helm/execution/template-value.ts';
import type { Manifest, ManifestObject } from './model.ts';
import { objectsOf, readManifest } from './parse-manifest.ts';
import { type Conditional, regionsAround } from './placeholders/conditionals.ts';
import { blank, blanksWithin } from './placeholders/placeholders.ts';
import { entriesOfAny } from './yaml/alternatives.ts';
import { helmSeparator, splitDocuments } from './yaml/documents.ts';
import { parseYaml } from './yaml/parse-yaml.ts';
import { splitTemplate } from './yaml/template-documents.ts';
import { entryOf, type MapEntry, type Node, type ScalarNode } from './yaml/tree.ts';

/** The objects in output, and whether it is valid YAML without unknown parts that may be objects. */
export interface RenderedObjects {
  readonly objects: readonly ManifestObject[];
  readonly isValid: boolean;
  /** Whether Helm certainly reports a syntax error. */
  readonly isBroken: boolean;
  /** Whether there are more documents than are parsed. */
  readonly isCut: boolean;
}

/** The number of characters that are parsed in one step. */
const charactersOfStep = 20;

/** Returns the objects in the output of a template. Their conditions are those that are unknown. At most `most` objects are returned, unless the last document contains several. */
export function objectsInOutput(output: TemplateOutput, catalogue: Catalogue, most: number): RenderedObjects {
  const text = output.text;
  if (!text.includes('kind')) return { objects: [], isValid: !text.includes('{{'), isBroken: false, isCut: false };
  spend(text.length / charactersOfStep);
  const source = new SourceMap(output);
  const blanked = { ...blank(text), mergesInOrder: true as const };
  const plain = { text: unescaped(text), blanks: [], placeholders: [], conditionals: [] };
  let [isValid, isBroken, isCut] = [true, false, false];
  let left = most;
  const objects = splitTemplate(blanked, helmSeparator).flatMap((span): readonly ManifestObject[] => {
    if (left <= 0) {
      isCut ||= text.slice(span.start, span.end).includes('kind');
      return [];
    }
    const { root, errors } = parseYaml(text, blanked, span);
    isValid &&= errors.length === 0;
    const own = text.slice(span.start, span.end);
    const isCertain = !own.includes('{{') && regionsAround(blanked.conditionals, span.start).length === 0;
    // Known braces outside of quotes begin a map.
    const hasErrors =
      errors.length > 0 || (unescaped(own) !== own && parseYaml(plain.text, plain, span).errors.length > 0);
    isBroken ||= isCertain && hasErrors;
    if (root === undefined) {
      // An action that is not evaluated may write objects.
      isValid &&= blanksWithin(blanked.placeholders, span).length === 0;
      return [];
    }
    const { conditionals } = blanked;
    const settled = conditionals.length === 0 ? root : withUnknownChoices(root, conditionals);
    const parts = partsOf(settled).flatMap(({ node, start }) => {
      const conditions = regionsAround(conditionals, start).map(({ condition }) => condition);
      const found = objectsOf(inSource(node, source), catalogue).map(({ object }) => object);
      return conditions.length === 0 ? found : found.map((object) => conditional(object, conditions));
    });
    left -= parts.length;
    return parts;
  });
  return { objects, isValid: isValid && !isCut, isBroken, isCut };
}

/** Returns the output of a template as a file of its own, whose positions `source` converts to those in the template. Documents that contain only literal text of the template are blank. */
export function manifestOfOutput(
  output: TemplateOutput,
  catalogue: Catalogue,
): { readonly text: string; readonly manifest: Manifest; readonly source: SourceMap } {
  const source = new SourceMap(output);
  const whole = output.text;
  let text = '';
  for (const span of splitDocuments(whole)) {
    text += whole.slice(text.length, span.start);
    text += source.isLiteral(span) ? ' '.repeat(span.end - span.start) : whole.slice(span.start, span.end);
  }
  return { text, manifest: readManifest(text, catalogue, { template: unread }), source };
}

/** The facts about the output of a template, in which nothing remains to be rendered. */
const unread: TemplateReading = {
  notes: [],
  rendering: { outputs: new Map(), blocks: new Map(), conditions: new Map() },
  knownValues: {},
};

/** Returns the parts of a document that may have conditions of their own, with a position in each: the document, or each item of a List. */
function partsOf(root: Node): readonly { readonly node: Node; readonly start: number }[] {
  const kind = entryOf(root, 'kind');
  const items = entryOf(root, 'items')?.value;
  if (root.kind !== 'map' || items?.kind !== 'list') return [{ node: root, start: (kind?.key ?? root).span.start }];
  return items.items.map((item) => {
    const only = (entry: MapEntry) =>
      entry.value === items ? { ...entry, value: { ...items, items: [item] } } : entry;
    return { node: { ...root, entries: root.entries.map(only) }, start: item.span.start };
  });
}

/** Returns a tree in which everything is unknown that an unknown condition chooses: a map may have the entries of each branch, or others. */
function withUnknownChoices(node: Node, conditionals: readonly Conditional[]): Node {
  if (node.kind === 'scalar') return node;
  if (node.kind === 'list') return { ...node, items: node.items.map((item) => withUnknownChoices(item, conditionals)) };
  const byKey = new Map<string, MapEntry[]>();
  for (const entry of node.entries) getOrAdd(byKey, entry.key.text, () => []).push(entry);
  return { ...node, entries: [...byKey.values()].flatMap((all) => chosen(all, conditionals)) };
}

/** Returns the value of an entry as an open list if some of its items have a condition that the entry does not have. A text with such a condition is unknown. */
function withUnknownItems({ key, value }: MapEntry, conditionals: readonly Conditional[]): Node {
  const choices = withUnknownChoices(value, conditionals);
  if (choices.kind !== 'list') return choices;
  const depthAt = (offset: number) => regionsAround(conditionals, offset).length;
  const isUncertain = (item: Node) => depthAt(item.span.start) > depthAt(key.span.start);
  if (!choices.items.some(isUncertain)) return choices;
  const items = choices.items.map((item): Node => {
    if (item.kind !== 'scalar' || !isUncertain(item)) return item;
    return { ...item, text: `{{ either ${textAsCode(item.text)} }}`, pattern: '*' };
  });
  return { ...choices, items, open: true };
}

/** Returns the entries of one key. */
function chosen(all: readonly MapEntry[], conditionals: readonly Conditional[]): readonly MapEntry[] {
  const [first] = all;
  const below = all.map((entry) => ({ ...entry, value: withUnknownItems(entry, conditionals) }));
  if (first === undefined || !all.some(({ conditional: isConditional }) => isConditional)) return below;
  const maps = all.flatMap(({ value }) => (value.kind === 'map' ? [value] : []));
  const [map] = maps;
  if (map !== undefined && maps.length === all.length) {
    const entries = entriesOfAny(maps).map((entry) => ({ ...entry, conditional: true }));
    return [
      {
        ...first,
        value: withUnknownChoices({ ...map, entries, open: true, parts: [...(map.parts ?? []), ''] }, conditionals),
      },
    ];
  }
  const isName = /^(?:name|namespace)$/.test(first.key.text);
  const texts = all.flatMap(({ value }) => (value.kind === 'scalar' ? textAsCode(value.text) : []));
  const mayBeAbsent = all.every(({ conditional: isConditional }) => isConditional) && first.key.text === 'namespace';
  if (first.value.kind !== 'scalar' || texts.length < all.length) return below;
  if (new Set(texts).size < 2 && !(mayBeAbsent && all.length === 1)) return below;
  const text = `{{ either ${texts.join(' ')} }}`;
  return [{ ...first, value: { ...first.value, text, pattern: '*' }, conditional: !isName }];
}

/** The condition of the objects of a chart that Helm cannot install. */
export const helmFails = 'Helm fails';

export function conditional(object: ManifestObject, conditions: readonly string[]): ManifestObject {
  const isPolicy = object.policySpec !== undefined || object.networkSpec !== undefined;
  return { ...object, conditions, ...(isPolicy && { isOptional: true }) };
}

/** Returns a tree with positions in the template. */
function inSource(node: Node, source: SourceMap): Node {
  const scalar = (each: ScalarNode): ScalarNode => {
    const { pattern } = each;
    const text = unescaped(each.text);
    return {
      ...each,
      text,
      span: source.span(each.span),
      ...(pattern !== undefined && { pattern: unescaped(pattern) }),
    };
  };
  const entry = (each: MapEntry): MapEntry => ({ ...each, key: scalar(each.key), value: convert(each.value) });
  const convert = (each: Node): Node => {
    if (each.kind === 'scalar') return scalar(each);
    if (each.kind === 'list') return { ...each, span: source.span(each.span), items: each.items.map(convert) };
    return { ...each, span: source.span(each.span), entries: each.entries.map(entry) };
  };
  return convert(node);
}
