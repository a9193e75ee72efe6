/** The lists that kustomize merges by fields of their items, according to the OpenAPI schema of Kubernetes in kustomize. */

const byName = ['containers', 'initContainers', 'ephemeralContainers', 'volumes', 'env', 'webhooks', 'drivers'];

const mergeKeys: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...byName.map((field) => [field, ['name']] as const),
  ...byName.slice(0, 3).map((parent) => [`${parent}/ports`, ['containerPort', 'protocol']] as const),
  ['spec/ports', ['port', 'protocol']],
  ['spec/imagePullSecrets', ['name']],
  // Of a ServiceAccount.
  ['/secrets', ['name']],
  ['volumeMounts', ['mountPath']],
  ['volumeDevices', ['devicePath']],
  ['hostAliases', ['ip']],
  ['topologySpreadConstraints', ['topologyKey', 'whenUnsatisfiable']],
  ['ownerReferences', ['uid']],
]);

/**
 * Returns the fields that identify the items of a list of a kind with a schema; undefined for other lists, which are replaced
 * as a whole. `parent` is the field that contains the list: empty for the object itself, the list for an item of a list.
 */
export function mergeKeysOf(parent: string, field: string): readonly string[] | undefined {
  return mergeKeys.get(field) ?? mergeKeys.get(`${parent}/${field}`);
}

/** Whether kustomize merges the values of a list of a kind with a schema. */
export function isMergedSet(field: string): boolean {
  return field === 'finalizers';
}

/** Whether kustomize has a schema of the kinds of a group. It has schemas only for built-in kinds. */
export function hasSchema(group: string): boolean {
  return group === '' || !group.includes('.') || group.endsWith('.k8s.io');
}
