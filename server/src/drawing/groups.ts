/** Groups the nodes of a graph, and decides which groups are collapsed into one box. */

import type { Graph, GraphNode } from './graph.ts';

/**
 * The property by which nodes are grouped; `automatic` is the namespace, or `part-of` if there is only one namespace.
 */
export type Grouping = 'automatic' | 'namespace' | 'part-of' | 'none';

export interface Group {
  /** The id of the group, which is unique and different from the ids of nodes. */
  readonly id: string;
  readonly title: string;
  readonly nodes: readonly GraphNode[];
}

const partOfLabel = 'app.kubernetes.io/part-of';

/** Returns the groups of a graph, sorted by title; if nothing is grouped, returns a single group with an empty title. */
export function groupsOf({ nodes }: Graph, grouping: Grouping): readonly Group[] {
  if (grouping === 'automatic') {
    const byNamespace = groupsBy(nodes, 'namespace');
    if (byNamespace.length > 1) return byNamespace;
    const byPart = groupsBy(nodes, 'part-of');
    return byPart.length > 1 ? byPart : byNamespace;
  }
  return grouping === 'none' ? [{ id: 'group:', title: '', nodes }] : groupsBy(nodes, grouping);
}

function groupsBy(nodes: readonly GraphNode[], grouping: 'namespace' | 'part-of'): readonly Group[] {
  const byTitle = new Map<string, GraphNode[]>();
  for (const node of nodes) {
    const title = grouping === 'namespace' ? (node.namespace ?? '') : partTitle(node.labels[partOfLabel]);
    const group = byTitle.get(title) ?? [];
    group.push(node);
    byTitle.set(title, group);
  }
  return [...byTitle]
    .map(([title, members]) => ({ id: `group:${title}`, title, nodes: members }))
    .sort((a, b) => (a.title < b.title ? -1 : 1));
}

function partTitle(part: string | undefined): string {
  return part === undefined ? '' : `part-of: ${part}`;
}

/** The maximum number of boxes that are drawn by default. */
const maximumShown = 150;

/** Returns the ids of the collapsed groups: the groups that the user collapsed and, if too many boxes would be shown, the largest groups that are not in `expanded`. A group without a title is never collapsed. */
export function collapsedGroups(
  groups: readonly Group[],
  { collapsed, expanded }: { readonly collapsed: ReadonlySet<string>; readonly expanded: ReadonlySet<string> },
): ReadonlySet<string> {
  const found = new Set(groups.filter(({ id, title }) => title !== '' && collapsed.has(id)).map(({ id }) => id));
  let shown = groups.reduce((sum, { id, nodes }) => sum + (found.has(id) ? 1 : nodes.length), 0);
  const largestFirst = groups.toSorted((a, b) => b.nodes.length - a.nodes.length);
  for (const { id, title, nodes } of largestFirst) {
    if (shown <= maximumShown) break;
    if (title === '' || nodes.length < 2 || found.has(id) || expanded.has(id)) continue;
    found.add(id);
    shown -= nodes.length - 1;
  }
  return found;
}
