/** Finds label keys that a field contains without their values: as the whole scalar, or as a part of a field path. */

import type { GroupKind, KindFact, LabelKeyField } from '../../engine/catalogue/types.ts';
import type { Span } from '../../text/span.ts';
import type { LabelKeySite, Written } from '../model.ts';
import type { Node } from '../yaml/tree.ts';
import { labelKeyInPath } from './field-path.ts';
import { prometheusSite, prometheusSites } from './prometheus-labels.ts';
import { written } from './sites.ts';
import { pieceOf, writtenPiece } from './string-pieces.ts';

const pod: GroupKind = { group: '', kind: 'Pod' };

/** The paths in a pod's `spec` of fields with which the pod refers to its own labels. */
const fieldPaths: readonly string[] = [
  ...['containers', 'initContainers', 'ephemeralContainers'].map((field) => `${field}[].env[].valueFrom`),
  'volumes[].downwardAPI.items[]',
  'volumes[].projected.sources[].downwardAPI.items[]',
].map((path) => `${path}.fieldRef.fieldPath`);

/** Returns the paths of fields of a kind in which a label key is part of the value, in addition to paths in the catalogue. */
export function labelKeyFields(facts: KindFact): readonly LabelKeyField[] {
  return [...fieldPathSites(facts), ...prometheusSites(facts)];
}

/** Returns the paths of fields of a kind with which a pod or pod template refers to its own labels. */
function fieldPathSites({ group, kind, templates }: KindFact): readonly LabelKeyField[] {
  const specs = templates.flatMap(({ path, makes, labelsAt }) => {
    const isPodTemplate = makes.group === pod.group && makes.kind === pod.kind && labelsAt === undefined && path !== '';
    return isPodTemplate ? [`${path}.spec`] : [];
  });
  const all = group === pod.group && kind === pod.kind ? ['spec', ...specs] : specs;
  return all.flatMap((spec) => fieldPaths.map((path) => ({ path: `${spec}.${path}`, of: pod, form: 'fieldPath' })));
}

/** Returns the path of the metadata that a `fieldPath` refers to: the metadata of the pod or the template that contains the field. @param path with list indexes; the result is undefined if the path does not belong to such a field */
export function metadataOfFieldPath(facts: KindFact, path: string): string | undefined {
  const place = path.endsWith('.fieldRef.fieldPath') ? path.replaceAll(/\[\d+\]/g, '[]') : undefined;
  if (place === undefined || !fieldPathSites(facts).some((each) => each.path === place)) return undefined;
  const field = fieldPaths.find((each) => place.endsWith(`spec.${each}`)) ?? '';
  const segments = path.split('.');
  return [...segments.slice(0, -field.split('.').length - 1), 'metadata'].join('.');
}

/** Returns the site of the label key that a node contains; undefined if it contains none. */
export function labelKeySite(path: string, field: LabelKeyField, node: Node): LabelKeySite | undefined {
  if (node.kind !== 'scalar' || node.type === 'null') return undefined;
  const text = written(node);
  if (field.form === undefined) return { path, place: field, key: text };
  if (field.form === 'prometheus') return prometheusSite(path, field, text);
  const key = field.form === 'fieldPath' ? keyInFieldPath(text) : labelKeyInPath(text);
  return key && { path, place: field, key, text };
}

/** Returns the label key in a path such as `metadata.labels['app']`, with its own range; undefined if the path contains none. */
function keyInFieldPath(text: Written): Written | undefined {
  const [, before = '', key = ''] = /^(metadata\.labels\[')([^'\]]+)'\]$/.exec(text.text) ?? [];
  if (key === '') return undefined;
  const inText = { start: before.length, end: before.length + key.length };
  return writtenPiece(text, inText, (each, piece) => pieceOf(each, piece) ?? inSingleQuotes(each, piece));
}

/** Returns the range of the key in a path that is a single-quoted scalar, in which the quotes before and after the key are doubled. */
function inSingleQuotes({ style, text, span }: Written, { start, end }: Span): Span | undefined {
  const shift = span.start + 2;
  const isAsTyped = style === 'single' && span.end - span.start === text.length + 4;
  return isAsTyped ? { start: start + shift, end: end + shift } : undefined;
}
