/** Finds the parts of two trees that are not evaluated, and that a change certainly does not change, such as charts of a registry. */

import { isSameToOthers } from '../../compare/match-changes.ts';
import { isBuilt, scopeKey, scopesAffected } from '../../compare/paired-objects.ts';
import { compareText } from '../../text/order.ts';
import { hasSameText } from '../../workspace/base.ts';
import { kindNames } from '../../workspace/gitops/model.ts';
import type { Workspace, WorkspaceFile } from '../../workspace/model.ts';
import { isOtherPolicy } from '../../workspace/reach/other-policies.ts';
import { everyCluster, isRendered, type Scope } from '../../workspace/scopes/model.ts';
import { installsPods } from '../../workspace/scopes/scope-facts.ts';
import { folderOf, isWithin, relativePath, resolveUri } from '../../workspace/uri.ts';
import { sideNow } from '../objects/compare.ts';
import { listedNames } from '../output/names.ts';
import type { ComparedTrees } from '../trees/compared-trees.ts';
import type { Tree } from '../trees/tree.ts';
import { nounOf } from './completeness.ts';
import { hasSameData } from './equal-files.ts';
import { remoteParts } from './fixed-versions.ts';
import type { Pair } from './pairs-of-trees.ts';

/** The parts of two trees that are not evaluated. */
export interface LeftOut {
  /** The names of the parts that the change certainly does not change, with their numbers: `chart redis (2)`. */
  readonly unchanged: readonly string[];
  /** Sentences about the other parts. */
  readonly others: readonly string[];
}

/**
 * Returns the parts that are not evaluated; undefined if it is unknown which of them a change concerns, or if an object changed
 * so that it may gain or lose a relation to an object of any part. `changed` are the objects that both trees contain and that
 * differ.
 */
export function leftOutParts(compared: ComparedTrees, changed: readonly Pair[]): LeftOut | undefined {
  const { trees, isComparable } = compared;
  const [before, after] = trees;
  if (!isComparable || before.root !== after.root || changed.some(concernsOthers)) return undefined;
  const open = openScopes(after);
  const files = changedFiles(before, after);
  if (files === undefined || describe(after, open) !== describe(before, openScopes(before))) return undefined;
  if (files.some((uri) => isReadByUnknown(trees, uri, open))) return undefined;
  // The values of a release, and the variables of a Flux Kustomization, may be in any ConfigMap.
  const isGitops = open.some(({ gitops }) => gitops !== undefined);
  if (isGitops && (changed.some(isConfiguration) || files.some((uri) => isSource(trees, uri)))) return undefined;
  const affected = scopesAffected(sideNow(before), sideNow(after), files);
  const paths = new Set(affected.flatMap((scopes) => [...scopes].map(scopeKey)));
  const charts = new Set(files.flatMap((uri) => chartsAround(trees, uri)));
  const isAffected = (scope: Scope) =>
    paths.has(scopeKey(scope)) || isInAny(scope, charts) || hasOtherLock(before, after, scope);
  return named(
    after,
    open.filter((scope) => !isAffected(scope)),
    open.filter(isAffected),
  );
}

/** Whether the labels, the selectors, or anything else on which other objects depend, changed in an object. */
function concernsOthers({ before, after }: Pair): boolean {
  if (before === undefined || after === undefined) return true;
  return !isSameToOthers({ before, now: after }) || isOtherPolicy(after.object);
}

function isConfiguration({ named: { kind } }: Pair): boolean {
  return kind === 'ConfigMap' || kind === 'Secret';
}

/** Returns the scopes that are not evaluated completely. */
function openScopes(tree: Tree): readonly Scope[] {
  const { session, selection } = tree;
  const side = sideNow(tree);
  return session
    .snapshot()
    .scopes()
    .all()
    .filter((scope) => {
      return isRendered(scope) && selection.concerns(scope) && (scope.closed !== true || !isBuilt(side, scope));
    });
}

function describe({ skipped }: Tree, scopes: readonly Scope[]): string {
  const reasons = scopes.map((scope) =>
    JSON.stringify([scopeKey(scope), scope.closed === true ? [] : scope.closed.openBecause]),
  );
  return JSON.stringify([skipped.toSorted(compareText), reasons.toSorted(compareText)]);
}

