/** Finds the labels and annotations that the patches in a file, and the helpers of charts in it, write into objects of other files. */

import type { Manifest } from '../../manifests/model.ts';
import type { RuleContext } from '../framework/rule.ts';
import { hasHelpers, objectsOfHelpers } from './labels-in-helpers.ts';
import { hasOperations, patchParts } from './patch-parts.ts';
import {
  allAnnotationEntries,
  allLabelMapEntries,
  annotationEntries,
  type LabelMapEntry,
  labelMapEntries,
} from './validated-labels.ts';

/** Whether the labels that a file writes into objects depend on other files. */
export function hasParts(context: Pick<RuleContext, 'uri' | 'workspace'>): boolean {
  return hasOperations(context) || hasHelpers(context);
}

/** Returns the labels that the patches and helpers in a file set. */
export function labelsInParts(context: RuleContext): readonly LabelMapEntry[] {
  return entriesInParts(context, labelMapEntries, allLabelMapEntries);
}

/** Returns the annotations that the patches and helpers in a file set. */
export function annotationsInParts(context: RuleContext): readonly LabelMapEntry[] {
  return entriesInParts(context, annotationEntries, allAnnotationEntries);
}

function entriesInParts(
  context: RuleContext,
  entriesOf: (manifest: Manifest) => readonly LabelMapEntry[],
  allEntriesOf: typeof entriesOf,
): readonly LabelMapEntry[] {
  const parts = patchParts(context).filter(({ object }) => object.inline !== true);
  const objects = [...parts.map(({ object }) => object), ...objectsOfHelpers(context)];
  if (objects.length === 0) return [];
  const { inline: _inline, ...document } = context.manifest;
  const written = new Set(allEntriesOf(context.manifest).map(({ entry }) => entry.key.span.start));
  return entriesOf({ ...document, objects }).filter(({ entry }) => !written.has(entry.key.span.start));
}
