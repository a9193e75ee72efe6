/** Where do answers stand? In an open file or a closed one, whose lines are kept. */

import type { LabelEntry } from '../manifests/model.ts';
import type { Span } from '../text/span.ts';
import type { ObjectInFile, SiteInFile, Workspace, WorkspaceFile } from '../workspace/model.ts';
import { everyCluster } from '../workspace/scopes/model.ts';
import { effectiveSelector, termsOf } from '../workspace/selection/effective-selector.ts';
import type { Match } from '../workspace/selection/model.ts';

export interface FilePlace {
  readonly file: Pick<WorkspaceFile, 'uri' | 'lines'>;
  readonly span: Span;
  /** What is shown around it; it holds the span. */
  readonly around?: Span;
}

/** The first of the labels by which a match answers a selector, where it is written. */
export function answeringLabels(
  workspace: Workspace,
  { site }: SiteInFile,
  { file, object, carrier }: Match,
): FilePlace {
  const keys = keysOf(site);
  const entries = [...(carrier.site?.entries ?? []), ...object.inherited];
  const asked = entries.filter(({ key }) => keys.has(key.text)).toSorted((a, b) => a.key.span.start - b.key.span.start);
  // What another file adds comes after what stands in this one.
  const first = asked.find(({ key, value }) => key.origin === undefined && value.origin === undefined) ?? asked[0];
  if (first === undefined) return { file, span: carrier.site?.keySpan ?? nameSpan(object) };
  // An action of the template stands for what a helper of its chart writes: that is asked for there.
  return first.told ? { file, span: entrySpan(first) } : entryPlace(workspace, file, first);
}

/** Where a label is written: a kustomization may have put it there. */
export function entryPlace(workspace: Workspace, file: FilePlace['file'], { key, value }: LabelEntry): FilePlace {
  const origin = value.origin ?? key.origin;
  const other = origin && workspace.files.get(origin.uri);
  if (origin === undefined || other === undefined) return { file, span: entrySpan({ key, value }) };
  const ofKey = key.origin?.uri === origin.uri ? key.origin : origin;
  return { file: other, span: entrySpan({ key: ofKey, value: origin }) };
}

/** Whether two are one object, perhaps as different kustomizations apply it. */
export function isSameObject(a: ObjectInFile, b: ObjectInFile): boolean {
  return objectKey(a) === objectKey(b);
}

/** What tells objects apart, however they are applied. */
export function objectKey({ file, object }: ObjectInFile): string {
  return `${file.uri} ${object.kindSpan.start}`;
}

/** An entry from its key to its value, where both stand beside each other. */
export function entrySpan({
  key,
  value,
}: {
  readonly key: { readonly span: Span };
  readonly value: { readonly span: Span };
}): Span {
  const isBeside = value.span.start >= key.span.end && value.span.start - key.span.end < maximumGap;
  return { start: key.span.start, end: isBeside ? value.span.end : key.span.end };
}

/** The value of an alias stands at its anchor. */
const maximumGap = 100;

/** Where an object is named; without a name, its kind. */
export function nameSpan({ name, generateName, kindSpan }: ObjectInFile['object']): Span {
  return name?.span ?? generateName?.span ?? kindSpan;
}

/** What every cluster has stands in no file. */
export function isWritten({ file }: { readonly file: { readonly uri: string } }): boolean {
  return file.uri !== everyCluster;
}

/** The keys that a selector asks for. */
export function keysOf(site: SiteInFile['site']): ReadonlySet<string> {
  const selector = effectiveSelector(site);
  const asked = selector?.kind === 'all' ? selector.requirements : termsOf(site).flatMap(({ labels }) => labels);
  return new Set(asked.map(({ key }) => key));
}
