/** Determines whether a selector applies to the namespace of an object. */

import { nameLabel } from '../../engine/catalogue/name-labels.ts';
import type { Catalogue, Meaning, Reach } from '../../engine/catalogue/types.ts';
import { evaluate, isUnknown, type LabelSet, type Selector, type Value } from '../../engine/index.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import { releaseNamespace } from '../../manifests/helm/value.ts';
import type { ManifestObject, NamespaceNames, SelectorSite } from '../../manifests/model.ts';
import { helmFails } from '../../manifests/rendered-objects.ts';
import { localize } from '../../text/localize.ts';
import { isInTemplates } from '../charts/chart-files.ts';
import { firstFailure } from '../charts/helm-stops.ts';
import { renderedNameTerm } from '../kustomize/rendering-terms.ts';
import { comparedInCluster } from '../kustomize/view.ts';
import type {
  LabeledObjectInFile,
  Located,
  NamedNamespace,
  ObjectInFile,
  ObjectLocation,
  SelectorId,
  Workspace,
} from '../model.ts';
import { isRendered } from '../scopes/model.ts';
import { placeOf } from '../scopes/scope-facts.ts';
import { isUnrestricted, namespaceSelectorOf } from './own-namespace.ts';
import { reachOf } from './selector-reach.ts';

export interface Answer {
  readonly answer: 'yes' | 'no' | 'maybe';
  /** The reason for any answer other than an unconditional yes; without a period, since further reasons may follow. */
  readonly reason?: string;
}

const yes: Answer = { answer: 'yes' };

/** Returns the namespace in which an object will be, if the object itself or a declared scope determines it. */
export function namespaceOf(workspace: Workspace, where: Located): NamedNamespace | undefined {
  const { namespace } = where.object;
  // A chart installs objects without a namespace into the namespace of the release.
  if (namespace !== undefined && namespace.text !== releaseNamespace) return namespace;
  const given = workspace.scopes().namespaceOf(placeOf(where));
  return given === undefined ? undefined : { text: given, value: given };
}

/** Like `namespaceOf`, but returns the namespace that the cluster shows: a cluster-scoped object is in no namespace, even if its file sets one. */
export function effectiveNamespace(
  workspace: Workspace,
  catalogue: Catalogue,
  where: Located,
): NamedNamespace | undefined {
  return hasNoNamespace(catalogue, where) ? undefined : namespaceOf(workspace, where);
}

/** Whether a selector applies only to its own namespace, and this namespace certainly differs from the given namespace. */
export function selectsInOtherNamespace(workspace: Workspace, { uri, home }: SelectorId, namespace: string): boolean {
  const own = home && namespaceOf(workspace, { file: { uri }, object: home });
  return typeof own?.value === 'string' && own.text !== namespace;
}

/** Whether the selector at `site` of `owner` applies to the namespace of `target`; yes if `target` is cluster-scoped. The catalogue defines the namespaces to which a selector applies (its reach). */
export function reaches(
  workspace: Workspace,
  catalogue: Catalogue,
  owner: ObjectInFile,
  site: SelectorSite,
  target: Located,
): Answer {
  return reachFrom(workspace, catalogue, owner, site)(target);
}

/** Like `reaches`, but for many targets: the answer for all targets in one namespace, or in one place if neither namespace is set, is computed once. */
export function reachFrom(
  workspace: Workspace,
  catalogue: Catalogue,
  owner: ObjectInFile,
  site: SelectorSite,
): (target: Located) => Answer {
  const answerTo = placesFrom(workspace, catalogue, owner, site);
  const reason = failureOfChart(workspace, catalogue, owner);
  if (reason === undefined) return answerTo;
  return (target) => {
    const found = answerTo(target);
    return found.answer === 'yes' ? { answer: 'maybe', reason } : found;
  };
}

