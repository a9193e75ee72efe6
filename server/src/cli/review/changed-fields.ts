/** Finds what changed in objects that both trees contain. */

import { partsOf } from '../../compare/object-parts.ts';
import {
  type AppliedObject,
  isWrittenAsBefore,
  type Sided,
  siteData,
  sourceOf,
  wholeTree,
} from '../../compare/update-data.ts';
import type { ReferenceSite } from '../../manifests/model.ts';
import { policyData } from '../../manifests/sites/policy-data.ts';
import { typedData } from '../../manifests/yaml/typed-data.ts';
import { partialTree } from '../../workspace/kustomize/partial-tree.ts';
import type { TransformerSource } from '../../workspace/kustomize/transformer-sources.ts';
import { patchTreeOf, stepsOf, targetAt, treeOf } from '../../workspace/object-trees.ts';
import { folderOf, relativePath, resolveUri } from '../../workspace/uri.ts';
import type { Tree } from '../trees/tree.ts';
import { scaledBy } from './kustomize-replicas.ts';
import { hasUnknownChange, type Pair } from './pairs-of-trees.ts';
import { replacedValues } from './replaced-values.ts';

/** What changed in an object that both trees contain; several fields may have changed. */
export type ChangedField =
  | 'images'
  | 'replicas'
  | 'labels'
  | 'selectors'
  | 'references'
  | 'ports'
  | 'keys'
  | 'exposure'
  | 'content'
  | 'others';

export const changedFieldOrder: readonly ChangedField[] = [
  'images',
  'replicas',
  'labels',
  'selectors',
  'references',
  'ports',
  'keys',
  'exposure',
  'content',
  'others',
];

/** The fields to which other objects, or other fields, may refer. */
export const meaningfulFields: readonly ChangedField[] = ['selectors', 'references', 'ports', 'keys', 'exposure'];

/** Returns what changed in an object; empty if nothing did. `labels` includes annotations; `content` is the content of a generated object. */
export function changedFields(trees: readonly [Tree, Tree], pair: Pair): readonly ChangedField[] {
  const { before: old, after: fresh } = pair;
  if (old === undefined || fresh === undefined) return [];
  const [before, after] = trees;
  const sides = [
    { side: before.side, applied: old },
    { side: after.side, applied: fresh },
  ] as const;
  const found = new Set<ChangedField>();
  addSites(found, sides, pair);
  if (!haveSameReferences(old.object.references, fresh.object.references)) found.add('references');
  if (isOtherwiseGenerated(before, after, pair)) found.add('content');
  if (haveOtherImages(old, fresh)) found.add('images');
  if (scaledBy(before, old) !== scaledBy(after, fresh)) found.add('replicas');
  if (replacedValues(before, old) !== replacedValues(after, fresh)) found.add('others');
  if (!isWrittenAsBefore(...sides)) addWritten(found, trees, sides);
  if (selectionIn(old) !== selectionIn(fresh)) found.add('selectors');
  return changedFieldOrder.filter((each) => found.has(each));
}

type Sides = readonly [Sided, Sided];

/** Adds the labels and selectors. */
function addSites(found: Set<ChangedField>, sides: Sides, pair: Pair): void {
  const [old, fresh] = [sides[0].applied, sides[1].applied];
  if (old.object === fresh.object) return;
  const [was, is] = siteData(...sides).map((data) => JSON.stringify(data));
  // Entries with unknown keys are in no data.
  if (was !== is || hasUnknownChange(pair)) {
    const differs = (textOf: (applied: AppliedObject) => string) => textOf(old) !== textOf(fresh);
    if (differs(selectorsIn)) found.add('selectors');
    if (differs(labelsIn)) found.add('labels');
    if (!found.has('selectors')) found.add('labels');
  }
  if (labelKeysIn(old) !== labelKeysIn(fresh)) found.add('selectors');
}

