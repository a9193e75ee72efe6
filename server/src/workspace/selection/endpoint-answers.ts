/** Evaluates selectors of Cilium and Calico on pods, with the labels that these systems derive from namespaces and service accounts. */

import {
  type CalicoLabels,
  type CalicoTree,
  calicoLabelsOf,
  calicoLabelsOfNamed,
  calicoLabelsOfSet,
  evaluateCalico,
  splitCalico,
} from '../../engine/calico/index.ts';
import type { Catalogue } from '../../engine/catalogue/types.ts';
import {
  type Endpoint,
  matchesEndpoint,
  requirementOn,
  type SourcedRequirement,
} from '../../engine/cilium/endpoint-selector.ts';
import { clusterKey, isIgnoredLabel, namespaceKey, namespaceLabelPrefix } from '../../engine/cilium/label-keys.ts';
import { isDerivedCiliumKey, placedSelector } from '../../engine/cilium/own-requirements.ts';
import {
  type Answer as Decision,
  evaluate,
  isUnknown,
  type LabelSet,
  type Selector,
  type Value,
} from '../../engine/index.ts';
import { type IstioWorkload, isAddedByIstio, istioPlace } from '../../engine/policies/istio.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import { selectorAt } from '../../manifests/sites/site-at.ts';
import { calicoTree } from '../../manifests/sites/sites.ts';
import { localize } from '../../text/localize.ts';
import { candidatesIn } from '../index/index-entries.ts';
import type { Candidate, LabeledObjectInFile, ObjectInFile, Workspace } from '../model.ts';
import { placeOf } from '../scopes/scope-facts.ts';
import { rulesAnswers } from './admission-matches.ts';
import { currentValue } from './field-answers.ts';
import { type Answer, hasNoNamespace, namespaceLabelsFor, namespaceOf } from './namespaces.ts';
import { isUnrestricted } from './own-namespace.ts';
import { isSubset, subsetAnswers } from './subset-answers.ts';

type Target = Candidate | LabeledObjectInFile;

const yes: Answer = { answer: 'yes' };

/** Returns a function that decides what the labels of a pod alone do not decide; undefined for selectors of Kubernetes. */
export function endpointAnswers(
  workspace: Workspace,
  catalogue: Catalogue,
  owner: ObjectInFile,
  site: SelectorSite,
): ((target: Target) => Answer) | undefined {
  const { language } = site.fact;
  if (isSubset(owner, site)) return subsetAnswers(workspace, catalogue, owner);
  if (language === undefined) return undefined;
  const question = { workspace, catalogue, owner, site };
  if (language === 'istio') return istioAnswers(question);
  if (language === 'rules') return rulesAnswers(workspace, catalogue, owner, site);
  return language === 'cilium' ? ciliumAnswers(question) : calicoAnswers(question);
}

/** Whether the other conditions of a selector of Cilium or Calico hold for an object whose labels match; yes for selectors of Kubernetes. */
export function ofEndpoint(
  workspace: Workspace,
  catalogue: Catalogue,
  owner: ObjectInFile,
  site: SelectorSite,
  target: LabeledObjectInFile,
): Answer {
  return endpointAnswers(workspace, catalogue, owner, site)?.(target) ?? yes;
}

/** A pod with the labels that Cilium and Calico derive for it. */
export interface PodEndpoint {
  readonly calico: CalicoLabels;
  readonly cilium: Endpoint;
}

/** Returns a pod as an endpoint. Labels of namespaces and service accounts that differ between files are unknown. */
export function endpointOf(workspace: Workspace, catalogue: Catalogue, target: LabeledObjectInFile): PodEndpoint {
  const found = namespaceLabelsFor({ workspace, catalogue, owner: target }, target);
  const [first, ...others] = found.labels;
  const namespaceLabels = first === undefined || others.length > 0 ? { labels: {}, open: true } : first;
  const serviceAccount = currentValue(workspace, catalogue, target, 'spec.serviceAccountName', undefined);
  const { labels, open } = target.labeledObject;
  const endpoint = { namespace: found.name, labels: { labels, open }, namespaceLabels, serviceAccount };
  return {
    calico: calicoLabelsOf({
      ...endpoint,
      serviceAccountLabels: serviceAccountLabels(workspace, target, serviceAccount, found.name),
    }),
    cilium: { ...endpoint, isOfController: target.labeledObject.via !== undefined },
  };
}

