/** Writes down what is found in the commands of the corpus, to be reviewed: `npm run approve -- corpus`. */

import { writeFileSync } from 'node:fs';
import { foundCommands, reviewedCommands } from './commands.ts';

writeFileSync(reviewedCommands, foundCommands());
