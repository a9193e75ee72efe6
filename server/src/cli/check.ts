/** `selector-lens check`: what is wrong in these files? */

import type { Finding, Severity } from '../rules/rule.ts';
import { offsetToPlace } from '../text/lines.ts';
import type { Span } from '../text/span.ts';
import { objectsOf, type WorkspaceFile } from '../workspace/workspace.ts';
import { type Arguments, choice } from './arguments.ts';
import { type Indexed, indexPaths } from './indexed.ts';
import { displayPath } from './paths.ts';
import type { World } from './world.ts';

export const checkOptions = { format: 'value', severity: 'value', root: 'value' } as const;

const severities: readonly Severity[] = ['hint', 'information', 'warning', 'error'];

/** Shows the findings; 1 where one is at or above `--severity`, else 0. */
export async function runCheck(world: World, given: Arguments): Promise<number> {
  const format = choice(given, 'format', ['text', 'json'], 'text');
  const threshold = choice(given, 'severity', severities, 'error');
  const indexed = await indexPaths(world, given);
  const report = await makeReport(world, indexed);
  if (format === 'json') world.out(JSON.stringify(report, null, 2));
  else for (const line of textLines(report)) world.out(line);
  const reached = report.diagnostics.some((each) => severities.indexOf(each.severity) >= severities.indexOf(threshold));
  return reached ? 1 : 0;
}

interface Report {
  readonly diagnostics: readonly ReportedDiagnostic[];
  readonly summary: Readonly<Record<Severity | 'files' | 'objects', number>> & {
    readonly skipped: readonly { readonly file: string; readonly reason: string }[];
  };
}

interface ReportedDiagnostic {
  readonly rule: string;
  readonly severity: Severity;
  readonly message: string;
  readonly file: string;
  readonly range: { readonly start: LineAndColumn; readonly end: LineAndColumn };
  readonly related: readonly ReportedPlace[];
  readonly fixable: boolean;
}

interface ReportedPlace {
  readonly message: string;
  readonly file: string;
  readonly range: ReportedDiagnostic['range'];
}

/** Both count from 1; columns are UTF-16 units. */
interface LineAndColumn {
  readonly line: number;
  readonly column: number;
}

async function makeReport(world: World, { service, reported, readText }: Indexed): Promise<Report> {
  const diagnostics: ReportedDiagnostic[] = [];
  let files = 0;
  let objects = 0;
  for (const file of reported) {
    const held = objectsOf(service.workspace(), file).length;
    // What a team says about its rules is looked at as well.
    if (held === 0 && file.config === undefined) continue;
    if (held > 0) files++;
    objects += held;
    const found = service.check(file, await readText(file));
    diagnostics.push(...found.map((finding) => reportFinding(world, file, finding)));
  }
  const count = (severity: Severity) => diagnostics.filter((each) => each.severity === severity).length;
  const skipped = service.skipped().map(({ uri, reason }) => ({ file: displayPath(world, uri), reason }));
  return {
    diagnostics,
    summary: {
      files,
      objects,
      error: count('error'),
      warning: count('warning'),
      information: count('information'),
      hint: count('hint'),
      skipped,
    },
  };
}

function reportFinding(world: World, file: WorkspaceFile, finding: Finding): ReportedDiagnostic {
  return {
    rule: finding.rule,
    severity: finding.severity,
    message: finding.message,
    file: displayPath(world, file.uri),
    range: rangeOf(file, finding.span),
    related: finding.related.map(({ file: other, span, message }) => ({
      message,
      file: displayPath(world, other.uri),
      range: rangeOf(other, span),
    })),
    fixable: finding.fixes().length > 0,
  };
}

function rangeOf(file: WorkspaceFile, span: Span): ReportedDiagnostic['range'] {
  const at = (offset: number): LineAndColumn => {
    const { line, character } = offsetToPlace(file.lines, offset);
    return { line: line + 1, column: character + 1 };
  };
  return { start: at(span.start), end: at(span.end) };
}

function textLines({ diagnostics, summary }: Report): readonly string[] {
  const lines = diagnostics.map(({ file, range: { start }, severity, message, rule }) => {
    return `${file}:${start.line}:${start.column}: ${severity}: ${message} [${rule}]`;
  });
  const skipped = summary.skipped.map(({ file, reason }) => `${file}: skipped: ${reason}`);
  const counts = severities
    .toReversed()
    .flatMap((severity) => (summary[severity] > 0 ? [counted(summary[severity], severity)] : []));
  const found = counts.length === 0 ? 'Nothing found' : counts.join(', ');
  return [
    ...lines,
    ...skipped,
    `${found} in ${counted(summary.objects, 'object')} of ${counted(summary.files, 'file')}.`,
  ];
}

function counted(count: number, word: string): string {
  return `${count} ${count === 1 || word === 'information' ? word : `${word}s`}`;
}
