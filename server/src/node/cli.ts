/** Entry point of the command line tool. It loads as little as possible, so that `--version` responds immediately. Its bundle contains only syntax that an old Node.js can parse, so that it can report an unsupported version. */

import { minimumNode, version } from '../version.ts';

const { node } = process.versions;

if (Number.parseInt(node, 10) < minimumNode) {
  process.stderr.write(`selector-lens: Node.js ${minimumNode} or later is required, and this is ${node}.\n`);
  process.exitCode = 2;
} else if (process.argv.length === 3 && process.argv[2] === '--version') {
  const leave = ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 2);
  process.stdout.on('error', leave).write(`${version}\n`);
} else void import('./cli-start.ts');
