/** Finds references by name that have a target in one state of a workspace but not in the other. */

import { storedGroup } from '../engine/catalogue/stored-group.ts';
import type { Catalogue, GroupKind } from '../engine/catalogue/types.ts';
import type { ReferenceSite } from '../manifests/model.ts';
import { targetKinds } from '../manifests/sites/references.ts';
import type { Base, Side } from '../workspace/base.ts';
import { effectiveObjectsOf } from '../workspace/kustomize/view.ts';
import type { ObjectInFile } from '../workspace/model.ts';
import { inEveryCluster, isRendered } from '../workspace/references/near-names.ts';
import { createsTarget } from '../workspace/references/producers.ts';
import { targetsOf } from '../workspace/references/targets.ts';
import { isRendered as isApplied, type Scope } from '../workspace/scopes/model.ts';
import { hasErrors } from '../workspace/snapshot.ts';
import { brokenParts } from './broken-parts.ts';
import type { BrokenPart, SidedPair } from './object-parts.ts';
import { changedSince, differencesSince, identityOf, type ScopeDifferences } from './paired-objects.ts';
import { mayDeclareOthers } from './selected-ports.ts';
import { type AppliedObject, sourceOf } from './update-data.ts';

/** An object that exists in both states. */
export interface ObjectPair {
  readonly before: AppliedObject;
  readonly after: AppliedObject;
}

/** A reference to the name of an object that does not exist. */
export interface BrokenReference {
  readonly path: string;
  readonly kind: string;
  readonly name: string;
  /** Whether the object existed before; otherwise, the reference had another name. */
  readonly existed: boolean;
}

/** Returns the references by name that certainly had a target before and have none now, for an object that exists in both states. */
export function brokenReferences(old: Side, fresh: Side, { before, after }: ObjectPair): readonly BrokenReference[] {
  const sites = after.object.references ?? [];
  if (sites.length === 0 || before.object.references === undefined) return [];
  const [was, is] = [sourceOf(old, before), sourceOf(fresh, after)];
  if (was === undefined || is === undefined) return [];
  return (is.object.references ?? []).flatMap((site): readonly BrokenReference[] => {
    if (site.fact.guessed || site.optional || typeof site.name.value !== 'string' || createsTarget(is.object, site))
      return [];
    if (targets(fresh, is, site).length > 0) return [];
    const all = was.object.references ?? [];
    const other = all.find(({ path }) => path === site.path) ?? all.find((each) => isSame(each, site));
    const [target] = other === undefined ? [] : targets(old, was, other);
    if (other === undefined || target?.relation !== 'here' || target.answer !== 'yes') return [];
    const catalogue = fresh.catalogueOf(is.file.uri);
    const kind = kindNamed(site, target, catalogue);
    if (kind === undefined || isRendered(fresh.workspace, catalogue, is, kind, site.name.text)) return [];
    const existed = (kind === target.kind && isSame(other, site)) || targets(old, was, site).length > 0;
    if (inEveryCluster.test(site.name.text) && !(existed && ownPrefix.test(site.name.text))) return [];
    return [{ path: site.fact.path, kind, name: site.name.text, existed }];
  });
}

/** The start of names in every cluster that objects of a workspace also have. */
const ownPrefix = /^kube-/;

/** A reference that lost its target since the base, and the object that contains it, as a scope applies it. */
export interface BrokenSince {
  readonly scope: Scope;
  readonly owner: AppliedObject;
  readonly broken: BrokenReference;
}

/** A reference to a part of an object that is gone since the base, such as a key or a port. */
export interface BrokenPartSince {
  readonly scope: Scope;
  readonly owner: AppliedObject;
  readonly broken: BrokenPart;
}

/** Returns the references to parts of objects that are gone since the base; none if a changed file has a syntax error, because it may contain the part. */
export function brokenPartsSince(base: Base, now: Side): readonly BrokenPartSince[] {
  const differences = differencesSince(base, now);
  if (differences.length === 0 || changedSince(base, now).some((uri) => isUnread(now, uri))) return [];
  return differences.flatMap(({ scope, objects }) => {
    const changed = objects.flatMap(({ before, now: after }) =>
      before === undefined || after === undefined ? [] : [{ before, after }],
    );
    if (changed.length === 0) return [];
    const sided = ({ before, after }: ObjectPair): SidedPair => ({
      before: { side: base.side, applied: before },
      after: { side: now, applied: after },
    });
    const arePortsChanged = changed.some((each) => mayDeclareOthers(sided(each)));
    const pairs = [...changed, ...referringTo(changed, arePortsChanged, [base.side, now], scope)];
    return pairs.flatMap((pair) =>
      brokenParts(sided(pair), arePortsChanged).map((broken) => ({ scope: scope.now, owner: pair.after, broken })),
    );
  });
}

