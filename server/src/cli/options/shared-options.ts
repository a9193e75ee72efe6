/** Options that several commands have in common. */

import type { Operand, Option } from '../commands/command.ts';

export const paths: Operand = {
  shown: '[PATH...]',
  description:
    'Files, folders, kustomizations and charts; by default, the folder of `--root`, otherwise the current folder. `-` is standard input.',
  completes: 'paths',
};

export const root: Option = {
  name: 'root',
  value: 'DIR',
  description:
    'The folder to index. By default, this is the git repository, or the current folder if it contains the paths.',
};

const filesFrom: Option = {
  name: 'files-from',
  value: 'FILE',
  description: 'Read more paths from a file, one per line or separated by NUL characters; `-` is standard input.',
};

export const namespace: Option = {
  name: 'namespace',
  letter: 'n',
  value: 'NAME',
  description: 'The namespace of objects without `metadata.namespace`, as with `kubectl apply -n`.',
};

const stdinFilename: Option = {
  name: 'stdin-filename',
  value: 'FILE',
  description: 'The file name of standard input, for messages and to find the `.selector-lens.yaml` that applies.',
};

export const noCache: Option = { name: 'no-cache', description: 'Do not read or write the cache.' };

export const color: Option = {
  name: 'color',
  value: 'WHEN',
  choices: ['auto', 'always', 'never'],
  description: 'Whether to use colors; `auto`, the default, uses them on a terminal unless `NO_COLOR` is set.',
};

export const scope: Option = {
  name: 'scope',
  value: 'PATH',
  several: true,
  description:
    'Include only objects of this scope: the path of an overlay, chart or folder, as `objects` shows it. Can be repeated.',
  // The instructions of the server say what a scope is.
  input: '',
};

/** The options with which charts are executed that no GitOps object installs. */
export const chartOptions: readonly Option[] = [
  {
    name: 'values',
    value: 'FILE',
    several: true,
    description:
      'Evaluate the chart around this values file with its default values, overridden by the file; a file outside of all charts applies to every chart. Can be repeated; later files take precedence.',
  },
  {
    name: 'release',
    value: 'NAME',
    description:
      'The name of the release of the evaluated charts; unknown by default. Without `--values`, all charts are evaluated with their default values.',
  },
];

/** The options of every command that reads files. */
export const whereToLook: readonly Option[] = [
  root,
  scope,
  ...chartOptions,
  filesFrom,
  namespace,
  stdinFilename,
  noCache,
];

export const output: Option = {
  name: 'output',
  letter: 'o',
  value: 'FILE',
  description: 'Write the output to this file instead of standard output; its folder is created if necessary.',
};

/** Returns the option `--format` with the given values, the default first. */
export function formats(first: string, ...others: readonly string[]): Option {
  const choices = [first, ...others];
  return {
    name: 'format',
    letter: 'f',
    value: 'FORMAT',
    choices,
    description: `The output format; \`${first}\` by default.`,
  };
}
