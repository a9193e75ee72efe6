/** A git repository for a test: a folder with one commit of all that is in it. */
import { execFileSync } from 'node:child_process';

export function commitAll(folder: string): void {
  const names = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  for (const words of [
    ['init', '-q'],
    ['add', '-A'],
    [...names, 'commit', '-q', '-m', 'all'],
  ])
    execFileSync('git', words, { cwd: folder });
}
