/** A code quality report for GitLab, which shows the findings in merge requests. */

import type { Severity } from '../../rules/framework/rule.ts';
import { hashOf } from '../../text/hash.ts';
import { relativePath } from '../../workspace/uri.ts';
import type { World } from '../environment.ts';
import { tameJson } from '../output/terminal-escape.ts';
import type { Report } from '../report/model.ts';
import type { CheckFormat } from './format.ts';

const levels: Readonly<Record<Severity, string>> = {
  error: 'critical',
  warning: 'major',
  information: 'minor',
  hint: 'info',
};

export const gitlab: CheckFormat = {
  name: 'gitlab',
  description:
    'a [code quality report](https://docs.gitlab.com/ci/testing/code_quality/) for GitLab, which shows the findings in merge requests. Paths are relative to the root of the git repository.',
  write: writeGitlab,
};

/** Writes a report. Its fingerprints are unique only within each file, but GitLab compares them across files, so the path becomes a part of each fingerprint. */
function writeGitlab(_world: World, { diagnostics }: Report, repository: string): readonly string[] {
  const issues = diagnostics.map(({ rule, severity, message, uri, range, fingerprint }) => {
    const path = relativePath(repository, uri);
    return {
      description: message,
      check_name: rule,
      fingerprint: `${fingerprint}${hashOf(path)}`,
      severity: levels[severity],
      location: { path, lines: { begin: range.start.line, end: range.end.line } },
    };
  });
  return [tameJson(issues)];
}
