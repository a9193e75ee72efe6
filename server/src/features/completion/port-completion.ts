/** Completion of ports in a network policy: the ports that pods declare. */

import { typedScalar } from '../../manifests/write/write-completion.ts';
import { localize } from '../../text/localize.ts';
import { podNetworkOf } from '../../workspace/reach/pod-network.ts';
import { podEnds, subjectsOf } from '../../workspace/reach/summaries.ts';
import { objectName } from '../presentation/object-names.ts';
import { clusterAround, policyAt } from '../reach/cluster-around.ts';
import { type Completing, item, ownerOf, scalarItem, type TargetOf } from './completion-item.ts';
import type { Completion } from './model.ts';

/** Returns the ports of the pods that the policy selects or, for egress rules, of all pods; named ports come first. */
export function policyPortItems(completing: Completing<TargetOf<'policyPort'>>): readonly Completion[] {
  const { view, place } = completing;
  const { object } = ownerOf(completing);
  const cluster = clusterAround(view, object);
  if (cluster === undefined) return [];
  const policy = policyAt(view, cluster, object);
  const selected = place.direction === 'ingress' ? subjectsOf(cluster, policy) : [];
  const names = new Map<string, string>();
  const numbers = new Map<string, string>();
  for (const { workload } of selected.length > 0 ? selected : podEnds(cluster)) {
    const { object } = workload.where;
    const template = object.templates.find(({ path }) => path === workload.via);
    const { ports } = podNetworkOf(workload.via === undefined ? object.ports : template?.ports);
    for (const { name, number, protocol } of ports) {
      if (number === undefined || protocol === undefined) continue;
      if (place.protocol !== undefined && place.protocol !== protocol) continue;
      const description = localize`${protocol} ${number} of ${objectName(object)}`;
      if (place.form !== 'number' && typeof name === 'string' && !names.has(name)) names.set(name, description);
      if (place.form !== 'name' && !numbers.has(`${number}`)) numbers.set(`${number}`, description);
    }
  }
  const named = [...names].map(([label, description]) => scalarItem(completing, { label, kind: 'value', description }));
  const numbered = [...numbers].map(([label, description]) => {
    const { edit, ...typed } = typedScalar(completing.cursorTarget, label);
    // A quoted number would be interpreted as a port name.
    const number = { ...typed, edit: { ...edit, text: edit.text.replaceAll('"', '') } };
    return item(completing, { label, kind: 'value', description }, number);
  });
  return [...named, ...numbered];
}
