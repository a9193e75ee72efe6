/**
 * Finds operations whose work grows faster than their input: `node bench/growth.ts [WORDS]` runs the shapes whose names
 * contain the words, each at three sizes with a factor of two between them, and prints operations that take more than
 * 2.6 times the processor time for twice the size. Every shape runs in a separate process, and reports if it runs out of
 * time or memory.
 */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { operations, subjectOf } from './growth-operations.ts';
import { type Shape, shapes } from './growth-shapes.ts';

/** In milliseconds: a process that takes longer is ended. */
const limit = 120_000;
/** In milliseconds: faster operations are ignored, since they mostly measure the compiler. */
const worthALook = 40;

const [first = '', ...others] = process.argv.slice(2);
if (first === '--one') {
  const shape = shapes.find(({ name }) => name === others[0]);
  if (shape !== undefined) await measure(shape);
} else {
  const words = [first, ...others].join(' ');
  for (const shape of shapes.filter(({ name }) => name.includes(words))) inProcess(shape);
}

async function measure({ files, size }: Shape): Promise<void> {
  const times = new Map<string, number[]>();
  const timed = async <T>(name: string, run: () => T | Promise<T>): Promise<T> => {
    process.stdout.write(`> ${name}\n`);
    const start = process.cpuUsage();
    const result = await run();
    const { user, system } = process.cpuUsage(start);
    times.set(name, [...(times.get(name) ?? []), (user + system) / 1_000]);
    return result;
  };
  for (const factor of [1, 1, 2, 4]) {
    const made = files(factor * size);
    const subject = await timed('index', () => subjectOf(made));
    for (const [name, run] of operations) await timed(name, () => run(subject));
  }
  for (const [name, [, one = 0, two = 0, four = 0]] of times) {
    const line = `${name.padEnd(14)} ${[one, two, four].map((each) => each.toFixed(0).padStart(7)).join('')}`;
    const ratio = four / Math.max(two, worthALook / 3);
    console.log(`= ${line}   ${ratio.toFixed(1)} ${four > worthALook && ratio > 2.6 ? '!' : ''}`);
  }
}

function inProcess({ name, size }: Shape): void {
  const options = ['--max-old-space-size=1000', fileURLToPath(import.meta.url), '--one', name];
  const { stdout, stderr, status } = spawnSync(process.execPath, options, { encoding: 'utf8', timeout: limit });
  const lines = stdout.split('\n').filter((line) => line.startsWith('= '));
  console.log(`${name} (${size}, ${2 * size}, ${4 * size})`);
  for (const line of lines) if (line.endsWith('!') || process.argv.length > 2) console.log(`  ${line.slice(2)}`);
  if (status === 0) return;
  const asked = stdout.split('\n').filter((line) => line.startsWith('> '));
  const last = `${asked.at(-1)} (${Math.floor((asked.length - 1) / (operations.length + 1)) + 1}. time)`;
  const [why] = stderr.split('\n').filter((line) => /Error|FATAL/.test(line));
  console.log(`  ! ${last}: ${why ?? 'no time left'}`);
}
