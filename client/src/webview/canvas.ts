/** The drawing of a graph: an SVG image whose nodes can be focused and operated with the keyboard. */

import type { GraphEdge } from '../../../server/src/drawing/graph.ts';
import type { PlacedEdge, PlacedGroup, PlacedNode, Rectangle, Scene } from '../../../server/src/drawing/layout.ts';
import { groupText, nodeText, shapesOf } from '../../../server/src/drawing/shapes.ts';
import { svg, svgOf } from './elements.ts';
import { relationsText } from './relations-text.ts';
import { Viewport } from './viewport.ts';

/** Callbacks for user events in the drawing. */
export interface CanvasEvents {
  /** Called after a node was clicked, or Enter was pressed on it. */
  openNode(id: string): void;
  openEdge(edge: GraphEdge): void;
  /** Called after a group was clicked. */
  toggleGroup(id: string): void;
  /** Called after the mouse or the focus moved to a part of the drawing, or away from all parts (`at` is undefined). */
  point(at: Pointed | undefined): void;
}

export type Pointed =
  | { readonly kind: 'node'; readonly id: string }
  | { readonly kind: 'group'; readonly placed: PlacedGroup }
  | { readonly kind: 'edge'; readonly edges: readonly GraphEdge[] };

/** A part of the drawing that can have the focus: a node or a group. */
interface Stop extends Rectangle {
  readonly id: string;
  readonly element: SVGElement;
  readonly pointed: Pointed;
}

