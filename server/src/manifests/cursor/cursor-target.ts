/** Finds the element of an object under the cursor that features can act on, such as a label or a selector. */

import { type Span, touches } from '../../text/span.ts';
import type {
  Expression,
  LabelEntry,
  LabelKeySite,
  LabelSite,
  Manifest,
  ManifestObject,
  SelectorSite,
} from '../model.ts';

export type CursorTarget =
  | {
      readonly kind: 'selector';
      readonly object: ManifestObject;
      readonly site: SelectorSite;
      readonly part?: SelectorPart | undefined;
    }
  | {
      readonly kind: 'label';
      readonly object: ManifestObject;
      readonly site: LabelSite;
      readonly entry: LabelEntry;
      readonly on: 'key' | 'value';
    };

/** The part of a selector at the cursor, such as one requirement. */
type SelectorPart =
  | { readonly kind: 'entry'; readonly entry: LabelEntry; readonly on: 'key' | 'value' }
  | { readonly kind: 'expression'; readonly expression: Expression };

/** Returns the label or selector at an offset; undefined if there is none. */
export function cursorTargetAt(manifest: Manifest, offset: number): CursorTarget | undefined {
  return targetIn(manifest.objects, offset) ?? (manifest.inline && targetIn(manifest.inline, offset));
}

function targetIn(objects: readonly ManifestObject[], offset: number): CursorTarget | undefined {
  for (const object of objects) {
    const selector = selectorAt(object.selectorSites, offset);
    if (selector !== undefined) {
      const part = selectorPart(selector, offset);
      return { kind: 'selector', object, site: selector, ...(part && { part }) };
    }
    for (const site of object.labelSites) {
      const hit = entryAt(site.entries, offset);
      if (hit !== undefined) return { kind: 'label', object, site, ...hit };
    }
  }
  return undefined;
}

/** The element under the cursor: a label or selector, the identity of an object, the field that contains its labels, or a field that contains a label key. */
export type Cursor =
  | CursorTarget
  | { readonly kind: 'labels'; readonly object: ManifestObject; readonly site: LabelSite; readonly span: Span }
  | { readonly kind: 'labelKey'; readonly object: ManifestObject; readonly site: LabelKeySite; readonly span: Span }
  | { readonly kind: 'object'; readonly object: ManifestObject; readonly on: ObjectPart; readonly span: Span };

export type ObjectPart = 'kind' | 'name' | 'namespace';

/** The last result of `cursorAt` for a manifest, because an editor sends several requests about a position. */
const lastCursors = new WeakMap<Manifest, { readonly offset: number; readonly cursor: Cursor | undefined }>();

/** Returns the element at an offset; undefined if there is none. Unlike `cursorTargetAt`, it also recognizes the identity of an object, the field that contains its labels, and fields that contain a label key. `text`, from which the manifest was parsed, is needed to recognize comments. */
export function cursorAt(manifest: Manifest, text: string, offset: number): Cursor | undefined {
  const last = lastCursors.get(manifest);
  if (last?.offset === offset) return last.cursor;
  const cursor = elementAt(manifest, text, offset);
  lastCursors.set(manifest, { offset, cursor });
  return cursor;
}

function elementAt(manifest: Manifest, text: string, offset: number): Cursor | undefined {
  if (offset > text.length) return undefined;
  const cursorTarget = cursorTargetAt(manifest, offset);
  if (cursorTarget?.kind === 'label' || (cursorTarget !== undefined && cursorTarget.part?.kind === 'entry'))
    return cursorTarget;
  // Commands are recognized even in comments.
  const inCommand = cursorTarget?.object.inline ? cursorTarget : labelKeyAt(manifest.inline ?? [], offset);
  if (inCommand !== undefined) return inCommand;
  if (isInComment(text, offset)) return undefined;
  return cursorTarget ?? identityAt(manifest, offset);
}

