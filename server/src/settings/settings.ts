/**
 * Defines the settings of the user in one table, from which package.json, the documentation and the type are generated.
 */

import { type Host, hosts } from '../manifests/inline/host-language.ts';
import { localize } from '../text/localize.ts';
import { type Level, levelDescriptions, levels } from './level.ts';

export type RuleSeverity = 'off' | 'hint' | 'information' | 'warning' | 'error';

export const ruleSeverities: readonly RuleSeverity[] = ['off', 'hint', 'information', 'warning', 'error'];

export type ProblemsOf = 'openFiles' | 'workspace';

export const problemsOf: readonly ProblemsOf[] = ['openFiles', 'workspace'];

/** Whether problems that other extensions of the editor report are not reported again. */
export type Coexist = 'auto' | 'off';

export const coexist: readonly Coexist[] = ['auto', 'off'];

export interface Settings {
  readonly problems: ProblemsOf;
  readonly coexist: Coexist;
  /**
   * The state of git with which the files in an editor are compared: `HEAD`, `index`, a branch or another commit; empty
   * for none.
   */
  readonly compareWith: string;
  /** The preset of all severities; a preset in a `.selector-lens.yaml` takes precedence. */
  readonly level: Level;
  /** The configured severities by rule id; a rule that is not listed has its default severity. */
  readonly rules: Readonly<Record<string, RuleSeverity>>;
  /** Files larger than this many bytes are skipped. */
  readonly maximumFileSize: number;
  /** The maximum number of files of a workspace folder that are indexed. */
  readonly maximumFiles: number;
  /** Globs of the files that are indexed; an empty list means all files. */
  readonly include: readonly string[];
  /** Globs of files and folders that are skipped. */
  readonly exclude: readonly string[];
  /** Show CodeLenses above objects with the objects that they select, or that select them. */
  readonly codeLens: boolean;
  /** Whether a CodeLens is above the selector or labels that it is about, or above the kind of the object. */
  readonly codeLensPosition: CodeLensPosition;
  /** Show CodeLenses above objects with the objects that refer to them. */
  readonly referencesCodeLens: boolean;
  /** Show the texts of CodeLenses as inlay hints at the end of lines. */
  readonly inlayHints: boolean;
  readonly recommendedLabels: RecommendedLabels;
  readonly labelPolicy: readonly LabelPolicy[];
  /** Whether selectors in the commands and URLs of each language are found. */
  readonly inlineSelectors: Readonly<Record<Host, boolean>>;
}

/** The lines above which CodeLenses can be. */
export const codeLensPositions = ['selector', 'kind'] as const;

type CodeLensPosition = (typeof codeLensPositions)[number];

export interface RecommendedLabels {
  readonly keys: readonly string[];
  /** The kinds that should have the labels; an empty list means every kind that creates pods. */
  readonly kinds: readonly string[];
}

export interface LabelPolicy {
  readonly key: string;
  /** The kinds to which the policy applies; an empty list, or `*`, means all kinds. */
  readonly kinds?: readonly string[];
  readonly required?: boolean;
  readonly forbidden?: boolean;
  readonly values?: readonly string[];
}

export const defaultSettings: Settings = {
  problems: 'openFiles',
  coexist: 'auto',
  compareWith: 'HEAD',
  level: 'default',
  rules: {},
  maximumFileSize: 5_000_000,
  maximumFiles: 50_000,
  include: [],
  exclude: [],
  codeLens: true,
  codeLensPosition: 'selector',
  referencesCodeLens: true,
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
    text: true,
    yaml: true,
    selector: true,
  };
}

/** One setting as VS Code and the documentation show it. */
export interface SettingDescription {
  /** The name below `selectorLens.`. */
  readonly name: string;
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
  /** The setting applies to the window, not to single folders. */
  readonly ofWindow?: true;
}

const texts = { type: 'array', items: { type: 'string' } } as const;

const policySchema = {
  type: 'object',
  required: ['key'],
  additionalProperties: false,
  properties: {
    key: { type: 'string', description: 'The label key.' },
    kinds: { ...texts, description: 'The kinds that the policy applies to. By default, all kinds.' },
    required: { type: 'boolean', description: 'Require the label on every object of these kinds.' },
    forbidden: { type: 'boolean', description: 'Forbid the label on objects of these kinds.' },
    values: { ...texts, description: 'The allowed values.' },
  },
} as const;

/** The largest values of the limits of indexing, because the settings of a workspace can set them. */
export const largest = { maximumFileSize: 100_000_000, maximumFiles: 1_000_000 } as const;

