/**
 * Remembers which rules found nothing in a file and used only facts of that file, so that they need not run again while
 * other files change.
 */

import { getOrAdd } from '../../engine/memoize.ts';
import type { WorkspaceFile } from '../../workspace/model.ts';
import type { CheckInput } from './context.ts';
import type { Rule } from './rule.ts';

/** The rules without findings in a file, and everything else on which their result depends. */
interface Silence extends Pick<CheckInput, 'catalogue'> {
  readonly isPatch: boolean;
  readonly rules: ReadonlySet<Rule>;
}

const known = new WeakMap<WorkspaceFile, Silence>();

/** The sets of rules by the ids of their rules. Most files have the same set. */
const sets = new Map<string, ReadonlySet<Rule>>();
const maximumSets = 1_000;
const none: ReadonlySet<Rule> = new Set();

/** Returns the rules that certainly find nothing in a file. */
export function silentRules({ file, catalogue, workspace, uri }: CheckInput): ReadonlySet<Rule> {
  const silence = known.get(file);
  return silence?.catalogue === catalogue && silence.isPatch === workspace.scopes().isPatch(uri) ? silence.rules : none;
}

/** Remembers rules that found nothing in a file, and whose contexts were `isOwn`. */
export function keepSilent({ file, catalogue, workspace, uri }: CheckInput, rules: readonly Rule[]): void {
  if (sets.size > maximumSets) sets.clear();
  const set = getOrAdd(sets, rules.map(({ id }) => id).join(), () => new Set(rules));
  known.set(file, { catalogue, isPatch: workspace.scopes().isPatch(uri), rules: set });
}
