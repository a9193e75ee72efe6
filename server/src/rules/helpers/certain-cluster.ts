/** Determines whether a GitOps object certainly applies its objects, and to which cluster. */

import { getOrAdd } from '../../engine/memoize.ts';
import { skippingMark } from '../../manifests/gitops/argo.ts';
import { writtenAt } from '../../manifests/kustomize/kustomization-fields.ts';
import { childOf, nodeAt } from '../../manifests/yaml/tree.ts';
import { definitionIn, type GitopsScope } from '../../workspace/gitops/defined-scopes.ts';
import type { Workspace } from '../../workspace/model.ts';
import type { RuleContext } from '../framework/rule.ts';
import { isAppliedAsWritten } from './applied-as-written.ts';

/** Whether a GitOps object certainly applies the objects of this revision to the cluster that is written in its file. `context` contains the snapshot. */
export function isSurelyApplied(context: Pick<RuleContext, 'workspace' | 'catalogue'>, scope: GitopsScope): boolean {
  const known = getOrAdd(surelyApplied, context.workspace, () => new Map<GitopsScope, boolean>());
  return getOrAdd(known, scope, () => {
    const isCurrent = scope.gitops.located.every((folder) => folder?.isPinned !== true);
    return isCurrent && isActive(context.workspace, scope) && hasOwnCluster(context, scope);
  });
}

const surelyApplied = new WeakMap<Workspace, Map<GitopsScope, boolean>>();

/** Whether the definition of a GitOps object, as it is in its file, is certainly reconciled. */
export function isActive({ files }: Workspace, { gitops }: GitopsScope): boolean {
  const { gitopsSpec: spec, labelSites = [] } = definitionIn(gitops, files) ?? {};
  const isSuspended = (writtenAt(spec, 'suspend')?.text ?? 'false') !== 'false';
  const isSkipped =
    childOf(nodeAt(spec, 'template', 'metadata', 'annotations'), skippingMark) !== undefined ||
    labelSites.some(
      ({ path, entries }) => path.startsWith('metadata.') && entries.some(({ key }) => key.text === skippingMark),
    );
  return spec !== undefined && !isSuspended && !isSkipped;
}

/** Whether a GitOps object is applied with the cluster that is written in its file. */
export function hasOwnCluster(
  { workspace, catalogue }: Pick<RuleContext, 'workspace' | 'catalogue'>,
  scope: GitopsScope,
): boolean {
  const { gitops } = scope;
  const definition = definitionIn(gitops, workspace.files);
  if (definition === undefined || gitops.facts.rendered !== undefined) return definition !== undefined;
  return isAppliedAsWritten({ workspace, catalogue, uri: gitops.uri }, scope, definition, ({ gitopsSpec: spec }) => [
    ...['destination', 'kubeConfig', 'suspend'].map((key) => childOf(spec, key)),
    nodeAt(spec, 'template', 'spec', 'destination'),
  ]);
}
