/** How does a person silence a finding? A comment above its line or at the top of the file; for JSON, the team's file. */

import type { Finding, Fix } from '../../rules/framework/rule.ts';
import { addIgnored } from '../../settings/write-config.ts';
import { byteOrderMark } from '../../text/byte-order-mark.ts';
import { lineEnd } from '../../text/lines.ts';

/** The `.selector-lens.yaml` that speaks for the file, or the one that could. */
export interface ConfigText {
  readonly uri: string;
  /** Undefined where there is none yet. */
  readonly text: string | undefined;
  /** The path of the file as the globs in it see it. */
  readonly path: string;
}

/** A change that silences a finding. */
export interface Silencing extends Fix {
  /** A file that must be made first. */
  readonly creates?: string;
}

/** JSON and plain text have no comments, and in Markdown a `#` begins a heading. */
export function hasComments(uri: string): boolean {
  return !/\.(?:json|md|markdown|mdx|txt|log)$/i.test(uri);
}

/** Every way to silence a finding of a file with comments. */
export function silenceByComment(text: string, finding: Finding): readonly Silencing[] {
  const end = lineEnd(text);
  // ytt refuses other comments than its own.
  const opening = /^[ \t]*#@/m.test(text) ? '#!' : '#';
  const line = text.lastIndexOf('\n', finding.span.start - 1) + 1;
  const indent = /^[ \t]*/.exec(text.slice(line, finding.span.start))?.[0] ?? '';
  // Some editors leave a byte order mark in the text.
  const top = byteOrderMark(text).length;
  const onLine: Silencing = {
    title: `Disable ${finding.rule} for this line`,
    edits: [
      {
        span: { start: line, end: line },
        text: `${indent}${opening} selector-lens-disable-next-line ${finding.rule}${end}`,
      },
    ],
    preferred: false,
  };
  const inFile: Silencing = {
    title: `Disable ${finding.rule} for this file`,
    edits: [{ span: { start: top, end: top }, text: `${opening} selector-lens-disable-file ${finding.rule}${end}` }],
    preferred: false,
  };
  // A comment about the next line passes over comments.
  return text[line + indent.length] === '#' ? [inFile] : [onLine, inFile];
}

/** The way to silence a rule in a file without comments. */
export function silenceByConfig(finding: Finding, config: ConfigText): readonly Silencing[] {
  const edit = addIgnored(config.text ?? '', finding.rule, config.path);
  if (edit === undefined) return [];
  return [
    {
      title: `Disable ${finding.rule} for this file in .selector-lens.yaml`,
      edits: [],
      elsewhere: new Map([[config.uri, [edit]]]),
      preferred: false,
      ...(config.text === undefined && { creates: config.uri }),
    },
  ];
}
