/** Finds references to Services in URLs and DNS names: in the environment and arguments of containers, and in ConfigMaps. */

import type { KindFact, ReferenceFact } from '../../engine/catalogue/types.ts';
import type { Mutable, ReferenceSite } from '../model.ts';
import { hostsIn, hostValue } from '../service-names.ts';
import { childOf, itemsOf, type Node, type ScalarNode, textOf } from '../yaml/tree.ts';
import { type PodSpec, podSpecsIn, resolutionIn } from './pod-dns.ts';
import { written } from './sites.ts';
import { writtenPiece } from './string-pieces.ts';

/** The fact about references in text, which may also be names of hosts that are no Services. */
const hostFact: ReferenceFact = {
  path: 'host',
  targets: [{ group: '', kind: 'Service' }],
  form: 'host',
  guessed: true,
};

/** The maximum number of references in an object; real objects have fewer. */
const maximumHosts = 200;

/** Returns the hosts in the text of an object that may be Services, except in block scalars, whose positions are unknown. */
export function hostReferences(root: Node, facts: KindFact): readonly ReferenceSite[] {
  const found: ReferenceSite[] = [];
  for (const { path, node, variable, pod } of textsIn(root, facts)) {
    if (node.style === 'block' || node.pattern !== undefined) continue;
    const only = variable === undefined ? undefined : hostValue(variable, node.text);
    if (only === undefined && !mayHoldHosts(node.text)) continue;
    const text = written(node);
    for (const { service, namespace } of only === undefined ? hostsIn(node.text) : [only]) {
      const name = writtenPiece(text, service);
      if (name === undefined || found.length >= maximumHosts) continue;
      const resolution = pod === undefined ? 'service' : resolutionIn(pod, hostFrom(node.text, service.start));
      if (resolution === 'other') continue;
      const site: Mutable<ReferenceSite> = { path, fact: hostFact, name };
      if (resolution === 'maybe') site.optional = true;
      const where = namespace && writtenPiece(text, namespace);
      if (where !== undefined) site.namespace = where;
      found.push(site);
    }
  }
  return found;
}

/** Returns the whole host name that begins at an offset. */
function hostFrom(text: string, start: number): string {
  return /^[\w.-]*/.exec(text.slice(start))?.[0] ?? '';
}

/** Tests quickly whether a text may contain the host of a URL, or a host with a port. */
function mayHoldHosts(text: string): boolean {
  return text.includes(':') || text.includes('.svc');
}

interface TextAt {
  readonly path: string;
  readonly node: ScalarNode;
  /** The name of the variable or the key of the ConfigMap whose value the text is. */
  readonly variable?: string | undefined;
  /** The pod whose container has the text. */
  readonly pod?: PodSpec;
}

function* textsIn(root: Node, facts: KindFact): Iterable<TextAt> {
  if (facts.group === '' && facts.kind === 'ConfigMap') yield* valuesOf(childOf(root, 'data'), 'data');
  for (const pod of podSpecsIn(root, facts)) yield* textsInPod(pod);
}

function* textsInPod(pod: PodSpec): Iterable<TextAt> {
  for (const list of ['containers', 'initContainers']) {
    for (const [index, container] of itemsOf(childOf(pod.spec, list)).entries()) {
      const at = `${pod.path.join('.')}.${list}[${index}]`;
      for (const field of ['args', 'command'])
        for (const node of itemsOf(childOf(container, field)))
          if (node.kind === 'scalar') yield { path: `${at}.${field}`, node, pod };
      for (const variable of itemsOf(childOf(container, 'env'))) {
        const node = childOf(variable, 'value');
        const name = textOf(childOf(variable, 'name'));
        if (node?.kind === 'scalar') yield { path: `${at}.env`, node, pod, variable: name };
      }
    }
  }
}

function* valuesOf(map: Node | undefined, path: string): Iterable<TextAt> {
  if (map?.kind !== 'map') return;
  for (const { key, value } of map.entries)
    if (value.kind === 'scalar') yield { path, node: value, variable: key.text };
}
