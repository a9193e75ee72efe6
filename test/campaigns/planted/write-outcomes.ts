/** Writes the outcomes of all planted faults, to be reviewed: `npm run approve -- faults`. */

import { writeFileSync } from 'node:fs';
import { faultClasses } from './faults.ts';
import { outcomeOf } from './outcomes.ts';
import { type Outcome, outcomeLine, plantsOfClass } from './table.ts';

const lines: string[] = [];
for (const fault of faultClasses) {
  const outcomes: Outcome[] = [];
  for (let number = 0; number < plantsOfClass; number++) outcomes.push(await outcomeOf(fault, number));
  lines.push(outcomeLine(fault, outcomes));
  console.log(lines.at(-1));
}
writeFileSync(new URL('outcomes.txt', import.meta.url), `${lines.join('\n')}\n`);
