/** Starts a command: enables the compile cache of Node.js for later runs, then loads all other modules. */

import * as nodeModule from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { isMainThread, Worker } from 'node:worker_threads';
import { cacheFolder } from './cache-folder.ts';
import { userCacheFolder } from './user-cache-folder.ts';

const words = process.argv.slice(2);
const cache = words.includes('--no-cache') ? undefined : userCacheFolder();
// The folder must be safe, because a user who can write to it could make this process run any code. Node.js 20 does not
// have `enableCompileCache`.
if (cache !== undefined && cacheFolder(cache) === 'usable') nodeModule.enableCompileCache?.(join(cache, 'compiled'));
// V8 of Node.js 20 optimizes functions so early that this is a third of the work of a command, mostly in other threads.
// Other versions of V8 may not know the option. Servers run long enough to benefit from the optimization.
const isServer = words[0] === 'lsp' || words[0] === 'mcp';
if (process.versions.v8.startsWith('11.3.244.') && !isServer) setFlagsFromString('--interrupt-budget=300000');
const { main } = await import('./cli-main.ts');
if (isMainThread) process.exitCode = await main(words, (options) => new Worker(new URL(import.meta.url), options));