interface Question {
  readonly workspace: Workspace;
  readonly catalogue: Catalogue;
  readonly owner: ObjectInFile;
  readonly site: SelectorSite;
}

/** The root namespace of a mesh, in which policies apply to all namespaces; another one is a setting of the mesh. */
const rootNamespace = 'istio-system';

function istioAnswers({ workspace, owner, site }: Question): (target: Target) => Answer {
  const namespace = namespaceOf(workspace, owner)?.value;
  const keys = site.entries.map(({ key }) => key.text);
  const added = keys.filter(isAddedByIstio);
  return (target) => {
    const own = namespaceOf(workspace, { file: target.file, object: target.object })?.value;
    const { labels } = labelsOf(target);
    const place = { namespace: own ?? namespace ?? '', proxy: proxyOf(labels) };
    // Without a namespace, the reach of the selector decides.
    const isKnown = typeof namespace === 'string' && typeof own === 'string';
    const { kind } = owner.object;
    const answer = istioPlace(
      { kind, namespace: isKnown ? namespace : place.namespace },
      keys.length > 0,
      place,
      rootNamespace,
    );
    if (answer.answer === 'no') return { answer: 'no', reason: localize`Istio applies it to other workloads` };
    const missing = added.find((key) => !Object.hasOwn(labels, key));
    return missing === undefined ? yes : { answer: 'maybe', reason: localize`the cluster adds \`${missing}\`` };
  };
}

/** Returns the kind of proxy of a pod by the labels that identify gateways and waypoints. */
function proxyOf(labels: LabelSet['labels']): IstioWorkload['proxy'] {
  if (labels['gateway.networking.k8s.io/gateway-class-name'] === 'istio-waypoint') return 'waypoint';
  return labels['gateway.networking.k8s.io/gateway-name'] === undefined ? undefined : 'gateway';
}

function isPod({ labeledObject }: Target): boolean {
  return labeledObject.target.group === '' && labeledObject.target.kind === 'Pod';
}

const nodeNetwork: Answer = { answer: 'no', reason: 'the pod uses the network of its node' };

/** Returns an answer if the network of the node may decide: pods with `hostNetwork: true` are not selected. */
function ofNetwork({ workspace, catalogue }: Question, target: Target): Answer {
  const value = currentValue(workspace, catalogue, target, 'spec.hostNetwork', undefined);
  return value === 'true' ? nodeNetwork : yes;
}

function ciliumAnswers(question: Question): ((target: Target) => Answer) | undefined {
  const { workspace, catalogue, owner, site } = question;
  const field = site.path.endsWith(']') ? 'peer' : 'endpointSelector';
  const placed = placedSelector(site.data ?? {}, field, site.fact.reach === 'all');
  if (placed === undefined) return undefined;
  const isOther = ({ key }: SourcedRequirement) => isDerivedCiliumKey(key) || isIgnoredLabel(key);
  const selector = { requirements: placed.selector.requirements.filter(isOther) };
  const isPlain = selector.requirements.length === 0;
  return (target) => {
    const network = isPod(target) ? ofNetwork(question, target) : yes;
    if (network.answer === 'no' || isPlain) return network;
    const { name, labels } = namespaceLabelsFor({ workspace, catalogue, owner }, target);
    const endpoints = labels.map(
      (namespaceLabels): Endpoint => ({
        namespace: name,
        labels: labelsOf(target),
        namespaceLabels,
        serviceAccount: currentValue(workspace, catalogue, target, 'spec.serviceAccountName', undefined),
        isOfController: target.labeledObject.via !== undefined,
      }),
    );
    const answer = common(endpoints.map((endpoint) => matchesEndpoint(selector, endpoint)));
    if (answer === 'yes') return yes;
    const decisive = selector.requirements.find((each) =>
      endpoints.some((endpoint) => requirementOn(each, endpoint) === answer),
    );
    return decisive === undefined ? { answer } : { answer, reason: ciliumReason(decisive, answer) };
  };
}

function ciliumReason({ key }: SourcedRequirement, answer: 'no' | 'maybe'): string {
  if (answer === 'no') return localize`\`${key}\` does not match`;
  if (isIgnoredLabel(key)) return localize`Cilium ignores \`${key}\` by default`;
  if (key === clusterKey) return localize`the name of the cluster is a setting`;
  if (key.startsWith(namespaceLabelPrefix)) return namespaceUnknown();
  return key === namespaceKey ? localize`its namespace is not set` : accountUnknown();
}

