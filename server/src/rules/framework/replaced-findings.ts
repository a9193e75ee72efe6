/** Removes findings about text of a base that every kustomization replaces, such as a placeholder. A finding about text that some kustomizations keep names these kustomizations. */

import { type FieldPath, fieldPath, isWithinField, pathAt } from '../../manifests/kustomize/replaced-paths.ts';
import { localize } from '../../text/localize.ts';
import { mayReplace, type TransformerSource } from '../../workspace/kustomize/transformer-sources.ts';
import { treeOf } from '../../workspace/object-trees.ts';
import { isSameObject } from '../../workspace/same-object.ts';
import { namesOf } from '../../workspace/scopes/scope-names.ts';
import type { Context, Version } from './context.ts';
import type { Finding } from './rule.ts';

/** Returns the findings about text that at least one version of the file contains; `find` is a rule that checks files as they are written. */
export function withoutReplaced(
  context: Context,
  versions: readonly Version[],
  findings: readonly Finding[],
): readonly Finding[] {
  return versions.length === 0 ? findings : findings.flatMap((finding) => asKept(context, versions, finding));
}

function asKept(context: Context, versions: readonly Version[], finding: Finding): readonly Finding[] {
  // kustomize reads the text of a file before it changes objects.
  if (finding.common === 'syntax' || finding.common === 'duplicateKeys') return [finding];
  const { start } = finding.span;
  const object = context.stored.findLast(({ span }) => span.start <= start && start < span.end);
  // A template may omit an object.
  if (object === undefined || object.template !== undefined) return [finding];
  const path = pathAt(treeOf(context, object), object.group, start);
  if (path === undefined) return [finding];
  const keeping = versions.filter(({ scope, workspace }) => {
    const built = workspace.rendering(scope.path, context.catalogue)?.objects ?? [];
    return built.some(
      (each) =>
        isSameObject(each, { file: context.file, object }) &&
        !each.object.obscured &&
        !each.transformers.some((transformer) => replaces(transformer, path)),
    );
  });
  if (keeping.length === versions.length) return [finding];
  if (keeping.length === 0) return [];
  const scopes = keeping.map(({ scope }) => scope);
  const names = namesOf(
    scopes,
    versions.map(({ scope }) => scope),
  );
  return [{ ...finding, scopes, message: localize`${finding.message} In ${names}.` }];
}

/** Whether a transformer replaces the text at a path. Of a patch whose fields are not stored, only the labels, annotations and selectors are known. */
function replaces(transformer: TransformerSource, path: FieldPath): boolean {
  if (transformer.kind !== 'merge' || transformer.object.replacedFields !== undefined)
    return mayReplace(transformer, path);
  const above = path.slice(0, -1);
  return [...transformer.object.labelSites, ...transformer.object.selectorSites].some((site) => {
    const map = fieldPath(site.path);
    const isSame = map.length === above.length && isWithinField(above, map);
    return isSame && site.entries.some(({ key }) => key.text === path.at(-1));
  });
}
