/** Creates the VSIX for a test as `npm run package` does, in a separate folder. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../code-server.ts';

/** Creates the VSIX in a folder, and returns its path. */
export function packageVsix(folder: string): string {
  const file = join(folder, 'selector-lens.vsix');
  const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  const made = spawnSync(process.execPath, [vsce, 'package', '--no-dependencies', '--out', file], {
    cwd: root,
    encoding: 'utf8',
  });
  if (made.status !== 0) throw new Error(`vsce package ended with ${made.status}.\n${made.stdout}${made.stderr}`);
  return file;
}