const namespaceUnknown = () => localize`the labels of its namespace are unknown`;
const accountUnknown = () => localize`its service account is unknown`;

function labelsOf(target: Target): LabelSet {
  return 'labelSet' in target ? target.labelSet : target.labeledObject;
}

function common(answers: readonly Decision[]): Decision {
  const [first = 'maybe', ...others] = answers;
  return others.every((each) => each === first) ? first : 'maybe';
}

function calicoAnswers(question: Question): ((target: Target) => Answer) | undefined {
  const { catalogue, site, owner } = question;
  const sites = owner.object.selectorSites;
  const parent = site.path.slice(0, site.path.lastIndexOf('.'));
  const isSubject = /\.(?:selector|notSelector)$/.test(site.path) && !parent.endsWith('serviceAccounts');
  const beside = (field: string) => (isSubject ? treeOf(selectorAt(sites, `${parent}.${field}`)) : undefined);
  const isGlobal = isGlobalTree(treeOf(site));
  const own = restOf(treeOf(site));
  const namespaces = beside('namespaceSelector');
  const accounts = beside('serviceAccountSelector') ?? beside('serviceAccounts.selector');
  const isOpen = own === 'unknown' || namespaces === 'unknown' || accounts === 'unknown';
  // What `notSelector` excludes may have addresses of the selected pods.
  const ofGlobals = site.path.endsWith('.notSelector') ? 'unlimited' : namespaces;
  const isLimited = !hasNoNamespace(catalogue, owner) && !isUnrestricted(owner, site);
  return (target) => {
    const { kind } = target.labeledObject.target;
    if (isGlobal) return yes;
    if (kind === 'Namespace' || kind === 'ServiceAccount') return ofNamed(question, own, target);
    if (hasNoNamespace(catalogue, target)) return ofGlobal(own, ofGlobals, target, isLimited);
    if (isGlobalTree(namespaces)) return { answer: 'no', reason: localize`it is in a namespace` };
    if (!isPod(target)) return onPod(question, { own, namespaces, accounts: undefined }, target);
    const network = ofNetwork(question, target);
    if (network.answer === 'no') return network;
    const answer = onPod(question, { own, namespaces, accounts }, target);
    return answer.answer === 'yes' && isOpen
      ? { answer: 'maybe', reason: localize`a selector depends on a template` }
      : answer;
  };
}

/** Whether a selector selects a namespace with a name and labels, which may have no object. `selector` contains its requirements on labels; Calico also compares the name. */
export function selectsNamespace(site: SelectorSite, selector: Selector, name: Value, labels: LabelSet): Decision {
  const tree = treeOf(site);
  if (tree === undefined || tree === 'unknown') return evaluate(selector, labels);
  return isGlobalTree(tree) ? 'no' : evaluateCalico(tree, calicoLabelsOfNamed(name, labels));
}

function isGlobalTree(tree: Tree): boolean {
  return tree !== undefined && tree !== 'unknown' && tree.root?.kind === 'global';
}

/** Evaluates a selector on an object without a namespace: a global set of addresses, or an endpoint of a host, for which Calico derives no labels. Beside a selector of namespaces, and in a policy of a namespace, only `global()` includes it. */
function ofGlobal(own: Tree, namespaces: Tree | 'unlimited', target: Target, isLimited: boolean): Answer {
  if (namespaces === 'unknown') return { answer: 'maybe', reason: localize`a selector depends on a template` };
  if (namespaces !== 'unlimited' && (namespaces === undefined ? isLimited : !isGlobalTree(namespaces)))
    return { answer: 'no', reason: localize`it is in no namespace` };
  if (own === undefined || own === 'unknown') return yes;
  const answer = evaluateCalico(own, labelsOf(target));
  return answer === 'yes' ? yes : { answer, reason: reasonFor(own, answer, undefined) };
}

type Tree = CalicoTree | 'unknown' | undefined;

/** Returns the syntax tree of a selector of Calico; undefined if it is absent or empty. */
function treeOf(site: SelectorSite | undefined): Tree {
  if (site === undefined || site.state !== 'present' || site.fact.language !== 'calico') return undefined;
  return typeof site.data === 'string' ? calicoTree(site.path, site.data, site.placeholders) : 'unknown';
}

