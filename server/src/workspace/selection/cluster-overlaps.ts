/** Finds objects that different GitOps objects certainly apply to one cluster and whose selectors match the same objects. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { overlap, type Selector } from '../../engine/index.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import type { ManifestObject, SelectorSite } from '../../manifests/model.ts';
import { type GitopsScope, isGitopsScope } from '../gitops/defined-scopes.ts';
import { kindKey } from '../index/file-outline.ts';
import { labeledObjectWith } from '../index/index-entries.ts';
import { appliesTo } from '../kustomize/built-elsewhere.ts';
import { labelPrefix, labelTerm, mayHoldLabels, requiredLabels } from '../kustomize/rendering-terms.ts';
import { appliedScope } from '../kustomize/view.ts';
import type { LabeledObjectInFile, ObjectInFile, Rendering, Workspace } from '../model.ts';
import type { ClusterGroup, Scope, Scopes } from '../scopes/model.ts';
import { scopeQuery, textOfScope } from '../scopes/recorded-scopes.ts';
import { allIdentities, identityOf } from '../scopes/scope-facts.ts';
import { effectiveSelector } from './effective-selector.ts';

/** Whether a GitOps object certainly applies its objects as they are built. */
type IsSure = (scope: GitopsScope) => boolean;

/** A selector in a cluster, and an object that it certainly matches together with the selector to which it is compared. */
export interface SharedInCluster {
  readonly other: ObjectInFile;
  readonly match: LabeledObjectInFile;
}

/** Selectors of which only one may match a pod, as `group/Kind path`. The eviction API rejects a pod that two of them match. */
const exclusiveSelectors: ReadonlySet<string> = new Set(['policy/PodDisruptionBudget spec.selector']);

const exclusiveKinds = [...exclusiveSelectors].map((each) => each.slice(0, each.indexOf(' ')));

/** Whether an object has a selector of which only one may match a pod. */
export function isExclusive({ group, kind }: Pick<ManifestObject, 'group' | 'kind'>): boolean {
  return exclusiveKinds.includes(`${group}/${kind}`);
}

/** Whether only one of the selectors at a site may match a pod. */
export function isExclusiveSite(object: ManifestObject, { fact }: SelectorSite): boolean {
  return exclusiveSelectors.has(`${object.group}/${object.kind} ${fact.path}`);
}

/** Whether a file may contain an object that `isExclusive`; the objects of charts and templates may be unknown. */
function mayContainExclusive(scopes: Scopes, uri: string): boolean {
  const facts = scopes.factsOf(uri);
  if (facts === undefined) return false;
  const identities = allIdentities(facts);
  const prefixes = exclusiveKinds.map((kind) => `${kind.replace('/', '\n')}\n`);
  return identities.length < facts.objects || identities.some((each) => prefixes.some((one) => each.startsWith(one)));
}

/** The maximum number of GitOps objects of a cluster that are compared, and of those that contain all labels of a selector. */
const mostCompared = 500;
const mostHolding = 100;

/**
 * Yields the other selectors in the cluster of which only one may match a pod, and which certainly match the same pod as the
 * selector of `owner`, with the first such pod. `view` is the view of a GitOps object; selectors and matches that are both in this GitOps object are omitted.
 */
export function* sharedInCluster(
  view: Workspace,
  catalogue: Catalogue,
  owner: ObjectInFile,
  site: SelectorSite,
  isSure: IsSure,
): Iterable<SharedInCluster> {
  const { appliedBy, written } = view;
  const own = knownSelector(site);
  const identity = identityOf(owner.object);
  const namespace = owner.object.namespace?.value;
  if (appliedBy === undefined || written === undefined || own === undefined || typeof namespace !== 'string') return;
  const targets = site.fact.targets.map(kindKey);
  written.questions?.note({ about: 'namespace', namespace });
  for (const cluster of clustersOf(view.scopes(), appliedBy)) {
    const rivals = selectorsInCluster(written, catalogue, cluster).get(namespace) ?? [];
    for (const { scope } of rivals) written.questions?.note({ about: 'scope', path: scope.path });
    if (rivals.length < 2) continue;
    const members = membersOf(cluster).filter((each) => isSure(each) && isComparable(view, appliedBy, each));
    if (members.every((each) => each !== appliedBy)) continue;
    for (const other of rivals) {
      const { scope } = other;
      if (other.identity === identity) continue;
      const selector = both(own, other.selector);
      if (selector === undefined || !members.includes(scope)) continue;
      const omitted = scope === appliedBy ? scope : undefined;
      const match = firstMatch(written, catalogue, members, targets, selector, { namespace, omitted });
      const found = match && objectOf(written, catalogue, other);
      if (match !== undefined && found !== undefined) yield { other: found, match };
    }
  }
}

