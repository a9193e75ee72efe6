/** Finds the ReferenceGrants that allow a reference to an object in another namespace. */

import { and, or } from '../../engine/answers.ts';
import type { Catalogue } from '../../engine/catalogue/types.ts';
import type { Answer } from '../../engine/types.ts';
import { isSame } from '../../engine/unknowns.ts';
import type { Grant, GrantPart, ReferenceSite } from '../../manifests/model.ts';
import { targetKinds } from '../../manifests/sites/references.ts';
import type { ObjectInFile, Workspace } from '../model.ts';
import { placeOf } from '../scopes/scope-facts.ts';
import { effectiveNamespace } from '../selection/namespaces.ts';
import type { Certainty } from './model.ts';
import { objectsOfKind } from './names.ts';

/** A ReferenceGrant that certainly or possibly allows a reference. */
export type GrantInFile = ObjectInFile & Certainty;

/** The parts of a ReferenceGrant that allow a reference. */
interface Needed {
  readonly from: Required<Omit<GrantPart, 'name'>>;
  readonly to: Required<Omit<GrantPart, 'namespace'>>;
}

/** Returns the ReferenceGrants that allow a reference to an object in another namespace or, if none certainly allows it, the ReferenceGrants that possibly allow it. Returns undefined if the reference needs no grant, or if it is unknown whether it needs one. */
export function grantsFor(
  workspace: Workspace,
  catalogue: Catalogue,
  from: ObjectInFile,
  site: ReferenceSite,
): readonly GrantInFile[] | undefined {
  const { namespace, name } = site;
  const { grantedTo } = site.fact;
  if (grantedTo === undefined || namespace === undefined) return undefined;
  const own = effectiveNamespace(workspace, catalogue, from);
  if (own === undefined || isSame(own.value, namespace.value) !== 'no') return undefined;
  const [target] = targetKinds(site, catalogue);
  if (target === undefined || !/^[a-z]+$/i.test(target.kind)) return undefined;
  const needed: Needed = {
    from: { ...grantedTo, namespace: own.value },
    to: { group: target.group ?? '', kind: target.kind, name: name.value },
  };
  const found = grants(workspace).flatMap((where): readonly GrantInFile[] => {
    const relation = workspace.scopes().relation(placeOf(from), placeOf(where), where);
    const there = effectiveNamespace(workspace, catalogue, where);
    const inNamespace = there === undefined ? 'maybe' : isSame(there.value, namespace.value);
    const answer = and(inNamespace, allows(where.object.grant, needed));
    return relation === 'apart' || answer === 'no' ? [] : [{ ...where, relation, answer }];
  });
  const certain = found.filter(({ relation, answer }) => relation === 'here' && answer === 'yes');
  return certain.length > 0 ? certain : found;
}

function grants(workspace: Workspace): readonly ObjectInFile[] {
  const named = objectsOfKind(workspace, 'ReferenceGrant');
  return [...new Set(named.map(({ uri }) => uri))].flatMap((uri) => {
    const file = workspace.files.get(uri);
    if (file === undefined) return [];
    return file.manifest.objects.flatMap((object) =>
      object.grant !== undefined && object.forCluster ? [{ file, object }] : [],
    );
  });
}

function allows(grant: Grant | undefined, needed: Needed): Answer {
  if (grant === undefined) return 'no';
  const from = grant.from.map(({ group, kind, namespace }) =>
    kind === undefined || namespace === undefined
      ? 'no'
      : isType(needed.from, { group, kind }, isSame(namespace, needed.from.namespace)),
  );
  const to = grant.to.map(({ group, kind, name }) =>
    kind === undefined
      ? 'no'
      : isType(needed.to, { group, kind }, name === undefined ? 'yes' : isSame(name, needed.to.name)),
  );
  const answer = and(from.reduce(or, 'no'), to.reduce(or, 'no'));
  return grant.open ? 'maybe' : answer;
}

function isType(
  needed: Pick<Needed['to'], 'group' | 'kind'>,
  { group, kind }: Pick<Needed['to'], 'group' | 'kind'>,
  others: Answer,
): Answer {
  return and(and(isSame(group, needed.group), isSame(kind, needed.kind)), others);
}
