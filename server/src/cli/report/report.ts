/** Checks the selected files and creates the report: plain values, which each format presents in its own way. */

import { getOrAdd, memoized } from '../../engine/memoize.ts';
import { isWorthChecking } from '../../features/diagnostics/all-problems.ts';
import { contain } from '../../log.ts';
import type { Finding, Fix, Severity } from '../../rules/framework/rule.ts';
import { configName } from '../../settings/config.ts';
import { ownText } from '../../text/copy-string.ts';
import { type LineTable, offsetToPosition } from '../../text/lines.ts';
import { compareText, countBefore, inOrder, merged } from '../../text/order.ts';
import type { Span } from '../../text/span.ts';
import { recorded } from '../../workspace/dependencies/dependencies.ts';
import type { CachedQuestion, Question } from '../../workspace/dependencies/questions.ts';
import type { LiveWorkspace } from '../../workspace/live/live-workspace.ts';
import type { Skipped } from '../../workspace/live/load.ts';
import { unreadFile } from '../../workspace/live/skipped-files.ts';
import type { WorkspaceFile } from '../../workspace/model.ts';
import { hasDefaultValues, type Scope } from '../../workspace/scopes/model.ts';
import { filesWith, hasSyntaxErrors, type ScopeFacts } from '../../workspace/scopes/scope-facts.ts';
import { isIn } from '../../workspace/snapshot.ts';
import type { World } from '../environment.ts';
import { type Indexed, logOf } from '../indexed-workspace.ts';
import { type RenderedPart, renderedParts, sourceAt } from '../objects/helm-source.ts';
import { failuresOfCharts } from '../objects/partial-scopes.ts';
import { nameList } from '../output/name-list.ts';
import { displayPath } from '../paths/display-path.ts';
import { takingPartIn } from '../paths/taking-part.ts';
import { unreadMessage } from './configuration-faults.ts';
import { Fingerprints, objectAt } from './fingerprints.ts';
import type {
  CheckedReport,
  Diagnostic,
  KnownCheck,
  KnownChecks,
  LineAndColumn,
  Range,
  Report,
  ReportedFix,
  ReportedSpan,
} from './model.ts';

/** All severities, from the least to the most severe. */
export const severities: readonly Severity[] = ['hint', 'information', 'warning', 'error'];

export interface CheckedFile {
  readonly file: WorkspaceFile;
  readText(): string;
  readonly findings: readonly Finding[];
}

/** The number of checked files after which cached data that was needed only for earlier files is dropped. */
const neighbourhood = 256;

/** Connects a report to earlier and later ones. */
export interface Reuse {
  /** Returns the results that are not computed again. */
  readonly known?: KnownChecks | undefined;
  /** Called with each new result. */
  readonly keep?: (uri: string, result: KnownCheck) => void;
}

/** Checks every file that may contain selected findings. Without `reuse`, the result does not contain the questions that the checks asked. */
export async function makeReport(
  world: World,
  indexed: Indexed,
  check: (file: WorkspaceFile) => CheckedFile,
  reuse?: Reuse,
): Promise<CheckedReport> {
  const files = filesToCheck(indexed);
  const { diagnostics, requested, ...checked } = await checkFiles(world, indexed, files, check, reuse);
  const unread = indexed.faults.unread.flatMap((each) => new Maker(world, indexed).diagnosticsOf(unreadConfig(each)));
  const bySeverity = [...diagnostics, ...unread].toSorted(compareSeverity);
  return {
    report: reportWith(world, indexed, { ...checked, diagnostics: bySeverity }),
    requested: byQuestion(requested),
  };
}

