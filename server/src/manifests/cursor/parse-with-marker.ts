/** Determines the completion target at the cursor. A marker replaces the word at the cursor and the document is parsed again, so that an empty line or an incomplete key has the same target as a complete entry. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { lineEndAt } from '../../text/lines.ts';
import type { Span } from '../../text/span.ts';
import { filledObject } from '../helm/value-objects.ts';
import type { ValueSite } from '../helm/value-site.ts';
import type { ManifestObject } from '../model.ts';
import { mayHoldObjects, readDocument, type UsualType } from '../parse-manifest.ts';
import { blankManifest } from '../yaml/blank-manifest.ts';
import { splitDocuments } from '../yaml/documents.ts';
import type { Node, ScalarNode } from '../yaml/tree.ts';
import { type CompletionTarget, targetOfTrail } from './completion-target.ts';
import { findMarker, type InObject, marker, type Step, type Trail, trailInObject } from './marker-path.ts';

export interface TypingTarget {
  readonly object: ManifestObject;
  /**
   * The syntax tree of the object, for parts that do not belong to a site, such as the images of a template's
   * containers.
   */
  readonly root: Node;
  readonly place: CompletionTarget;
  /** The range that a completion replaces: the whole scalar at the cursor, including its quotes. */
  readonly token: Span;
  /** The notation that the inserted text must have, such as its quotes. */
  readonly style: TypingStyle;
}

export interface TypingStyle {
  readonly quotes: 'plain' | 'single' | 'double';
  /** The quotes of all inserted scalars after the first one. */
  readonly quotesBehind: 'plain' | 'double';
  /** Whether the token is in a flow collection, which is written with brackets or braces. */
  readonly flow: boolean;
  /**
   * Whether a colon must be added after the token, because it is a key (or a list item that may become a key) without a
   * colon.
   */
  readonly needsColon: boolean;
  /** Whether a comma must be added after the token, because another item follows in the brackets. */
  readonly needsComma: boolean;
  /** The column at which the token begins; for a value, the column at which its key begins. */
  readonly column: number;
  /** The end offset of the key and its colon, if the token is the value of the key. */
  readonly behindColon: number | undefined;
}

const wordCharacter = /[A-Za-z0-9._/-]/;

