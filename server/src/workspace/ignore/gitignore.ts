/** Parses `.gitignore` files and determines whether they ignore a path. As in git, the last matching rule applies. */

import { byteOrderMark } from '../../text/byte-order-mark.ts';
import { maximumWildcards } from '../../text/glob.ts';
import { type Glob, gitGlob } from './git-pattern.ts';

interface IgnoreRule {
  /** Whether the rule starts with `!`, which includes a path that an earlier rule ignored. */
  readonly negated: boolean;
  readonly foldersOnly: boolean;
  matches(path: string, name: string): boolean;
}

/** The rules of one ignore file, and the rules of the parent folders, which apply to paths that no rule of the file matches. */
export interface IgnoreList {
  readonly rules: readonly IgnoreRule[];
  /** The path of the folder that contains the file, with a trailing slash; empty for the topmost folder. */
  readonly folder: string;
  readonly above: IgnoreList | undefined;
  /** Whether the file has more patterns than the maximum; the remaining patterns are ignored. */
  readonly isCut: boolean;
}

/** The maximum number of rules in a file; only hostile files have more. */
const mostRules = 5000;

/** Parses the ignore file of the folder `folder`, which is empty for the topmost folder. */
export function readIgnoreFile(text: string, folder: string, above: IgnoreList | undefined): IgnoreList {
  const rules: IgnoreRule[] = [];
  let wildcards = 0;
  let isCut = false;
  for (const line of text.slice(byteOrderMark(text).length).split('\n')) {
    if (!line.startsWith('#') && /[*?[]/.test(line)) wildcards += line.length;
    isCut = rules.length === mostRules || wildcards > maximumWildcards;
    if (isCut) break;
    const rule = readRule(line.replace(/\r$/, ''));
    if (rule !== undefined) rules.push(rule);
  }
  return { rules, folder: folder === '' ? '' : `${folder}/`, above, isCut };
}

/** Whether a rule ignores the path itself. Callers must check its parent folders first, because the content of an ignored folder cannot be included again. */
export function isIgnored(list: IgnoreList | undefined, path: string, isFolder: boolean): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  for (let each = list; each !== undefined; each = each.above) {
    const here = each.folder === '' ? path : path.slice(each.folder.length);
    for (let at = each.rules.length - 1; at >= 0; at--) {
      const rule = each.rules[at];
      if (rule === undefined || (rule.foldersOnly && !isFolder)) continue;
      if (rule.matches(here, name)) return !rule.negated;
    }
  }
  return false;
}

/** Whether rules ignore a file, in the way of go-git: of all rules that match the file or one of its parent folders, the last rule applies. Unlike in git, a rule can include a part of an ignored folder. Source: go-git `plumbing/format/gitignore/{matcher,pattern}.go`. */
export function isIgnoredByGoGit(list: IgnoreList | undefined, path: string): boolean {
  for (let each = list; each !== undefined; each = each.above) {
    const here = each.folder === '' ? path : path.slice(each.folder.length);
    const last = each.rules.findLast((rule) => matchesWithin(rule, here));
    if (last !== undefined) return !last.negated;
  }
  return false;
}

function matchesWithin({ foldersOnly, matches }: IgnoreRule, path: string): boolean {
  for (let start = 0; ; ) {
    const slash = path.indexOf('/', start);
    if (slash === -1) return !foldersOnly && matches(path, path.slice(start));
    if (matches(path.slice(0, slash), path.slice(start, slash))) return true;
    start = slash + 1;
  }
}

function readRule(line: string): IgnoreRule | undefined {
  if (line.startsWith('#')) return undefined;
  const trimmed = withoutTrailingSpaces(line);
  const negated = trimmed.startsWith('!');
  const whole = negated ? trimmed.slice(1) : trimmed;
  const foldersOnly = whole.endsWith('/');
  const pattern = foldersOnly ? whole.slice(0, -1) : whole;
  const anchored = pattern.includes('/');
  const glob = pattern === '' ? undefined : gitGlob(pattern.replace(/^\//, ''));
  return glob && { negated, foldersOnly, matches: matchesOf(glob, anchored) };
}

/** A pattern without a slash matches the file name in any folder. */
function matchesOf(glob: Glob, anchored: boolean): IgnoreRule['matches'] {
  return anchored ? (path) => glob(path) : (_, name) => glob(name);
}

function withoutTrailingSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ') end--;
  let backslashes = 0;
  while (line[end - 1 - backslashes] === '\\') backslashes++;
  // A backslash preserves the space after it.
  return backslashes % 2 === 1 && end < line.length ? line.slice(0, end + 1) : line.slice(0, end);
}