/** Yields the unchanged objects of a scope that name changed objects, or that may select them. */
function* referringTo(
  changed: readonly ObjectPair[],
  arePortsChanged: boolean,
  [old, fresh]: readonly [Side, Side],
  scope: ScopeDifferences['scope'],
): Iterable<ObjectPair> {
  const isChanged = new Set(changed.map(({ after }) => identityOf(fresh, after)));
  const names = new Set(
    changed.flatMap(({ after }) => [after, sourceOf(fresh, after)].map((each) => each?.object.name?.text ?? '')),
  );
  const isConcerned = ({ object }: AppliedObject) =>
    object.references?.some(({ name }) => names.has(name.text)) === true ||
    (arePortsChanged && object.selectorSites.length > 0);
  const wanted = appliedIn(fresh, scope.now).filter(isConcerned);
  if (wanted.length === 0) return;
  const earlier = new Map(appliedIn(old, scope.before).map((each) => [identityOf(old, each), each]));
  for (const after of wanted) {
    const identity = identityOf(fresh, after);
    const before = isChanged.has(identity) ? undefined : earlier.get(identity);
    if (before !== undefined) yield { before, after };
  }
}

function isUnread({ workspace }: Side, uri: string): boolean {
  const file = workspace.files.get(uri);
  return file !== undefined && hasErrors(file);
}

/** Returns the references that lost their target since the base; none if a changed file has a syntax error, because it may contain the target. */
export function brokenSince(base: Base, now: Side): readonly BrokenSince[] {
  const differences = differencesSince(base, now);
  if (differences.length === 0 || changedSince(base, now).some((uri) => isUnread(now, uri))) return [];
  return differences.flatMap((each) =>
    [...pairsIn(each, base.side, now)].flatMap((pair) =>
      brokenReferences(base.side, now, pair).map((broken) => ({ scope: each.scope.now, owner: pair.after, broken })),
    ),
  );
}

/** Yields the objects of a scope whose references changed, and those that name an object that is gone. */
function* pairsIn({ scope, objects }: ScopeDifferences, old: Side, fresh: Side): Iterable<ObjectPair> {
  const gone = new Set<string>();
  for (const { before, now } of objects) {
    if (before === undefined) continue;
    if (now === undefined) {
      for (const each of [before, sourceOf(old, before)]) gone.add(each?.object.name?.text ?? '');
    } else if (namesIn(before) !== namesIn(now)) yield { before, after: now };
  }
  if (gone.size === 0) return;
  const isConcerned = ({ object }: AppliedObject) =>
    object.references?.some(({ name }) => gone.has(name.text)) === true;
  const earlier = new Map(
    appliedIn(old, scope.before).flatMap((each) => (isConcerned(each) ? [[identityOf(old, each), each] as const] : [])),
  );
  for (const after of appliedIn(fresh, scope.now)) {
    const before = isConcerned(after) ? earlier.get(identityOf(fresh, after)) : undefined;
    if (before !== undefined && namesIn(before) === namesIn(after)) yield { before, after };
  }
}

function appliedIn({ workspace, catalogueOf }: Side, scope: Scope): readonly AppliedObject[] {
  const objects = [...effectiveObjectsOf(workspace, catalogueOf(scope.path), scope)];
  return isApplied(scope) ? objects.map((each) => ({ ...each, builtBy: scope })) : objects;
}

function namesIn({ object }: AppliedObject): string {
  return JSON.stringify((object.references ?? []).map(namedBy));
}

/** Returns the kind that a reference names; undefined if it is another kind than that of the target before, which the field is not known to accept, so that objects of this kind may exist elsewhere. */
function kindNamed(site: ReferenceSite, before: GroupKind, catalogue: Catalogue): string | undefined {
  const names = (each: Partial<GroupKind>, other: GroupKind) =>
    each.kind === other.kind && (each.group === undefined || each.group === other.group);
  const kinds = targetKinds(site, catalogue).map((each) =>
    each.group === undefined ? each : { ...each, group: storedGroup({ ...each, group: each.group }) },
  );
  if (kinds.some((each) => names(each, before))) return before.kind;
  const { accepts = site.fact.targets } = site.fact;
  return accepts.find((each) => kinds.some((kind) => names(kind, each)))?.kind;
}

/** Returns what a reference names, as text. */
function namedBy({ path, name, kind, group, namespace, optional }: ReferenceSite): string {
  return JSON.stringify([path, name.text, kind, group, namespace?.text, optional]);
}

function isSame(a: ReferenceSite, b: ReferenceSite): boolean {
  return a.fact.path === b.fact.path && a.name.text === b.name.text;
}

function targets({ workspace, catalogueOf }: Side, where: ObjectInFile, site: ReferenceSite) {
  return targetsOf(workspace, catalogueOf(where.file.uri), where, site);
}
