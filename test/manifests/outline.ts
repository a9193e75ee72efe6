/** Formats parsed objects as a few lines, for comparison. */

import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import type { LabelEntry, Manifest, ManifestObject, Written } from '../../server/src/manifests/model.ts';
import { readManifest } from '../../server/src/manifests/parse-manifest.ts';
import type { Span } from '../../server/src/text/span.ts';

/** Each object with its labels and selectors, as text. */
export function outline(text: string): string {
  const { objects } = readManifest(text, catalogue);
  return objects.length === 0 ? '(no objects)' : objects.map(objectLines).join('\n');
}

function objectLines(object: ManifestObject): string {
  const group = object.group === '' ? '' : ` of ${object.group}`;
  const namespace = object.namespace === undefined ? '' : ` in ${shown(object.namespace)}`;
  const name = object.name ?? object.generateName;
  return [
    `${object.kind}${group} ${name === undefined ? '(no name)' : shown(name)}${namespace}`,
    ...(object.inherited.length === 0 ? [] : [`  inherits: ${object.inherited.map(entryText).join(', ')}`]),
    ...object.labelSites.map((site) => `  ${site.path}: ${entriesText(site.entries, site.open)}`),
    ...object.selectorSites.map((site) => {
      const state = site.state === 'present' ? '' : ` (${site.state})`;
      return `  ? ${site.path}${state}: ${entriesText(site.entries, site.open)}`;
    }),
  ].join('\n');
}

function entriesText(entries: readonly LabelEntry[], open: boolean): string {
  if (entries.length === 0 && !open) return '-';
  return [...entries.map(entryText), ...(open ? ['...'] : [])].join(', ');
}

function entryText({ key, value, merged, conditional }: LabelEntry): string {
  const type = value.type === 'string' ? '' : ` (${value.type})`;
  return `${shown(key)}=${shown(value)}${type}${merged ? ' (merged)' : ''}${conditional ? ' (conditional)' : ''}`;
}

/** The text of a scalar, or in braces the known parts of one that a template fills. */
function shown({ text, value }: Written): string {
  if (typeof value === 'string') return value;
  return value.pattern === undefined ? text : `{${value.pattern}}`;
}

/** Every span of a manifest, for general checks. */
export function spansOf(manifest: Manifest): readonly Span[] {
  return manifest.objects.flatMap((object) => [
    object.span,
    object.kindSpan,
    ...[object.name, object.generateName, object.namespace].flatMap((written) => written?.span ?? []),
    ...object.templates.map((template) => template.span),
    ...object.labelSites.flatMap((site) => [site.span, site.keySpan, ...site.entries.flatMap(entrySpans)]),
    ...object.selectorSites.flatMap((site) => [
      site.span,
      site.keySpan,
      ...site.entries.flatMap(entrySpans),
      ...site.expressions.flatMap((each) => [
        each.span,
        ...[each.key, each.operator, ...each.values].flatMap((written) => written?.span ?? []),
      ]),
    ]),
  ]);
}

function entrySpans({ key, value }: LabelEntry): readonly Span[] {
  return [key.span, value.span];
}
