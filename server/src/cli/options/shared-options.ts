/** Which options do several commands take? */

import type { Operand, Option } from '../commands/command.ts';

export const paths: Operand = {
  shown: '[PATH...]',
  says: 'Files, folders, kustomizations and charts; the current folder if none is named. `-` is standard input.',
  completes: 'paths',
};

export const root: Option = {
  name: 'root',
  value: 'DIR',
  says: 'The folder to index: what is looked at sees all of it. By default the git repository, else the current folder if it holds the paths.',
};

const filesFrom: Option = {
  name: 'files-from',
  value: 'FILE',
  says: 'Read more paths from a file, one on a line or with NUL between them; `-` is standard input.',
};

export const namespace: Option = {
  name: 'namespace',
  letter: 'n',
  value: 'NAME',
  says: 'The namespace of objects that name none, as with `kubectl apply -n`.',
};

const stdinFilename: Option = {
  name: 'stdin-filename',
  value: 'FILE',
  says: 'The name of what comes from standard input, for messages and for the `.selector-lens.yaml` that counts.',
};

export const noCache: Option = { name: 'no-cache', says: 'Neither use nor keep what earlier runs know of files.' };

export const scope: Option = {
  name: 'scope',
  value: 'PATH',
  several: true,
  says: 'Only what is applied by this scope: the path of an overlay, chart or folder, as `objects` shows it. Can be repeated.',
};

/** What every command takes that looks at files. */
export const whereToLook: readonly Option[] = [root, scope, filesFrom, namespace, stdinFilename, noCache];

export function formats(first: string, ...others: readonly string[]): Option {
  const choices = [first, ...others];
  return { name: 'format', value: 'FORMAT', choices, says: `How to show it; \`${first}\` by default.` };
}
