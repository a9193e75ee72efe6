/** Finds changes between two states of a workspace that the API server rejects. */

import type { ImmutableChange } from '../../engine/catalogue/types.ts';
import { format, isUnknown, type Selector, type Value } from '../../engine/index.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import type { LabelEntry, ManifestObject, SelectorSite } from '../../manifests/model.ts';
import type { Origin } from '../../manifests/yaml/tree.ts';
import type { Span } from '../../text/span.ts';
import type { Base, Side } from '../../workspace/base.ts';
import { withTransformers } from '../../workspace/kustomize/named-files.ts';
import { effectiveObjectsOf, rootsWithAny } from '../../workspace/kustomize/view.ts';
import type { ObjectInFile, Workspace, WorkspaceFile } from '../../workspace/model.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import { effectiveSelector } from '../../workspace/selection/effective-selector.ts';
import { effectiveNamespace } from '../../workspace/selection/namespaces.ts';
import { type Escape, escapeOf } from './escapes.ts';
import { placeAt, stepsOf, treeOf } from './object-trees.ts';
import { type AppliedObject, isWrittenAsBefore, siteData, sourceOf, updateData } from './update-data.ts';

/** A change of a field that the API server rejects. */
export interface Update {
  readonly change: ImmutableChange;
  readonly before: AppliedObject;
  readonly now: AppliedObject;
  /** The previous and the current selector at the path of the change. */
  readonly selectors?: { readonly before: SelectorSite; readonly now: SelectorSite };
  readonly escape: Escape | undefined;
  /** The previous value at the path of the change, if it is a single one. */
  readonly old?: string | undefined;
}

/** The changes of one object that the API server rejects, unless the object is deleted before each update anyway. */
export function rejectedChanges(
  before: { readonly side: Side; readonly applied: AppliedObject },
  now: { readonly side: Side; readonly applied: AppliedObject },
): readonly Update[] {
  const { file, object } = now.applied;
  const { object: old } = before.applied;
  if (old === object || object.generateName !== undefined || object.inValues || old.inValues) return [];
  const catalogue = now.side.catalogueOf(file.uri);
  if (!catalogue.hasImmutableFields(object.group, object.kind)) return [];
  const version = kubernetesVersion(now.side.workspace, file.uri);
  // Most objects are written as before: then only labels and selectors may differ, and no text is parsed.
  const isChanged = ([was, is]: readonly [unknown, unknown]) => catalogue.immutableChanges(was, is, version).length > 0;
  if (isWrittenAsBefore(before, now) && !isChanged(siteData(before, now))) return [];
  const [was, is] = updateData(before, now);
  const changes = catalogue.immutableChanges(was, is, version);
  if (changes.length === 0) return [];
  const recreatedBy = escapeOf(old, object) ?? jobEscape(was);
  if (recreatedBy === 'silent') return [];
  return changes.map((change) => {
    const [site, oldSite] = [object, old].map(({ selectorSites }) =>
      selectorSites.find(({ path }) => path === change.path),
    );
    const selectors = site === undefined || oldSite === undefined ? undefined : { before: oldSite, now: site };
    return {
      change,
      before: before.applied,
      now: now.applied,
      escape: recreatedBy,
      old: valueAt(was, change.at),
      ...(selectors && { selectors }),
    };
  });
}

function kubernetesVersion(workspace: Workspace, uri: string): string | undefined {
  return workspace.configs().of(uri)?.config.values.kubernetesVersion;
}

/** A single value as text. What a Secret contains is told to nobody. */
function valueAt(data: unknown, at: ImmutableChange['at']): string | undefined {
  if (fieldOf(data, 'kind') === 'Secret') return undefined;
  const value = at.reduce(fieldOf, data);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
}

function fieldOf(value: unknown, field: string | number): unknown {
  return typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, field)?.value : undefined;
}

/** A finished Job is likely gone by now. */
function jobEscape(before: unknown): Escape | undefined {
  const seconds = ['spec', 'ttlSecondsAfterFinished'].reduce(fieldOf, before);
  return fieldOf(before, 'kind') === 'Job' && typeof seconds === 'number'
    ? { sentence: 'The change applies once the Job is gone (`ttlSecondsAfterFinished`)' }
    : undefined;
}

