/** Identifies a git repository on disk by its remotes, its current branch and its submodules, without running git. */

import { join } from 'node:path';
import { branchIn, type RepositoryIdentity, remotesIn, submodulesIn } from '../../workspace/gitops/git-remotes.ts';
import { commonFolder, gitFolder, textOf } from './repository.ts';

/** The maximum size of the repository configuration in bytes; the next constant is the maximum length of a name. */
const largestConfig = 1_000_000;
const largestName = 4_096;

/** Returns the branch, the submodules and the keys of the remotes (see `remotesIn`) of the repository in a folder. There are no remotes if the configuration of the repository cannot be read. For a worktree, the configuration of the main repository is used. */
export function identityAt(root: string): Omit<RepositoryIdentity, 'root'> {
  try {
    const folder = gitFolder(root);
    const common = commonFolder(folder);
    const files = [join(common, 'config'), join(folder, 'config.worktree')];
    const remotes = remotesIn(files.map((path) => textOf(path, largestConfig) ?? '').join('\n'));
    const branch = branchIn(textOf(join(folder, 'HEAD'), largestName) ?? '');
    const submodules = submodulesIn(textOf(join(root, '.gitmodules'), largestConfig) ?? '');
    return { remotes, ...(branch !== undefined && { branch }), ...(submodules.length > 0 && { submodules }) };
  } catch {
    return { remotes: [] };
  }
}
