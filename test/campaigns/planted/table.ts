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
  return `# Planted faults

A test campaign (\`npm run test:campaigns\`) inserts these faults into generated workspaces: a home lab with unknown kinds, a
shop in one folder, a base with an overlay, a chart, and the applications of a company. Each class has ${plantsOfClass} faults. Before a fault is inserted, nothing is reported in these workspaces.

| Class | Fault | Error or warning | Hint or information | Missed |
| --- | --- | --- | --- | --- |
${rows.join('\n')}
`;
}
