/** Determines the label sets that a selector can match: the labels of an object itself, and the labels of objects that are created from its templates. */

import type { GroupKind } from '../engine/catalogue/types.ts';
import { isUnknown, type LabelSet, type Value } from '../engine/index.ts';
import type { LabelEntry, LabeledObject, LabelSite, ManifestObject, Mutable, TemplateSite } from './model.ts';
import { concretePath } from './sites/catalogue-paths.ts';
import { poolRequirementsIn } from './sites/field-values.ts';
import { knownLabels } from './sites/sites.ts';

const known = new WeakMap<ManifestObject, readonly LabeledObject[]>();

/** Returns the labeled objects that a selector can match: the object itself, and the objects created from its templates. */
export function labeledObjectsOf(object: ManifestObject): readonly LabeledObject[] {
  const before = known.get(object);
  if (before !== undefined) return before;
  const labeledObjects = makeLabeledObjects(object);
  known.set(object, labeledObjects);
  return labeledObjects;
}

/** Returns the same result as `labeledObjectsOf` without caching it, for callers that use each object only once. */
export function makeLabeledObjects(object: ManifestObject): readonly LabeledObject[] {
  const entries = object.labels?.entries ?? [];
  const all = object.inherited.length === 0 ? entries : [...object.inherited, ...entries];
  const own = knownLabels(all.length > 0 ? all : defaultEntries(object), isOpen(object, object.labels));
  const named = nameLabels(object);
  const itself: Mutable<LabeledObject> = {
    target: { group: object.group, kind: object.kind },
    labels: named === undefined ? own.labels : { ...own.labels, ...named },
    open: own.open,
    guessed: false,
  };
  if (object.labels !== undefined) itself.site = object.labels;
  if (object.labels?.parts !== undefined) itself.parts = object.labels.parts;
  return [itself, ...object.templates.map((template) => madeBy(object, template))];
}

/** Returns the labels of the pod template that the API server copies to an object without labels. */
function defaultEntries({ selectorSites, templates }: ManifestObject): readonly LabelEntry[] {
  const site = selectorSites.find(({ fact }) => fact.filledFrom === 'templateLabels');
  if (site?.fact.templateLabelsAt === undefined) return [];
  const path = concretePath(site.fact.templateLabelsAt, site.path);
  const labels = templates.find((template) => labelsPathOf(template) === path)?.labels;
  return labels === undefined || labels.open ? [] : labels.entries;
}

function madeBy(object: ManifestObject, template: TemplateSite): LabeledObject {
  const { fact, path, labels: site } = template;
  const written = knownLabels(site?.entries ?? [], isOpen(object, site));
  const set = { ...labelsOfPool(template), ...labelsSetByController(object, template) };
  for (const key of fact.setsDefault ?? []) if (mayHaveLabel(object, key)) delete set[key];
  const asked = requestedByItself(object, template, written);
  const made: Mutable<LabeledObject> = {
    target: fact.makes,
    via: path,
    labels:
      asked === undefined && Object.keys(set).length === 0
        ? written.labels
        : { ...written.labels, ...asked?.labels, ...set },
    open: written.open || fact.open,
    guessed: fact.open && !written.open,
  };
  if (site !== undefined) made.site = site;
  const parts = [...(site?.parts ?? []), ...(asked?.parts ?? [])];
  if (parts.length > 0) made.parts = parts;
  return made;
}

/** Whether a template may add labels to a label map or, if the object has no label map, to the object. */
export function isOpen(object: ManifestObject, labels: LabelSite | undefined): boolean {
  return labels?.open ?? object.obscured === true;
}

/** Returns the labels that the objects created from a template certainly have, because the API server requires them to match the workload's own selector. Labels whose values are already known are omitted. */
function requestedByItself(object: ManifestObject, template: TemplateSite, written: LabelSet) {
  if (!written.open && !Object.values(written.labels).some(isUnknown)) return undefined;
  const own = object.selectorSites.find(
    ({ fact, path, state }) =>
      fact.mustMatchTemplate &&
      state !== 'ignored' &&
      fact.templateLabelsAt !== undefined &&
      concretePath(fact.templateLabelsAt, path) === labelsPathOf(template),
  );
  if (own === undefined) return undefined;
  const labels = Object.entries(knownLabels(own.entries, own.open).labels).filter(([key]) => {
    const value = written.labels[key];
    return value === undefined ? written.open : isUnknown(value);
  });
  return { labels: Object.fromEntries(labels), parts: own.parts };
}

/** Returns the path of the labels of objects created from a template, even if they have no labels. */
export function labelsPathOf({ path, fact, labels }: TemplateSite): string {
  if (labels !== undefined) return labels.path;
  if (fact.labelsAt !== undefined) return concretePath(fact.labelsAt, path);
  return path === '' ? 'metadata.labels' : `${path}.metadata.labels`;
}

