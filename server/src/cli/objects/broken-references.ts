/** Finds references by name that have a target in one tree of manifests but not in the other. */

import { storedGroup } from '../../engine/catalogue/stored-group.ts';
import type { Catalogue, GroupKind } from '../../engine/catalogue/types.ts';
import type { ReferenceSite } from '../../manifests/model.ts';
import { targetKinds } from '../../manifests/sites/references.ts';
import type { Session } from '../../session.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { isRendered } from '../../workspace/references/near-names.ts';
import { createsTarget } from '../../workspace/references/producers.ts';
import { targetsOf } from '../../workspace/references/targets.ts';
import type { AppliedObject } from './applied-objects.ts';
import { writtenAs } from './named-objects.ts';

/** An object that exists in both trees. */
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

/** Returns the references by name that certainly had a target before and have none now, for an object that exists in both trees. */
export function brokenReferences(
  old: Session,
  fresh: Session,
  { before, after }: ObjectPair,
): readonly BrokenReference[] {
  const sites = after.object.references ?? [];
  if (sites.length === 0 || before.object.references === undefined) return [];
  const [was] = writtenAs(old, before);
  const [is] = writtenAs(fresh, after);
  if (was === undefined || is === undefined) return [];
  return (is.object.references ?? []).flatMap((site): readonly BrokenReference[] => {
    if (site.fact.guessed || site.optional || typeof site.name.value !== 'string' || createsTarget(is.object, site))
      return [];
    if (targets(fresh, is, site).length > 0) return [];
    const all = was.object.references ?? [];
    const other = all.find(({ path }) => path === site.path) ?? all.find((each) => isSame(each, site));
    const [target] = other === undefined ? [] : targets(old, was, other);
    if (other === undefined || target?.relation !== 'here' || target.answer !== 'yes') return [];
    const catalogue = fresh.workspace.catalogueOf(is.file.uri);
    const kind = kindNamed(site, target, catalogue);
    if (kind === undefined || isRendered(fresh.snapshot(), catalogue, is, kind, site.name.text)) return [];
    const existed = (kind === target.kind && isSame(other, site)) || targets(old, was, site).length > 0;
    return [{ path: site.fact.path, kind, name: site.name.text, existed }];
  });
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
export function namedBy({ path, name, kind, group, namespace, optional }: ReferenceSite): string {
  return JSON.stringify([path, name.text, kind, group, namespace?.text, optional]);
}

function isSame(a: ReferenceSite, b: ReferenceSite): boolean {
  return a.fact.path === b.fact.path && a.name.text === b.name.text;
}

function targets(session: Session, where: ObjectInFile, site: ReferenceSite) {
  return targetsOf(session.snapshot(), session.workspace.catalogueOf(where.file.uri), where, site);
}

/** Returns a sentence about a reference that lost its target, with a period. */
export function brokenSentence(owner: string, { kind, name, existed }: BrokenReference): string {
  return `${owner} names ${kind}/${name}, which ${existed ? 'no longer exists' : 'does not exist'}.`;
}
