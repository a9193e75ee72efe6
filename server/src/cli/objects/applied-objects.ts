/** The objects as they are applied: those that kustomizations build, and all others as they are written. */

import type { Session } from '../../session.ts';
import type { Writer } from '../../workspace/kustomize/transformer-sources.ts';
import { seenBy } from '../../workspace/kustomize/view.ts';
import type { ObjectInFile, Workspace } from '../../workspace/model.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import { objectsOf } from '../../workspace/snapshot.ts';
import type { Indexed } from '../indexed-workspace.ts';

/** An object as a kustomization builds it, or as it is written where none does. */
export interface AppliedObject extends ObjectInFile {
  /** The kustomization that builds it. */
  readonly builtBy?: Scope | undefined;
  /** What the objects around it are then. */
  readonly workspace: Workspace;
  /** What wrote into it. */
  readonly writers?: readonly Writer[];
}

/** What is asked of an index to tell which objects are selected. */
type Selecting = Pick<Indexed, 'session' | 'selection'>;

/** Whether the paths of a command select an object in one of its scopes. */
export function isSelected({ session, selection }: Selecting, where: AppliedObject): boolean {
  return scopesOf(session, where).some((scope) => selection.selectsObject(where.file.uri, scope, where.writers));
}

/** The scopes of an object: the kustomization that builds it, or those of its place. */
export function scopesOf(
  session: Session,
  { builtBy, ...where }: ObjectInFile & Pick<AppliedObject, 'builtBy'>,
): readonly Scope[] {
  return builtBy === undefined ? session.snapshot().scopes().of(placeOf(where)) : [builtBy];
}

/** The objects in the scopes of all that is selected, and which of them are. */
export function aroundSelected(selecting: Selecting) {
  const all = [...appliedObjects(selecting.session)];
  const selected = all.filter((each) => isSelected(selecting, each));
  const keys = new Set(selected.map((each) => keyIn(each.builtBy, each)));
  const scopes = new Set(selected.flatMap((each) => scopesOf(selecting.session, each)));
  return {
    objects: all.filter((each) => scopesOf(selecting.session, each).some((scope) => scopes.has(scope))),
    /** Whether an object is selected as the kustomization of `owner` builds it. */
    isSelected: (owner: AppliedObject, where: ObjectInFile) => keys.has(keyIn(owner.builtBy, where)),
  };
}

function keyIn(scope: AppliedObject['builtBy'], { file, object }: ObjectInFile): string {
  return `${scope?.path ?? ''}\n${file.uri}\n${object.kindSpan.start}`;
}

/** Every object of the workspace, once for each kustomization that builds it. */
export function* appliedObjects(session: Session): Iterable<AppliedObject> {
  const workspace = session.snapshot();
  const scopes = workspace.scopes();
  const built = new Set<Scope>();
  for (const scope of scopes.all()) {
    const catalogue = session.workspace.catalogueOf(scope.path);
    const view = seenBy(workspace, catalogue, scope);
    const rendering = view && workspace.rendering(scope.path, catalogue);
    if (view === undefined || rendering === undefined) continue;
    built.add(scope);
    for (const where of rendering.objects)
      if (where.object.forCluster) yield { ...where, builtBy: scope, workspace: view };
  }
  for (const file of workspace.files.values()) {
    if (file.config !== undefined || file.objects === 0) continue;
    for (const object of objectsOf(workspace, file)) {
      const where = { file, object };
      if (!scopes.of(placeOf(where)).some((scope) => built.has(scope))) yield { ...where, workspace };
    }
  }
}
