/** What does a terminal show? Stories: a command line, what it says, and the files. `node test/cli/stories.ts --write` writes them anew. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runInMemory } from './memory-world.ts';

const folder = new URL('stories/', import.meta.url);

export interface Story {
  readonly name: string;
  /** The whole of it, as it is and as it would be written now. */
  readonly text: string;
  now(): Promise<string>;
}

export function readStories(): readonly Story[] {
  return readdirSync(folder).map((name) => {
    const text = readFileSync(new URL(name, folder), 'utf8');
    return { name, text, now: () => retold(text) };
  });
}

/** The same command over the same files, with what it says today. */
async function retold(text: string): Promise<string> {
  const [head = '', ...parts] = text.split(/^==> (.+) <==\n/m);
  const files: Record<string, string> = {};
  for (let at = 0; at < parts.length; at += 2) files[parts[at] ?? ''] = (parts[at + 1] ?? '').replace(/\n\n$/, '\n');
  const [line = ''] = head.split('\n');
  const words = line.replace(/^\$ selector-lens /, '').split(' ');
  const { code, out, err } = await runInMemory(words, { files });
  const said = [line, ...out, ...err.map((each) => `(stderr) ${each}`), `(exit code ${code})`, '', ''].join('\n');
  return said + text.slice(head.length);
}

if (process.argv[1] === fileURLToPath(import.meta.url) && process.argv.includes('--write')) {
  for (const { name, now } of readStories()) writeFileSync(new URL(name, folder), await now());
}
