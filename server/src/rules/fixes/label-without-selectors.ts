/** Changes a kustomization so that it adds a label to objects and templates, but not to selectors. */

import type { LabelEntry } from '../../manifests/model.ts';
import type { Edit } from '../../text/edit.ts';
import { lineEnd } from '../../text/lines.ts';
import { localize } from '../../text/localize.ts';
import type { Span } from '../../text/span.ts';
import type { Fix, RuleContext } from '../framework/rule.ts';

/** Returns the fix for the label whose value is at `at` in a kustomization: the label is added through `labels` with `includeTemplates`, so that it is not added to selectors. `isNew` determines whether a label key is new in selectors; there is no fix for other keys. */
export function labelWithoutSelectors(
  { file, text }: RuleContext,
  at: Span,
  isNew: (key: string) => boolean,
): readonly Fix[] {
  const isMeant = ({ key, value }: LabelEntry) =>
    value.span.start === at.start && key.origin === undefined && value.origin === undefined;
  const change = file.kustomization?.labels.find(({ entries }) => entries.some(isMeant));
  const entry = change?.entries.find(isMeant);
  if (change === undefined || entry === undefined || change.open || !isNew(entry.key.text)) return [];
  const edit = change.isCommon ? fromCommonLabels(text, change.entries, entry) : excluded(text);
  const title = localize`Do not add '${entry.key.text}' to selectors`;
  return edit === undefined ? [] : [{ title, edits: [edit], preferred: false }];
}

/** Moves a label from `commonLabels` to a new field `labels`. */
function fromCommonLabels(text: string, entries: readonly LabelEntry[], moved: LabelEntry): Edit | undefined {
  const [first, last] = [entries[0], entries.at(-1)];
  if (first === undefined || last === undefined || /^labels:/m.test(text)) return undefined;
  const start = text.lastIndexOf('commonLabels:', first.key.span.start);
  const span = { start, end: last.value.span.end };
  const block = text.slice(span.start, span.end);
  // Only a block map at the top level of the file, with one entry on each line, can be edited safely.
  const isBlock = block.split('\n').length === entries.length + 1 && !/[{}#&*]/.test(block);
  if (start < 0 || (start > 0 && text[start - 1] !== '\n') || !isBlock) return undefined;
  const written = ({ key, value }: LabelEntry) => text.slice(key.span.start, value.span.end);
  const kept = entries.filter((each) => each !== moved).map((each) => `  ${written(each)}`);
  const lines = [
    ...(kept.length === 0 ? [] : ['commonLabels:', ...kept]),
    'labels:',
    '  - pairs:',
    `      ${written(moved)}`,
    `    includeTemplates: true`,
  ];
  return { span, text: lines.join(lineEnd(text)) };
}

/** Disables `includeSelectors` and enables `includeTemplates` instead, if exactly one item of `labels` enables `includeSelectors`. */
function excluded(text: string): Edit | undefined {
  const [found, ...others] = [...text.matchAll(/^([ -]*)includeSelectors: true[ \t]*$/gm)];
  if (found === undefined || others.length > 0 || text.includes('includeTemplates')) return undefined;
  const [line, before = ''] = found;
  const indent = ' '.repeat(before.length);
  const lines = [`${before}includeSelectors: false`, `${indent}includeTemplates: true`];
  return { span: { start: found.index, end: found.index + line.length }, text: lines.join(lineEnd(text)) };
}
