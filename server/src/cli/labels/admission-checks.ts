/** Converts the registry of labels to checks of the API server: expressions in the Common Expression Language (CEL), grouped by the field that they check. */

import type { Catalogue, GroupKind } from '../../engine/catalogue/types.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import { areOfPod } from '../../manifests/label-sets.ts';
import type { AllowedValues } from '../../rules/helpers/allowed-values.ts';
import { appliesTo, type Demand, includesKind, type RegisteredLabel } from '../../settings/label-registry.ts';
import type { Kinds } from '../../settings/label-shapes.ts';

/** An expression that is true for a compliant object. The object is the variable `object`. */
export interface AdmissionCheck {
  readonly expression: string;
  readonly message: string;
}

/** The checks of one field, with the kinds that have the field. */
export interface AdmissionPolicy {
  readonly name: string;
  /** The kinds to which the checks apply; `*` for all kinds. */
  readonly kinds: '*' | readonly GroupKind[];
  readonly checks: readonly AdmissionCheck[];
}

export interface AdmissionPolicies {
  readonly policies: readonly AdmissionPolicy[];
  /** The statements that cannot be checked by the API server, as sentences. */
  readonly omitted: readonly string[];
}

/** A label to export; `values` are the values that it allows, if it limits them. */
export interface ExportedLabel {
  readonly label: RegisteredLabel;
  readonly values: AllowedValues | undefined;
}

/** The API versions with the built-in kinds that have pod templates or selectors. */
const builtInVersions: readonly string[] = ['v1', 'apps/v1', 'batch/v1', 'networking.k8s.io/v1', 'policy/v1'];

/** A field with labels or a selector, and the built-in kinds that have it. */
interface Field {
  readonly path: string;
  /** The kinds of the objects with the labels, or of the selected objects. */
  readonly of: readonly GroupKind[];
  /** Whether the objects may have further labels, so that no label is missing. */
  readonly open: boolean;
  /** Set for a selector: whether it is a map, or has `matchLabels` and `matchExpressions`. */
  readonly selector?: 'map' | 'labelSelector';
  readonly kinds: GroupKind[];
}

/** Returns the policies for the statements about some labels. */
export function admissionPolicies(labels: readonly ExportedLabel[], catalogue: Catalogue): AdmissionPolicies {
  const omitted = [
    ...new Set(labels.flatMap(({ label, values }) => omissions(label, values))),
    ...(labels.some(({ label }) => !label.selectable) ? [affinityNote] : []),
  ];
  const own = metadataPolicy(labels, catalogue);
  const byKinds = new Map<string, { readonly kinds: readonly GroupKind[]; readonly checks: AdmissionCheck[] }>();
  for (const field of fieldsOf(catalogue)) {
    const checks = labels.flatMap((each) =>
      field.selector === undefined ? labelChecks(each, field) : selectorChecks(each, field),
    );
    if (checks.length === 0) continue;
    const known = getOrAdd(byKinds, JSON.stringify(field.kinds), () => ({ kinds: field.kinds, checks: [] }));
    known.checks.push(...checks);
  }
  const names = new Map<string, number>();
  const others = [...byKinds.values()].map(({ kinds, checks }) => {
    const name = nameOf(kinds, catalogue);
    const count = (names.get(name) ?? 0) + 1;
    names.set(name, count);
    return { name: count === 1 ? name : `${name}-${count}`, kinds, checks };
  });
  return { policies: own.checks.length === 0 ? others : [own, ...others], omitted };
}

const affinityNote =
  'Selectors in the affinity and in the topology spread constraints of pods, and selectors of custom kinds, are not checked.';

function omissions({ key, required, allowed }: RegisteredLabel, values: AllowedValues | undefined): readonly string[] {
  return [
    ...(required?.files === undefined
      ? []
      : [`'${key}' is required in some files only, which the API server does not know.`]),
    ...(allowed !== undefined && values?.isKnown === false ? [`The allowed values of '${key}' are unknown.`] : []),
    ...(required?.pods === undefined
      ? []
      : [`'${key}' is required in the pod templates of custom kinds, too; the API server checks their pods.`]),
  ];
}

