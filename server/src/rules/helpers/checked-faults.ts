/** Selects the faults in the fields of objects and patches that the API server reports. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import type { CommandWord } from '../../manifests/inline/command-words.ts';
import { patchedObjects } from '../../manifests/inline/patches.ts';
import type { FieldFault, ManifestObject } from '../../manifests/model.ts';
import { readManifest } from '../../manifests/parse-manifest.ts';
import { objectFaults } from '../../manifests/sites/field-faults.ts';
import type { RuleContext } from '../framework/rule.ts';

/** The faults of a file, and the objects in which they are, by the start of their `kind`. */
export interface CheckedFaults {
  readonly faults: readonly FieldFault[];
  readonly objects: ReadonlyMap<number, ManifestObject>;
  /** Whether the objects are patches, which may be for objects of another kind. */
  readonly inPatches: boolean;
}

/** Returns the faults in the objects that the API server receives, and those in patches, which become part of such objects. */
export function checkedFaults(context: RuleContext): readonly CheckedFaults[] {
  const { manifest, stored, file } = context;
  const found: CheckedFaults[] = [];
  if (manifest.faults !== undefined) {
    // The objects of a patch are not stored.
    const inPatches = stored.length === 0;
    const objects = inPatches ? manifest.objects.filter(({ forCluster }) => forCluster) : stored;
    found.push({ faults: manifest.faults, objects: byStart(objects), inPatches });
  }
  const patches = (file.kustomization?.changes ?? []).flatMap(({ inline }) => inline?.objects ?? []);
  for (const { kindSpan, span } of patches.slice(0, maximumPatches)) {
    // The content of a string that is not a literal block has the position of the string.
    if (kindSpan.start === span.start || span.end <= kindSpan.start) continue;
    const { faults, objects } = readManifest(onlyPart(context.text, span), context.catalogue);
    if (faults !== undefined) found.push({ faults, objects: byStart(objects), inPatches: true });
  }
  return [...found, ...(manifest.words ?? []).flatMap((word) => faultsInCommand(word, context.catalogue))];
}

/** Returns the faults in the fields that the patch in a command sets. */
function faultsInCommand(word: CommandWord, catalogue: Catalogue): readonly CheckedFaults[] {
  if (word.is !== 'patch') return [];
  return patchedObjects(word, catalogue).flatMap(({ root, object, isKnown }) => {
    const faults = isKnown ? objectFaults(root, object, catalogue) : [];
    return faults.length === 0 ? [] : [{ faults, objects: byStart([object]), inPatches: true }];
  });
}

const maximumPatches = 50;

function byStart(objects: readonly ManifestObject[]): ReadonlyMap<number, ManifestObject> {
  return new Map(objects.map((object) => [object.kindSpan.start, object]));
}

/** Returns the text with blanks in place of everything before a part, and without everything after it. */
function onlyPart(text: string, { start, end }: { readonly start: number; readonly end: number }): string {
  return text.slice(0, start).replaceAll(/[^\n]/g, ' ') + text.slice(start, end);
}
