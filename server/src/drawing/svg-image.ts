/** Draws a graph as an SVG image. This module is a separate bundle, which is loaded only for this format. */

import type { Graph } from './graph.ts';
import { layOut } from './layout.ts';
import { asSvg } from './svg.ts';

/** Returns the image of a graph, grouped and collapsed as in the initial state of the map. */
export function svgImage(graph: Graph): string {
  return asSvg(layOut(graph));
}