const arrows: Readonly<Record<string, readonly [right: number, down: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Boxes whose positions differ by less than this number of pixels are treated as being in the same column or row. */
const leastStep = 10;

export class Canvas {
  readonly element: SVGSVGElement;
  readonly #world: SVGGElement;
  readonly #viewport: Viewport;
  readonly #events: CanvasEvents;
  #scene: Scene = { width: 0, height: 0, groups: [], nodes: [], edges: [] };
  #stops: readonly Stop[] = [];
  #edges: readonly { readonly placed: PlacedEdge; readonly element: SVGElement }[] = [];
  /** The id of the part to which the Tab key moves the focus. */
  #current: string | undefined;

  constructor(events: CanvasEvents) {
    this.#events = events;
    this.#world = svg('g');
    this.element = svg('svg', { class: 'canvas', role: 'group', 'aria-label': 'Graph' });
    this.element.append(this.#world);
    this.#viewport = new Viewport(this.element, this.#world);
    this.element.addEventListener('keydown', (event) => this.#key(event));
  }

  /**
   * Draws a scene. `focus` is the id of the node at the cursor of the editor; `refit` fits the drawing into the view.
   */
  draw(
    scene: Scene,
    options: { readonly focus: string | undefined; readonly refit: boolean; readonly label: string },
  ): void {
    const { focus, refit, label } = options;
    const hadFocus = this.element.contains(document.activeElement);
    this.#scene = scene;
    const shapes = shapesOf(scene);
    const groups = scene.groups.map((placed, index) => this.#groupStop(placed, svgOf(required(shapes.groups[index]))));
    const nodes = scene.nodes.map((placed, index) =>
      this.#nodeStop(placed, svgOf(required(shapes.nodes[index])), focus),
    );
    this.#edges = scene.edges.map((placed, index) => ({
      placed,
      element: this.#edge(placed, svgOf(required(shapes.edges[index]))),
    }));
    this.#stops = [...groups, ...nodes];
    const isCollapsed = (index: number) => scene.groups[index]?.isCollapsed === true;
    this.#world.replaceChildren(
      ...groups.filter((_, index) => !isCollapsed(index)).map(({ element }) => element),
      ...this.#edges.map(({ element }) => element),
      ...groups.filter((_, index) => isCollapsed(index)).map(({ element }) => element),
      ...nodes.map(({ element }) => element),
    );
    this.element.setAttribute('aria-label', label);
    const first = focus ?? this.#stops[0]?.id;
    const isThere = this.#stops.some(({ id }) => id === this.#current);
    this.#makeCurrent(hadFocus && isThere ? this.#current : first);
    if (refit) this.fit();
    if (hadFocus) this.#stop(this.#current)?.element.focus();
    this.#emphasize(focus);
  }

  /** The ratio of the width of the view to its height. */
  get aspect(): number {
    const { clientWidth, clientHeight } = this.element;
    return clientWidth > 0 && clientHeight > 0 ? clientWidth / clientHeight : 1.6;
  }

  /** Fits the drawing into the view; unless all of it is wanted, its text stays readable. */
  fit(isWhole = false): void {
    this.#viewport.fit(this.#scene, isWhole ? undefined : (this.#stop(this.#current) ?? this.#stops[0]));
  }

  zoom(factor: number): void {
    this.#viewport.zoom(factor);
  }

  #groupStop(placed: PlacedGroup, element: SVGElement): Stop {
    const { group, isCollapsed } = placed;
    element.setAttribute('aria-expanded', String(!isCollapsed));
    element.setAttribute('aria-label', `Group ${groupText(placed)}`);
    const pointed: Pointed = { kind: 'group', placed };
    this.#listen(element, pointed, () => this.#events.toggleGroup(group.id));
    // For an expanded group, the arrow keys navigate by the position of its title instead of its whole area.
    const { x, y, width, height } = placed;
    return { id: group.id, element, pointed, x, y, width: isCollapsed ? width : 1, height: isCollapsed ? height : 20 };
  }

  #nodeStop(placed: PlacedNode, element: SVGElement, focus: string | undefined): Stop {
    const { node } = placed;
    element.setAttribute('aria-label', `${nodeText(node)}, ${relationsText(node.id, this.#scene.edges)}`);
    if (node.id === focus) {
      element.setAttribute('aria-current', 'true');
      element.classList.add('current');
    }
    const pointed: Pointed = { kind: 'node', id: node.id };
    this.#listen(element, pointed, () => this.#events.openNode(node.id));
    return { ...placed, id: node.id, element, pointed };
  }

  #edge(placed: PlacedEdge, element: SVGElement): SVGElement {
    const [first] = placed.edges;
    element.setAttribute('aria-hidden', 'true');
    element.addEventListener('pointerenter', () => this.#events.point({ kind: 'edge', edges: placed.edges }));
    element.addEventListener('click', () => first && this.#events.openEdge(first));
    return element;
  }

  #listen(element: SVGElement, pointed: Pointed, act: () => void): void {
    element.setAttribute('role', 'button');
    element.setAttribute('tabindex', '-1');
    element.addEventListener('click', act);
    element.addEventListener('pointerenter', () => this.#point(pointed));
    element.addEventListener('pointerleave', () => this.#point(undefined));
    element.addEventListener('focus', () => {
      const stop = this.#stops.find((each) => each.element === element);
      if (stop !== undefined) {
        this.#makeCurrent(stop.id);
        this.#viewport.reveal(stop);
      }
      this.#point(pointed);
    });
    element.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      act();
    });
  }

  #point(pointed: Pointed | undefined): void {
    this.#events.point(pointed);
    this.#emphasize(pointed?.kind === 'node' ? pointed.id : undefined);
  }

  /** Fades the edges that neither begin nor end at the given node. */
  #emphasize(id: string | undefined): void {
    for (const { placed, element } of this.#edges)
      element.classList.toggle('faded', id !== undefined && placed.from !== id && placed.to !== id);
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const direction = arrows[event.key];
    if (direction !== undefined) this.#move(direction);
    else if (event.key === '+' || event.key === '=') this.zoom(1.25);
    else if (event.key === '-') this.zoom(0.8);
    else if (event.key === '0') this.fit(true);
    else if (event.key === 'Home') this.#stops[0]?.element.focus();
    else if (event.key === 'End') this.#stops.at(-1)?.element.focus();
    else return;
    event.preventDefault();
  }

  /** Moves the focus to the nearest part in a direction. */
  #move([right, down]: readonly [number, number]): void {
    const from = this.#stop(this.#current);
    if (from === undefined) return;
    let best: Stop | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const stop of this.#stops) {
      const x = stop.x + stop.width / 2 - from.x - from.width / 2;
      const y = stop.y + stop.height / 2 - from.y - from.height / 2;
      const along = x * right + y * down;
      const across = Math.abs(x * down) + Math.abs(y * right);
      if (stop === from || along < leastStep) continue;
      const distance = along + 3 * across;
      if (distance < least) [best, least] = [stop, distance];
    }
    best?.element.focus();
  }

  #stop(id: string | undefined): Stop | undefined {
    return this.#stops.find((stop) => stop.id === id);
  }

  #makeCurrent(id: string | undefined): void {
    this.#current = id;
    for (const stop of this.#stops) stop.element.setAttribute('tabindex', stop.id === id ? '0' : '-1');
  }
}

/** Returns the value, a part of the scene, or throws an error if it is undefined. */
function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('A part of the scene has no shape.');
  return value;
}
