/** Determines whether the scopes that apply a GitOps object leave parts of its definition as they are written. */

import { knownData } from '../../manifests/gitops/argo.ts';
import { pathIn } from '../../manifests/gitops/flux.ts';
import { patchFields } from '../../manifests/kustomize/kustomization-patches.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { childOf, itemsOf, type Node } from '../../manifests/yaml/tree.ts';
import type { GitopsScope } from '../../workspace/gitops/defined-scopes.ts';
import { parentsOf } from '../../workspace/gitops/scope-questions.ts';
import { isSameObject } from '../../workspace/same-object.ts';
import type { RuleContext } from '../framework/rule.ts';

/** Whether all scopes that apply the definition of a scope, or an object without a scope, leave parts of it as they are written; `partsOf` returns these parts. */
export function isAppliedAsWritten(
  { workspace, catalogue, uri }: Pick<RuleContext, 'workspace' | 'catalogue' | 'uri'>,
  scope: GitopsScope | undefined,
  object: ManifestObject,
  partsOf: (object: ManifestObject) => readonly (Node | undefined)[],
): boolean {
  const { appliedBy, sources } = scope?.gitops.facts ?? {};
  // Of a version, the path has no variables left.
  const pathOf = (each: ManifestObject, path: Node) => (each === object ? sources?.[0]?.path : pathIn(path));
  const dataOf = (each: ManifestObject) => {
    const path = appliedBy === undefined ? undefined : childOf(each.gitopsSpec, 'path');
    return JSON.stringify(partsOf(each).map((part) => part && (part === path ? pathOf(each, part) : knownData(part))));
  };
  return parentsOf(
    scope?.path ?? '',
    uri,
  )(workspace.scopes()).every((parent) => {
    const rendering = workspace.rendering(parent, catalogue);
    // Nothing changes the objects of a chart after it is rendered.
    if (scope?.gitops.facts.rendered !== undefined) return rendering !== undefined && !rendering.hasOtherValues;
    const applied = rendering?.objects.find((each) => isSameObject(each, { file: { uri }, object }));
    return applied !== undefined && dataOf(applied.object) === dataOf(object);
  });
}

/** Returns the patches of a GitOps object. */
export function gitopsPatchesIn({ gitopsSpec }: ManifestObject): readonly (Node | undefined)[] {
  const sources = [childOf(gitopsSpec, 'source'), ...itemsOf(childOf(gitopsSpec, 'sources'))];
  return [gitopsSpec, ...sources.map((source) => childOf(source, 'kustomize'))].flatMap((each) =>
    patchFields.map((field) => childOf(each, field)),
  );
}
