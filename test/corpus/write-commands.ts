/** Writes down what is found in the commands of the corpus, to be reviewed: `node test/corpus/write-commands.ts`. */

import { writeFileSync } from 'node:fs';
import { foundCommands, reviewedCommands } from './commands.ts';

writeFileSync(reviewedCommands, foundCommands());
