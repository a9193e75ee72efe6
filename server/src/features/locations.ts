/**
 * Locations of labels and objects, as a file and a range. The file may be closed; its line table is enough to convert
 * offsets.
 */

import type { LabelEntry } from '../manifests/model.ts';
import { nameSpan } from '../manifests/sites/object-sites.ts';
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
  // Entries in the object's own file are preferred to entries from other files.
  const first = asked.find(({ key, value }) => key.origin === undefined && value.origin === undefined) ?? asked[0];
  if (first === undefined) return { file, span: labeledObject.site?.keySpan ?? nameSpan(object) };
  // If a chart helper renders the label, its location is the template action that includes the helper.
  return first.rendered ? { file, span: entrySpan(first) } : entryFileSpan(workspace, file, first);
}

/** Returns the location of a label, which can be in a kustomization. */
export function entryFileSpan(workspace: Workspace, file: FileSpan['file'], { key, value }: LabelEntry): FileSpan {
  const origin = value.origin ?? key.origin;
  const other = origin && workspace.files.get(origin.uri);
  if (origin === undefined || other === undefined) return { file, span: entrySpan({ key, value }) };
  const ofKey = key.origin?.uri === origin.uri ? key.origin : origin;
  return { file: other, span: entrySpan({ key: ofKey, value: origin }) };
}

/** Returns a key that identifies an object, independent of the kustomization that applies it. */
export function objectKey({ file, object }: ObjectInFile): string {
  return `${file.uri} ${object.kindSpan.start}`;
}

/** Returns the span of an entry: from its key to its value if they are close together, otherwise only the key. */
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

/** The maximum distance in characters between a key and its value; the value of an alias is at the anchor, which can be far away. */
const maximumGap = 100;

/** Whether the object is written in a file, unlike the predefined objects that every cluster has. */
export function isWritten({ file }: { readonly file: { readonly uri: string } }): boolean {
  return file.uri !== everyCluster;
}

export function keysOf(site: SiteInFile['site']): ReadonlySet<string> {
  const selector = effectiveSelector(site);
  const asked = selector?.kind === 'all' ? selector.requirements : termsOf(site).flatMap(({ labels }) => labels);
  return new Set(asked.map(({ key }) => key));
}
