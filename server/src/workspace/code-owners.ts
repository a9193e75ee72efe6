/** Finds CODEOWNERS files, which name the owners of the files of a repository, and the teams in them. */

export const codeOwnersName = 'CODEOWNERS';

/** The places in which GitHub and GitLab look for the file, in order. */
export const codeOwnersPaths: readonly string[] = [
  `.github/${codeOwnersName}`,
  `.gitlab/${codeOwnersName}`,
  codeOwnersName,
  `docs/${codeOwnersName}`,
];

/** Returns the names of the teams in a CODEOWNERS file, which are the last parts of `@organization/team`. */
export function teamsOf(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => {
    const [written = ''] = line.split(/(?:^|\s)#/);
    return [...written.matchAll(/(?:^|\s)@([^\s@]+)/g)].flatMap(([, owner = '']) => {
      const slash = owner.lastIndexOf('/');
      return slash < 1 || slash === owner.length - 1 ? [] : [owner.slice(slash + 1)];
    });
  });
}
