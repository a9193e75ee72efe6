/** The parts of files that write into an object while a kustomization builds it, and that a rename therefore has to change too. */

import type { ImageChange } from '../../manifests/kustomize/model.ts';
import {
  type FieldPath,
  fieldsOfOperations,
  fieldsWrittenBy,
  isWithinField,
  segmentsOfPointer,
} from '../../manifests/kustomize/replaced-paths.ts';
import type { LabelEntry, ManifestObject } from '../../manifests/model.ts';
import { partsOfFieldPath } from '../../manifests/sites/field-path.ts';
import type { Node, ScalarNode } from '../../manifests/yaml/tree.ts';
import type { Span } from '../../text/span.ts';

/** A map of labels that is set, changes of images, a patch that is merged, the operations of a JSON patch, or a field path of a replacement, which writes the field or only reads it. */
export type TransformerSource =
  | { readonly kind: 'labels'; readonly uri: string; readonly entries: readonly LabelEntry[] }
  | { readonly kind: 'images'; readonly uri: string; readonly changes: readonly ImageChange[] }
  | { readonly kind: 'merge'; readonly uri: string; readonly object: ManifestObject }
  | { readonly kind: 'operations'; readonly uri: string; readonly node: Node }
  | { readonly kind: 'fieldPath'; readonly uri: string; readonly path: ScalarNode; readonly reads: boolean };

export function transformerSpan(transformer: TransformerSource): Span {
  if (transformer.kind === 'operations') return transformer.node.span;
  if (transformer.kind === 'fieldPath') return transformer.path.span;
  if (transformer.kind === 'merge') return transformer.object.span;
  if (transformer.kind === 'images') return transformer.changes[0]?.span ?? { start: 0, end: 0 };
  const [first, last] = [transformer.entries[0], transformer.entries.at(-1)];
  return { start: first?.key.span.start ?? 0, end: last?.value.span.end ?? 0 };
}

/** Returns a key that is equal for the same source, even after its file was deserialized again. */
export function transformerKey(transformer: TransformerSource): string {
  return `${transformer.uri}\n${transformerSpan(transformer).start}`;
}

/** Whether some transformers may change a field, or what is in the field. */
export function mayChangeField(transformers: readonly TransformerSource[], field: FieldPath): boolean {
  return transformers.some((each) => mayChange(each, field));
}

function mayChange(transformer: TransformerSource, field: FieldPath): boolean {
  switch (transformer.kind) {
    case 'labels':
    case 'images':
      return false;
    case 'fieldPath':
      return mayWrite(transformer, field);
    case 'operations':
      return fieldsWrittenBy(transformer.node).some((each) => overlap(each, field));
    case 'merge':
      return transformer.object.replacedFields?.some((each) => overlap(segmentsOfPointer(each), field)) !== false;
  }
}

/** Whether a transformer may replace the field at a path. In contrast to `mayChangeField`, an item that it inserts into a list replaces nothing, and labels count. */
export function mayReplace(transformer: TransformerSource, path: FieldPath): boolean {
  switch (transformer.kind) {
    case 'labels':
      return setsLabel(transformer, path.at(-1) ?? '');
    case 'images':
      return false;
    case 'fieldPath':
      return mayWrite(transformer, path);
    case 'operations':
      return fieldsOfOperations(transformer.node).some((field) => isWithinField(path, field));
    case 'merge':
      return (
        transformer.object.replacedFields?.some((field) => isWithinField(path, segmentsOfPointer(field))) !== false
      );
  }
}

export function setsLabel({ entries }: TransformerSource & { readonly kind: 'labels' }, key: string): boolean {
  return entries.some((each) => each.key.text === key);
}

/** Whether a replacement may write a field, or what is in the field. */
function mayWrite({ path, reads }: TransformerSource & { readonly kind: 'fieldPath' }, field: FieldPath): boolean {
  if (reads || path.pattern !== undefined) return !reads;
  // A condition selects any item, whatever its merge key is.
  const isCondition = (text: string) => text === '*' || (text.startsWith('[') && text.includes('='));
  const written = partsOfFieldPath(path.text).map(({ text }) => (isCondition(text) ? '-' : text));
  return overlap(written, field);
}

function overlap(a: FieldPath, b: FieldPath): boolean {
  return isWithinField(a, b) || isWithinField(b, a);
}
