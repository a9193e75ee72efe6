/** A summary in Markdown: counts by rule, and the first findings. Suitable for a job summary or for a comment that a bot posts. */

import { escapeMarkdown } from '../../features/presentation/markdown.ts';
import { rulePageUrl } from '../../rules/framework/rule-page-url.ts';
import { relativePath } from '../../workspace/uri.ts';
import type { World } from '../environment.ts';
import { counted } from '../output/counts.ts';
import { tame } from '../output/terminal-escape.ts';
import type { Diagnostic, Report } from '../report/model.ts';
import { countByRule } from '../report/statistics.ts';
import type { CheckFormat } from './format.ts';
import { countLine } from './text.ts';

/** The maximum number of listed findings. A job summary on GitHub has at most 1 MB. */
const mostListed = 50;

export const markdown: CheckFormat = {
  name: 'markdown',
  description:
    'a human-readable summary: the number of findings per rule, and the first 50 findings. Use it for a job summary, for example with `>> "$GITHUB_STEP_SUMMARY"`.',
  write: writeMarkdown,
};

function writeMarkdown(_world: World, report: Report, repository: string): readonly string[] {
  const { diagnostics } = report;
  const rows = countByRule(diagnostics).map(
    ({ rule, severity, count, fixable, folders }) =>
      `| [${rule}](${rulePageUrl(rule)}) | ${severity} | ${count} | ${fixable} | ${folders.length} |`,
  );
  const listed = diagnostics.slice(0, mostListed).map((each) => itemOf(each, repository));
  const rest = diagnostics.length - listed.length;
  return [
    '### Selector Lens',
    '',
    countLine(report),
    ...(rows.length === 0
      ? []
      : ['', '| Rule | Severity | Findings | Fixable | Folders |', '| --- | --- | ---: | ---: | ---: |', ...rows]),
    ...(listed.length === 0 ? [] : ['', ...listed]),
    ...(rest > 0 ? ['', `And ${counted(rest, 'other finding')}.`] : []),
  ];
}

function itemOf({ severity, message, uri, range, rule }: Diagnostic, repository: string): string {
  const place = `${tame(relativePath(repository, uri))}:${range.start.line}`;
  return `- ${escapeMarkdown(place)}: ${severity}: ${escapeMarkdown(tame(message))} (${rule})`;
}
