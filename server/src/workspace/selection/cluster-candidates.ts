/** Finds objects of other GitOps objects in the cluster for which a selector may be intended. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { evaluate, everything, type Requirement, type Selector } from '../../engine/index.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import { misspelling, slightDifference } from '../../text/misspelling.ts';
import type { Question } from '../dependencies/questions.ts';
import { kindKey } from '../index/file-outline.ts';
import { renderingsBeside } from '../kustomize/built-elsewhere.ts';
import { hasObjectsIn, labelsIn, mayHoldLabels } from '../kustomize/rendering-terms.ts';
import { Candidate, type ObjectInFile, type Workspace } from '../model.ts';
import type { Scope } from '../scopes/model.ts';
import type { CandidatesAround, RankedCandidate } from './candidates-around.ts';
import { hasNoNamespace, reachFrom } from './namespaces.ts';
import { homeOf } from './own-namespace.ts';

/** A selector with more requirements, or values in one of them, is not compared with the labels of other scopes. */
const maximumCompared = 10;

/** In a workspace with more scopes, a selector is not compared with all objects of its cluster, because each scope takes about 2 ms. */
const mostCompared = 100;

/**
 * Returns the objects that other GitOps objects certainly apply to the cluster of a selector, in namespaces to which it
 * certainly applies. Scopes in which every object differs in more than one word may be left out. The result is empty if there
 * are too many scopes.
 */
export function candidatesInCluster(
  workspace: Workspace,
  catalogue: Catalogue,
  owner: ObjectInFile,
  site: SelectorSite,
  selector: Selector,
): readonly RankedCandidate[] {
  const { appliedBy } = workspace;
  if (appliedBy?.gitops === undefined || selector.kind !== 'all' || !selector.requirements.every(isComparable))
    return [];
  const reaches = reachFrom(workspace, catalogue, owner, site);
  const targets = site.fact.targets.map(kindKey);
  const found: RankedCandidate[] = [];
  const namespace = homeOf(owner, site);
  const isWanted = (terms: ReadonlySet<string>) =>
    (namespace === undefined || hasObjectsIn(terms, namespace)) && mayAlmostMatch(terms, selector);
  const question: Question =
    namespace === undefined ? { about: 'similar', selector } : { about: 'namespace', namespace };
  for (const rendering of renderingsBeside(workspace, catalogue, owner, { isWanted, isSure: true, question })) {
    if (rendering === undefined) return [];
    const { files, index } = rendering;
    for (const target of targets) {
      for (const labeled of index().labelSets(target, everything)) {
        const file = files.get(labeled.id.uri);
        const { location } = labeled.id;
        const isPlaced = location.namespace !== undefined || hasNoNamespace(catalogue, { object: location });
        if (file === undefined || !isPlaced) continue;
        const candidate = new Candidate(file, labeled);
        if (reaches(candidate.where).answer === 'yes')
          found.push({ candidate, place: () => ({ answer: 'yes' }), isOutside: true });
      }
    }
  }
  return found;
}

/** Adds candidates of other GitOps objects to those around a selector. */
export function withOthers(around: CandidatesAround, others: readonly RankedCandidate[]): CandidatesAround {
  return {
    size: around.size + others.length,
    makers: around.makers,
    filter: (isWanted, among) => [
      ...around.filter(isWanted, among),
      ...others.filter(({ candidate }) => isWanted(candidate, true)),
    ],
    matching: (selector) => [
      ...around.matching(selector),
      ...others.filter(({ candidate }) => evaluate(selector, candidate.labelSet) === 'yes'),
    ],
    reached: (maximum) => [...around.reached(maximum), ...others],
  };
}