/** Checks some files again, and returns the report of all files with the questions of the checked files. Requires that the paths select every finding, that all configurations could be read, and that the files with objects and the scopes are those of the report. */
export async function updateReport(
  world: World,
  indexed: Indexed,
  check: (file: WorkspaceFile) => CheckedFile,
  { report, stale }: { readonly report: Report; readonly stale: ReadonlySet<string> },
): Promise<{ readonly report: Report; readonly requested: RequestedByFile }> {
  const files = takingPartIn(indexed.session.snapshot()).filesOf(stale);
  const wanted = inPathOrder([...files.filter(({ uri }) => !indexed.isExcluded(uri)), ...indexed.commandFiles]);
  const { diagnostics: found, requested } = await checkFiles(world, indexed, wanted, check, {});
  const kept = report.diagnostics.filter(({ uri }) => !stale.has(uri));
  const diagnostics = merged(kept, found, (a, b) => compareSeverity(a, b) || compareText(a.uri, b.uri));
  return {
    report: reportWith(world, indexed, { ...report, diagnostics, objects: report.summary.objects }),
    requested,
  };
}

export async function checkSome(
  world: World,
  indexed: Indexed,
  files: readonly WorkspaceFile[],
  check: (file: WorkspaceFile) => CheckedFile,
): Promise<readonly Diagnostic[]> {
  const { diagnostics } = await checkFiles(world, indexed, inPathOrder(files), check);
  return diagnostics.toSorted(compareSeverity);
}

type RequestedByFile = readonly (readonly [uri: string, questions: readonly Question[]])[];

interface Checked extends Pick<Report, 'diagnostics' | 'files' | 'looked'> {
  readonly objects: number;
}

/** Checks files one by one, so that only their findings stay in memory. */
async function checkFiles(
  world: World,
  indexed: Indexed,
  checked: readonly WorkspaceFile[],
  check: (file: WorkspaceFile) => CheckedFile,
  reuse?: Reuse,
): Promise<Checked & { readonly requested: RequestedByFile }> {
  const { session, selection } = indexed;
  const commandFiles = new Set(indexed.commandFiles);
  // A file may be checked twice, as a manifest and for its commands; the cache does not distinguish these findings.
  const withCommands = new Set(indexed.commandFiles.map(({ uri }) => uri));
  const maker = new Maker(world, indexed);
  const log = logOf(world);
  const requested: (readonly [uri: string, questions: readonly Question[]])[] = [];
  const diagnostics: Diagnostic[] = [];
  const files: Report['files'][number][] = [];
  let objects = 0;
  const looked: string[] = [];
  let count = 0;
  for (const [number, file] of checked.entries()) {
    if (number % 100 === 0) world.status?.(`Checking files: ${Math.floor((100 * number) / checked.length)} %`);
    if (!session.causesRejections(file.uri) && !isWorthChecking(file) && !commandFiles.has(file)) continue;
    const held = selection.objectsIn(file);
    if (held > 0) files.push({ file: displayPath(world, file.uri), uri: file.uri });
    objects += held;
    if (selection.selectsAllOf(file.uri)) looked.push(file.uri);
    const reused = withCommands.has(file.uri) ? undefined : reuse?.known?.(file.uri);
    if (reused === undefined) {
      if (count++ % neighbourhood === 0) session.workspace.evictUnused();
      await world.files.pause();
    }
    const diagnosticsIn = () => {
      const result = check(file);
      return result.findings.length > 0 ? maker.diagnosticsOf(result) : [];
    };
    const checkAnew = () => contain<readonly Diagnostic[]>(log, `check of ${file.uri}`, diagnosticsIn, () => []);
    // Only results that are kept need the questions on which they depend.
    const result = reused ?? (reuse && recordedCheck(session.workspace, file.uri, checkAnew));
    if (reused === undefined && result !== undefined) reuse?.keep?.(file.uri, result);
    for (const each of result?.diagnostics ?? checkAnew()) diagnostics.push(each);
    if (result !== undefined) requested.push([file.uri, result.questions]);
  }
  world.status?.(undefined);
  return { diagnostics, files, looked, objects, requested };
}

