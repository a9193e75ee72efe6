/** What does a kustomization put together, and what does it make of it? Its fields, with where each is written. */

import type { Catalogue } from '../engine/catalogue/types.ts';
import type { Span } from '../text/span.ts';
import { splitDocuments } from './documents.ts';
import type { LabelEntry, ManifestObject, Written } from './manifest.ts';
import { type Masked, mask } from './masks.ts';
import { readDocument, readObject } from './read.ts';
import { readYaml } from './read-yaml.ts';
import { labelEntries, written } from './sites.ts';
import { childOf, type MapEntry, type Node } from './tree.ts';

export interface PathReference {
  readonly path: string;
  readonly span: Span;
}

export interface Kustomization {
  /** A Component does not build alone. */
  readonly component: boolean;
  /** `resources` and `bases`: files and folders whose objects it takes. */
  readonly resources: readonly PathReference[];
  /** Folders that change what it takes, and may add to it. */
  readonly components: readonly PathReference[];
  /** Files that change objects and are none themselves. */
  readonly patches: readonly PathReference[];
  /** `generators` and `transformers`: they may be programs that make objects which no file shows. */
  readonly plugins: readonly PathReference[];
  /** Charts that it renders. */
  readonly charts: readonly string[];
  readonly namespace?: Written;
  readonly namePrefix?: Written;
  readonly nameSuffix?: Written;
  /** `labels`, then `commonLabels`. */
  readonly labels: readonly LabelChange[];
  readonly annotations: readonly LabelEntry[];
  readonly changes: readonly PatchEntry[];
  readonly generators: readonly GeneratorEntry[];
  readonly transformers: readonly PathReference[];
  /** Transformers that are written in it. */
  readonly inlineTransformers: readonly Node[];
  readonly configurations: readonly PathReference[];
  /** Each as it is written, or as the file that it names has it. */
  readonly replacements: readonly (PathReference | { readonly node: Node })[];
  /** `buildMetadata` asks for a label that says who built it. */
  readonly managedByLabel?: Span;
  /** It changes what it takes in some way. */
  readonly edits: boolean;
  /** Fields that kustomize does not know. */
  readonly unknownFields: readonly Written[];
}

/** Labels that it puts on everything. */
export interface LabelChange {
  readonly entries: readonly LabelEntry[];
  /** Whether a template adds labels that are not shown. */
  readonly open: boolean;
  readonly includeSelectors: boolean;
  readonly includeTemplates: boolean;
  readonly fields: readonly FieldSpec[];
}

/** A place of objects of some kinds; what is '' is any. */
export interface FieldSpec {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly path: string;
  readonly create: boolean;
}

/** One patch, in the order in which they are applied: all of a field after all of the one before. */
export interface PatchEntry {
  readonly field: 'patchesStrategicMerge' | 'patches' | 'patchesJson6902';
  /** What a message points at: the path, the target, or where the patch begins. */
  readonly span: Span;
  readonly path?: PathReference;
  readonly inline?: PatchText;
  readonly target?: PatchTarget;
  readonly allowNameChange: boolean;
  readonly allowKindChange: boolean;
  readonly allowNoTargetMatch: boolean;
}

/** A patch as it is written in a kustomization. */
export interface PatchText {
  readonly objects: readonly ManifestObject[];
  readonly trees: readonly Node[];
}

export interface PatchTarget {
  readonly span: Span;
  readonly group?: Written;
  readonly version?: Written;
  readonly kind?: Written;
  readonly name?: Written;
  readonly namespace?: Written;
  readonly labelSelector?: Written;
  readonly annotationSelector?: Written;
}

/** A ConfigMap or Secret that it makes. */
export interface GeneratorEntry {
  readonly kind: 'ConfigMap' | 'Secret';
  readonly span: Span;
  readonly name?: Written;
  readonly namespace?: Written;
  readonly behavior: string;
  readonly labels: readonly LabelEntry[];
  readonly annotations: readonly LabelEntry[];
  /** Its name gets no hash of its content. */
  readonly plainName: boolean;
}

