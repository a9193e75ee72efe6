/** Lists the objects as they are applied: objects that kustomizations build, and all other objects as they are written. */

import type { Session } from '../../session.ts';
import type { ObjectInFile, Workspace } from '../../workspace/model.ts';
import { type AppliedObject, appliedObjectsOf, type Narrowing } from '../../workspace/reach/applied-clusters.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import type { Indexed } from '../indexed-workspace.ts';
import { selectedOnly } from './narrowing.ts';

export type { AppliedObject };

/** The parts of an index that decide which objects are selected. */
type Selecting = Pick<Indexed, 'session' | 'selection'>;

/** Whether the paths of a command select an object in one of its scopes. */
export function isSelected({ session, selection }: Selecting, where: AppliedObject): boolean {
  return scopesOf(session, where).some((scope) => selection.selectsObject(where.file.uri, scope, where.transformers));
}

export function selectsAny(selecting: Selecting): boolean {
  for (const each of appliedObjects(selecting.session, selectedOnly(selecting)))
    if (isSelected(selecting, each)) return true;
  return false;
}

/** Returns the scopes of an object: the kustomization that builds it, or the scopes of its file. */
export function scopesOf(
  session: Session,
  { builtBy, ...where }: ObjectInFile & Pick<AppliedObject, 'builtBy'>,
): readonly Scope[] {
  return builtBy === undefined ? session.snapshot().scopes().of(placeOf(where)) : [builtBy];
}

export interface AroundSelected {
  readonly objects: readonly AppliedObject[];
  /** Whether an object is selected in the kustomization that builds `owner`. */
  isSelected(owner: Pick<AppliedObject, 'builtBy'>, where: ObjectInFile): boolean;
}

/** Returns the objects in the scopes of all selected objects, and a function that tests whether an object is selected. `narrowing` limits the scopes and files; by default, it includes all selected objects, and the result is cached for each snapshot. */
export function aroundSelected(selecting: Selecting, narrowing?: Narrowing): AroundSelected {
  if (narrowing !== undefined) return listAround(selecting, narrowing);
  const { session, selection } = selecting;
  const snapshot = session.snapshot();
  const last = known.get(selection);
  if (last?.snapshot === snapshot) return last.around;
  const around = listAround(selecting, selectedOnly(selecting));
  known.set(selection, { snapshot, around });
  return around;
}

const known = new WeakMap<Selecting['selection'], { readonly snapshot: Workspace; readonly around: AroundSelected }>();

function listAround(selecting: Selecting, narrowing: Narrowing): AroundSelected {
  const all = [...appliedObjects(selecting.session, narrowing)];
  const selected = all.filter((each) => isSelected(selecting, each));
  const keys = new Set(selected.map((each) => keyIn(each.builtBy, each)));
  const scopes = new Set(selected.flatMap((each) => scopesOf(selecting.session, each)));
  return {
    objects: all.filter((each) => scopesOf(selecting.session, each).some((scope) => scopes.has(scope))),
    isSelected: (owner, where) => keys.has(keyIn(owner.builtBy, where)),
  };
}

function keyIn(scope: AppliedObject['builtBy'], { file, object }: ObjectInFile): string {
  return `${scope?.path ?? ''}\n${file.uri}\n${object.kindSpan.start}`;
}

/** Lists every object of the workspace, or only the objects in the scopes and files of `narrowing`, once for each kustomization that builds it. */
export function appliedObjects(session: Session, narrowing?: Narrowing): Iterable<AppliedObject> {
  return appliedObjectsOf(session.snapshot(), (uri) => session.workspace.catalogueOf(uri), narrowing);
}
