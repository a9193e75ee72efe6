/** Resolves the paths in the inputs of tools for AI agents. All paths must be inside of the roots. */

import { readlinkSync } from 'node:fs';
import { dirname, join, parse, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isWithin } from '../workspace/uri.ts';
import { fileUri } from './disk-files.ts';

export { outside } from '../agents/call-tool.ts';

/** Returns the absolute path for a path that is relative to the first root (`roots` are URIs), or for a `file:` URI; undefined outside of the roots, also if a link leads there. Whether anything exists outside of the roots does not affect the result. */
export function pathIn(roots: readonly string[], path: string): string | undefined {
  try {
    const found = path.startsWith('file:') ? fileURLToPath(path) : resolve(fileURLToPath(roots[0] ?? ''), path);
    return staysIn(roots, found) ? found : undefined;
  } catch {
    return undefined;
  }
}

/** The maximum number of links that are followed for one path, as on Linux. */
const mostLinks = 40;

/** Whether a path is inside of the roots, and so is each link on it. Nothing outside of the roots is examined. */
function staysIn(roots: readonly string[], path: string): boolean {
  const isIn = (each: string) => roots.some((root) => isWithin(fileUri(each), root));
  const isAbove = (each: string) => each === parse(each).root || roots.some((root) => isWithin(root, fileUri(each)));
  let at = parse(path).root;
  const names = path.slice(at.length).split(sep);
  let links = 0;
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    if (name === '..') at = dirname(at);
    else if (name !== '' && name !== '.') {
      const next = join(at, name);
      const target = isIn(next) ? targetOf(next) : undefined;
      if (target === undefined) at = next;
      else {
        if (links++ === mostLinks) return false;
        const start = parse(target).root;
        if (start !== '') at = start;
        names.unshift(...target.slice(start.length).split(sep));
      }
    }
    if (!isIn(at) && !isAbove(at)) return false;
  }
  return isIn(at);
}

/** Returns the target of a link as it is written; undefined if there is no link at a path. */
function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
