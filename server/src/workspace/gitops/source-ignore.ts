/** Determines which files a Flux source contains. Source: fluxcd/pkg `sourceignore/sourceignore.go`. */

import { getOrAdd } from '../../engine/memoize.ts';
import { type IgnoreList, isIgnoredByGoGit, readIgnoreFile } from '../ignore/gitignore.ts';
import type { ScopeFacts } from '../scopes/scope-facts.ts';
import { fileNameOf, folderOf, isWithin } from '../uri.ts';

/** The name of the files that list which files a source excludes. */
export const sourceIgnoreName = '.sourceignore';

/** Patterns of files that every source excludes. */
const always = '.git/\n.gitignore\n.gitmodules\n.gitattributes\n';

/** Patterns of files that a source excludes unless it has its own list. */
const usual = [
  ...['.github/', '.circleci/', '.travis.yml', '.gitlab-ci.yml', 'appveyor.yml', '.drone.yml', 'cloudbuild.yaml'],
  ...['codeship-services.yml', 'codeship-steps.yml', '**/.goreleaser.yml', '**/.sops.yaml', '**/.flux.yaml'],
].join('\n');

/** A function that returns whether a source excludes a file. */
export type IsLeftOut = (uri: string) => boolean;

/** Returns a function that determines whether a source excludes a file; `root` is the root of its repository, and `own` is the list in the source itself, which is applied last. */
export function leftOutOf(root: string, own: string | undefined, files: ReadonlyMap<string, ScopeFacts>): IsLeftOut {
  const lists = new Map<string, IgnoreList>();
  for (const [uri, { ignores }] of files)
    if (ignores !== undefined && isWithin(uri, root) && fileNameOf(uri) === sourceIgnoreName)
      lists.set(folderOf(uri), readIgnoreFile(ignores, folderOf(uri), undefined));
  const defaults = readIgnoreFile(`${always}${own === undefined ? usual : ''}`, root, undefined);
  const last = own === undefined ? undefined : readIgnoreFile(own, root, undefined);
  // The lists that apply to the files of a folder.
  const known = new Map<string, IgnoreList>();
  const listsOf = (folder: string): IgnoreList =>
    getOrAdd(known, folder, () => {
      const above = folder !== root && isWithin(folderOf(folder), root) ? listsOf(folderOf(folder)) : defaults;
      const rules = lists.get(folder);
      return rules === undefined ? above : { ...rules, above };
    });
  return (uri) => {
    const list = listsOf(folderOf(uri));
    return isIgnoredByGoGit(last === undefined ? list : { ...last, above: list }, uri);
  };
}
