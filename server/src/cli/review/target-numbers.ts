/** States which Services send requests to port numbers that the selected pods no longer declare. */

import { partsOf, podPortsIn, portsOfService } from '../../compare/object-parts.ts';
import { podNetworkOf } from '../../workspace/reach/pod-network.ts';
import type { AppliedObject } from '../objects/applied-objects.ts';
import { shownName } from '../objects/compared-names.ts';
import type { Tree } from '../trees/tree.ts';
import type { ChangedField } from './changed-fields.ts';
import type { Statement } from './model.ts';
import type { Pair } from './pairs-of-trees.ts';
import { areBeside, selectsPods } from './pod-matches.ts';

/** Returns a statement for each port number of a Service that a selected workload declared before and does not declare now. A container may listen on a port that it does not declare. */
export function undeclaredNumbers(
  trees: readonly [Tree, Tree],
  changed: readonly { readonly pair: Pair; readonly fields: readonly ChangedField[] }[],
  all: readonly Pair[],
): readonly Statement[] {
  const withPorts = new Set(changed.flatMap(({ pair, fields }) => (fields.includes('ports') ? [pair] : [])));
  if (withPorts.size === 0) return [];
  const services = all.filter(({ named }) => named.kind === 'Service' && named.group === '');
  const workloads = all.filter(({ after }) => (after?.object.templates.length ?? 0) > 0);
  return services.flatMap((service): readonly Statement[] =>
    workloads.flatMap((workload) => {
      if (!withPorts.has(service) && !withPorts.has(workload)) return [];
      const [was, is] = [targetsIn(trees[0], service.before), targetsIn(trees[1], service.after)];
      if (service.before === undefined || service.after === undefined || !areBeside(service.named, workload.named))
        return [];
      if (workload.before === undefined || workload.after === undefined) return [];
      if (selectsPods(service.after, workload.after) !== 'yes') return [];
      const [old, fresh] = [declaredIn(trees[0], workload.before), declaredIn(trees[1], workload.after)];
      const isMet = was.every((port) => old?.has(port) === true);
      const missing = is.filter((port) => fresh?.has(port) === false);
      if (!isMet || fresh === undefined || fresh.size === 0) return [];
      return missing.map((port) => ({
        text: `${shownName(service.named, false)} sends requests to port ${port}, which ${shownName(workload.named, true)} does not declare.`,
        count: 1,
      }));
    }),
  );
}

function targetsIn({ side }: Tree, applied: AppliedObject | undefined): readonly number[] {
  const ports = applied && portsOfService({ side, applied });
  return ports?.ports.flatMap(({ target }) => (typeof target === 'number' ? [target] : [])) ?? [];
}

/** Returns the numbers of the ports that the pods of a workload declare; undefined if they are unknown. */
function declaredIn({ side }: Tree, applied: AppliedObject): ReadonlySet<number> | undefined {
  const [template] = applied.object.templates;
  if (template === undefined || partsOf({ side, applied }) === undefined) return undefined;
  const ports = podPortsIn({ side, applied }, template.path);
  if (ports === undefined || ports.open) return undefined;
  return new Set(podNetworkOf(ports).ports.flatMap(({ number }) => (typeof number === 'number' ? [number] : [])));
}