/** Returns why Helm stops with the values of the chart of an object, so that none of its objects certainly exists. */
function failureOfChart(
  workspace: Workspace,
  catalogue: Catalogue,
  { file: { uri }, object }: ObjectInFile,
): string | undefined {
  const { appliedBy } = workspace;
  // The view of a chart contains the conditions; an object that the chart does not create is in its file only.
  if (appliedBy !== undefined && object.conditions?.includes(helmFails) !== true) return undefined;
  if (appliedBy === undefined && !isInTemplates(uri)) return undefined;
  const scopes = appliedBy === undefined ? workspace.scopes().ofFile(uri).filter(isRendered) : [appliedBy];
  return firstFailure(workspace, catalogue, scopes);
}

function placesFrom(
  workspace: Workspace,
  catalogue: Catalogue,
  owner: ObjectInFile,
  site: SelectorSite,
): (target: Located) => Answer {
  const reach = reachOf(site);
  if (reach === 'cluster' || reach === 'all') return () => yes;
  const home = namespaceOf(workspace, owner);
  const known = new Map<string | undefined, Answer>();
  return (target) => {
    if (hasNoNamespace(catalogue, target)) return yes;
    if (reach === 'unknown') return unknownReach;
    const namespace = namespaceOf(workspace, target);
    const question = { workspace, catalogue, owner, site, home, target, namespace };
    const ask = () => (reach === 'own' ? inOwnNamespace(question) : inListedNamespaces(question, reach));
    // An expression has a different value in a different chart. Two written namespaces are compared at once.
    if (namespace !== undefined && (typeof namespace.value !== 'string' || (reach === 'own' && home !== undefined)))
      return ask();
    // If neither object has a namespace, their scopes determine the answer.
    const place = home === undefined ? `\n${placeOf(target)}` : undefined;
    return getOrAdd(known, namespace?.text ?? place, ask);
  };
}

/** Whether an object is cluster-scoped, so that its namespace is ignored. */
export function hasNoNamespace(catalogue: Catalogue, { object }: { readonly object: Type }): boolean {
  return catalogue.kind(object.group, object.version, object.kind)?.namespaced === false;
}

/** Returns the namespace of an object, unless it is ignored; undefined for the namespace of a release, which is that of objects without one. */
export function storedNamespace(
  catalogue: Catalogue,
  where: { readonly object: Type & Pick<ManifestObject, 'namespace'> },
): string | undefined {
  const namespace = where.object.namespace?.text;
  return namespace === releaseNamespace || hasNoNamespace(catalogue, where) ? undefined : namespace;
}

type Type = Pick<ObjectLocation, 'group' | 'version' | 'kind'>;

const unknownReach: Answer = {
  answer: 'maybe',
  reason: 'the namespaces of this selector are unknown',
};

interface Question {
  readonly workspace: Workspace;
  readonly catalogue: Catalogue;
  readonly owner: ObjectInFile;
  readonly site: SelectorSite;
  readonly home: NamedNamespace | undefined;
  readonly target: Located;
  readonly namespace: NamedNamespace | undefined;
}

/** Whether two objects are in one namespace. An object without a namespace is in the namespace to which it will be applied: the namespaces of two such objects of one scope are equal, and may equal any namespace that is set. */
function inOwnNamespace({ workspace, owner, target, home: a, namespace: b }: Question): Answer {
  if (a === undefined && b === undefined) {
    const [from, to] = [placeOf(owner), placeOf(target)];
    // The relation `elsewhere` already means that the namespace may differ.
    if (workspace.scopes().relation(from, to) !== 'here' || workspace.scopes().together(from, to)) return yes;
    return { answer: 'maybe', reason: localize`neither namespace is set, and they are not applied together` };
  }
  if (a === undefined || b === undefined) {
    const reason =
      a === undefined
        ? localize`it is in \`${b?.text}\`, and the namespace of the selector is not set`
        : localize`its namespace is not set, and the selector is in \`${a.text}\``;
    return { answer: 'maybe', reason };
  }
  const isKnown = typeof a.value === 'string' && typeof b.value === 'string';
  // A variable may have another value in objects that are not applied together.
  const isOneText = () => isKnown || workspace.scopes().relation(placeOf(owner), placeOf(target)) === 'here';
  if (a.text === b.text && isOneText()) return yes;
  if (!isKnown) {
    return { answer: 'maybe', reason: localize`the namespace depends on a template` };
  }
  return {
    answer: 'no',
    // Most callers need only the answer.
    get reason() {
      return localize`it is in the namespace '${b.text}', not in '${a.text}'`;
    },
  };
}

