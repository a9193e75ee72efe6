/** Reports invalid keys and values in a `.selector-lens.yaml`. */

import { scalarText } from '../../manifests/write/write-text.ts';
import { configName } from '../../settings/config.ts';
import type { ConfigProblem } from '../../settings/shape.ts';
import { type Fact, rule } from '../framework/rule.ts';

interface Unusable extends Fact {
  readonly problem: ConfigProblem;
}

export const invalidConfiguration = rule<Unusable>({
  id: 'invalid-configuration',
  severity: 'error',
  summary: 'An invalid key or value in a `.selector-lens.yaml`.',
  why: 'Invalid parts of the file are ignored and the rest is used, so rules may report too much, or scopes may be unknown. `check` fails if the configuration is invalid; these errors cannot be disabled by severity, comment or baseline. An undeclared scope name is a warning.',
  bad: [
    {
      title: 'A misspelled key.',
      file: configName,
      text: `rule:
  label-key-style: warning
`,
    },
    {
      title: 'An unknown severity.',
      file: configName,
      text: `rules:
  label-key-style: warn
`,
    },
  ],
  good: [
    {
      title: 'Severities of rules, and a scope.',
      file: configName,
      text: `rules:
  label-key-style: warning
scopes:
  - name: shop
    paths: ["apps/shop/**"]
`,
    },
  ],
  *check({ file }) {
    for (const problem of file.config?.problems ?? [])
      if (problem.code !== 'syntax')
        yield { span: problem.span, problem, ...(problem.code === 'unknown-scope' && { severity: 'warning' }) };
  },
  message: ({ problem }) => problem.message,
  fixes({ problem: { nearest, span } }, { text }) {
    // What is quoted stays quoted.
    const [quote] = text.slice(span.start, span.end);
    if (nearest === undefined) return [];
    const style = quote === '"' ? 'double' : quote === "'" ? 'single' : 'plain';
    return [{ title: `Change to '${nearest}'`, edits: [{ span, text: scalarText(nearest, style) }], preferred: true }];
  },
});
