/** Finds fields of an object that do not exist in its kind, and required fields that are missing. */

import { isBuiltIn } from '../../engine/catalogue/built-in-groups.ts';
import type { FieldScalar, Structure, StructureField } from '../../engine/catalogue/structures.ts';
import type { Catalogue } from '../../engine/catalogue/types.ts';
import { isQuantity } from '../../engine/quantity.ts';
import { misspelling } from '../../text/misspelling.ts';
import type { Span } from '../../text/span.ts';
import { replacedFields } from '../kustomize/replaced-paths.ts';
import type { FieldFault, ManifestObject } from '../model.ts';
import { scalarData } from '../yaml/scalar-types.ts';
import {
  childOf,
  effectiveEntries,
  entryOf,
  itemsOf,
  type ListNode,
  type MapEntry,
  type MapNode,
  type Node,
  type ScalarNode,
  textOf,
} from '../yaml/tree.ts';
import { nodeAt } from './catalogue-paths.ts';
import { alternativeFaults, containerFaults, pathFaults, requiredFaults, restartFaults } from './required-faults.ts';
import { written } from './sites.ts';
import { hasKnownValues, valueFaults } from './value-faults.ts';

/** The maximum number of reported faults in an object. */
const maximumFaults = 100;

/** The annotation of objects that only tools use and that are never applied to the cluster. */
const localConfig = 'config.kubernetes.io/local-config';

/** Returns the faults in the fields of an object; none if a template determines its kind. If the fields of the kind are unknown, only metadata, pod templates and label selectors are checked. */
export function objectFaults(root: Node, object: ManifestObject, catalogue: Catalogue): readonly FieldFault[] {
  const { group, version, kind, kindSpan, forCluster, joined } = object;
  // Objects that are not separated by `---` are not checked, because only the last value of each key is used.
  if (!forCluster || root.kind !== 'map' || isTypeChosen(root) || joined !== undefined || isForHook(root)) return [];
  const structure = catalogue.structure(group, version, kind);
  const ofKubernetes = isBuiltIn(group);
  const place = { object: kindSpan.start, at: kindSpan, ofKubernetes, type: `${group}/${kind}` };
  const inParts = (parts: readonly Part[]) =>
    parts.flatMap(({ path, structure: known }) => {
      const node = nodeAt(root, path);
      return known === undefined || node === undefined
        ? []
        : fieldFaults(node, known, { ...place, path, knowsScalars: ofKubernetes });
    });
  const metadata = { path: 'metadata', structure: catalogue.metadata() };
  const faults =
    structure === undefined
      ? inParts([metadata, ...partsOf(object, catalogue)])
      : [
          ...fieldFaults(root, structure, { ...place, path: '', knowsScalars: true }),
          // The metadata is checked separately if the schema of the kind does not describe its fields.
          ...(structure.fields.get('metadata')?.structure === undefined ? inParts([metadata]) : []),
          ...namelessFaults(root, object),
          ...podlessFaults(root, object, catalogue),
          ...requiredFaults(root, object),
          ...restartFaults(root, object, catalogue),
          ...containerFaults(root, object),
          ...alternativeFaults(root, object),
          ...pathFaults(root, object),
        ];
  if (faults.length === 0) return faults;
  return childOf(childOf(childOf(root, 'metadata'), 'annotations'), localConfig) === undefined ? faults : [];
}

/** Whether an object extends the pods of GitHub runners, whose containers have names such as `$job`. */
function isForHook(root: MapNode): boolean {
  return itemsOf(nodeAt(root, 'spec.containers')).some((each) => textOf(childOf(each, 'name'))?.startsWith('$'));
}

function isTypeChosen(root: MapNode): boolean {
  return root.entries.some(
    ({ key, value, conditional }) =>
      (key.text === 'kind' || key.text === 'apiVersion') &&
      (conditional || (value.kind === 'scalar' && value.pattern !== undefined)),
  );
}

interface Part {
  readonly path: string;
  readonly structure: Structure | undefined;
}

/** Returns the parts of an object that have the same fields in all kinds, other than its own metadata: the metadata of templates, and label selectors. */
function partsOf({ templates, selectorSites }: ManifestObject, catalogue: Catalogue): readonly Part[] {
  const metadata = catalogue.metadata();
  const deployment = catalogue.structure('apps', 'v1', 'Deployment');
  const selector = deployment?.fields.get('spec')?.structure?.fields.get('selector')?.structure;
  const parts = [
    ...templates
      .filter(({ path }) => path !== '')
      .map(({ path }) => ({ path: `${path}.metadata`, structure: metadata })),
    ...selectorSites
      .filter(({ fact }) => fact.form === 'labelSelector')
      .map(({ path }) => ({ path, structure: selector })),
  ];
  return [...new Map(parts.map((part) => [part.path, part])).values()];
}

