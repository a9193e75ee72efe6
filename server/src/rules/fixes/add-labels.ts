/** Creates the edits that add missing labels to an object. */

import type { LabelSite, ManifestObject } from '../../manifests/model.ts';
import { addEntry, scalarText } from '../../manifests/write/write-text.ts';
import type { Edit } from '../../text/edit.ts';
import { contentEndAt, lineEnd } from '../../text/lines.ts';
import type { Span } from '../../text/span.ts';
import type { LabelPlace } from '../helpers/label-demands.ts';
import { isAnchored } from './move-label.ts';

export type Label = readonly [key: string, value: string];

/** Returns the edits that add labels to an object or its pod template; undefined if it is uncertain where to add them. A template without labels is not edited. */
export function addLabelsAt(
  text: string,
  { object, template, site }: Pick<LabelPlace, 'object' | 'template' | 'site'>,
  added: readonly Label[],
): readonly Edit[] | undefined {
  if (template === undefined) return addLabels(text, object, added);
  return site === undefined ? undefined : addTo(text, site, added);
}

/** Returns the edits that add labels to an object; undefined if it is uncertain where to add them. */
export function addLabels(text: string, object: ManifestObject, added: readonly Label[]): readonly Edit[] | undefined {
  const { labels } = object;
  const name = object.name ?? object.generateName;
  if (labels === undefined) return name === undefined ? undefined : besideName(text, name.span, added);
  return addTo(text, labels, added);
}

function addTo(text: string, labels: LabelSite, added: readonly Label[]): readonly Edit[] | undefined {
  if (isAnchored(text, labels) || added.length === 0) return undefined;
  const isMap = labels.entries.some((entry) => !entry.merged) || text[labels.span.start] === '{';
  if (!isMap) return undefined;
  const edits = added.map(([key, value]) => addEntry(text, labels, key, value));
  const isEmptyFlow = labels.entries.length === 0;
  // The first entry in empty braces must not have a comma before it.
  return edits.map((edit, index) => (isEmptyFlow && index > 0 ? { ...edit, text: `, ${edit.text}` } : edit));
}

/** Returns the edits that add a new map of labels: on the lines below the name, or directly after it in braces. */
function besideName(text: string, { start, end }: Span, added: readonly Label[]): readonly Edit[] | undefined {
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  const pairs = added.map(([key, value]) => ({ key, value }));
  if (/^ *"?(?:name|generateName)"?:\s*$/.test(line) && !line.includes('"')) {
    const indent = /^ */.exec(line)?.[0] ?? '';
    const last = contentEndAt(text, end);
    if (!/^\s*(?:#.*)?$/.test(text.slice(end, last))) return undefined;
    const lines = pairs.map(
      ({ key, value }) => `${indent}  ${scalarText(key, 'plain')}: ${scalarText(value, 'plain')}`,
    );
    const written = [`${indent}labels:`, ...lines].map((each) => lineEnd(text) + each).join('');
    return [{ span: { start: last, end: last }, text: written }];
  }
  if (!/[{,]\s*"name":\s*$/.test(text.slice(Math.max(0, start - 200), start))) return undefined;
  const written = pairs.map(({ key, value }) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`).join(', ');
  return [{ span: { start: end, end }, text: `, "labels": { ${written} }` }];
}
