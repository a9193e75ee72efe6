/** Evaluates to which objects admission policies apply: those of Kyverno, Gatekeeper and Kubernetes. */

import { parseGroupKind } from '../../engine/catalogue/deserialize-kind.ts';
import { purposeOf } from '../../engine/catalogue/purposes.ts';
import type { Catalogue, GroupKind } from '../../engine/catalogue/types.ts';
import { everything, type LabelSet, type Value } from '../../engine/index.ts';
import { type AdmissionRequest, admissionAnswer } from '../../engine/policies/admission.ts';
import { gatekeeperAnswer } from '../../engine/policies/gatekeeper.ts';
import { kyvernoAnswer, ofNamespace } from '../../engine/policies/kyverno.ts';
import { constrainedKind, constraintsAnswer } from '../../engine/policies/kyverno-constraints.ts';
import { all, any, maybe, no, yes } from '../../engine/policies/three-valued.ts';
import type { PolicyAnswer, PolicyResource } from '../../engine/policies/types.ts';
import { fieldOf, isRecord } from '../../engine/structured.ts';
import { isSame } from '../../engine/unknowns.ts';
import type { AdmissionPart, AdmissionRules } from '../../manifests/kinds/admission-rules.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { LabeledObject, ManifestObject, SelectorSite } from '../../manifests/model.ts';
import { knownLabels } from '../../manifests/sites/sites.ts';
import { localize } from '../../text/localize.ts';
import type { LabeledObjectInFile, ObjectInFile, Workspace } from '../model.ts';
import { everyCluster } from '../scopes/model.ts';
import { placeOf } from '../scopes/scope-facts.ts';
import { type Answer, hasNoNamespace, namespaceLabelsFor, namespaceOf } from './namespaces.ts';

/** An object to which a part of a policy applies, or may apply. */
export interface AdmissionMatch extends LabeledObjectInFile {
  readonly part: AdmissionPart;
  readonly certain: boolean;
  /** The reason why the match is uncertain, without a period. */
  readonly reason?: string;
  /** Set if Kyverno generates the rule from a rule for pods. */
  readonly isGenerated?: true;
}

/** A policy that applies, or may apply, to an object. */
export interface AppliedPolicy extends ObjectInFile {
  readonly rules: AdmissionRules;
  readonly part: AdmissionPart;
  readonly certain: boolean;
  readonly reason?: string;
  readonly isGenerated?: true;
  /** The bindings of an admission policy that apply, or may apply, to the object. */
  readonly bindings?: readonly ObjectInFile[];
}

/** Returns the objects of the scope to which the parts of a policy apply when the objects are created. */
export function admissionMatches(
  workspace: Workspace,
  catalogue: Catalogue,
  owner: ObjectInFile,
): readonly AdmissionMatch[] {
  const rules = owner.object.admissionRules;
  if (rules === undefined) return [];
  const question = { workspace, catalogue, owner, rules };
  const targets = [...objectsAround(workspace, owner)];
  return rules.parts.flatMap((part) =>
    targets.flatMap((target): readonly AdmissionMatch[] => {
      const { answer, reason, isGenerated } = answerOf(question, part, target);
      if (answer === 'no') return [];
      const why = answer === 'maybe' && reason !== undefined ? { reason } : {};
      return [{ ...target, part, certain: answer === 'yes', ...why, ...(isGenerated && { isGenerated }) }];
    }),
  );
}

/** Returns the admission policies of the scope that apply to an object, or to an object that its template creates. An admission policy of Kubernetes applies through its bindings. */
export function admissionPoliciesOf(
  workspace: Workspace,
  catalogue: Catalogue,
  target: LabeledObjectInFile,
): readonly AppliedPolicy[] {
  const owners = [...policiesAround(workspace, target)];
  const found: AppliedPolicy[] = [];
  for (const owner of owners) {
    const rules = owner.object.admissionRules;
    if (rules === undefined) continue;
    const bindings = rules.system === 'policy' ? owners.filter(({ object }) => binds(object, owner.object)) : [];
    if (rules.system === 'binding' && owners.some(({ object }) => binds(owner.object, object))) continue;
    for (const part of rules.parts) {
      const own = answerOf({ workspace, catalogue, owner, rules }, part, target);
      if (own.answer === 'no') continue;
      const bound = bindings.map((binding) => ({ binding, ...bindingAnswer(workspace, catalogue, binding, target) }));
      const { answer, reason, isGenerated } = all([own, bindingsAnswer(rules, bound)]);
      if (answer === 'no') continue;
      const why = answer === 'maybe' && reason !== undefined ? { reason } : {};
      const applied = bound.flatMap((each) => (each.answer === 'no' ? [] : [each.binding]));
      const through = applied.length > 0 ? { bindings: applied } : {};
      const made = isGenerated ? { isGenerated } : {};
      found.push({ ...owner, rules, part, certain: answer === 'yes', ...why, ...made, ...through });
    }
  }
  return found;
}

