/** Parses the reference of an autoscaler to the workload that it scales. */

import type { ScaleTarget } from '../model.ts';
import { childOf, type Node } from '../yaml/tree.ts';
import { written } from './sites.ts';

/** The API group of the vertical autoscaler. Its kinds refer to their workload in `targetRef`, all other kinds in `scaleTargetRef`. */
const verticalGroup = 'autoscaling.k8s.io';

/** Returns the workload that an object scales; undefined if the object does not refer to a workload, or if a template generates the reference. A `scaleTargetRef` without a kind refers to a Deployment, as in KEDA's ScaledObject. */
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

/** Returns the text of a scalar; `absent` if the field is missing, and undefined if its text is unknown. */
function textOf(node: Node | undefined, absent: string): string | undefined {
  if (node === undefined) return absent;
  return node.kind === 'scalar' && node.pattern === undefined ? node.text : undefined;
}