/** Returns the fault of a missing name. An object needs a name or a name prefix, unless it is a request that the API server does not store. */
function namelessFaults(root: MapNode, { name, generateName, kind, kindSpan }: ManifestObject): readonly FieldFault[] {
  if (name !== undefined || generateName !== undefined || root.open || kind === 'Eviction') return [];
  const entry = entryOf(root, 'metadata');
  if (entry !== undefined && !mayLack(entry)) return [];
  const span = entry?.value.kind === 'map' && entry.value.entries.length > 0 ? entry.key.span : kindSpan;
  return [{ is: 'missing', object: kindSpan.start, path: 'metadata', field: 'name', span }];
}

/** Returns the fault of a missing `spec`, pod template or list of containers. A pod needs containers and a workload needs a template, so an object without them can only be a patch. */
function podlessFaults(
  root: MapNode,
  { group, version, kind, kindSpan, templates }: ManifestObject,
  catalogue: Catalogue,
): readonly FieldFault[] {
  if (root.open) return [];
  const isPod = group === '' && kind === 'Pod';
  const template = catalogue
    .kind(group, version, kind)
    ?.templates.find(({ path, makes }) => makes.kind === 'Pod' && path.startsWith('spec.'));
  if (!isPod && (template === undefined || templates.some(({ path }) => path === template.path))) return [];
  const spec = entryOf(root, 'spec');
  if (spec === undefined) return [{ is: 'missing', object: kindSpan.start, path: '', field: 'spec', span: kindSpan }];
  const path = isPod ? 'spec.containers' : (template?.path ?? '');
  if (!isBuiltIn(group) || lacksNothing(spec, path)) return [];
  const [dot, span] = [path.lastIndexOf('.'), spec.key.span];
  return [{ is: 'missing', object: kindSpan.start, path: path.slice(0, dot), field: path.slice(dot + 1), span }];
}

/** Whether the spec of an object may contain a path, because it has the path or a template may add it. */
function lacksNothing({ value, conditional, merged }: MapEntry, path: string): boolean {
  let node: Node | undefined = value;
  if (conditional || merged) return true;
  for (const key of path.split('.').slice(1)) {
    if (node === undefined) return false;
    if (node.kind !== 'map') return node.kind !== 'scalar' || node.type !== 'null';
    if (node.open || node.entries.some((entry) => entry.key.pattern !== undefined)) return true;
    node = childOf(node, key);
  }
  return node !== undefined && !(node.kind === 'scalar' && node.type === 'null');
}

/** Whether an entry `metadata` certainly contains neither a name nor a name prefix. */
function mayLack({ value, conditional }: MapEntry): boolean {
  if (conditional || value.kind === 'list') return false;
  if (value.kind === 'scalar') return value.type === 'null';
  if (value.open || value.entries.some(({ key }) => key.pattern !== undefined)) return false;
  return entryOf(value, 'name') === undefined && entryOf(value, 'generateName') === undefined;
}

/** Returns the fault of a document that looks like an object of a built-in kind but has only one of `apiVersion` and `kind`. */
export function untypedFaults(root: Node, catalogue: Catalogue): readonly FieldFault[] {
  if (root.kind !== 'map' || root.open || childOf(root, 'metadata')?.kind !== 'map') return [];
  if (root.entries.some(({ key, merged, conditional }) => key.pattern !== undefined || merged || conditional))
    return [];
  const [version, kind] = [entryOf(root, 'apiVersion')?.value, entryOf(root, 'kind')?.value];
  const other = kind ?? version;
  if (other?.kind !== 'scalar' || other.pattern !== undefined || (kind !== undefined && version !== undefined))
    return [];
  const field = kind === undefined ? 'kind' : 'apiVersion';
  const structures = kind === undefined ? catalogue.structuresOf(other.text) : structuresNamed(other.text, catalogue);
  const near = root.entries.find(({ key }) => misspelling(field, key.text) !== undefined)?.key;
  const others = root.entries.filter(({ key }) => key !== near);
  if (!structures.some(({ fields }) => others.every(({ key }) => fields.has(key.text)))) return [];
  const fields = replacedFields(root, '');
  const setsLabels = fields?.every((each) => !/labels|selector|affinity/i.test(each))
    ? {}
    : { setsLabels: true as const };
  return [{ is: 'untyped', field, other: written(other), ...(near && { near: written(near) }), ...setsLabels }];
}

