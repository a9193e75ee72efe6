/** Formats changed connections as text and as Markdown, by target. */

import { getOrAdd } from '../../engine/memoize.ts';
import { escapeMarkdown } from '../../features/presentation/markdown.ts';
import type { World } from '../environment.ts';
import { counted } from '../output/counts.ts';
import { listed } from '../output/names.ts';
import { colorizer, tame } from '../output/terminal-escape.ts';
import type { ConnectionChange, ConnectionChanges } from './connection-changes.ts';

/** The sources that may now connect to a target on some ports, or that may no longer do so. */
export interface Group extends Omit<ConnectionChange, 'from'> {
  readonly sources: readonly string[];
}

/** Returns the lines about changed connections, which follow the changed matches; empty if no connection changed. `areSeveral` is whether there are several scopes, so that the lines name them. */
export function connectionLines(world: World, { changes }: ConnectionChanges, areSeveral: boolean): readonly string[] {
  if (changes.length === 0) return [];
  const colorize = colorizer(world.colours === true);
  const lines = groupsOf(changes).map((group) => {
    const mark = group.kind === 'opened' ? colorize('+', 'green', 'bold') : colorize('-', 'red', 'bold');
    return `${mark} ${tame(sentenceOf(group, areSeveral))}`;
  });
  return ['', ...lines, '', colorize(countLine(changes), 'bold')];
}

/** Returns the Markdown about changed connections, which follows the changed matches; empty if no connection changed. `areSeveral` is whether there are several scopes, so that the items name them. */
export function connectionMarkdown({ changes }: ConnectionChanges, areSeveral: boolean): readonly string[] {
  if (changes.length === 0) return [];
  const items = groupsOf(changes).map((group) => `- ${escapeMarkdown(sentenceOf(group, areSeveral))}`);
  return ['', '### Connections', '', ...items, '', countLine(changes)];
}

/** The maximum number of sources in one sentence. */
const maximumNames = 5;

/** Returns the scope of a changed connection as the end of a line; empty if there is only one scope, or if the objects of several scopes are in one cluster. */
export function scopeSuffix({ scope }: Pick<ConnectionChange, 'scope'>, areSeveral: boolean): string {
  return areSeveral && scope !== '.' ? ` (${scope})` : '';
}

function sentenceOf({ kind, to, ports, scope, sources }: Group, areSeveral: boolean): string {
  const shown = sources.slice(0, maximumNames);
  const more = sources.length - shown.length;
  const names = more === 0 ? shown : [...shown, `${more} more`];
  return `${to}, ${ports}: ${kind === 'opened' ? 'now' : 'no longer'} open to ${listed(names)}${scopeSuffix({ scope }, areSeveral)}.`;
}

function countLine(changes: readonly ConnectionChange[]): string {
  const count = (kind: ConnectionChange['kind']) => changes.filter((each) => each.kind === kind).length;
  return `${counted(count('opened'), 'connection')} opened, ${count('closed')} closed.`;
}

export function groupsOf(changes: readonly ConnectionChange[]): readonly Group[] {
  const groups = new Map<string, Group & { readonly sources: string[] }>();
  for (const { from, ...each } of changes) {
    const key = [each.kind, each.to, each.ports, each.scope].join('\n');
    getOrAdd(groups, key, () => ({ ...each, sources: [] })).sources.push(from);
  }
  const isFirst = ({ kind }: Group) => (kind === 'closed' ? 0 : 1);
  return [...groups.values()].toSorted((a, b) => isFirst(a) - isFirst(b));
}
