/** Determines which findings about the manifests in Markdown pages and scripts are reported. */

import type { Span } from '../../text/span.ts';

/** The rules that check manifests in Markdown pages and scripts. These are only rules for the syntax of labels, selectors, taints and names, because a page contains excerpts and consecutive steps rather than complete manifests. */
export const pageRules: ReadonlySet<string> = new Set([
  'label-key-syntax',
  'label-value-syntax',
  'label-value-type',
  'annotation-key-syntax',
  'annotation-value-type',
  'name-syntax',
  'selector-syntax',
  'selector-template-mismatch',
  'node-selector-syntax',
  'taint-syntax',
]);

/** Whether a finding is about a mark that stands for omitted text, such as `app: ...`, `app: <...>` and `app: [...]`. */
export function isOmission(text: string, { start, end }: Span): boolean {
  return omission.test(text.slice(start, end)) || omittedList.test(text.slice(end, end + 20));
}

const omission = /^["'<([]{0,3}(?:\.{3,20}|\u2026|\?{3,20}|\*{1,20})[\])>"']{0,3}$/;
const omittedList = /^: ?\[(?:\.{3}|\u2026)\]/;
