/** How does a person read what was found? Each finding with its line, as compilers show it, and the counts at the end. */

import type { Severity } from '../../rules/rule.ts';
import { excerptLines } from '../excerpt.ts';
import { type Paint, painter, type Style, tame } from '../paint.ts';
import { type Diagnostic, type Report, type ReportedPlace, severities } from '../report.ts';
import { counted } from '../words.ts';
import type { World } from '../world.ts';

const styles: Readonly<Record<Severity, Style>> = {
  error: 'red',
  warning: 'yellow',
  information: 'blue',
  hint: 'cyan',
};

export function checkAsText(world: World, report: Report): readonly string[] {
  const paint = painter(world.colours === true);
  const { diagnostics, summary } = report;
  const skipped = summary.skipped.map(({ file, reason }) => `${tame(file)}: skipped: ${tame(reason)}`);
  return [
    ...diagnostics.flatMap((each) => [...diagnosticLines(each, paint, world.columns), '']),
    ...skipped,
    // What is wrong with it is for other tools to say; that it was in the way is for us.
    ...report.broken.map((file) => `${tame(file)}: not read whole: only what can be made out was checked`),
    paint(countLine(report), 'bold'),
    ...knownLine(report),
    ...loadedLine(report),
  ];
}

function diagnosticLines(diagnostic: Diagnostic, paint: Paint, columns: number | undefined): readonly string[] {
  const { severity, message, rule, related, fixes, source } = diagnostic;
  const style = styles[severity];
  const [fix] = fixes;
  return [
    `${placeOf(diagnostic, paint)} ${paint(`${severity}:`, style, 'bold')} ${tame(message)} ${paint(`[${rule}]`, 'dim')}`,
    ...excerptLines(diagnostic, paint, style, columns),
    ...related.flatMap((each) => [
      `${placeOf(each, paint)} ${paint('note:', 'cyan', 'bold')} ${tame(each.message)}`,
      ...excerptLines(each, paint, 'cyan', columns),
    ]),
    ...(source === undefined ? [] : [note('rendered from', source, paint)]),
    ...(fix === undefined
      ? []
      : [note('fix:', `${fix.title}${fixes.length > 1 ? ` (or ${fixes.length - 1} more)` : ''}`, paint)]),
  ];
}

function placeOf({ file, range: { start } }: ReportedPlace, paint: Paint): string {
  return paint(`${tame(file)}:${start.line}:${start.column}:`, 'bold');
}

function note(head: string, text: string, paint: Paint): string {
  return `${paint('      =', 'dim')} ${head} ${tame(text)}`;
}

/** What is not shown is not hidden either. */
function knownLine({ known = 0 }: Report): readonly string[] {
  return known === 0
    ? []
    : [`${counted(known, 'finding')} that the baseline lists ${known === 1 ? 'is' : 'are'} not shown.`];
}

function countLine({ summary, known }: Report): string {
  const counts = severities
    .toReversed()
    .flatMap((severity) => (summary[severity] > 0 ? [counted(summary[severity], severity)] : []));
  const found = counts.length === 0 ? `Nothing ${known === undefined ? '' : 'new '}found` : counts.join(', ');
  // What is found in a kustomization or a configuration is in no object.
  if (counts.length > 0 && summary.objects === 0) return `${found}.`;
  return `${found} in ${counted(summary.objects, 'object')} of ${counted(summary.files, 'file')}.`;
}

/** A lone file cannot answer for its neighbours: how many were asked is said. */
function loadedLine({ alone, loaded, summary }: Report): readonly string[] {
  if (!alone || summary.objects === 0) return [];
  const objects = counted(loaded.objects, 'object');
  if (loaded.files <= summary.files)
    return [`${objects} ${loaded.objects === 1 ? 'was' : 'were'} loaded in all, none of another file.`];
  return [`${objects} of ${counted(loaded.files, 'file')} were loaded to answer.`];
}
