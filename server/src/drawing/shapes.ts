/** Converts a scene to the elements of an SVG image, from which a view creates DOM nodes, and the command line text. */

import type { Point } from './arrange.ts';
import { type GraphEdge, type GraphNode, titleOf } from './graph.ts';
import type { PlacedEdge, PlacedGroup, PlacedNode, Scene } from './layout.ts';
import { shortened } from './text-width.ts';

/** An SVG element. Attributes and text are not escaped yet. */
export interface Shape {
  readonly name: 'g' | 'rect' | 'path' | 'text' | 'title';
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly children: readonly Shape[];
  readonly text?: string;
}

/** Groups are behind edges, and edges behind nodes. The elements of a scene are in its order. */
export interface Shapes {
  readonly groups: readonly Shape[];
  readonly edges: readonly Shape[];
  readonly nodes: readonly Shape[];
}

/** The elements of a scene. */
export function shapesOf({ groups, edges, nodes }: Scene): Shapes {
  return { groups: groups.map(groupShape), edges: edges.map(edgeShape), nodes: nodes.map(nodeShape) };
}

/** Describes a node in words: `Deployment/web, namespace shop`. */
export function nodeText(node: GraphNode): string {
  return node.namespace === undefined ? titleOf(node) : `${titleOf(node)}, namespace ${node.namespace}`;
}

/** Describes a group in words. */
export function groupText({ group, isCollapsed }: PlacedGroup): string {
  const count = group.nodes.length === 1 ? '1 object' : `${group.nodes.length} objects`;
  return `${group.title}: ${count}${isCollapsed ? ', collapsed' : ''}`;
}

/** The maximum number of reasons of an edge in its description. */
const maximumReasons = 5;

/** Describes the edges of a line, one on each line of text. */
function edgesText(edges: readonly GraphEdge[]): string {
  const reasons = [...new Set(edges.map(({ reason }) => reason))];
  const more = reasons.length > maximumReasons ? [`and ${reasons.length - maximumReasons} more`] : [];
  return [...reasons.slice(0, maximumReasons), ...more].join('\n');
}

function groupShape(placed: PlacedGroup): Shape {
  const { x, y, width, height, group, isCollapsed } = placed;
  const box = shape('rect', { x, y, width, height, rx: 6 });
  const sign = isCollapsed ? '▸' : '▾';
  const label = `${sign} ${shortened(group.title)} (${group.nodes.length})`;
  const title = shape('text', { x: x + 12, y: y + (isCollapsed ? height / 2 + 4 : 18) }, [], label);
  return shape('g', { class: isCollapsed ? 'group collapsed' : 'group' }, [titled(groupText(placed)), box, title]);
}

function nodeShape({ node, x, y, width, height }: PlacedNode): Shape {
  return shape('g', { class: `node ${node.family}` }, [
    titled(nodeText(node)),
    shape('rect', { class: 'box', x, y, width, height, rx: 4 }),
    shape('rect', { class: 'mark', x, y, width: 5, height, rx: 2 }),
    shape('text', { class: 'kind', x: x + 14, y: y + 15 }, [], shortened(node.kind)),
    shape('text', { class: 'name', x: x + 14, y: y + 31 }, [], shortened(node.name)),
  ]);
}

function edgeShape({ edges, points, relation, certain }: PlacedEdge): Shape {
  const d = curve(points);
  return shape('g', { class: `edge ${relation}${certain ? '' : ' uncertain'}` }, [
    titled(edgesText(edges)),
    // A wide invisible line is easier to hit with the mouse.
    shape('path', { class: 'reach', d }),
    shape('path', { class: 'line', d }),
    shape('path', { class: 'head', d: head(points) }),
  ]);
}

function titled(text: string): Shape {
  return shape('title', {}, [], text);
}

function shape(
  name: Shape['name'],
  attributes: Shape['attributes'],
  children: readonly Shape[] = [],
  text?: string,
): Shape {
  return { name, attributes, children, ...(text !== undefined && { text }) };
}

/** A smooth line through some points, with horizontal ends if its direction is rather horizontal. */
function curve(points: readonly Point[]): string {
  const [first, ...others] = points;
  if (first === undefined) return '';
  const isFlat = points.length > 2 || isFlatLine(first, points[1] ?? first);
  let at = first;
  const pieces = others.map((to) => {
    const bend = isFlat ? { x: (to.x - at.x) / 2, y: 0 } : { x: 0, y: (to.y - at.y) / 2 };
    const [a, b] = [
      { x: at.x + bend.x, y: at.y + bend.y },
      { x: to.x - bend.x, y: to.y - bend.y },
    ];
    at = to;
    return `C${pair(a)} ${pair(b)} ${pair(to)}`;
  });
  return `M${pair(first)}${pieces.join('')}`;
}

function isFlatLine(from: Point, to: Point): boolean {
  return Math.abs(to.x - from.x) >= Math.abs(to.y - from.y) / 4;
}

/** The head of an arrow, in the direction in which the curve arrives. */
function head(points: readonly Point[]): string {
  const to = points.at(-1);
  const from = points.at(-2);
  if (to === undefined || from === undefined) return '';
  const isFlat = points.length > 2 || isFlatLine(from, to);
  const along = isFlat ? { x: Math.sign(to.x - from.x) || 1, y: 0 } : { x: 0, y: Math.sign(to.y - from.y) || 1 };
  const across = { x: -along.y, y: along.x };
  const corner = (side: number) => ({
    x: to.x - along.x * 8 + across.x * 4 * side,
    y: to.y - along.y * 8 + across.y * 4 * side,
  });
  return `M${pair(to)}L${pair(corner(1))}L${pair(corner(-1))}Z`;
}

function pair({ x, y }: Point): string {
  return `${rounded(x)},${rounded(y)}`;
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
