/** Removes findings that other extensions of the editor also report. The client sends the diagnostics of other extensions for open documents; if one of them covers a finding, the finding is removed, and its fixes are offered on that diagnostic. */

import type { Connection, TextDocuments } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { getOrAdd } from '../engine/memoize.ts';
import { splitDocuments } from '../manifests/yaml/documents.ts';
import { type OtherDiagnostic, otherDiagnosticsNotification } from '../protocol.ts';
import type { Finding, Severity } from '../rules/framework/rule.ts';
import type { Session } from '../session.ts';
import type { Span } from '../text/span.ts';
import { canonicalUri } from '../workspace/uri.ts';
import { rangeToSpan } from './convert.ts';
import type { OpenFindings } from './findings.ts';

/** Access to the diagnostics of other extensions for open documents. */
export interface OtherReporters {
  /** Returns the findings of a document that other extensions also report. */
  alsoReported(findings: readonly Finding[], document: TextDocument): ReadonlySet<Finding>;
}

interface OtherToolsParts {
  readonly connection: Connection;
  readonly session: Session;
  readonly findings: OpenFindings;
  readonly documents: TextDocuments<TextDocument>;
}

/** The numbers of severities in LSP; a lower number is a higher severity. */
const severities: Readonly<Record<Severity, number>> = { error: 1, warning: 2, information: 3, hint: 4 };

/** Handles the diagnostics of other extensions, which the client sends; `changed` is called if the set of covered findings changes. */
export function followOtherTools(
  { connection, session, findings: open, documents }: OtherToolsParts,
  changed: () => void,
): OtherReporters {
  const reported = new Map<string, readonly OtherDiagnostic[]>();
  // The result is cached, because every request for code actions needs it.
  const known = new WeakMap<readonly Finding[], WeakMap<readonly OtherDiagnostic[], ReadonlySet<Finding>>>();
  const alsoReported = (findings: readonly Finding[], document: TextDocument) =>
    coveringBy(findings, document, reported.get(document.uri) ?? []);
  const coveringBy = (
    findings: readonly Finding[],
    document: TextDocument,
    others: readonly OtherDiagnostic[],
  ): ReadonlySet<Finding> => {
    if (others.length === 0 || session.workspace.settings.coexist === 'off') return new Set();
    const ofFindings = getOrAdd(known, findings, () => new WeakMap());
    return getOrAdd(ofFindings, others, () => coveredBy(others, findings, document));
  };
  connection.onNotification(otherDiagnosticsNotification, (given: unknown) => {
    const { uri, diagnostics } = readOtherDiagnostics(given);
    const document = documents.get(uri);
    // The notification may arrive before the document is opened in the server, so the diagnostics are stored.
    if (document === undefined) return void reported.set(uri, diagnostics);
    const before = reported.get(uri) ?? [];
    reported.set(uri, diagnostics);
    const compare = (findings: readonly Finding[]) => {
      const covered = coveringBy(findings, document, before);
      const after = alsoReported(findings, document);
      if (findings.some((finding) => covered.has(finding) !== after.has(finding))) changed();
    };
    const findings = open.of(canonicalUri(uri));
    if (findings instanceof Promise) void findings.then(compare);
    else compare(findings);
  });
  documents.onDidClose(({ document }) => reported.delete(document.uri));
  return { alsoReported };
}

/** A diagnostic of another extension, with its range in the text. */
interface FindingInRange {
  readonly severity: number;
  readonly span: Span;
  /** Whether the diagnostic comes from a validator that uses a schema, and not from a parser. */
  readonly ofSchema: boolean;
}