/** Returns the part of a selector that its requirements on own labels do not decide. */
function restOf(tree: Tree): Tree {
  if (tree === undefined || tree === 'unknown') return tree;
  const { rest } = splitCalico(tree);
  return rest && { ...tree, root: rest };
}

/** Evaluates a selector of namespaces or service accounts, whose names are labels. */
function ofNamed({ workspace, catalogue }: Question, tree: Tree, target: Target): Answer {
  if (tree === undefined || tree === 'unknown') return yes;
  const name = currentValue(workspace, catalogue, target, 'metadata.name', undefined);
  const answer = evaluateCalico(tree, calicoLabelsOfNamed(name, labelsOf(target)));
  return answer === 'yes' ? yes : { answer, reason: reasonFor(tree, answer, undefined) };
}

interface Trees {
  readonly own: Tree;
  readonly namespaces: Tree;
  readonly accounts: Tree;
}

function onPod(
  { workspace, catalogue, owner }: Question,
  { own, namespaces, accounts }: Trees,
  target: Target,
): Answer {
  const trees = [own, namespaces, accounts].filter((tree) => tree !== undefined && tree !== 'unknown');
  if (trees.length === 0) return yes;
  const { name, labels } = namespaceLabelsFor({ workspace, catalogue, owner }, target);
  const account = currentValue(workspace, catalogue, target, 'spec.serviceAccountName', undefined);
  const needsAccount = trees.some((tree) => tree === accounts || tree.text.includes('pcsa.'));
  const accountLabels = needsAccount
    ? serviceAccountLabels(workspace, target, account, name)
    : { labels: {}, open: true };
  for (const tree of trees) {
    const answers = labels.map((namespaceLabels) => {
      const endpoint = {
        labels: labelsOf(target),
        namespace: name,
        namespaceLabels,
        serviceAccount: account,
        serviceAccountLabels: accountLabels,
      };
      if (tree === namespaces) return evaluateCalico(tree, calicoLabelsOfNamed(name, namespaceLabels));
      if (tree === accounts) return evaluateCalico(tree, calicoLabelsOfNamed(account, accountLabels));
      if (!isPod(target)) return evaluateCalico(tree, calicoLabelsOfSet(labelsOf(target), name, namespaceLabels));
      return evaluateCalico(tree, calicoLabelsOf(endpoint));
    });
    const answer = common(answers);
    const of = tree === namespaces ? 'namespaces' : tree === accounts ? 'accounts' : undefined;
    if (answer !== 'yes') return { answer, reason: reasonFor(tree, answer, of) };
  }
  return yes;
}

function reasonFor({ text }: CalicoTree, answer: 'no' | 'maybe', of: 'namespaces' | 'accounts' | undefined): string {
  if (answer === 'no') {
    if (of === 'namespaces') return localize`its namespace is not selected`;
    return of === 'accounts' ? localize`its service account is not selected` : localize`\`${text}\` does not match`;
  }
  if (of === 'namespaces' || (of === undefined && text.includes('pcns.'))) return namespaceUnknown();
  if (of === 'accounts' || text.includes('pcsa.')) return localize`the labels of its service account are unknown`;
  return localize`\`${text}\` depends on an unknown label`;
}

/** Returns the labels of the service account of a pod. The account `default`, which the cluster creates, has no labels unless a manifest sets them; the labels of other accounts without an object are unknown. */
function serviceAccountLabels(
  workspace: Workspace,
  target: Candidate | LabeledObjectInFile,
  account: Value,
  namespace: Value,
): LabelSet {
  if (isUnknown(account)) return { labels: {}, open: true };
  const files = workspace.scopes().filesAround(placeOf(target));
  workspace.questions?.note({ about: 'anything' });
  for (const uri of files) {
    const file = workspace.files.get(uri);
    for (const each of file === undefined ? [] : candidatesIn(workspace, file, ['/ServiceAccount'])) {
      if (each.object.name?.text !== account) continue;
      const own = namespaceOf(workspace, each.where)?.value;
      if (own === namespace || (own === undefined && typeof namespace !== 'string')) return each.labelSet;
    }
  }
  return account === 'default' ? { labels: {} } : { labels: {}, open: true };
}
