/** Where do answers stand? In an open file or a closed one, whose lines are kept. */

import type { Span } from '../text/span.ts';
import { effectiveSelector, termsOf } from '../workspace/effective-selector.ts';
import { everyCluster } from '../workspace/scopes.ts';
import type { Match } from '../workspace/selection.ts';
import type { ObjectInFile, SiteInFile, WorkspaceFile } from '../workspace/workspace.ts';

export interface FilePlace {
  readonly file: WorkspaceFile;
  readonly span: Span;
  /** What is shown around it; it holds the span. */
  readonly around?: Span;
}

/** The labels of a match that answer a selector: from the first to the last that stand together. */
export function answeringLabels({ site }: SiteInFile, { file, object, carrier }: Match): FilePlace {
  const keys = keysOf(site);
  const entries = [...(carrier.site?.entries ?? []), ...object.inherited];
  const asked = entries.filter(({ key }) => keys.has(key.text)).toSorted((a, b) => a.key.span.start - b.key.span.start);
  const [first] = asked;
  if (first === undefined) return { file, span: carrier.site?.keySpan ?? nameSpan(object) };
  return { file, span: entrySpan(first) };
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
export function isWritten({ file }: ObjectInFile): boolean {
  return file.uri !== everyCluster;
}

function keysOf(site: SiteInFile['site']): ReadonlySet<string> {
  const selector = effectiveSelector(site);
  const asked = selector?.kind === 'all' ? selector.requirements : termsOf(site).flatMap(({ labels }) => labels);
  return new Set(asked.map(({ key }) => key));
}
