/** Updates the names of service accounts in pods after a kustomization renames the accounts. Source: the nameref filter and the default name references of kustomize. */

import { getOrAdd } from '../../engine/memoize.ts';
import { childOf, type MapNode, nodeAt, type ScalarNode } from '../../manifests/yaml/tree.ts';
import { withValue } from './edit-tree.ts';
import { identityOf, namespaceOf, type Resource } from './resource.ts';

/** Returns the resources with the final names of the service accounts of their pods. */
export function withAccountNames(resources: readonly Resource[]): readonly Resource[] {
  const renamed = new Map<string, Set<Resource>>();
  for (const resource of resources) {
    const { group, kind } = identityOf(resource.tree);
    if (group !== '' || kind !== 'ServiceAccount') continue;
    for (const { name } of resource.previous) getOrAdd(renamed, name, () => new Set()).add(resource);
  }
  return renamed.size === 0 ? resources : resources.map((resource) => withAccounts(resource, renamed));
}

function withAccounts(resource: Resource, renamed: ReadonlyMap<string, ReadonlySet<Resource>>): Resource {
  const { group, kind } = identityOf(resource.tree);
  const path = group === '' || group === 'apps' || group === 'batch' ? paths.get(kind) : undefined;
  const node = path && nodeAt(resource.tree, ...path);
  if (path === undefined || node?.kind !== 'scalar' || node.pattern !== undefined) return resource;
  const name = nameAmong(resource, [...(renamed.get(node.text) ?? [])], node);
  return name === undefined ? resource : { ...resource, tree: withNode(resource.tree, path, name) };
}

const inTemplate = ['spec', 'template', 'spec', 'serviceAccountName'];

const paths: ReadonlyMap<string, readonly string[]> = new Map([
  ['Pod', ['spec', 'serviceAccountName']],
  ...['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'ReplicationController', 'Job'].map(
    (kind) => [kind, inTemplate] as const,
  ),
  ['CronJob', ['spec', 'jobTemplate', ...inTemplate]],
]);

/** Returns the name of the account that a resource means, with an unknown value if it may be several; undefined if it means none of them. */
function nameAmong(resource: Resource, accounts: readonly Resource[], { span }: ScalarNode): ScalarNode | undefined {
  const own = namespaceOf(identityOf(resource.tree));
  const near = accounts.filter(({ tree }) => namespaceOf(identityOf(tree)) === own);
  const alike = near.length > 1 ? near.filter((each) => affixesOf(each) === affixesOf(resource)) : near;
  const [name, ...others] = (alike.length > 0 ? alike : near).flatMap(({ tree }) => {
    const found = nodeAt(tree, 'metadata', 'name');
    return found?.kind === 'scalar' ? [found] : [];
  });
  if (name === undefined) return undefined;
  return others.every(({ text }) => text === name.text) ? { ...name, span } : { ...name, span, pattern: '*' };
}

/** Returns what the name of a resource has become beside its first name. */
function affixesOf({ tree, previous }: Resource): string {
  const [first] = previous;
  const { name } = identityOf(tree);
  return first === undefined ? '' : name.replace(first.name, '\n');
}

function withNode(map: MapNode, [key = '', ...rest]: readonly string[], value: ScalarNode): MapNode {
  if (rest.length === 0) return withValue(map, key, value, value.span);
  const child = childOf(map, key);
  return child?.kind === 'map' ? withValue(map, key, withNode(child, rest, value), child.span) : map;
}
