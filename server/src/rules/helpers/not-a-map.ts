/** Finds scalars and lists in fields that must be maps of labels or annotations, and converts them to maps. */

import type { LabelSite, NotMap } from '../../manifests/model.ts';
import { scalarText } from '../../manifests/write/write-text.ts';
import { lineEnd } from '../../text/lines.ts';
import { localize } from '../../text/localize.ts';
import type { Span } from '../../text/span.ts';
import type { Fact, Fix, RuleContext } from '../framework/rule.ts';
import { isLookedAt } from './certain-objects.ts';
import { patchParts } from './patch-parts.ts';
import { shorten } from './sentences.ts';
import { isKnownMap, typeSeverityAt } from './validated-labels.ts';

export interface NotAMap extends Fact {
  readonly notMap: { readonly site: LabelSite; readonly value: NotMap };
}

/** Yields the fields for labels or annotations in a file that certainly do not contain a map, except for an incomplete field at the cursor. The text of the file is loaded only if there may be such a field. */
export function* notMapsIn(context: RuleContext, holds: 'labels' | 'annotations'): Iterable<NotAMap> {
  const seen = new Set<number>();
  const inPatches = patchParts(context).map(({ object }) => object);
  for (const object of [...context.manifest.objects.toReversed(), ...inPatches]) {
    // In a values file, a list is not an error, because a template may iterate over it.
    if (!isLookedAt(object) || object.inValues) continue;
    for (const site of object.labelSites) {
      const { notMap, place, path, keySpan } = site;
      if (notMap === undefined || place.holds !== holds || !isKnownMap(site) || seen.has(keySpan.start)) continue;
      if (!object.forCluster && path.startsWith('metadata.')) continue;
      seen.add(keySpan.start);
      const isList = notMap.type === 'list';
      if (!isList && isUnfinishedKey(context.text, keySpan, notMap.span)) continue;
      const severity = typeSeverityAt(object, path);
      yield {
        span: isList ? keySpan : notMap.span,
        notMap: { site, value: notMap },
        ...(severity && { severity }),
        common: 'types',
        reportedAt: [notMap.span],
      };
    }
  }
}

/** Returns a description of the value that should be a map, for messages. */
export function shownValue({ notMap: { value } }: NotAMap): string {
  return value.type === 'list' ? localize`a list` : `'${shorten(value.text)}'`;
}

/** Returns a fix that converts the value to a map; none if the intended map is uncertain. */
export function fixNotAMap(text: string, { notMap: { site, value } }: NotAMap): readonly Fix[] {
  return writeAsMap(text, site.keySpan, value.span);
}

/** Whether the value in place of a map is a single word on its own line, which is probably the beginning of a key. */
export function isUnfinishedKey(text: string, keySpan: Span, { start, end }: Span): boolean {
  return text.slice(keySpan.end, start).includes('\n') && /^[^\s:="']*$/.test(text.slice(start, end));
}

/** Returns a fix that converts the value at `span` to a map; none if the intended map is uncertain. */
export function writeAsMap(text: string, keySpan: Span, span: Span): readonly Fix[] {
  const written = text.slice(span.start, span.end).trimEnd();
  const line = text.lastIndexOf('\n', span.start - 1) + 1;
  const lineStart = text.slice(line, span.start);
  const isOnOwnLine = line > keySpan.end && lineStart.trim() === '';
  const isList = /^-[ \t]/.test(written);
  const pairs = isList && isOnOwnLine ? pairsOfItems(written) : pairsOf(written);
  if (pairs === undefined || new Set(pairs.map(([key]) => key)).size < pairs.length) return [];
  const lines = pairs.map(([key, value]) => `${scalarText(key, 'plain')}: ${scalarText(value, 'plain')}`);
  const [first = ''] = lines;
  const title = lines.length === 1 && !isList ? localize`Change to '${first}'` : localize`Write as a map`;
  // A list may be in the same column as its key, but a map must be indented.
  const keyColumn = keySpan.start - (text.lastIndexOf('\n', keySpan.start - 1) + 1);
  const indent = isList && lineStart.length <= keyColumn ? `${lineStart}  ` : lineStart;
  const block = `${indent.slice(lineStart.length)}${lines.join(`${lineEnd(text)}${indent}`)}`;
  const edit = {
    span: { start: span.start, end: span.start + written.length },
    text: isOnOwnLine ? block : `{${lines.join(', ')}}`,
  };
  return [{ title, edits: [edit], preferred: true }];
}

type Pair = readonly [key: string, value: string];

/** Parses pairs of keys and values with ':' or '=' between them, on separate lines or separated by commas as in a selector; undefined for other text. */
function pairsOf(written: string): readonly Pair[] | undefined {
  const unquoted = /^"([^"\\\n]*)"$|^'([^'\n]*)'$/.exec(written);
  const plain = unquoted?.[1] ?? unquoted?.[2] ?? written;
  return all(plain.split(/\r?\n|,/).map((piece) => pair(/^([\w./-]+) ?(?:==?|:) ?([\w.-]+)$/.exec(piece.trim()))));
}

/** Parses the items of a block list if each of them is a map with a single plain key and value; undefined for other lists. */
function pairsOfItems(written: string): readonly Pair[] | undefined {
  return all(written.split(/\r?\n/).map((piece) => pair(/^-[ \t]+([\w./-]+):[ \t]+([\w.-]+)$/.exec(piece.trim()))));
}

function pair(match: RegExpExecArray | null): Pair | undefined {
  return match === null ? undefined : [match[1] ?? '', match[2] ?? ''];
}

function all(pairs: readonly (Pair | undefined)[]): readonly Pair[] | undefined {
  const found = pairs.filter((each) => each !== undefined);
  return found.length === pairs.length ? found : undefined;
}
