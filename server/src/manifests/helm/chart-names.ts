/** Finds the names of values, of fields in `Chart.yaml`, and of helpers in the files of a chart. */

import { type Span, touches } from '../../text/span.ts';
import { blankManifest } from '../yaml/blank-manifest.ts';
import { splitDocuments } from '../yaml/documents.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import type { Node } from '../yaml/tree.ts';

/** A name in a chart. A field of `Chart.yaml` has the name that it has in templates, such as `AppVersion`. */
export type ChartName =
  | { readonly is: 'value'; readonly path: readonly string[] }
  | { readonly is: 'chart'; readonly field: string }
  | { readonly is: 'helper'; readonly name: string };

export interface NamedSpan {
  readonly name: ChartName;
  readonly span: Span;
  /** Whether the name is defined here: by a key of a values file or `Chart.yaml`, or by a `define`. */
  readonly defines: boolean;
}

/** The maximum number of names in a text. */
const maximumNames = 10_000;

const action = /\{\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}\}/g;
const valuePath = /\.(?:Values|Chart)\.[\w.]+/g;
const helperName = /\b(include|template|define|block) "([^"\\\n]{1,200})"/g;

/** Returns the names in the actions of a template, in their order. */
export function namesInTemplate(text: string): readonly NamedSpan[] {
  const names: NamedSpan[] = [];
  for (const { 0: code, index } of text.matchAll(action)) {
    for (const { 0: path, index: at } of code.matchAll(valuePath)) {
      // Names that follow another word, as in `.Subcharts.redis.Chart.Name`, do not belong to this chart.
      if (/[\w)\]]/.test(code.charAt(at - 1))) continue;
      const [, root, ...keys] = path.replace(/\.$/, '').split('.');
      const isSound = keys.length > 0 && !keys.includes('');
      const name: ChartName = root === 'Values' ? { is: 'value', path: keys } : { is: 'chart', field: keys[0] ?? '' };
      const start = index + at;
      if (isSound)
        names.push({ name, span: { start, end: start + 1 + [root, ...keys].join('.').length }, defines: false });
    }
    for (const { 0: whole, 1: word, 2: helper = '', index: at } of code.matchAll(helperName)) {
      const end = index + at + whole.length - 1;
      const defines = word === 'define' || word === 'block';
      names.push({ name: { is: 'helper', name: helper }, span: { start: end - helper.length, end }, defines });
    }
    if (names.length >= maximumNames) return names;
  }
  return names;
}

/** Returns the keys in a values file or in `Chart.yaml`. */
export function namesInKeys(text: string, is: 'value' | 'chart'): readonly NamedSpan[] {
  const blanked = blankManifest(text);
  const [first] = splitDocuments(blanked.text);
  const root = first === undefined ? undefined : parseYaml(text, blanked, first).root;
  const names: NamedSpan[] = [];
  const visit = (node: Node | undefined, path: readonly string[]): void => {
    if (node?.kind !== 'map' || names.length >= maximumNames || path.length > 20) return;
    for (const { key, value } of node.entries) {
      const below = [...path, key.text];
      const name: ChartName =
        is === 'value' ? { is, path: below } : { is, field: key.text.charAt(0).toUpperCase() + key.text.slice(1) };
      names.push({ name, span: key.span, defines: true });
      if (is === 'value') visit(value, below);
    }
  };
  visit(root, []);
  return names;
}

/** Returns the name at an offset. In `.Values.a.b`, the name ends with the component under the cursor. */
export function nameAt(text: string, names: readonly NamedSpan[], offset: number): NamedSpan | undefined {
  const found = names.find(({ span }) => touches(span, offset));
  if (found?.name.is !== 'value' || found.defines) return found;
  const behind = /^\w*/.exec(text.slice(offset, found.span.end))?.[0].length ?? 0;
  const span = { start: found.span.start, end: offset + behind };
  const parts = text.slice(span.start, span.end).split('.');
  const path = found.name.path.slice(0, Math.max(0, parts.length - 2));
  return path.length === 0 ? undefined : { ...found, span, name: { is: 'value', path } };
}
