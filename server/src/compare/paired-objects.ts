/** Pairs the objects of two states of a workspace as each scope applies them. */

import { storedGroup } from '../engine/catalogue/stored-group.ts';
import type { Catalogue } from '../engine/catalogue/types.ts';
import { isUnknown, type Value } from '../engine/index.ts';
import { getOrAdd } from '../engine/memoize.ts';
import { absentFile } from '../workspace/absent-file.ts';
import type { Base, Side, State } from '../workspace/base.ts';
import { AskedQuestions } from '../workspace/dependencies/asked-questions.ts';
import { affectedFiles } from '../workspace/dependencies/dependencies.ts';
import { type ChangedBuilds, changedBuilds } from '../workspace/gitops/changed-builds.ts';
import { gitopsScopesOf } from '../workspace/gitops/defined-scopes.ts';
import { isSameOutline, outlineOf } from '../workspace/index/file-outline.ts';
import { withTransformers } from '../workspace/kustomize/named-files.ts';
import { effectiveObjectsOf, rootsWithAny } from '../workspace/kustomize/view.ts';
import type { FileChange, ObjectInFile, Workspace, WorkspaceFile } from '../workspace/model.ts';
import { changedScopes } from '../workspace/scopes/changed-scopes.ts';
import { isRendered, type Scope } from '../workspace/scopes/model.ts';
import { effectiveNamespace } from '../workspace/selection/namespaces.ts';
import { hasErrors } from '../workspace/snapshot.ts';
import { areBuiltNamesEqual } from './built-names.ts';
import { type AppliedObject, patchFiles, type Sided, sourceOf } from './update-data.ts';

/** The versions of a scope in both states. */
export interface ScopePair {
  readonly before: Scope;
  readonly now: Scope;
}

/** An object in a scope that may differ between the two states. A version is absent if the object does not exist in that state. */
export interface ObjectDifference {
  /** The stored group, the kind, the namespace and the name of the object. */
  readonly key: string;
  readonly before?: AppliedObject;
  readonly now?: AppliedObject;
}

/** The differences between the two states of a scope. The same instance is reused for later snapshots until something in the scope changes. */
export interface ScopeDifferences {
  readonly scope: ScopePair;
  readonly objects: readonly ObjectDifference[];
  readonly catalogue: Catalogue;
  /** Computes a result of the scope, and records what is read for it: the differences are found again after it changes. */
  recorded<T>(states: Pair<State>, compute: () => T): T;
}

type Pair<T> = readonly [before: T, now: T];

interface Comparison {
  readonly base: Base;
  readonly now: Workspace;
  readonly byScope: ReadonlyMap<Scope, ScopeDifferences>;
  readonly found: readonly ScopeDifferences[];
  /** What was read for the results of each scope, by its `scopeKey`; absent if the results are not reused. */
  readonly reads?: Pair<AskedQuestions> | undefined;
}

const known = new WeakMap<Workspace, Comparison>();
/** The most recent comparison for each client, by `Base.client`. */
const latest = new WeakMap<object, Comparison>();

/** Returns the objects that may differ from the base, for every scope that exists in both states. The result is cached for each snapshot; for scopes of which nothing that was read has changed, the differences from the previous snapshot are reused. */
export function differencesSince(base: Base, now: Side): readonly ScopeDifferences[] {
  return comparisonOf(base, now).found;
}

function comparisonOf(base: Base, now: Side): Comparison {
  const last = known.get(now.workspace);
  if (last?.base === base) return last;
  const { reusable, reads } = reusableFrom(base, now);
  const byScope = new Map<Scope, ScopeDifferences>();
  for (const scope of affectedPairs(base.side, now, changedSince(base, now)))
    byScope.set(scope.now, reusable(scope) ?? differencesOf(scope, base, now, reads));
  const found = [...byScope.values()].filter(({ objects }) => objects.length > 0);
  const comparison = { base, now: now.workspace, byScope, found, reads };
  known.set(now.workspace, comparison);
  if (base.client !== undefined) latest.set(base.client, comparison);
  return comparison;
}

