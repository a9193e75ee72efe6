/** Arranges boxes and the links between them: connected boxes from left to right, and the connected components (pieces) in rows. */

import { graphlib, layout } from '@dagrejs/dagre';

/** A box to arrange; its size is in pixels. */
export interface Box {
  readonly id: string;
  readonly width: number;
  readonly height: number;
}

/** A link between two boxes, given by their ids. */
export interface Link {
  readonly from: string;
  readonly to: string;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Arrangement {
  readonly width: number;
  readonly height: number;
  /** The upper left corner of each box. */
  readonly places: ReadonlyMap<string, Point>;
  /** The points between the ends of a link that goes around boxes; a direct link has no points. */
  readonly routes: ReadonlyMap<Link, readonly Point[]>;
}

export interface Spacing {
  /** The distance between boxes that are above each other; the distance between pieces is twice as large. */
  readonly gap: number;
  /** The distance between a box and the boxes that it links to. */
  readonly reach: number;
  /** The preferred ratio of the width of the drawing to its height. */
  readonly aspect: number;
}

/** If a box is linked to more boxes than this, its links do not affect positions. */
const maximumLinks = 12;
/** Up to this number of boxes, all links affect positions. */
const fewBoxes = 60;
/** A larger connected component is arranged in columns, because the running time of the layout library grows faster than the size of the component. */
const largestPiece = { boxes: 200, links: 400 };

/**
 * Arranges boxes without overlap. The result depends only on the order of boxes and links. The work is bounded by
 * `largestPiece` for each connected piece.
 */
export function arrange(boxes: readonly Box[], links: readonly Link[], spacing: Spacing): Arrangement {
  const hubs = hubsOf(boxes, links);
  const leading = links.filter(({ from, to }) => from !== to && !hubs.has(from) && !hubs.has(to));
  const others = boxes.filter(({ id }) => !hubs.has(id));
  const pieces = piecesOf(others, leading).map((piece) => arrangePiece(piece, spacing));
  const rows = inRows(pieces, spacing);
  if (hubs.size === 0) return rows;
  const column = inColumns({ boxes: boxes.filter(({ id }) => hubs.has(id)), links: [] }, spacing);
  return beside(column, rows, spacing.reach);
}

interface Piece {
  readonly boxes: readonly Box[];
  readonly links: readonly Link[];
}

/** Returns the boxes that are linked to so many other boxes that their links are ignored; these boxes are placed in a separate column. */
function hubsOf(boxes: readonly Box[], links: readonly Link[]): ReadonlySet<string> {
  if (boxes.length <= fewBoxes) return new Set();
  const linked = new Map<string, Set<string>>();
  for (const { from, to } of links)
    for (const [id, other] of [
      [from, to],
      [to, from],
    ] as const)
      linked.set(id, (linked.get(id) ?? new Set()).add(other));
  return new Set(boxes.flatMap(({ id }) => ((linked.get(id)?.size ?? 0) > maximumLinks ? [id] : [])));
}

/** Returns the connected components: boxes that are linked directly or through other boxes, with their links. */
function piecesOf(boxes: readonly Box[], links: readonly Link[]): readonly Piece[] {
  const roots = new Map(boxes.map(({ id }) => [id, id]));
  const rootOf = (id: string): string => {
    let root = id;
    for (let above = roots.get(root); above !== undefined && above !== root; above = roots.get(root)) root = above;
    for (let each = id; each !== root; ) {
      const above = roots.get(each) ?? root;
      roots.set(each, root);
      each = above;
    }
    return root;
  };
  for (const { from, to } of links) roots.set(rootOf(from), rootOf(to));
  const pieces = new Map<string, { boxes: Box[]; links: Link[] }>();
  const pieceOf = (id: string) => {
    const root = rootOf(id);
    const piece = pieces.get(root) ?? { boxes: [], links: [] };
    pieces.set(root, piece);
    return piece;
  };
  for (const box of boxes) pieceOf(box.id).boxes.push(box);
  for (const link of links) pieceOf(link.from).links.push(link);
  return [...pieces.values()];
}

function arrangePiece(piece: Piece, spacing: Spacing): Arrangement {
  const [first, ...others] = piece.boxes;
  if (first !== undefined && others.length === 0) {
    return {
      width: first.width,
      height: first.height,
      places: new Map([[first.id, { x: 0, y: 0 }]]),
      routes: new Map(),
    };
  }
  const isLarge = piece.boxes.length > largestPiece.boxes || piece.links.length > largestPiece.links;
  return isLarge ? inColumns(piece, spacing) : inLayers(piece, spacing);
}

function inLayers({ boxes, links }: Piece, { gap, reach }: Spacing): Arrangement {
  const graph = new graphlib.Graph({ multigraph: false });
  graph.setGraph({ rankdir: 'LR', nodesep: gap, edgesep: gap / 2, ranksep: reach, ranker: 'tight-tree' });
  for (const { id, width, height } of boxes) graph.setNode(id, { width, height });
  for (const { from, to } of links) graph.setEdge(from, to, {});
  layout(graph);
  const places = new Map<string, Point>();
  for (const { id, width, height } of boxes) {
    const node: unknown = graph.node(id);
    const { x, y } = isPoint(node) ? node : { x: 0, y: 0 };
    places.set(id, { x: x - width / 2, y: y - height / 2 });
  }
  const routes = new Map<Link, readonly Point[]>();
  for (const link of links) {
    const edge: unknown = graph.edge(link.from, link.to);
    const points: unknown = typeof edge === 'object' && edge !== null && 'points' in edge ? edge.points : undefined;
    // The library may end a route at any side of a box, so the ends are dropped. A route between neighboring layers has
    // no boxes to avoid.
    if (Array.isArray(points) && points.length > 3 && points.every(isPoint)) routes.set(link, points.slice(1, -1));
  }
  return fromOrigin(boxes, places, routes);
}

function isPoint(value: unknown): value is Point {
  if (typeof value !== 'object' || value === null || !('x' in value) || !('y' in value)) return false;
  return Number.isFinite(value.x) && Number.isFinite(value.y);
}

/** Places boxes without incoming links on the left, and all other boxes on the right. */
function inColumns({ boxes, links }: Piece, { gap, reach, aspect }: Spacing): Arrangement {
  const targets = new Set(links.map(({ to }) => to));
  const halves = [boxes.filter(({ id }) => !targets.has(id)), boxes.filter(({ id }) => targets.has(id))];
  const places = new Map<string, Point>();
  let left = 0;
  for (const half of halves) {
    const perColumn = Math.max(1, Math.ceil(Math.sqrt((half.length * 4) / aspect)));
    for (let start = 0; start < half.length; start += perColumn) {
      let top = 0;
      let widest = 0;
      for (const { id, width, height } of half.slice(start, start + perColumn)) {
        places.set(id, { x: left, y: top });
        top += height + gap;
        widest = Math.max(widest, width);
      }
      left += widest + gap;
    }
    left += reach;
  }
  return fromOrigin(boxes, places, new Map());
}

function fromOrigin(
  boxes: readonly Box[],
  places: ReadonlyMap<string, Point>,
  routes: ReadonlyMap<Link, readonly Point[]>,
): Arrangement {
  const corners = boxes.flatMap(({ id, width, height }) => {
    const { x, y } = places.get(id) ?? { x: 0, y: 0 };
    return [
      { x, y },
      { x: x + width, y: y + height },
    ];
  });
  const points = [...corners, ...[...routes.values()].flat()];
  const left = minimum(points.map(({ x }) => x));
  const top = minimum(points.map(({ y }) => y));
  return {
    width: -minimum(points.map(({ x }) => -x)) - left,
    height: -minimum(points.map(({ y }) => -y)) - top,
    places: new Map([...places].map(([id, place]) => [id, moved(place, -left, -top)])),
    routes: new Map([...routes].map(([link, route]) => [link, route.map((point) => moved(point, -left, -top))])),
  };
}

function beside(left: Arrangement, right: Arrangement, between: number): Arrangement {
  const shift = left.width + between;
  return {
    width: shift + right.width,
    height: Math.max(left.height, right.height),
    places: new Map([...left.places, ...[...right.places].map(([id, at]) => [id, moved(at, shift, 0)] as const)]),
    routes: new Map([...right.routes].map(([link, route]) => [link, route.map((point) => moved(point, shift, 0))])),
  };
}

function minimum(values: readonly number[]): number {
  return values.reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY);
}