const readingSettings: readonly SettingDescription[] = [
  {
    name: 'maximumFileSize',
    description:
      'Maximum size of a file to index, in bytes. Larger files are skipped and listed in the output channel.',
    schema: { type: 'integer', minimum: 1, maximum: largest.maximumFileSize, default: defaultSettings.maximumFileSize },
  },
  {
    name: 'maximumFiles',
    description: 'Maximum number of files to index in each workspace folder.',
    schema: { type: 'integer', minimum: 1, maximum: largest.maximumFiles, default: defaultSettings.maximumFiles },
  },
  {
    name: 'include',
    description:
      'Glob patterns of the files to index, relative to the workspace folder. If the list is empty, all manifests are indexed.',
    schema: { type: 'array', items: { type: 'string' }, default: defaultSettings.include },
  },
  {
    name: 'exclude',
    description:
      'Glob patterns of files and folders to skip, relative to the workspace folder. Files that git ignores or `files.exclude` hides, and the folders `.git`, `node_modules`, `.terraform` and `.vscode-test`, are always skipped.',
    schema: { type: 'array', items: { type: 'string' }, default: defaultSettings.exclude },
  },
];

const lensSettings: readonly SettingDescription[] = [
  {
    name: 'codeLens',
    description: 'Show CodeLenses with the number of matching objects, or with the selectors that match an object.',
    schema: { type: 'boolean', default: defaultSettings.codeLens },
  },
  {
    name: 'codeLensPosition',
    description: 'The line above which the CodeLens of an object is shown.',
    schema: {
      enum: codeLensPositions,
      default: defaultSettings.codeLensPosition,
      enumDescriptions: ['Above the selector, or the labels that selectors match.', 'Above the kind of the object.'],
    },
  },
  {
    name: 'referencesCodeLens',
    description: 'Show CodeLenses with the objects that refer to an object by name.',
    schema: { type: 'boolean', default: defaultSettings.referencesCodeLens },
  },
  {
    name: 'inlayHints',
    description: 'Show the texts of CodeLenses as inlay hints at the end of the line, as a less prominent alternative.',
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

const compareWith: SettingDescription = {
  name: 'compareWith',
  description:
    'The git state to compare manifests with, to report changes that the API server rejects: `HEAD`, `index` for the staged changes, or a branch, tag or commit. If the setting is empty, or the Git extension of the editor is not available, nothing is compared.',
  schema: { type: 'string', default: defaultSettings.compareWith },
  ofWindow: true,
};

const level: SettingDescription = {
  name: 'level',
  description:
    'How much to report: a preset for the severities of all rules. A severity in `#selectorLens.rules#` or in `.selector-lens.yaml` takes precedence.',
  schema: {
    enum: levels,
    default: defaultSettings.level,
    enumDescriptions: levels.map((each) => levelDescriptions[each]),
  },
};

/** Returns the table of all settings; `rules` lists the names of the given rules. */
export function describeSettings(rules: readonly RuleSummary[]): readonly SettingDescription[] {
  return [
    {
      name: 'problems',
      description: localize`Report problems for open files only, or for the whole workspace.`,
      schema: {
        enum: problemsOf,
        default: defaultSettings.problems,
        enumDescriptions: [
          localize`Report problems in open files.`,
          localize`Report problems in all files of the workspace.`,
        ],
      },
      ofWindow: true,
    },
    {
      name: 'coexist',
      description: localize`Hide duplicate keys, values of the wrong type, unknown fields and syntax errors that another extension reports at the same range with at least the same severity. Their quick fixes remain available.`,
      schema: {
        enum: coexist,
        default: defaultSettings.coexist,
        enumDescriptions: [localize`Hide a problem that another extension reports.`, localize`Report all problems.`],
      },
      ofWindow: true,
    },
    compareWith,
    level,
    {
      name: 'rules',
      description: localize`Severity of each rule. \`off\` disables the rule.`,
      schema: { type: 'object', default: {}, additionalProperties: false, properties: severitySchemas(rules) },
    },
    ...readingSettings,
    ...lensSettings,
    {
      name: 'recommendedLabels',
      description: localize`Labels that the rule \`recommended-labels\` requires, and the kinds that it checks. If no kinds are listed, the rule checks all kinds that create pods.`,
      schema: {
        type: 'object',
        additionalProperties: false,
        properties: { keys: texts, kinds: texts },
        default: defaultSettings.recommendedLabels,
      },
    },
    {
      name: 'labelPolicy',
      description: localize`Policy for labels, checked by the rule \`label-policy\`: required or forbidden keys, and allowed values.`,
      schema: { type: 'array', items: policySchema, default: defaultSettings.labelPolicy },
    },
    {
      name: 'inlineSelectors',
      description: localize`Languages in which to find selectors in commands, such as \`kubectl get pods -l app=web\`, and in URLs. \`yaml\` means scripts, arguments and comments in YAML and JSON; \`selector\` means files with one selector per line.`,
      schema: inlineSchema,
    },
  ];
}
