/** Exports the shown graph, in the colors of the theme. */

import type { Graph } from '../../../server/src/drawing/graph.ts';
import { drawingOf } from '../../../server/src/drawing/graph-drawing.ts';
import type { Scene } from '../../../server/src/drawing/layout.ts';
import { asSvg, type Palette } from '../../../server/src/drawing/svg.ts';
import { asDot, asMermaid } from '../../../server/src/drawing/text-formats.ts';
import { html } from './elements.ts';
import type { ExportFormat } from './messages.ts';

/** Returns the content of the exported file; a PNG is encoded as base64. Rejects if the browser cannot draw the image. */
export async function exported(format: ExportFormat, graph: Graph, scene: Scene): Promise<string> {
  switch (format) {
    case 'svg':
      return `${asSvg(scene, themePalette())}\n`;
    case 'png':
      return png(scene);
    case 'mermaid':
      return `${asMermaid(drawingOf(graph)).join('\n')}\n`;
    case 'dot':
      return `${asDot(drawingOf(graph)).join('\n')}\n`;
  }
}

/** The maximum width and height of an image in pixels, because browsers cannot draw larger images. */
const maximumSide = 8192;

async function png(scene: Scene): Promise<string> {
  const url = URL.createObjectURL(new Blob([asSvg(scene, themePalette())], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const scale = Math.min(2, maximumSide / Math.max(scene.width, scene.height, 1));
    const canvas = html('canvas', { width: Math.ceil(scene.width * scale), height: Math.ceil(scene.height * scale) });
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return canvas.toDataURL('image/png').replace(/^data:image\/png;base64,/, '');
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** Returns the colors of the map, which the style sheet defines. */
function themePalette(): Palette {
  const style = getComputedStyle(document.body);
  const color = (name: string) => style.getPropertyValue(`--map-${name}`).trim() || 'gray';
  const families = ['workload', 'service', 'policy', 'route', 'autoscaler', 'other'];
  return {
    background: color('background'),
    text: color('text'),
    faint: color('faint'),
    box: color('box'),
    border: color('border'),
    line: color('line'),
    connection: color('connection'),
    reference: color('reference'),
    families: Object.fromEntries(families.map((family) => [family, color(family)])),
  };
}
