/** Finds changes between two states of a workspace that the API server rejects as updates. */

import type { ImmutableChange } from '../engine/catalogue/types.ts';
import { format, isUnknown, type Selector } from '../engine/index.ts';
import { getOrAdd } from '../engine/memoize.ts';
import { fieldOf } from '../engine/structured.ts';
import type { LabelEntry, ManifestObject, SelectorSite } from '../manifests/model.ts';
import type { Origin } from '../manifests/yaml/tree.ts';
import { localize } from '../text/localize.ts';
import type { Span } from '../text/span.ts';
import type { Base, Side } from '../workspace/base.ts';
import type { Workspace, WorkspaceFile } from '../workspace/model.ts';
import { stepsOf, targetAt, treeOf } from '../workspace/object-trees.ts';
import type { Scope } from '../workspace/scopes/model.ts';
import { effectiveSelector } from '../workspace/selection/effective-selector.ts';
import { areBuiltNamesEqual } from './built-names.ts';
import { type Escape, escapeOf, isForcedByFlux } from './escapes.ts';
import { differencesSince, noteReads, type ScopeDifferences } from './paired-objects.ts';
import {
  type AppliedObject,
  isReplaced,
  isWrittenAsBefore,
  patchFiles,
  type Sided,
  siteData,
  sourceOf,
  updateData,
  writtenTree,
} from './update-data.ts';

/** A change of a field that the API server rejects when the object is updated. */
export interface Update {
  readonly change: ImmutableChange;
  readonly before: AppliedObject;
  readonly now: AppliedObject;
  /** The previous and the current selector, if the changed field is part of one. */
  readonly selectors?: { readonly before: SelectorSite; readonly now: SelectorSite };
  readonly escape: Escape | undefined;
  /** The previous value of the changed field, if it is a scalar. */
  readonly old?: string | undefined;
}