const kustomizationNames = new Set(['kustomization.yaml', 'kustomization.yml', 'Kustomization']);

export function isKustomizationName(name: string): boolean {
  return kustomizationNames.has(name);
}

/** What a file of that name is, where it does not say so. */
export const usualKustomization = { group: 'kustomize.config.k8s.io', version: 'v1beta1', kind: 'Kustomization' };

/** The fields of kustomize v5.5.0. */
const knownFields: ReadonlySet<string> = new Set(
  `apiVersion bases buildMetadata commonAnnotations commonLabels components configMapGenerator configurations crds
  generatorOptions generators helmChartInflationGenerator helmCharts helmGlobals imageTags images inventory kind labels
  metadata namePrefix nameSuffix namespace openapi patches patchesJson6902 patchesStrategicMerge replacements replicas
  resources secretGenerator sortOptions transformers validators vars`.split(/\s+/),
);

const editingFields = [
  ...['namespace', 'namePrefix', 'nameSuffix', 'labels', 'commonLabels', 'commonAnnotations', 'patches'],
  ...['patchesStrategicMerge', 'patchesJson6902', 'replacements', 'transformers', 'components'],
];

/** Reads a kustomization; text that is none is one without references. */
export function readKustomization(text: string, catalogue: Catalogue): Kustomization {
  const masked = mask(text);
  const first = splitDocuments(masked.text)[0];
  const root = first === undefined ? undefined : readYaml(text, masked, first).root;
  const reading: Reading = { text, masked, catalogue };
  const scalar = (name: string) => named(name, writtenAt(root, name));
  const items = (...names: readonly string[]) => names.flatMap((name) => itemsOf(childOf(root, name)));
  const plugins = items('generators', 'transformers').flatMap(referenceOf);
  const changes = patchFields.flatMap((field) => items(field).flatMap((item) => patchOf(item, field, reading)));
  return {
    component: writtenAt(root, 'kind')?.text === 'Component',
    resources: items('resources', 'bases').flatMap(referenceOf),
    components: items('components').flatMap(referenceOf),
    patches: [
      ...changes.flatMap(({ path }) => path ?? []),
      ...items('configurations', 'crds').flatMap(referenceOf),
      ...items('replacements').flatMap((item) => referenceOf(childOf(item, 'path'))),
    ],
    plugins,
    charts: items('helmCharts', 'helmChartInflationGenerator').map(chartName),
    ...scalar('namespace'),
    ...scalar('namePrefix'),
    ...scalar('nameSuffix'),
    labels: [...items('labels').map(labelChange), ...commonLabels(childOf(root, 'commonLabels'))],
    annotations: labelEntries(childOf(root, 'commonAnnotations')),
    changes,
    generators: generatorsOf(root),
    transformers: items('transformers').flatMap(referenceOf),
    inlineTransformers: items('transformers').flatMap((item) => inlineOf(item, reading)?.trees ?? []),
    configurations: items('configurations').flatMap(referenceOf),
    replacements: items('replacements').map((node) => referenceOf(childOf(node, 'path'))[0] ?? { node }),
    ...managedBy(items('buildMetadata')),
    edits: editingFields.some((field) => childOf(root, field) !== undefined),
    unknownFields: root?.kind === 'map' ? root.entries.flatMap(unknownField) : [],
  };
}

interface Reading {
  readonly text: string;
  readonly masked: Masked;
  readonly catalogue: Catalogue;
}

function unknownField({ key }: MapEntry): readonly Written[] {
  return knownFields.has(key.text) || key.pattern !== undefined ? [] : [written(key)];
}

function itemsOf(node: Node | undefined): readonly Node[] {
  return node?.kind === 'list' ? node.items : [];
}

/** An inline patch spans lines; a path does not. */
function referenceOf(node: Node | undefined): readonly PathReference[] {
  if (node?.kind !== 'scalar' || node.text === '' || node.text.includes('\n')) return [];
  return [{ path: node.text, span: node.span }];
}

function writtenAt(node: Node | undefined, key: string): Written | undefined {
  const found = childOf(node, key);
  return found?.kind === 'scalar' && found.type !== 'null' && found.text !== '' ? written(found) : undefined;
}

