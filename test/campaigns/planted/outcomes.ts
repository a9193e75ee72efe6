/** Outcomes of the planted faults: the findings of each. */

import { bench } from '../../harness/bench.ts';
import type { FaultClass } from './faults.ts';
import type { Outcome } from './table.ts';
import { filesOf, type WorkspaceKind, workspaceKinds } from './workspaces.ts';

/** The findings in a workspace, one per line. */
export async function findingsOf(files: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, string>> {
  const fixture = [...files].map(([name, text]) => `==> ${name} <==\n${text}`).join('');
  const made = await bench(fixture);
  // An editor requests diagnostics of its open files.
  for (const [name, text] of files) made.session.workspace.edit(made.uriOf(name), text);
  const found = new Map<string, string>();
  for (const name of files.keys()) {
    for (const { rule, severity, message } of made.session.findings(made.uriOf(name))) {
      found.set(`${name} ${rule} ${message}`, severity);
    }
  }
  return found;
}

/** The workspace of a plant, and the application in it. */
function placeOf(fault: FaultClass, number: number): { readonly kind: WorkspaceKind; readonly app: string } {
  const kinds = fault.overlay ? workspaceKinds.filter(({ built }) => built) : workspaceKinds;
  const kind = kinds[number % kinds.length] as WorkspaceKind; // there are several
  const at = fault.part === 'overlay' ? 0 : Math.floor(number / kinds.length) + number;
  return { kind, app: kind.apps[at % kind.apps.length] ?? '' };
}

/** The outcome of one planted fault: an error or warning, a hint or information, or nothing. */
export async function outcomeOf(fault: FaultClass, number: number): Promise<Outcome> {
  const { kind, app } = placeOf(fault, number);
  const sound = filesOf(kind);
  const planted = filesOf(kind, { app, part: fault.part, change: (text, around) => fault.plant(text, around, number) });
  const isPlanted = [...planted].some(([name, text]) => sound.get(name) !== text);
  if (!isPlanted) throw new Error(`Nothing was planted: ${fault.id} ${number}`);
  const severities = [...(await findingsOf(planted)).values()];
  if (severities.some((each) => each === 'error' || each === 'warning')) return 'problem';
  return severities.length > 0 ? 'note' : 'missed';
}
