/** Reports invalid keys and values in a `.selector-lens.yaml`. */

import { scalarText } from '../../manifests/write/write-text.ts';
import { configName } from '../../settings/config.ts';
import type { ConfigProblem } from '../../settings/shape.ts';
import { localize } from '../../text/localize.ts';
import { type ExtendsFault, maximumExtended } from '../../workspace/configs.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { shorten } from '../helpers/sentences.ts';

function faultText(fault: ExtendsFault, path: string): string {
  if (fault.is === 'cycle')
    return localize`\`extends\` leads back to this file through '${path}', so the chain ends there.`;
  if (fault.is === 'depth')
    return localize`\`extends\` leads through more than ${maximumExtended} files; the others have no effect.`;
  return localize`'${shorten(path)}' is not in this workspace, so none of its settings apply.`;
}

interface Unusable extends Fact {
  readonly problem: ConfigProblem;
}

export const invalidConfiguration = rule<Unusable>({
  id: 'invalid-configuration',
  severity: 'error',
  summary: 'An invalid key or value in a `.selector-lens.yaml`.',
  why: 'Invalid parts of the file are ignored and the remaining parts are used, so rules may report false findings, and scopes may be unknown. `check` fails if the configuration is invalid; these errors cannot be disabled by severity, comment or baseline. An undeclared scope name is a warning.',
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
  *check(context) {
    const { file, uri, workspace } = context;
    const { extends: extended } = file.config?.values ?? {};
    const fault = workspace.configs().at(uri)?.extendsFault;
    if (extended !== undefined && fault !== undefined && !(fault.is === 'missing' && context.isUnread(fault.uri))) {
      const message = faultText(fault, extended.path);
      yield { span: extended.span, problem: { code: 'wrong-value', span: extended.span, message } };
    }
    for (const problem of file.config?.problems ?? [])
      if (problem.code !== 'syntax')
        yield { span: problem.span, problem, ...(problem.code === 'unknown-scope' && { severity: 'warning' }) };
  },
  message: ({ problem }) => problem.message,
  fixes({ problem: { nearest, span } }, { text }) {
    // A quoted value remains quoted.
    const [quote] = text.slice(span.start, span.end);
    if (nearest === undefined) return [];
    const style = quote === '"' ? 'double' : quote === "'" ? 'single' : 'plain';
    return [
      { title: localize`Change to '${nearest}'`, edits: [{ span, text: scalarText(nearest, style) }], preferred: true },
    ];
  },
});
