/** Where is the corpus of real manifests, and what does a test do where it is not at hand? */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const shared = fileURLToPath(new URL('../../../shared', import.meta.url));

/** One folder for each source. It is read and never copied. */
export const corpusFolder = join(shared, 'corpus');

export const isAtHand = existsSync(corpusFolder);

/** The names of the sources' folders. */
export function sources(): readonly string[] {
  return readdirSync(corpusFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'LICENSES')
    .map((entry) => entry.name)
    .sort();
}

/** What kubectl says about the corpus. */
export const expectedFolder = join(shared, 'corpus-expected');

/** One list of that. */
export function readExpected(name: string): { readonly items: readonly unknown[] } {
  return JSON.parse(readFileSync(join(expectedFolder, name), 'utf8'));
}

/** A suite over the corpus; without it, nothing. That nothing ran is said once, by `absent.test.ts`. */
export function describeCorpus(title: string, body: (this: Mocha.Suite) => void): void {
  if (isAtHand) describe(title, body);
}