/** Returns the report of checked files, whose findings are sorted. */
function reportWith(world: World, indexed: Indexed, { diagnostics, files, looked, objects }: Checked): Report {
  return {
    diagnostics,
    skipped: indexed.skipped,
    summary: {
      files: files.length,
      objects,
      ...countsOf(diagnostics),
      skipped: indexed.skipped.map(({ uri, reason }) => ({ file: displayPath(world, uri), reason })),
    },
    files,
    looked,
    loaded: indexed.session.workspace.summary(),
    alone: indexed.alone,
    broken: brokenIn(indexed, diagnostics).map(({ uri }) => displayPath(world, uri)),
    isEmpty: indexed.isEmpty && diagnostics.length === 0,
    barren: indexed.barren && diagnostics.length === 0,
    notes: [
      ...(indexed.isEmpty && diagnostics.length > 0 ? [] : indexed.notes),
      ...notesOnHelpers(world, indexed),
      ...failuresOfCharts(world, indexed, hasChosenValues),
    ],
  };
}

/** Whether a chart is executed with values that the user chose. Many charts refuse their default values, which users must complete. */
function hasChosenValues(scope: Scope): boolean {
  return scope.kind === 'chart' && scope.release !== undefined && !hasDefaultValues(scope);
}

/** The maximum number of templates that a note names. */
const mostNamed = 3;

const templatesOfHelpers = memoized((files: ReadonlyMap<string, ScopeFacts>) =>
  filesWith(files, ({ includesObjects }) => includesObjects === true),
);

/** Returns a note on the templates whose objects only helpers write, which no rule checks. */
function notesOnHelpers(world: World, { session, selection, isExcluded }: Indexed): readonly string[] {
  const scopes = session.snapshot().scopes();
  const isMeant = (uri: string) =>
    !isExcluded(uri) && scopes.ofFile(uri).some((scope) => scope.kind === 'chart' && selection.mayApply(scope));
  const templates = templatesOfHelpers(scopes.facts()).filter(isMeant);
  const names = templates.toSorted(compareText).map((uri) => displayPath(world, uri));
  return names.length === 0 ? [] : [`Objects that only helpers write are not checked: ${nameList(names, mostNamed)}.`];
}

/** Returns the findings of a check with the questions that it asked. */
function recordedCheck(workspace: LiveWorkspace, uri: string, check: () => readonly Diagnostic[]): KnownCheck {
  const around = { questions: workspace.questions, snapshot: workspace.snapshot() };
  const { result, questions } = recorded(around, uri, check, (diagnostics) => diagnostics.flatMap(mentionedFiles));
  return { diagnostics: result, questions };
}

function mentionedFiles({ related, fixes }: Diagnostic): readonly string[] {
  return [...related, ...fixes.flatMap(({ changes }) => changes)].map(({ uri }) => uri);
}

/** Returns each question about all files once, with the files whose checks depend on its answer. */
function byQuestion(requested: RequestedByFile): readonly CachedQuestion[] {
  const found = new Map<string, { readonly question: Question; readonly uris: string[] }>();
  // The questions of an earlier check are shared by all files that depend on them.
  const shared = new Map<Question, string[]>();
  const urisOf = (question: Question) => getOrAdd(found, JSON.stringify(question), () => ({ question, uris: [] })).uris;
  for (const [uri, questions] of requested)
    for (const question of questions) getOrAdd(shared, question, urisOf).push(uri);
  return [...found.values()];
}

/** Converts a configuration that could not be read to a file with a finding, so that a check to which the configuration applies does not pass. */
function unreadConfig(skipped: Skipped): CheckedFile {
  const finding: Finding = {
    rule: 'invalid-configuration',
    severity: 'error',
    span: { start: 0, end: 0 },
    message: `'${configName}' ${unreadMessage(skipped)}`,
    related: [],
    tags: [],
    fixes: () => [],
  };
  return { file: unreadFile(skipped), readText: () => '', findings: [finding] };
}

