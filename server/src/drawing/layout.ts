/** Lays out a graph: the boxes of its nodes in the boxes of their groups, and a line for each bundle of edges. */

import { type Arrangement, arrange, type Box, type Link, type Point, type Spacing } from './arrange.ts';
import { type Graph, type GraphEdge, type GraphNode, isPrimary, type Relation } from './graph.ts';
import { collapsedGroups, type Group, type Grouping, groupsOf } from './groups.ts';
import { boxHeight, boxWidth, groupWidth } from './text-width.ts';

/** A rectangle, in pixels. */
export interface Rectangle extends Point {
  readonly width: number;
  readonly height: number;
}

export interface PlacedNode extends Rectangle {
  readonly node: GraphNode;
}

export interface PlacedGroup extends Rectangle {
  readonly group: Group;
  readonly isCollapsed: boolean;
}

/** A line for all edges that have the same ends and the same relation. */
export interface PlacedEdge {
  /** The id of a node, or of a collapsed group. */
  readonly from: string;
  readonly to: string;
  readonly relation: Relation;
  readonly certain: boolean;
  readonly edges: readonly GraphEdge[];
  /** The points of the line, from the border of one box to the border of the other box. */
  readonly points: readonly Point[];
  /**
   * The distance by which the line bends to the right; set if the boxes are above each other, so that the line connects
   * their right sides.
   */
  readonly bend?: number;
}

export interface Scene {
  readonly width: number;
  readonly height: number;
  readonly groups: readonly PlacedGroup[];
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
}

export interface LayoutOptions {
  readonly grouping: Grouping;
  /** Ids of groups that are drawn as one box. */
  readonly collapsed: ReadonlySet<string>;
  /** Ids of groups that are not collapsed automatically, regardless of the number of nodes. */
  readonly expanded: ReadonlySet<string>;
  /** The preferred ratio of the width of the drawing to its height. */
  readonly aspect: number;
}

const defaultLayout: LayoutOptions = { grouping: 'automatic', collapsed: new Set(), expanded: new Set(), aspect: 1.6 };

/** The margin around the drawing, and around the nodes in a group. */
const margin = 16;
export const titleHeight = 22;
const inGroups = { gap: 12, reach: 64 };
const betweenGroups = { gap: 24, reach: 80 };
/** The aspect below which columns are closer to each other, so that more of them fit into the width. */
const narrow = 1.3;
const narrowReach = 28;
/** The fallback for an id without a rectangle. */
const none: Rectangle = { x: 0, y: 0, width: 0, height: 0 };

/** Lays out a graph. Connections do not affect positions, so showing or hiding connections does not move any box. */
export function layOut(graph: Graph, options: LayoutOptions = defaultLayout): Scene {
  const groups = groupsOf(graph, options.grouping);
  const collapsed = collapsedGroups(groups, options);
  const groupOf = new Map(groups.flatMap((group) => group.nodes.map(({ id }) => [id, group.id] as const)));
  const shownEnd = (id: string) => {
    const group = groupOf.get(id) ?? '';
    return collapsed.has(group) ? group : id;
  };
  const bundles = bundlesOf(graph, shownEnd);
  const deciding = bundles.filter(isPrimary);
  const inside = new Map(
    groups.map((group) => [
      group.id,
      collapsed.has(group.id) ? undefined : arrangeGroup(group, deciding, groupOf, options.aspect),
    ]),
  );
  const boxes = groups.map((group): Box => ({ id: group.id, ...sizeOf(group, inside.get(group.id)) }));
  const groupEnd = (id: string) => groupOf.get(id) ?? id;
  const outer = arrange(
    boxes,
    deciding.map(({ from, to }) => ({ from: groupEnd(from), to: groupEnd(to) })),
    spacingOf(betweenGroups, options.aspect),
  );
  return place(groups, { collapsed, bundles, inside, boxes, outer });
}

type Bundle = Omit<PlacedEdge, 'points' | 'bend'>;

/** Returns the edges between shown boxes, bundled by ends and relation; edges inside a collapsed group are left out. */
function bundlesOf({ edges }: Graph, shownEnd: (id: string) => string): readonly Bundle[] {
  const bundles = new Map<string, Bundle & { readonly edges: GraphEdge[] }>();
  for (const edge of edges) {
    const [from, to] = [shownEnd(edge.from), shownEnd(edge.to)];
    if (from === to) continue;
    const key = [from, to, edge.relation].join('\n');
    const known = bundles.get(key);
    if (known === undefined)
      bundles.set(key, { from, to, relation: edge.relation, certain: edge.certain, edges: [edge] });
    else {
      known.edges.push(edge);
      if (edge.certain && !known.certain) bundles.set(key, { ...known, certain: true });
    }
  }
  return [...bundles.values()];
}