/** Yields the objects of other GitOps objects in the cluster and in the namespace of `owner` that its selector certainly matches. */
export function* certainMatchesBeside(
  view: Workspace,
  catalogue: Catalogue,
  owner: ObjectInFile,
  site: SelectorSite,
  isSure: IsSure,
): Iterable<LabeledObjectInFile> {
  const { appliedBy, written } = view;
  const selector = knownSelector(site);
  const namespace = owner.object.namespace?.value;
  if (appliedBy?.gitops === undefined || written === undefined || selector?.kind !== 'all') return;
  if (typeof namespace !== 'string') return;
  const targets = site.fact.targets.map(kindKey);
  written.questions?.note({ about: 'built', selector });
  for (const target of targets) written.questions?.note({ about: 'matches', target, selector });
  const holding = clustersOf(view.scopes(), appliedBy).flatMap((cluster) =>
    scopesHolding(written, catalogue, cluster, selector).filter(
      (each) => each !== appliedBy && appliesTo(written, catalogue, each, namespace),
    ),
  );
  if (!isGitopsScope(appliedBy) || !isSure(appliedBy)) return;
  for (const scope of new Set(holding))
    if (isSure(scope) && isComparable(view, appliedBy, scope))
      yield* matchesIn(written, catalogue, scope, targets, selector, namespace);
}

/** Returns the clusters to which a scope certainly applies its objects. */
const clustersOf = scopeQuery(
  'cluster groups of',
  (scopes, own: Scope): readonly ClusterGroup[] => scopes.clusterGroups().filter((group) => group.scopes.has(own)),
  (groups) => JSON.stringify(groups.map(({ key, scopes }) => [key, [...scopes].map(textOfScope)])),
);

/** Whether two GitOps objects are not alternatives, such as those of generated files and of their sources. */
function isComparable(view: Workspace, own: Scope, other: Scope): boolean {
  return own === other || view.scopes().relationOf(own, other) !== 'apart';
}

/** Returns the GitOps objects of a cluster, of which at most `mostCompared` are compared. */
function membersOf({ scopes }: ClusterGroup): readonly GitopsScope[] {
  return [...scopes].filter(isGitopsScope).slice(0, mostCompared);
}

/** A selector of an object in a rendering, without references to the rendering, which may be evicted. */
interface SelectorInRendering {
  readonly uri: string;
  readonly object: number;
  readonly identity: string;
  readonly namespace: string;
  readonly selector: Selector;
}

type SelectorInCluster = SelectorInRendering & { readonly scope: GitopsScope };

type ByNamespace = ReadonlyMap<string, readonly SelectorInCluster[]>;

const knownSelectors = new WeakMap<Workspace, Map<ClusterGroup, ByNamespace>>();

/** Returns the known selectors of a cluster of which only one may match a pod, by their namespaces. */
function selectorsInCluster(workspace: Workspace, catalogue: Catalogue, cluster: ClusterGroup): ByNamespace {
  const known = getOrAdd(knownSelectors, workspace, () => new Map<ClusterGroup, ByNamespace>());
  return getOrAdd(known, cluster, () => {
    const found = new Map<string, SelectorInCluster[]>();
    for (const scope of membersOf(cluster))
      for (const each of selectorsOf(workspace, catalogue, scope))
        getOrAdd(found, each.namespace, () => []).push({ ...each, scope });
    return found;
  });
}

/** The selectors in each rendering, by its terms, which remain cached after the rendering is evicted, until an input changes. */
const selectorsByTerms = new WeakMap<ReadonlySet<string>, readonly SelectorInRendering[]>();

function selectorsOf(workspace: Workspace, catalogue: Catalogue, scope: GitopsScope): readonly SelectorInRendering[] {
  const mayApply = [...scope.files].some((uri) => mayContainExclusive(workspace.scopes(), uri));
  const terms = mayApply ? workspace.terms(scope.path, catalogue)?.terms : undefined;
  return terms === undefined
    ? []
    : getOrAdd(selectorsByTerms, terms, () => selectorsIn(workspace.rendering(scope.path, catalogue)));
}

function selectorsIn(rendering: Rendering | undefined): readonly SelectorInRendering[] {
  if (rendering === undefined) return [];
  return [...rendering.files].flatMap(([uri, file]) =>
    file.manifest.objects.flatMap((object, number) => {
      const namespace = object.namespace?.value;
      const identity = identityOf(object);
      if (identity === undefined || typeof namespace !== 'string' || !isSureIn({ file, object })) return [];
      return object.selectorSites.flatMap((site) => {
        const selector = isExclusiveSite(object, site) ? knownSelector(site) : undefined;
        return selector === undefined ? [] : [{ uri, object: number, identity, namespace, selector }];
      });
    }),
  );
}

