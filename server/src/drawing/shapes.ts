/** Converts a scene to the elements of an SVG image. A view creates DOM nodes from the elements; the command line writes them as text. */

import type { Point } from './arrange.ts';
import { type GraphEdge, type GraphNode, titleOf } from './graph.ts';
import { type PlacedEdge, type PlacedGroup, type PlacedNode, type Scene, titleHeight } from './layout.ts';
import { shortened } from './text-width.ts';

/** An SVG element. Attributes and text are not escaped yet. */
export interface Shape {
  readonly name: 'g' | 'rect' | 'path' | 'text' | 'title';
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly children: readonly Shape[];
  readonly text?: string;
}

/** The elements of a scene, in the order of the scene. Expanded groups are behind edges; collapsed groups and nodes are in front of edges, so that no edge crosses their text. */
export interface Shapes {
  readonly groups: readonly Shape[];
  readonly edges: readonly Shape[];
  readonly nodes: readonly Shape[];
}

export function shapesOf({ groups, edges, nodes }: Scene): Shapes {
  return { groups: groups.map(groupShape), edges: edges.map(edgeShape), nodes: nodes.map(nodeShape) };
}

/** Describes a node in words: `Deployment/web, namespace shop`. */
export function nodeText(node: GraphNode): string {
  return node.namespace === undefined ? titleOf(node) : `${titleOf(node)}, namespace ${node.namespace}`;
}

export function groupText({ group, isCollapsed }: PlacedGroup): string {
  const count = group.nodes.length === 1 ? '1 object' : `${group.nodes.length} objects`;
  return `${group.title}: ${count}${isCollapsed ? ', collapsed' : ''}`;
}

/** The maximum number of reasons in the description of a line. */
const maximumReasons = 5;

/** Returns the distinct reasons for the edges of a drawn line, one reason on each line of text. */
function edgesText(edges: readonly GraphEdge[]): string {
  const reasons = [...new Set(edges.map(({ reason }) => reason))];
  const more = reasons.length > maximumReasons ? [`and ${reasons.length - maximumReasons} more`] : [];
  return [...reasons.slice(0, maximumReasons), ...more].join('\n');
}

function groupShape(placed: PlacedGroup): Shape {
  const { x, y, width, height, group, isCollapsed } = placed;
  const box = shape('rect', { class: 'frame', x, y, width, height, rx: 6 });
  // The clickable area: the title of an expanded group, the whole box of a collapsed one.
  const handle = shape('rect', { class: 'handle', x, y, width, height: isCollapsed ? height : titleHeight });
  const sign = isCollapsed ? '▸' : '▾';
  const label = `${sign} ${shortened(group.title)} (${group.nodes.length})`;
  const title = shape('text', { x: x + 12, y: y + (isCollapsed ? height / 2 + 4 : 18) }, [], label);
  return shape('g', { class: isCollapsed ? 'group collapsed' : 'group' }, [
    titled(groupText(placed)),
    box,
    handle,
    title,
  ]);
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

function edgeShape(edge: PlacedEdge): Shape {
  const d = edge.bend === undefined ? curve(edge.points) : arc(edge.points, edge.bend);
  return shape('g', { class: `edge ${edge.relation}${edge.certain ? '' : ' uncertain'}` }, [
    titled(edgesText(edge.edges)),
    // A wide invisible line makes the drawn line easier to point at.
    shape('path', { class: 'reach', d }),
    shape('path', { class: 'line', d }),
    shape('path', { class: 'head', d: head(edge) }),
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

/** Returns a smooth line through the given points, which is horizontal at both ends. */
function curve([first, ...others]: readonly Point[]): string {
  if (first === undefined) return '';
  let at = first;
  const pieces = others.map((to) => {
    const middle = (at.x + to.x) / 2;
    const piece = `C${pair({ x: middle, y: at.y })} ${pair({ x: middle, y: to.y })} ${pair(to)}`;
    at = to;
    return piece;
  });
  return `M${pair(first)}${pieces.join('')}`;
}

/** Returns a line between the right sides of two boxes. */
function arc([from, to]: readonly Point[], bend: number): string {
  if (from === undefined || to === undefined) return '';
  // A cubic Bézier curve bends by three quarters of the distance to its control points.
  const x = Math.max(from.x, to.x) + (bend * 4) / 3;
  return `M${pair(from)}C${pair({ x, y: from.y })} ${pair({ x, y: to.y })} ${pair(to)}`;
}

/** Returns the arrowhead at the end of a line. */
function head({ points, bend }: PlacedEdge): string {
  const to = points.at(-1);
  const from = points.at(-2);
  if (to === undefined || from === undefined) return '';
  const back = bend !== undefined || from.x > to.x ? 8 : -8;
  return `M${pair(to)}L${pair({ x: to.x + back, y: to.y - 4 })}L${pair({ x: to.x + back, y: to.y + 4 })}Z`;
}

function pair({ x, y }: Point): string {
  return `${rounded(x)},${rounded(y)}`;
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