/** Combines the listed namespace names, the switch for all namespaces, and the namespace selector. If none of them is set, the reach in the catalogue determines the result. */
function inListedNamespaces(question: Question, reach: Exclude<Reach, string>): Answer {
  const { site, home } = question;
  if (reach.allFrom !== undefined && home?.text === reach.allFrom) return yes;
  const beside = namespaceSelectorOf(question.owner.object, site);
  const sibling = beside && beside.state !== 'ignored' ? beside : undefined;
  const listed = site.namespaces && amongNames(question, site.namespaces);
  const selected = sibling && sibling.state !== 'null' ? bySelector(question, sibling) : undefined;
  const answers = [listed, selected].filter((answer) => answer !== undefined);
  if (answers.length > 0) return surest(answers);
  if (sibling) return byMeaning(question, sibling.fact.null);
  if (isUnrestricted(question.owner, site)) return yes;
  const absent = reach.namespaceSelectorAt && meaningOfAbsent(question, reach.namespaceSelectorAt);
  if (absent !== undefined && absent !== '') return byMeaning(question, absent);
  return reach.otherwise === 'all' ? yes : inOwnNamespace(question);
}

/** Returns the disjunction of answers: *yes* if any is *yes*, *no* only if all are *no*. */
function surest(answers: readonly Answer[]): Answer {
  const found = (answer: Answer['answer']) => answers.find((each) => each.answer === answer);
  return found('yes') ?? found('maybe') ?? found('no') ?? yes;
}

/** Returns whether the namespace is in a list of names; undefined if the list is empty, which has the same effect as an absent list. */
function amongNames({ namespace }: Question, { names, any, open }: NamespaceNames): Answer | undefined {
  if (any === true) return yes;
  if (any === 'unknown' || open) return { answer: 'maybe', reason: localize`the namespaces depend on a template` };
  if (names.length === 0) return undefined;
  if (namespace === undefined) {
    const installs = names.some((name) => isUnknown(name) && name.unknown === releaseNamespace);
    return installs ? yes : { answer: 'maybe', reason: localize`its namespace is not set` };
  }
  const key = 'name';
  const selector: Selector = { kind: 'all', requirements: [{ key, operator: 'in', values: names }] };
  const answer = evaluate(selector, { labels: { [key]: namespace.value } });
  if (answer === 'yes') return yes;
  if (answer === 'maybe') return { answer, reason: localize`the namespace depends on a template` };
  return { answer, reason: localize`its namespace '${namespace.text}' is not listed next to the selector` };
}

function bySelector(question: Question, sibling: SelectorSite): Answer {
  if (sibling.state === 'empty') return byMeaning(question, sibling.fact.empty);
  if (sibling.selector?.ok !== true) return { answer: 'maybe', reason: localize`its namespace selector is invalid` };
  return namespaceMatches(question, sibling.selector.value);
}

function byMeaning(question: Question, meaning: Meaning): Answer {
  switch (meaning) {
    case 'all':
    case 'notFiltered':
      return yes;
    case 'nothing':
    case 'invalid':
      return { answer: 'no', reason: localize`its namespace selector selects no namespace` };
    case 'ownNamespace':
    case 'sameAsAbsent':
      return inOwnNamespace(question);
    case 'unknown':
      return { answer: 'maybe', reason: localize`the meaning of its namespace selector is unknown` };
  }
}

function meaningOfAbsent({ catalogue, owner }: Question, path: string): Meaning | undefined {
  const { group, version, kind } = owner.object;
  return catalogue.kind(group, version, kind)?.selectors.find((fact) => fact.path === path)?.absent;
}

