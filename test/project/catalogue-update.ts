/**
 * Proposes rows of the catalogue from API documents: `npm run catalogue:update -- [--write] [--source NAME] FILES`. Each
 * file is an OpenAPI document (such as the output of `kubectl get --raw /openapi/v2`) or contains
 * CustomResourceDefinitions. Prints the reasons and a unified diff; `--write` also writes the rows.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTwoFilesPatch } from 'diff';
import { readApiDocument } from './catalogue/api-documents.ts';
import { type ReadText, readFacts, textsIn } from './catalogue/facts.ts';
import { type Proposal, propose } from './catalogue/propose.ts';
import { FACTS } from './generate-catalogue.ts';

export interface CatalogueUpdate {
  /** The reasons and notes, a line for each. */
  readonly lines: readonly string[];
  /** The new texts of the changed files of facts, by name. */
  readonly changed: ReadonlyMap<string, string>;
  readonly patch: string;
  /** Problems with the proposed rows, which is a mistake of this program. */
  readonly problems: readonly string[];
}

/** Compares the texts of API documents with the facts. */
export function updateCatalogue(documents: readonly string[], source: string, readText: ReadText): CatalogueUpdate {
  const lines: string[] = [];
  const texts = new Map<string, string>();
  const absent = new Set<string>();
  const textOf = (fileName: string) => texts.get(fileName) ?? readText(fileName);
  for (const text of documents) {
    const { rows, notes, kept } = propose(readApiDocument(text), readFacts(textOf).facts, source);
    for (const proposal of rows) {
      const fileName = `${proposal.table}.jsonl`;
      texts.set(fileName, withRow(textOf(fileName), proposal));
      lines.push(`${fileName}: ${shownRow(proposal)}: ${proposal.reason}`);
    }
    lines.push(...[...new Set(notes)].map((note) => `To decide: ${note}`));
    for (const each of kept) absent.add(each);
  }
  if (absent.size > 0) lines.push(`Kept while a supported release serves them: ${[...absent].join(', ')}`);
  const { problems, sorted } = readFacts(textOf);
  const changed = new Map([...texts.keys()].map((fileName) => [fileName, sorted.get(fileName) ?? textOf(fileName)]));
  const patch = [...changed].map(([fileName, text]) => {
    const path = `server/catalogue/${fileName}`;
    return createTwoFilesPatch(path, path, readText(fileName), text, undefined, undefined, { context: 0 });
  });
  return { lines, changed, patch: patch.join(''), problems };
}

function withRow(text: string, { row, replaces }: Proposal): string {
  const line = JSON.stringify(row);
  if (replaces === undefined) return `${text}${line}\n`;
  const isReplaced = (each: string) => {
    const known = each === '' ? {} : JSON.parse(each);
    return Object.entries(replaces).every(([column, value]) => JSON.stringify(known[column]) === JSON.stringify(value));
  };
  return text
    .split('\n')
    .map((each) => (each !== '' && isReplaced(each) ? line : each))
    .join('\n');
}

function shownRow({ row }: Proposal): string {
  return [row['kind'] ?? row['type'] ?? row['structure'], row['version'], row['path']]
    .filter((each) => each !== undefined)
    .join(' ');
}

if (import.meta.main) {
  const words = process.argv.slice(2);
  const at = words.indexOf('--source');
  const source = at === -1 ? 'crd-schemas' : (words[at + 1] ?? '');
  const files = words.filter((word, index) => !word.startsWith('--') && (at === -1 || index !== at + 1));
  if (files.length === 0) {
    console.error('Usage: npm run catalogue:update -- [--write] [--source NAME] FILES');
    process.exit(2);
  }
  const texts = files.map((file) => readFileSync(file, 'utf8'));
  const { lines, changed, patch, problems } = updateCatalogue(texts, source, textsIn(FACTS));
  for (const line of lines) console.error(line);
  for (const problem of problems) console.error(`server/catalogue/${problem}`);
  console.error(changed.size === 0 ? 'Nothing is new.' : 'Review each row, then run: npm run generate:catalogue');
  process.stdout.write(patch);
  if (problems.length > 0) process.exitCode = 1;
  else if (words.includes('--write'))
    for (const [fileName, text] of changed) writeFileSync(join(FACTS, fileName), text);
}