/** Adds the other fields of an object whose text, or the text of its patches, changed. */
function addWritten(found: Set<ChangedField>, trees: readonly [Tree, Tree], sides: Sides): void {
  const [was, is] = contentsOf(trees, sides, true);
  for (const field of ['images', 'replicas', 'exposure', 'others'] as const)
    if (was[field].join('\n') !== is[field].join('\n')) found.add(field);
  if (was.ports.toSorted().join('\n') !== is.ports.toSorted().join('\n')) found.add('ports');
  // Nothing reads a key that is new.
  if (was.keys.some((key) => !is.keys.includes(key))) found.add('keys');
  const [old, fresh] = sides.map((sided) => partsOf(sided)?.sites);
  if (old === undefined || fresh === undefined) return;
  if (!haveSameReferences(old, fresh)) found.add('references');
  if (keysOf(old) !== keysOf(fresh)) found.add('keys');
}

function keysOf(sites: readonly ReferenceSite[]): string {
  return JSON.stringify(
    sites.flatMap(({ fact, keys }) => (keys === undefined ? [] : [[fact.path, keys.map(({ text }) => text)]])),
  );
}

/** Whether the templates have other images. The images of a template that kustomize changed are in no object. */
function haveOtherImages({ object: old }: AppliedObject, { object: fresh }: AppliedObject): boolean {
  return old.templates.some(({ images: was }, index) => {
    const is = fresh.templates[index]?.images;
    return was !== undefined && is !== undefined && was.join('\n') !== is.join('\n');
  });
}

/** Returns the paths of scalars that only the older or only the newer version of an object contains, or that have another value. */
export function changedPaths(
  trees: readonly [Tree, Tree],
  { before: old, after: fresh }: Pair,
): { readonly removed: readonly (readonly string[])[]; readonly added: readonly (readonly string[])[] } {
  if (old === undefined || fresh === undefined) return { removed: [], added: [] };
  const sides = [
    { side: trees[0].side, applied: old },
    { side: trees[1].side, applied: fresh },
  ] as const;
  if (isWrittenAsBefore(...sides)) return { removed: [], added: [] };
  const [was, is] = contentsOf(trees, sides).map(({ others, ports }) => [...others, ...ports]);
  const only = (some: readonly string[] = [], others: readonly string[] = []) => {
    const known = new Set(others);
    return some.filter((each) => !known.has(each)).map((each) => each.slice(0, each.indexOf(' ')).split('\0'));
  };
  return { removed: only(was, is), added: only(is, was) };
}

function selectorsIn({ object }: AppliedObject): string {
  return writtenAt(
    object,
    object.selectorSites.filter(({ state }) => state !== 'absent'),
  );
}

function labelsIn({ object }: AppliedObject): string {
  return writtenAt(object, object.labelSites);
}

/** Returns everything that decides what the selectors of an object match, and the rules of a network policy, as a text. */
function selectionIn({ object }: AppliedObject): string {
  const { selectorSites, policySpec } = object;
  const sites = selectorSites.map(({ path, state, open, data, namespaces }) => [path, state, open, data, namespaces]);
  return JSON.stringify([sites, policySpec && policyData(policySpec)]);
}

/** Returns the keys of labels that other fields than selectors name, such as `topologyKey`. The number of a container in its list is not a change. */
function labelKeysIn({ object }: AppliedObject): string {
  return JSON.stringify(object.labelKeySites.map(({ path, key }) => [path.replaceAll(/\[\d+\]/g, '[]'), key.text]));
}

/** Returns the values at the paths of an object as a text. */
function writtenAt(object: AppliedObject['object'], sites: readonly { readonly path: string }[]): string {
  const tree = partialTree(object);
  const values = sites.map(({ path }): readonly [string, unknown] => {
    const node = targetAt(tree, stepsOf(path))?.node;
    return [path, node && typedData(node)];
  });
  return JSON.stringify(values);
}

/** Whether the references of two versions of an object name the same objects. An absent namespace may be any. */
function haveSameReferences(was: readonly ReferenceSite[] = [], is: readonly ReferenceSite[] = []): boolean {
  return (
    was.length === is.length &&
    was.every(({ fact, name, kind, group, namespace }, index) => {
      const other = is[index];
      const isSameNamespace =
        (namespace?.text ?? other?.namespace?.text) === (other?.namespace?.text ?? namespace?.text);
      const isSameKind = kind === other?.kind && group === other?.group;
      return isSameNamespace && isSameKind && fact.path === other?.fact.path && name.text === other.name.text;
    })
  );
}

