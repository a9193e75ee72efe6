/** Decides which nodes a pod fits according to its node selectors, and ranks these nodes by the weights of the pod's preferred terms. */

import type { Catalogue, GroupKind } from '../../engine/catalogue/types.ts';
import {
  type Answer,
  daemonTolerations,
  evaluate,
  everything,
  explain,
  isReservedPrefix,
  isUnknown,
  labelOf,
  maxWeight,
  minWeight,
  type Operator,
  type Requirement,
  type Selector,
  satisfiable,
  type Taint,
  type Toleration,
  taintAnswer,
  termSatisfiable,
  type Value,
} from '../../engine/index.ts';
import { excerpt } from '../../engine/messages.ts';
import { areOfPod, labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { FieldValues, ManifestObject, SelectorSite } from '../../manifests/model.ts';
import {
  anyField,
  type PoolRequirement,
  poolRequirementsIn,
  requiredTopologyKeys,
  taintsIn,
  tolerationsIn,
} from '../../manifests/sites/field-values.ts';
import { localize } from '../../text/localize.ts';
import { isLikelyMisspelling } from '../../text/misspelling.ts';
import type { Candidate, ObjectInFile, Workspace } from '../model.ts';
import { placeOf } from '../scopes/scope-facts.ts';
import { effectiveSelector, meaningOf, selectorOfTerm, termsOf } from './effective-selector.ts';
import { nameAnswer } from './node-terms.ts';

/** A node that certainly or possibly fits. */
export interface FittingNode {
  readonly node: Candidate;
  readonly certain: boolean;
  /** The sum of the weights of the preferred terms that certainly match. */
  readonly weight: number;
  /** Whether `weight` could be higher because a preferred term may match or its weight is unknown. */
  readonly mayBeMore: boolean;
}

/** The nodes and node pools that fit a pod, or the pods of a template. */
export interface NodeFits {
  readonly nodes: number;
  /** Whether the nodes are in the scope of the pod; otherwise they are in other scopes that may share the cluster. */
  readonly here: boolean;
  /** The nodes that fit, the highest weight first. */
  readonly fitting: readonly FittingNode[];
  /** Nodes that do not fit, with the reasons. */
  readonly others: readonly Candidate[];
  readonly hasPreferences: boolean;
  /** The node that the pod names. The scheduler then does not choose a node. */
  readonly assigned?: string;
}

/** The maximum number of examined nodes. */
const maximumNodes = 5000;

/** Returns the paths of the pod specifications in an object: its own, and those in its templates. */
export function podSpecPaths(object: ManifestObject): readonly string[] {
  const pods = labeledObjectsOf(object).filter(areOfPod);
  return pods.map(({ via = '' }) => (via === '' ? 'spec' : `${via}.spec`));
}

/** Returns the path of the pod specification that contains the node selector at a path; undefined for any other path. */
export function podSpecAround(object: ManifestObject, path: string): string | undefined {
  const end = /\.(?:nodeSelector$|affinity\.nodeAffinity\.)/.exec(path)?.index;
  const spec = end === undefined ? undefined : path.slice(0, end);
  return spec !== undefined && podSpecPaths(object).includes(spec) ? spec : undefined;
}

/** Returns the paths of all pod specifications of an object that select nodes. */
export function podSpecsOf(object: ManifestObject): readonly string[] {
  const specs = object.selectorSites.map(({ path }) => podSpecAround(object, path));
  return [...new Set(specs.filter((path) => path !== undefined))];
}

/**
 * Evaluates the `nodeSelector` and the required terms of a pod specification of an applied object together, as `GetRequiredNodeAffinity` in
 * k8s.io/component-helpers/scheduling/corev1/nodeaffinity does, and adds the weights of the preferred terms that match.
 * The taints of the nodes, the tolerations of the pod and the topology keys of its spread constraints count too. Resources
 * and the other scores of the scheduler are not considered.
 */
export function nodeFits(workspace: Workspace, catalogue: Catalogue, owner: ObjectInFile, spec: string): NodeFits {
  const { here, elsewhere } = nodesAround(workspace, owner);
  return here.length > 0
    ? fitsAmong(workspace, catalogue, owner, spec, here)
    : { ...fitsAmong(workspace, catalogue, owner, spec, elsewhere), here: false };
}

/** Like `nodeFits`, for all nodes that may be in its cluster, except those of pools that may set further labels. The pod may tolerate taints with some keys although it has no toleration. */
export function clusterFits(
  workspace: Workspace,
  catalogue: Catalogue,
  owner: ObjectInFile,
  spec: string,
  mayTolerate: (key: string) => boolean,
): NodeFits {
  const { here, elsewhere } = nodesAround(workspace, owner);
  const nodes = [...here, ...elsewhere].filter(
    ({ labeledObject: { via }, object }) => via === undefined || areLabelsComplete(catalogue, object),
  );
  return fitsAmong(workspace, catalogue, owner, spec, nodes, mayTolerate);
}

function fitsAmong(
  workspace: Workspace,
  catalogue: Catalogue,
  { file, object }: ObjectInFile,
  spec: string,
  nodes: readonly Candidate[],
  mayTolerate = (_key: string) => false,
): NodeFits {
  const sites = object.selectorSites.filter(({ path }) => podSpecAround(object, path) === spec);
  const preferred = sites.filter(({ fact }) => fact.role === 'nodePreference');
  const required = sites.filter((site) => !preferred.includes(site));
  const areComplete = workspace.configs().of(file.uri)?.config.values.nodes === 'complete';
  const pools: Pools = { catalogue, declaredKeys: areComplete ? declaredKeys(nodes) : undefined };
  const values = valuesOf(object, spec);
  const tolerations = tolerationsOf(object, values);
  const topologyKeys = requiredTopologyKeys(values);
  const fitting: FittingNode[] = [];
  const others: Candidate[] = [];
  for (const node of nodes) {
    const answers = [
      ...required.map((site) => requiredAnswer(site, node, pools)),
      tolerationAnswer(node, tolerations, mayTolerate),
      topologyAnswer(node, topologyKeys, pools),
    ];
    const failed = answers.filter(({ answer }) => answer === 'no');
    if (failed.length > 0) others.push(node.because(failed.map(({ reason }) => reason)));
    else
      fitting.push({
        node,
        certain: answers.every(({ answer }) => answer === 'yes'),
        ...scoreOf(preferred, node, pools),
      });
  }
  const assigned = values?.['spec.nodeName'];
  return {
    nodes: nodes.length,
    here: true,
    fitting: fitting.toSorted((a, b) => b.weight - a.weight || Number(b.certain) - Number(a.certain)),
    others,
    hasPreferences: preferred.length > 0,
    ...(typeof assigned === 'string' && { assigned }),
  };
}

/** Returns the values of the fields of a pod specification that decide on scheduling. */
export function valuesOf({ fieldValues, templates }: ManifestObject, spec: string): FieldValues | undefined {
  return spec === 'spec' ? fieldValues : templates.find(({ path }) => `${path}.spec` === spec)?.fieldValues;
}

/** Whether an object creates a pod for each node that fits. */
export function isOnEachNode({ group, kind }: Pick<ManifestObject, 'group' | 'kind'>): boolean {
  return group === 'apps' && kind === 'DaemonSet';
}

/** Returns the tolerations of a pod: its own, and those that controllers add; unknown if its runtime class may add tolerations. */
function tolerationsOf(object: ManifestObject, values: FieldValues | undefined) {
  const listed = values?.['spec.runtimeClassName'] === undefined ? tolerationsIn(values) : 'unknown';
  return isOnEachNode(object) && listed !== 'unknown' ? [...listed, ...daemonTolerations] : listed;
}

/** Returns the nodes and node pools in the scope of an object, and those of other scopes that may share the cluster. */
function nodesAround(workspace: Workspace, owner: ObjectInFile) {
  const from = placeOf(owner);
  const here: Candidate[] = [];
  const elsewhere: Candidate[] = [];
  let examined = 0;
  for (const node of workspace.find('/Node', everything)) {
    if (examined++ === maximumNodes) break;
    const relation = workspace.scopes().relation(from, placeOf(node.where), node);
    if (relation === 'here') here.push(node);
    else if (relation === 'elsewhere') elsewhere.push(node);
  }
  return { here, elsewhere };
}

function nodeValues({ object, labeledObject: { via } }: Candidate): FieldValues | undefined {
  return valuesOf(object, via === undefined ? 'spec' : `${via}.spec`);
}

/** Returns the taints of a node, or of the nodes of a pool; unknown if a template determines them. */
export function nodeTaints(node: Candidate): readonly Taint[] | 'unknown' {
  return taintsIn(nodeValues(node));
}

/** Returns whether a pod with these tolerations can be scheduled onto a node, and what is missing. */
function tolerationAnswer(
  node: Candidate,
  tolerations: Parameters<typeof taintAnswer>[1],
  mayTolerate: (key: string) => boolean,
): Reasoned {
  const values = nodeValues(node);
  const { answer, taint, isUnschedulable } = taintAnswer(
    { taints: taintsIn(values), unschedulable: values?.['spec.unschedulable'] ?? values?.[anyField] },
    tolerations,
  );
  if (typeof taint?.key === 'string' && mayTolerate(taint.key)) return { answer: 'maybe', reason: '' };
  if (isUnschedulable) return { answer, reason: localize`the node is unschedulable` };
  if (taint === undefined) return { answer, reason: '' };
  const missing = localize`toleration for \`${taintText(taint)}\` is missing`;
  const near = tolerations === 'unknown' ? undefined : tolerations.find((each) => isNear(each, taint));
  return { answer, reason: near === undefined ? missing : localize`${missing} (closest: \`${taintText(near)}\`)` };
}

/** Whether a toleration probably is for a taint that it does not tolerate: its key is misspelled, or only its value or effect differs. */
function isNear({ key, operator }: Toleration, taint: Taint): boolean {
  if (typeof key !== 'string' || typeof taint.key !== 'string' || operator === 'Lt' || operator === 'Gt') return false;
  return key === taint.key || isLikelyMisspelling(taint.key, key);
}

/** Returns the tolerations of a pod, or of the pods of a template; unknown if a template determines them. */
export function podTolerations({ object, labeledObject: { via } }: Candidate): ReturnType<typeof tolerationsIn> {
  return tolerationsIn(valuesOf(object, via === undefined ? 'spec' : `${via}.spec`));
}

/** Returns a taint in the notation of kubectl: `dedicated=gpu:NoSchedule`. */
export function taintText({ key, value, effect }: Taint): string {
  const [equal, colon] = [value === '' ? '' : '=', effect === '' ? '' : ':'];
  return `${shortened(key)}${equal}${shortened(value)}${colon}${shortened(effect)}`;
}

function shortened(part: Value): string {
  return typeof part === 'string' ? excerpt(part) : '?';
}

/**
 * Returns whether a node has the labels that the spread constraints of a pod require. The scheduler's plugin
 * `PodTopologySpread` excludes a node without the topology key of a constraint with `DoNotSchedule`.
 */
function topologyAnswer(node: Candidate, keys: ReturnType<typeof requiredTopologyKeys>, pools: Pools): Reasoned {
  if (keys === 'unknown') return { answer: 'maybe', reason: '' };
  let isCertain = true;
  for (const key of keys) {
    const requirements: readonly Requirement[] =
      typeof key === 'string' ? [{ key, operator: 'exists', values: [] }] : [];
    const { answer } = selectorAnswer({ kind: 'all', requirements, open: requirements.length === 0 }, node, pools);
    if (answer === 'no') {
      const reason = localize`label \`${shortened(key)}\` is missing, which topology spread requires`;
      return { answer, reason };
    }
    isCertain &&= answer === 'yes';
  }
  return { answer: isCertain ? 'yes' : 'maybe', reason: '' };
}

/** What is known about the labels of the nodes that pools create. */
interface Pools {
  readonly catalogue: Catalogue;
  /** The keys that declared nodes and pools set; undefined if the nodes of the cluster are not declared completely. */
  readonly declaredKeys: ReadonlySet<string> | undefined;
}

function declaredKeys(nodes: readonly Candidate[]): ReadonlySet<string> {
  return new Set(nodes.flatMap(({ labelSet }) => Object.keys(labelSet.labels)));
}

/** Returns whether a node has the required labels. */
function selectorAnswer(selector: Selector, node: Candidate, pools: Pools): Reasoned {
  const answer = evaluate(selector, node.labelSet);
  const excluded = answer === 'yes' ? undefined : excludedByPool(selector, node, pools);
  if (excluded !== undefined) return { answer: 'no', reason: excluded };
  if (answer !== 'no') return { answer, reason: '' };
  return { answer, reason: explain(selector, node.labelSet).find((each) => each.answer === 'no')?.reason ?? '' };
}

/**
 * Returns why no node of a pool satisfies a selector; undefined if one may. Karpenter creates nodes that satisfy all
 * requirements of the pool, and custom labels only if the pool declares them; providers add well-known labels.
 */
function excludedByPool(selector: Selector, node: Candidate, { catalogue, declaredKeys }: Pools): string | undefined {
  if (selector.kind !== 'all' || node.labeledObject.via === undefined || !node.labelSet.open) return undefined;
  const own = poolRequirementsIn(nodeValues(node));
  if (own === 'unknown' || own.some(({ key }) => isUnknown(key))) return undefined;
  for (const requirement of selector.requirements) {
    const { key } = requirement;
    const label = labelOf(node.labelSet.labels, key);
    if (typeof label === 'string') continue;
    const limits = own.filter((each) => each.key === key).map(asRequirement);
    if (limits.includes(undefined)) continue;
    const known = limits.filter((each) => each !== undefined);
    if (known.length > 0) {
      const both = [...known, requirement];
      if (both.every(({ values }) => !values.some(isUnknown)) && !satisfiable({ kind: 'all', requirements: both }))
        return localize`the requirements of the pool exclude \`${key}\``;
      continue;
    }
    if (label !== undefined || !areLabelsComplete(catalogue, node.object)) continue;
    const isWellKnown = catalogue.key(key, 'label') !== undefined || isReservedPrefix(key.slice(0, key.indexOf('/')));
    const isCustom = declaredKeys !== undefined && (!key.includes('/') || (declaredKeys.has(key) && !isWellKnown));
    const withoutLabel = { labels: {}, open: false };
    if (isCustom && evaluate({ kind: 'all', requirements: [requirement] }, withoutLabel) === 'no')
      return localize`the pool does not set the label \`${key}\``;
  }
  return undefined;
}

/** Whether the nodes of a pool have only the custom labels that the pool declares, as Karpenter does. Other pools may set further labels when a node starts. */
export function areLabelsComplete(
  catalogue: Catalogue,
  { group, version, kind }: Pick<ManifestObject, 'group' | 'version' | 'kind'>,
): boolean {
  const selectors = catalogue.kind(group, version, kind)?.selectors ?? [];
  return selectors.some(({ form, targets }) => form === 'requirements' && targets.some(isNode));
}

function isNode({ group, kind }: GroupKind): boolean {
  return group === '' && kind === 'Node';
}

export function selectsNodes({ fact }: Pick<SelectorSite, 'fact'>): boolean {
  return fact.targets.some(isNode);
}

const poolOperators: Readonly<Record<string, Operator>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
  Gt: 'gt',
  Lt: 'lt',
};

