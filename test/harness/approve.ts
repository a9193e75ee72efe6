/** What do the rules find today? Rewrites the margins of stories (of all, or of named rules), to be reviewed as a diff. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { benchOver } from './bench.ts';
import { optionsFor, readStories } from './folders.ts';
import { trueMargin, writeMargin } from './stories.ts';

const folders = readStories();
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !folders.some((folder) => folder.name === name));
if (unknown.length > 0) {
  console.error(`No stories of ${unknown.join(', ')}.`);
  process.exit(2);
}
let changed = 0;
for (const folder of folders) {
  if (wanted.length > 0 && !wanted.includes(folder.name)) continue;
  const bench = await benchOver(folder.files, optionsFor(folder.name));
  for (const file of folder.files) {
    const approved = trueMargin(bench, file);
    if (approved === writeMargin(file, file.findings, file.looked)) continue;
    writeFileSync(join(folder.path, file.name), approved);
    console.log(`${folder.name}/${file.name}`);
    changed++;
  }
}
console.log(`${changed} ${changed === 1 ? 'story' : 'stories'} rewritten`);
