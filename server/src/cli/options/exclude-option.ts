/** The option `--exclude`, which leaves files out of a report. Excluded files are still indexed, since findings in other files depend on them. */

import { globMatcher, globsOf } from '../../text/glob.ts';
import { relativePath } from '../../workspace/uri.ts';
import type { Arguments, Option } from '../commands/command.ts';
import type { World } from '../environment.ts';
import { UsageError } from './arguments.ts';

export const exclude: Option = {
  name: 'exclude',
  value: 'GLOB',
  several: true,
  description:
    'Do not report or fix findings in these files and folders, relative to the current folder. The files are still indexed. Can be repeated.',
};

/**
 * Returns a test for the URIs of the files that `--exclude` matches. Throws a UsageError for a pattern that is too
 * long.
 */
export function excludedBy({ currentFolder }: World, given: Arguments): (uri: string) => boolean {
  const patterns = (given.lists.get('exclude') ?? []).map((each) => (each.endsWith('/') ? each.slice(0, -1) : each));
  if (patterns.length === 0) return () => false;
  const invalid = patterns.find((each) => each === '' || globsOf(each).length === 0);
  if (invalid !== undefined) throw new UsageError(`The pattern '${invalid}' of '--exclude' is empty or too long.`);
  const matches = globMatcher(patterns.flatMap((each) => [each, `${each}/**`]));
  return (uri) => matches(relativePath(currentFolder, uri));
}