function differencesOf(
  scope: ScopePair,
  base: Base,
  now: Side,
  reads: Pair<AskedQuestions> | undefined,
): ScopeDifferences {
  const key = scopeKey(scope.now);
  for (const each of reads ?? []) each.delete(key);
  const recorded = <T>([before, after]: Pair<State>, compute: () => T): T => {
    const [old, fresh] = [before.workspace.questions, after.workspace.questions];
    if (reads === undefined || old === undefined || fresh === undefined) return compute();
    const { result: inner, questions: ofBefore } = old.shared(() => fresh.shared(compute));
    reads[0].add(key, ofBefore);
    reads[1].add(key, inner.questions);
    return inner.result;
  };
  const objects = recorded([base.side, now], () => [...differencesIn(scope, base, now)]);
  return { scope, catalogue: now.catalogueOf(scope.now.path), objects, recorded };
}

export function scopeKey({ kind, path, name }: Scope): string {
  return JSON.stringify([kind, path, name]);
}

/** Records for the current check what was read for the results of the scopes of a file. */
export function noteReads(base: Base, now: Side, uri: string): void {
  const { questions } = now.workspace;
  const { reads } = comparisonOf(base, now);
  if (questions === undefined || reads === undefined) return;
  const scopes = now.workspace.scopes();
  for (const scope of new Set([...scopes.ofFile(uri), ...scopes.building(uri)]))
    for (const each of reads[1].of(scopeKey(scope))) questions.note(each);
}

interface Reusable {
  /** Returns the differences of a scope in the most recent comparison, if nothing that was read for them has changed since then. */
  reusable(scope: ScopePair): ScopeDifferences | undefined;
  /** What was read for the reusable results; empty if there are none, absent if reads are not recorded. */
  readonly reads: Comparison['reads'];
}

function reusableFrom(base: Base, now: Side): Reusable {
  const none = { reusable: () => undefined };
  const areRecorded = [base.side, now].every(({ workspace }) => workspace.questions !== undefined);
  if (base.client === undefined || !areRecorded) return { ...none, reads: undefined };
  const last = latest.get(base.client);
  const nothingRead = { ...none, reads: [new AskedQuestions(), new AskedQuestions()] } as const;
  if (last?.reads === undefined) return nothingRead;
  const { reads } = last;
  const was = staleIn(last.base.side.workspace, base.side, reads[0]);
  const is = staleIn(last.now, now, reads[1]);
  if (was === undefined || is === undefined) return nothingRead;
  return {
    reusable: (scope) => {
      const found = last.byScope.get(scope.now);
      const isSame = found?.scope.before === scope.before && found.catalogue === now.catalogueOf(scope.now.path);
      return isSame && !was.has(scopeKey(scope.before)) && !was.has(scopeKey(scope.now)) && !is.has(scopeKey(scope.now))
        ? found
        : undefined;
    },
    reads,
  };
}

/** Returns the keys of the scopes for which something was read that differs between two snapshots; undefined if these may be all. */
function staleIn(earlier: Workspace, state: State, reads: AskedQuestions): ReadonlySet<string> | undefined {
  const { workspace, catalogueOf } = state;
  if (earlier === workspace) return new Set();
  if (earlier.scopes() !== workspace.scopes() || earlier.configs() !== workspace.configs()) return undefined;
  const uris = changedFiles(earlier, workspace);
  const changes = changesOf(earlier, workspace, uris);
  const concerned = affectedFiles(reads, { catalogueOf, snapshot: () => workspace }, earlier, changes, []);
  if (concerned === undefined) return undefined;
  const [, own] = scopesAffected({ ...state, workspace: earlier }, state, uris);
  return new Set([...concerned, ...[...own].map(scopeKey)]);
}

