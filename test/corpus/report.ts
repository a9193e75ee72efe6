/** What do we find in the corpus today? `node test/corpus/report.ts [--write]` prints it, or writes the reviewed files. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Gathered, gather } from './gather.ts';

export const command = 'node test/corpus/report.ts --write';

export const reviewedFiles = ['report', 'findings'] as const;

function pathOf(name: (typeof reviewedFiles)[number]): string {
  return fileURLToPath(new URL(`${name}.txt`, import.meta.url));
}

export function readReviewed(name: (typeof reviewedFiles)[number]): string {
  return readFileSync(pathOf(name), 'utf8');
}

async function main(): Promise<void> {
  const gathered: Gathered = await gather();
  for (const bug of gathered.bugs) console.error(bug);
  for (const name of reviewedFiles) {
    if (process.argv.includes('--write')) writeFileSync(pathOf(name), gathered[name]);
    else process.stdout.write(gathered[name]);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
