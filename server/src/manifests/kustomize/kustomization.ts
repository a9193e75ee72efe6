/** Parses kustomizations: the files that they combine, and the changes that they make, with the position of each field. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { contentEndAt, lineEnd } from '../../text/lines.ts';
import type { Span } from '../../text/span.ts';
import { variablesOf } from '../gitops/spec.ts';
import type { DataKeys, Written } from '../model.ts';
import { labelEntries, written } from '../sites/sites.ts';
import { pieceOf, writtenPiece } from '../sites/string-pieces.ts';
import { blankManifest } from '../yaml/blank-manifest.ts';
import { splitDocuments } from '../yaml/documents.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import {
  childOf,
  isOpen,
  itemsOf,
  type MapEntry,
  type MapNode,
  type Node,
  startOf,
  treeSizeAroundEntries,
} from '../yaml/tree.ts';
import {
  type Content,
  contentHash,
  contentOf,
  type FileContent,
  inputsOf as filesOf,
  withoutQuotes,
} from './content-hash.ts';
import { isTrue, named, referenceOf, writtenAt } from './kustomization-fields.ts';
import { inlineTrees, patchFields, patchOf, type Reading } from './kustomization-patches.ts';
import { kustomizeGroup } from './kustomization-sites.ts';
import { kustomizationFaults, withKnownNames } from './kustomization-structure.ts';
import type {
  FieldSpec,
  GeneratorEntry,
  ImageChange,
  Kustomization,
  LabelChange,
  NextResource,
  PathReference,
} from './model.ts';

/** The names by which kustomize recognizes a kustomization, in the order in which it searches. */
export const kustomizationNames: readonly string[] = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

/** Whether kustomize recognizes a file name as the name of a kustomization. */
export function isKustomizationName(name: string): boolean {
  return kustomizationNames.includes(name);
}

/** The group, version and kind of a kustomization file that does not specify them. */
export const usualKustomization = { group: kustomizeGroup, version: 'v1beta1', kind: 'Kustomization' };

const editingFields = [
  ...['namespace', 'namePrefix', 'nameSuffix', 'labels', 'commonLabels', 'commonAnnotations', 'patches'],
  ...['patchesStrategicMerge', 'patchesJson6902', 'replacements', 'transformers', 'components'],
];

/** Parses a kustomization; for invalid text, the result has no references to files. */
export function readKustomization(text: string, catalogue: Catalogue): Kustomization {
  const { blanked, root, isBroken } = rootOf(text);
  const reading: Reading = { text, blanked, catalogue };
  const scalar = (name: string) => named(name, writtenAt(root, name));
  const items = (...names: readonly string[]) => names.flatMap((name) => itemsOf(childOf(root, name)));
  const plugins = items('generators', 'transformers').flatMap(referenceOf);
  const inline = (name: string) => items(name).flatMap((item) => inlineTrees(item, reading));
  const inlineTransformers = inline('transformers');
  const foreign = inlineTransformers.filter((tree) => writtenAt(tree, 'apiVersion')?.text !== 'builtin');
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
    programs: [...inline('generators'), ...foreign].map((tree) => writtenAt(tree, 'kind')?.text ?? ''),
    inlineTransformers,
    configurations: items('configurations').flatMap(referenceOf),
    replacements: items('replacements').map((node) => referenceOf(childOf(node, 'path'))[0] ?? { node }),
    ...imagesOf(items('images', 'imageTags')),
    ...replicasOf(items('replicas')),
    ...managedBy(items('buildMetadata')),
    inputs: inputsOf(root),
    nextResource: nextResource(text, childOf(root, 'resources')),
    edits: editingFields.some((field) => childOf(root, field) !== undefined),
    ...faultsOf(root, isBroken),
  };
}

/** Whether a document is a kustomization of kustomize: other tools also use the same kind name and file name. */
function isOfKustomize(root: MapNode): boolean {
  return (writtenAt(root, 'apiVersion')?.text ?? kustomizeGroup).startsWith(kustomizeGroup);
}

function faultsOf(root: Node | undefined, isBroken: boolean): Pick<Kustomization, 'faults'> {
  const faults = root?.kind === 'map' && !isBroken && isOfKustomize(root) ? kustomizationFaults(root) : [];
  return faults.length > 0 ? { faults } : {};
}

function chartName(node: Node): string {
  return (writtenAt(node, 'name') ?? writtenAt(node, 'chartName'))?.text ?? '';
}

function replicasOf(items: readonly Node[]): Pick<Kustomization, 'replicas'> {
  const replicas = items.flatMap((item) => writtenAt(item, 'name') ?? []);
  return replicas.length > 0 ? { replicas } : {};
}

