/** Recognizes admission policies that change other objects when they are created. Sources: the API types of Kubernetes, Kyverno and Gatekeeper. */

import { nameLabel } from '../../engine/catalogue/name-labels.ts';
import type { GroupKind } from '../../engine/catalogue/types.ts';
import { childOf, effectiveEntries, isOpen, itemsOf, knownTextOf, type Node, nodeAt, textOf } from '../yaml/tree.ts';

/** What an admission policy may change in objects of some kinds. */
export interface Mutation {
  /** The kinds or resources of the objects, in lower case; `*` for all kinds. */
  readonly kinds: readonly string[];
  /** Globs of the namespaces of the objects; absent for all namespaces. */
  readonly namespaces?: readonly string[];
  /** The keys of the labels of the objects that may change; `*` for all keys. */
  readonly labels: readonly string[];
  /** The keys of the labels in the pod templates of the objects that may change; `*` for all keys. */
  readonly podLabels: readonly string[];
  /** The lists of pods that may get further items. */
  readonly lists: readonly MutatedList[];
}

/** A list of a pod to which a policy may add items. */
export type MutatedList = 'containers' | 'ports' | 'volumes';

/** The effects of mutations, which are collected field by field. */
interface Effects {
  readonly labels: Set<string>;
  readonly podLabels: Set<string>;
  readonly lists: Set<MutatedList>;
}

/** Returns the mutations that an object defines; undefined if it is no policy that changes labels, containers, ports or volumes. */
export function mutationsOf({ group, kind }: GroupKind, root: Node): readonly Mutation[] | undefined {
  const find = finders.get(`${group}/${kind}`) ?? (group === 'mutations.gatekeeper.sh' ? ofGatekeeper : undefined);
  const found = find?.(root).filter(
    ({ labels, podLabels, lists }) => labels.length + podLabels.length + lists.length > 0,
  );
  return found === undefined || found.length === 0 ? undefined : found;
}

type Finder = (root: Node) => readonly Mutation[];

const finders: ReadonlyMap<string, Finder> = new Map<string, Finder>([
  ['kyverno.io/ClusterPolicy', (root) => ofKyverno(root, undefined)],
  ['kyverno.io/Policy', (root) => ofKyverno(root, ownNamespace(root))],
  ['policies.kyverno.io/MutatingPolicy', (root) => ofExpressions(root, undefined)],
  ['policies.kyverno.io/NamespacedMutatingPolicy', (root) => ofExpressions(root, ownNamespace(root))],
  ['admissionregistration.k8s.io/MutatingAdmissionPolicy', (root) => ofExpressions(root, undefined)],
]);

/** Whether a mutation may change objects of a kind. */
export function mutatesKind({ kinds }: Mutation, kind: string): boolean {
  const name = kind.toLowerCase();
  const forms = ['*', name, `${name}s`, `${name}es`, name.replace(/y$/, 'ies')];
  return kinds.some((each) => forms.includes(each));
}

/** Whether a mutation may change the label with a key in objects of a kind: one of their own labels, or for pods, one in the pod templates of other kinds. */
export function mutatesLabel(mutation: Mutation, kind: GroupKind, key: string): boolean {
  return mutatedLabels(mutation, kind).some((each) => each === '*' || each === key);
}

/** Returns the keys of the labels that a mutation may change in objects of a kind; `*` for all keys. */
export function mutatedLabels(mutation: Mutation, { group, kind }: GroupKind): readonly string[] {
  const own = mutatesKind(mutation, kind) ? mutation.labels : [];
  return group === '' && kind === 'Pod' ? [...own, ...mutation.podLabels] : own;
}

function ownNamespace(root: Node): readonly string[] | undefined {
  const name = knownTextOf(nodeAt(root, 'metadata', 'namespace'));
  return name === undefined ? undefined : [name];
}

function ofKyverno(root: Node, home: readonly string[] | undefined): readonly Mutation[] {
  return itemsOf(nodeAt(root, 'spec', 'rules')).flatMap((rule): readonly Mutation[] => {
    const mutate = childOf(rule, 'mutate');
    if (mutate === undefined) return [];
    const effects = noEffects();
    addPatches(mutate, effects);
    const targets = itemsOf(childOf(mutate, 'targets'));
    const resources = targets.length > 0 ? [] : resourcesOf(childOf(rule, 'match'));
    const kinds = [
      ...targets.map((target) => childOf(target, 'kind')),
      ...resources.flatMap((each) => itemsOf(childOf(each, 'kinds'))),
    ].map(kindIn);
    const lists = targets.length > 0 ? [] : resources.map(namespacesIn);
    const areAll = lists.length === 0 || lists.some((list) => list === undefined);
    const namespaces = home ?? (areAll ? undefined : lists.flatMap((list) => list ?? []));
    return [mutationFrom(effects, kinds.length === 0 ? ['*'] : kinds, namespaces)];
  });
}

/** Returns the filters of resources in a `match` block. */
function resourcesOf(match: Node | undefined): readonly Node[] {
  const filters = [match, ...itemsOf(childOf(match, 'any')), ...itemsOf(childOf(match, 'all'))];
  return filters.flatMap((filter) => childOf(filter, 'resources') ?? []);
}