function metadataPolicy(labels: readonly ExportedLabel[], catalogue: Catalogue): AdmissionPolicy {
  const checks = labels.flatMap(({ label, values }) => {
    const map = 'object.metadata.labels';
    const has = (key: string) => `has(${map}) && ${quoted(key)} in ${map}`;
    const { required, files } = { required: label.required, files: label.required?.files };
    const missing =
      required === undefined || files !== undefined || label.forbidden
        ? []
        : [{ when: demandCondition(required), test: has(label.key), message: missingText(label) }];
    const present = presenceTests(label, values).map(({ test, message }) => ({
      when: kindCondition(kindsOf(label)),
      test: `!has(${map}) || ${test(map)}`,
      message,
    }));
    return [...missing, ...present].flatMap(({ when, test, message }): readonly AdmissionCheck[] =>
      when === undefined ? [] : [{ expression: when === '' ? test : `!(${when}) || ${test}`, message }],
    );
  });
  return { name: `${prefix}-metadata`, kinds: metadataKinds(labels, catalogue), checks };
}

function kindsOf({ kinds }: RegisteredLabel): Kinds {
  return kinds.length === 0 || kinds.includes('*') ? true : kinds;
}

/** Returns the kinds whose metadata is checked; `*` if a check applies to all kinds, or to a kind that is not known. */
function metadataKinds(labels: readonly ExportedLabel[], catalogue: Catalogue): AdmissionPolicy['kinds'] {
  const names = new Set<string>();
  for (const { label, values } of labels) {
    const { required } = label;
    const all = [
      ...(presenceTests(label, values).length > 0 ? [kindsOf(label)] : []),
      ...(required?.objects === undefined || required.files !== undefined ? [] : [required.objects]),
    ];
    if (all.includes(true)) return '*';
    for (const kinds of all) for (const kind of kinds === true ? [] : kinds) names.add(kind);
    if (includesKind(required?.pods, 'Pod')) names.add('Pod');
    if (required?.namespaces) names.add('Namespace');
  }
  const found = [...names].map((name) => catalogue.named(name).filter(({ kind }) => kind === name));
  return found.some((kinds) => kinds.length === 0) ? '*' : found.flat();
}

/** Returns the condition that an object is of certain kinds; empty if it is always true, undefined if it is never true. */
function kindCondition(kinds: Kinds): string | undefined {
  if (kinds === true) return '';
  return kinds.length === 0 ? undefined : `object.kind in [${kinds.map(quoted).join(', ')}]`;
}

function demandCondition({ objects, pods, namespaces }: Demand): string | undefined {
  const ofCore = (kind: string) => `object.apiVersion == "v1" && object.kind == ${quoted(kind)}`;
  const parts = [
    ...(objects === undefined ? [] : [kindCondition(objects)]),
    ...(includesKind(pods, 'Pod') ? [ofCore('Pod')] : []),
    ...(namespaces ? [ofCore('Namespace')] : []),
  ].filter((part) => part !== undefined);
  if (parts.includes('')) return '';
  return parts.length === 0 ? undefined : parts.join(' || ');
}

/** A test of a map of labels that exists; `test` receives the expression of the map. */
interface PresenceTest {
  test(map: string): string;
  readonly message: string;
}

/** Returns the tests of forbidden, replaced and limited labels. */
function presenceTests(label: RegisteredLabel, values: AllowedValues | undefined): readonly PresenceTest[] {
  const key = quoted(label.key);
  const allowed = values === undefined ? undefined : allowedTest(values);
  return [
    ...(label.forbidden
      ? [{ test: (map: string) => `!(${key} in ${map})`, message: `label '${label.key}' is not allowed` }]
      : []),
    ...(allowed === undefined || label.forbidden
      ? []
      : [
          {
            test: (map: string) => `!(${key} in ${map}) || ${allowed(`${map}[${key}]`)}`,
            message: `label '${label.key}' allows only ${values?.text ?? ''}`,
          },
        ]),
    ...label.replaces.map((old) => ({
      test: (map: string) => `!(${quoted(old)} in ${map}) || ${key} in ${map}`,
      message: `label '${old}' is replaced by '${label.key}'`,
    })),
  ];
}

function allowedTest({ listed, pattern, isKnown }: AllowedValues): ((value: string) => string) | undefined {
  if (!isKnown) return undefined;
  return (value) => {
    const inList = `${value} in [${listed.map(quoted).join(', ')}]`;
    if (pattern === undefined) return inList;
    const matches = `${value}.matches(${quoted(`^(?:${pattern})$`)})`;
    return listed.length === 0 ? matches : `(${inList} || ${matches})`;
  };
}

function missingText({ key }: RegisteredLabel): string {
  return `label '${key}' is required`;
}