/** Whether GitOps objects certainly apply objects of the selected kinds to namespaces to which a selector applies, and the selector certainly matches none of them. All objects of these kinds in the workspace must belong to GitOps objects, and none to a chart that is in no file. */
export function missesAllInCluster(
  workspace: Workspace,
  catalogue: Catalogue,
  owner: ObjectInFile,
  site: SelectorSite,
  selector: Selector,
): boolean {
  const { appliedBy } = workspace;
  if (appliedBy?.gitops === undefined) return false;
  const reaches = reachFrom(workspace, catalogue, owner, site);
  const targets = site.fact.targets.map(kindKey);
  workspace.questions?.note({ about: 'anything' });
  const scopes = workspace.scopes().all();
  const isOther = ({ gitops, files }: Scope) =>
    gitops === undefined && [...files].some((uri) => workspace.labeledObjectsIn(uri, targets).length > 0);
  // A chart that is in no file may set any labels.
  const home = homeOf(owner, site);
  const isRelease = ({ gitops, namespace = home }: Scope) =>
    gitops?.facts.releases !== undefined && (home === undefined || namespace === home);
  if (scopes.length > mostCompared || scopes.some((each) => isOther(each) || isRelease(each))) return false;
  const own = workspace.rendering(appliedBy.path, catalogue);
  let isMissed = false;
  for (const rendering of [
    ...(own === undefined ? [] : [own]),
    ...renderingsBeside(workspace, catalogue, owner, { isWanted: () => true, isSure: true }),
  ]) {
    if (rendering === undefined) return false;
    for (const target of targets)
      for (const { id, labelSet } of rendering.index().labelSets(target, everything)) {
        const { answer } = reaches({ file: { uri: id.uri }, object: id.location });
        if (answer !== 'no' && evaluate(selector, labelSet) !== 'no') return false;
        isMissed ||= answer === 'yes';
      }
  }
  return isMissed;
}

/** Returns the namespaces of the objects that a selector certainly matches among the objects that other GitOps objects certainly apply to its cluster; no namespaces if there are too many GitOps objects. */
export function namespacesInCluster(
  workspace: Workspace,
  catalogue: Catalogue,
  owner: ObjectInFile,
  site: SelectorSite,
  selector: Selector,
): ReadonlySet<string> {
  if (workspace.appliedBy?.gitops === undefined) return new Set();
  const found = new Set<string>();
  const targets = site.fact.targets.map(kindKey);
  const isWanted = (terms: ReadonlySet<string>) => mayHoldLabels(terms, selector);
  const question = { about: 'built', selector } as const;
  for (const rendering of renderingsBeside(workspace, catalogue, owner, { isWanted, isSure: true, question })) {
    if (rendering === undefined) return new Set();
    for (const target of targets)
      for (const { id, answer } of rendering.index().labeledObjects(target, selector))
        if (answer === 'yes' && typeof id.location.namespace?.value === 'string')
          found.add(id.location.namespace.value);
  }
  return found;
}

function isComparable({ operator, values }: Requirement): boolean {
  return ['=', '==', 'in'].includes(operator) && values.length <= maximumCompared;
}

/** Whether a rendering with these terms may contain an object that a selector matches, or does not match because of one misspelling. */
export function mayAlmostMatch(terms: ReadonlySet<string>, selector: Selector): boolean {
  return selector.kind === 'all' && isAlmostIn(labelsIn(terms), selector.requirements);
}

/** Whether the labels of a scope include all requirements except one, for which they include a similar one. */
function isAlmostIn(labels: ReadonlyMap<string, readonly string[]>, requirements: readonly Requirement[]): boolean {
  const failed = requirements.filter(({ key, values }) => {
    const known = labels.get(key);
    return known === undefined || !values.some((value) => typeof value === 'string' && known.includes(value));
  });
  const [only, ...others] = failed;
  return others.length === 0 && (only === undefined || isMisspelledIn(labels, only));
}

function isMisspelledIn(labels: ReadonlyMap<string, readonly string[]>, { key, values }: Requirement): boolean {
  const wanted = values.filter((value) => typeof value === 'string');
  const isSimilar = (actual: string) => wanted.some((value) => isAlike(value, actual));
  if (labels.get(key)?.some(isSimilar)) return true;
  for (const [other, known] of labels)
    if (wanted.some((value) => known.includes(value)) && isAlike(key, other)) return true;
  return false;
}

function isAlike(wanted: string, actual: string): boolean {
  return misspelling(wanted, actual) !== undefined || slightDifference(wanted, actual) !== undefined;
}
