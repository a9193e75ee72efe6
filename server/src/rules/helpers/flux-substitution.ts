/** Determines which Flux Kustomizations certainly substitute variables in the text of an object. */

import type { ManifestObject } from '../../manifests/model.ts';
import { type GitopsScope, scopesApplying } from '../../workspace/gitops/defined-scopes.ts';
import { disablingMark, type Variables } from '../../workspace/gitops/flux-variables.ts';
import { variablesOfScope } from '../../workspace/gitops/render-gitops.ts';
import { isSameObject } from '../../workspace/same-object.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import type { RuleContext } from '../framework/rule.ts';

/** A Flux Kustomization that substitutes variables, and these variables. */
interface Substitution {
  readonly scope: GitopsScope;
  readonly variables: Variables;
}

/** Returns the Flux Kustomizations that substitute variables in an object of the file; none if a label or annotation of the object may disable the substitution. */
export function substitutionsOf(
  { workspace, catalogue, file }: RuleContext,
  object: ManifestObject,
): readonly Substitution[] {
  if (!isSubstituted(object)) return [];
  return scopesApplying(workspace, placeOf({ file, object })).flatMap((scope) => {
    const variables = variablesOfScope(workspace, catalogue, scope);
    return variables !== undefined && substitutes(variables) ? [{ scope, variables }] : [];
  });
}

function substitutes({ values, always }: Variables): boolean {
  return values.size > 0 || always;
}

function isSubstituted({ labelSites }: ManifestObject): boolean {
  const marks = labelSites.filter(({ path }) => path === 'metadata.labels' || path === 'metadata.annotations');
  return !marks.some(({ entries, open }) => {
    return open || entries.some(({ key, value }) => key.text === disablingMark && value.text !== 'enabled');
  });
}

/** Whether a Kustomization builds an object, and no transformer except for labels changes the object before variables are substituted. */
export function isUnchanged(
  { workspace, catalogue, file }: RuleContext,
  { path }: GitopsScope,
  object: ManifestObject,
): boolean {
  const built = workspace.rendering(path, catalogue)?.objects.filter((each) => isSameObject(each, { file, object }));
  return (
    built !== undefined &&
    built.length > 0 &&
    built.every(({ transformers }) => transformers.every(({ kind }) => kind === 'labels'))
  );
}