function arrangeGroup(
  group: Group,
  bundles: readonly Bundle[],
  groupOf: ReadonlyMap<string, string>,
  aspect: number,
): Arrangement {
  const isInside = ({ from, to }: Link) => groupOf.get(from) === group.id && groupOf.get(to) === group.id;
  const width = boxWidth(group);
  const boxes = group.nodes.map(({ id }) => ({ id, width, height: boxHeight }));
  return arrange(boxes, bundles.filter(isInside), spacingOf(inGroups, aspect));
}

function spacingOf({ gap, reach }: typeof inGroups, aspect: number): Spacing {
  return { gap, reach: aspect < narrow ? narrowReach : reach, aspect };
}

function sizeOf(group: Group, inside: Arrangement | undefined): { readonly width: number; readonly height: number } {
  if (inside === undefined) return { width: groupWidth(group), height: boxHeight };
  if (group.title === '') return inside;
  return {
    width: Math.max(inside.width + 2 * margin, groupWidth(group)),
    height: inside.height + titleHeight + 2 * margin,
  };
}

interface Parts {
  readonly collapsed: ReadonlySet<string>;
  readonly bundles: readonly Bundle[];
  readonly inside: ReadonlyMap<string, Arrangement | undefined>;
  readonly boxes: readonly Box[];
  readonly outer: Arrangement;
}

function place(groups: readonly Group[], { collapsed, bundles, inside, boxes, outer }: Parts): Scene {
  const rectangles = new Map<string, Rectangle>();
  const placedGroups: PlacedGroup[] = [];
  const nodes: PlacedNode[] = [];
  const routes = new Map<Link, readonly Point[]>();
  for (const [index, group] of groups.entries()) {
    const at = outer.places.get(group.id) ?? none;
    const { width, height } = boxes[index] ?? none;
    const own = { x: at.x + margin, y: at.y + margin, width, height };
    if (group.title !== '') placedGroups.push({ group, isCollapsed: collapsed.has(group.id), ...own });
    if (collapsed.has(group.id)) rectangles.set(group.id, own);
    const arrangement = inside.get(group.id);
    if (arrangement === undefined) continue;
    const [left, top] = group.title === '' ? [own.x, own.y] : [own.x + margin, own.y + titleHeight + margin];
    const nodeWidth = boxWidth(group);
    for (const node of group.nodes) {
      const { x, y } = arrangement.places.get(node.id) ?? none;
      const rectangle = { x: left + x, y: top + y, width: nodeWidth, height: boxHeight };
      rectangles.set(node.id, rectangle);
      nodes.push({ node, ...rectangle });
    }
    for (const [link, route] of arrangement.routes)
      routes.set(
        link,
        route.map(({ x, y }) => ({ x: left + x, y: top + y })),
      );
  }
  const edges = bundles.map((bundle): PlacedEdge => {
    const [from, to] = [rectangles.get(bundle.from) ?? none, rectangles.get(bundle.to) ?? none];
    return { ...bundle, ...lineBetween(from, to, routes.get(bundle) ?? []) };
  });
  const right = edges.reduce(
    (most, { points: [start], bend = 0 }) => Math.max(most, (start?.x ?? 0) + bend),
    outer.width,
  );
  return { width: right + 2 * margin, height: outer.height + 2 * margin, groups: placedGroups, nodes, edges };
}

/** Returns a line between the facing sides of two boxes, through the points of a route. */
function lineBetween(from: Rectangle, to: Rectangle, route: readonly Point[]): Pick<PlacedEdge, 'points' | 'bend'> {
  const [start, end] = [rightOf(from), rightOf(to)];
  if (to.x >= from.x + from.width) return { points: [start, ...route, leftOf(to)] };
  if (from.x >= to.x + to.width) return { points: [leftOf(from), ...route, end] };
  return { points: [start, end], bend: Math.min(30 + Math.abs(end.y - start.y) / 6, 160) };
}

function leftOf({ x, y, height }: Rectangle): Point {
  return { x, y: y + height / 2 };
}

function rightOf({ x, y, width, height }: Rectangle): Point {
  return { x: x + width, y: y + height / 2 };
}
