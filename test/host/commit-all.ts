/** Creates a git repository for a test: a folder with one commit of its whole content. */
import { execFileSync } from 'node:child_process';

/** Creates a repository in a folder, and commits all files. */
export function commitAll(folder: string): void {
  const names = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  for (const words of [
    ['init', '-q'],
    ['add', '-A'],
    [...names, 'commit', '-q', '-m', 'all'],
  ])
    execFileSync('git', words, { cwd: folder });
}
