/** Starts a command: enables the compile cache for later runs, then loads all other modules. */

import * as nodeModule from 'node:module';
import { join } from 'node:path';
import { cacheFolder } from './cache-folder.ts';
import { userCacheFolder } from './user-cache-folder.ts';

const words = process.argv.slice(2);
const cache = words.includes('--no-cache') ? undefined : userCacheFolder();
// A user who can write to this folder could make this process run any code. Node.js 20 has no such function.
if (cache !== undefined && cacheFolder(cache) === 'usable') nodeModule.enableCompileCache?.(join(cache, 'compiled'));
const { main } = await import('./cli-main.ts');
process.exitCode = await main(words);
