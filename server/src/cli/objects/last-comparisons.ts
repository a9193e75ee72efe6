/** Keeps the last comparisons of trees for a server that repeats them. After an edit, only the scopes of the edited files are compared again. */

import { getOrAdd } from '../../engine/memoize.ts';
import { filesToRecheck } from '../../workspace/dependencies/recheck.ts';
import { hasGitops } from '../../workspace/gitops/changed-builds.ts';
import { withTransformers } from '../../workspace/kustomize/named-files.ts';
import { buildsWithAny } from '../../workspace/kustomize/view.ts';
import { changesSince, type LiveState, stateOf } from '../../workspace/live/changes-since.ts';
import type { LiveWorkspace } from '../../workspace/live/live-workspace.ts';
import type { FileChange, Workspace, WorkspaceFile } from '../../workspace/model.ts';
import { isAlternative } from '../../workspace/reach/applied-clusters.ts';
import { producedBy } from '../../workspace/references/producers.ts';
import { changedScopes } from '../../workspace/scopes/changed-scopes.ts';
import { isRendered, type Scope, type Scopes } from '../../workspace/scopes/model.ts';
import { connectionChanges, connectionChangesAgain, type TreeConnections } from '../reach/connection-changes.ts';
import type { Tree } from '../trees/tree.ts';
import { aroundSelected } from './applied-objects.ts';
import { type Compared, compare, compareAgain, type Portion } from './compare.ts';
import { buildPart, filePart, isPart } from './compared-names.ts';

export interface TreeChanges {
  readonly compared: Compared;
  readonly connections: TreeConnections;
}

/** Changes, and the state of the new tree in which they were found. */
export interface ChangesAt extends TreeChanges, LiveState {}

interface Last extends ChangesAt {
  readonly old: WeakRef<Workspace>;
  readonly key: string;
}

/** The last comparisons of a workspace, the most recent one first. */
const lastComparisons = new WeakMap<LiveWorkspace, readonly Last[]>();
const mostComparisons = 2;

/** Compares two trees, of which `scopes` are selected; all scopes if it is empty. */
export function changesOfTrees(before: Tree, after: Tree, scopes: readonly string[]): TreeChanges {
  const { session } = after;
  const [old, fresh] = [before.session.snapshot(), session.snapshot()];
  const compared = [before, after].map(({ root, skipped, isPartial }) => ({ root, skipped, isPartial }));
  const key = JSON.stringify([scopes, compared]);
  const { rewritten } = session.workspace;
  const known = lastComparisons.get(session.workspace) ?? [];
  const last = known.find((each) => each.old.deref() === old && each.key === key);
  if (last?.snapshot === fresh && last.rewritten === rewritten.version) return last;
  const found = (last && changesAgain(last, before, after)) ?? {
    compared: compare(before, after),
    connections: connectionChanges(before, after),
  };
  const others = known.filter((each) => each !== last).slice(0, mostComparisons - 1);
  const made = { ...found, ...stateOf(session.workspace), old: new WeakRef(old), key };
  lastComparisons.set(session.workspace, [made, ...others]);
  return found;
}