/** Returns the kind of the parameters that the binding of an admission policy names; undefined if the policies in its scope do not define one. */
export function parametersOf(workspace: Workspace, binding: ObjectInFile): GroupKind | undefined {
  const [first, ...others] = [...policiesAround(workspace, binding)].flatMap(({ object }) =>
    binds(binding.object, object) ? [object.admissionRules?.parameters] : [],
  );
  const isSame = others.every((each) => each?.group === first?.group && each?.kind === first?.kind);
  return isSame ? first : undefined;
}

function binds({ kind, admissionRules }: ManifestObject, policy: ManifestObject): boolean {
  const name = admissionRules?.system === 'binding' ? admissionRules.policy : undefined;
  const named = policy.name?.value;
  if (name === undefined || named === undefined || kind !== `${policy.kind}Binding`) return false;
  return isSame(name, named) === 'yes';
}

function bindingAnswer(
  workspace: Workspace,
  catalogue: Catalogue,
  owner: ObjectInFile,
  target: LabeledObjectInFile,
): PolicyAnswer {
  const rules = owner.object.admissionRules;
  const [part] = rules?.parts ?? [];
  if (rules === undefined || part === undefined) return no;
  return answerOf({ workspace, catalogue, owner, rules }, part, target);
}

/** Whether a policy acts through one of its bindings. */
function bindingsAnswer({ system }: AdmissionRules, bound: readonly PolicyAnswer[]): PolicyAnswer {
  if (system === 'binding') return maybe(localize`its policy is not applied with it`);
  if (system !== 'policy') return yes;
  return bound.length === 0 ? maybe(localize`no binding is applied with it`) : any(bound);
}

/** Whether a selector is a part of the rules of an admission policy, which are evaluated as a whole. Selectors of namespaces are also evaluated alone. */
export function isPartOfRules({ admissionRules }: ManifestObject, { path }: Pick<SelectorSite, 'path'>): boolean {
  if (admissionRules === undefined || path.endsWith('.namespaceSelector')) return false;
  const { system, parts } = admissionRules;
  if (system === 'kyverno') return /^spec\.rules\[\d+\]\.(?:match|exclude)\./.test(path);
  return parts.some((part) => path.startsWith(`${part.path}.`));
}

/** Yields the admission policies of a scope. The index of kinds excludes nearly all files. */
function* policiesAround(workspace: Workspace, from: ObjectInFile): Iterable<ObjectInFile> {
  for (const each of objectsOfKinds(workspace, from, isAdmissionKind))
    if (each.object.admissionRules !== undefined) yield each;
}

function isAdmissionKind(kind: string): boolean {
  return purposeOf(parseGroupKind(kind))?.purpose === 'admission';
}

function* objectsOfKinds(
  workspace: Workspace,
  from: ObjectInFile,
  isWanted: (kind: string) => boolean,
): Iterable<ObjectInFile> {
  const kinds = [...workspace.targets()].filter(isWanted);
  workspace.questions?.note({ about: 'anything' });
  if (kinds.length === 0) return;
  const scopes = workspace.scopes();
  const place = placeOf(from);
  const around = scopes.filesAround(place);
  for (const kind of kinds) {
    for (const { file, object, isMade } of workspace.find(kind, everything, undefined, around)) {
      if (isMade || file.uri === everyCluster || !object.forCluster) continue;
      if (scopes.relation(place, placeOf({ file, object })) === 'here') yield { file, object };
    }
  }
}

function* objectsOfScope(workspace: Workspace, from: ObjectInFile): Iterable<ObjectInFile> {
  const scopes = workspace.scopes();
  workspace.questions?.note({ about: 'anything' });
  const place = placeOf(from);
  for (const uri of scopes.filesAround(place)) {
    const file = uri === everyCluster || scopes.isPatch(uri) ? undefined : workspace.files.get(uri);
    for (const object of file?.manifest.objects ?? []) {
      if (file === undefined || !object.forCluster) continue;
      if (scopes.relation(place, placeOf({ file, object })) !== 'here') continue;
      yield { file, object };
    }
  }
}

