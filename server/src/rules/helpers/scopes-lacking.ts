/** Finds the scopes in which a reference certainly has a target, but the target lacks a part that the reference names. */

import type { FieldPath } from '../../manifests/kustomize/replaced-paths.ts';
import { fieldPath } from '../../manifests/kustomize/replaced-paths.ts';
import type { ReferenceSite } from '../../manifests/model.ts';
import { isCompleteExceptObjects, keepsField } from '../../workspace/kustomize/kept-fields.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import type { ReferenceTarget } from '../../workspace/references/model.ts';
import { mayCreate } from '../../workspace/references/producers.ts';
import { scopesOfTarget } from '../../workspace/references/targets.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import { namesOf } from '../../workspace/scopes/scope-names.ts';
import type { RuleContext } from '../framework/rule.ts';

/** A part of an object, such as a key or a port. */
interface Part {
  /** Whether a target certainly lacks the part. */
  isMissingIn(target: ReferenceTarget): boolean;
  /** The paths of the fields of a target that may contain the part. */
  readonly fields: readonly FieldPath[];
}

interface ScopeLacking {
  readonly scope: Scope;
  readonly targets: readonly [ReferenceTarget, ...ReferenceTarget[]];
}

/** Returns the scopes of an object in which all targets of its reference lack a part, and no patch changes the reference or the part. */
export function scopesLacking(
  { workspace, catalogue }: Pick<RuleContext, 'workspace' | 'catalogue'>,
  where: ObjectInFile,
  site: ReferenceSite,
  all: readonly ReferenceTarget[],
  part: Part,
): readonly ScopeLacking[] {
  const reference = fieldPath(site.path).slice(0, -1);
  const isKept = (scope: Scope, target: ReferenceTarget) => {
    // The generator changes the object of another target.
    if (target.keys?.areAdded) return true;
    // A controller creates its object from any fields of its own object.
    const fields = target.is === 'producer' ? [['spec']] : part.fields;
    return fields.every((field) => keepsField(workspace, catalogue, scope, target, field));
  };
  return workspace
    .scopes()
    .of(placeOf(where))
    .flatMap((scope): readonly ScopeLacking[] => {
      const [first, ...others] = all.filter((each) => scopesOfTarget(workspace, each).includes(scope));
      if (first === undefined) return [];
      const isLacking = [first, ...others].every(
        (each) => each.relation === 'here' && each.answer === 'yes' && part.isMissingIn(each),
      );
      const isCertain =
        isLacking &&
        isCompleteExceptObjects(workspace, scope) &&
        (scope.closed === true || !mayCreate(workspace, scope, first.name)) &&
        keepsField(workspace, catalogue, scope, where, reference) &&
        [first, ...others].every((each) => isKept(scope, each));
      return isCertain ? [{ scope, targets: [first, ...others] }] : [];
    });
}

/** Returns the names of some scopes of an object; undefined if these are all of its scopes. */
export function namesOfSome(
  { workspace }: Pick<RuleContext, 'workspace'>,
  where: ObjectInFile,
  some: readonly Scope[],
): string | undefined {
  const all = workspace.scopes().of(placeOf(where));
  return some.length < all.length ? namesOf(some, all) : undefined;
}