function structuresNamed(name: string, catalogue: Catalogue): readonly Structure[] {
  const kinds = catalogue.named(name).filter((each) => each.kind === name && isBuiltIn(each.group));
  return kinds.flatMap(({ group, kind }) =>
    (catalogue.kind(group, '', kind)?.versions ?? []).flatMap(
      (version) => catalogue.structure(group, version, kind) ?? [],
    ),
  );
}

interface FaultSite {
  readonly path: string;
  readonly object: number;
  /** The range at which missing fields of the map are reported. */
  readonly at: Span;
  /** Whether the kind is built in, so that the values of its fields are known by their names. */
  readonly ofKubernetes: boolean;
  /** Whether the schema of the kind states the types of scalars; a custom resource may contain parts that only look like those of built-in kinds. */
  readonly knowsScalars: boolean;
  /** The group and kind of the object. */
  readonly type: string;
}

/** Whether an entry contains the encryption metadata of SOPS, which is removed when the object is decrypted. */
function isOfSops({ key, value }: MapEntry, steps: Steps | undefined): boolean {
  return steps === undefined && key.text === 'sops' && childOf(value, 'mac') !== undefined;
}

/** Returns the faults in the fields of a map and of all maps below it. A map that a template generates partially has no faults. */
export function fieldFaults(
  root: Node,
  structure: Structure,
  { path, object, at, ofKubernetes, knowsScalars, type }: FaultSite,
): readonly FieldFault[] {
  const found: FieldFault[] = [];
  const inMap = (map: MapNode, { fields, required, open }: Structure, steps: Steps | undefined, span: Span): void => {
    if (map.open || map.entries.some(({ key }) => key.pattern !== undefined)) return;
    for (const entry of effectiveEntries(map)) {
      const field = fields.get(entry.key.text);
      if (found.length < maximumFaults && isOwn(entry)) {
        if (field !== undefined) {
          const known = knowsScalars ? field : { ...field, scalar: undefined };
          for (const fault of typeFaultsOf(entry.value, known))
            found.push({ is: 'type', object, path: pathOf(steps), key: written(entry.key), ...fault });
          if (known.scalar !== undefined && known.has === 'values')
            inTexts(entry, known.scalar, { around: steps, key: entry.key.text });
          if (ofKubernetes && entry.value.kind === 'scalar' && hasKnownValues(entry.key.text))
            found.push(...valueFaults(entry, { fields, type, object, path: pathOf(steps) }));
        } else if (!open && !isOfSops(entry, steps)) {
          found.push({ is: 'unknown', object, path: pathOf(steps), key: written(entry.key) });
        }
      }
      if (field?.structure !== undefined)
        inField(entry, field.structure, field.has, { around: steps, key: entry.key.text });
    }
    for (const field of required) {
      if (entryOf(map, field) !== undefined || found.length >= maximumFaults || isPartial(map)) continue;
      found.push({ is: 'missing', object, path: pathOf(steps), field, span });
    }
  };
  const inTexts = ({ value }: MapEntry, scalar: FieldScalar, steps: Steps): void => {
    if (value.kind !== 'map') return;
    for (const entry of effectiveEntries(value)) {
      if (found.length >= maximumFaults || !isOwn(entry)) continue;
      for (const fault of scalarFaultsOf(entry.value, scalar))
        found.push({ is: 'type', object, path: pathOf(steps), key: written(entry.key), ...fault });
    }
  };
  const inField = ({ key, value }: MapEntry, of: Structure, has: StructureField['has'], steps: Steps): void => {
    if (has === 'value' && value.kind === 'map') inMap(value, of, steps, key.span);
    if (has === 'items' && value.kind === 'list') {
      for (const [index, item] of value.items.entries())
        if (item.kind === 'map') inMap(item, of, { around: steps, key: index }, firstCharacter(item));
    }
    if (has === 'values' && value.kind === 'map') {
      for (const each of value.entries) inField(each, of, 'value', { around: steps, key: each.key.text });
    }
  };
  if (root.kind === 'map') inMap(root, structure, path === '' ? undefined : { around: undefined, key: path }, at);
  return found;
}

type TypeFault = Extract<FieldFault, { readonly is: 'type' }>;
type FoundType = Pick<TypeFault, 'must' | 'found' | 'wrong' | 'isItem'>;