function nameLabels({ nameLabels, name }: ManifestObject): Readonly<Record<string, Value>> | undefined {
  if (nameLabels === undefined || name === undefined) return undefined;
  return Object.fromEntries(nameLabels.map((key) => [key, name.value]));
}

/** Returns the value of a label that a controller sets, which is not in any file. The names of a StatefulSet's pods begin with the name of the StatefulSet. */
function generatedValue(key: string, { name }: ManifestObject, path: string): Value {
  const unknown = `${key} of ${path}`;
  if (key !== podNameLabel || typeof name?.value !== 'string') return { unknown };
  return { unknown, pattern: `${name.value}-*` };
}

/** The label whose value is the name of the pod, which consists of the name of its StatefulSet and an ordinal, for example `web-0`. */
const podNameLabel = 'statefulset.kubernetes.io/pod-name';

function labelsSetByController(
  object: ManifestObject,
  { path, fact }: TemplateSite,
): Readonly<Record<string, Value>> | undefined {
  if (fact.sets === undefined) return undefined;
  const set = Object.entries(fact.sets).map(([key, value]): [string, Value] => {
    if (fact.setsName?.includes(key) && object.name !== undefined) return [key, object.name.value];
    const derived = fact.setsDerived?.[key];
    if (derived !== undefined) return [key, derivedValue(derived, object, `${key} of ${path}`)];
    return [key, value ?? generatedValue(key, object, path)];
  });
  return Object.fromEntries(set);
}

/** Whether an object may have a label itself, which its operator copies to the created objects. */
function mayHaveLabel(object: ManifestObject, key: string): boolean {
  const own = knownLabels(object.labels?.entries ?? [], isOpen(object, object.labels));
  return own.open || Object.hasOwn(own.labels, key);
}

/** Returns a value that contains the name of an object. Operators truncate longer values. */
function derivedValue(derived: string, { name }: ManifestObject, unknown: string): Value {
  if (typeof name?.value !== 'string') return { unknown };
  const value = derived.replace('@', name.value);
  if (value.length > maximumValueLength) return { unknown };
  return derived.includes('*') ? { unknown, pattern: value } : value;
}

const maximumValueLength = 63;

/** Returns the labels that the requirements of a node pool determine: Karpenter creates nodes that have them, each with one of the allowed values. */
function labelsOfPool({ path, fieldValues }: TemplateSite): Readonly<Record<string, Value>> {
  const requirements = poolRequirementsIn(fieldValues);
  if (requirements === 'unknown' || requirements.length === 0) return {};
  const allowed = new Map<string, readonly string[] | 'unknown'>();
  for (const { key, operator, values } of requirements) {
    if (typeof key !== 'string') return {};
    // A node may lack the label of a requirement with NotIn, for example the name of its GPU.
    if (operator === 'DoesNotExist' || operator === 'NotIn') continue;
    const before = allowed.get(key);
    const texts = values === 'unknown' ? [] : values.filter((value) => typeof value === 'string');
    const isList = operator === 'In' && values !== 'unknown' && texts.length === values.length && texts.length > 0;
    const both = isList && Array.isArray(before) ? texts.filter((value) => before.includes(value)) : texts;
    if (isList) allowed.set(key, both);
    else if (before === undefined) allowed.set(key, 'unknown');
  }
  const labels = [...allowed].map(([key, values]): [string, Value] => {
    const unknown = `${key} of ${path}`;
    if (values === 'unknown' || values.length === 0) return [key, { unknown }];
    return [key, values.length === 1 ? (values[0] ?? '') : { unknown, oneOf: values }];
  });
  return Object.fromEntries(labels);
}

/** Whether a template makes nodes. Tools such as eksctl write its labels to them, although the object itself is not applied. */
export function makesNodes({ fact: { makes } }: TemplateSite): boolean {
  return isNode(makes);
}

export function isNode({ group, kind }: GroupKind): boolean {
  return group === '' && kind === 'Node';
}

/** Whether labels are those of a pod: of a Pod itself, or of the pods that a template creates. */
export function areOfPod({ target }: Pick<LabeledObject, 'target'>): boolean {
  return target.group === '' && target.kind === 'Pod';
}

/** Returns the part of an object that describes the pods with some labels: the object itself, or the template that creates them. */
export function podPart(
  object: ManifestObject,
  { via }: Pick<LabeledObject, 'via'>,
): ManifestObject | TemplateSite | undefined {
  return via === undefined ? object : object.templates.find(({ path }) => path === via);
}
