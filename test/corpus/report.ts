/** The reviewed counts and findings of the corpora: `npm run approve -- corpus` writes them. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { type Corpus, corpora, reviewedFile } from './corpus.ts';
import { type Gathered, gather } from './gather.ts';

export const command = 'npm run approve -- corpus';

export const reviewedFiles = ['report', 'findings'] as const;

/** A reviewed file without the lines that justify a finding: they begin with `#`, below the finding. */
export function readReviewed(corpus: Corpus, name: (typeof reviewedFiles)[number]): string {
  return readFileSync(reviewedFile(corpus, name), 'utf8').replace(/^ *#.*\n/gm, '');
}

/** The text with the existing justifications below their findings. */
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
  for (const corpus of corpora) {
    const gathered: Gathered = await gather(corpus);
    for (const bug of gathered.bugs) console.error(bug);
    for (const name of reviewedFiles) {
      const path = reviewedFile(corpus, name);
      const written = () => withDefences(gathered[name], existsSync(path) ? readFileSync(path, 'utf8') : '');
      if (process.argv.includes('--write')) writeFileSync(path, written());
      else process.stdout.write(gathered[name]);
    }
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
