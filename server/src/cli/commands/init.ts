/** `selector-lens init`: writes a commented configuration, and the configuration of a CI system. */

import { configName } from '../../settings/config.ts';
import { configTemplate } from '../../settings/config-template.ts';
import { levels } from '../../settings/level.ts';
import { globMatcher } from '../../text/glob.ts';
import { FolderFilter } from '../../workspace/ignore/folder-filter.ts';
import { relativePath, resolveUri } from '../../workspace/uri.ts';
import type { World } from '../environment.ts';
import { choice, UsageError } from '../options/arguments.ts';
import { type CiSystem, ciSystems, ciTemplates } from '../output/ci-templates.ts';
import { tamePath } from '../output/terminal-escape.ts';
import { displayPath } from '../paths/display-path.ts';
import { locate } from '../paths/requested-paths.ts';
import type { Arguments, Command } from './command.ts';

export const init: Command = {
  name: 'init',
  summary: 'Writes a .selector-lens.yaml with comments, and the configuration of a CI system if requested.',
  details: [
    'If the folder contains archives (`.archive`), `testdata` or `*.golden.yaml`, the configuration lists them in `generated`, so that problems in them are not reported. Existing files are never changed. The configuration of a CI system is written to the root of the git repository.',
    'The exit code is 2 if no file was written.',
  ],
  operand: {
    shown: '[DIR]',
    description: 'The folder of the configuration; the current folder by default.',
    completes: 'paths',
    most: 1,
  },
  options: [
    {
      name: 'level',
      value: 'LEVEL',
      choices: ['default', ...levels.filter((each) => each !== 'default')],
      description: 'The `level` to write to the configuration, which controls how much is reported.',
    },
    {
      name: 'ci',
      value: 'SYSTEM',
      choices: ciSystems,
      several: true,
      description: 'Also write the configuration file of this CI system. Can be repeated.',
    },
  ],
  examples: [
    { line: 'selector-lens init', description: 'Write a configuration in which every key is explained.' },
    {
      line: 'selector-lens init --level essential --ci github',
      description: 'Report errors and warnings only, and check every pull request on GitHub.',
    },
  ],
  run: writeFiles,
};

/** Patterns of inputs and outputs of tests, and of archives, which are not applied. */
const keptFiles = ['**/.archive/**', '**/testdata/**', '**/*.golden.yaml'];

/** The maximum number of files that are listed. */
const mostFiles = 100_000;

/** Returns those patterns of kept files that match a file in a folder. */
async function unreported(world: World, folder: string): Promise<readonly string[]> {
  const { files } = await world.files.list(folder, mostFiles, new FolderFilter(folder, { include: [], exclude: [] }));
  const paths = files.map((uri) => relativePath(folder, uri));
  return keptFiles.filter((pattern) => paths.some(globMatcher([pattern])));
}

async function writeFiles(world: World, given: Arguments): Promise<number> {
  const [path = '.'] = given.paths;
  const folder = await locate(world, path);
  if (folder.kind !== 'folder') throw new UsageError(`'${path}' is not a folder.`);
  // Locating the repository also allows files to be written in it.
  const repository = (await world.repositoryOf(folder.uri)) ?? folder.uri;
  const systems: readonly CiSystem[] = ciSystems.filter((each) => given.lists.get('ci')?.includes(each));
  const level = choice(given, 'level', ['default', 'essential', 'strict'] as const);
  const files = [
    { uri: `${folder.uri}/${configName}`, text: configTemplate(level, await unreported(world, folder.uri)) },
    ...systems.map((each) => ({ uri: resolveUri(repository, ciTemplates[each].path), text: ciTemplates[each].text })),
  ];
  let written = 0;
  for (const { uri, text } of files) {
    const shown = displayPath(world, uri);
    const [stat] = await world.files.stat([uri]);
    const problem = stat === undefined ? await world.write(uri, undefined, text) : 'it already exists';
    if (problem === undefined) written++;
    world.err(problem === undefined ? `Wrote ${tamePath(shown)}.` : `${tamePath(shown)} is not written: ${problem}.`);
  }
  return written > 0 ? 0 : 2;
}
