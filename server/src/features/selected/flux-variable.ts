/** Finds the Flux variable under the cursor, and its value in each Kustomization that applies the object. */

import { objectAt } from '../../manifests/cursor/cursor-target.ts';
import { type Expression, mayContainVariables } from '../../manifests/gitops/envsubst.ts';
import { writtenVariables } from '../../manifests/gitops/written-variables.ts';
import { type GitopsScope, scopesApplying } from '../../workspace/gitops/defined-scopes.ts';
import type { Variable, Variables } from '../../workspace/gitops/flux-substitution.ts';
import { variablesOfScope } from '../../workspace/gitops/render-gitops.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import type { FileView } from '../view.ts';

/** The Flux variables of one Kustomization, with their values. */
export interface ScopeVariables {
  readonly scope: GitopsScope;
  readonly variables: Variables;
}

/** A Flux variable in a manifest, with its value in each Kustomization. */
export interface VariableUse {
  readonly expression: Expression;
  /**
   * The value of the variable in each Kustomization; the value is undefined if the Kustomization does not define the
   * variable.
   */
  readonly values: readonly (ScopeVariables & { readonly variable: Variable | undefined })[];
}

/** Returns the Kustomizations that substitute variables in the object at an offset, with all of their variables. */
export function variablesAround(view: FileView, offset: number): readonly ScopeVariables[] {
  const { file, workspace, catalogue } = view;
  const object = objectAt(file.manifest, offset);
  if (object === undefined) return [];
  return scopesApplying(workspace, placeOf({ file, object })).flatMap((scope) => {
    const variables = variablesOfScope(workspace, catalogue, scope);
    return variables === undefined ? [] : [{ scope, variables }];
  });
}

/** Returns the variable at an offset; undefined if there is no variable, or if no Kustomization substitutes variables in the object. */
export function variableAt(view: FileView, offset: number): VariableUse | undefined {
  const object = mayContainVariables(view.text) ? objectAt(view.file.manifest, offset) : undefined;
  const expression =
    object &&
    writtenVariables(view.text, object.span).variables.findLast((each) => each.start <= offset && offset <= each.end);
  const around = expression === undefined ? [] : variablesAround(view, offset);
  if (expression === undefined || around.length === 0) return undefined;
  const values = around.map((each) => ({ ...each, variable: each.variables.values.get(expression.name) }));
  return { expression, values };
}