function labelChecks({ label, values }: ExportedLabel, field: Field): readonly AdmissionCheck[] {
  const { required } = label;
  const isOfPods = field.of.some((target) => areOfPod({ target }));
  const demanded =
    required?.pods === undefined || required.files !== undefined || label.forbidden || field.open || !isOfPods
      ? []
      : field.kinds.filter(({ kind }) => includesKind(required.pods, kind));
  const missing: readonly AdmissionCheck[] =
    demanded.length === 0
      ? []
      : [
          {
            expression: onlyFor(
              demanded,
              field,
              at(field.path, 'false', (map) => `${quoted(label.key)} in ${map}`),
            ),
            message: `${missingText(label)} on pods`,
          },
        ];
  const isMeant = field.of.some(({ kind }) => appliesTo(label, kind));
  const present = isMeant ? presenceTests(label, values) : [];
  return [...missing, ...present.map(({ test, message }) => ({ expression: at(field.path, 'true', test), message }))];
}

/** Limits an expression to some of the kinds of a field. */
function onlyFor(kinds: readonly GroupKind[], field: Field, expression: string): string {
  if (kinds.length === field.kinds.length) return expression;
  return `!(${kindCondition(kinds.map(({ kind }) => kind)) ?? ''}) || ${expression}`;
}

function selectorChecks({ label }: ExportedLabel, field: Field): readonly AdmissionCheck[] {
  if (label.selectable || !field.of.some(({ kind }) => appliesTo(label, kind))) return [];
  const key = quoted(label.key);
  const uses = (selector: string) =>
    field.selector === 'map'
      ? `!(${key} in ${selector})`
      : `!(has(${selector}.matchLabels) && ${key} in ${selector}.matchLabels) && !(has(${selector}.matchExpressions) && ${selector}.matchExpressions.exists(each, each.key == ${key}))`;
  return [{ expression: at(field.path, 'true', uses), message: `label '${label.key}' is not allowed in selectors` }];
}

/** Returns the fields of built-in kinds with labels or selectors, except for `metadata` and fields of affinity. */
function fieldsOf(catalogue: Catalogue): Iterable<Field> {
  const fields = new Map<string, Field>();
  const add = (kind: GroupKind, field: Omit<Field, 'kinds'>) => {
    if (field.path.includes('*')) return;
    getOrAdd(fields, JSON.stringify(field), () => ({ ...field, kinds: [] })).kinds.push(kind);
  };
  for (const version of builtInVersions)
    for (const kind of catalogue.kindsOf(version)) {
      const slash = version.indexOf('/');
      const group = version.slice(0, Math.max(0, slash));
      const facts = catalogue.kind(group, version.slice(slash + 1), kind);
      for (const { path, holds, of } of facts?.labels ?? []) {
        const template = facts?.templates.find((each) => `${each.path}.metadata.labels` === path);
        if (holds === 'labels' && of !== undefined)
          add({ group, kind }, { path, of: [of], open: template?.open === true });
      }
      for (const { path, form, targets, role, plain } of facts?.selectors ?? []) {
        const selector = form === 'labelSelector' ? form : /^(?:map|nodeSelectorMap)$/.test(form) ? 'map' : undefined;
        if (role === undefined && plain && selector !== undefined && targets.length > 0)
          add({ group, kind }, { path, of: targets, open: false, selector });
      }
    }
  return fields.values();
}

/** Returns an expression that tests the value at a path, or all values if the path contains lists. `absent` is its result if a part of the path is absent. The expression needs no parentheses after \`||\`. */
function at(path: string, absent: 'true' | 'false', test: (value: string) => string): string {
  const steps = path.split('.');
  const next = (value: string, index: number): string => {
    const step = steps[index];
    if (step === undefined) return test(value);
    const isList = step.endsWith('[]');
    const field = `${value}.${isList ? step.slice(0, -2) : step}`;
    const item = `item${index}`;
    const inner = isList ? `${field}.all(${item}, ${next(item, index + 1)})` : next(field, index + 1);
    return absent === 'true' ? `!has(${field}) || ${inner}` : `has(${field}) && ${inner}`;
  };
  return next('object', 0);
}

/** Returns a string literal of CEL, whose escape sequences include those of JSON. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

const prefix = 'label-registry';

/** Returns the name of the policy for some kinds, which is a valid name of an object and, without dashes, of a kind. Several policies may have the name. */
function nameOf(kinds: readonly GroupKind[], catalogue: Catalogue): string {
  const [first] = kinds;
  if (first === undefined || kinds.length > 2) return `${prefix}-${kinds.length}-kinds`;
  return `${prefix}-${kinds.map(({ group, kind }) => pluralOf({ group, kind }, catalogue)).join('-')}`;
}

/** Returns the name of a kind in the paths of the API server. */
export function pluralOf({ group, kind }: GroupKind, catalogue: Catalogue): string {
  return catalogue.kind(group, '', kind)?.plural ?? `${kind.toLowerCase()}s`;
}
