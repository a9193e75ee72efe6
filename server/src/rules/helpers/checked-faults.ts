/** Selects the faults in the fields of objects and patches that the API server reports. */

import type { FieldFault, ManifestObject } from '../../manifests/model.ts';
import { objectFaults } from '../../manifests/sites/field-faults.ts';
import type { Node } from '../../manifests/yaml/tree.ts';
import type { RuleContext } from '../framework/rule.ts';
import { patchParts } from './patch-parts.ts';

/** The faults of a file, and the objects in which they are, by the start of their `kind`. */
export interface CheckedFaults {
  readonly faults: readonly FieldFault[];
  readonly objects: ReadonlyMap<number, ManifestObject>;
  /** Whether the objects are patches. */
  readonly inPatches: boolean;
  /** Whether the objects certainly have their kinds; the target of a patch may be an object of another kind. */
  readonly areKindsCertain: boolean;
}

/** Returns the faults in the objects that the API server receives, and those in patches, which become part of such objects. */
export function checkedFaults(context: RuleContext): readonly CheckedFaults[] {
  const { manifest, stored, catalogue } = context;
  const found: CheckedFaults[] = [];
  if (manifest.faults !== undefined) {
    // The objects of a patch are not stored.
    const inPatches = stored.length === 0;
    const objects = inPatches ? manifest.objects.filter(({ forCluster }) => forCluster) : stored;
    found.push({ faults: manifest.faults, objects: byStart(objects), inPatches, areKindsCertain: true });
  }
  for (const { root, object, isKindKnown, isKindCertain } of patchParts(context)) {
    // All kinds have the same metadata.
    const faults = objectFaults(closed(root), object, catalogue).filter(
      (fault) => isKindKnown || (fault.is !== 'untyped' && inMetadata.test(fault.path)),
    );
    const areKindsCertain = isKindCertain || !isKindKnown;
    if (faults.length > 0) found.push({ faults, objects: byStart([object]), inPatches: true, areKindsCertain });
  }
  return found;
}

const inMetadata = /^(?:spec\.template\.)?metadata(?:\.|$)/;

/** Returns an object of a JSON patch without the mark that it may have other fields, because of which its fields would not be checked. */
function closed(node: Node): Node {
  if (node.kind === 'scalar' || !node.open) return node;
  if (node.kind === 'list') return { ...node, open: false, items: node.items.map(closed) };
  return { ...node, open: false, entries: node.entries.map((entry) => ({ ...entry, value: closed(entry.value) })) };
}

function byStart(objects: readonly ManifestObject[]): ReadonlyMap<number, ManifestObject> {
  return new Map(objects.map((object) => [object.kindSpan.start, object]));
}
