/** Determines which unquoted scalars kustomize reads as strings although `kubectl apply` does not. */

import { isKustomizationName } from '../../manifests/kustomize/kustomization.ts';
import type { Written } from '../../manifests/model.ts';
import { namesIn } from '../../workspace/kustomize/folder-names.ts';
import type { Workspace } from '../../workspace/model.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import { fileNameOf, folderOf } from '../../workspace/uri.ts';
import type { RuleContext } from '../framework/rule.ts';
import { inlinePatchesIn } from './patch-parts.ts';

/** Whether only kustomize reads a file, as a resource or as a patch. kustomize writes quotes where a string needs them. */
export function isReadByKustomize({ workspace, uri }: RuleContext): boolean {
  const scopes = workspace.scopes();
  if (isKustomizationName(fileNameOf(uri))) return false;
  if (scopes.isPatch(uri) || isBesideCopiedKustomization(workspace, uri)) return true;
  const appliedIn = scopes.of(uri);
  return appliedIn.length > 0 && appliedIn.every(isBuiltByKustomize);
}

/** Whether a Kustomization in a file with another name is in the folder. It is copied before a build, so what it contains is unknown. */
function isBesideCopiedKustomization(workspace: Workspace, uri: string): boolean {
  const folder = folderOf(uri);
  return [...namesIn(workspace, folder)].some(
    (name) =>
      /kustomization/i.test(name) &&
      !isKustomizationName(name) &&
      workspace.files
        .get(workspace.at(folder, name))
        ?.manifest.objects.some(({ group }) => group === 'kustomize.config.k8s.io'),
  );
}

function isBuiltByKustomize({ kind, gitops }: Scope): boolean {
  if (kind === 'kustomization' || kind === 'flux-kustomization') return true;
  if (kind !== 'argo-application' || gitops === undefined || gitops.contents.length === 0) return false;
  return gitops.contents.every((content) => content?.kustomized === true);
}

/**
 * Whether a scalar of the file is a string for kustomize, which implements YAML 1.2, although it is a boolean in YAML 1.1:
 * `yes`, `off`, `y`, also with a name prefix. The scopes of the workspace are computed only for such a scalar.
 */
export function isStringInKustomize(context: RuleContext, scalar: Written): boolean {
  return (
    scalar.type === 'boolean' &&
    scalar.tagged === undefined &&
    !/^(?:true|false)$/i.test(scalar.text) &&
    (isReadByKustomize(context) || isInMergePatch(context, scalar))
  );
}

/** Whether a scalar is in a strategic merge patch in a kustomization or GitOps object, which kustomize reads as YAML 1.2, in contrast to the file itself and to JSON patches in it. */
function isInMergePatch(context: RuleContext, { span }: Written): boolean {
  return inlinePatchesIn(context).some(({ inline }) =>
    inline?.objects.some((object) => object.span.start <= span.start && span.end <= object.span.end),
  );
}