/** Returns the faults in the type of a field. */
function typeFaultsOf(value: Node, { structure, scalar, has }: StructureField): readonly FoundType[] {
  if (structure === undefined && (scalar === undefined || has === 'values'))
    return scalar !== undefined && hasWrongType(value, 'map') ? [{ must: 'map', found: value.kind }] : [];
  if (structure === undefined && scalar !== undefined && has === 'value') return scalarFaultsOf(value, scalar);
  const must = has === 'items' ? 'list' : 'map';
  if (hasWrongType(value, must)) return [{ must, found: value.kind }];
  if (value.kind !== 'list') return [];
  // One item shows the fault of all of them.
  for (const item of value.items) {
    // The API server reads null as an empty map.
    const found =
      scalar !== undefined
        ? scalarFaultsOf(item, scalar)
        : hasWrongType(item, 'map')
          ? [{ must: 'map' as const, found: item.kind, wrong: written(item) }]
          : [];
    if (found.length > 0) return found.map((each) => ({ wrong: written(item), ...each, isItem: true }));
  }
  return [];
}

/** Returns the fault of a value that certainly is no scalar of a type. A null value is like an absent field. */
function scalarFaultsOf(value: Node, must: FieldScalar): readonly FoundType[] {
  if (value.kind !== 'scalar') return value.open || isInBrackets(value) ? [] : [{ must, found: value.kind }];
  return value.pattern === undefined && isOtherScalar(value, must)
    ? [{ must, found: 'scalar', wrong: written(value) }]
    : [];
}

function isOtherScalar({ type, text, style, rendered }: ScalarNode, must: FieldScalar): boolean {
  if (type === 'null') return false;
  if (must === 'quantity') {
    if (type === 'number') return /inf|nan/i.test(text);
    // A word, such as `SIZE` or `volsize`, is probably replaced.
    return !isQuantity(text) && style !== 'block' && (type !== 'string' || /^\s*[+-]?\d/.test(text));
  }
  if (type !== 'string') {
    if (type === 'number' && must === 'integer') return !Number.isInteger(scalarData(text, type));
    return !(type === must || (type === 'number' && must === 'number'));
  }
  // The quotes in the output of a template are not known.
  if (must === 'string' || style === 'block' || (rendered === true && style === 'plain')) return false;
  return !mayBeReplaced(text);
}

/** Whether a list or map is a placeholder in brackets, such as `[TOKEN]` or `{TOKEN}`. */
function isInBrackets(node: ListNode | MapNode): boolean {
  const [only, ...others] = node.kind === 'list' ? node.items : node.entries.map(({ key }) => key);
  return others.length === 0 && only?.kind === 'scalar' && mayBeReplaced(only.text);
}

/** Whether a string in the place of a number or boolean may be a placeholder for it, such as `REPLICAS`, `<count>` or `@count@`. */
function mayBeReplaced(text: string): boolean {
  const isInCapitals = /[A-Z]/.test(text) && !/[a-z]/.test(text) && !/^(?:YES|NO|TRUE|FALSE|ON|OFF|Y|N)$/.test(text);
  return (
    isInCapitals ||
    !/^[\s\w.+-]*$/.test(text) ||
    !/[a-z0-9]/i.test(text) ||
    text.includes('__') ||
    /\b(?:your|todo|xxx?)\b/i.test(text.replaceAll('_', ' '))
  );
}

/** Whether a value certainly has another type than its field. A null value is like an absent field. */
function hasWrongType(value: Node, must: 'map' | 'list'): boolean {
  // An ellipsis is a placeholder for omitted fields.
  if (value.kind === 'scalar') return value.type !== 'null' && value.pattern === undefined && !/^\W+$/.test(value.text);
  return value.kind !== must && !value.open;
}

/** Whether a workload without a selector is incomplete: its pods have no labels or images, so a tool probably adds the missing parts. */
function isPartial(map: MapNode): boolean {
  const template = childOf(map, 'template');
  const labels = childOf(childOf(template, 'metadata'), 'labels');
  const containers = childOf(childOf(template, 'spec'), 'containers');
  const isWhole = containers?.kind === 'list' && containers.items.length > 0;
  return labels === undefined || !isWhole || !containers.items.every((item) => childOf(item, 'image') !== undefined);
}

function firstCharacter({ span: { start, end } }: Node): Span {
  return { start, end: Math.min(start + 1, end) };
}

/** Whether an entry is a field that the map itself contains. Patch directives (`$patch`) are instructions for tools, and merged entries and entries that a template renders are located elsewhere. */
function isOwn({ key, merged, rendered }: MapEntry): boolean {
  return !merged && rendered !== true && !key.text.startsWith('$');
}

/** A path as a linked list from its last segment to its first. Only a few paths are converted to strings, so the conversion is deferred. */
interface Steps {
  readonly around: Steps | undefined;
  readonly key: string | number;
}

function pathOf(steps: Steps | undefined): string {
  if (steps === undefined) return '';
  const around = pathOf(steps.around);
  if (typeof steps.key === 'number') return `${around}[${steps.key}]`;
  return around === '' ? steps.key : `${around}.${steps.key}`;
}
