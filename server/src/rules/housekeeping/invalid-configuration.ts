/** Reports what cannot be used in a `.selector-lens.yaml`. */

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
  summary: 'A key or value of a `.selector-lens.yaml` that cannot be used.',
  why: 'What cannot be used is left out, and the rest counts: rules may report what they should not, or objects that are applied together may be unknown. A check under a broken configuration fails: no severity, comment or baseline hides its faults. The name of a scope that is not declared is a warning.',
  bad: [
    {
      title: 'A key that lacks a letter.',
      file: configName,
      text: `rule:
  label-key-style: warning
`,
    },
    {
      title: 'A severity that is none.',
      file: configName,
      text: `rules:
  label-key-style: warn
`,
    },
  ],
  good: [
    {
      title: 'Rules, and what is applied together.',
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
  say: ({ problem }) => problem.message,
  mend({ problem: { nearest, span } }, { text }) {
    // What is quoted stays quoted.
    const [quote] = text.slice(span.start, span.end);
    if (nearest === undefined) return [];
    const style = quote === '"' ? 'double' : quote === "'" ? 'single' : 'plain';
    return [
      { title: `Change it to '${nearest}'`, edits: [{ span, text: scalarText(nearest, style) }], preferred: true },
    ];
  },
});