function imagesOf(items: readonly Node[]): Pick<Kustomization, 'images'> {
  const images = imagesIn(items);
  return images.length === 0 ? {} : { images };
}

export function imagesIn(items: readonly Node[]): readonly ImageChange[] {
  return items.flatMap((item): readonly ImageChange[] => {
    const name = writtenAt(item, 'name')?.text;
    if (name === undefined) return [];
    const fields = ['newName', 'newTag', 'digest', 'tagSuffix'] as const;
    const isUnknown = fields.some((each) => typeof (writtenAt(item, each)?.value ?? '') !== 'string');
    const change = { name, span: startOf(item), ...(isUnknown && { isUnknown }) };
    return [Object.assign(change, ...fields.map((each) => named(each, writtenAt(item, each)?.text)))];
  });
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
  return [{ entries, open: isOpen(node), includeSelectors: true, includeTemplates: true, fields: [], isCommon: true }];
}

function nextResource(text: string, list: Node | undefined): NextResource {
  const end = lineEnd(text);
  const last = list?.kind === 'list' ? list.items.at(-1) : undefined;
  if (list?.kind === 'list' && list.flow) {
    if (last === undefined) return { at: list.span.start + 1, before: '', after: '' };
    return { at: last.span.end, before: ', ', after: '' };
  }
  if (list === undefined || last === undefined) {
    const before = text === '' || text.endsWith('\n') ? '' : end;
    return { at: text.length, before: `${before}resources:${end}  - `, after: end };
  }
  const line = text.lastIndexOf('\n', list.span.start - 1) + 1;
  const at = contentEndAt(text, last.span.end);
  return { at, before: `${end}${' '.repeat(list.span.start - line)}- `, after: '' };
}

/** Returns the paths of input files. In generators, the text before an equals sign is the key, not a part of the path. */
function inputsOf(root: Node | undefined): readonly PathReference[] {
  const generators = ['configMapGenerator', 'secretGenerator'].flatMap((name) => itemsOf(childOf(root, name)));
  const lists = generators.flatMap((item) => ['files', 'envs'].flatMap((name) => itemsOf(childOf(item, name))));
  const single = generators.flatMap((item) => childOf(item, 'env') ?? []);
  const charts = itemsOf(childOf(root, 'helmCharts')).flatMap((item) => [
    ...itemsOf(childOf(item, 'additionalValuesFiles')),
    ...(childOf(item, 'valuesFile') === undefined ? [] : [childOf(item, 'valuesFile')]),
  ]);
  const plain = ['crds', 'validators'].flatMap((name) => itemsOf(childOf(root, name)));
  const others = [...plain, childOf(childOf(root, 'openapi'), 'path')];
  return [...lists, ...single, ...charts, ...others].flatMap(referenceOf).map(({ path, span }) => {
    return { path: path.slice(path.indexOf('=') + 1), span };
  });
}

/** Parses a list of field specs, for example in a transformer configuration or a transformer. */
export function fieldSpecsOf(node: Node | undefined): readonly FieldSpec[] {
  return itemsOf(node).map((item) => ({
    group: writtenAt(item, 'group')?.text ?? '',
    version: writtenAt(item, 'version')?.text ?? '',
    kind: writtenAt(item, 'kind')?.text ?? '',
    path: writtenAt(item, 'path')?.text ?? '',
    create: isTrue(item, 'create'),
  }));
}

function generatorsOf(root: Node | undefined): readonly GeneratorEntry[] {
  const general = childOf(root, 'generatorOptions');
  return generatorItems(root).map(({ kind, item }): GeneratorEntry => {
    const own = childOf(item, 'options');
    const both = (name: string) => [general, own].flatMap((options) => labelEntries(childOf(options, name)));
    const name = writtenAt(item, 'name');
    const reads = filesOf(item)?.map(({ path }) => path) ?? [];
    const plainName = [general, own].some((options) => isTrue(options, 'disableNameSuffixHash'));
    return {
      kind,
      span: name?.span ?? startOf(item),
      ...named('name', name),
      ...named('namespace', writtenAt(item, 'namespace')),
      keys: generatedKeys(item),
      behavior: writtenAt(item, 'behavior')?.text ?? 'create',
      labels: both('labels'),
      annotations: both('annotations'),
      plainName,
      ...named('variables', plainName ? generatedVariables(kind, item) : undefined),
      ...named('hash', contentHash(kind, item)),
      ...(reads.length > 0 && { reads }),
    };
  });
}

