/** The objects to which a reference refers as the overlay of the perspective or the values of a chart apply it. */

import { isSame } from '../../engine/unknowns.ts';
import type { ReferenceSite } from '../../manifests/model.ts';
import { targetKinds } from '../../manifests/sites/references.ts';
import { appliedInTurn, versionsOf } from '../../workspace/kustomize/view.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { isInNamespaceOf, isOfOtherBranch, keptIn, siteIn } from '../../workspace/references/applied-references.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import type { View } from '../view.ts';
import { type NamedTarget, targetOf } from './name-at.ts';

export interface AppliedTargets {
  readonly targets: readonly NamedTarget[];
  /** The targets that the values of the chart do not create, or that the reference names only with other values. */
  readonly otherValues: readonly NamedTarget[];
  /** The scope in which a patch replaces the name. */
  readonly replacedIn?: Scope;
  /** The scope whose values choose another branch of the template, which writes another name. */
  readonly notChosenIn?: Scope;
}

/** Divides the targets of a written reference, and finds targets whose names only the execution of the chart reveals. */
export function appliedTargets(
  view: View,
  from: ObjectInFile,
  written: ReferenceSite,
  targets: readonly NamedTarget[],
): AppliedTargets {
  const { workspace, catalogue, perspective } = view;
  for (const version of appliedInTurn(workspace, catalogue, from.file.uri, perspective)) {
    const [applied] = versionsOf(version, from.object);
    if (applied === undefined) continue;
    const site = siteIn(applied.object, written, from.object);
    if (version.scope.kind !== 'chart') {
      const where = { ...applied, workspace: version.workspace, builtBy: version.scope };
      const isReplaced = site !== undefined && keptIn(where, catalogue, applied.object, site) === 'no';
      return { targets, otherValues: [], ...(isReplaced && { replacedIn: version.scope }) };
    }
    const here = targets.filter(({ relation, is }) => relation === 'here' && is === 'object');
    const others = targets.filter((each) => !here.includes(each));
    if (site === undefined) return { targets: others, otherValues: here };
    if (isOfOtherBranch(site, written)) return { targets: others, otherValues: here, notChosenIn: version.scope };
    const kinds = targetKinds(site, catalogue);
    const found = version.rendering.objects.flatMap(({ file, object }): readonly NamedTarget[] => {
      const isMeant = kinds.some(
        ({ kind, group = object.group }) => (kind === '*' || kind === object.kind) && group === object.group,
      );
      if (!isMeant || object.name === undefined || isSame(object.name.value, site.name.value) !== 'yes') return [];
      if (!isInNamespaceOf({ object }, applied.object, site)) return [];
      const answer = object.conditions === undefined ? 'yes' : 'maybe';
      return [{ ...targetOf(file, object, object.name), relation: 'here', answer }];
    });
    const isFound = (target: NamedTarget) =>
      found.some(
        ({ file, object }) => file.uri === target.file.uri && object?.kindSpan.start === target.object?.kindSpan.start,
      );
    return {
      targets: found.length > 0 ? [...found, ...others.filter(({ relation }) => relation === 'here')] : others,
      otherValues: here.filter((each) => !isFound(each)),
    };
  }
  return { targets, otherValues: [] };
}
