/**
 * Where would the word at the cursor stand, once it is typed? A marker is put in its place and the document is read
 * again, so that an empty line and a half-typed key are answered as surely as a finished one.
 */

import type { Catalogue } from '../engine/catalogue/types.ts';
import type { Span } from '../text/span.ts';
import { splitDocuments } from './documents.ts';
import type { LabelEntry, LabelSite, ManifestObject, SelectorSite } from './manifest.ts';
import { mask } from './masks.ts';
import { readDocument } from './read.ts';
import type { Node } from './tree.ts';

export interface TypingSpot {
  readonly object: ManifestObject;
  /** The document, for what no site holds: the images of a template's containers. */
  readonly root: Node;
  readonly place:
    | { readonly kind: 'labels'; readonly site: LabelSite }
    | { readonly kind: 'selector'; readonly site: SelectorSite };
  readonly on: 'key' | 'value';
  /** The other entry's key, where a value is typed. */
  readonly key: string | undefined;
  /** The keys that are there already. */
  readonly others: readonly string[];
  /** What is typed so far, without quotes: the span that a completion replaces. */
  readonly word: Span;
  /** A colon follows already, or quotes stand around: only the word itself is to be written. */
  readonly bare: boolean;
}

const marker = 'selectorLensCursor';
const wordCharacter = /[A-Za-z0-9._/-]/;

/** The label or selector map into which the word at `offset` is being typed; undefined anywhere else. */
export function typingSpotAt(text: string, offset: number, catalogue: Catalogue): TypingSpot | undefined {
  const word = wordAt(text, offset);
  const line = text.slice(text.lastIndexOf('\n', word.start - 1) + 1, word.start);
  if (/(^|\s)#/.test(line)) return undefined;
  const quote = /["']$/.exec(line)?.[0] ?? '';
  const rest = text.slice(word.end).match(/^["']?[ \t]*/)?.[0].length ?? 0;
  const colonFollows = text[word.end + rest] === ':';
  const isKey = colonFollows || /(^|[{,])\s*(- +)?["']?$/.test(line) || /^\s*["']?$/.test(line);
  const insertion = isKey && !colonFollows ? `${marker}${quote}: ${quote && '""'}` : marker;
  const skip = isKey && !colonFollows && quote !== '' && text[word.end] === quote ? 1 : 0;
  const changed = text.slice(0, word.start) + insertion + text.slice(word.end + skip);
  return findMarker(changed, word, colonFollows || quote !== '', catalogue);
}

function wordAt(text: string, offset: number): Span {
  let start = offset;
  let end = offset;
  while (start > 0 && wordCharacter.test(text[start - 1] ?? '')) start--;
  while (end < text.length && wordCharacter.test(text[end] ?? '')) end++;
  return { start, end };
}

function findMarker(text: string, word: Span, bare: boolean, catalogue: Catalogue): TypingSpot | undefined {
  const masked = mask(text);
  const span = splitDocuments(masked.text).find((each) => each.start <= word.start && word.start < each.end);
  if (span === undefined) return undefined;
  const { root, objects } = readDocument(text, masked, span, catalogue);
  if (root === undefined) return undefined;
  for (const object of objects) {
    const places = [
      ...object.labelSites.map((site) => ({ kind: 'labels' as const, site })),
      ...object.selectorSites.map((site) => ({ kind: 'selector' as const, site })),
    ];
    for (const place of places) {
      const found = entryWithMarker(place.site.entries);
      if (found !== undefined) return { object, root, place, word, bare, ...found };
    }
  }
  return undefined;
}

function entryWithMarker(entries: readonly LabelEntry[]): Pick<TypingSpot, 'on' | 'key' | 'others'> | undefined {
  const entry = entries.find((each) => each.key.text === marker || each.value.text === marker);
  if (entry === undefined) return undefined;
  const others = entries.filter((each) => each !== entry).map((each) => each.key.text);
  return entry.key.text === marker
    ? { on: 'key', key: undefined, others }
    : { on: 'value', key: entry.key.text, others };
}