function namespaceMatches(question: Question, selector: Selector): Answer {
  const { namespace } = question;
  if (namespace === undefined) return { answer: 'maybe', reason: localize`its namespace is not set` };
  question.workspace.questions?.note({ about: 'matches', target: '/Namespace', selector });
  const answers = new Set(labelsOfNamespace(question, namespace).map((labels) => evaluate(selector, labels)));
  const [answer, ...others] = answers;
  if (answer === 'yes' && others.length === 0) return yes;
  if (answer === 'no' && others.length === 0) {
    return { answer, reason: localize`its namespace '${namespace.text}' is not selected` };
  }
  return { answer: 'maybe', reason: localize`the labels of its namespace '${namespace.text}' are unknown` };
}

/** Returns the possible labels of the namespace of an object, as the owner of a selector sees them; absent if the namespace is not set. */
export function namespaceLabelsFor(
  question: Pick<Question, 'workspace' | 'catalogue' | 'owner'>,
  target: Located,
): { readonly name: Value; readonly labels: readonly LabelSet[] } {
  const namespace = namespaceOf(question.workspace, target);
  if (namespace === undefined) {
    const name = { unknown: `namespace of ${placeOf(target)}` };
    return { name, labels: [{ labels: { [nameLabel]: name }, open: true }] };
  }
  question.workspace.questions?.note({ about: 'anything' });
  return { name: namespace.value, labels: labelsOfNamespace(question, namespace) };
}

/** Returns the labels of a namespace in its nearest objects. A namespace without an object has at least the label that contains its name. */
function labelsOfNamespace(
  { workspace, catalogue, owner }: Pick<Question, 'workspace' | 'catalogue' | 'owner'>,
  { value }: NamedNamespace,
): readonly LabelSet[] {
  const unknown: LabelSet = { labels: { [nameLabel]: value }, open: true };
  if (typeof value !== 'string') return [unknown];
  const named: Selector = { kind: 'all', requirements: [{ key: nameLabel, operator: '=', values: [value] }] };
  const found = [...workspace.find('/Namespace', named)].filter(({ answer }) => answer === 'yes');
  const from = placeOf(owner);
  const standing = (relation: string) => (each: LabeledObjectInFile) =>
    workspace.scopes().relation(from, placeOf(each), each) === relation;
  const here = found.filter(standing('here'));
  const inCluster = here.length > 0 ? [] : namespacesInCluster(workspace, catalogue, value, named);
  if (inCluster.length > 0) return inCluster;
  const nearest = here.length > 0 ? here : found.filter(standing('elsewhere'));
  return nearest.length === 0 ? [unknown] : nearest.map(({ labeledObject }) => labeledObject);
}

/** The labels of namespaces by name, as other GitOps objects of the cluster apply them, for each view of a GitOps object. */
const knownInCluster = new WeakMap<Workspace, Map<string, readonly LabelSet[]>>();

/** Returns the labels of the Namespace objects with a name that other GitOps objects certainly apply to the cluster; empty for a workspace that is not the view of a GitOps object. */
function namespacesInCluster(
  workspace: Workspace,
  catalogue: Catalogue,
  name: string,
  named: Selector,
): readonly LabelSet[] {
  const { appliedBy } = workspace;
  if (appliedBy?.gitops === undefined) return [];
  workspace.questions?.note({ about: 'anything' });
  const known = getOrAdd(knownInCluster, workspace, () => new Map<string, readonly LabelSet[]>());
  const term = renderedNameTerm(name);
  return getOrAdd(known, name, () =>
    comparedInCluster(workspace.scopes(), [appliedBy]).flatMap(({ path }) => {
      if (workspace.terms(path, catalogue)?.terms.has(term) !== true) return [];
      const found = workspace.rendering(path, catalogue)?.index().labeledObjects('/Namespace', named) ?? [];
      return found.flatMap(({ answer, labelSet }) => (answer === 'yes' ? [labelSet] : []));
    }),
  );
}