function named<Name extends string, Value>(name: Name, value: Value | undefined): { readonly [K in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [K in Name]: Value }); // the one key there is
}

function isTrue(node: Node | undefined, key: string): boolean {
  return writtenAt(node, key)?.text === 'true';
}

function chartName(node: Node): string {
  return (writtenAt(node, 'name') ?? writtenAt(node, 'chartName'))?.text ?? '';
}

function managedBy(items: readonly Node[]): { readonly managedByLabel?: Span } {
  const found = items.find((item) => item.kind === 'scalar' && item.text === 'managedByLabel');
  return found === undefined ? {} : { managedByLabel: found.span };
}

function labelChange(node: Node): LabelChange {
  const pairs = childOf(node, 'pairs');
  return {
    entries: labelEntries(pairs),
    open: isOpen(pairs),
    includeSelectors: isTrue(node, 'includeSelectors'),
    includeTemplates: isTrue(node, 'includeTemplates'),
    fields: fieldSpecsOf(childOf(node, 'fields')),
  };
}

function commonLabels(node: Node | undefined): readonly LabelChange[] {
  if (node === undefined) return [];
  const entries = labelEntries(node);
  return [{ entries, open: isOpen(node), includeSelectors: true, includeTemplates: true, fields: [] }];
}

function isOpen(node: Node | undefined): boolean {
  return node?.kind === 'scalar' ? node.pattern !== undefined : node?.open === true;
}

/** A list of field specs, as configurations and transformers have it too. */
export function fieldSpecsOf(node: Node | undefined): readonly FieldSpec[] {
  return itemsOf(node).map((item) => ({
    group: writtenAt(item, 'group')?.text ?? '',
    version: writtenAt(item, 'version')?.text ?? '',
    kind: writtenAt(item, 'kind')?.text ?? '',
    path: writtenAt(item, 'path')?.text ?? '',
    create: isTrue(item, 'create'),
  }));
}

const patchFields = ['patchesStrategicMerge', 'patches', 'patchesJson6902'] as const;

function patchOf(item: Node, field: PatchEntry['field'], reading: Reading): readonly PatchEntry[] {
  if (field === 'patchesStrategicMerge') {
    if (item.kind !== 'scalar') return [];
    return [{ field, span: startOf(item), ...noOptions, ...contentOf(item, item, reading) }];
  }
  const target = childOf(item, 'target');
  const text = childOf(item, 'patch');
  const path = childOf(item, 'path');
  return [
    {
      field,
      span: startOf(target ?? path ?? text ?? item),
      ...contentOf(path, text, reading),
      ...(target?.kind === 'map' && { target: targetOf(target) }),
      ...optionsOf(childOf(item, 'options')),
    },
  ];
}

const noOptions = { allowNameChange: false, allowKindChange: false, allowNoTargetMatch: false };

function optionsOf(options: Node | undefined): typeof noOptions {
  return {
    allowNameChange: isTrue(options, 'allowNameChange'),
    allowKindChange: isTrue(options, 'allowKindChange'),
    allowNoTargetMatch: isTrue(options, 'allowNoTargetMatch'),
  };
}

function contentOf(path: Node | undefined, text: Node | undefined, reading: Reading): Partial<PatchEntry> {
  const inline = inlineOf(text, reading);
  if (inline !== undefined) return { inline };
  const [reference] = referenceOf(path);
  return reference === undefined ? {} : { path: reference };
}

/** A whole block is never pointed at. */
function startOf(node: Node): Span {
  if (node.kind === 'scalar' && node.style !== 'block') return node.span;
  return { start: node.span.start, end: Math.min(node.span.start + 1, node.span.end) };
}

function targetOf(node: Node & { readonly kind: 'map' }): PatchTarget {
  const fields = ['group', 'version', 'kind', 'name', 'namespace', 'labelSelector', 'annotationSelector'] as const;
  const found = fields.map((field) => named(field, writtenAt(node, field)));
  return Object.assign({ span: node.entries[0]?.key.span ?? startOf(node) }, ...found);
}

