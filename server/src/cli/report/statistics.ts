/** Counts findings by rule and folder, for a summary of many findings. */

import { getOrAdd } from '../../engine/memoize.ts';
import type { Diagnostic, RuleCount } from './model.ts';
import { severities } from './report.ts';

/** Returns the number of findings for each rule and severity, sorted by descending severity and then by descending count. */
export function countByRule(diagnostics: readonly Diagnostic[]): readonly RuleCount[] {
  const groups = new Map<string, Diagnostic[]>();
  for (const each of diagnostics) getOrAdd(groups, `${each.severity} ${each.rule}`, () => []).push(each);
  const counts = [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { rule, severity } = first;
    const fixable = group.filter(({ fixes }) => fixes.length > 0).length;
    const messages = counted(group, ({ message }) => message).map(([message, count]) => ({ message, count }));
    const folders = counted(group, ({ file }) => folderIn(file)).map(([folder, count]) => ({ folder, count }));
    return [{ rule, severity, count: group.length, fixable, messages, folders }];
  });
  const rankOf = ({ severity }: RuleCount) => severities.indexOf(severity);
  return counts.toSorted((a, b) => rankOf(b) - rankOf(a) || b.count - a.count || (a.rule < b.rule ? -1 : 1));
}

function counted(group: readonly Diagnostic[], keyOf: (each: Diagnostic) => string): readonly [string, number][] {
  const counts = new Map<string, number>();
  for (const each of group) counts.set(keyOf(each), (counts.get(keyOf(each)) ?? 0) + 1);
  return [...counts].toSorted(([a, ofA], [b, ofB]) => ofB - ofA || (a < b ? -1 : 1));
}

function folderIn(file: string): string {
  const end = file.lastIndexOf('/');
  return end === -1 ? '.' : file.slice(0, end);
}
