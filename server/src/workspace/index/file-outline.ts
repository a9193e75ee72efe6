/** Outlines of files: the facts of a file on which other files depend, and its labels and selectors without offsets. A change that leaves the outline unchanged does not affect the index. */

import type { GroupKind } from '../../engine/catalogue/types.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { ContainerPorts, Manifest, ManifestObject } from '../../manifests/model.ts';
import { policyData } from '../../manifests/sites/policy-data.ts';
import { createsTarget } from '../references/producers.ts';

/** `apps/Deployment`, `/Pod`. */
export function kindKey(type: GroupKind): string {
  return `${type.group}/${type.kind}`;
}

/** Whether two versions of a manifest are equivalent for all other files. */
export function isSameOutline(a: Manifest, b: Manifest): boolean {
  if (a === b) return true;
  if (a.objects.length !== b.objects.length) return false;
  return a.objects.every((object, index) => {
    const other = b.objects[index];
    return other !== undefined && outlineOf(object) === outlineOf(other);
  });
}

const outlines = new WeakMap<ManifestObject, string>();

export function outlineOf(object: ManifestObject): string {
  const known = outlines.get(object);
  if (known !== undefined) return known;
  const outline = JSON.stringify([
    object.group,
    object.version,
    object.kind,
    object.name?.value,
    object.generateName?.value,
    object.namespace?.value,
    object.forCluster,
    portsOutline(object.ports),
    object.templates.map(({ ports }) => portsOutline(ports)),
    object.servicePorts,
    object.servicePortsOpen,
    object.references?.map(({ name, kind, group, namespace, keys }) => [
      name.value,
      kind,
      group,
      namespace?.value,
      keys?.map(({ value }) => value),
    ]),
    object.references?.map((site) => createsTarget(object, site)),
    object.dataKeys && [object.dataKeys.keys.map(({ value }) => value), object.dataKeys.open, annotationsOf(object)],
    object.policySpec && policyData(object.policySpec),
    object.networkSpec && policyData(object.networkSpec),
    object.addresses && policyData(object.addresses),
    object.installedSettings,
    object.meshRoots,
    [object, ...object.templates].map(({ fieldValues }) => fieldValues?.['spec.serviceAccountName']),
    labeledObjectsOf(object).map(({ target, via, labels, open, parts, guessed }) => [
      kindKey(target),
      via,
      labels,
      open,
      parts,
      guessed,
    ]),
    object.selectorSites.map(({ path, state, open, parts, data, namespaces }) => [
      path,
      state,
      open,
      parts,
      data,
      namespaces,
    ]),
  ]);
  outlines.set(object, outline);
  return outline;
}

/** Returns the values of the annotations of an object, in which programs find the keys that they add. */
function annotationsOf({ labelSites }: ManifestObject): unknown {
  const annotations = labelSites.filter(({ path }) => path === 'metadata.annotations');
  return annotations.map(({ open, entries }) => [open, entries.map(({ value }) => value.text)]);
}

/** Returns ports without the offsets of their parts. */
function portsOutline(ports: ContainerPorts | undefined): unknown {
  return ports && [ports.names, ports.open, ports.network && policyData(ports.network)];
}