/** The selector at a site as text; undefined if not all of it is known. */
export function knownSelector(site: SelectorSite): string | undefined {
  const selector = site.open ? undefined : effectiveSelector(site);
  return selector === undefined || hasUnknowns(selector) ? undefined : format(selector, 'canonical');
}

function hasUnknowns(selector: Selector): boolean {
  return (
    selector.kind === 'all' && selector.requirements.some(({ values }) => values.some((value) => isUnknown(value)))
  );
}

/** A rejected change at the position of its cause, in all scopes that have it. */
export interface CausedUpdate extends Update {
  readonly file: WorkspaceFile;
  readonly span: Span;
  readonly scope: Scope;
}

/** An object of a scope in both states. */
export interface ObjectPair {
  readonly scope: Scope;
  readonly before: AppliedObject;
  readonly now: AppliedObject;
}

/** What was found for a snapshot since a base. */
interface FoundChange {
  readonly base: Base;
  readonly pairs: readonly ObjectPair[];
  updates?: ReadonlyMap<string, readonly CausedUpdate[]>;
}

const known = new WeakMap<Workspace, FoundChange>();

function foundSince(base: Base, now: Side): FoundChange {
  const last = known.get(now.workspace);
  if (last?.base === base) return last;
  const found = { base, pairs: [...pairsOf(base, now)] };
  known.set(now.workspace, found);
  return found;
}

/** The objects that may differ from the base, each once for every scope. Cached for a snapshot. */
export function pairsSince(base: Base, now: Side): readonly ObjectPair[] {
  return foundSince(base, now).pairs;
}

/** The rejected changes since the base, by the URI of the file that causes them. Cached for a snapshot. */
export function updatesSince(base: Base, now: Side): ReadonlyMap<string, readonly CausedUpdate[]> {
  const found = foundSince(base, now);
  if (found.updates !== undefined) return found.updates;
  const updates = new Map<string, CausedUpdate[]>();
  for (const { before, now: applied, scope } of found.pairs)
    for (const update of rejectedChanges({ side: base.side, applied: before }, { side: now, applied })) {
      const caused = { ...update, ...causeOf(now, update), scope };
      getOrAdd(updates, caused.file.uri, () => []).push(caused);
    }
  found.updates = updates;
  return updates;
}

/** If more files differ, all scopes are compared. */
const maximumFiles = 50;

function* pairsOf({ side: before, changed: knownChanges }: Base, now: Side): Iterable<ObjectPair> {
  const changed = knownChanges === undefined ? changedFiles(before.workspace, now.workspace) : [...knownChanges];
  if (changed.length === 0) return;
  for (const scope of affectedScopes(now.workspace, changed)) {
    const old = objectsIn(before, scope, now);
    if (old.size === 0) continue;
    for (const [key, objects] of objectsIn(now, scope, before)) {
      const [applied, ...others] = objects;
      const [was, ...oldOthers] = old.get(key) ?? [];
      // Which of several is which is not known.
      if (applied === undefined || was === undefined || others.length + oldOthers.length > 0) continue;
      if (was.object !== applied.object) yield { scope, before: was, now: applied };
    }
  }
}

/** The files that are not the same in both states. */
function changedFiles(before: Workspace, now: Workspace): readonly string[] {
  const changed = new Set<string>();
  for (const [uri, file] of now.files) if (before.files.get(uri) !== file) changed.add(uri);
  for (const [uri] of before.files) if (now.files.get(uri) === undefined) changed.add(uri);
  return [...changed];
}

function affectedScopes(workspace: Workspace, changed: readonly string[]): Iterable<Scope> {
  const scopes = workspace.scopes();
  if (changed.length > maximumFiles) return scopes.all();
  const roots = rootsWithAny(workspace, new Set([...changed, ...withTransformers(workspace)]));
  return new Set([...changed.flatMap((uri) => scopes.ofFile(uri)), ...roots]);
}

/**
 * The objects of a scope by their identity; none of a scope that is not in this state. Unless a kustomization builds
 * them, they are those of the files that are not the same in the other state.
 */