function* objectsAround(workspace: Workspace, owner: ObjectInFile): Iterable<LabeledObjectInFile> {
  for (const { file, object } of objectsOfScope(workspace, owner)) {
    if (object === owner.object) continue;
    for (const labeledObject of labeledObjectsOf(object)) yield { file, object, labeledObject };
  }
}

interface Question {
  readonly workspace: Workspace;
  readonly catalogue: Catalogue;
  readonly owner: ObjectInFile;
  readonly rules: AdmissionRules;
}

/** Evaluates a part of a policy for the creation of an object. If the labels of its namespace may differ, the answers must agree. */
function answerOf(question: Question, part: AdmissionPart, target: LabeledObjectInFile): PolicyAnswer {
  const { workspace, catalogue, owner } = question;
  const isNamespaced = !hasNoNamespace(catalogue, typeOf(target));
  const namespace = isNamespaced ? namespaceLabelsFor({ workspace, catalogue, owner }, target) : undefined;
  const sets = namespace?.labels ?? [{ labels: {} }];
  let found: PolicyAnswer | undefined;
  for (const namespaceLabels of sets) {
    const one = answerFor(question, part, resourceOf(target, catalogue, namespace?.name, namespaceLabels));
    if (found !== undefined && found.answer !== one.answer)
      return { answer: 'maybe', reason: localize`the labels of its namespace are unknown` };
    found = one;
  }
  return found ?? { answer: 'no' };
}

/** The kind of a labeled object, and the version in which it is created. */
function typeOf({ object, labeledObject }: { readonly object: ManifestObject; readonly labeledObject: LabeledObject }) {
  if (labeledObject.via === undefined) return { object };
  const { group, kind } = labeledObject.target;
  return { object: { group, version: 'v1', kind } };
}

/** Returns a function that decides whether the rules of an admission policy apply to an object, apart from one of its selectors. */
export function rulesAnswers(
  workspace: Workspace,
  catalogue: Catalogue,
  owner: ObjectInFile,
  site: Pick<SelectorSite, 'path'>,
): ((target: LabeledObjectInFile) => Answer) | undefined {
  const rules = owner.object.admissionRules;
  const part = rules?.parts.find(({ path }) => site.path.startsWith(path.replace(/\.match$/, '.')));
  if (rules === undefined || part === undefined) return undefined;
  const others = partWithout(rules, part, site.path);
  if (others === undefined) return undefined;
  // A selector keeps Kyverno from generating rules for controllers.
  const alone = { ...rules, controllers: 'none', parts: [{ ...part, data: others }] };
  const question = { workspace, catalogue, owner, rules: alone };
  return ({ file, object, labeledObject }) => {
    const { answer, reason } = answerOf(question, { ...part, data: others }, { file, object, labeledObject });
    if (answer === 'no') return { answer, reason: localize`the policy applies to other objects` };
    return reason === undefined ? { answer } : { answer, reason };
  };
}

/** Returns the data of a part without one of its selectors. */
function partWithout({ system }: AdmissionRules, part: AdmissionPart, path: string): unknown {
  if (system === 'kyverno') return filterWithout(part, path);
  if (system !== 'constraints' || !isRecord(part.data)) return withoutField(part.data, fieldName(path));
  const { matchConstraints, ...others } = part.data;
  const autogen = { podControllers: { controllers: [] } };
  return { ...others, autogen, matchConstraints: withoutField(matchConstraints, fieldName(path)) };
}