function moved({ x, y }: Point, right: number, down: number): Point {
  return { x: x + right, y: y + down };
}

/** Places the pieces in rows of about equal width, the tallest pieces first. */
function inRows(pieces: readonly Arrangement[], { gap, aspect }: Spacing): Arrangement {
  const between = gap * 2;
  const area = pieces.reduce((sum, { width, height }) => sum + (width + between) * (height + between), 0);
  const widest = pieces.reduce((most, { width }) => Math.max(most, width), 0);
  const limit = Math.max(widest, Math.sqrt(area * aspect));
  const places = new Map<string, Point>();
  const routes = new Map<Link, readonly Point[]>();
  let [left, top, rowHeight, width, height] = [0, 0, 0, 0, 0];
  for (const piece of pieces.toSorted((a, b) => b.height - a.height)) {
    if (left > 0 && left + piece.width > limit) {
      top += rowHeight + between;
      left = 0;
      rowHeight = 0;
    }
    for (const [id, place] of piece.places) places.set(id, moved(place, left, top));
    for (const [link, route] of piece.routes)
      routes.set(
        link,
        route.map((point) => moved(point, left, top)),
      );
    width = Math.max(width, left + piece.width);
    height = Math.max(height, top + piece.height);
    rowHeight = Math.max(rowHeight, piece.height);
    left += piece.width + between;
  }
  return { width, height, places, routes };
}
