/**
 * Finds the labels and selectors that patches, transformers and GitOps objects write: the references to a label that exist
 * only in applied objects.
 */

import type { Requirement } from '../../engine/index.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import type { LabelEntry, SpeakingSite, Written } from '../../manifests/model.ts';
import type { Span } from '../../text/span.ts';
import { labeledObjectWith, selectorWith } from '../../workspace/index/index-entries.ts';
import { isSharedTooMuch } from '../../workspace/kustomize/shared-files.ts';
import { type AppliedScope, appliedBeside, appliedScope } from '../../workspace/kustomize/view.ts';
import type { ObjectInFile, Workspace } from '../../workspace/model.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import { entryFileSpan, type FileSpan } from '../locations.ts';
import type { View } from '../view.ts';
import { concerns, concernsLabel, type LabelName, mentionsInFile } from './mentions.ts';

/** Returns the positions at which other files than that of an object write a label into applied objects: into those of the scopes that apply the object, and of other GitOps objects that certainly apply to its cluster. */
export function referencesInRenderings(
  { workspace, catalogue }: View,
  { file, object }: ObjectInFile,
  label: LabelName,
  most: number,
): readonly FileSpan[] {
  if (object.inline || isSharedTooMuch(workspace, file.uri)) return [];
  const scopes = workspace.scopes();
  const own = [...new Set([...scopes.of(placeOf({ file, object })), ...scopes.building(file.uri)])];
  const found = new Map<string, FileSpan>();
  const renderings = [
    ...own.flatMap((scope) => appliedScope(workspace, catalogue, scope) ?? []),
    ...appliedBeside(workspace, catalogue, own),
  ];
  for (const applied of renderings) {
    for (const place of [...labelsIn(applied, label), ...selectorsIn(applied, label)])
      getOrAdd(found, `${place.file.uri}\n${place.span.start}`, () => wholeMention(workspace, place, label));
    if (found.size >= most) break;
  }
  return [...found.values()].slice(0, most);
}

/** Returns the whole entry or requirement in a patch or kustomization of which a position contains only the value. */
function wholeMention({ files }: Workspace, place: FileSpan, label: LabelName): FileSpan {
  const file = files.get(place.file.uri);
  const mentions = file === undefined ? [] : mentionsInFile(file.manifest);
  const whole = mentions.find((each) => concerns(label, each) && containsSpan(each.span, place.span));
  return whole === undefined ? place : { file: place.file, span: whole.span };
}

function containsSpan(outer: Span, inner: Span): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

function* labelsIn({ workspace, rendering }: AppliedScope, label: LabelName): Iterable<FileSpan> {
  const { key, values } = label;
  const index = rendering.index();
  const folders = values.length === 0 ? index.carrying(key) : values.flatMap((value) => index.carrying(key, value));
  for (const id of folders.flatMap(({ files }) => files.flatMap(({ ids }) => ids))) {
    const found = labeledObjectWith(workspace, id);
    if (found === undefined) continue;
    const { via, site } = found.labeledObject;
    const inherited = via === undefined ? found.object.inherited : [];
    yield* entriesElsewhere(workspace, found, [...inherited, ...(site?.entries ?? [])], label);
  }
}

function* selectorsIn({ workspace, rendering }: AppliedScope, label: LabelName): Iterable<FileSpan> {
  const isMeant = (requirement: Requirement) => concernsLabel(requirement, label);
  for (const id of rendering.index().speaking(label.key, label.values, isMeant)) {
    const found = selectorWith(workspace, id);
    if (found === undefined) continue;
    yield* entriesElsewhere(workspace, found, found.site.entries, label);
    yield* requirementsElsewhere(workspace, found.site, label);
  }
}

function* entriesElsewhere(
  workspace: Workspace,
  { file }: ObjectInFile,
  entries: readonly LabelEntry[],
  label: LabelName,
): Iterable<FileSpan> {
  for (const entry of entries) {
    const isElsewhere = entry.key.origin !== undefined || entry.value.origin !== undefined;
    if (isElsewhere && concerns(label, { key: entry.key.text, values: [entry.value.text] }))
      yield entryFileSpan(workspace, file, entry);
  }
}

/** Yields the positions of the keys or values of expressions, and of selectors that are text. */
function* requirementsElsewhere(workspace: Workspace, site: SpeakingSite, label: LabelName): Iterable<FileSpan> {
  const { expressions, text } = site;
  for (const { key, values } of expressions) {
    if (key === undefined) continue;
    const isMeant = ({ text: value }: Written) => concerns(label, { key: key.text, values: [value] });
    const meant = values.length === 0 ? [key].filter(() => key.text === label.key) : values.filter(isMeant);
    for (const written of meant) yield* originOf(workspace, written);
  }
  if (text !== undefined) yield* originOf(workspace, text);
}

function originOf({ files }: Workspace, { origin }: Written): readonly FileSpan[] {
  const file = origin && files.get(origin.uri);
  return file === undefined || origin === undefined ? [] : [{ file, span: origin.span }];
}
