/** What can the user choose? One table, from which package.json, the documentation and the type are made. */

import { type Host, hosts } from '../manifests/inline/host-language.ts';

export type RuleSeverity = 'off' | 'hint' | 'information' | 'warning' | 'error';

export const ruleSeverities: readonly RuleSeverity[] = ['off', 'hint', 'information', 'warning', 'error'];

/** Of which files problems are shown. */
export type ProblemsOf = 'openFiles' | 'workspace';

export const problemsOf: readonly ProblemsOf[] = ['openFiles', 'workspace'];

/** Whether problems that other extensions of the editor report are left out. */
export type Coexist = 'auto' | 'off';

export const coexist: readonly Coexist[] = ['auto', 'off'];

export interface Settings {
  readonly problems: ProblemsOf;
  readonly coexist: Coexist;
  /** By rule id; what is missing has the rule's own severity. */
  readonly rules: Readonly<Record<string, RuleSeverity>>;
  /** Files larger than this many bytes are skipped. */
  readonly maximumFileSize: number;
  /** At most so many files of a workspace folder are read. */
  readonly maximumFiles: number;
  /** Globs of the only files that are read; none means all. */
  readonly include: readonly string[];
  /** Globs of files and folders that are not read. */
  readonly exclude: readonly string[];
  /** Lines above objects that say what they select, or who selects them. */
  readonly codeLens: boolean;
  /** The same at the end of lines. */
  readonly inlayHints: boolean;
  readonly recommendedLabels: RecommendedLabels;
  readonly labelPolicy: readonly LabelPolicy[];
  /** By language: whether selectors are looked for in its commands and URLs. */
  readonly inlineSelectors: Readonly<Record<Host, boolean>>;
}

export interface RecommendedLabels {
  readonly keys: readonly string[];
  /** None means every kind that makes pods. */
  readonly kinds: readonly string[];
}

/** What a team wants of one label key. */
export interface LabelPolicy {
  readonly key: string;
  /** None, or `*`, means all. */
  readonly kinds?: readonly string[];
  readonly required?: boolean;
  readonly forbidden?: boolean;
  /** The only values it may have. */
  readonly values?: readonly string[];
}

export const defaultSettings: Settings = {
  problems: 'openFiles',
  coexist: 'auto',
  rules: {},
  maximumFileSize: 5_000_000,
  maximumFiles: 50_000,
  include: [],
  exclude: [],
  codeLens: true,
  inlayHints: false,
  recommendedLabels: {
    keys: ['app.kubernetes.io/name', 'app.kubernetes.io/instance', 'app.kubernetes.io/managed-by'],
    kinds: [],
  },
  labelPolicy: [],
  inlineSelectors: everywhere(),
};

function everywhere(): Readonly<Record<Host, boolean>> {
  return {
    shell: true,
    makefile: true,
    dockerfile: true,
    markdown: true,
    powershell: true,
    text: true,
    yaml: true,
    selector: true,
  };
}

/** One setting as VS Code and the documentation show it. */
export interface SettingDescription {
  /** Below `selectorLens.`. */
  readonly name: string;
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
  /** It is the same for all folders. */
  readonly ofWindow?: true;
}

const texts = { type: 'array', items: { type: 'string' } } as const;

const policySchema = {
  type: 'object',
  required: ['key'],
  additionalProperties: false,
  properties: {
    key: { type: 'string', description: 'The label key.' },
    kinds: { ...texts, description: 'The kinds it is about; all if left out.' },
    required: { type: 'boolean', description: 'Every object of these kinds must have it.' },
    forbidden: { type: 'boolean', description: 'No object of these kinds may have it.' },
    values: { ...texts, description: 'The values it may have.' },
  },
} as const;

/** What is read. */
const readingSettings: readonly SettingDescription[] = [
  {
    name: 'maximumFileSize',
    description: 'Files larger than this many bytes are not read; each is named once in the output channel.',
    schema: { type: 'integer', minimum: 1, default: defaultSettings.maximumFileSize },
  },
  {
    name: 'maximumFiles',
    description: 'At most so many files of a workspace folder are read.',
    schema: { type: 'integer', minimum: 1, default: defaultSettings.maximumFiles },
  },
  {
    name: 'include',
    description:
      'Globs, relative to the workspace folder. Where there are some, only the files that they match are read.',
    schema: { type: 'array', items: { type: 'string' }, default: defaultSettings.include },
  },
  {
    name: 'exclude',
    description:
      'Globs of files and folders that are not read, relative to the workspace folder. What git ignores and what `files.exclude` hides is not read either, nor folders called `.git`, `node_modules`, `.terraform` and `.vscode-test`.',
    schema: { type: 'array', items: { type: 'string' }, default: defaultSettings.exclude },
  },
];

/** What is shown in the text. */
const lensSettings: readonly SettingDescription[] = [
  {
    name: 'codeLens',
    description: 'Say above each object how many its selector takes, or who selects it.',
    schema: { type: 'boolean', default: defaultSettings.codeLens },
  },
  {
    name: 'inlayHints',
    description: 'Say the same at the end of the line, where `codeLens` is too loud.',
    schema: { type: 'boolean', default: defaultSettings.inlayHints },
  },
];

const inlineSchema = {
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(hosts.map((host) => [host, { type: 'boolean', default: true }])),
  default: defaultSettings.inlineSelectors,
} as const;

interface RuleSummary {
  readonly id: string;
  readonly severity: string;
  readonly summary: string;
}

function severitySchemas(rules: readonly RuleSummary[]) {
  return Object.fromEntries(
    rules.map((rule) => [rule.id, { enum: ruleSeverities, default: rule.severity, markdownDescription: rule.summary }]),
  );
}

/** The table; `rules` is filled in with the rules that there are. */
export function describeSettings(rules: readonly RuleSummary[]): readonly SettingDescription[] {
  return [
    {
      name: 'problems',
      description: 'Whether problems are shown of open files, or of all files of the workspace.',
      schema: {
        enum: problemsOf,
        default: defaultSettings.problems,
        enumDescriptions: ['Of the files that are open.', 'Of every file of the workspace.'],
      },
      ofWindow: true,
    },
    {
      name: 'coexist',
      description:
        'Whether repeated keys, values of a wrong type and syntax errors are left out if another extension reports them at the same place. Their quick fixes remain available.',
      schema: {
        enum: coexist,
        default: defaultSettings.coexist,
        enumDescriptions: ['Left out if another extension reports the problem.', 'Always reported.'],
      },
      ofWindow: true,
    },
    {
      name: 'rules',
      description: 'How severe each rule is; `off` silences it.',
      schema: { type: 'object', default: {}, additionalProperties: false, properties: severitySchemas(rules) },
    },
    ...readingSettings,
    ...lensSettings,
    {
      name: 'recommendedLabels',
      description:
        'Which labels the rule `recommended-labels` asks for, and on which kinds; without kinds, on every kind that makes pods.',
      schema: {
        type: 'object',
        additionalProperties: false,
        properties: { keys: texts, kinds: texts },
        default: defaultSettings.recommendedLabels,
      },
    },
    {
      name: 'labelPolicy',
      description: 'What labels of your own must look like; the rule `label-policy` is on where there is some.',
      schema: { type: 'array', items: policySchema, default: defaultSettings.labelPolicy },
    },
    {
      name: 'inlineSelectors',
      description:
        'In which languages selectors are looked for in commands, such as `kubectl get pods -l app=web`, and in URLs. `yaml` is for scripts, arguments and comments in YAML and JSON; `selector` for files that hold a selector on each line.',
      schema: inlineSchema,
    },
  ];
}
