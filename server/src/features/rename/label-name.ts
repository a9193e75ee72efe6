/** Finds and replaces a label key or value in label maps and selectors, and computes labels and selectors as they will be after a rename. */

import type { LabelSet, Requirement, Selector } from '../../engine/index.ts';
import type { LabelEntry, SelectorSite, Written } from '../../manifests/model.ts';
import { replacePieces } from '../../manifests/sites/string-pieces.ts';
import { textTree } from '../../manifests/sites/text-requirements.ts';
import { replaceScalar } from '../../manifests/write/write-text.ts';
import type { Edit } from '../../text/edit.ts';

/** A label key, or one value of that key. */
export interface LabelName {
  readonly key: string;
  readonly value?: string;
}

/** The replacement of a label key or value at one position. */
export interface NameEdit {
  readonly edit: Edit;
  /** The URI of the file to edit, if a different file adds the label key or value to the object. */
  readonly writtenIn?: string;
  /** Set if the exact position of the edit in the text is unknown, as in a block scalar. */
  readonly unplaced?: true;
  /** Whether a template action determines if the label key or value is rendered. */
  readonly conditional: boolean;
  /** Whether the scalar has a YAML anchor. */
  readonly anchored: boolean;
}

/** Replaces a label key or value in a map of labels. */
export function renameInEntries(entries: readonly LabelEntry[], name: LabelName, to: string): readonly NameEdit[] {
  return entries
    .filter((entry) => isNamed(entry, name))
    .map((entry) => {
      const written = name.value === undefined ? entry.key : entry.value;
      return renameWritten(written, to, entry.conditional);
    });
}

function isNamed({ key, value }: LabelEntry, name: LabelName): boolean {
  if (key.value !== name.key) return false;
  return name.value === undefined || (value.value === name.value && value.type !== 'null');
}

/** Replaces a label key or value in a selector of any form. */
export function renameInSelector(site: SelectorSite, name: LabelName, to: string): readonly NameEdit[] {
  const inExpressions = site.expressions.flatMap(({ key, values }) => {
    if (key?.value !== name.key) return [];
    if (name.value === undefined) return [renameWritten(key, to)];
    return values.filter(({ value }) => value === name.value).map((value) => renameWritten(value, to));
  });
  return [
    ...renameInEntries(site.entries, name, to),
    ...inExpressions,
    ...renameInText(site.text, name, to, site.fact),
  ];
}

export function selectorRefersTo(site: SelectorSite, name: LabelName): boolean {
  return renameInSelector(site, name, '').length > 0 || isAskedElsewhere(site, name);
}

/** Whether a different file sets the selector to a string that refers to a label key or value. */
export function isAskedElsewhere({ text, selector }: SelectorSite, name: LabelName): boolean {
  if (text?.origin === undefined || selector?.ok !== true || selector.value.kind !== 'all') return false;
  return selector.value.requirements.some((each) => mentions(each, name));
}

/** Replaces a label key or value in a selector that is written as a string. */
export function renameInText(
  text: Written | undefined,
  name: LabelName,
  to: string,
  fact: Pick<SelectorSite['fact'], 'form'> = { form: 'string' },
): readonly NameEdit[] {
  // A string from a different file does not occur verbatim in this file.
  if (text === undefined || typeof text.value !== 'string' || text.origin !== undefined) return [];
  const pieces = textTree(text.text, fact).requirements.flatMap(({ key, values }) => {
    if (key?.text !== name.key) return [];
    const tokens = name.value === undefined ? [key] : values.filter((value) => value.text === name.value);
    return tokens.map(({ start, end }): Edit => ({ span: { start, end }, text: to }));
  });
  if (pieces.length === 0) return [];
  const anchored = text.anchored === true;
  return replacePieces(text, pieces).map((edit) => ({ edit, conditional: false, anchored }));
}

/** Replaces a label key or value that is a whole scalar. */
export function renameWritten(written: Written, to: string, conditional = false): NameEdit {
  const { origin, anchored = false } = written;
  return {
    edit: replaceScalar(origin === undefined ? written : { ...written, span: origin.span }, to),
    conditional,
    anchored,
    ...(origin && { writtenIn: origin.uri }),
    ...(written.style === 'block' && { unplaced: true }),
  };
}

/** Returns the label value as a list, as queries of the index expect it; empty if only a label key is given. */
export function valuesOf({ value }: LabelName): readonly string[] {
  return value === undefined ? [] : [value];
}

export function mentions({ key, values }: Requirement, name: LabelName): boolean {
  return key === name.key && (name.value === undefined || values.includes(name.value));
}

/** Returns the selector as it is after a rename. */
export function renamedSelector(selector: Selector, name: LabelName, to: string): Selector {
  if (selector.kind !== 'all') return selector;
  const requirements = selector.requirements.map((requirement): Requirement => {
    if (!mentions(requirement, name)) return requirement;
    if (name.value === undefined) return { ...requirement, key: to };
    return { ...requirement, values: requirement.values.map((value) => (value === name.value ? to : value)) };
  });
  return { ...selector, requirements };
}

/** Whether a label set has a label key or, if a value is given, the key with this value. */
export function hasName({ labels }: LabelSet, name: LabelName): boolean {
  if (!Object.hasOwn(labels, name.key)) return false;
  return name.value === undefined || labels[name.key] === name.value;
}

/** Returns the labels as they are after a rename. */
export function renamedLabels(labels: LabelSet['labels'], name: LabelName, to: string): LabelSet['labels'] {
  if (!hasName({ labels }, name)) return labels;
  if (name.value !== undefined) return { ...labels, [name.key]: to };
  return Object.fromEntries(Object.entries(labels).map(([key, value]) => [key === name.key ? to : key, value]));
}