function fieldName(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

function withoutField(data: unknown, field: string): unknown {
  if (!isRecord(data)) return data;
  const { [field]: _, ...others } = data;
  return others;
}

/** Returns a rule of Kyverno with only the filter that contains a selector, without the selector; undefined if nothing else limits the filter. */
function filterWithout({ data }: AdmissionPart, path: string): unknown {
  const [, block = '', list, index] =
    /\.(match|exclude)\.(?:(any|all)\[(\d+)\]\.)?resources\.selector$/.exec(path) ?? [];
  const found = fieldOf(data, block);
  const filter = list === undefined ? found : itemAt(fieldOf(found, list), Number(index));
  const resources = withoutField(fieldOf(filter, 'resources'), 'selector');
  return isRecord(resources) && Object.keys(resources).length > 0 ? { match: { resources } } : undefined;
}

function itemAt(list: unknown, index: number): unknown {
  return Array.isArray(list) ? list[index] : undefined;
}

function answerFor(
  { workspace, owner, rules, catalogue }: Question,
  part: AdmissionPart,
  resource: PolicyResource,
): PolicyAnswer {
  switch (rules.system) {
    case 'gatekeeper':
      return gatekeeperAnswer(part.data, resource);
    case 'kyverno': {
      const isOfNamespace = owner.object.kind === 'Policy';
      const policy = {
        namespace: isOfNamespace ? (namespaceOf(workspace, owner)?.value ?? { unknown: 'namespace' }) : undefined,
        annotations: rules.controllers === undefined ? {} : { [controllersKey]: rules.controllers },
        rules: rules.parts.map(({ data }) => data),
        ...(rules.hasConditions && { hasConditions: true }),
      };
      return exempted(workspace, owner, resource, kyvernoAnswer(policy, part.data, resource, { operation: 'CREATE' }));
    }
    case 'constraints': {
      const kind = constrainedKind(owner.object.kind);
      if (kind === undefined) return no;
      const place = owner.object.kind === kind ? yes : ofNamespace(namespaceOf(workspace, owner)?.value, resource);
      // Kyverno compares the names of rules with the beginning of a generated name, too.
      const name = resource.name ?? { unknown: 'generated name' };
      const answer = constraintsAnswer(kind, part.data, { ...requestFor(catalogue, resource), name });
      return exempted(workspace, owner, resource, all([place, answer]));
    }
    default: {
      const answer = admissionAnswer(rules.system, part.data, requestFor(catalogue, resource));
      if (answer.answer !== 'yes' || !rules.hasConditions) return answer;
      return { answer: 'maybe', reason: localize`its \`matchConditions\` are not evaluated` };
    }
  }
}

function requestFor(catalogue: Catalogue, resource: PolicyResource): AdmissionRequest {
  const plural = catalogue.kind(resource.group, resource.version, resource.kind)?.plural;
  return {
    operation: 'CREATE',
    group: resource.group,
    version: resource.version,
    resource: plural ?? `${resource.kind.toLowerCase()}s`,
    name: resource.name ?? '',
    ...(resource.isNamespaced && { namespace: resource.namespace ?? { unknown: 'namespace' } }),
    labels: resource.labels,
    namespaceLabels: resource.namespaceLabels,
  };
}

const controllersKey = 'pod-policies.kyverno.io/autogen-controllers';

/** The namespaces that an installation of Kyverno exempts by default. */
const exemptNamespaces: ReadonlySet<unknown> = new Set(['kube-system', 'kube-public', 'kube-node-lease']);

/** Returns the answer of a rule of Kyverno; *maybe* if the installation or a PolicyException may exempt the object. */
function exempted(
  workspace: Workspace,
  owner: ObjectInFile,
  resource: PolicyResource,
  answer: PolicyAnswer,
): PolicyAnswer {
  if (answer.answer !== 'yes') return answer;
  if (exemptNamespaces.has(resource.namespace))
    return {
      ...answer,
      answer: 'maybe',
      reason: localize`an installation of Kyverno exempts this namespace by default`,
    };
  const [exception] = objectsOfKinds(workspace, owner, (kind) => /kyverno\.io\/PolicyException$/.test(kind));
  if (exception === undefined) return answer;
  return { ...answer, answer: 'maybe', reason: localize`a PolicyException may exempt it` };
}

function resourceOf(
  target: LabeledObjectInFile,
  catalogue: Catalogue,
  namespace: Value | undefined,
  namespaceLabels: LabelSet,
): PolicyResource {
  const { object, labeledObject } = target;
  const { via } = labeledObject;
  const { group, version, kind } = typeOf(target).object;
  const names =
    via === undefined
      ? { name: object.name?.value, generateName: object.generateName?.value }
      : { name: { unknown: `name of ${via}` } };
  return {
    group,
    version,
    kind,
    isNamespaced: !hasNoNamespace(catalogue, typeOf(target)),
    ...names,
    ...(namespace !== undefined && { namespace }),
    labels: { labels: labeledObject.labels, open: labeledObject.open },
    annotations: annotationsOf(object, via),
    namespaceLabels,
  };
}

function annotationsOf({ labelSites, obscured }: ManifestObject, via: string | undefined): LabelSet {
  const path = via === undefined || via === '' ? 'metadata.annotations' : `${via}.metadata.annotations`;
  const site = labelSites.find((each) => each.path === path);
  return site === undefined ? { labels: {}, open: obscured === true } : knownLabels(site.entries, site.open);
}
