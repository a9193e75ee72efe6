/** Removes a suppression, or one of its rules. */

import { removeEntry } from '../../manifests/write/write-text.ts';
import type { Edit } from '../../text/edit.ts';
import { nextLineAt } from '../../text/lines.ts';
import type { Span } from '../../text/span.ts';
import type { NamedRule, Suppression } from '../framework/suppressions.ts';

/** Removes a rule from a suppression, or removes the whole suppression if it contains no other rule. Undefined if a safe edit is not possible. */
export function removeRule(text: string, suppression: Suppression, rule: NamedRule): Edit | undefined {
  const { rules } = suppression;
  const at = rules.indexOf(rule);
  if (rules.length === 1) return removeSuppression(text, suppression);
  const next = rules[at + 1];
  const before = rules[at - 1];
  // In escaped or folded text, the position of a rule name is unknown.
  if (text.slice(rule.span.start, rule.span.end) !== rule.name) return undefined;
  if (next !== undefined) return { span: { start: rule.span.start, end: next.span.start }, text: '' };
  return before && { span: { start: before.span.end, end: rule.span.end }, text: '' };
}

/** Removes a whole suppression: the annotation, or the comment. The line of the comment is removed, too, if it contains nothing else. */
export function removeSuppression(text: string, { span, annotation }: Suppression): Edit | undefined {
  if (annotation !== undefined) return removeEntry(text, annotation.entry, annotation.site);
  return { span: withLine(text, span), text: '' };
}

function withLine(text: string, comment: Span): Span {
  const line = text.lastIndexOf('\n', comment.start - 1) + 1;
  const before = text.slice(line, comment.start);
  if (before.trim() !== '') return { start: line + before.trimEnd().length, end: comment.end };
  return { start: line, end: nextLineAt(text, comment.end) };
}
