/** States what the removal of policies means: it deletes them from the cluster only if a tool prunes them. */

import type { Change } from '../objects/compare.ts';
import { keyOf } from '../objects/compared-names.ts';
import { listedNames } from '../output/names.ts';
import type { Grouped } from './grouped.ts';
import type { Statement } from './model.ts';
import { isPolicy } from './new-objects.ts';
import type { Pair } from './pairs-of-trees.ts';

/** Adds to a statement about connections that a removed policy causes that its removal from the manifests does not delete it in all cases. */
export function onceDeleted(statement: Statement): Statement {
  const { text, cause } = statement;
  if (cause?.isBefore !== true || cause.change !== undefined) return statement;
  const start = /^(?:No|The|All|Addresses|In)\b/.test(text) ? text.charAt(0).toLowerCase() : text.charAt(0);
  const changed = `${start}${text.slice(1)}`.replaceAll(' can now ', ' can then ');
  const name = cause.removed ?? 'the policy';
  return { ...statement, text: `Once ${name} is deleted from the cluster, ${changed}`, isAfterDeletion: true };
}

const isGone = ' is gone: it no longer ';

/** Leaves out the removed policies that a statement about their matches names. */
export function withoutStated(removed: readonly Pair[], news: readonly Change[]): readonly Pair[] {
  const stated = new Set(
    news.filter((each) => each.kind === 'lost' && isPolicy(each)).map(({ owner }) => keyOf(owner)),
  );
  return removed.filter(({ named }) => !stated.has(keyOf(named)));
}

/** Adds to a statement about a removed policy that the removal of its file does not delete it in all cases, and to which workloads other policies still apply. */
export function withRemoval(
  statement: Grouped,
  stillCovered: (changes: readonly Change[]) => readonly string[],
  selectsAll: (changes: readonly Change[]) => boolean,
): Grouped {
  const text = statement.text.replace(
    isGone,
    ' is removed from these manifests: once it is pruned or deleted from the cluster, it no longer ',
  );
  if (text === statement.text) return statement;
  const covered = statement.first.owner.kind === 'NetworkPolicy' ? stillCovered(statement.changes) : [];
  const others = covered.length === 0 ? [] : [`Other network policies still apply to ${listedNames(covered)}.`];
  const more = [...others, ...(selectsAll(statement.changes) ? [defaultIsLost] : [])].join(' ');
  return { ...statement, text, ...(more !== '' && { more }) };
}

const defaultIsLost =
  'It selected all pods of its namespace: pods that these manifests do not contain lose this restriction, too, unless another policy selects them.';

/** Whether a removed network policy selected all pods of its namespace. */
export function isDefault(pair: Pair | undefined): boolean {
  const sites = pair?.before?.object.selectorSites.filter(({ path }) => path === 'spec.podSelector') ?? [];
  return (
    pair?.named.kind === 'NetworkPolicy' &&
    sites.length > 0 &&
    sites.every(({ open, selector }) => !open && selector?.ok === true && selector.value.kind === 'everything')
  );
}