/** Returns the findings of a document that are covered by a diagnostic with at least the same severity. */
export function coveredBy(
  others: readonly OtherDiagnostic[],
  findings: readonly Finding[],
  document: TextDocument,
): ReadonlySet<Finding> {
  const common = findings.filter((finding) => finding.common !== undefined);
  if (common.length === 0) return new Set();
  const text = document.getText();
  const placed = others.map(({ range, severity = severities.error, source = '' }): FindingInRange => {
    return { severity, span: rangeToSpan(document, range), ofSchema: /schema/i.test(source) };
  });
  const byPosition = common.filter((finding) => {
    const { common: kind, severity, span, reportedAt = [span] } = finding;
    const about = placed.filter((other) => other.severity <= severities[severity]);
    if (kind === 'syntax') return false;
    const isAbout = ({ ofSchema }: FindingInRange) => (kind === 'fields' ? ofSchema : kind === 'types' || !ofSchema);
    return about.some((other) => isAbout(other) && reportedAt.some((place) => covers(other.span, place, text)));
  });
  return new Set([...byPosition, ...coveredSyntax(placed, common, text)]);
}

/** Returns the syntax errors that other parsers also report. Parsers may report the same error at different positions, but always in the same YAML document. */
function coveredSyntax(
  placed: readonly FindingInRange[],
  common: readonly Finding[],
  text: string,
): readonly Finding[] {
  const syntax = common.filter((finding) => finding.common === 'syntax');
  const errors = placed.filter(({ severity, span, ofSchema }) => {
    return severity === severities.error && !ofSchema && !isOfDuplicate(span, common, text);
  });
  if (syntax.length === 0 || errors.length === 0) return [];
  const documents = splitDocuments(text);
  const documentOf = ({ span }: { readonly span: Span }) => documents.findLastIndex(({ start }) => start <= span.start);
  const [atEnd, placedErrors] = partition(errors, ({ span }) => span.start >= text.trimEnd().length);
  const inError = new Set(placedErrors.map(documentOf));
  const [covered, others] = partition(syntax, (finding) => inError.has(documentOf(finding)));
  // A missing closing quote hides all following documents from a parser, which then reports an error only at the end of
  // the file.
  return [...covered, ...(atEnd.length > 0 ? others.slice(0, 1) : [])];
}

function partition<T>(all: readonly T[], isFirst: (each: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [all.filter(isFirst), all.filter((each) => !isFirst(each))];
}

/** Whether a diagnostic contains a span and begins on the same line. A diagnostic that covers a whole object reports a different problem. */
function covers(other: Span, place: Span, text: string): boolean {
  if (other.start > place.start || other.end < place.end) return false;
  return !text.slice(other.start, place.start).includes('\n');
}

/** Whether a diagnostic reports a duplicate key, which YAML parsers report as a syntax error. */
function isOfDuplicate(other: Span, common: readonly Finding[], text: string): boolean {
  return common.some(
    ({ common: kind, reportedAt = [] }) =>
      kind === 'duplicateKeys' && reportedAt.some((place) => covers(other, place, text)),
  );
}

/** Parses the diagnostics that the client sends; invalid parts are ignored. */
function readOtherDiagnostics(given: unknown): {
  readonly uri: string;
  readonly diagnostics: readonly OtherDiagnostic[];
} {
  const { textDocument, diagnostics } = fieldsOf(given);
  const { uri } = fieldsOf(textDocument);
  return {
    uri: typeof uri === 'string' ? uri : '',
    diagnostics: Array.isArray(diagnostics) ? diagnostics.flatMap(readDiagnostic) : [],
  };
}

function readDiagnostic(given: unknown): readonly OtherDiagnostic[] {
  const { range, severity, source } = fieldsOf(given);
  const { start, end } = fieldsOf(range);
  const [from, to] = [readPosition(start), readPosition(end)];
  if (from === undefined || to === undefined) return [];
  return [
    {
      range: { start: from, end: to },
      ...(typeof severity === 'number' && { severity }),
      ...(typeof source === 'string' && { source }),
    },
  ];
}

function readPosition(given: unknown): OtherDiagnostic['range']['start'] | undefined {
  const { line, character } = fieldsOf(given);
  return typeof line === 'number' && typeof character === 'number' ? { line, character } : undefined;
}

function fieldsOf(given: unknown): Readonly<Record<string, unknown>> {
  return typeof given === 'object' && given !== null ? (given as Readonly<Record<string, unknown>>) : {}; // Read only.
}
