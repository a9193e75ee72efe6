/** Evaluates which ports of pods a Server of Linkerd covers. Source: policy-controller of Linkerd. */

import { fieldOf, isRecord } from '../structured.ts';
import type { LabelSet, Value } from '../types.ts';
import { dependsOnTemplate, maybe, no, selectorAnswer } from './three-valued.ts';
import type { PolicyAnswer } from './types.ts';

/** A pod with the ports that its containers declare. */
export interface LinkerdPod {
  readonly namespace: Value;
  readonly labels: LabelSet;
  readonly ports: readonly { readonly name?: string; readonly containerPort: number }[];
}

/** Whether a Server covers a port of a pod. A number need not be declared; a name may mean several ports. */
export function serverAnswer(namespace: Value, spec: unknown, pod: LinkerdPod, port: number): PolicyAnswer {
  if (dependsOnTemplate(spec)) return maybe('it depends on a template');
  if (namespace !== pod.namespace)
    return typeof namespace === 'string' && typeof pod.namespace === 'string' ? no : maybe('a namespace is not set');
  const selector = fieldOf(spec, 'podSelector');
  if (!isRecord(selector)) return no;
  const selected = selectorAnswer(selector, pod.labels, 'its labels are unknown');
  if (selected.answer === 'no') return no;
  return coversPort(fieldOf(spec, 'port'), pod, port) ? selected : no;
}

function coversPort(wanted: unknown, { ports }: LinkerdPod, port: number): boolean {
  if (typeof wanted === 'number') return wanted === port;
  if (typeof wanted !== 'string') return false;
  if (/^\d+$/.test(wanted)) return Number(wanted) === port;
  return ports.some(({ name, containerPort }) => name === wanted && containerPort === port);
}
