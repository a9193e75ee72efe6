/** An object of a cluster, and whether and in which namespace it certainly exists. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import type { Value } from '../../engine/index.ts';
import { releaseNamespace } from '../../manifests/helm/value.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { isChartTemplate } from '../charts/chart-files.ts';
import type { ObjectInFile, Workspace } from '../model.ts';
import { placeOf } from '../scopes/scope-facts.ts';
import { effectiveNamespace } from '../selection/namespaces.ts';
import { isIn } from '../snapshot.ts';
import { labeledPods } from './network-objects.ts';

/** An object of a cluster, and the workspace as seen from its scope. */
export interface ClusterObject extends ObjectInFile {
  readonly workspace: Workspace;
}

/** Whether kubectl rejects a part of the file of an object, so that what its policies are is uncertain. */
export function isInBrokenFile({ file }: ClusterObject): boolean {
  return file.manifest.syntaxErrors > 0 && !isChartTemplate(file);
}

/** Whether an object certainly belongs to a namespace: it has pods, or is a policy of a namespace. */
export function isInSomeNamespace(object: ManifestObject): boolean {
  return /^(?:Cilium)?NetworkPolicy$/.test(object.kind) || labeledPods(object).length > 0;
}

/** Returns the namespace of an object, which is unknown for a Helm release; undefined if it is not set. */
export function namespaceOf(where: ClusterObject, catalogue: Catalogue): Value | undefined {
  const { object, workspace } = where;
  const found = effectiveNamespace(workspace, catalogue, where);
  if (found !== undefined) return found.value;
  const isOfChart = isIn(workspace, placeOf(where), 'chart');
  return object.namespace !== undefined || isOfChart ? { unknown: releaseNamespace } : undefined;
}