/** Returns the files at the paths, and the other files in the scopes that they affect, in the order of their URIs. */
function filesToCheck({ session, commandFiles, selection, isExcluded, faults }: Indexed): readonly WorkspaceFile[] {
  const { files } = session.snapshot();
  const broken = faults.broken.flatMap((uri) => files.get(uri) ?? []);
  const wanted = [...new Set([...selection.filesWithFindings(), ...broken])];
  return inPathOrder([...wanted.filter(({ uri }) => !isExcluded(uri)), ...commandFiles]);
}

function inPathOrder(files: readonly WorkspaceFile[]): readonly WorkspaceFile[] {
  return inOrder(files, (a, b) => compareText(a.uri, b.uri));
}

/** Orders the most severe findings first. */
function compareSeverity(a: Diagnostic, b: Diagnostic): number {
  return severities.indexOf(b.severity) - severities.indexOf(a.severity);
}

/** Returns the files with syntax errors, except for chart templates, which are not YAML before they are rendered. Uses the stored facts about files, so that no file has to be deserialized. */
function brokenIn({ session, reported }: Indexed, found: readonly Diagnostic[]): readonly WorkspaceFile[] {
  const workspace = session.snapshot();
  const known = new Set<string>();
  for (const { rule, uri } of found) if (rule === 'syntax-error') known.add(uri);
  const broken = takingPartIn(workspace)
    .filesWith(isOpenBySyntax)
    .filter(({ uri }) => !known.has(uri) && !isIn(workspace, uri, 'chart'));
  return broken.filter((file) => reported[countBefore(reported, ({ uri }) => uri < file.uri)] === file);
}

function isOpenBySyntax({ scope }: WorkspaceFile): boolean {
  return scope.openBecause.includes(hasSyntaxErrors);
}

/** Returns the report without less severe findings, which are not counted either. */
export function atLeast(report: Report, severity: Severity): Report {
  const diagnostics = report.diagnostics.filter((each) => isAtLeast(each, severity));
  return { ...report, diagnostics, summary: { ...report.summary, ...countsOf(diagnostics) } };
}

export function isAtLeast(found: { readonly severity: Severity }, severity: Severity): boolean {
  return severities.indexOf(found.severity) >= severities.indexOf(severity);
}

/** Returns the report with only the given findings; the removed findings are counted as known. */
export function withDiagnostics(report: Report, diagnostics: readonly Diagnostic[]): Report {
  const known = report.diagnostics.length - diagnostics.length;
  return { ...report, known, diagnostics, summary: { ...report.summary, ...countsOf(diagnostics) } };
}

function countsOf(diagnostics: readonly Diagnostic[]): Readonly<Record<Severity, number>> {
  const counts = { error: 0, warning: 0, information: 0, hint: 0 };
  for (const { severity } of diagnostics) counts[severity]++;
  return counts;
}

/** The maximum length of a reported line, in UTF-16 units; longer lines are reported only in part. */
const longLine = 1000;

/** The length of the reported part of a long line that precedes the range. */
const partBefore = 200;

class Maker {
  readonly #world: World;
  readonly #indexed: Indexed;
  /** The most recently read texts of files to which findings in other files refer. */
  readonly #texts = new Map<string, string>();

  constructor(world: World, indexed: Indexed) {
    this.#world = world;
    this.#indexed = indexed;
  }