/** Returns the kind in a form such as `apps/v1/Deployment` or `Pod/status`. */
function kindIn(node: Node | undefined): string {
  const text = knownTextOf(node);
  const kind = text?.includes('{{') ? undefined : text?.split('/').findLast((part) => /^[A-Z]/.test(part));
  return kind?.toLowerCase() ?? '*';
}

/** Returns globs of the namespaces that a filter names, or that its namespace selector requires; undefined if they are unknown. */
function namespacesIn(filter: Node | undefined): readonly string[] | undefined {
  const selector = childOf(filter, 'namespaceSelector');
  const named = knownTextOf(nodeAt(selector, 'matchLabels', nameLabel));
  const listed = itemsOf(childOf(selector, 'matchExpressions')).find(
    (each) => textOf(childOf(each, 'key')) === nameLabel && textOf(childOf(each, 'operator')) === 'In',
  );
  const selected = named === undefined ? namesIn(childOf(listed, 'values')) : [named];
  return namesIn(childOf(filter, 'namespaces')) ?? selected;
}

/** Returns the names in a list; undefined if some of them are unknown. */
function namesIn(list: Node | undefined): readonly string[] | undefined {
  if (list === undefined || isOpen(list)) return undefined;
  const names = itemsOf(list).map(knownTextOf);
  const known = names.filter((name) => name !== undefined);
  return known.length === 0 || known.length < names.length || known.some((name) => name.includes('{{'))
    ? undefined
    : known;
}

/** The maximum depth of nested loops in a rule. */
const maximumNesting = 5;

function addPatches(mutate: Node, effects: Effects, depth = 0): void {
  if (isOpen(mutate)) addEverything(effects);
  const merged = childOf(mutate, 'patchStrategicMerge');
  if (merged !== undefined) addMerged(merged, [], effects);
  const listed = childOf(mutate, 'patchesJson6902');
  if (listed !== undefined) addOperations(listed, effects);
  if (depth < maximumNesting)
    for (const each of itemsOf(childOf(mutate, 'foreach'))) addPatches(each, effects, depth + 1);
}

/** Adds the effects of a merge patch, whose keys may contain anchors: `(key)` is a condition, and `+(key)` adds a missing key. */
function addMerged(node: Node, path: readonly string[], effects: Effects): void {
  if (node.kind === 'scalar') {
    if (node.pattern !== undefined || node.text.includes('{{')) addPath(path, effects, true);
    return;
  }
  if (isOpen(node)) addPath(path, effects, true);
  if (node.kind === 'list') {
    for (const item of node.items) {
      if (isConditional(item)) addMerged(item, [...path, '[]'], effects);
      else addPath([...path, '-'], effects, false);
      if (!isConditional(item)) addMerged(item, [...path, '-'], effects);
    }
    return;
  }
  for (const { key, value } of effectiveEntries(node)) {
    const [, anchor = '', anchored] = /^([+=^<X]?)\((.*)\)$/.exec(key.text) ?? [];
    // Conditions do not change fields. An equality anchor contains further fields.
    if (anchored !== undefined && anchor !== '+' && !(anchor === '=' && value.kind !== 'scalar')) continue;
    const name = key.pattern !== undefined || key.text.includes('{{') ? '*' : (anchored ?? key.text);
    const inner = [...path, name];
    if (value.kind === 'scalar' && path.at(-1) === 'labels') addPath(inner, effects, false);
    addMerged(value, inner, effects);
  }
}

/** Whether an item of a list in a merge patch only changes items that fulfill a condition. */
function isConditional(item: Node): boolean {
  return item.kind === 'map' && item.entries.some(({ key }) => key.text.startsWith('('));
}

function addOperations(node: Node, effects: Effects): void {
  const text = textOf(node);
  const paths =
    text === undefined
      ? itemsOf(node).map((operation) => textOf(childOf(operation, 'path')))
      : Array.from(text.matchAll(/\bpath["']?: {0,9}["']?(\/[^\s"',}]{0,300})/g), ([, path]) => path);
  if (isOpen(node) || paths.length === 0 || paths.includes(undefined)) addEverything(effects);
  for (const path of paths) if (path !== undefined) addPointer(path, effects);
}

function addPointer(pointer: string, effects: Effects): void {
  const steps = pointer.split('/').slice(1);
  const names = steps.map((step) => (/[{}$]/.test(step) ? '*' : step.replaceAll('~1', '/').replaceAll('~0', '~')));
  addPath(names, effects, true);
}

