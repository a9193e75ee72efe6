/** Determines the Services to which an Ingress or a Gateway API route sends requests. */

import type { Backend } from '../model.ts';
import { written } from '../sites/sites.ts';
import { childOf, type Node } from '../yaml/tree.ts';

/** The API groups of Ingress. API servers no longer serve `extensions`, but manifests may still contain it. */
const ingressGroups: readonly string[] = ['networking.k8s.io', 'extensions'];
const gatewayGroup = 'gateway.networking.k8s.io';

/** Returns the backends of an object in file order; empty for objects without backends. */
export function backendsOf(group: string, kind: string, root: Node): readonly Backend[] {
  const spec = childOf(root, 'spec');
  if (kind === 'Ingress' && ingressGroups.includes(group)) return ingressBackends(spec);
  return group === gatewayGroup && kind.endsWith('Route') ? routeBackends(spec) : [];
}

function ingressBackends(spec: Node | undefined): readonly Backend[] {
  const paths = itemsOf(childOf(spec, 'rules')).flatMap(([rule, at]) =>
    itemsOf(childOf(childOf(rule, 'http'), 'paths')).map(
      ([path, index]) => [childOf(path, 'backend'), `spec.rules[${at}].http.paths[${index}].backend`] as const,
    ),
  );
  return [
    [childOf(spec, 'defaultBackend'), 'spec.defaultBackend'] as const,
    // These fields exist only in API versions before `v1`.
    [childOf(spec, 'backend'), 'spec.backend'] as const,
    ...paths,
  ].flatMap(([backend, path]): readonly Backend[] => {
    const name = childOf(childOf(backend, 'service'), 'name') ?? childOf(backend, 'serviceName');
    return name?.kind === 'scalar' ? [{ path, name: written(name) }] : [];
  });
}

function routeBackends(spec: Node | undefined): readonly Backend[] {
  return itemsOf(childOf(spec, 'rules')).flatMap(([rule, at]) =>
    itemsOf(childOf(rule, 'backendRefs')).flatMap(([reference, index]): readonly Backend[] => {
      const [group, kind, name, namespace] = ['group', 'kind', 'name', 'namespace'].map((key) =>
        childOf(reference, key),
      );
      const isService = textOf(group, '') === '' && textOf(kind, 'Service') === 'Service';
      if (!isService || name?.kind !== 'scalar') return [];
      const path = `spec.rules[${at}].backendRefs[${index}]`;
      return [{ path, name: written(name), ...(namespace?.kind === 'scalar' && { namespace: written(namespace) }) }];
    }),
  );
}

function itemsOf(node: Node | undefined): readonly (readonly [item: Node, index: number])[] {
  return node?.kind === 'list' ? node.items.map((item, index) => [item, index] as const) : [];
}

function textOf(node: Node | undefined, absent: string): string | undefined {
  if (node === undefined) return absent;
  return node.kind === 'scalar' ? node.text : undefined;
}
