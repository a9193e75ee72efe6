/** Finds the references by name that lose their target because of a proposal. */

import { scopesWith } from '../../compare/object-differences.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import type { ChangeItem } from '../../features/pages/changes.ts';
import { objectName } from '../../features/presentation/object-names.ts';
import type { Session } from '../../session.ts';
import { offsetToPosition } from '../../text/lines.ts';
import { compareText } from '../../text/order.ts';
import type { Texts } from '../../workspace/live/with-texts.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import { effectiveNamespace } from '../../workspace/selection/namespaces.ts';
import { hasErrors } from '../../workspace/snapshot.ts';
import type { World } from '../environment.ts';
import { displayPath } from '../paths/display-path.ts';
import { type AppliedObject, appliedObjects, scopesOf } from './applied-objects.ts';
import { type BrokenReference, brokenReferences, brokenSentence, namedBy } from './broken-references.ts';

/** A reference that loses its target, and the path of the scope of its object. */
export interface ProposedBreak {
  readonly kind: 'broken';
  readonly scope: string;
  readonly item: ChangeItem;
}

/** Returns the references by name in objects of both states that lose their target; none if a proposed file has a syntax error, because it may contain the target. */
export function brokenByProposal(
  world: World,
  before: Session,
  after: Session,
  texts: Texts,
): readonly ProposedBreak[] {
  const isUnread = [...texts.keys()].some((uri) => {
    const file = after.snapshot().files.get(uri);
    return file !== undefined && hasErrors(file);
  });
  if (isUnread) return [];
  const scopes = [before, after].flatMap((session) => [...scopesWith(session.snapshot(), [...texts.keys()])]);
  const statesIn = (files: ReadonlySet<string>) =>
    [objectsIn(before, scopes, files), objectsIn(after, scopes, files)] as const;
  const changed = statesIn(new Set(texts.keys()));
  const areAllThere = [...changed[0].keys()].every((key) => changed[1].has(key));
  // Any file of the scopes may refer to an object that disappears.
  const [old, fresh] = areAllThere ? changed : statesIn(new Set(scopes.flatMap(({ files }) => [...files])));
  const found = [...fresh].flatMap(([key, [applied, ...others]]): readonly ProposedBreak[] => {
    const [was, ...oldOthers] = old.get(key) ?? [];
    if (applied === undefined || was === undefined || others.length + oldOthers.length > 0) return [];
    // A reference loses its target only if an object disappears or the reference changes.
    if (areAllThere && namesIn(was) === namesIn(applied)) return [];
    const broken = brokenReferences(before, after, { before: was, after: applied });
    const scope = scopesOf(after, applied)
      .map(({ path }) => displayPath(world, path))
      .toSorted(compareText)
      .join(', ');
    return broken.map((each) => ({ kind: 'broken', scope, item: itemOf(after, applied, each) }));
  });
  const unique = new Map(found.map((each) => [JSON.stringify([each.scope, each.item.message]), each]));
  return [...unique.values()].toSorted(
    (a, b) => compareText(a.scope, b.scope) || compareText(a.item.message, b.item.message),
  );
}

/** Returns the objects that some scopes, which may be those of another state, build, and the objects in some files, by scope and identity. */
function objectsIn(
  session: Session,
  scopes: readonly Scope[],
  files: ReadonlySet<string>,
): ReadonlyMap<string, readonly AppliedObject[]> {
  const paths = new Set(scopes.map(({ path }) => path));
  const narrowing = {
    mayApply: ({ path }: Scope) => paths.has(path),
    mayHold: (uri: string) => files.has(uri),
    files,
  };
  const found = new Map<string, AppliedObject[]>();
  for (const each of appliedObjects(session, narrowing)) {
    const key = JSON.stringify([each.builtBy?.path, ...Object.values(nameOf(session, each))]);
    getOrAdd(found, key, () => []).push(each);
  }
  return found;
}

function nameOf(session: Session, where: AppliedObject) {
  const { group, kind } = where.object;
  const catalogue = session.workspace.catalogueOf(where.file.uri);
  const namespace = effectiveNamespace(session.snapshot(), catalogue, where)?.text;
  return {
    group,
    kind,
    name: objectName(where.object).slice(kind.length + 1),
    ...(namespace !== undefined && { namespace }),
  };
}

function namesIn({ object }: AppliedObject): string {
  return JSON.stringify((object.references ?? []).map(namedBy));
}

function itemOf(session: Session, applied: AppliedObject, broken: BrokenReference): ChangeItem {
  const { file, object } = applied;
  const owner = nameOf(session, applied);
  const span = object.name?.span ?? object.kindSpan;
  const [start, end] = [offsetToPosition(file.lines, span.start), offsetToPosition(file.lines, span.end)];
  const place = owner.namespace === undefined ? '' : ` in ${owner.namespace}`;
  return {
    message: brokenSentence(`${owner.kind}/${owner.name}${place}`, broken),
    object: owner,
    path: broken.path,
    target: { group: '', kind: broken.kind, name: broken.name },
    place: { uri: file.uri, range: { start, end } },
  };
}
