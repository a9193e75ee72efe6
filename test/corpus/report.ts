/** What do we find in the corpus today? `npm run approve -- corpus` writes the reviewed files. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Gathered, gather } from './gather.ts';

export const command = 'npm run approve -- corpus';

export const reviewedFiles = ['report', 'findings'] as const;

function pathOf(name: (typeof reviewedFiles)[number]): string {
  return fileURLToPath(new URL(`${name}.txt`, import.meta.url));
}

/** A reviewed file without the lines in which its reviewer defends a finding: they begin with `#`, below it. */
export function readReviewed(name: (typeof reviewedFiles)[number]): string {
  return readFileSync(pathOf(name), 'utf8').replace(/^ *#.*\n/gm, '');
}

/** The text with the defences that stood below the same findings before. */
function withDefences(text: string, before: string): string {
  const defences = new Map<string, string[]>();
  let finding = '';
  for (const line of before.split('\n')) {
    if (!/^ *#/.test(line)) finding = line;
    else defences.set(finding, [...(defences.get(finding) ?? []), line]);
  }
  const lines = text.split('\n').flatMap((line) => [line, ...(line === '' ? [] : (defences.get(line) ?? []))]);
  return lines.join('\n');
}

async function main(): Promise<void> {
  const gathered: Gathered = await gather();
  for (const bug of gathered.bugs) console.error(bug);
  for (const name of reviewedFiles) {
    const written = () => withDefences(gathered[name], readFileSync(pathOf(name), 'utf8'));
    if (process.argv.includes('--write')) writeFileSync(pathOf(name), written());
    else process.stdout.write(gathered[name]);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
