/** Writes the selectors in the commands of the corpora, for review: `npm run approve -- corpus`. */

import { writeFileSync } from 'node:fs';
import { foundCommands } from './commands.ts';
import { corpora, reviewedFile } from './corpus.ts';

for (const corpus of corpora) writeFileSync(reviewedFile(corpus, 'commands'), foundCommands(corpus));
