/**
 * Text for terminals: each finding with its source line, as compilers show it, and the counts at the end. The findings
 * of a file are grouped, the most severe first; the file with the most severe finding comes first.
 */

import { getOrAdd } from '../../engine/memoize.ts';
import type { Severity } from '../../rules/framework/rule.ts';
import type { World } from '../environment.ts';
import { counted } from '../output/counts.ts';
import { excerptLines } from '../output/excerpt.ts';
import { type Colorize, colorizer, type Style, tame, tamePath } from '../output/terminal-escape.ts';
import type { Diagnostic, Report, ReportedSpan, RuleCount } from '../report/model.ts';
import { severities } from '../report/report.ts';
import type { CheckFormat } from './format.ts';

const styles: Readonly<Record<Severity, Style>> = {
  error: 'red',
  warning: 'yellow',
  information: 'blue',
  hint: 'cyan',
};

export const text: CheckFormat = {
  name: 'text',
  description:
    'each finding with its line, its related locations and its fix, followed by a summary line, such as `3 errors, 2 warnings in 120 objects, 40 files.`',
  write: writeText,
};

function writeText(world: World, report: Report): readonly string[] {
  const colorize = colorizer(world.colours === true);
  const { diagnostics, summary } = report;
  const skipped = summary.skipped.map(({ file, reason }) => `${tamePath(file)}: skipped: ${tame(reason)}`);
  return [
    ...(report.statistics === undefined
      ? byFile(diagnostics).flatMap((each) => [...diagnosticLines(each, colorize, world.columns), ''])
      : report.statistics.flatMap((each) => [...statisticsLines(each, colorize), ''])),
    ...skipped,
    ...report.broken.map(
      (file) => `${tamePath(file)}: YAML syntax error; the rest of the file was checked only in part`,
    ),
    ...(report.isQuiet ? [] : summaryLines(report, colorize)),
  ];
}

function summaryLines(report: Report, colorize: Colorize): readonly string[] {
  const counts = countLines(report).map((line) => colorize(line, 'bold'));
  return [...counts, ...knownLine(report), ...staleLines(report), ...loadedLine(report)];
}

/** The maximum number of messages, and of folders, to list for each rule; the most frequent come first. */
const mostListed = 5;

function statisticsLines(
  { rule, severity, count, messages, folders }: RuleCount,
  colorize: Colorize,
): readonly string[] {
  const rows = <T extends { readonly count: number }>(all: readonly T[], textOf: (each: T) => string, what: string) => {
    const rest = all.length - mostListed;
    return [
      ...all.slice(0, mostListed).map((each) => `${String(each.count).padStart(7)}  ${tame(textOf(each))}`),
      ...(rest > 0 ? [colorize(`${' '.repeat(9)}and ${counted(rest, what)} more`, 'dim')] : []),
    ];
  };
  return [
    `${colorize(counted(count, severity), styles[severity], 'bold')} ${colorize(`[${rule}]`, 'dim')}`,
    ...rows(messages, ({ message }) => message, 'message'),
    ...rows(folders, ({ folder }) => `in ${folder}`, 'folder'),
  ];
}

/** Groups diagnostics by file, in the order in which the files first appear. */
function byFile(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const files = new Map<string, Diagnostic[]>();
  for (const each of diagnostics) getOrAdd(files, each.uri, (): Diagnostic[] => []).push(each);
  return [...files.values()].flat();
}

function diagnosticLines(diagnostic: Diagnostic, colorize: Colorize, columns: number | undefined): readonly string[] {
  const { severity, message, rule, related, fixes, source } = diagnostic;
  const style = styles[severity];
  const [fix] = fixes;
  return [
    `${positionText(diagnostic, colorize)} ${colorize(`${severity}:`, style, 'bold')} ${tame(message)} ${colorize(`[${rule}]`, 'dim')}`,
    ...excerptLines(diagnostic, colorize, style, columns),
    ...related.flatMap((each) => [
      `${positionText(each, colorize)} ${colorize('note:', 'cyan', 'bold')} ${tame(each.message)}`,
      ...excerptLines(each, colorize, 'cyan', columns),
    ]),
    ...(source === undefined ? [] : [note('rendered from', source, colorize)]),
    ...(fix === undefined
      ? []
      : [note('fix:', `${fix.title}${fixes.length > 1 ? ` (or ${fixes.length - 1} more)` : ''}`, colorize)]),
  ];
}

function positionText({ file, range: { start } }: ReportedSpan, colorize: Colorize): string {
  return colorize(`${tamePath(file)}:${start.line}:${start.column}:`, 'bold');
}

function note(head: string, text: string, colorize: Colorize): string {
  return `${colorize('      =', 'dim')} ${head} ${tame(text)}`;
}

/** Returns a line with the number of known findings, because the report does not list them. */
function knownLine({ known = 0 }: Report): readonly string[] {
  return known === 0
    ? []
    : [`${counted(known, 'finding')} that the baseline lists ${known === 1 ? 'is' : 'are'} not shown.`];
}

/** The maximum number of stale baseline entries to list. */
const mostStale = 10;

function staleLines({ stale = [] }: Report): readonly string[] {
  if (stale.length === 0) return [];
  const named = stale.slice(0, mostStale).map(({ file, rule }) => `  ${tamePath(file)} [${rule}]`);
  const rest = stale.length - mostStale;
  return [
    `${counted(stale.length, 'finding')} that the baseline lists no longer ${stale.length === 1 ? 'occurs' : 'occur'}; '--update-baseline' removes ${stale.length === 1 ? 'it' : 'them'}:`,
    ...named,
    ...(rest > 0 ? [`  and ${rest} more`] : []),
  ];
}

/** Returns the line with the counts; empty if there was nothing to check, which is reported on standard error. */
function countLines(report: Report): readonly string[] {
  return report.isEmpty && report.diagnostics.length === 0 ? [] : [countLine(report)];
}

export function countLine({ summary, known, diagnostics }: Report): string {
  if (summary.objects + diagnostics.length === 0) return 'No Kubernetes objects are written in the given paths.';
  const counts = severities
    .toReversed()
    .flatMap((severity) => (summary[severity] > 0 ? [counted(summary[severity], severity)] : []));
  const found = counts.length === 0 ? `No ${known === undefined ? '' : 'new '}problems` : counts.join(', ');
  // Findings in a kustomization or a configuration do not belong to an object.
  if (summary.objects === 0) return `${found}.`;
  return `${found} in ${counted(summary.objects, 'object')}, ${counted(summary.files, 'file')}.`;
}

/** Returns a line with the number of loaded objects and files if a single file with objects was checked, because the file may lack the context of its neighbors. */
function loadedLine({ alone, loaded, summary }: Report): readonly string[] {
  if (!alone || summary.objects === 0) return [];
  return [`Context: ${counted(loaded.objects, 'object')} in ${counted(loaded.files, 'file')}.`];
}
