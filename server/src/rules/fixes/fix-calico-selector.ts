/** Corrects selectors in the language of Calico. */

import { calicoTree } from '../../manifests/sites/sites.ts';
import { describeProblems } from '../helpers/sentences.ts';
import type { Repair } from './fix-selector-text.ts';

/** The maximum number of repairs that are applied one after the other. */
const maximumRounds = 4;

/** Explains the first problem of a selector at a path, and corrects the selector if each problem has a repair. */
export function repairCalicoSelector(path: string, written: string): Repair | undefined {
  const [first] = calicoTree(path, written).problems;
  if (first === undefined) return undefined;
  const why = describeProblems([first]).slice(0, -1);
  let text = written;
  for (let round = 0; round < maximumRounds; round++) {
    const { problems } = calicoTree(path, text);
    if (problems.length === 0) return { text, why };
    let end = text.length;
    const before = text;
    for (const { fix } of problems.toSorted((a, b) => (b.fix?.start ?? 0) - (a.fix?.start ?? 0))) {
      if (fix === undefined || fix.end > end) continue;
      text = text.slice(0, fix.start) + fix.text + text.slice(fix.end);
      end = fix.start;
    }
    if (text === before) break;
  }
  return { why };
}