function objectOf(
  workspace: Workspace,
  catalogue: Catalogue,
  { scope, uri, object: number }: SelectorInCluster,
): ObjectInFile | undefined {
  const file = appliedScope(workspace, catalogue, scope)?.workspace.files.get(uri);
  const object = file?.manifest.objects[number];
  return file === undefined || object === undefined ? undefined : { file, object };
}

/** Whether an object is certainly applied with a known name. */
function isSureIn({ file, object }: ObjectInFile): boolean {
  const { name, forCluster, conditions } = object;
  return forCluster && typeof name?.value === 'string' && conditions === undefined && !file.manifest.unresolved;
}

/** Returns the selector at a site, if all its requirements are known. */
function knownSelector(site: SelectorSite): Selector | undefined {
  const selector = site.open ? undefined : effectiveSelector(site);
  if (selector?.kind === 'everything') return selector;
  if (selector?.kind !== 'all' || selector.open) return undefined;
  const isKnown = selector.requirements.every(({ values }) => values.every((value) => typeof value === 'string'));
  return isKnown ? selector : undefined;
}

/** Returns a selector that matches the objects that both selectors match; undefined if there are none. */
function both(one: Selector, other: Selector): Selector | undefined {
  if (!overlap(one, other).overlaps) return undefined;
  if (one.kind !== 'all') return other;
  if (other.kind !== 'all') return one;
  return { kind: 'all', requirements: [...one.requirements, ...other.requirements] };
}

/** Returns the first object in a namespace that certainly matches, among those of the members of a cluster. */
function firstMatch(
  workspace: Workspace,
  catalogue: Catalogue,
  members: readonly GitopsScope[],
  targets: readonly string[],
  selector: Selector,
  { namespace, omitted }: { readonly namespace: string; readonly omitted: Scope | undefined },
): LabeledObjectInFile | undefined {
  for (const scope of members) {
    if (scope === omitted) continue;
    for (const match of matchesIn(workspace, catalogue, scope, targets, selector, namespace)) return match;
  }
  return undefined;
}

/** Yields the objects of a GitOps object in a namespace that certainly match. */
function* matchesIn(
  workspace: Workspace,
  catalogue: Catalogue,
  scope: GitopsScope,
  targets: readonly string[],
  selector: Selector,
  namespace: string,
): Iterable<LabeledObjectInFile> {
  const terms = termsIn(workspace, catalogue, scope);
  if (!appliesTo(workspace, catalogue, scope, namespace)) return;
  if (selector.kind === 'all' && !mayHoldLabels(terms, selector)) return;
  const applied = appliedScope(workspace, catalogue, scope);
  for (const target of applied === undefined ? [] : targets)
    for (const { id, answer } of applied?.rendering.index().labeledObjects(target, selector) ?? []) {
      const isPlaced = answer === 'yes' && id.location.namespace?.value === namespace;
      const match = isPlaced && applied ? labeledObjectWith(applied.workspace, id) : undefined;
      if (match !== undefined && isSureIn(match)) yield match;
    }
}

type Holders = ReadonlyMap<string, readonly GitopsScope[]>;

/** For each cluster, the GitOps objects that apply objects with a label, by the term of the label. */
const knownHolders = new WeakMap<Workspace, Map<ClusterGroup, Holders>>();

/** Returns the GitOps objects of a cluster that may apply objects with all labels that a selector requires; of these labels, only the rarest is considered. */
function scopesHolding(
  workspace: Workspace,
  catalogue: Catalogue,
  cluster: ClusterGroup,
  selector: Selector,
): readonly GitopsScope[] {
  const known = getOrAdd(knownHolders, workspace, () => new Map<ClusterGroup, Holders>());
  const holders = getOrAdd(known, cluster, () => holdersIn(workspace, catalogue, cluster));
  const lists = requiredLabels(selector).map(({ key, values }) =>
    values.flatMap((value) => holders.get(labelTerm(key, value)) ?? []),
  );
  const [rarest] = lists.toSorted((a, b) => a.length - b.length);
  return (rarest ?? []).slice(0, mostHolding);
}

function holdersIn(workspace: Workspace, catalogue: Catalogue, cluster: ClusterGroup): Holders {
  const found = new Map<string, GitopsScope[]>();
  for (const scope of membersOf(cluster))
    for (const term of termsIn(workspace, catalogue, scope))
      if (term.startsWith(labelPrefix)) getOrAdd(found, term, () => []).push(scope);
  return found;
}

/** Returns the terms of what a GitOps object applies; none if this is unknown. */
function termsIn(workspace: Workspace, catalogue: Catalogue, { path }: GitopsScope): ReadonlySet<string> {
  return workspace.terms(path, catalogue)?.terms ?? noTerms;
}

const noTerms: ReadonlySet<string> = new Set();