/** Whether the offset is in a YAML comment, that is, after a `#` at the start of the line or after a space. The result is only correct for offsets outside of scalars. */
function isInComment(text: string, offset: number): boolean {
  const line = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
  return /(^|\s)#/.test(text.slice(line, offset));
}

function identityAt({ objects }: Manifest, offset: number): Cursor | undefined {
  for (const object of objects) {
    const site = object.labelSites.find(({ keySpan }) => touches(keySpan, offset));
    if (site !== undefined) return { kind: 'labels', object, site, span: site.keySpan };
    const key = labelKeyAt([object], offset);
    if (key !== undefined) return key;
    const parts = { kind: object.kindSpan, name: object.name?.span, namespace: object.namespace?.span };
    for (const on of ['kind', 'name', 'namespace'] as const) {
      const span = parts[on];
      if (span !== undefined && touches(span, offset)) return { kind: 'object', object, on, span };
    }
  }
  return undefined;
}

/** Returns the label key at an offset that refers to a label, in an object or a command; for example, a topology key or an output column. */
export function labelKeyAt(
  objects: readonly ManifestObject[],
  offset: number,
): (Cursor & { readonly kind: 'labelKey' }) | undefined {
  for (const object of objects) {
    const site = object.labelKeySites.find(({ key }) => touches(key.span, offset));
    if (site !== undefined) return { kind: 'labelKey', object, site, span: site.key.span };
  }
  return undefined;
}

/** Returns the innermost object that contains an offset. */
export function objectAt(manifest: Manifest, offset: number): ManifestObject | undefined {
  return innermost(manifest.objects, ({ span }) => touches(span, offset));
}

/** Returns the span of a cursor target: of a key, a value, or the field that contains the selector. */
export function cursorTargetSpan(cursorTarget: CursorTarget): Span {
  if (cursorTarget.kind === 'label') return cursorTarget.entry[cursorTarget.on].span;
  if (cursorTarget.part?.kind === 'entry') return cursorTarget.part.entry[cursorTarget.part.on].span;
  return (
    cursorTarget.part?.expression.span ??
    (cursorTarget.object.inline ? cursorTarget.site.span : cursorTarget.site.keySpan)
  );
}

/** Whether the offset is in the key of a selector field, in its value, or between them, for example after the colon. */
function isAt({ keySpan, span, state }: SelectorSite, offset: number): boolean {
  if (state === 'absent') return false;
  return touches(keySpan, offset) || touches(span, offset) || (offset > keySpan.end && offset < span.start);
}

function selectorAt(sites: readonly SelectorSite[], offset: number): SelectorSite | undefined {
  return innermost(sites, (site) => isAt(site, offset));
}

/** Returns the innermost of the elements around a position: they are either nested or disjoint, so it is the first of the shortest. */
function innermost<Spanned extends { readonly span: Span }>(
  elements: readonly Spanned[],
  isAround: (element: Spanned) => boolean,
): Spanned | undefined {
  let found: Spanned | undefined;
  const lengthOf = ({ span }: Spanned) => span.end - span.start;
  for (const each of elements)
    if (isAround(each) && (found === undefined || lengthOf(each) < lengthOf(found))) found = each;
  return found;
}

function selectorPart(site: SelectorSite, offset: number): SelectorPart | undefined {
  const entry = entryAt(site.entries, offset);
  if (entry !== undefined) return { kind: 'entry', ...entry };
  const expression = site.expressions.find((each) => touches(each.span, offset));
  return expression && { kind: 'expression', expression };
}

function entryAt(
  entries: readonly LabelEntry[],
  offset: number,
): { readonly entry: LabelEntry; readonly on: 'key' | 'value' } | undefined {
  for (const entry of entries) {
    if (touches(entry.key.span, offset)) return { entry, on: 'key' };
    if (touches(entry.value.span, offset)) return { entry, on: 'value' };
  }
  return undefined;
}