/** Whether a generated ConfigMap or Secret, whose name contains no hash, has other content. */
function isOtherwiseGenerated(before: Tree, after: Tree, { named, before: old, after: fresh }: Pair): boolean {
  const [was, is] = [old, fresh].map((applied) =>
    applied?.file.kustomization?.generators.find(({ kind, name }) => kind === named.kind && name?.text === named.name),
  );
  if (was === undefined || is === undefined || fresh === undefined) return false;
  const hasOtherText = (path: string) => {
    const uri = resolveUri(folderOf(fresh.file.uri), path);
    return before.side.textOf(resolveUri(before.root, relativePath(after.root, uri))) !== after.side.textOf(uri);
  };
  return was.hash !== is.hash || is.reads?.some(hasOtherText) === true;
}

/** Returns the content of both versions of an object without its labels, annotations and selectors. With `onlyChanged`, parts that are equal in both may be missing. */
function contentsOf(
  [before, after]: readonly [Tree, Tree],
  [old, fresh]: Sides,
  onlyChanged = false,
): readonly [Collected, Collected] {
  const [was, is] = [wholeTree(old), wholeTree(fresh)];
  if (was === undefined || is === undefined) return [partsWritten(before, old), partsWritten(after, fresh)];
  const [oldSites, freshSites] = [sitesIn(old), sitesIn(fresh)];
  const [oldData, freshData] = [typedData(was), typedData(is)];
  const isPaired = onlyChanged && areSameSets(oldSites, freshSites);
  const [oldContent, freshContent] = [newContent(old.applied), newContent(fresh.applied)];
  collect(oldData, [], oldSites, oldContent, isPaired ? { data: freshData } : undefined);
  collect(freshData, [], freshSites, freshContent, isPaired ? { data: oldData } : undefined);
  return [oldContent, freshContent];
}

/** Returns the paths of the fields that are compared separately. */
function sitesIn(sided: Sided): ReadonlySet<string> {
  const { side, applied } = sided;
  const source = sourceOf(side, applied);
  return new Set([
    ...sitesOf(applied.object),
    ...(source === undefined ? [] : sitesOf(source.object)),
    ...(partsOf(sided)?.sites ?? []).flatMap(pathsOfReference),
    ...applied.object.labelKeySites.map(({ path }) => stepsOf(path).join('\0')),
  ]);
}

function areSameSets(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return some.size === others.size && [...some].every((each) => others.has(each));
}

/** Returns the paths of the name and the key of a reference, which are compared separately. */
function pathsOfReference({ path, keys }: ReferenceSite): readonly string[] {
  const steps = stepsOf(path);
  return [steps, ...(keys === undefined ? [] : [[...steps.slice(0, -1), 'key']])].map((each) => each.join('\0'));
}

/** Returns the content of an object in its file without its labels, annotations and selectors, and what other files write into it. */
function partsWritten({ side }: Tree, { applied }: Sided): Collected {
  const content = newContent(applied);
  const source = sourceOf(side, applied);
  const text = source && side.textOf(source.file.uri);
  if (source !== undefined && text !== undefined) {
    const tree = treeOf({ text, workspace: side.workspace, uri: source.file.uri }, source.object);
    if (tree !== undefined) collect(typedData(tree), [], sitesOf(source.object), content);
  }
  for (const each of applied.transformers ?? []) addTransformer(side, each, content);
  return content;
}

interface Collected {
  readonly images: string[];
  readonly replicas: string[];
  readonly ports: string[];
  readonly keys: string[];
  readonly exposure: string[];
  readonly others: string[];
  /** Whether fields with the names of ports contain ports: a schema has such fields, and the ports of policies are compared as connections. */
  readonly hasPorts: boolean;
  readonly hasKeys: boolean;
  /** The names of the fields that decide from where, and under which names, an object is reached. */
  readonly exposing: ReadonlySet<string>;
}

function newContent({ object: { group, kind } }: AppliedObject): Collected {
  const hasPorts = kind !== 'CustomResourceDefinition' && !/NetworkPolicy$/.test(kind);
  const hasKeys = group === '' && (kind === 'ConfigMap' || kind === 'Secret');
  const exposing = exposingFields.find(([pattern]) => pattern.test(kind))?.[1] ?? noSites;
  const lists = { images: [], replicas: [], ports: [], keys: [], exposure: [], others: [] };
  return { ...lists, hasPorts, hasKeys, exposing };
}

