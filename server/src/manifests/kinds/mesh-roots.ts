/** Reads the configurations of a mesh of Istio, whose root namespace contains the policies for all namespaces. Sources: the API and the charts of Istio. */

import type { GroupKind } from '../../engine/catalogue/types.ts';
import { childOf, effectiveEntries, isOpen, knownTextOf, type Node, nodeAt } from '../yaml/tree.ts';

/** The namespace that is the root namespace unless the configuration names a different one. */
const defaultRoot = 'istio-system';

/** The fields that determine the root namespace, at any depth of an object for the operator. */
const fields: ReadonlySet<string> = new Set(['rootNamespace', 'istioNamespace']);

/** The mark of a mesh of which any namespace may be the root namespace. */
export const anyRoot = '*';

/** Returns the configuration of a mesh in a ConfigMap; undefined for other objects. */
export function meshConfigOf({ group, kind }: GroupKind, root: Node): Node | undefined {
  if (group !== '' || kind !== 'ConfigMap') return undefined;
  return isMeshName(knownTextOf(nodeAt(root, 'metadata', 'name'))) ? nodeAt(root, 'data', 'mesh') : undefined;
}

/** Whether a name is that of a ConfigMap with the configuration of a mesh. */
export function isMeshName(name = ''): boolean {
  return /^istio(?:$|-)/.test(name);
}

/** Returns the namespaces that may be the root namespace according to a configuration of a mesh; undefined if the object is no such configuration, or if a template determines the namespace. */
export function meshRootsIn({ group, kind }: GroupKind, root: Node): readonly string[] | undefined {
  const own = nodeAt(root, 'metadata', 'namespace');
  if (group === '' && kind === 'ConfigMap') {
    const text = knownTextOf(meshConfigOf({ group, kind }, root));
    if (text === undefined) return undefined;
    const [, named] = /^rootNamespace:[ \t]*["']?([^\s"'#]+)/m.exec(text) ?? [];
    return withDefault([own], named);
  }
  if (group !== 'install.istio.io' && !(group === 'sailoperator.io' && kind === 'Istio')) return undefined;
  const found = [own, nodeAt(root, 'spec', 'namespace')];
  const waiting = [childOf(root, 'spec')];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (isOpen(next)) return undefined;
    if (next.kind === 'list') waiting.push(...next.items);
    if (next.kind !== 'map') continue;
    for (const { key, value } of effectiveEntries(next)) {
      if (fields.has(key.text)) found.push(value);
      waiting.push(value);
    }
  }
  return withDefault(found);
}

function withDefault(nodes: readonly (Node | undefined)[], ...others: readonly (string | undefined)[]) {
  const texts = nodes.filter((node) => node !== undefined).map(knownTextOf);
  if (texts.includes(undefined)) return undefined;
  return [...new Set([defaultRoot, ...[...texts, ...others].filter((text) => text !== undefined)])];
}
