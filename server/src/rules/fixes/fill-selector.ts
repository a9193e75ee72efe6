/** Fills an empty selector with labels, in the style of the file. */

import { isLabelKey, isLabelValue } from '../../engine/index.ts';
import type { LabelEntry, SelectorSite } from '../../manifests/model.ts';
import { scalarText } from '../../manifests/write/write-text.ts';
import type { Edit } from '../../text/edit.ts';
import { lineEnd } from '../../text/lines.ts';

export type Label = readonly [key: string, value: string];

/** Matches the text of an empty selector that contains nothing else. Anchors, aliases and comments, for example, do not match. */
const nothing = /^(?:[\s{}[\],:"']|matchLabels|matchExpressions|null|Null|NULL|~)*$/;

/** Returns the edit that replaces an empty or null selector with labels: on separate lines, or in braces if the field is in braces. */
export function fillSelector(text: string, site: SelectorSite, labels: readonly Label[]): Edit | undefined {
  const { keySpan, path } = site;
  const key = text.slice(keySpan.start, keySpan.end);
  const quoted = key.startsWith('"');
  // A selector that comes from a different file has no position in this file, so the text at its span is not its key.
  if (site.fact.form !== 'labelSelector' || key.replaceAll(/["']/g, '') !== path.slice(path.lastIndexOf('.') + 1))
    return undefined;
  const start = text.indexOf(':', keySpan.end) + 1;
  const end =
    site.state === 'null'
      ? start + (/^[ \t]*(?:null|Null|NULL|~)?/.exec(text.slice(start))?.[0].length ?? 0)
      : // The colon after an empty `matchLabels` is not a part of the map.
        site.span.end + (/^[ \t]*:/.exec(text.slice(site.span.end))?.[0].length ?? 0);
  if (end < start || !nothing.test(text.slice(keySpan.end, end))) return undefined;
  const indent = text.slice(text.lastIndexOf('\n', keySpan.start - 1) + 1, keySpan.start);
  const isBetweenBraces = /^\s*[,}]/.test(text.slice(end, end + 200));
  if (indent.trim() !== '' || isBetweenBraces || quoted) {
    const style = quoted ? 'double' : 'plain';
    const pairs = labels.map(([name, value]) => `${scalarText(name, style)}: ${scalarText(value, style)}`);
    return { span: { start, end }, text: ` {${scalarText('matchLabels', style)}: {${pairs.join(', ')}}}` };
  }
  const lines = labels.map(
    ([name, value]) => `${indent}    ${scalarText(name, 'plain')}: ${scalarText(value, 'plain')}`,
  );
  const written = [`${indent}  matchLabels:`, ...lines].map((each) => lineEnd(text) + each).join('');
  return { span: { start, end }, text: written };
}

/** Returns the labels in a map; undefined unless all of them are known and valid. */
export function knownPairs(entries: readonly LabelEntry[]): readonly Label[] | undefined {
  const pairs = entries.flatMap(({ key, value, conditional }): readonly Label[] => {
    const isKnown = typeof key.value === 'string' && typeof value.value === 'string' && !conditional;
    return isKnown && isLabelKey(key.value) && isLabelValue(value.value) ? [[key.value, value.value]] : [];
  });
  return pairs.length === entries.length ? pairs : undefined;
}