/** Returns a requirement of a pool as a requirement on labels; undefined if it is unknown or invalid. */
function asRequirement({ key, operator, values }: PoolRequirement): Requirement | undefined {
  const known =
    typeof operator === 'string' && Object.hasOwn(poolOperators, operator) ? poolOperators[operator] : undefined;
  if (known === undefined || typeof key !== 'string' || values === 'unknown') return undefined;
  const isSet = known === 'in' || known === 'notin';
  const isOrder = known === 'gt' || known === 'lt';
  const isValid = isSet ? values.length > 0 : values.length === (isOrder ? 1 : 0);
  return isValid ? { key, operator: known, values } : undefined;
}

interface Reasoned {
  readonly answer: Answer;
  readonly reason: string;
}

const unrestricted: Reasoned = { answer: 'yes', reason: '' };

function requiredAnswer(site: SelectorSite, node: Candidate, pools: Pools): Reasoned {
  if (site.state !== 'present') {
    if (meaningOf(site) !== 'invalid') return unrestricted;
    return { answer: site.open ? 'maybe' : 'no', reason: localize`the node affinity has no terms` };
  }
  const selector = effectiveSelector(site);
  if (selector !== undefined) return selectorAnswer(selector, node, pools);
  if (site.nodeSelector === undefined) return { answer: 'maybe', reason: '' };
  const terms = termsOf(site).filter(termSatisfiable);
  if (terms.length === 0 && termsOf(site).length > 0 && !site.open)
    return { answer: 'no', reason: localize`the requirements contradict each other` };
  const answers = terms.map((term) => termAnswer(term, node, pools));
  const best = answers.find(({ answer }) => answer === 'yes') ?? answers.find(({ answer }) => answer === 'maybe');
  if (best !== undefined) return best;
  if (site.open) return { answer: 'maybe', reason: '' };
  return {
    answer: 'no',
    reason: answers.length === 1 ? (answers[0]?.reason ?? '') : localize`none of ${terms.length} terms matches`,
  };
}

