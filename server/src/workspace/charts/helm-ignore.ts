/** Determines which files Helm loads from the folder of a chart. Source: Helm `pkg/ignore/rules.go`. */

import { gitGlob } from '../ignore/git-pattern.ts';

/** The name of the files that list which files of a chart Helm does not load. */
export const helmIgnoreName = '.helmignore';

/** Patterns that every chart has. */
const always = 'templates/.?*';

/** The maximum number of patterns; only hostile files have more. */
const mostPatterns = 500;

type Matches = (path: string, isFolder: boolean) => boolean;

/** Returns a function that determines whether Helm does not load the file at a path relative to the folder of the chart. A pattern that begins with `!` ignores everything that it does not match, usually also `Chart.yaml`. */
export function ignoredByHelm(text: string): (path: string) => boolean {
  const rules = [...text.split('\n').slice(0, mostPatterns), always].flatMap((line) => ruleOf(line.trim()) ?? []);
  return (path) => {
    for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1))
      if (rules.some((matches) => matches(path.slice(0, end), true))) return true;
    return rules.some((matches) => matches(path, false));
  };
}

function ruleOf(line: string): Matches | undefined {
  if (line.startsWith('!')) {
    const matches = ruleOf(line.slice(1));
    return matches && ((path, isFolder) => !matches(path, isFolder));
  }
  if (line === '' || line.startsWith('#') || line.includes('**')) return undefined;
  const foldersOnly = line.endsWith('/');
  const pattern = foldersOnly ? line.slice(0, -1) : line;
  const glob = gitGlob(pattern.replace(/^\//, ''));
  const hasSlash = pattern.includes('/');
  if (glob === undefined) return undefined;
  return (path, isFolder) =>
    (isFolder || !foldersOnly) && glob(hasSlash ? path : path.slice(path.lastIndexOf('/') + 1));
}