/** Compares the objects that may be concerned by the files that changed since a comparison. Returns undefined if the changes may concern others. */
export function changesAgain(last: ChangesAt, before: Tree, after: Tree): TreeChanges | undefined {
  const { session } = after;
  const [earlier, fresh] = [last.snapshot, session.snapshot()];
  if (!before.selection.isWhole || !after.selection.isWhole) return undefined;
  const changes = changesSince(last, session.workspace);
  if (changes === undefined || changes.some((change) => concernsOthers(change, session.workspace))) return undefined;
  const { asked } = last.compared;
  const isRestructured = earlier.scopes() !== fresh.scopes();
  if (asked === undefined || (isRestructured && [earlier, fresh].some(hasGitops))) return undefined;
  const catalogueOf = (uri: string) => session.workspace.catalogueOf(uri);
  const concerned = filesToRecheck(fresh, changes, asked, catalogueOf, earlier);
  const moved = changedScopes(earlier.scopes(), fresh.scopes());
  if (concerned === 'all' || moved === undefined) return undefined;
  const scopes = [...moved.before, ...moved.after];
  const uris = new Set([
    ...changes.map(({ after: { uri } }) => uri),
    ...moved.files,
    ...scopes.flatMap(({ files }) => [...files]),
  ]);
  const builds = [earlier, fresh].flatMap((each) => buildsWithAny(each, new Set([...uris, ...withTransformers(each)])));
  const parts = new Set([
    ...[...builds, ...scopes].map(({ path }) => buildPart(path)),
    // Questions are recorded for parts, and not for files.
    ...[...uris, ...concerned].map((each) => (isPart(each) ? each : filePart(each))),
  ]);
  const compared = compareAgain(last.compared, [before, after], portionOf(after, parts), (wanted) =>
    portionOf(before, wanted),
  );
  if (compared === undefined) return undefined;
  const clusters = clustersWith([earlier, fresh], uris, [...builds, ...scopes]);
  const connections = clusters && connectionChangesAgain(last.connections, before, after, clusters);
  return { compared, connections: connections ?? connectionChanges(before, after) };
}

/** Returns the paths of the scopes whose clusters may contain objects of some files; undefined if these may be all scopes. */
function clustersWith(
  snapshots: readonly Workspace[],
  uris: ReadonlySet<string>,
  scopes: readonly Scope[],
): ReadonlySet<string> | undefined {
  const paths = new Set(scopes.map(({ path }) => path));
  for (const { files, scopes: scopesOf } of snapshots) {
    for (const uri of uris) {
      const around = scopesOf().ofFile(uri).filter(isAlternative);
      // An object that belongs to no alternative is in the clusters of all of them.
      if ((files.get(uri)?.objects ?? 0) > 0 && !scopesOf().isPatch(uri) && around.length === 0) return undefined;
      for (const { path } of around) paths.add(path);
    }
  }
  return paths;
}

/** Whether a change may concern selectors and references in other scopes. */
function concernsOthers({ before, after }: FileChange, workspace: LiveWorkspace): boolean {
  if ([before, after].some((file) => file.data !== undefined || hasNamespaces(file))) return true;
  const catalogue = workspace.catalogueOf(after.uri);
  const created = ({ manifest, kustomization }: WorkspaceFile) =>
    JSON.stringify([
      manifest.objects.flatMap((object) => producedBy(object, catalogue).map(({ at: _, ...made }) => made)),
      kustomization?.generators.map(({ kind, name }) => [kind, name?.text]),
    ]);
  return created(before) !== created(after);
}

function hasNamespaces({ manifest }: WorkspaceFile): boolean {
  return manifest.objects.some(({ group, kind }) => group === '' && kind === 'Namespace');
}

/** Returns some parts of a tree, with the objects of all scopes to which their files belong as context. */
function portionOf(tree: Tree, parts: ReadonlySet<string>): Portion {
  const scopes = tree.session.snapshot().scopes();
  const byPart = getOrAdd(rendered, scopes, renderedIn);
  const builds = new Set([...parts].flatMap((part) => byPart.get(part) ?? []));
  const context = new Set<string>();
  for (const part of parts) {
    if (!part.startsWith(filePart(''))) continue;
    const uri = part.slice(filePart('').length);
    context.add(uri);
    for (const each of scopes.filesAround(uri)) context.add(each);
    for (const { files } of scopes.ofFile(uri)) for (const each of files) context.add(each);
  }
  const narrowing = { mayApply: (scope: Scope) => builds.has(scope), mayHold: () => true, files: context };
  return { parts, around: aroundSelected(tree, narrowing) };
}

const rendered = new WeakMap<Scopes, ReadonlyMap<string, Scope>>();

function renderedIn(scopes: Scopes): ReadonlyMap<string, Scope> {
  return new Map(scopes.all().flatMap((scope) => (isRendered(scope) ? [[buildPart(scope.path), scope] as const] : [])));
}
