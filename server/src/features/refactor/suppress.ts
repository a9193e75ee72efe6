/** Suppresses a finding with a comment above its line or at the top of the file or, in files that cannot contain comments (such as JSON), in `.selector-lens.yaml`. */

import type { Finding, Fix } from '../../rules/framework/rule.ts';
import { addIgnored } from '../../settings/write-config.ts';
import { byteOrderMark } from '../../text/byte-order-mark.ts';
import { lineEnd } from '../../text/lines.ts';
import { localize } from '../../text/localize.ts';

/** The `.selector-lens.yaml` that applies to the file, which may not exist yet. */
export interface ConfigText {
  readonly uri: string;
  /** The text of the file; undefined if it does not exist yet. */
  readonly text: string | undefined;
  /** The path of the checked file, in the form with which the globs in the configuration are compared. */
  readonly path: string;
}

export interface SuppressionFix extends Fix {
  /** The URI of a file that has to be created first. */
  readonly creates?: string;
}

/** Whether a file can contain comments. JSON and plain text cannot; in Markdown, `#` begins a heading. */
export function hasComments(uri: string): boolean {
  return !/\.(?:json|md|markdown|mdx|txt|log)$/i.test(uri);
}

/** Returns a function that computes the changes that suppress a finding with a comment. */
export function suppressionsIn(text: string): (finding: Finding) => readonly SuppressionFix[] {
  const end = lineEnd(text);
  // In ytt templates, comments must begin with `#!`.
  const opening = /^[ \t]*#@/m.test(text) ? '#!' : '#';
  return (finding) => disableByComment(text, finding, { opening, end });
}

function disableByComment(
  text: string,
  finding: Finding,
  { opening, end }: { readonly opening: string; readonly end: string },
): readonly SuppressionFix[] {
  const line = text.lastIndexOf('\n', finding.span.start - 1) + 1;
  const indent = /^[ \t]*/.exec(text.slice(line, finding.span.start))?.[0] ?? '';
  // Some editors leave a byte order mark in the text.
  const top = byteOrderMark(text).length;
  const onLine: SuppressionFix = {
    title: localize`Disable ${finding.rule} for this line`,
    edits: [
      {
        span: { start: line, end: line },
        text: `${indent}${opening} selector-lens-disable-next-line ${finding.rule}${end}`,
      },
    ],
    preferred: false,
  };
  const inFile: SuppressionFix = {
    title: localize`Disable ${finding.rule} for this file`,
    edits: [{ span: { start: top, end: top }, text: `${opening} selector-lens-disable-file ${finding.rule}${end}` }],
    preferred: false,
  };
  // `selector-lens-disable-next-line` skips comments, so it cannot suppress a finding in a comment.
  return text[line + indent.length] === '#' ? [inFile] : [onLine, inFile];
}

/** Returns the change to the configuration that suppresses a rule for a file whose format does not allow comments. */
export function disableByConfig(finding: Finding, config: ConfigText): readonly SuppressionFix[] {
  const edit = addIgnored(config.text ?? '', finding.rule, config.path);
  if (edit === undefined) return [];
  return [
    {
      title: localize`Disable ${finding.rule} for this file in .selector-lens.yaml`,
      edits: [],
      elsewhere: new Map([[config.uri, [edit]]]),
      preferred: false,
      ...(config.text === undefined && { creates: config.uri }),
    },
  ];
}