/**
 * What is written in a string of the kustomization. A block scalar is read where it stands, so that spans are those of
 * the file; of other strings everything stands where the string begins.
 */
function inlineOf(node: Node | undefined, reading: Reading): PatchText | undefined {
  if (node?.kind !== 'scalar' || !(node.text.includes('\n') || /^\s*[[{]/.test(node.text))) return undefined;
  const block = node.style === 'block' ? blockLines(node.span, reading.masked.text) : undefined;
  const read = (span: Span) => readDocument(reading.text, reading.masked, span, reading.catalogue);
  const documents = block === undefined ? readString(node, reading) : documentsIn(block, reading.masked.text).map(read);
  return {
    objects: documents.flatMap(({ objects }) => objects),
    trees: documents.flatMap(({ root, objects }) => (root === undefined || objects.length > 0 ? [] : root)),
  };
}

/** The lines of a literal block; a folded one is another text than it shows. */
function blockLines(span: Span, text: string): Span | undefined {
  if (text[span.start] !== '|') return undefined;
  const start = text.indexOf('\n', span.start) + 1;
  return start === 0 || start > span.end ? undefined : { start, end: span.end };
}

function documentsIn(block: Span, text: string): readonly Span[] {
  const spans: Span[] = [];
  let start = block.start;
  for (const found of text.slice(block.start, block.end).matchAll(/^[ \t]*---[ \t]*\r?$/gm)) {
    spans.push({ start, end: block.start + found.index });
    start = block.start + found.index + found[0].length;
  }
  return [...spans, { start, end: block.end }].filter(({ start, end }) => text.slice(start, end).trim() !== '');
}

function readString(node: Node & { readonly kind: 'scalar' }, { catalogue }: Reading) {
  const masked = mask(node.text);
  return splitDocuments(masked.text).map((span) => {
    const { root, objects } = readDocument(node.text, masked, span, catalogue);
    const moved = root && movedTo(root, startOf(node));
    return { root: moved, objects: moved === undefined || objects.length === 0 ? [] : readObject(moved, catalogue) };
  });
}

/** The same tree, all of it at one place. */
function movedTo<N extends Node>(node: N, span: Span): N;
function movedTo(node: Node, span: Span): Node {
  if (node.kind === 'scalar') return { ...node, span };
  if (node.kind === 'list') return { ...node, span, items: node.items.map((item) => movedTo(item, span)) };
  const entries = node.entries.map((entry) => ({
    ...entry,
    key: movedTo(entry.key, span),
    value: movedTo(entry.value, span),
  }));
  return { ...node, span, entries };
}

function generatorsOf(root: Node | undefined): readonly GeneratorEntry[] {
  const general = childOf(root, 'generatorOptions');
  return (['ConfigMap', 'Secret'] as const).flatMap((kind) => {
    const field = kind === 'ConfigMap' ? 'configMapGenerator' : 'secretGenerator';
    return itemsOf(childOf(root, field)).map((item): GeneratorEntry => {
      const own = childOf(item, 'options');
      const both = (name: string) => [general, own].flatMap((options) => labelEntries(childOf(options, name)));
      const name = writtenAt(item, 'name');
      return {
        kind,
        span: name?.span ?? startOf(item),
        ...named('name', name),
        ...named('namespace', writtenAt(item, 'namespace')),
        behavior: writtenAt(item, 'behavior')?.text ?? 'create',
        labels: both('labels'),
        annotations: both('annotations'),
        plainName: [general, own].some((options) => isTrue(options, 'disableNameSuffixHash')),
      };
    });
  });
}

/** Whether a reference names a place outside of the files: a URL, or a repository as `github.com/owner/name`. */
export function isRemote(path: string): boolean {
  if (path.startsWith('.') || path.startsWith('/')) return false;
  return /^[a-z][\w+.-]*:\/\/|^git::|^[\w-]+@|[?&](?:ref|version)=|^[\w-]+(?:\.[\w-]+)*\.(?:com|org|io|net|dev)\//.test(
    path,
  );
}