/** Returns the files that differ, except those that are only resources, and whose scopes are the same; undefined if a file cannot be compared. */
function changedFiles(before: Tree, after: Tree): readonly string[] | undefined {
  const [old, fresh] = [before.session.snapshot(), after.session.snapshot()];
  const found: string[] = [];
  for (const uri of new Set([...old.files.keys(), ...fresh.files.keys()])) {
    if (uri === everyCluster) continue;
    const [was, is] = [old.files.get(uri), fresh.files.get(uri)];
    if (hasSameText(before.side, after.side, uri)) continue;
    if (before.side.textOf(uri) === undefined && after.side.textOf(uri) === undefined) return undefined;
    if (hasSameData([before, after], uri)) continue;
    const isReplacing = [before, after].some((tree) => isReadByReplacement(tree, uri));
    const isPatch = [old, fresh].some((each) => each.scopes().isPatch(uri) || each.scopes().dataFiles().has(uri));
    if (isReplacing || isPatch || was === undefined || is === undefined || !isOnlyResource(was, is)) found.push(uri);
  }
  return found;
}

/** Whether a kustomization may copy values of an object in a file to other objects. */
function isReadByReplacement({ session, side }: Tree, uri: string): boolean {
  const scopes = session.snapshot().scopes();
  const parts = new Set(scopes.ofFile(uri).flatMap((scope) => scopes.partsOf(scope)));
  return [...parts].some((part) => /\b(?:replacements|vars)\b/.test(side.textOf(part) ?? ''));
}

/** Whether both versions of a file contain only complete objects, from which nothing else is built. */
function isOnlyResource(was: WorkspaceFile, is: WorkspaceFile): boolean {
  const { kustomization, chart, helm, data, template, config, chartKey, scope, objects, manifest } = is;
  const others = [kustomization, chart, helm, data, template, config, chartKey];
  return (
    objects > 0 &&
    others.every((each) => each === undefined) &&
    scope.openBecause.length === 0 &&
    JSON.stringify(was.scope) === JSON.stringify(scope) &&
    !manifest.objects.some(({ group }) => group === 'apiextensions.k8s.io' || isOfGitops(group))
  );
}

function isOfGitops(group: string): boolean {
  return /(?:^|\.)(?:fluxcd\.io|fluxcd\.controlplane\.io|argoproj\.io)$/.test(group);
}

/** Whether a file contains a source from which GitOps objects get charts or files. */
function isSource(trees: readonly Tree[], uri: string): boolean {
  return trees.some(({ session }) =>
    session
      .snapshot()
      .files.get(uri)
      ?.manifest.objects.some(({ group }) => group === 'source.toolkit.fluxcd.io'),
  );
}

/** Whether the versions of the dependencies of a chart of a scope are locked differently. Files with locks are not indexed. */
function hasOtherLock(before: Tree, after: Tree, { path, files }: Scope): boolean {
  const folders = new Set([path, ...[...files].flatMap((uri) => chartsAround([before, after], uri))]);
  const locks = [...folders].flatMap((folder) =>
    ['Chart.lock', 'requirements.lock'].map((name) => resolveUri(folder, name)),
  );
  return locks.some((uri) => before.side.textOf(uri) !== after.side.textOf(uri));
}

/** Returns the folders of the charts that contain a file. */
function chartsAround(trees: readonly Tree[], uri: string): readonly string[] {
  const found: string[] = [];
  for (let folder = folderOf(uri); folder !== ''; folder = folderOf(folder))
    if (trees.some(({ session }) => session.snapshot().files.has(resolveUri(folder, 'Chart.yaml')))) found.push(folder);
  return found;
}

/** Whether files of a scope are in one of some folders. */
function isInAny({ path, files }: Scope, folders: ReadonlySet<string>): boolean {
  return [...folders].some((folder) => isWithin(path, folder) || [...files].some((uri) => isWithin(uri, folder)));
}

/** Whether a scope that is not evaluated may read a file as the values of a chart. */
function isReadByUnknown(trees: readonly Tree[], uri: string, open: readonly Scope[]): boolean {
  const isRead = trees.some(({ session, side, root }) => {
    const workspace = session.snapshot();
    const file = workspace.files.get(uri);
    if (file === undefined || ofOtherTools.test(relativePath(root, uri))) return false;
    if (file.objects > 0 || file.kustomization !== undefined || file.chart !== undefined) return false;
    // An Application may read values from any folder, and so may a kustomization that renders a chart.
    return open.some((scope) => readsValues(workspace, side, scope));
  });
  return isRead;
}