function* differencesIn(scope: ScopePair, base: Base, now: Side): Iterable<ObjectDifference> {
  const before = base.side;
  if (!isBuilt(before, scope.before) || !isBuilt(now, scope.now)) return;
  const differs = (uri: string) =>
    mayDiffer(before.workspace.files.get(uri), now.workspace.files.get(uri), base.changed?.has(uri));
  const old = objectsIn(before, scope.before, differs);
  const fresh = objectsIn(now, scope.now, differs);
  for (const [key, [applied, ...others]] of fresh) {
    const [was, ...oldOthers] = old.get(key) ?? [];
    // If several objects have the same identity, it is unknown which of them correspond to each other.
    if (applied === undefined || others.length + oldOthers.length > 0) continue;
    if (was === undefined) yield { key, now: applied };
    else if (!isUnchanged({ side: before, applied: was }, { side: now, applied }))
      yield { key, before: was, now: applied };
  }
  for (const [key, [was, ...others]] of old)
    if (was !== undefined && others.length === 0 && !fresh.has(key) && !isUnreadable(now.workspace, was))
      yield { key, before: was };
}

/** Whether an object is in the same file in both states, with the same patches, and with the same labels and selectors after kustomizations are applied. */
function isUnchanged(before: Sided, now: Sided): boolean {
  const [old, fresh] = [patchFiles(before), patchFiles(now)];
  const isPatchedAsBefore =
    old.length === fresh.length &&
    old.every(
      (uri, index) =>
        uri === fresh[index] && before.side.workspace.files.get(uri) === now.side.workspace.files.get(uri),
    );
  if (!isPatchedAsBefore || !areBuiltNamesEqual(before, now)) return false;
  if (before.applied.object === now.applied.object) return true;
  const [was, is] = [sourceOf(before.side, before.applied), sourceOf(now.side, now.applied)];
  return (
    was?.file === is?.file && is !== undefined && outlineOf(before.applied.object) === outlineOf(now.applied.object)
  );
}

/** Whether the objects in two versions of a file may differ. If it is known whether its text changed, a version of an equal text that was only parsed again is recognized. */
function mayDiffer(
  a: WorkspaceFile | undefined,
  b: WorkspaceFile | undefined,
  isTextChanged: boolean | undefined,
): boolean {
  if (a === b) return false;
  return isTextChanged !== false || a === undefined || b === undefined || !isSameOutline(a.manifest, b.manifest);
}

/** Returns the files that may differ from the base. */
export function changedSince({ side, changed }: Base, now: Side): readonly string[] {
  return changed === undefined ? changedFiles(side.workspace, now.workspace) : [...changed];
}

/** Returns the files that differ between two snapshots. */
function changedFiles(before: Workspace, now: Workspace): readonly string[] {
  if (before === now) return [];
  const changed = new Set<string>();
  for (const [uri, file] of now.files) if (before.files.get(uri) !== file) changed.add(uri);
  for (const [uri] of before.files) if (now.files.get(uri) === undefined) changed.add(uri);
  return [...changed];
}

function changesOf(before: Workspace, now: Workspace, uris: readonly string[]): readonly FileChange[] {
  return uris.map((uri) => ({
    before: before.files.get(uri) ?? absentFile(uri),
    after: now.files.get(uri) ?? absentFile(uri),
  }));
}

function affectedPairs(before: Side, now: Side, changed: readonly string[]): readonly ScopePair[] {
  const [were, are] = scopesAffected(before, now, changed);
  const pairs = new Map<Scope, Scope>();
  for (const scope of are) {
    const other = counterpartOf(scope, before.workspace);
    if (other !== undefined) pairs.set(scope, other);
  }
  for (const scope of were) {
    const other = counterpartOf(scope, now.workspace);
    if (other !== undefined && !pairs.has(other)) pairs.set(other, scope);
  }
  return [...pairs].map(([scope, other]) => ({ before: other, now: scope }));
}

/** Returns the scopes whose objects some changed files may change, in both states; all GitOps objects if this may concern any of them. */
export function scopesAffected(
  before: State,
  now: State,
  changed: readonly string[],
): readonly [before: ReadonlySet<Scope>, now: ReadonlySet<Scope>] {
  const moved = changedScopes(before.workspace.scopes(), now.workspace.scopes());
  const builds = moved && buildsAffected(before, now, changed);
  const affected = ({ workspace }: State, own: readonly Scope[] = [], built = gitopsScopesOf(workspace.scopes())) =>
    new Set([...scopesWith(workspace, changed), ...own, ...built]);
  return [affected(before, moved?.before, builds?.[0]), affected(now, moved?.after, builds?.[1])];
}

