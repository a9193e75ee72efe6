/**
 * How does the catalogue's data come to be? `node test/project/generate-catalogue.ts` reads the collected facts beside
 * the repository and writes `data.generated.ts` and a list of what stays unknown; a test compares them.
 */

import { existsSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readFacts } from './catalogue/facts.ts';
import { gather } from './catalogue/gather.ts';
import type { Gathering } from './catalogue/gathering.ts';
import { pack } from './catalogue/pack.ts';
import { listUnknown } from './catalogue/unknown.ts';

/** Where the facts are, when they are at hand. */
export const FACTS = fileURLToPath(new URL('../../../shared/catalogue', import.meta.url));

/** What the script writes. */
export const DATA = fileURLToPath(new URL('../../server/src/engine/catalogue/data.generated.ts', import.meta.url));

/** What it lists beside the data, for people to review. */
export const UNKNOWN = fileURLToPath(new URL('../engine/catalogue/unknown.txt', import.meta.url));

export interface Generated extends Gathering {
  readonly text: string;
  readonly unknown: string;
}

/** Makes the text of the data file, or says nothing where the facts are not at hand. */
export function generateCatalogue(): Generated | undefined {
  if (!existsSync(FACTS)) return undefined;
  const facts = readFacts(FACTS);
  const gathering = gather(facts);
  const packed = pack([...gathering.kinds.values()], facts);
  const json = JSON.stringify(packed);
  const literal = json.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
  const text = `/** Made by \`node test/project/generate-catalogue.ts\` from the collected facts; not for editing. */
export const data: string =
  '${literal}';
`;
  return { ...gathering, text, unknown: listUnknown(packed) };
}

if (import.meta.main) {
  const generated = generateCatalogue();
  if (generated) {
    for (const phrase of generated.unmapped) console.warn(`No row for ${phrase}`);
    writeFileSync(DATA, generated.text);
    writeFileSync(UNKNOWN, generated.unknown);
    console.log(`Wrote ${generated.kinds.size} kinds, ${Buffer.byteLength(generated.text)} bytes.`);
  } else {
    console.error(`The facts are not at hand: ${FACTS}`);
    process.exitCode = 1;
  }
}
