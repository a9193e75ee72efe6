/** Resolves the paths in the inputs of tools for AI agents. All paths must be inside of the roots. */

import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isWithin } from '../workspace/uri.ts';
import { fileUri } from './disk-files.ts';

export { outside } from '../agents/call-tool.ts';

/** Returns the absolute path for a path that is relative to the first root (`roots` are URIs), or for a `file:` URI; undefined outside of the roots. Does not check whether the path exists. */
export function pathIn(roots: readonly string[], path: string): string | undefined {
  try {
    const found = path.startsWith('file:') ? fileURLToPath(path) : resolve(fileURLToPath(roots[0] ?? ''), path);
    return roots.some((root) => isWithin(fileUri(found), root)) ? found : undefined;
  } catch {
    return undefined;
  }
}
