/** Pairs the objects of two states of a workspace, as each scope applies them. */

import { isUnknown, type Value } from '../../engine/index.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import type { Base, Side } from '../../workspace/base.ts';
import { withTransformers } from '../../workspace/kustomize/named-files.ts';
import { effectiveObjectsOf, rootsWithAny } from '../../workspace/kustomize/view.ts';
import type { ObjectInFile, Workspace } from '../../workspace/model.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import { effectiveNamespace } from '../../workspace/selection/namespaces.ts';
import { hasErrors } from '../../workspace/snapshot.ts';
import type { AppliedObject } from './update-data.ts';

/** A scope in both states. */
export interface ScopePair {
  readonly before: Scope;
  readonly now: Scope;
}

/** An object of a scope that may differ; absent in a state in which it does not exist. */
export interface ObjectDifference {
  readonly scope: ScopePair;
  /** Group, kind, namespace and name. */
  readonly key: string;
  readonly before?: AppliedObject;
  readonly now?: AppliedObject;
}

const known = new WeakMap<Workspace, { readonly base: Base; readonly found: readonly ObjectDifference[] }>();

/**
 * The objects that may differ from the base, each once for every scope that both states have. Cached for a snapshot.
 */
export function differencesSince(base: Base, now: Side): readonly ObjectDifference[] {
  const last = known.get(now.workspace);
  if (last?.base === base) return last.found;
  const found = [...differencesOf(base, now)];
  known.set(now.workspace, { base, found });
  return found;
}

/** If more files differ, all scopes are compared. */
const maximumFiles = 50;

function* differencesOf({ side: before, changed: rendered }: Base, now: Side): Iterable<ObjectDifference> {
  const changed = rendered === undefined ? changedFiles(before.workspace, now.workspace) : [...rendered];
  if (changed.length === 0) return;
  for (const scope of affectedScopes(before.workspace, now.workspace, changed)) {
    if (!isBuilt(before, scope.before) || !isBuilt(now, scope.now)) continue;
    const old = objectsIn(before, scope.before, now);
    const fresh = objectsIn(now, scope.now, before);
    for (const [key, [applied, ...others]] of fresh) {
      const [was, ...oldOthers] = old.get(key) ?? [];
      // Several objects with one identity cannot be paired.
      if (applied === undefined || others.length + oldOthers.length > 0) continue;
      if (was === undefined) yield { scope, key, now: applied };
      else if (was.object !== applied.object) yield { scope, key, before: was, now: applied };
    }
    for (const [key, [was, ...others]] of old)
      if (was !== undefined && others.length === 0 && !fresh.has(key) && !isUnreadable(now.workspace, was))
        yield { scope, key, before: was };
  }
}

/** The files that differ between both states. */
function changedFiles(before: Workspace, now: Workspace): readonly string[] {
  const changed = new Set<string>();
  for (const [uri, file] of now.files) if (before.files.get(uri) !== file) changed.add(uri);
  for (const [uri] of before.files) if (now.files.get(uri) === undefined) changed.add(uri);
  return [...changed];
}

function affectedScopes(before: Workspace, now: Workspace, changed: readonly string[]): readonly ScopePair[] {
  const [were, are] = [scopesWith(before, changed), scopesWith(now, changed)];
  const pairs = new Map<Scope, Scope>();
  for (const scope of are) {
    const other = counterpartOf(scope, before);
    if (other !== undefined) pairs.set(scope, other);
  }
  for (const scope of were) {
    const other = counterpartOf(scope, now);
    if (other !== undefined && !pairs.has(other)) pairs.set(other, scope);
  }
  return [...pairs].map(([scope, other]) => ({ before: other, now: scope }));
}

function scopesWith(workspace: Workspace, changed: readonly string[]): Iterable<Scope> {
  const scopes = workspace.scopes();
  if (changed.length > maximumFiles) return scopes.all();
  const roots = rootsWithAny(workspace, new Set([...changed, ...withTransformers(workspace)]));
  return new Set([...changed.flatMap((uri) => scopes.ofFile(uri)), ...roots]);
}

/**
 * The scope of another state with the same path; for a folder of plain files, whose path depends on all of them, one
 * that shares a file.
 */
function counterpartOf(scope: Scope, other: Workspace): Scope | undefined {
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

/** Whether the objects of a scope are known: the result of a kustomization with a syntax error, for example, is not. */
function isBuilt({ workspace, catalogueOf }: Side, scope: Scope): boolean {
  if (scope.kind !== 'kustomization') return true;
  const isBroken = (uri: string) => {
    const file = workspace.files.get(uri);
    return file !== undefined && hasErrors(file);
  };
  if (workspace.scopes().partsOf(scope).some(isBroken)) return false;
  return workspace.rendering(scope.path, catalogueOf(scope.path)) !== undefined;
}

/** Whether an object may be missing only because its file has a syntax error now. */
function isUnreadable(now: Workspace, { file }: AppliedObject): boolean {
  const current = now.files.get(file.uri);
  return current !== undefined && hasErrors(current);
}

/**
 * The objects of a scope by their identity. Unless a kustomization builds them, only those of files that differ from
 * the other state.
 */
function objectsIn(side: Side, scope: Scope, other: Side): ReadonlyMap<string, readonly AppliedObject[]> {
  const { workspace } = side;
  const objects = new Map<string, AppliedObject[]>();
  const differs = (uri: string) => workspace.files.get(uri) !== other.workspace.files.get(uri);
  const isWritten = scope.kind !== 'kustomization';
  const seen = isWritten ? { ...scope, files: new Set([...scope.files].filter(differs)) } : scope;
  for (const where of effectiveObjectsOf(workspace, side.catalogueOf(scope.path), seen)) {
    if (!where.object.forCluster) continue;
    const key = identityOf(side, where);
    if (key !== undefined) getOrAdd(objects, key, () => []).push(where);
  }
  return objects;
}

/** Group, kind, namespace and name; placeholders with equal text are equal. Undefined without a name. */
export function identityOf({ workspace, catalogueOf }: Side, where: ObjectInFile): string | undefined {
  const { group, kind, name } = where.object;
  if (name === undefined) return undefined;
  const namespace = effectiveNamespace(workspace, catalogueOf(where.file.uri), where)?.value;
  return [group, kind, namespace === undefined ? '' : textOf(namespace), textOf(name.value)].join('\n');
}

function textOf(value: Value): string {
  return isUnknown(value) ? `?${value.unknown}` : `=${value}`;
}
