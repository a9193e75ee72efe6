/** Reads CODEOWNERS files, which name the owners of the files of a repository. https://docs.github.com/en/repositories/managing-your-repositorys-settings-and-features/customizing-your-repository/about-code-owners */

import { type Glob, gitGlob } from '../../workspace/ignore/git-pattern.ts';

interface Rule {
  readonly globs: readonly Glob[];
  readonly owners: readonly string[];
}

/** Returns a function that finds the owners of a path relative to the repository: those of the last pattern that matches it, in each section of GitLab. Malformed lines are ignored. */
export function readCodeOwners(text: string): (path: string) => readonly string[] {
  const sections: { readonly rules: Rule[]; readonly owners: readonly string[] }[] = [{ rules: [], owners: [] }];
  for (const line of text.split('\n')) {
    const [pattern = '', ...rest] = line.trim().split(/\s+/);
    const named = rest.slice(0, firstComment(rest));
    if (pattern === '' || pattern.startsWith('#')) continue;
    if (/^\^?\[[^\]]+\]/.test(line.trim())) {
      const after = line.slice(line.lastIndexOf(']') + 1).trim();
      sections.push({ rules: [], owners: after === '' ? [] : after.split(/\s+/) });
      continue;
    }
    const section = sections.at(-1);
    section?.rules.push({ globs: globsOf(pattern), owners: named.length > 0 ? named : section.owners });
  }
  return (path) => [
    ...new Set(
      sections.flatMap(({ rules }) => rules.findLast(({ globs }) => globs.some((glob) => glob(path)))?.owners ?? []),
    ),
  ];
}

function firstComment(words: readonly string[]): number {
  const at = words.findIndex((word) => word.startsWith('#'));
  return at < 0 ? words.length : at;
}

function globsOf(pattern: string): readonly Glob[] {
  const isAnchored = pattern.slice(0, -1).includes('/');
  const plain = pattern.replace(/^\//, '').replace(/\/$/, '');
  const anchored = isAnchored ? plain : `**/${plain}`;
  const inside = `${anchored}/**`;
  // A pattern such as `docs/*` matches only the files directly in the folder.
  const patterns = pattern.endsWith('/') ? [inside] : pattern.endsWith('/*') ? [anchored] : [anchored, inside];
  return patterns.flatMap((each) => gitGlob(each) ?? []);
}
