/** Finds the remotes of a git repository on disk. git is not run. */

import { join, resolve } from 'node:path';
import { remotesIn } from '../../workspace/gitops/git-remotes.ts';
import { gitFolder, textOf } from './repository.ts';

/** In bytes. */
const largestConfig = 1_000_000;
const largestName = 4_096;

/**
 * Returns the keys of the remotes of the repository in a folder, as `remotesIn` does; empty if its configuration cannot
 * be read. The configuration of a worktree is in the repository that it belongs to.
 */
export function remotesAt(root: string): readonly string[] {
  try {
    const folder = gitFolder(root);
    const common = resolve(folder, textOf(join(folder, 'commondir'), largestName)?.trim() ?? '');
    const files = [join(common, 'config'), join(folder, 'config.worktree')];
    return remotesIn(files.map((path) => textOf(path, largestConfig) ?? '').join('\n'));
  } catch {
    return [];
  }
}