const noSites: ReadonlySet<string> = new Set();

const exposingFields: readonly (readonly [kind: RegExp, fields: ReadonlySet<string>])[] = [
  [
    /^Service$/,
    new Set(
      'externalIPs externalName externalTrafficPolicy internalTrafficPolicy loadBalancerClass loadBalancerIP loadBalancerSourceRanges publishNotReadyAddresses type'.split(
        ' ',
      ),
    ),
  ],
  [
    /^(?:Ingress|IngressRoute|Gateway|DestinationRule|VirtualService|[A-Z]+[a-z]*Route)$/,
    new Set('host hostname hostnames hosts match matches path sectionName subset subsets'.split(' ')),
  ],
];

function addTransformer(side: Tree['side'], transformer: TransformerSource, content: Collected): void {
  const { uri } = transformer;
  if (transformer.kind === 'images') {
    for (const { span: _, ...change } of transformer.changes) content.images.push(JSON.stringify(change));
  } else if (transformer.kind === 'operations') collect(typedData(transformer.node), [], noSites, content);
  else if (transformer.kind === 'fieldPath') content.others.push(transformer.path.text);
  else if (transformer.kind === 'merge') {
    const text = side.textOf(uri);
    const tree =
      text === undefined ? undefined : patchTreeOf({ text, workspace: side.workspace, uri }, transformer.object);
    if (tree !== undefined) collect(typedData(tree), [], sitesOf(transformer.object), content);
  }
}

/** Returns the paths of the labels, annotations and selectors of an object, which are compared separately. */
function sitesOf({ labelSites, selectorSites }: AppliedObject['object']): ReadonlySet<string> {
  return new Set([...labelSites, ...selectorSites].map(({ path }) => stepsOf(path).join('\0')));
}

/** The names of fields that contain ports, or names of ports. */
const portFields: ReadonlySet<string> = new Set(
  'containerPort hostPort metricsPort nodePort port ports servicePort targetPort'.split(' '),
);
const dataFields: ReadonlySet<string> = new Set(['binaryData', 'data', 'stringData']);

/** Data, or a part of it that may be absent. */
interface OtherVersion {
  readonly data: unknown;
}

/** Adds the scalars in data with their paths, except those at the paths of `sites`, and except parts that are equal in the other version. */
function collect(
  data: unknown,
  path: readonly string[],
  sites: ReadonlySet<string>,
  content: Collected,
  other?: OtherVersion,
): void {
  if ((other !== undefined && isSame(data, other.data)) || sites.has(path.join('\0'))) return;
  if (content.hasKeys && path.length === 2 && dataFields.has(path[0] ?? '')) content.keys.push(path[1] ?? '');
  if (typeof data === 'object' && data !== null) {
    const keys = Object.keys(data).toSorted();
    if (keys.length === 0) content.others.push(`${path.join('\0')} ${Array.isArray(data) ? '[]' : '{}'}`);
    for (const key of keys) {
      const inOther = other && fieldOf(other.data, key);
      collect(fieldOf(data, key)?.data, [...path, key], sites, content, inOther);
    }
    return;
  }
  const key = path.at(-1);
  const isPort = content.hasPorts && path.some((step) => portFields.has(step));
  // The order of ports has no meaning.
  const shown = isPort ? path.filter((step) => !/^\d+$/.test(step)) : path;
  const isExposing = path.some((step) => content.exposing.has(step));
  const field = isExposing
    ? content.exposure
    : key === 'image'
      ? content.images
      : key === 'replicas'
        ? content.replicas
        : isPort
          ? content.ports
          : content.others;
  field.push(`${shown.join('\0')} ${JSON.stringify(data)}`);
}

function fieldOf(data: unknown, key: string): OtherVersion | undefined {
  const field = typeof data === 'object' && data !== null ? Object.getOwnPropertyDescriptor(data, key) : undefined;
  return field && { data: field.value };
}

function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  const keys = Object.keys(one);
  return (
    Array.isArray(one) === Array.isArray(other) &&
    keys.length === Object.keys(other).length &&
    keys.every((key) => {
      const [field, inOther] = [fieldOf(one, key), fieldOf(other, key)];
      return field !== undefined && inOther !== undefined && isSame(field.data, inOther.data);
    })
  );
}