  diagnosticsOf({ file, readText, findings }: CheckedFile): readonly Diagnostic[] {
    const text = readText();
    const parts = renderedParts(text);
    const fingerprints = new Fingerprints(file.manifest);
    this.#remember(file.uri, text);
    const diagnostics: Diagnostic[] = [];
    for (const finding of findings) {
      const related: ReportedSpan[] = [];
      for (const each of finding.related) related.push(this.#place(each.file, each.span, each.message));
      const place = this.#place(file, finding.span, finding.message);
      diagnostics.push({
        ...place,
        rule: finding.rule,
        severity: finding.severity,
        related,
        fixes: finding
          .fixes()
          .toSorted((a, b) => Number(b.preferred) - Number(a.preferred))
          .flatMap((fix) => this.#fix(file, fix) ?? []),
        fingerprint: fingerprints.of(finding, place.line),
        ...objectOf(file, finding.span),
        ...sourceOf(parts, finding.span),
      });
    }
    return diagnostics;
  }

  #place(file: WorkspaceFile, span: Span, message: string): ReportedSpan {
    const text = this.#textOf(file);
    const number = offsetToPosition(file.lines, span.start).line;
    const start = file.lines[number] ?? 0;
    const end = file.lines[number + 1] ?? text.length;
    // A long line may have thousands of findings, so each finding contains only a part of the line.
    const from = end - start > longLine ? Math.max(start, span.start - partBefore) : start;
    const part = text.slice(from, Math.min(end, from + longLine)).replace(/\r?\n?$/, '');
    const line = mayContainSecrets(file, span) ? alone(part, span.start - from, span) : part;
    const shown = { file: displayPath(this.#world, file.uri), uri: file.uri };
    return { message, ...shown, range: rangeOf(file.lines, span), line: ownText(line), lineFrom: from - start };
  }

  #textOf(file: WorkspaceFile): string {
    const known = this.#texts.get(file.uri);
    if (known !== undefined) return known;
    const text = this.#indexed.readText(file);
    this.#remember(file.uri, text);
    return text;
  }

  #remember(uri: string, text: string): void {
    this.#texts.set(uri, text);
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > 20 && oldest !== undefined) this.#texts.delete(oldest);
  }

  /** Returns the fix for the report; undefined if the fix changes a file whose lines are unknown. */
  #fix(file: WorkspaceFile, { title, edits, elsewhere, safe }: Fix): ReportedFix | undefined {
    const own = edits.map(({ span, text }) => ({ uri: file.uri, range: rangeOf(file.lines, span), text }));
    const others = [...(elsewhere ?? [])].flatMap(([uri, theirs]) => {
      const lines = this.#indexed.session.snapshot().files.get(uri)?.lines;
      return theirs.map(({ span, text }) => lines && { uri, range: rangeOf(lines, span), text });
    });
    const changes = [...own, ...others].filter((change) => change !== undefined);
    return changes.length === own.length + others.length
      ? { title, safe: safe === true && elsewhere === undefined, changes }
      : undefined;
  }
}

function objectOf({ manifest }: WorkspaceFile, span: Span): Pick<Diagnostic, 'object'> {
  const found = objectAt(manifest, span.start);
  if (found === undefined) return {};
  const { group, version, kind, namespace, name } = found;
  const object = {
    apiVersion: group === '' ? version : `${group}/${version}`,
    kind,
    ...(namespace && { namespace: namespace.text }),
    ...(name && { name: name.text }),
  };
  return { object };
}

/** Whether the line of a finding may contain data of a Secret. */
function mayContainSecrets({ manifest }: WorkspaceFile, span: Span): boolean {
  const object = objectAt(manifest, span.start);
  return object?.group === '' && object.kind === 'Secret';
}

/** Returns the text in the range of a finding; the text before it is replaced by blanks. */
function alone(line: string, start: number, span: Span): string {
  return ' '.repeat(start) + line.slice(start, start + span.end - span.start);
}

function sourceOf(parts: readonly RenderedPart[], span: Span): { readonly source?: string } {
  const source = sourceAt(parts, span.start);
  return source === undefined ? {} : { source };
}

function rangeOf(lines: LineTable, span: Span): Range {
  const at = (offset: number): LineAndColumn => {
    const { line, character } = offsetToPosition(lines, offset);
    return { line: line + 1, column: character + 1 };
  };
  return { start: at(span.start), end: at(span.end) };
}
