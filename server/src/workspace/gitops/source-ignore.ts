/** Determines which files a Flux source contains. Source: fluxcd/pkg `sourceignore/sourceignore.go`. */

import { type IgnoreList, isIgnored, readIgnoreFile } from '../ignore/gitignore.ts';
import type { ScopeFacts } from '../scopes/scope-facts.ts';
import { folderOf, isWithin } from '../uri.ts';

/** The name of the files that list which files a source excludes. */
export const sourceIgnoreName = '.sourceignore';

/** Patterns of files that every source excludes. */
const always = '.git/\n.gitignore\n.gitmodules\n.gitattributes\n';

/** Patterns of files that a source excludes unless it has its own list. */
const usual = [
  ...['.github/', '.circleci/', '.travis.yml', '.gitlab-ci.yml', 'appveyor.yml', '.drone.yml', 'cloudbuild.yaml'],
  ...['codeship-services.yml', 'codeship-steps.yml', '**/.goreleaser.yml', '**/.sops.yaml', '**/.flux.yaml'],
].join('\n');

/** A function that returns whether a source excludes a file or a folder. */
export type IsLeftOut = (uri: string, isFolder: boolean) => boolean;

/** Returns a function that determines whether a source excludes a file or folder; `root` is the root of its repository, and `own` is the list in the source itself, which is applied last. */
export function leftOutOf(root: string, own: string | undefined, files: ReadonlyMap<string, ScopeFacts>): IsLeftOut {
  const lists = new Map<string, IgnoreList>();
  for (const [uri, { ignores }] of files)
    if (ignores !== undefined && isWithin(uri, root))
      lists.set(folderOf(uri), readIgnoreFile(ignores, folderOf(uri), undefined));
  const defaults = readIgnoreFile(`${always}${own === undefined ? usual : ''}`, root, undefined);
  const last = own === undefined ? undefined : readIgnoreFile(own, root, undefined);
  const known = new Map<string, boolean>([[root, false]]);
  const isLeftOut: IsLeftOut = (uri, isFolder) => {
    const before = known.get(uri);
    if (before !== undefined) return before;
    const folder = folderOf(uri);
    if (!isWithin(folder, root)) return false;
    // A pattern cannot include the content of an excluded folder again.
    const result = isLeftOut(folder, true) || isLeftOutHere(uri, isFolder);
    if (isFolder) known.set(uri, result);
    return result;
  };
  const isLeftOutHere: IsLeftOut = (uri, isFolder) => {
    let list: IgnoreList | undefined = defaults;
    const around: string[] = [];
    for (let folder = folderOf(uri); isWithin(folder, root); folder = folderOf(folder)) around.unshift(folder);
    for (const folder of around) {
      const rules = lists.get(folder);
      if (rules !== undefined) list = { ...rules, above: list };
    }
    return isIgnored(last === undefined ? list : { ...last, above: list }, uri, isFolder);
  };
  return isLeftOut;
}