/** Adds the effects of a change at a path. `isWhole` states that everything below the path may change; otherwise, only the field itself. */
function addPath(path: readonly string[], effects: Effects, isWhole: boolean): void {
  const at = path.lastIndexOf('labels');
  if (at > 0 && path[at - 1] === 'metadata') {
    (at === 1 ? effects.labels : effects.podLabels).add(path[at + 1] ?? '*');
    return;
  }
  const last = path.findLast((step) => !/^(?:\d+|-|\*|\[\])$/.test(step));
  const isItem = /^(?:\d+|-|\*)$/.test(path.at(-1) ?? '');
  const listed = isItem || isWhole ? last : undefined;
  if (/^(?:initC|c)ontainers$/.test(listed ?? '')) addLists(effects, 'containers', 'ports');
  if (listed === 'ports') addLists(effects, 'ports');
  if (listed === 'volumes') addLists(effects, 'volumes');
  if (!isWhole || (last !== undefined && !/^(?:spec|template|jobTemplate|metadata)$/.test(last))) return;
  if (last === undefined || path.at(-1) === 'metadata')
    (path.length <= 1 ? effects.labels : effects.podLabels).add('*');
  if (path.at(-1) === 'metadata') return;
  if (last !== undefined) effects.podLabels.add('*');
  addLists(effects, 'containers', 'ports', 'volumes');
}

function addLists({ lists }: Effects, ...names: readonly MutatedList[]): void {
  for (const name of names) lists.add(name);
}

function addEverything(effects: Effects): void {
  effects.labels.add('*');
  effects.podLabels.add('*');
  addLists(effects, 'containers', 'ports', 'volumes');
}

/** Returns the mutation of an Assign, AssignMetadata or ModifySet. */
function ofGatekeeper(root: Node): readonly Mutation[] {
  const location = textOf(nodeAt(root, 'spec', 'location'));
  if (location === undefined) return [];
  const effects = noEffects();
  const isKnown = !isOpen(nodeAt(root, 'spec', 'location'));
  if (!isKnown) addEverything(effects);
  else addPath(stepsOf(location), effects, true);
  // The location creates items with the names in it.
  if (/\b(?:initC|c)ontainers\[name: *[^*\]\s]/.test(location)) addLists(effects, 'containers', 'ports');
  if (/\bports\[/.test(location)) addLists(effects, 'ports');
  if (/\bvolumes\[name: *[^*\]\s]/.test(location)) addLists(effects, 'volumes');
  const applied = itemsOf(nodeAt(root, 'spec', 'applyTo'));
  const matched = itemsOf(nodeAt(root, 'spec', 'match', 'kinds'));
  const kinds = (applied.length > 0 ? applied : matched).flatMap((each) => itemsOf(childOf(each, 'kinds')).map(kindIn));
  return [mutationFrom(effects, kinds.length === 0 ? ['*'] : kinds, namespacesIn(nodeAt(root, 'spec', 'match')))];
}

/** Returns the steps of a location such as `spec.containers[name: *].ports` or `metadata.labels."a.b/c"`. */
function stepsOf(location: string): readonly string[] {
  const steps = location.match(/"[^"]{0,300}"|'[^']{0,300}'|\[[^\]]{0,300}\]|[^.[\]"']{1,300}/g) ?? [];
  return steps.map((step) => (step.startsWith('[') ? '*' : step.replace(/^["'](.*)["']$/, '$1')));
}

/** Returns the mutation of a policy whose changes are expressions. The expressions are not evaluated. */
function ofExpressions(root: Node, home: readonly string[] | undefined): readonly Mutation[] {
  const mutations = nodeAt(root, 'spec', 'mutations');
  if (mutations === undefined) return [];
  const constraints = nodeAt(root, 'spec', 'matchConstraints');
  const rules = itemsOf(childOf(constraints, 'resourceRules'));
  const kinds = rules.flatMap((each) => itemsOf(childOf(each, 'resources'))).map(resourceIn);
  const effects = noEffects();
  const waiting = [mutations];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (isOpen(next)) addEverything(effects);
    if (next.kind === 'list') waiting.push(...next.items);
    if (next.kind === 'map') waiting.push(...effectiveEntries(next).map(({ value }) => value));
    if (next.kind === 'scalar') addMentioned(next.text, effects);
  }
  return [mutationFrom(effects, kinds.length === 0 ? ['*'] : kinds, home ?? namespacesIn(constraints))];
}

function addMentioned(text: string, effects: Effects): void {
  if (/\blabels\b/.test(text)) {
    effects.labels.add('*');
    if (/\btemplate\b/i.test(text)) effects.podLabels.add('*');
  }
  if (/containers\b/i.test(text)) addLists(effects, 'containers', 'ports');
  if (/\bports\b/.test(text)) addLists(effects, 'ports');
  if (/\bvolumes\b/.test(text)) addLists(effects, 'volumes');
}

function resourceIn(node: Node): string {
  return knownTextOf(node)?.split('/')[0]?.toLowerCase() ?? '*';
}

function noEffects(): Effects {
  return { labels: new Set(), podLabels: new Set(), lists: new Set() };
}

function mutationFrom(
  { labels, podLabels, lists }: Effects,
  kinds: readonly string[],
  namespaces: readonly string[] | undefined,
): Mutation {
  return {
    kinds: [...new Set(kinds)],
    ...(namespaces !== undefined && { namespaces }),
    labels: [...labels],
    podLabels: [...podLabels],
    lists: [...lists],
  };
}
