/** Parses the files of git that identify a repository: its remotes, its current branch and its submodules. */

import { repositoryKey } from '../../manifests/gitops/repository-url.ts';

export interface RepositoryIdentity {
  /** The URI of the root folder of the repository. */
  readonly root: string;
  /** The keys of the repository's remotes; equal keys identify the same remote repository. */
  readonly remotes: readonly string[];
  /** The current branch; absent if a commit is checked out directly. */
  readonly branch?: string;
  /** The folders of its submodules, relative to the root. Their files may be absent. */
  readonly submodules?: readonly string[];
}

/** The maximum number of remotes of a repository that are compared. */
const maximumRemotes = 100;

/**
 * Returns the keys of all remotes in the text of a git configuration; empty for a sparse checkout, which lacks files of
 * the repository. `insteadOf` is applied. https://git-scm.com/docs/git-config
 */
export function remotesIn(config: string): readonly string[] {
  const urls: string[] = [];
  const abbreviations: [abbreviation: string, url: string][] = [];
  let isSparse = false;
  let section = '';
  let name = '';
  for (const each of config.split('\n')) {
    const line = each.trim();
    const header = /^\[([\w.-]+)(?:[ \t]+"([^"\]]*)")?\]/.exec(line);
    if (header !== null) {
      [section, name] = [header[1]?.toLowerCase() ?? '', header[2] ?? ''];
      continue;
    }
    const at = line.indexOf('=');
    const [key, value] = [line.slice(0, at).trim().toLowerCase(), unquoted(line.slice(at + 1))];
    if (at < 1 || value === '') continue;
    if (section === 'remote' && (key === 'url' || key === 'pushurl')) urls.push(value);
    if (section === 'url' && (key === 'insteadof' || key === 'pushinsteadof')) abbreviations.push([value, name]);
    if (section === 'core' && key === 'sparsecheckout') isSparse = /^(?:true|yes|on|1)$/i.test(value);
  }
  if (isSparse) return [];
  abbreviations.splice(maximumRemotes);
  const full = urls.slice(0, maximumRemotes).map((url) => {
    const found = abbreviations.filter(([abbreviation]) => url.startsWith(abbreviation));
    const [longest] = found.toSorted(([a], [b]) => b.length - a.length);
    return longest === undefined ? url : longest[1] + url.slice(longest[0].length);
  });
  return [...new Set(full.map(repositoryKey))];
}

/** Returns the branch that the text of a `HEAD` names; undefined for a commit. */
export function branchIn(head: string): string | undefined {
  return /^ref: refs\/heads\/(\S+)\s*$/.exec(head)?.[1];
}

/** Returns the folders in the text of a `.gitmodules`. https://git-scm.com/docs/gitmodules */
export function submodulesIn(text: string): readonly string[] {
  const paths = [...text.matchAll(/^[ \t]*path[ \t]*=(.*)$/gim)].map(([, path = '']) => unquoted(path));
  return paths.filter((path) => path !== '').slice(0, maximumSubmodules);
}

const maximumSubmodules = 1_000;

/** Returns a value without quotes and without the comment after it. */
function unquoted(text: string): string {
  const value = text.trim();
  if (value.startsWith('"')) return value.slice(1, Math.max(value.indexOf('"', 1), 1));
  const end = value.search(/[;#]/);
  return (end === -1 ? value : value.slice(0, end)).trim();
}
