/** Decides which nodes a pod fits according to its node selectors, and ranks these nodes by the weights of the pod's preferred terms. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import {
  type Answer,
  daemonTolerations,
  evaluate,
  everything,
  explain,
  isUnknown,
  maxWeight,
  minWeight,
  type Taint,
  taintAnswer,
  type Value,
} from '../../engine/index.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { ManifestObject, SelectorSite } from '../../manifests/model.ts';
import { anyField, listedItems } from '../../manifests/sites/field-values.ts';
import { localize } from '../../text/localize.ts';
import type { Candidate, ObjectInFile, Workspace } from '../model.ts';
import { placeOf } from '../scopes/scope-facts.ts';
import { effectiveSelector, meaningOf, selectorOfTerm, termsOf } from './effective-selector.ts';
import { nameAnswer } from './node-terms.ts';
import { firstApplied } from './selection.ts';

/** A node that certainly or possibly fits. */
export interface FittingNode {
  readonly node: Candidate;
  readonly certain: boolean;
  /** The sum of the weights of the preferred terms that certainly match. */
  readonly weight: number;
  /** Whether `weight` could be higher because a preferred term may match or its weight is unknown. */
  readonly mayBeMore: boolean;
}

/** The nodes that fit a pod, or the pods of a template. */
export interface NodeFits {
  readonly nodes: number;
  /** Whether the nodes are in the scope of the pod; otherwise they are in other scopes that may share the cluster. */
  readonly here: boolean;
  /** The nodes that fit, the highest weight first. */
  readonly fitting: readonly FittingNode[];
  /** Nodes that do not fit, with the reasons. */
  readonly others: readonly Candidate[];
  /** Whether the pod prefers some nodes. */
  readonly hasPreferences: boolean;
  /** The node that the pod names. The scheduler then does not choose a node. */
  readonly assigned?: string;
}

/** The maximum number of examined nodes. */
const maximumNodes = 5000;

