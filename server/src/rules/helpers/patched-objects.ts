/** Finds the built objects of other files that the patches in a file change. */

import { sourceOf } from '../../compare/update-data.ts';
import type { ManifestObject, Written } from '../../manifests/model.ts';
import { localize } from '../../text/localize.ts';
import { buildsWithAny } from '../../workspace/kustomize/view.ts';
import type { EffectiveObject } from '../../workspace/model.ts';
import { isRendered, type Scope } from '../../workspace/scopes/model.ts';
import { scopeName } from '../../workspace/scopes/scope-names.ts';
import type { Related, RuleContext } from '../framework/rule.ts';
import { objectNameOf } from './sentences.ts';
import { flowStyleAt, spanOfWritten } from './written-spans.ts';

/** A built object that a patch in a file changes. */
export interface PatchedObject extends EffectiveObject {
  readonly scope: Scope;
}

type Seen = Pick<RuleContext, 'file' | 'manifest' | 'workspace'>;

/** Whether a file may contain patches of objects of other files. */
export function mayPatch({ file, manifest, workspace }: Seen): boolean {
  return (
    (file.kustomization?.changes.length ?? 0) > 0 ||
    manifest.trees !== undefined ||
    manifest.objects.some(({ gitopsSpec }) => gitopsSpec !== undefined) ||
    workspace.scopes().isPatch(file.uri)
  );
}

/** Returns the objects of other files that the patches in a file change: those that one kustomization builds if the context is its view, and those of all scopes otherwise. */
export function patchedObjects(context: RuleContext): readonly PatchedObject[] {
  if (!mayPatch(context)) return [];
  const { workspace, catalogue, uri } = context;
  const { appliedBy } = workspace;
  const scopes = appliedBy === undefined ? buildsWithAny(workspace, new Set([uri])) : [appliedBy].filter(isRendered);
  return scopes.flatMap((scope) =>
    (workspace.rendering(scope.path, catalogue)?.objects ?? [])
      .filter(
        ({ file, object, transformers }) =>
          object.forCluster && file.uri !== uri && transformers.some((each) => each.uri === uri),
      )
      .map((each) => ({ ...each, scope })),
  );
}

/** Returns a built object as it is in its file. */
export function unpatched(
  { workspace }: Pick<RuleContext, 'workspace'>,
  patched: PatchedObject,
): ManifestObject | undefined {
  return sourceOf({ workspace: workspace.written ?? workspace }, patched)?.object;
}

/** Returns a scalar that a patch of the file writes, at its position in the file. It has an origin only if the position contains more than the scalar, so that no fix can edit it. */
export function placeInPatch({ text, uri }: RuleContext, scalar: Written): Written | undefined {
  const origin = scalar.origin ?? { uri, span: scalar.span };
  const place = spanOfWritten(text, { is: 'value', scalar: { ...scalar, origin } });
  if (place === undefined) return undefined;
  const { span, holds, inString } = place;
  const isWhole = holds === 'scalar' && inString === undefined;
  const { origin: _, ...known } = scalar;
  return { ...known, span, style: flowStyleAt(text, span.start), ...(!isWhole && { origin }) };
}

export function relatedTo({ file, object, scope }: PatchedObject): Related {
  const message = localize`Written into ${objectNameOf(object)} in ${scopeName(scope, [scope])}.`;
  return { file, span: object.kindSpan, message };
}
