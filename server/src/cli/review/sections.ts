/** Makes the sections of a review: their titles, and their counts with nouns. */

import { counted } from '../output/counts.ts';
import type { Grouped } from './grouped.ts';
import type { Section, SectionId, Statement } from './model.ts';

export const titles: Readonly<Record<SectionId, string>> = {
  refused: 'Refused by the API server',
  lost: 'Lost matches',
  gained: 'New matches',
  opened: 'Opened connections',
  stopped: 'Policies and monitors that stop applying',
  closed: 'Closed connections',
  unmatched: 'Network policies without matching sources',
  started: 'Policies and monitors that start applying',
  broken: 'Broken references',
  kept: 'Until the refused objects are recreated',
  recreation: 'After the refused objects are recreated',
  expectations: 'Broken expectations',
  recreated: 'Recreated by a tool',
  restarts: 'Restarts',
  definitions: 'Definitions of kinds',
  added: 'Added objects',
  removed: 'Removed objects',
  owners: 'Owners to ask',
};

const summaries: Readonly<Record<SectionId, readonly [one: string, several: string]>> = {
  refused: ['refused update', 'refused updates'],
  lost: ['lost match', 'lost matches'],
  gained: ['new match', 'new matches'],
  opened: ['opened connection', 'opened connections'],
  stopped: ['policy or monitor that stops applying', 'policies or monitors that stop applying'],
  closed: ['closed connection', 'closed connections'],
  unmatched: ['network policy without matching sources', 'network policies without matching sources'],
  started: ['policy or monitor that starts applying', 'policies or monitors that start applying'],
  broken: ['broken reference', 'broken references'],
  kept: ['change', 'changes'],
  recreation: ['change', 'changes'],
  expectations: ['broken expectation', 'broken expectations'],
  recreated: ['object that a tool recreates', 'objects that a tool recreates'],
  restarts: ['restarted workload', 'restarted workloads'],
  definitions: ['changed definition', 'changed definitions'],
  added: ['added object', 'added objects'],
  removed: ['removed object', 'removed objects'],
  owners: ['owner', 'owners'],
};

/** Returns a section with the statements of several parts, each of which is counted with its own noun. */
export function sectionOfParts(id: SectionId, parts: readonly Section[]): Section {
  const count = parts.reduce((sum, each) => sum + each.count, 0);
  const summary = parts.map((each) => each.summary).join(', ');
  return { id, title: titles[id], summary, count, items: parts.flatMap(({ items }) => items) };
}

/** Returns a section with its count, and the noun of what it counts. */
export function sectionOf(id: SectionId, items: readonly (Statement | Grouped)[]): Section {
  const count = items.reduce((sum, each) => sum + each.count, 0);
  const kinds = new Set(items.map((each) => ('first' in each ? each.first.owner.kind : '')));
  const [kind = ''] = kinds;
  // Policies of one kind are called by its name.
  const named = (id === 'stopped' || id === 'started') && kinds.size === 1 ? kind : undefined;
  const [one, several] = summaries[id];
  // A policy that stops applying to several workloads is one policy.
  const shown = id === 'stopped' || id === 'started' ? ownersIn(items) : count;
  const summary = shown === 1 ? one : several;
  return {
    id,
    title: named === undefined ? titles[id] : titles[id].replace('Policies and monitors', plural(named)),
    summary: openedIn(
      `${shown} ${named === undefined ? summary : summary.replace(/^\w+ or \w+/, shown === 1 ? named : plural(named))}${endpointsIn(items)}${deniedIn(items, shown)}`,
      items,
    ),
    count,
    ...afterDeletionIn(items),
    items: items.map(({ text, more, count: each, places, cause }) => ({
      text,
      ...(more !== undefined && { more }),
      count: each,
      ...(places && { places }),
      ...(cause && { cause }),
    })),
  };
}

function afterDeletionIn(items: readonly Statement[]): Pick<Section, 'afterDeletion'> {
  if (!items.some((each) => each.isAfterDeletion)) return {};
  return { afterDeletion: items.every((each) => each.isAfterDeletion) ? 'all' : 'some' };
}

/** Counts the objects that contain the selectors of some matches. */
function ownersIn(items: readonly (Statement | Grouped)[]): number {
  return new Set(items.flatMap((each) => ('owners' in each ? each.owners : []))).size;
}

/** Returns how many Services have no endpoints afterwards, in parentheses; empty if none do. */
function endpointsIn(items: readonly (Statement | Grouped)[]): string {
  const services = new Set(items.flatMap(({ emptied = [] }) => emptied));
  const when = items.every(({ emptied = [], isAfterRollout }) => emptied.length === 0 || isAfterRollout)
    ? ' after the rollout'
    : '';
  return services.size === 0 ? '' : ` (${counted(services.size, 'Service')} without endpoints${when})`;
}

/** Returns how many monitors select pods whose network policies deny their namespace, in parentheses; empty if none do. */
function deniedIn(items: readonly (Statement | Grouped)[], all: number): string {
  const { size } = new Set(items.flatMap(({ denied = [] }) => denied));
  if (size === 0) return '';
  return ` (network policies deny ${size === all ? 'connections from its namespace'.replace('its', size === 1 ? 'its' : 'their') : `the namespace of ${size}`})`;
}

/** Counts workloads that accept all connections afterwards instead of their opened connections. */
function openedIn(summary: string, items: readonly (Statement | Grouped)[]): string {
  const { size } = new Set(items.flatMap(({ opened = [] }) => opened));
  if (size === 0) return summary;
  const others = items.reduce((sum, { opened = [], count }) => sum + (opened.length === 0 ? count : 0), 0);
  const all = `${counted(size, 'workload')} that ${size === 1 ? 'accepts' : 'accept'} all incoming connections`;
  return others === 0 ? all : `${all}, ${counted(others, 'other opened connection')}`;
}

/** Returns the plural of a kind. */
export function plural(kind: string): string {
  return kind.endsWith('y') && !/[aeo]y$/.test(kind)
    ? `${kind.slice(0, -1)}ies`
    : /(?:s|x|ch)$/.test(kind)
      ? `${kind}es`
      : `${kind}s`;
}
