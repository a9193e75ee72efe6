/** Inserts the selector on the line of one cursor into a manifest at the position of a second cursor, in the form that the field there requires. Refuses if a selector is not valid there. */

import { type Problem, type Selector, toLabelSelector, toMap } from '../../engine/index.ts';
import type { CompletionTarget } from '../../manifests/cursor/completion-target.ts';
import { cursorTargetAt } from '../../manifests/cursor/cursor-target.ts';
import { typingTargetAt } from '../../manifests/cursor/parse-with-marker.ts';
import type { LabelEntry, SelectorSite } from '../../manifests/model.ts';
import { type DraftEntries, typedEntries, typedValue } from '../../manifests/write/write-completion.ts';
import { applyEdits, type Edit } from '../../text/edit.ts';
import { indentationOf } from '../../text/indentation.ts';
import { lineEnd, lineEndAt } from '../../text/lines.ts';
import { localize } from '../../text/localize.ts';
import { meets, type Span } from '../../text/span.ts';
import { effectiveSelector } from '../../workspace/selection/effective-selector.ts';
import type { FileView } from '../view.ts';
import { isKnown, labelSelectorText } from './convert-selector.ts';

export type Insertion = { readonly edit: Edit } | Refused;

interface Refused {
  readonly refused: string;
}

export interface Cursor {
  readonly view: FileView;
  readonly offset: number;
}

/** Returns the edit that inserts the selector on the line of the cursor `from` at the cursor `to`. */
export function insertSelector(from: Cursor, to: Cursor): Insertion {
  const site = siteOnLine(from);
  if (site === undefined)
    return { refused: localize`place the cursor on the line of a selector to insert it into a manifest` };
  const selector = effectiveSelector(site);
  if (selector === undefined) return { refused: localize`this selector is invalid, or does not select by labels` };
  if (selector.kind !== 'all')
    return { refused: localize`this selector has no requirements, so there is nothing to insert` };
  if (!isKnown(selector)) return { refused: localize`parts of this selector are unknown, so it cannot be inserted` };
  const { view, offset } = to;
  const { rooms, belowKey } = roomAt(view.text, offset);
  for (const room of rooms) {
    const insertion = insertedInField(view, room, selector);
    if (insertion !== undefined) return insertion;
  }
  if (belowKey !== undefined && !isKindKnown(view, offset) && !hasMore(view.text, belowKey))
    return insertedBelowKey(view.text, belowKey, selector);
  return {
    refused: localize`a selector is not allowed at the cursor of the manifest: place the cursor on an empty line below the field of the selector`,
  };
}

/** Returns the selector under the cursor, or else the first selector of a command on its line. */
function siteOnLine({ view: { file, text }, offset }: Cursor): SelectorSite | undefined {
  const cursorTarget = cursorTargetAt(file.manifest, offset);
  if (cursorTarget?.kind === 'selector') return cursorTarget.site;
  const line = lineAt(text, offset);
  const sites = (file.manifest.inline ?? []).flatMap(({ selectorSites }) => selectorSites);
  return sites.find(({ span }) => meets(span, line));
}

interface Room {
  /** Edits that prepare a position for the selector, the most likely first. */
  readonly rooms: readonly Edit[];
  /** The edit that prepares a position for the selector as the only value of a key. */
  readonly belowKey?: Edit;
}

