/** The stories of the terminal: a command line, its output, and the files. `npm run approve` writes them. */

import { readdirSync, readFileSync } from 'node:fs';
import { runInMemory } from './memory-world.ts';

export const terminalStories = new URL('stories/', import.meta.url);

export interface Story {
  readonly name: string;
  /** The whole story, in its file and with the current output. */
  readonly text: string;
  now(): Promise<string>;
}

/** Reads all stories of the terminal. */
export function readStories(): readonly Story[] {
  return readdirSync(terminalStories).map((name) => {
    const text = readFileSync(new URL(name, terminalStories), 'utf8');
    return { name, text, now: () => retold(text) };
  });
}

/** The same command over the same files, with its current output. */
async function retold(text: string): Promise<string> {
  const [head = '', ...parts] = text.split(/^==> (.+) <==\n/m);
  const files: Record<string, string> = {};
  for (let at = 0; at < parts.length; at += 2) files[parts[at] ?? ''] = (parts[at + 1] ?? '').replace(/\n\n$/, '\n');
  const [line = ''] = head.split('\n');
  const words = line.replace(/^\$ selector-lens /, '').split(' ');
  const { code, out, err } = await runInMemory(words, { files });
  const described = [line, ...out, ...err.map((each) => `(stderr) ${each}`), `(exit code ${code})`, '', ''].join('\n');
  return described + text.slice(head.length);
}
