/** How does GitHub Actions show findings beside the lines of a pull request? By workflow commands. */

import type { Severity } from '../../rules/rule.ts';
import { tame } from '../paint.ts';
import type { Diagnostic, Report } from '../report.ts';
import type { World } from '../world.ts';

const commands: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  information: 'notice',
  hint: 'notice',
};

export function checkAsGithub(_world: World, { diagnostics, summary }: Report): readonly string[] {
  const skipped = summary.skipped.map(
    ({ file, reason }) => `::notice file=${property(file)}::${data(`Skipped: ${reason}`)}`,
  );
  return [...diagnostics.map(commandOf), ...skipped];
}

function commandOf({ rule, severity, message, file, range, related }: Diagnostic): string {
  const { start, end } = range;
  const place = `file=${property(file)},line=${start.line},endLine=${end.line},col=${start.column},endColumn=${end.column}`;
  // The log shows only the message, and not all findings of many appear beside their lines.
  const where = `${tame(file)}:${start.line}:${start.column}: `;
  const notes = related.map((each) => `\n${each.file}:${each.range.start.line}: ${each.message}`);
  return `::${commands[severity]} ${place},title=${property(rule)}::${data(where + message + notes.join(''))}`;
}

/** What ends a command must not stand in it. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
