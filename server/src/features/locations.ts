/**
 * Locations of labels and objects, as a file and a range. The file may be closed; its line table is enough to convert
 * offsets.
 */

import type { LabelEntry } from '../manifests/model.ts';
import type { Span } from '../text/span.ts';
import type { ObjectInFile, SiteInFile, Workspace, WorkspaceFile } from '../workspace/model.ts';
import { everyCluster } from '../workspace/scopes/model.ts';
import { effectiveSelector, termsOf } from '../workspace/selection/effective-selector.ts';
import type { Match } from '../workspace/selection/model.ts';

export interface FileSpan {
  readonly file: Pick<WorkspaceFile, 'uri' | 'lines'>;
  readonly span: Span;
  /** The enclosing range to show, which contains `span`. */
  readonly around?: Span;
}

/** Returns the location of the first label by which an object matches a selector. */
export function answeringLabels(
  workspace: Workspace,
  { site }: SiteInFile,
  { file, object, labeledObject }: Match,
): FileSpan {
  const keys = keysOf(site);
  const entries = [...(labeledObject.site?.entries ?? []), ...object.inherited];
  const asked = entries.filter(({ key }) => keys.has(key.text)).toSorted((a, b) => a.key.span.start - b.key.span.start);
  // Entries from another file come after those of the object's file.
  const first = asked.find(({ key, value }) => key.origin === undefined && value.origin === undefined) ?? asked[0];
  if (first === undefined) return { file, span: labeledObject.site?.keySpan ?? nameSpan(object) };
  // An action of the template represents the output of a helper of its chart, and is itself the location.
  return first.rendered ? { file, span: entrySpan(first) } : entryFileSpan(workspace, file, first);
}

/** Returns the location at which a label is written, which may be in a kustomization. */
export function entryFileSpan(workspace: Workspace, file: FileSpan['file'], { key, value }: LabelEntry): FileSpan {
  const origin = value.origin ?? key.origin;
  const other = origin && workspace.files.get(origin.uri);
  if (origin === undefined || other === undefined) return { file, span: entrySpan({ key, value }) };
  const ofKey = key.origin?.uri === origin.uri ? key.origin : origin;
  return { file: other, span: entrySpan({ key: ofKey, value: origin }) };
}

/** Whether both are the same object, possibly as applied by different kustomizations. */
export function isSameObject(a: ObjectInFile, b: ObjectInFile): boolean {
  return objectKey(a) === objectKey(b);
}

/** Returns a key that identifies an object, independent of the kustomization that applies it. */
export function objectKey({ file, object }: ObjectInFile): string {
  return `${file.uri} ${object.kindSpan.start}`;
}

/** Returns the span of an entry from its key to its value if both are adjacent. */
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

/** The maximum distance of a value from its key: the value of an alias is at its anchor. */
const maximumGap = 100;

/** Returns the span of an object's name; without a name, of its kind. */
export function nameSpan({ name, generateName, kindSpan }: ObjectInFile['object']): Span {
  return name?.span ?? generateName?.span ?? kindSpan;
}

/** Whether the object is written in a file; the objects that every cluster has are not. */
export function isWritten({ file }: { readonly file: { readonly uri: string } }): boolean {
  return file.uri !== everyCluster;
}

/** Returns the keys that a selector requires. */
export function keysOf(site: SiteInFile['site']): ReadonlySet<string> {
  const selector = effectiveSelector(site);
  const asked = selector?.kind === 'all' ? selector.requirements : termsOf(site).flatMap(({ labels }) => labels);
  return new Set(asked.map(({ key }) => key));
}
