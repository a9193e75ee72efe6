/** Parses the reference of an autoscaler to the workload that it scales. */

import type { ScaleTarget } from '../model.ts';
import { childOf, type Node } from '../yaml/tree.ts';
import { written } from './sites.ts';

/** Kinds of the group of the vertical autoscaler name their workload in `targetRef`, all others in `scaleTargetRef`. */
const verticalGroup = 'autoscaling.k8s.io';

/**
 * Returns the workload that an object scales; undefined if it names none, or if a template writes the reference. A
 * `scaleTargetRef` without a kind means a Deployment, as in KEDA's ScaledObject.
 */
export function scaleTargetOf(group: string, root: Node): ScaleTarget | undefined {
  const spec = childOf(root, 'spec');
  const reference = childOf(spec, group === verticalGroup ? 'targetRef' : 'scaleTargetRef');
  const name = childOf(reference, 'name');
  if (name?.kind !== 'scalar' || name.pattern !== undefined || name.type !== 'string') return undefined;
  const kind = textOf(childOf(reference, 'kind'), 'Deployment');
  const apiVersion = textOf(childOf(reference, 'apiVersion'), '');
  if (kind === undefined || apiVersion === undefined) return undefined;
  const slash = apiVersion.indexOf('/');
  const targetGroup = slash === -1 ? undefined : apiVersion.slice(0, slash);
  return { kind, ...(targetGroup !== undefined && { group: targetGroup }), name: written(name) };
}

/** Returns the text of a scalar, `absent` if there is none, and undefined if it is unknown. */
function textOf(node: Node | undefined, absent: string): string | undefined {
  if (node === undefined) return absent;
  return node.kind === 'scalar' && node.pattern === undefined ? node.text : undefined;
}