/** The source of a label directly before its key in a selector of Cilium. */
const ciliumSource = /(?<=^|[\s{,])(?:k8s|any):$/;

/** Returns the completion target at `offset`; undefined if there is none. */
export function typingTargetAt(text: string, offset: number, reading: Reading): TypingTarget | undefined {
  if (offset < 0 || offset > text.length) return undefined;
  const mayHaveTarget = mayHoldObjects(text) || reading.usual !== undefined || (reading.valueSites ?? []).length > 0;
  if (!mayHaveTarget) return undefined;
  const word = wordAt(text, offset);
  let unsure: TypingTarget | undefined;
  for (const attempt of attempts(text, word)) {
    const found = attempted(text, offset, word, attempt, reading);
    if (found?.sound === true) return found.cursorTarget;
    unsure ??= found?.cursorTarget;
  }
  return unsure;
}

function wordAt(text: string, offset: number): Span {
  let start = offset;
  let end = offset;
  while (start > 0 && wordCharacter.test(text[start - 1] ?? '')) start--;
  while (end < text.length && wordCharacter.test(text[end] ?? '')) end++;
  return { start, end };
}

interface Attempt {
  /** The text that replaces the word at the cursor. */
  readonly inserted: string;
  /** The number of characters after the word that are replaced, too. */
  readonly skipped: number;
  readonly comma: boolean;
}

/** Returns the replacements of the word at the cursor to try: the marker as a value, or as a key with a colon, and possibly with a comma after it. */
function attempts(text: string, word: Span): readonly Attempt[] {
  const line = text.slice(text.lastIndexOf('\n', word.start - 1) + 1, word.start);
  const rest = restOfLine(text, word.end);
  const quote = openQuote(line);
  const isClosed = quote !== '' && rest.includes(quote);
  const plain: Attempt = { inserted: marker + (isClosed ? '' : quote), skipped: 0, comma: false };
  const colonFollows = /^["']?[ \t]*:(?:[ \t\r]|$)/.test(rest) || (quote !== '' && /^["'][ \t]*:/.test(rest));
  if (colonFollows) return [plain];
  const isAlone = quote === '' || rest.startsWith(quote) || !isClosed;
  const key: Attempt = { inserted: `${marker}${quote}: `, skipped: isClosed ? 1 : 0, comma: false };
  const before = line
    .slice(0, line.length - quote.length)
    .replace(ciliumSource, '')
    .trimEnd();
  const mayBeKey = isAlone && /(?:^|[-{,[])$/.test(before.trimStart() === '-' ? '-' : before.slice(-1));
  if (!mayBeKey && before !== '') return [plain];
  const tries = before === '' || before.endsWith('-') ? [key, plain] : [plain, key];
  const ordered = before.endsWith('-') ? tries.toReversed() : tries;
  return commaIsMissing(text, word, quote)
    ? [...ordered, { ...plain, inserted: `${plain.inserted},`, comma: true }]
    : ordered;
}

function restOfLine(text: string, from: number): string {
  return text.slice(from, lineEndAt(text, from));
}

/** Returns the quote directly before the word if it opens a quoted scalar; otherwise an empty string. */
function openQuote(line: string): string {
  const quote = /["']$/.exec(line)?.[0] ?? '';
  const isOpening = quote !== '' && line.split(quote).length % 2 === 0;
  return isOpening ? quote : '';
}

/** Whether another item follows the word in a flow collection without a comma between them. */
function commaIsMissing(text: string, word: Span, quote: string): boolean {
  if (quote !== '') return false;
  const before = /[{[,]\s*$/.test(text.slice(Math.max(0, word.start - 200), word.start));
  return before && /^\s*["'\w]/.test(text.slice(word.end, word.end + 200)) && !/^\w/.test(text.slice(word.end));
}

/** The information that is needed to parse a file. */
export interface Reading {
  readonly catalogue: Catalogue;
  readonly placeholders?: readonly string[];
  /** The object fields that templates fill with values from the file. */
  readonly valueSites?: readonly ValueSite[];
  /** The API version and kind of documents that do not specify them. */
  readonly usual?: UsualType | undefined;
}

function attempted(
  text: string,
  offset: number,
  word: Span,
  attempt: Attempt,
  reading: Reading,
): { readonly cursorTarget: TypingTarget; readonly sound: boolean } | undefined {
  const { catalogue, placeholders, valueSites = [], usual } = reading;
  const changed = text.slice(0, word.start) + attempt.inserted + text.slice(word.end + attempt.skipped);
  const blanked = blankManifest(changed, placeholders);
  const span = splitDocuments(blanked.text).find((each) => each.start <= word.start && word.start < each.end);
  if (span === undefined) return undefined;
  const { root, objects, errors } = readDocument(changed, blanked, span, catalogue, usual);
  const whole = root && findMarker(root);
  if (root === undefined || whole === undefined) return undefined;
  const sound = errors.length === 0;
  if (!sound && isSound(text, offset, reading)) return undefined;
  const found =
    cursorIn(trailInObject(whole, root, objects), catalogue) ?? cursorInValues(root, whole, valueSites, catalogue);
  if (found === undefined) return undefined;
  const { inside, place } = found;
  const token = tokenOf(text, whole.scalar, word, attempt);
  const written = text.slice(token.start, token.end);
  const isText = place.kind === 'selectorText' || place.kind === 'fieldText';
  if (isText ? /[\r\n]/.test(written) : /\s/.test(written)) return undefined;
  const style = styleOf(text, token, inside.trail, attempt);
  if (style.needsColon && hasValue(inside.trail)) return undefined;
  return { cursorTarget: { object: inside.object, root: inside.root, place, token, style }, sound };
}

interface Found {
  readonly inside: InObject;
  readonly place: CompletionTarget;
}

function cursorIn(inside: InObject | undefined, catalogue: Catalogue): Found | undefined {
  const place = inside && targetOfTrail(inside, catalogue);
  return place && { inside, place };
}

/** Returns the completion target in the first object field that a template fills with the value at the cursor. */
function cursorInValues(
  root: Node,
  { steps }: Trail,
  sites: readonly ValueSite[],
  catalogue: Catalogue,
): Found | undefined {
  const keys = steps.map((step) => (step.kind === 'entry' ? step.entry.key.text : '[]'));
  for (const site of sites) {
    if (!site.value.every((key, index) => keys[index] === key)) continue;
    const filled = filledObject(root, site, catalogue);
    const trail = filled && findMarker(filled.root);
    const found = trail && cursorIn({ ...filled, trail }, catalogue);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether the unmodified document at an offset has no syntax errors. */
function isSound(text: string, offset: number, { catalogue, placeholders }: Reading): boolean {
  const blanked = blankManifest(text, placeholders);
  const span = splitDocuments(blanked.text).find((each) => each.start <= offset && offset <= each.end);
  return span !== undefined && readDocument(text, blanked, span, catalogue).errors.length === 0;
}

/** Returns the span that the scalar at the cursor has in the unmodified text, without the source of a key. */
function tokenOf(text: string, scalar: ScalarNode, word: Span, { inserted, skipped }: Attempt): Span {
  const whole = Math.min(scalar.span.start, word.start);
  const start = ciliumSource.test(text.slice(whole, word.start)) ? word.start : whole;
  const insertedEnd = word.start + inserted.length;
  if (scalar.span.end > insertedEnd) return { start, end: scalar.span.end - insertedEnd + word.end + skipped };
  return { start, end: word.end + skipped };
}

function styleOf(text: string, token: Span, { steps, on }: Trail, { comma }: Attempt): TypingStyle {
  const last = steps.at(-1);
  const flow = last !== undefined && last.holder.kind !== 'scalar' && last.holder.flow;
  const rest = restOfLine(text, token.end);
  const colonFollows =
    /^[ \t]*:(?:[ \t\r]|$)/.test(rest) || (/^["']/.test(text.slice(token.start)) && /^[ \t]*:/.test(rest));
  const isItem = last?.kind === 'item';
  const key = on === 'value' && last?.kind === 'entry' ? last.entry.key.span : undefined;
  const from = key?.start ?? token.start;
  const quotesBehind = flow && isJson(steps) ? 'double' : 'plain';
  return {
    quotes: text[token.start] === '"' ? 'double' : text[token.start] === "'" ? 'single' : quotesBehind,
    quotesBehind,
    flow,
    needsColon: (on === 'key' || isItem) && !colonFollows,
    needsComma: comma,
    column: from - (text.lastIndexOf('\n', from - 1) + 1),
    behindColon: key === undefined ? undefined : text.indexOf(':', key.end) + 1,
  };
}

/** Whether the key at the cursor has a value. If it does not, YAML would parse the content below the key as its value. */
function hasValue({ steps, on }: Trail): boolean {
  const last = steps.at(-1);
  if (on !== 'key' || last?.kind !== 'entry') return false;
  const { value } = last.entry;
  return value.kind !== 'scalar' || value.span.end > value.span.start;
}

/** Whether to treat the text as JSON, in which all strings are quoted: whether the nearest key that contains the cursor is quoted. */
function isJson(steps: readonly Step[]): boolean {
  const around = steps.findLast((step) => step.kind === 'entry' && !step.entry.key.text.includes(marker));
  return around?.kind === 'entry' && around.entry.key.style === 'double';
}
