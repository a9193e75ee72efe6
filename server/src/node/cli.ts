/** The main of the command line: as little as can be, so that it answers at once what it knows by itself. */

import { version } from '../version.ts';

if (process.argv.length === 3 && process.argv[2] === '--version') {
  const leave = ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 2);
  process.stdout.on('error', leave).write(`${version}\n`);
} else {
  // What was compiled once is kept, where this Node can do so.
  const { enableCompileCache } = await import('node:module');
  const { join } = await import('node:path');
  const { userCacheFolder } = await import('./user-cache-folder.ts');
  const cache = userCacheFolder();
  if (cache !== undefined) enableCompileCache?.(join(cache, 'compiled'));
  const { main } = await import('./cli-main.ts');
  process.exitCode = await main(process.argv.slice(2));
}
