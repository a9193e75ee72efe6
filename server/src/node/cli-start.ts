/** Starts a command: enables the compile cache of Node.js for later runs, then loads all other modules. */

import * as nodeModule from 'node:module';
import { join } from 'node:path';
import { isMainThread, Worker } from 'node:worker_threads';
import { cacheFolder } from './cache-folder.ts';
import { userCacheFolder } from './user-cache-folder.ts';
import { withV8Options } from './v8-options.ts';

const words = process.argv.slice(2);
const cache = words.includes('--no-cache') ? undefined : userCacheFolder();
// The folder must be safe, because a user who can write to it could make this process run any code. Node.js 20 does not
// have `enableCompileCache`.
if (cache !== undefined && cacheFolder(cache) === 'usable') nodeModule.enableCompileCache?.(join(cache, 'compiled'));
const { main } = await import('./cli-main.ts');
const start = (options: object) => new Worker(new URL(import.meta.url), options);
if (isMainThread) process.exitCode = await withV8Options(words, () => main(words, start));
