/** Compares the URLs of git repositories, and normalizes paths in them. */

/**
 * The host and path of a URL, which are equal for all URLs of one repository: without protocol, user, port and `.git`,
 * in lower case. Other text is only converted to lower case.
 */
export function repositoryKey(url: string): string {
  const text = url.trim().toLowerCase();
  const start = text.indexOf('://');
  const [first = '', ...steps] = text
    .slice(start === -1 ? 0 : start + 3)
    .split('/')
    .filter((step) => step !== '');
  // In `git@host:path`, the colon is followed by a path; in `host:22/path`, it is followed by a port.
  const [host = '', after = ''] = first.slice(first.lastIndexOf('@') + 1).split(':');
  const path = [host, ...(/^\d*$/.test(after) ? [] : [after]), ...steps].join('/');
  return path.endsWith('.git') ? path.slice(0, -4) : path;
}

/** Branch names that probably stand for the revision in the workspace: the usual default branches, and the empty string for an unspecified revision. */
export const ownRevisions: ReadonlySet<string> = new Set(['', 'HEAD', 'main', 'master', 'trunk', 'develop']);

/** Returns a path without `.`, slashes at its ends and `..` above the root. */
export function plainPath(path: string): string {
  const steps: string[] = [];
  for (const step of path.split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '' && step !== '.') steps.push(step);
  }
  return steps.join('/');
}