/** Returns the changes of an object in a scope that the API server rejects; none if the object is deleted before each update in any case. */
export function rejectedChanges(
  before: { readonly side: Side; readonly applied: AppliedObject },
  now: { readonly side: Side; readonly applied: AppliedObject },
  scope?: Scope,
): readonly Update[] {
  const { file, object } = now.applied;
  const { object: old } = before.applied;
  if (old === object && patchFiles(before).length === 0 && areBuiltNamesEqual(before, now)) return [];
  if (object.name === undefined || object.inValues || old.inValues) return [];
  const catalogue = now.side.catalogueOf(file.uri);
  if (!catalogue.hasImmutableFields(object.group, object.kind)) return [];
  const version = kubernetesVersion(now.side.workspace, file.uri);
  // In most objects, the text is unchanged. Only their labels and selectors can then differ, so their text need not be
  // parsed.
  if (isWrittenAsBefore(before, now) && areBuiltNamesEqual(before, now) && haveSameSites(before, now)) return [];
  const [was, is] = updateData(before, now);
  const changes = catalogue.immutableChanges(was, is, version);
  if (changes.length === 0) return [];
  const recreatedBy =
    escapeOf(old, object, () => isForcedByFlux(now.side.workspace, file.uri, scope)) ?? jobEscape(was);
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

function haveSameSites(before: Sided, now: Sided): boolean {
  if (before.applied.object === now.applied.object) return true;
  const [was, is] = siteData(before, now).map((data) => JSON.stringify(data));
  return was === is;
}

/** Whether an object differs and has immutable fields that are not compared, because a replacement writes them. */
export function hasUncomparedFields(before: Sided, now: Sided): boolean {
  return (isReplaced(before) || isReplaced(now)) && !isWrittenAsBefore(before, now);
}

function kubernetesVersion(workspace: Workspace, uri: string): string | undefined {
  return workspace.configs().of(uri)?.config.values.kubernetesVersion;
}

/** Returns the value of a field as a string; undefined if it is not a scalar, or if it is the content of a Secret. */
function valueAt(data: unknown, at: ImmutableChange['at']): string | undefined {
  if (fieldOf(data, 'kind') === 'Secret') return undefined;
  const value = at.reduce(fieldOf, data);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
}

/** Returns the reason why an update of a Job may succeed: the Job may already have been deleted after it finished. */
function jobEscape(before: unknown): Escape | undefined {
  const seconds = ['spec', 'ttlSecondsAfterFinished'].reduce(fieldOf, before);
  return fieldOf(before, 'kind') === 'Job' && typeof seconds === 'number'
    ? { sentence: localize`The change takes effect once the Job is deleted (\`ttlSecondsAfterFinished\`)` }
    : undefined;
}

/** Returns the selector at a site as a string; undefined if a part of it is unknown. */
export function knownSelector(site: SelectorSite): string | undefined {
  const selector = site.open ? undefined : effectiveSelector(site);
  return selector === undefined || hasUnknowns(selector) ? undefined : format(selector, 'canonical');
}

/** Returns the previous and the current value of a rejected change, if they are known and different. */
export function changedValues({ selectors, old }: Update): { readonly from?: string; readonly to?: string } {
  const [from, to] = [selectors && knownSelector(selectors.before), selectors && knownSelector(selectors.now)];
  if (from !== undefined && to !== undefined && from !== to) return { from, to };
  return old === undefined ? {} : { from: old };
}

function hasUnknowns(selector: Selector): boolean {
  return (
    selector.kind === 'all' && selector.requirements.some(({ values }) => values.some((value) => isUnknown(value)))
  );
}

/** A rejected change at the position of its cause, with all scopes in which it occurs. */
export interface CausedUpdate extends Update {
  readonly file: WorkspaceFile;
  readonly span: Span;
  readonly scope: Scope;
}

const known = new WeakMap<
  Workspace,
  { readonly base: Base; readonly updates: ReadonlyMap<string, readonly CausedUpdate[]> }
>();

/** Returns the rejected changes since the base, by the URI of the file that causes them. The result is cached for each snapshot. */
export function updatesSince(base: Base, now: Side): ReadonlyMap<string, readonly CausedUpdate[]> {
  const last = known.get(now.workspace);
  if (last?.base === base) return last.updates;
  const updates = new Map<string, CausedUpdate[]>();
  for (const differences of differencesSince(base, now))
    for (const each of getOrAdd(byScope, differences, () =>
      differences.recorded([base.side, now], () => updatesIn(differences, base, now)),
    ))
      getOrAdd(updates, each.file.uri, () => []).push(each);
  known.set(now.workspace, { base, updates });
  return updates;
}

/** Returns the rejected changes since the base that a file causes, to report them in the file. */
export function updatesOf(base: Base, now: Side, uri: string): readonly CausedUpdate[] {
  const updates = updatesSince(base, now).get(uri) ?? [];
  noteReads(base, now, uri);
  return updates;
}

const byScope = new WeakMap<ScopeDifferences, readonly CausedUpdate[]>();

function updatesIn({ scope, objects }: ScopeDifferences, base: Base, now: Side): readonly CausedUpdate[] {
  return objects.flatMap(({ before, now: applied }) => {
    if (before === undefined || applied === undefined) return [];
    const sides = [
      { side: base.side, applied: before },
      { side: now, applied },
    ] as const;
    return rejectedChanges(...sides, scope.now).map((update) => ({
      ...update,
      ...causeOf(now, update),
      scope: scope.now,
    }));
  });
}

/** Returns the position of the cause of a change: in the file of the object, or in the kustomization or patch that writes the value. */
export function causeOf(
  now: Side,
  { change, now: applied, selectors }: Update,
): { readonly file: WorkspaceFile; readonly span: Span } {
  const own = sourceOf(now, applied)?.file ?? applied.file;
  const origin = originOf(applied.object, change.at) ?? originInPatch(now, applied, change.at);
  const other = origin && now.workspace.files.get(origin.uri);
  if (origin !== undefined && other !== undefined) return { file: other, span: origin.span };
  if (selectors !== undefined) return { file: own, span: spanInSelector(selectors.now, change.at) };
  return { file: own, span: spanInFile(now, applied, change.at) };
}

/** Returns the position in the patch that writes a value, or the deepest map or list around it; undefined if the file of the object writes it. */
function originInPatch(now: Side, applied: AppliedObject, at: ImmutableChange['at']): Origin | undefined {
  if (patchFiles({ applied }).length === 0) return undefined;
  const tree = writtenTree({ side: now, applied });
  for (let length = at.length; length > 0; length--) {
    const target = targetAt(tree, at.slice(0, length));
    if (target !== undefined)
      return (target.node.kind === 'scalar' ? target.node.origin : undefined) ?? target.entry?.key.origin;
  }
  return undefined;
}

/** Returns the position in the other file that writes a label or requirement at a path; undefined if the file of the object itself writes it. */
function originOf({ labelSites, selectorSites }: ManifestObject, at: ImmutableChange['at']): Origin | undefined {
  const isAround = (path: string) => {
    const steps = stepsOf(path);
    return steps.every((step, index) => String(step) === String(at[index]));
  };
  const entries = [...labelSites, ...selectorSites]
    .filter(({ path }) => isAround(path))
    .flatMap((site) => site.entries);
  const own = entries.filter(({ key }) => key.text === at.at(-1));
  // If the whole map is new, the result is the file that writes any of its entries.
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

/** Returns the span of the changed or new entry of a selector, if it is in the file; otherwise, the span of the selector's key. */
function spanInSelector(site: SelectorSite, at: ImmutableChange['at']): Span {
  const entry = site.entries.find(({ key, merged }) => !merged && key.text === at.at(-1));
  const isWritten = entry !== undefined && entry.value.origin === undefined && entry.key.origin === undefined;
  return isWritten ? entry.value.span : site.keySpan;
}

/** Returns the span of the deepest part of a path that is in the file: a value, or the key of a map or list. */
function spanInFile(now: Side, applied: AppliedObject, at: ImmutableChange['at']): Span {
  const source = sourceOf(now, applied);
  const text = source && now.textOf(source.file.uri);
  if (source === undefined || text === undefined) return applied.object.kindSpan;
  const root = treeOf({ text, workspace: now.workspace, uri: source.file.uri }, source.object);
  for (let length = at.length; length > 0; length--) {
    const target = targetAt(root, at.slice(0, length));
    if (target === undefined) continue;
    if (target.node.kind === 'scalar' && target.node.style !== 'block' && target.node.text !== '')
      return target.node.span;
    if (target.entry !== undefined) return target.entry.key.span;
  }
  return applied.object.kindSpan;
}
