/** The list of outcomes of all planted faults, and the table that documents it. */

import { type FaultClass, faultClasses } from './faults.ts';

/** The number of planted faults of each class. */
export const plantsOfClass = 10;

/** An error or a warning, a hint or an information, or nothing. */
export type Outcome = 'problem' | 'note' | 'missed';

/** One line for each class: its name, and the outcome of each plant. */
export function outcomeLine({ id }: FaultClass, outcomes: readonly Outcome[]): string {
  return `${id}: ${outcomes.join(' ')}`;
}

/** The outcomes of each class in the reviewed list, by its name. */
export function readOutcomes(text: string): ReadonlyMap<string, readonly Outcome[]> {
  const lines = text.split('\n').filter((line) => line.includes(': '));
  return new Map(
    lines.map((line) => {
      const [id = '', outcomes = ''] = line.split(': ');
      return [id, outcomes.split(' ') as Outcome[]]; // written by this file
    }),
  );
}

/** The table of all classes as a document. */
export function outcomesPage(text: string): string {
  const outcomes = readOutcomes(text);
  const rows = faultClasses.map(({ id, about }) => {
    const all = outcomes.get(id) ?? [];
    const count = (outcome: Outcome) => all.filter((each) => each === outcome).length;
    return `| ${id} | ${about} | ${count('problem')} | ${count('note')} | ${count('missed')} |`;
  });
  const share = (classes: readonly FaultClass[]) => {
    const all = classes.flatMap(({ id }) => outcomes.get(id) ?? []);
    const found = all.filter((each) => each === 'problem').length;
    return `${found} of ${all.length} (${Math.floor((found / all.length) * 100)} %)`;
  };
  return `# Planted faults

A test campaign (\`npm run test:campaigns\`) inserts these faults into generated workspaces: a home lab with unknown kinds, a
shop in one folder, a base with an overlay, a chart, and the applications of a company. Each class has ${plantsOfClass} faults. Before a fault is inserted, nothing is reported in these workspaces.

Of all faults, ${share(faultClasses)} are reported as an error or warning; of the faults in which one word is misspelled and
exactly one correct word is near, ${share(faultClasses.filter(({ near }) => near))}.

| Class | Fault | Error or warning | Hint or information | Missed |
| --- | --- | --- | --- | --- |
${rows.join('\n')}
`;
}
