/** Finds references by name that have a target in one tree of manifests but not in the other. */

import type { ReferenceSite } from '../../manifests/model.ts';
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
    if (isRendered(fresh.snapshot(), catalogue, is, target.kind, site.name.text)) return [];
    const existed = isSame(other, site) || targets(old, was, site).length > 0;
    return [{ path: site.fact.path, kind: target.kind, name: site.name.text, existed }];
  });
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