/** The files that configure tools which apply no manifests. */
const ofOtherTools =
  /^\.(?:github|gitlab|circleci|vscode|devcontainer)\/|(?:^|\/)(?:\.(?:gitlab-ci|pre-commit-config|yamllint|golangci|goreleaser|travis|drone|sops|markdownlint)|(?:docker-)?compose[\w.-]*|Taskfile|mkdocs|skaffold|codecov|cloudbuild|azure-pipelines|bitbucket-pipelines)\.ya?ml$|(?:^|\/)(?:package(?:-lock)?|tsconfig[\w.-]*|renovate|biome|lerna|\.renovaterc|\.eslintrc|\.releaserc)\.json$/;

/** The fields with which an Application reads files of values or of parameters. */
const readingFields = /\b(?:valueFiles|fileParameters|generators|plugin|ref)\b/;

/** Whether a scope that is not evaluated may read files of values from any folder. */
function readsValues({ scopes }: Workspace, { textOf }: Tree['side'], scope: Scope): boolean {
  const hasCharts = (uri: string) => (scopes().factsOf(uri)?.kustomization?.charts.length ?? 0) > 0;
  const { gitops } = scope;
  const isReading = gitops?.kind === 'argo-application' && readingFields.test(textOf(gitops.uri) ?? 'ref');
  return isReading || scopes().partsOf(scope).some(hasCharts);
}

function named(tree: Tree, unaffected: readonly Scope[], affected: readonly Scope[]): LeftOut {
  const parts = new Map<string, number>();
  const floating = new Set<string>();
  const places = tree.skipped.map((path) => `'${path}'`);
  for (const scope of unaffected) {
    const remote = remoteParts(sideNow(tree), scope);
    for (const { name, isFixed } of remote) if (!isFixed) floating.add(name);
    const fixed = new Set(remote.filter(({ isFixed }) => isFixed).map(({ name }) => name));
    for (const name of fixed) parts.set(name, (parts.get(name) ?? 0) + 1);
    if (remote.length === 0) places.push(`'${relativePath(tree.root, scope.path)}'`);
  }
  const names = [...parts]
    .toSorted(([a, one], [b, other]) => other - one || compareText(a, b))
    .map(([name, count]) => (count === 1 ? name : `${name} (${count})`));
  return {
    unchanged: [...names, ...(places.length > mostPlaces ? [`${places.length} ${nounOf(unaffected)}`] : places)],
    others: [
      ...reasonsIn(tree, affected),
      ...(floating.size === 0
        ? []
        : [
            `The ${floating.size === 1 ? 'version' : 'versions'} of ${listedNames([...floating].toSorted(compareText))} ${floating.size === 1 ? 'is' : 'are'} not fixed.`,
          ]),
    ],
  };
}

const mostPlaces = 3;

/** Returns the reasons why some scopes are not evaluated, with paths relative to the tree. The definition of a GitOps object is known. */
function reasonsIn({ root }: Tree, scopes: readonly Scope[]): readonly string[] {
  const reasons = scopes.flatMap(({ path, gitops, kind, closed }) => {
    const folder = gitops !== undefined || kind === 'file' ? folderOf(path) : path;
    const start = folder === root ? '' : `${relativePath(root, folder)}/`;
    return closed === true
      ? [`'${relativePath(root, path)}' is not built.`]
      : closed.openBecause.map((each) => normalized(`${start}${each}`));
  });
  const ofDefinitions = Object.values(kindNames).map((kind) => `${installsPods(kind)}.`);
  const own = reasons.filter((each) => !ofDefinitions.some((end) => each.endsWith(end)));
  return [...new Set(own.length > 0 ? own : reasons)];
}

/** Returns a sentence that begins with a path, without `folder/..` in the path. */
function normalized(sentence: string): string {
  const shorter = sentence.replace(/(^|\/)(?!\.\.\/)[^/ ]+\/\.\.\//, '$1');
  return shorter === sentence ? sentence : normalized(shorter);
}
