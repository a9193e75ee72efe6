/** The options of `check`, with examples. */

import { levelDescriptions, levels } from '../../settings/level.ts';
import type { Command, Option } from '../commands/command.ts';
import { checkFormats } from '../formats/all.ts';
import { config } from './config-option.ts';
import { exclude } from './exclude-option.ts';
import { ruleOptions } from './rule-options.ts';
import { color, formats, output, whereToLook } from './shared-options.ts';

const [defaultFormat, ...otherFormats] = checkFormats;

/** The names of the formats, the default first. */
export const formatNames = [defaultFormat.name, ...otherFormats.map(({ name }) => name)] as const;

export const checkOptions: readonly Option[] = [
  formats(...formatNames),
  output,
  {
    name: 'quiet',
    letter: 'q',
    description: 'Write only the findings and the files that could not be read, without counts and notes.',
  },
  {
    name: 'severity',
    value: 'LEVEL',
    choices: ['error', 'warning', 'information', 'hint'],
    description:
      'Report only findings of this severity or a higher one, and exit with 1 if there are any; by default, all findings are reported.',
    input: 'Return only findings of this severity or a higher one.',
  },
  {
    name: 'fail-on',
    value: 'LEVEL',
    choices: ['error', 'warning', 'information', 'hint'],
    description:
      'Exit with 1 if a finding of this severity or a higher one is reported; the default is the value of `--severity`, else `error`.',
  },
  ...ruleOptions,
  exclude,
  {
    name: 'level',
    value: 'LEVEL',
    choices: levels,
    description: `How much to report, regardless of the level in a configuration: ${levels.map((each) => `\`${each}\` (${levelDescriptions[each].replace(/\.$/, '').replace(/^./, (first) => first.toLowerCase())})`).join(', ')}. Severities that a configuration sets for single rules take precedence.`,
    input: "'essential' reports errors and warnings, 'strict' all rules, at least as warnings.",
  },
  config,
  {
    name: 'show-settings',
    description:
      'Show the configuration of the given file instead of findings: each value, and the `.selector-lens.yaml` that sets it.',
  },
  {
    name: 'exit-zero',
    description: 'Exit with 0 even if there are findings. If the command cannot run, it still exits with 2.',
  },
  {
    name: 'statistics',
    description:
      'With `--format text`, show the numbers of findings by rule, message and folder instead of the findings; with `--format json`, add these numbers to the report.',
  },
  { name: 'fix', description: 'Apply every fix that cannot change what any selector matches.' },
  {
    name: 'unsafe-fixes',
    description:
      'With `--fix`: also apply the preferred fix of every other finding, which may change what a selector matches. Fixes that edit several files are not applied. Review the result.',
  },
  { name: 'dry-run', description: 'With `--fix`: show the changes as a unified diff, and change nothing.' },
  { name: 'baseline', value: 'FILE', description: 'Report only findings that this file does not list.' },
  {
    name: 'update-baseline',
    description:
      'With `--baseline`: write the current findings to the file, and exit with 0 unless a configuration contains an error.',
  },
  {
    name: 'base',
    value: 'REF',
    description:
      'Also report changes since this git commit (a branch, a tag, an id, `HEAD~1`) that the API server rejects when the current files are applied: rules `immutable-selector-changed` and `immutable-field-changed`.',
  },
  {
    name: 'allow-empty',
    description: 'Exit with 0 even if the paths contain no Kubernetes objects, for hooks that pass all changed files.',
  },
  color,
  ...whereToLook,
];

export const checkExamples: Command['examples'] = [
  { line: 'selector-lens check', description: 'Check the current folder.' },
  {
    line: 'selector-lens check --severity warning apps/shop',
    description: 'Check one folder; report only warnings and errors.',
  },
  { line: 'selector-lens check --fail-on warning', description: 'Check the current folder; fail on warnings too.' },
  {
    line: 'selector-lens check --level essential --statistics',
    description: 'Get an overview of a large repository: errors and warnings by rule and folder.',
  },
  {
    line: 'selector-lens check --rule selects-nothing --exclude vendor',
    description: 'Report findings of one rule, except in one folder.',
  },
  {
    line: 'selector-lens check --show-settings apps/web.yaml',
    description: 'Show which configuration applies to a file, and where each value comes from.',
  },
  { line: 'selector-lens check overlays/prod', description: 'Check the objects that an overlay builds.' },
  { line: 'kustomize build overlays/prod | selector-lens check -', description: 'Check the output of kustomize.' },
  {
    line: 'git diff --name-only -z main | selector-lens check --files-from -',
    description: 'Report findings that the changes since a branch can cause, including deleted files.',
  },
  {
    line: 'selector-lens check --base origin/main',
    description: 'Also report changes since a branch that the API server rejects.',
  },
  {
    line: 'selector-lens check -f sarif -o reports/selector-lens.sarif',
    description: 'Write a report for code scanning.',
  },
  {
    line: 'selector-lens check --fix --dry-run | git apply',
    description: 'Show the fixes as a diff, which `git apply` applies.',
  },
  {
    line: 'selector-lens check --baseline .selector-lens-baseline.json --update-baseline',
    description: 'Accept the current findings; from then on, `--baseline` reports only new ones.',
  },
];
