/** What do the rules find today? Rewrites the margins of all stories, so that a change is reviewed as a diff. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { benchOver } from './bench.ts';
import { optionsFor, readStories } from './folders.ts';
import { trueMargin, writeMargin } from './stories.ts';

let changed = 0;
for (const folder of readStories()) {
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
