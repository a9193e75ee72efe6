/** Entry point of the command line as a single executable, which contains Node.js and loads no other file. */

import { main } from './cli-main.ts';

void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
