/** How do our answers look in LSP? The only place of the server where lines and characters meet offsets. */

import {
  type CodeAction,
  CodeActionKind,
  type CompletionItem,
  CompletionItemKind,
  type Diagnostic,
  DiagnosticSeverity,
  type Hover,
  MarkupKind,
  type Position,
  type Range,
  type TextEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Completion } from '../features/completion.ts';
import type { Hover as OurHover } from '../features/hover.ts';
import type { Finding, Fix, Severity } from '../rules/rule.ts';
import type { Edit } from '../text/edit.ts';
import type { Span } from '../text/span.ts';

/** Where the page of a rule is. */
const rulePages = 'https://github.com/selector-lens/selector-lens/blob/main/docs/rules';

const severities: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

export function spanToRange(document: TextDocument, span: Span): Range {
  return { start: document.positionAt(span.start), end: document.positionAt(span.end) };
}

export function rangeToSpan(document: TextDocument, range: Range): Span {
  return { start: document.offsetAt(range.start), end: document.offsetAt(range.end) };
}

export function positionToOffset(document: TextDocument, position: Position): number {
  return document.offsetAt(position);
}

export function findingToDiagnostic(document: TextDocument, finding: Finding): Diagnostic {
  return {
    range: spanToRange(document, finding.span),
    severity: severities[finding.severity],
    source: 'selector-lens',
    code: finding.rule,
    codeDescription: { href: `${rulePages}/${finding.rule}.md` },
    message: finding.message,
  };
}

/** `diagnostics` are those that the client showed; the action names the one that it mends. */
export function fixToCodeAction(
  document: TextDocument,
  finding: Finding,
  fix: Fix,
  diagnostics: readonly Diagnostic[],
  versioned: boolean,
): CodeAction {
  const shown = findingToDiagnostic(document, finding);
  const mended = diagnostics.find((each) => each.code === shown.code && sameRange(each.range, shown.range));
  return {
    title: fix.title,
    kind: CodeActionKind.QuickFix,
    diagnostics: [mended ?? shown],
    ...(fix.preferred && { isPreferred: true }),
    edit: editsToWorkspaceEdit(document, fix.edits, versioned),
  };
}

function editsToWorkspaceEdit(document: TextDocument, edits: readonly Edit[], versioned: boolean): WorkspaceEdit {
  const converted = edits.map((edit) => editToTextEdit(document, edit));
  if (!versioned) return { changes: { [document.uri]: converted } };
  return { documentChanges: [{ textDocument: { uri: document.uri, version: document.version }, edits: converted }] };
}

function editToTextEdit(document: TextDocument, edit: Edit): TextEdit {
  return { range: spanToRange(document, edit.span), newText: edit.text };
}

export function hoverToHover(document: TextDocument, hover: OurHover, markdown: boolean): Hover {
  const kind = markdown ? MarkupKind.Markdown : MarkupKind.PlainText;
  return { contents: { kind, value: hover.markdown }, range: spanToRange(document, hover.span) };
}

export function completionToItem(document: TextDocument, completion: Completion): CompletionItem {
  return {
    label: completion.label,
    kind: completion.kind === 'key' ? CompletionItemKind.Property : CompletionItemKind.Value,
    ...(completion.detail !== undefined && { detail: completion.detail }),
    ...(completion.markdown !== undefined && {
      documentation: { kind: MarkupKind.Markdown, value: completion.markdown },
    }),
    sortText: String(completion.order).padStart(6, '0'),
    filterText: completion.label,
    textEdit: editToTextEdit(document, completion.edit),
  };
}

function sameRange(a: Range, b: Range): boolean {
  return (
    a.start.line === b.start.line &&
    a.start.character === b.start.character &&
    a.end.line === b.end.line &&
    a.end.character === b.end.character
  );
}