/** Returns the possible positions: at the cursor, or on a line with the indentation that the previous line requires. */
function roomAt(text: string, offset: number): Room {
  const asIs = { span: { start: offset, end: offset }, text: '' };
  if (/^\s*[{[]/.test(text)) return { rooms: [asIs] };
  const line = lineAt(text, offset);
  const written = text.slice(line.start, line.end).trimEnd();
  const end = line.start + written.length;
  const isBlank = written === '';
  const above = isBlank ? text.slice(0, line.start).trimEnd() : text.slice(0, end);
  const isKey = above.endsWith(':');
  if (!isBlank && (!isKey || offset < end)) return { rooms: [asIs] };
  const indent = indentBelow(text, above);
  if (!isBlank) {
    const next = { span: { start: end, end: line.end }, text: lineEnd(text) + indent };
    return { rooms: [next], belowKey: next };
  }
  const indented = { span: line, text: indent };
  return { rooms: [asIs, indented], ...(isKey && { belowKey: indented }) };
}

/** Returns the indentation of a line after the text `above`, deeper if that text ends with a key without a value. */
function indentBelow(text: string, above: string): string {
  const last = above.slice(above.lastIndexOf('\n') + 1);
  const column = /^ *(?:- +)*/.exec(last)?.[0].length ?? 0;
  return ' '.repeat(column + (last.endsWith(':') ? indentationOf(text).step : 0));
}

/** Returns the span of a line without its line break. */
function lineAt(text: string, offset: number): Span {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const line = text.slice(start, lineEndAt(text, offset));
  return { start, end: start + line.replace(/\r$/, '').length };
}

/** Returns the insertion at a position; undefined if neither a selector nor labels are valid there. */
function insertedInField(view: FileView, room: Edit, selector: Selector): Insertion | undefined {
  const text = applyEdits(view.text, [room]);
  const cursorTarget = typingTargetAt(text, room.span.start + room.text.length, view);
  if (cursorTarget === undefined || cursorTarget.token.start < cursorTarget.token.end) return undefined;
  const entries = entriesFor(cursorTarget.place, selector);
  if (entries === undefined || 'refused' in entries) return entries;
  const isWhole = cursorTarget.place.kind === 'selector';
  const { edit } = isWhole
    ? typedValue(text, cursorTarget, { map: entries })
    : typedEntries(text, cursorTarget, entries);
  return { edit: { span: room.span, text: room.text + edit.text } };
}

/** Returns the entries of the selector in the form for a completion target; undefined if a selector is not valid there. */
function entriesFor(place: CompletionTarget, selector: Selector): DraftEntries | Refused | undefined {
  switch (place.kind) {
    case 'label':
      return place.on === 'key' ? beside(place.others, asMap(selector)) : undefined;
    case 'selector':
      if (place.part === 'matchExpressions') return undefined;
      return place.part === 'matchLabels' || isMap(place.site)
        ? asMap(selector)
        : asFields(selector, fieldsOf(place.site));
    case 'selectorField':
      return asFields(selector, place.fields);
    default:
      return undefined;
  }
}

function isMap({ fact }: SelectorSite): boolean {
  return fact.form === 'map' || fact.form === 'nodeSelectorMap';
}

function fieldsOf({ fact }: SelectorSite): readonly string[] {
  return ['matchLabels', 'matchExpressions'].filter(
    (field) => fact.form === 'labelSelector' || fact.form.startsWith(field),
  );
}

function asMap(selector: Selector): DraftEntries | Refused {
  const map = toMap(selector);
  return map.ok ? Object.entries(map.value).map(([key, value]) => [key, String(value)]) : whyNot(map.problems);
}

function beside(others: readonly LabelEntry[], entries: DraftEntries | Refused): DraftEntries | Refused {
  if ('refused' in entries) return entries;
  const twice = entries.find(([key]) => others.some((other) => other.key.text === key));
  return twice === undefined
    ? entries
    : { refused: localize`the map at the cursor of the manifest already has '${twice[0]}'` };
}

function asFields(selector: Selector, free: readonly string[]): DraftEntries | Refused {
  const converted = toLabelSelector(selector);
  if (!converted.ok) return whyNot(converted.problems);
  const { matchLabels = {}, matchExpressions = [] } = converted.value ?? {};
  const labels = Object.entries(matchLabels).map(([key, value]) => [key, String(value)] as const);
  const expressions = matchExpressions.map(({ key, operator, values = [] }) => ({
    map: [
      ['key', key],
      ['operator', operator],
      ...(values.length > 0 ? [['values', { list: values.map(String) }] as const] : []),
    ] as const,
  }));
  const entries: DraftEntries = [
    ...(labels.length > 0 ? [['matchLabels', { map: labels }] as const] : []),
    ...(expressions.length > 0 ? [['matchExpressions', { list: expressions }] as const] : []),
  ];
  const taken = entries.find(([field]) => !free.includes(field));
  if (taken === undefined) return entries;
  return { refused: localize`the field at the cursor of the manifest already has '${taken[0]}', or does not allow it` };
}

/** Whether the kind of the object is in the catalogue, which then lists all of its selectors. The last object before the offset is used, because the span of an object does not include an empty field at its end. */
function isKindKnown({ file, text, catalogue }: FileView, offset: number): boolean {
  const object = file.manifest.objects.findLast(({ span }) => span.start <= offset);
  if (object === undefined || text.slice(object.span.end, offset).includes('\n---')) return false;
  return catalogue.kind(object.group, object.version, object.kind) !== undefined;
}

function hasMore(text: string, { span, text: room }: Edit): boolean {
  const indent = room.slice(room.lastIndexOf('\n') + 1);
  const next = text
    .slice(span.end)
    .split('\n', linesLookedAt)
    .slice(1)
    .find((line) => line.trim() !== '');
  return next?.startsWith(indent) === true;
}

/** The maximum number of lines that are searched for the value of a key. */
const linesLookedAt = 100;

/** Inserts the selector below a key whose schema is unknown, for example in a custom resource. Uses `matchLabels` and `matchExpressions`, which most fields accept. */
function insertedBelowKey(text: string, room: Edit, selector: Selector): Insertion {
  const converted = toLabelSelector(selector);
  if (!converted.ok) return whyNot(converted.problems);
  const indent = lineEnd(text) + room.text.slice(room.text.lastIndexOf('\n') + 1);
  return { edit: { span: room.span, text: room.text + labelSelectorText(converted.value ?? {}, indent) } };
}

function whyNot([problem]: readonly Problem[]): Refused {
  return {
    refused: (problem?.message ?? localize`this selector cannot be expressed in this form`).replaceAll('`', ''),
  };
}
