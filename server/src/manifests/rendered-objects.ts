/** Parses the objects in the output of a template. Their positions are those of the parts of the template that wrote them. */

import type { Catalogue } from '../engine/catalogue/types.ts';
import { spend } from '../engine/work-budget.ts';
import { quotedText } from './helm/actions.ts';
import { SourceMap, type TemplateOutput } from './helm/execution/output.ts';
import { unescaped } from './helm/execution/template-value.ts';
import type { ManifestObject } from './model.ts';
import { objectsOf } from './parse-manifest.ts';
import { regionsAround } from './placeholders/conditionals.ts';
import { blank, blanksWithin } from './placeholders/placeholders.ts';
import { helmSeparator, splitDocuments } from './yaml/documents.ts';
import { parseYaml } from './yaml/parse-yaml.ts';
import { entryOf, type MapEntry, type Node, type ScalarNode } from './yaml/tree.ts';

/** The objects in output, and whether it is valid YAML without unknown parts that may be objects. */
export interface RenderedObjects {
  readonly objects: readonly ManifestObject[];
  readonly isValid: boolean;
  /** Whether Helm certainly reports a syntax error. */
  readonly isBroken: boolean;
}

/** The number of characters that are parsed in one step. */
const charactersOfStep = 20;

/** Returns the objects in the output of a template. Their conditions are those that are unknown. */
export function objectsInOutput(output: TemplateOutput, catalogue: Catalogue): RenderedObjects {
  const text = output.text;
  if (!text.includes('kind')) return { objects: [], isValid: !text.includes('{{'), isBroken: false };
  spend(text.length / charactersOfStep);
  const source = new SourceMap(output);
  const blanked = { ...blank(text), mergesInOrder: true as const };
  const plain = { text: unescaped(text), blanks: [], placeholders: [], conditionals: [] };
  let [isValid, isBroken] = [true, false];
  const objects = splitDocuments(blanked.text, helmSeparator).flatMap((span) => {
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
    const start = (entryOf(root, 'kind')?.key ?? root).span.start;
    const conditions = regionsAround(blanked.conditionals, start).map(({ condition }) => condition);
    const found = objectsOf(inSource(withUnknownNames(root), source), catalogue).map(({ object }) => object);
    return conditions.length === 0 ? found : found.map((object) => conditional(object, conditions));
  });
  return { objects, isValid, isBroken };
}

/** Returns an object whose name or namespace is unknown if an unknown condition chooses between several. */
function withUnknownNames(root: Node): Node {
  const metadata = entryOf(root, 'metadata')?.value;
  if (root.kind !== 'map' || metadata?.kind !== 'map') return root;
  const { entries } = metadata;
  const either = ['name', 'namespace'].flatMap((name) => {
    const all = entries.filter(({ key }) => key.text === name);
    const texts = all.flatMap(({ value }) => (value.kind === 'scalar' ? quotedText(value.text) : []));
    const [first] = all;
    if (first?.value.kind !== 'scalar' || !first.conditional || new Set(texts).size < 2) return [];
    const text = `{{ either ${texts.join(' ')} }}`;
    return [{ ...first, value: { ...first.value, text, pattern: '*' }, conditional: false }];
  });
  if (either.length === 0) return root;
  const chosen = new Set(either.map(({ key }) => key.text));
  const others = entries.filter(({ key }) => !chosen.has(key.text));
  const changed = { ...metadata, entries: [...either, ...others] };
  return {
    ...root,
    entries: root.entries.map((entry) => (entry.value === metadata ? { ...entry, value: changed } : entry)),
  };
}

export function conditional(object: ManifestObject, conditions: readonly string[]): ManifestObject {
  return { ...object, conditions, ...(object.policySpec !== undefined && { isOptional: true }) };
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
