/** Finds GitOps objects that follow other sources than before: the files of another repository or revision are not read. */

import { policyKindOf } from '../../manifests/kinds/network-policy.ts';
import { isOtherPolicy } from '../../workspace/reach/other-policies.ts';
import type { AppliedObject } from '../objects/applied-objects.ts';
import { shownName } from '../objects/compared-names.ts';
import { listedNames } from '../output/names.ts';
import type { Tree } from '../trees/tree.ts';
import { changedPaths } from './changed-fields.ts';
import type { Pair } from './pairs-of-trees.ts';
import { replacedValues } from './replaced-values.ts';
import type { ChangedPair } from './verdict.ts';

/** Which fields of a GitOps object decide what it applies, and where, without being evaluated. */
interface SourceFields {
  readonly group: RegExp;
  readonly kind: RegExp;
  /** Whether the field at a path names a repository, a revision or a chart. */
  isSource(path: readonly string[]): boolean;
  /** Whether the field at a path names a cluster. */
  isCluster(path: readonly string[]): boolean;
}

const ofRevisions = wordsOf('branch chart commit ref repo repoURL revision semver tag targetRevision url version');
/** The fields of a source of Flux that do not decide about its content. */
const withoutContent = wordsOf(
  'accessFrom certSecretRef gitImplementation insecure interval passCredentials provider proxySecretRef secretRef serviceAccountName suspend timeout verify',
);
const ofClusters = wordsOf('destination kubeConfig');

const hasOne = (path: readonly string[], words: ReadonlySet<string>) => path.some((step) => words.has(step));

const kinds: readonly SourceFields[] = [
  {
    group: /^source\.toolkit\.fluxcd\.io$/,
    kind: /./,
    isSource: ([field, inside = '']) => field === 'spec' && !withoutContent.has(inside),
    isCluster: () => false,
  },
  {
    group: /^argoproj\.io$/,
    kind: /^Application(?:Set)?$/,
    isSource: (path) => hasOne(path, ofRevisions) || hasOne(path, wordsOf('plugin sourceHydrator')),
    isCluster: (path) => hasOne(path, ofClusters) && hasOne(path, wordsOf('name server')),
  },
  {
    group: /^kustomize\.toolkit\.fluxcd\.io$/,
    kind: /^Kustomization$/,
    isSource: (path) => hasOne(path, wordsOf('sourceRef')),
    isCluster: (path) => hasOne(path, ofClusters),
  },
  {
    group: /^helm\.toolkit\.fluxcd\.io$/,
    kind: /^HelmRelease$/,
    isSource: (path) => hasOne(path, wordsOf('chart chartRef')) && !hasOne(path, wordsOf('interval verify')),
    isCluster: (path) => hasOne(path, ofClusters),
  },
  {
    group: /^(?:helm\.cattle\.io|fleet\.cattle\.io|fluxcd\.controlplane\.io|kappctrl\.k14s\.io)$/,
    kind: /./,
    isSource: ([field]) => field === 'spec',
    isCluster: () => false,
  },
];

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

/** Returns sentences about GitOps objects that follow another source, or apply to another cluster. */
export function followedSources(trees: readonly [Tree, Tree], changed: readonly Pair[]): readonly string[] {
  const [sources, clusters]: [Pair[], Pair[]] = [[], []];
  for (const pair of changed) {
    const { before, after } = pair;
    const fields = kinds.find(({ group, kind }) => group.test(pair.named.group) && kind.test(pair.named.kind));
    if (fields === undefined || before === undefined || after === undefined) continue;
    const { removed, added } = changedPaths(trees, pair);
    const paths = [...removed, ...added];
    const isReplaced = replacedValues(trees[0], before) !== replacedValues(trees[1], after);
    if (isReplaced || paths.some((path) => fields.isSource(path))) sources.push(pair);
    if (paths.some((path) => fields.isCluster(path))) clusters.push(pair);
  }
  return [
    ...(sources.length === 0
      ? []
      : [
          `${namesOf(sources)} ${sources.length === 1 ? 'follows' : 'follow'} another repository, revision or chart, whose files are not read.`,
        ]),
    ...(clusters.length === 0
      ? []
      : [`${namesOf(clusters)} ${clusters.length === 1 ? 'applies' : 'apply'} to another cluster.`]),
  ];
}

function namesOf(pairs: readonly Pair[]): string {
  return listedNames(pairs.map(({ named }) => shownName(named, false)));
}

/** Kinds of policies of service meshes whose rules decide about connections. */
const ofMeshes = /^(?:AuthorizationPolicy|PeerAuthentication|RequestAuthentication|ServerAuthorization|TLSRoute)$/;

/** Returns a sentence about changed policies whose rules are not evaluated, if there are any. */
export function changedPolicies(changed: readonly ChangedPair[], others: readonly Pair[]): readonly string[] {
  const isOfMesh = (object: AppliedObject['object']) =>
    ofMeshes.test(object.kind) && policyKindOf(object) === undefined;
  const isUnevaluated = ({ before, after }: Pair) =>
    [before, after].some((each) => each !== undefined && (isOtherPolicy(each.object) || isOfMesh(each.object)));
  const isOther = ({ fields }: ChangedPair) => fields.some((field) => field !== 'labels');
  const found = [...changed.filter(isOther).map(({ pair }) => pair), ...others].filter(isUnevaluated);
  return found.length === 0
    ? []
    : [`${namesOf(found)} ${found.length === 1 ? 'changes' : 'change'}: rules of this kind are not evaluated.`];
}
