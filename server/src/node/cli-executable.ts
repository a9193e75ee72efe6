/** Entry point of the command line tool as a single executable, which contains Node.js and loads no other files. */

import { getAsset } from 'node:sea';
import { isMainThread, Worker } from 'node:worker_threads';
import { main } from './cli-main.ts';
import { withV8Options } from './v8-options.ts';

if (isMainThread) {
  // The executable contains its main script a second time, for threads.
  const start = (options: object) => new Worker(getAsset('main', 'utf8'), { ...options, eval: true });
  const words = process.argv.slice(2);
  void withV8Options(words, () => main(words, start)).then((code) => {
    process.exitCode = code;
  });
}
