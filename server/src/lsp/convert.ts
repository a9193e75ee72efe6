/** Converts results to LSP types. Only this module of the server converts between positions and offsets. */

import {
  type CodeAction,
  CodeActionKind,
  type Diagnostic,
  DiagnosticSeverity,
  DiagnosticTag,
  type Hover,
  MarkupKind,
  type Position,
  type Range,
  type TextEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Hover as OurHover } from '../features/hover/hover.ts';
import { toMarkdown, toPlainText } from '../features/presentation/rich-text.ts';
import type { SuppressionFix } from '../features/refactor/suppress.ts';
import type { Finding, Severity, Tag } from '../rules/framework/rule.ts';
import { rulePageUrl } from '../rules/framework/rule-page-url.ts';
import { replaceControls } from '../text/control-characters.ts';
import type { Edit } from '../text/edit.ts';
import { type LineTable, rangeOf } from '../text/lines.ts';
import { localize } from '../text/localize.ts';
import type { Span } from '../text/span.ts';
import type { ClientAbilities } from './client-capabilities.ts';

const severities: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

/** Converts a span (UTF-16 offsets) of a document to a range. */
export function spanToRange(document: TextDocument, span: Span): Range {
  return { start: document.positionAt(span.start), end: document.positionAt(span.end) };
}

/** Converts a range to a span (UTF-16 offsets) of a document. */
export function rangeToSpan(document: TextDocument, range: Range): Span {
  return { start: document.offsetAt(range.start), end: document.offsetAt(range.end) };
}

/** Converts a position to an offset (UTF-16) of a document. */
export function positionToOffset(document: TextDocument, position: Position): number {
  return document.offsetAt(position);
}

const tags: Readonly<Record<Tag, DiagnosticTag>> = {
  deprecated: DiagnosticTag.Deprecated,
  unnecessary: DiagnosticTag.Unnecessary,
};

/** Converts a finding to a diagnostic; `range` is the range of the finding. */
export function findingToDiagnostic(range: Range, finding: Finding, abilities: ClientAbilities): Diagnostic {
  return {
    range,
    severity: severities[finding.severity],
    source: 'selector-lens',
    code: finding.rule,
    codeDescription: { href: rulePageUrl(finding.rule) },
    message: replaceControls(finding.message, '\n'),
    ...(abilities.diagnosticTags && finding.tags.length > 0 && { tags: finding.tags.map((tag) => tags[tag]) }),
    ...(abilities.relatedInformation &&
      finding.related.length > 0 && {
        relatedInformation: finding.related.map(({ file, span, message }) => ({
          location: { uri: file.uri, range: rangeOf(file.lines, span) },
          message: replaceControls(message, '\n'),
        })),
      }),
  };
}

export interface ActionContext {
  readonly document: TextDocument;
  readonly abilities: ClientAbilities;
  /** The diagnostics that the client shows at the requested range. An action refers to the diagnostic that it fixes. */
  readonly diagnostics: readonly Diagnostic[];
  /** Returns the line table of a different file; undefined if the file is unknown. */
  linesOf(uri: string): LineTable | undefined;
}

/** Returns the diagnostic for a finding in the form in which it was sent to the client. */
export function shownOf({ document, abilities, diagnostics }: ActionContext, finding: Finding): Diagnostic {
  const made = findingToDiagnostic(spanToRange(document, finding.span), finding, abilities);
  return diagnostics.find((each) => each.code === made.code && sameRange(each.range, made.range)) ?? made;
}

/** Creates an action that opens the documentation of a rule; `command` is a command of the client that takes the name of the rule as its argument. */
export function pageToCodeAction(context: ActionContext, finding: Finding, command: string): CodeAction {
  const title = localize`Show documentation for ${finding.rule}`;
  return {
    title,
    kind: CodeActionKind.QuickFix,
    diagnostics: [shownOf(context, finding)],
    command: { title, command, arguments: [finding.rule] },
  };
}

export function fixToCodeAction(context: ActionContext, finding: Finding, fix: SuppressionFix): CodeAction {
  return {
    title: fix.title,
    kind: CodeActionKind.QuickFix,
    diagnostics: [shownOf(context, finding)],
    ...(fix.preferred && { isPreferred: true }),
    edit: fixToWorkspaceEdit(context, fix),
  };
}

/** The kind of the action that applies all safe fixes. A safe fix cannot change which objects any selector matches. */
export const fixAllKind = `${CodeActionKind.SourceFixAll}.selectorLens`;

/** Creates the action that applies the edits of all safe fixes, or only the safe fixes of one rule. */
export function fixAllToCodeAction(context: ActionContext, edits: readonly Edit[], rule?: string): CodeAction {
  const edit = fixToWorkspaceEdit(context, { title: '', edits, preferred: false });
  const title =
    rule === undefined
      ? localize`Apply all safe fixes (no selector changes what it matches)`
      : localize`Apply all safe fixes of ${rule}`;
  return { title, kind: rule === undefined ? fixAllKind : `${fixAllKind}.${rule}`, edit };
}

function fixToWorkspaceEdit({ document, abilities, linesOf }: ActionContext, fix: SuppressionFix): WorkspaceEdit {
  const here = fix.edits.map((edit) => editToTextEdit(document, edit));
  const others = [...(fix.elsewhere ?? [])].map(([uri, edits]) => {
    const lines = linesOf(uri) ?? [0];
    return { uri, edits: edits.map(({ span, text }) => ({ range: rangeOf(lines, span), newText: text })) };
  });
  if (!abilities.versionedEdits) {
    const all = [...(here.length > 0 ? [{ uri: document.uri, edits: here }] : []), ...others];
    return { changes: Object.fromEntries(all.map(({ uri, edits }) => [uri, edits])) };
  }
  return {
    documentChanges: [
      ...(here.length > 0 ? [{ textDocument: { uri: document.uri, version: document.version }, edits: here }] : []),
      ...(fix.creates === undefined
        ? []
        : [{ kind: 'create' as const, uri: fix.creates, options: { ignoreIfExists: true } }]),
      ...others.map(({ uri, edits }) => ({ textDocument: { uri, version: null }, edits })),
    ],
  };
}

export function editToTextEdit(document: TextDocument, edit: Edit): TextEdit {
  return { range: spanToRange(document, edit.span), newText: edit.text };
}

/** Converts a hover of a feature to an LSP hover in Markdown or plain text, depending on the capabilities of the client. */
export function hoverToHover(document: TextDocument, { text, span }: OurHover, abilities: ClientAbilities): Hover {
  const contents = abilities.markdownHover
    ? { kind: MarkupKind.Markdown, value: toMarkdown(text, abilities.commands) }
    : { kind: MarkupKind.PlainText, value: toPlainText(text) };
  return { contents, range: spanToRange(document, span) };
}

function sameRange(a: Range, b: Range): boolean {
  return (
    a.start.line === b.start.line &&
    a.start.character === b.start.character &&
    a.end.line === b.end.line &&
    a.end.character === b.end.character
  );
}