/** Returns the GitOps objects that may build other objects after changes of files; undefined if these may be all, because they may read the files as data. */
function buildsAffected(before: State, now: State, changed: readonly string[]): ChangedBuilds | undefined {
  const changes = changesOf(before.workspace, now.workspace, changed);
  if (changes.some((each) => (each.before.data ?? each.after.data) !== undefined)) return undefined;
  return changedBuilds(before, now, changes);
}

/** Returns the scopes whose objects may depend on some files. */
export function scopesWith(workspace: Workspace, changed: readonly string[]): Iterable<Scope> {
  const scopes = workspace.scopes();
  const roots = rootsWithAny(workspace, new Set([...changed, ...withTransformers(workspace)]));
  return new Set([...changed.flatMap((uri) => scopes.ofFile(uri)), ...roots]);
}

/** Returns the scope in a different state that corresponds to a scope: it has the same path. The path of a folder of plain files depends on all of its files, so the corresponding folder scope is one that shares a file. */
export function counterpartOf(scope: Scope, other: Workspace): Scope | undefined {
  const scopes = other.scopes();
  const { path, kind, name, files } = scope;
  const [first] = files;
  const near = first === undefined ? [] : scopes.ofFile(first);
  const isSame = (each: Scope) => each.path === path && each.kind === kind && each.name === name;
  return (
    near.find(isSame) ??
    scopes.all().find(isSame) ??
    scopes.all().find((each) => each.path === path && each.kind === kind) ??
    (kind === 'folder' ? sharingFile(scope, other) : undefined)
  );
}

function sharingFile({ files, kind }: Scope, other: Workspace): Scope | undefined {
  for (const uri of files) {
    const found = other
      .scopes()
      .ofFile(uri)
      .find((each) => each.kind === kind);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether the objects of a scope are known. They are unknown, for example, if a kustomization has a syntax error. */
export function isBuilt({ workspace, catalogueOf }: Side, scope: Scope): boolean {
  if (!isRendered(scope)) return true;
  const isBroken = (uri: string) => {
    const file = workspace.files.get(uri);
    return file !== undefined && hasErrors(file);
  };
  if (workspace.scopes().partsOf(scope).some(isBroken)) return false;
  return workspace.rendering(scope.path, catalogueOf(scope.path)) !== undefined;
}

/** Whether an object may be absent only because its file currently has a syntax error. */
function isUnreadable(now: Workspace, { file }: AppliedObject): boolean {
  const current = now.files.get(file.uri);
  return current !== undefined && hasErrors(current);
}

/** Returns the objects of a scope by their identity. For a scope without a kustomization, only objects in files that differ from the other state are included. */
export function objectsIn(
  side: Side,
  scope: Scope,
  differs: (uri: string) => boolean,
): ReadonlyMap<string, readonly AppliedObject[]> {
  const { workspace } = side;
  const objects = new Map<string, AppliedObject[]>();
  const isWritten = !isRendered(scope);
  const seen = isWritten ? { ...scope, files: new Set([...scope.files].filter(differs)) } : scope;
  for (const where of effectiveObjectsOf(workspace, side.catalogueOf(scope.path), seen)) {
    if (!where.object.forCluster) continue;
    const key = identityOf(side, where);
    if (key !== undefined) getOrAdd(objects, key, () => []).push(isWritten ? where : { ...where, builtBy: scope });
  }
  return objects;
}

/** Returns the stored group, the kind, the namespace and the name of an object. Placeholders with the same text are considered equal. Undefined if the object has no name. */
export function identityOf({ workspace, catalogueOf }: Side, where: ObjectInFile): string | undefined {
  const { kind, name } = where.object;
  if (name === undefined) return undefined;
  const namespace = effectiveNamespace(workspace, catalogueOf(where.file.uri), where)?.value;
  return [storedGroup(where.object), kind, namespace === undefined ? '' : textOf(namespace), textOf(name.value)].join(
    '\n',
  );
}

function textOf(value: Value): string {
  return isUnknown(value) ? `?${value.unknown}` : `=${value}`;
}
