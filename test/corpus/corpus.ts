/** The corpora of manifests over which the precision of the product is tested. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Corpus {
  /** `own`: written for these tests, in this repository. `shared`: real manifests, which are read and never copied. */
  readonly name: 'own' | 'shared';
  /** One folder for each source. */
  readonly folder: string;
  /** The recorded results of kubectl for it. */
  readonly expectedFolder: string;
  /** The prefix of the names of its reviewed files in this folder. */
  readonly prefix: '' | 'own-';
}

const here = fileURLToPath(new URL('.', import.meta.url));
const outside = fileURLToPath(new URL('../../../shared', import.meta.url));

export const own: Corpus = {
  name: 'own',
  folder: join(here, 'own'),
  expectedFolder: join(here, 'own-expected'),
  prefix: 'own-',
};

const shared: Corpus = {
  name: 'shared',
  folder: join(outside, 'corpus'),
  expectedFolder: join(outside, 'corpus-expected'),
  prefix: '',
};

/** The corpora of this machine: always the own one, and the shared one if it is next to the clone. */
export const corpora: readonly Corpus[] = existsSync(shared.folder) ? [own, shared] : [own];

/** The names of the folders of a corpus's sources. */
export function sources({ folder }: Corpus): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'LICENSES')
    .map((entry) => entry.name)
    .sort();
}

/** The path of a reviewed file, such as `findings`. */
export function reviewedFile({ prefix }: Corpus, name: string): string {
  return join(here, `${prefix}${name}.txt`);
}

/** A recorded list of results of kubectl. */
export function readExpected({ expectedFolder }: Corpus, name: string): { readonly items: readonly unknown[] } {
  return JSON.parse(readFileSync(join(expectedFolder, name), 'utf8'));
}

/** A suite over each corpus of this machine. */
export function describeCorpora(title: string, body: (corpus: Corpus) => void): void {
  for (const corpus of corpora) describe(`${title} (${corpus.name} corpus)`, () => body(corpus));
}

/** A suite over each corpus of this machine for which there is a value. */
export function describeCorporaWith<T>(
  title: string,
  values: Readonly<Partial<Record<Corpus['name'], T>>>,
  body: (corpus: Corpus, value: T) => void,
): void {
  for (const corpus of corpora) {
    const value = values[corpus.name];
    if (value !== undefined) describe(`${title} (${corpus.name} corpus)`, () => body(corpus, value));
  }
}
