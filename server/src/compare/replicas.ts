/** Determines the number of pods that a workload has according to its manifest. */

import { childOf, textOf } from '../manifests/yaml/tree.ts';
import type { Side } from '../workspace/base.ts';
import { kindKey } from '../workspace/index/file-outline.ts';
import { type AppliedObject, type Sided, writtenTree } from './update-data.ts';

/** The kinds whose controllers replace their pods after a change of the template, by `kindKey`. */
const replacing: ReadonlySet<string> = new Set(
  ['Deployment', 'StatefulSet', 'DaemonSet'].map((kind) => kindKey({ group: 'apps', kind })),
);

/** Whether the pods of a workload are replaced after a change of its template. */
export function replacesPods({ object }: Pick<AppliedObject, 'object'>): boolean {
  return replacing.has(kindKey(object));
}

/** Returns the number of replicas, which is 1 by default; undefined if it is unknown, or if a kustomization or a patch may set it. */
export function replicasIn({ side, applied }: Sided): number | undefined {
  if (mayBeScaled(side, applied)) return undefined;
  const tree = writtenTree({ side, applied });
  if (tree === undefined || tree.open) return undefined;
  const replicas = childOf(childOf(tree, 'spec'), 'replicas');
  if (replicas === undefined) return 1;
  const count = Number(textOf(replicas));
  return Number.isInteger(count) ? count : undefined;
}

/** Whether a file that builds an object mentions replicas: a kustomization, a patch, or a GitOps object. */
function mayBeScaled({ workspace, textOf: read }: Side, { builtBy, transformers = [] }: AppliedObject): boolean {
  const building = builtBy === undefined ? [] : [...workspace.scopes().partsOf(builtBy), builtBy.gitops?.uri ?? ''];
  const uris = new Set([...building, ...transformers.map(({ uri }) => uri)]);
  return [...uris].some((uri) => /\breplicas\b/.test(read(uri) ?? ''));
}
