/** Finds the label name (a key, or a key with its value) at an offset, in every supported notation. */

import { type Span, touches } from '../../text/span.ts';
import { labeledObjectsOf } from '../label-sets.ts';
import type { LabelEntry, LabelKeySite, LabelSite, Manifest, ManifestObject, SelectorSite, Written } from '../model.ts';
import { pieceOf } from '../sites/string-pieces.ts';
import { textTree } from '../sites/text-requirements.ts';
import { cursorTargetAt, labelKeyAt } from './cursor-target.ts';

export interface NameAtCursor {
  readonly object: ManifestObject;
  readonly site: LabelSite | SelectorSite | LabelKeySite;
  readonly key: string;
  /** The value of the label; absent if the cursor is on the key. */
  readonly value?: string;
  /** The span of the key or value without its quotes. */
  readonly span: Span;
}

/** Returns the label name at an offset; undefined if the text is not a label name, comes from a template, or is ambiguous. */
export function nameAt(manifest: Manifest, offset: number): NameAtCursor | undefined {
  const cursorTarget = cursorTargetAt(manifest, offset);
  if (cursorTarget === undefined) return keyAlone(manifest, offset);
  const { object, site } = cursorTarget;
  if (cursorTarget.kind === 'label') {
    if (!holdsLabels(cursorTarget.site)) return undefined;
    return named(
      object,
      site,
      cursorTarget.entry.key,
      cursorTarget.on === 'value' ? cursorTarget.entry.value : undefined,
    );
  }
  if (cursorTarget.part?.kind === 'entry') {
    return named(
      object,
      site,
      cursorTarget.part.entry.key,
      cursorTarget.part.on === 'value' ? cursorTarget.part.entry.value : undefined,
    );
  }
  if (cursorTarget.part?.kind === 'expression') {
    const { key, values } = cursorTarget.part.expression;
    if (key === undefined) return undefined;
    if (touches(key.span, offset)) return named(object, site, key, undefined);
    const value = values.find((each) => touches(each.span, offset));
    return value && named(object, site, key, value);
  }
  return cursorTarget.site.text === undefined
    ? undefined
    : inText(object, cursorTarget.site, cursorTarget.site.text, offset);
}

/** Returns a label key without a value. In a command, it is an output column (`-L app`) or a label to remove (`app-`). In an object, it is the key of a label of the object itself, or of the objects that it creates, as in a `fieldPath`. */
function keyAlone({ inline = [], objects }: Manifest, offset: number): NameAtCursor | undefined {
  const found = labelKeyAt([...inline, ...objects], offset);
  if (typeof found?.site.key.value !== 'string' || found.site.key.origin !== undefined) return undefined;
  const { object, site } = found;
  if (!object.inline && !isOwnKey(object, site)) return undefined;
  return { object, site, key: site.key.text, span: withoutQuotes(site.key) };
}

/** Whether a field refers by key to a label of its own object, or of the objects that this object creates. */
export function isOwnKey(object: ManifestObject, { place: { of } }: LabelKeySite): boolean {
  return (
    of !== undefined &&
    labeledObjectsOf(object).some(({ target }) => target.group === of.group && target.kind === of.kind)
  );
}

/** Returns the labels of an object, or of the objects that it creates, to which one of its fields refers by key. */
export function ownLabelsOf(object: ManifestObject, { key, place: { of } }: LabelKeySite): readonly LabelEntry[] {
  const own = labeledObjectsOf(object).filter(({ target }) => target.group === of?.group && target.kind === of.kind);
  return own.flatMap(({ site }) => site?.entries.filter((entry) => entry.key.value === key.value) ?? []);
}

/** Whether a map certainly contains labels of objects. A map that is recognized only by the name of its field may contain something else, such as the labels of metrics. */
export function holdsLabels({ place, path }: LabelSite): boolean {
  return place.holds === 'labels' && (place.of !== undefined || path === 'metadata.labels');
}

function named(
  object: ManifestObject,
  site: LabelSite | SelectorSite,
  key: Written,
  value: Written | undefined,
): NameAtCursor | undefined {
  if (typeof key.value !== 'string' || key.origin !== undefined || value?.origin !== undefined) return undefined;
  if (value === undefined) return { object, site, key: key.text, span: withoutQuotes(key) };
  if (typeof value.value !== 'string' || value.type === 'null') return undefined;
  return { object, site, key: key.text, value: value.text, span: withoutQuotes(value) };
}

function inText(object: ManifestObject, site: SelectorSite, text: Written, offset: number): NameAtCursor | undefined {
  if (typeof text.value !== 'string' || text.origin !== undefined) return undefined;
  for (const { key, values } of textTree(text.text, site.fact).requirements) {
    if (key === undefined) continue;
    const keySpan = pieceOf(text, key);
    if (keySpan !== undefined && touches(keySpan, offset)) return { object, site, key: key.text, span: keySpan };
    for (const value of values) {
      const span = value.end > value.start ? pieceOf(text, value) : undefined;
      if (span !== undefined && touches(span, offset)) {
        return { object, site, key: key.text, value: value.text, span };
      }
    }
  }
  return undefined;
}

/** Returns the span of a scalar without its quotes; the whole span if the quoted text contains escape sequences. */
export function withoutQuotes(written: Written): Span {
  return pieceOf(written, { start: 0, end: written.text.length }) ?? written.span;
}