function objectsIn(
  side: Side,
  { path, kind, name }: Scope,
  other: Side,
): ReadonlyMap<string, readonly AppliedObject[]> {
  const { workspace } = side;
  const all = workspace.scopes().all();
  const scope =
    all.find((each) => each.path === path && each.kind === kind && each.name === name) ??
    all.find((each) => each.path === path);
  const objects = new Map<string, AppliedObject[]>();
  if (scope === undefined) return objects;
  const differs = (uri: string) => workspace.files.get(uri) !== other.workspace.files.get(uri);
  const isWritten = scope.kind !== 'kustomization';
  const seen = isWritten ? { ...scope, files: new Set([...scope.files].filter(differs)) } : scope;
  for (const where of effectiveObjectsOf(workspace, side.catalogueOf(path), seen)) {
    if (!where.object.forCluster) continue;
    const key = identityOf(side, where);
    if (key !== undefined) getOrAdd(objects, key, () => []).push(where);
  }
  return objects;
}

/** Group, kind, namespace and name; placeholders are equal if they are written alike. */
function identityOf({ workspace, catalogueOf }: Side, where: ObjectInFile): string | undefined {
  const { group, kind, name } = where.object;
  if (name === undefined) return undefined;
  const namespace = effectiveNamespace(workspace, catalogueOf(where.file.uri), where)?.value;
  return [group, kind, namespace === undefined ? '' : textOf(namespace), textOf(name.value)].join('\n');
}

function textOf(value: Value): string {
  return typeof value === 'string' ? `=${value}` : `?${value.unknown}`;
}

/** Where a change is written: in the object's own file, or in the kustomization or patch that writes the value. */
function causeOf(
  now: Side,
  { change, now: applied, selectors }: Update,
): { readonly file: WorkspaceFile; readonly span: Span } {
  const own = sourceOf(now, applied)?.file ?? applied.file;
  const origin = originOf(applied.object, change.at);
  const other = origin && now.workspace.files.get(origin.uri);
  if (origin !== undefined && other !== undefined) return { file: other, span: origin.span };
  if (selectors !== undefined) return { file: own, span: spanInSelector(selectors.now, change.at) };
  return { file: own, span: spanInFile(now, applied, change.at) };
}

/** Who writes a label or requirement at a path; undefined if the object's own file does. */
function originOf({ labelSites, selectorSites }: ManifestObject, at: ImmutableChange['at']): Origin | undefined {
  const isAround = (path: string) => {
    const steps = stepsOf(path);
    return steps.every((step, index) => String(step) === String(at[index]));
  };
  const entries = [...labelSites, ...selectorSites]
    .filter(({ path }) => isAround(path))
    .flatMap((site) => site.entries);
  const own = entries.filter(({ key }) => key.text === at.at(-1));
  // Of a map that is new as a whole, whoever writes something in it.
  return firstOrigin(own.length > 0 ? own : entries.length > 0 && !hasOwn(entries) ? entries : []);
}

function hasOwn(entries: readonly LabelEntry[]): boolean {
  return entries.some(({ key, value }) => (value.origin ?? key.origin) === undefined);
}

function firstOrigin(entries: readonly LabelEntry[]): Origin | undefined {
  for (const { key, value } of entries) {
    const origin = value.origin ?? key.origin;
    if (origin !== undefined) return origin;
  }
  return undefined;
}

/** The changed value, or the new key; else the key of the selector. */
function spanInSelector(site: SelectorSite, at: ImmutableChange['at']): Span {
  const entry = site.entries.find(({ key, merged }) => !merged && key.text === at.at(-1));
  const isWritten = entry !== undefined && entry.value.origin === undefined && entry.key.origin === undefined;
  return isWritten ? entry.value.span : site.keySpan;
}

/** The deepest part of a path that is written: a value, or the key of a map or list. */
function spanInFile(now: Side, applied: AppliedObject, at: ImmutableChange['at']): Span {
  const source = sourceOf(now, applied);
  const text = source && now.textOf(source.file.uri);
  if (source === undefined || text === undefined) return applied.object.kindSpan;
  const root = treeOf({ text, workspace: now.workspace, uri: source.file.uri }, source.object);
  for (let length = at.length; length > 0; length--) {
    const place = placeAt(root, at.slice(0, length));
    if (place === undefined) continue;
    if (place.node.kind === 'scalar' && place.node.style !== 'block' && place.node.text !== '') return place.node.span;
    if (place.entry !== undefined) return place.entry.key.span;
  }
  return applied.object.kindSpan;
}
