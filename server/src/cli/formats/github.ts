/**
 * Workflow commands for GitHub Actions, which shows them in the diff of a pull request. Paths are relative to the
 * repository.
 */

import type { Severity } from '../../rules/framework/rule.ts';
import { relativePath } from '../../workspace/uri.ts';
import type { World } from '../environment.ts';
import { tame } from '../output/terminal-escape.ts';
import type { Diagnostic, Report } from '../report/model.ts';
import type { CheckFormat } from './format.ts';

const commands: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  information: 'notice',
  hint: 'notice',
};

export const github: CheckFormat = {
  name: 'github',
  description:
    'workflow commands, which GitHub Actions turns into annotations on the lines of a pull request. Paths are relative to the root of the git repository.',
  write: writeGithub,
};

function writeGithub(_world: World, { diagnostics, skipped }: Report, repository: string): readonly string[] {
  const pathOf = (uri: string) => relativePath(repository, uri);
  return [
    ...diagnostics.map((each) => commandOf(each, pathOf)),
    ...skipped.map(({ uri, reason }) => `::notice file=${property(pathOf(uri))}::${data(tame(`Skipped: ${reason}`))}`),
  ];
}

function commandOf(diagnostic: Diagnostic, pathOf: (uri: string) => string): string {
  const { rule, severity, message, uri, range, related } = diagnostic;
  const file = pathOf(uri);
  const { start, end } = range;
  const place = `file=${property(file)},line=${start.line},endLine=${end.line},col=${start.column},endColumn=${end.column}`;
  // The message repeats the position, because the log shows only the message, and GitHub shows only some of many
  // findings next to their lines.
  const where = `${tame(file)}:${start.line}:${start.column}: `;
  const notes = related.map((each) => tame(`${pathOf(each.uri)}:${each.range.start.line}: ${each.message}`));
  return `::${commands[severity]} ${place},title=${property(rule)}::${data([where + tame(message), ...notes].join('\n'))}`;
}

/** Escapes characters that would end a workflow command. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** Line ends in a file name are escaped instead of removed, because the shorter name would be the name of a different file. */
function property(text: string): string {
  return data(text.replaceAll(/[^\r\n]+/g, tame))
    .replaceAll(':', '%3A')
    .replaceAll(',', '%2C');
}
