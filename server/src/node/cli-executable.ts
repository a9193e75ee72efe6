/** Entry point of the command line tool as a single executable, which contains Node.js and loads no other files. */

import { main } from './cli-main.ts';

void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