/** Returns the paths of the pod specifications in an object: its own, and those in its templates. */
export function podSpecPaths(object: ManifestObject): readonly string[] {
  const pods = labeledObjectsOf(object).filter(({ target }) => target.group === '' && target.kind === 'Pod');
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
 * Evaluates the `nodeSelector` and the required terms of a pod specification together, as `GetRequiredNodeAffinity` in
 * k8s.io/component-helpers/scheduling/corev1/nodeaffinity does, and adds the weights of the preferred terms that match.
 * The taints of the nodes and the tolerations of the pod count too. Resources and the other scores of the scheduler are not
 * considered.
 */
export function nodeFits(workspace: Workspace, catalogue: Catalogue, written: ObjectInFile, spec: string): NodeFits {
  const { workspace: seen, owner } = firstApplied(workspace, catalogue, written);
  const sites = owner.object.selectorSites.filter(({ path }) => podSpecAround(owner.object, path) === spec);
  const preferred = sites.filter(({ fact }) => fact.role === 'nodePreference');
  const required = sites.filter((site) => !preferred.includes(site));
  const { nodes, here } = nodesFor(seen, owner);
  const values = valuesOf(owner.object, spec);
  const listed = listedItems(values?.[tolerationsField] ?? values?.[anyField]);
  const isDaemon = owner.object.group === 'apps' && owner.object.kind === 'DaemonSet';
  const tolerations = isDaemon && listed !== 'unknown' ? [...listed, ...daemonTolerations] : listed;
  const fitting: FittingNode[] = [];
  const others: Candidate[] = [];
  for (const node of nodes) {
    const answers = [...required.map((site) => requiredAnswer(site, node)), tolerationAnswer(node, tolerations)];
    const failed = answers.filter(({ answer }) => answer === 'no');
    if (failed.length > 0) others.push(node.because(failed.map(({ reason }) => reason)));
    else fitting.push({ node, certain: answers.every(({ answer }) => answer === 'yes'), ...scoreOf(preferred, node) });
  }
  const assigned = values?.['spec.nodeName'];
  return {
    nodes: nodes.length,
    here,
    fitting: fitting.toSorted((a, b) => b.weight - a.weight || Number(b.certain) - Number(a.certain)),
    others,
    hasPreferences: preferred.length > 0,
    ...(typeof assigned === 'string' && { assigned }),
  };
}

function valuesOf({ fieldValues, templates }: ManifestObject, spec: string) {
  return spec === 'spec' ? fieldValues : templates.find(({ path }) => `${path}.spec` === spec)?.fieldValues;
}

/** Returns the nodes in the scope or, if there are none, the nodes of other scopes that may share the cluster. */
function nodesFor(workspace: Workspace, owner: ObjectInFile) {
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
  return here.length > 0 ? { nodes: here, here: true } : { nodes: elsewhere, here: false };
}

const tolerationsField = 'spec.tolerations';

/** Returns whether a pod with these tolerations can be scheduled onto a node, and what is missing. */
function tolerationAnswer({ object }: Candidate, tolerations: Parameters<typeof taintAnswer>[1]): Reasoned {
  const values = object.fieldValues;
  const any = values?.[anyField];
  const taints = listedItems(values?.['spec.taints'] ?? any);
  const { answer, taint, isUnschedulable } = taintAnswer(
    { taints, unschedulable: values?.['spec.unschedulable'] ?? any },
    tolerations,
  );
  if (isUnschedulable) return { answer, reason: localize`the node is unschedulable` };
  return { answer, reason: taint === undefined ? '' : localize`toleration for \`${taintText(taint)}\` is missing` };
}

/** Returns a taint in the notation of kubectl: `dedicated=gpu:NoSchedule`. */
function taintText({ key, value, effect }: Taint): string {
  const text = (part: Value) => (typeof part === 'string' ? part : '?');
  return `${text(key)}${value === '' ? '' : `=${text(value)}`}:${text(effect)}`;
}

interface Reasoned {
  readonly answer: Answer;
  readonly reason: string;
}

const unrestricted: Reasoned = { answer: 'yes', reason: '' };

function requiredAnswer(site: SelectorSite, node: Candidate): Reasoned {
  if (site.state !== 'present') {
    if (meaningOf(site) !== 'invalid') return unrestricted;
    return { answer: site.open ? 'maybe' : 'no', reason: localize`the node affinity has no terms` };
  }
  const selector = effectiveSelector(site);
  if (selector !== undefined) {
    const failed = explain(selector, node.labelSet).find(({ answer }) => answer === 'no');
    return { answer: evaluate(selector, node.labelSet), reason: failed?.reason ?? '' };
  }
  if (site.nodeSelector === undefined) return { answer: 'maybe', reason: '' };
  const terms = termsOf(site);
  const answers = terms.map((term) => termAnswer(term, node));
  const best = answers.find(({ answer }) => answer === 'yes') ?? answers.find(({ answer }) => answer === 'maybe');
  if (best !== undefined) return best;
  if (site.open) return { answer: 'maybe', reason: '' };
  return {
    answer: 'no',
    reason: answers.length === 1 ? (answers[0]?.reason ?? '') : localize`none of ${terms.length} terms matches`,
  };
}

function termAnswer(term: ReturnType<typeof termsOf>[number], node: Candidate): Reasoned {
  const selector = selectorOfTerm(term);
  const named = nameAnswer(term, node);
  const labels = evaluate(selector, node.labelSet);
  if (labels === 'no') {
    const failed = explain(selector, node.labelSet).find(({ answer }) => answer === 'no');
    return { answer: 'no', reason: failed?.reason ?? '' };
  }
  if (named.answer === 'no') return { answer: 'no', reason: named.reason ?? '' };
  return { answer: labels === 'yes' ? named.answer : 'maybe', reason: '' };
}

function scoreOf(preferred: readonly SelectorSite[], node: Candidate): Pick<FittingNode, 'weight' | 'mayBeMore'> {
  let weight = 0;
  let mayBeMore = false;
  for (const site of preferred) {
    const answers = termsOf(site).map((term) => termAnswer(term, node).answer);
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