function termAnswer(term: ReturnType<typeof termsOf>[number], node: Candidate, pools: Pools): Reasoned {
  const named = nameAnswer(term, node);
  const labels = selectorAnswer(selectorOfTerm(term), node, pools);
  if (labels.answer === 'no') return labels;
  if (named.answer === 'no') return { answer: 'no', reason: named.reason ?? '' };
  return { answer: labels.answer === 'yes' ? named.answer : 'maybe', reason: '' };
}

function scoreOf(
  preferred: readonly SelectorSite[],
  node: Candidate,
  pools: Pools,
): Pick<FittingNode, 'weight' | 'mayBeMore'> {
  let weight = 0;
  let mayBeMore = false;
  for (const site of preferred) {
    const answers = termsOf(site).map((term) => termAnswer(term, node, pools).answer);
    const answer = answers[0] ?? (site.open ? 'maybe' : 'no');
    if (answer === 'no') continue;
    const added = weightOf(site);
    if (answer === 'yes' && added !== undefined) weight += added;
    else mayBeMore = true;
  }
  return { weight, mayBeMore };
}

/** Returns the weight of a preferred term; undefined if it is unknown, and 0 if it is invalid. */
function weightOf({ weight, open }: SelectorSite): number | undefined {
  if (weight === undefined) return open ? undefined : 0;
  if (isUnknown(weight)) return undefined;
  const value = /^\d{1,3}$/.test(weight) ? Number(weight) : 0;
  return value >= minWeight && value <= maxWeight ? value : 0;
}
