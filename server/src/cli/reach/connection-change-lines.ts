/** Formats changed connections as text and as Markdown, by target. */

import { getOrAdd } from '../../engine/memoize.ts';
import { escapeMarkdown } from '../../features/presentation/markdown.ts';
import type { World } from '../environment.ts';
import { counted } from '../output/counts.ts';
import { colorizer, tame } from '../output/terminal-escape.ts';
import type { ConnectionChange, ConnectionChanges } from './connection-changes.ts';

/** The sources that may now connect to a target on some ports, or that may no longer do so. */
interface Group extends Omit<ConnectionChange, 'from'> {
  readonly sources: readonly string[];
}

/** Returns the lines about changed connections, which follow the changed matches; empty if no connection changed. */
export function connectionLines(world: World, { changes }: ConnectionChanges): readonly string[] {
  if (changes.length === 0) return [];
  const colorize = colorizer(world.colours === true);
  const lines = groupsOf(changes).map((group) => {
    const mark = group.kind === 'opened' ? colorize('+', 'green', 'bold') : colorize('-', 'red', 'bold');
    return `${mark} ${tame(sentence(group, areInSeveral(changes)))}`;
  });
  return ['', ...lines, '', colorize(countLine(changes), 'bold')];
}

/** Returns the Markdown about changed connections, which follows the changed matches; empty if no connection changed. */
export function connectionMarkdown({ changes }: ConnectionChanges): readonly string[] {
  if (changes.length === 0) return [];
  const items = groupsOf(changes).map((group) => `- ${escapeMarkdown(sentence(group, areInSeveral(changes)))}`);
  return ['', '### Connections', '', ...items, '', countLine(changes)];
}

/** The maximum number of sources in one sentence. */
const maximumNames = 5;

/** Whether connections changed in several clusters, so that each of them is named. */
export function areInSeveral(changes: readonly ConnectionChange[]): boolean {
  return new Set(changes.map(({ scope }) => scope)).size > 1;
}

function sentence({ kind, to, ports, scope, sources }: Group, isNamed: boolean): string {
  const shown = sources.slice(0, maximumNames);
  const more = sources.length - shown.length;
  const names = more === 0 ? shown : [...shown, `${more} more`];
  const from = names.length === 1 ? names[0] : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  return `${to}, ${ports}: ${kind === 'opened' ? 'now' : 'no longer'} open to ${from}${isNamed ? ` (${scope})` : ''}.`;
}

function countLine(changes: readonly ConnectionChange[]): string {
  const count = (kind: ConnectionChange['kind']) => changes.filter((each) => each.kind === kind).length;
  return `${counted(count('opened'), 'connection')} opened, ${count('closed')} closed.`;
}

function groupsOf(changes: readonly ConnectionChange[]): readonly Group[] {
  const groups = new Map<string, Group & { readonly sources: string[] }>();
  for (const { from, ...each } of changes) {
    const key = [each.kind, each.to, each.ports, each.scope].join('\n');
    getOrAdd(groups, key, () => ({ ...each, sources: [] })).sources.push(from);
  }
  const isFirst = ({ kind }: Group) => (kind === 'closed' ? 0 : 1);
  return [...groups.values()].toSorted((a, b) => isFirst(a) - isFirst(b));
}