/** Returns the keys of the data that a generator item generates: the keys of its literals and files. The keys of `envs` are in other files and are not included. */
function generatedKeys(item: Node): DataKeys {
  const of = (field: string) => itemsOf(childOf(item, field)).map(written);
  const literals = of('literals').map((each) => keyPiece(each, 0, each.text.indexOf('=')));
  const files = of('files').map((each) => {
    const equals = each.text.indexOf('=');
    return equals === -1 ? keyPiece(each, each.text.lastIndexOf('/') + 1, each.text.length) : keyPiece(each, 0, equals);
  });
  const known = [...literals, ...files].filter((each) => each !== undefined);
  const isOpen = ['env', 'envs'].some((field) => childOf(item, field) !== undefined);
  const open = isOpen || known.length < literals.length + files.length;
  const isMerged = writtenAt(item, 'behavior')?.text === 'merge';
  return { keys: known, open: open || isMerged, ...(isMerged && !open && { areAdded: true }) };
}

function keyPiece(text: Written, start: number, end: number): Written | undefined {
  return end <= start
    ? undefined
    : writtenPiece(text, { start, end }, (each, piece) => pieceOf(each, piece) ?? each.span);
}

interface GeneratorItem {
  readonly kind: GeneratorEntry['kind'];
  readonly item: Node;
}

function generatorItems(root: Node | undefined): readonly GeneratorItem[] {
  const of = (kind: GeneratorEntry['kind'], field: string) => {
    return itemsOf(childOf(root, field)).map((item) => ({ kind, item }));
  };
  return [...of('ConfigMap', 'configMapGenerator'), ...of('Secret', 'secretGenerator')];
}

/** Returns the content of each generator of a kustomization, in order. Callers may only hash the content and must not store it. */
export function generatorContents(
  text: string,
  read: (path: string) => FileContent | undefined,
): readonly (Content | undefined)[] {
  return generatorItems(rootOf(text).root).map(({ kind, item }) => contentOf(kind, item, read));
}

/** Returns the syntax tree of a kustomization, with field names in their standard spelling. */
export function kustomizationTree(text: string): Node | undefined {
  return rootOf(text).root;
}

function rootOf(text: string) {
  const blanked = blankManifest(text);
  const first = splitDocuments(blanked.text)[0];
  const read = first && parseYaml(text, blanked, first);
  return { blanked, root: withKnownNames(read?.root), isBroken: (read?.errors.length ?? 0) > 0 };
}

/** Whether a reference is remote: a URL, or a repository such as `github.com/owner/name`. */
export function isRemote(path: string): boolean {
  if (path.startsWith('.') || path.startsWith('/')) return false;
  return /^[a-z][\w+.-]*:\/\/|^git::|^[\w-]+@|[?&](?:ref|version)=|^[\w-]+(?:\.[\w-]+)*\.(?:com|org|io|net|dev)\//.test(
    path,
  );
}

const otherFields = ['files', 'env', 'envs'] as const;

/**
 * Returns the content that the literals of a generator write, if all keys are names of variables; of a Secret, the values
 * are unknown. Undefined if a part of the content is in another file.
 */
function generatedVariables(kind: GeneratorEntry['kind'], item: Node): MapNode | undefined {
  const literals = childOf(item, 'literals');
  if (literals === undefined || otherFields.some((field) => childOf(item, field) !== undefined)) return undefined;
  const entries = itemsOf(literals)
    .map(entryOf)
    .filter((each) => each !== undefined);
  if (entries.length < itemsOf(literals).length) return undefined;
  const data = mapOf(entries, literals.span);
  const key = { kind: 'scalar', span: literals.span, text: 'data', style: 'plain', type: 'string' } as const;
  return variablesOf('', kind, mapOf([{ key, value: data, merged: false, conditional: false }], item.span));
}

function entryOf(item: Node): MapEntry | undefined {
  const equals = item.kind === 'scalar' && item.pattern === undefined ? item.text.indexOf('=') : -1;
  if (item.kind !== 'scalar' || equals < 1) return undefined;
  const scalar = { ...item, style: 'plain', type: 'string' } as const;
  const value = { ...scalar, text: withoutQuotes(item.text.slice(equals + 1)) };
  return { key: { ...scalar, text: item.text.slice(0, equals) }, value, merged: false, conditional: false };
}

function mapOf(entries: readonly MapEntry[], span: Node['span']): MapNode {
  return { kind: 'map', span, flow: false, entries, open: false, treeSize: treeSizeAroundEntries(entries, false) };
}
