/** Writes a scene as a self-contained SVG image: without scripts, links or fonts. */

import { replaceControls } from '../text/control-characters.ts';
import type { Scene } from './layout.ts';
import { type Shape, shapesOf } from './shapes.ts';

/** The colors of an image, as CSS. */
export interface Palette {
  readonly background: string;
  readonly text: string;
  readonly faint: string;
  readonly box: string;
  readonly border: string;
  readonly line: string;
  readonly connection: string;
  readonly reference: string;
  readonly families: Readonly<Record<string, string>>;
}

const light: Palette = {
  background: '#ffffff',
  text: '#1f2328',
  faint: '#59636e',
  box: '#f6f8fa',
  border: '#8c959f',
  line: '#59636e',
  connection: '#1a7f37',
  reference: '#0969da',
  families: {
    workload: '#0969da',
    service: '#1a7f37',
    policy: '#cf222e',
    route: '#8250df',
    autoscaler: '#9a6700',
    other: '#59636e',
  },
};

const dark: Palette = {
  background: '#0d1117',
  text: '#f0f6fc',
  faint: '#9198a1',
  box: '#151b23',
  border: '#656c76',
  line: '#9198a1',
  connection: '#3fb950',
  reference: '#4493f8',
  families: {
    workload: '#4493f8',
    service: '#3fb950',
    policy: '#f85149',
    route: '#ab7df8',
    autoscaler: '#d29922',
    other: '#9198a1',
  },
};

/** Writes an image. Without a palette, the color scheme of the viewer decides whether the image is light or dark. */
export function asSvg(scene: Scene, palette?: Palette): string {
  const { groups, edges, nodes } = shapesOf(scene);
  const [width, height] = [Math.ceil(scene.width), Math.ceil(scene.height)];
  const style =
    palette === undefined
      ? `${rules(light)}\n@media (prefers-color-scheme: dark) {\n${rules(dark)}\n}`
      : rules(palette);
  const isCollapsed = (index: number) => scene.groups[index]?.isCollapsed === true;
  const back = groups.filter((_, index) => !isCollapsed(index));
  const front = groups.filter((_, index) => isCollapsed(index));
  const lines = [...back, ...edges, ...front, ...nodes].map((shape) => `  ${element(shape)}`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<style>\n${shared}\n${style}\n</style>`,
    `  <rect class="background" width="${width}" height="${height}"/>`,
    ...lines,
    '</svg>',
  ].join('\n');
}

/** CSS rules that do not depend on colors; the style sheet of a view contains the same rules. */
const shared = `text { font: 12px system-ui, "Segoe UI", "Helvetica Neue", sans-serif; }
.kind { font-size: 10px; }
.name, .group text { font-weight: 600; }
.frame, .handle { fill: none; }
.line { fill: none; stroke-width: 1.4; }
.reach { fill: none; stroke: none; }
.peer { opacity: 0.55; }
.uncertain .line { stroke-dasharray: 5 4; }`;

function rules(palette: Palette): string {
  const families = Object.entries(palette.families).map(([family, color]) => `.${family} .mark { fill: ${color}; }`);
  return [
    `.background { fill: ${palette.background}; }`,
    `text { fill: ${palette.text}; }`,
    `.kind, .group text { fill: ${palette.faint}; }`,
    `.box { fill: ${palette.box}; stroke: ${palette.border}; }`,
    `.frame { stroke: ${palette.border}; }`,
    `.collapsed .frame { fill: ${palette.box}; }`,
    `.line { stroke: ${palette.line}; }`,
    `.head { fill: ${palette.line}; }`,
    `.peer .line { stroke: ${palette.families['policy'] ?? palette.line}; }`,
    `.peer .head { fill: ${palette.families['policy'] ?? palette.line}; }`,
    `.connects .line { stroke: ${palette.connection}; }`,
    `.connects .head { fill: ${palette.connection}; }`,
    `.references .line { stroke: ${palette.reference}; }`,
    `.references .head { fill: ${palette.reference}; }`,
    ...families,
  ].join('\n');
}

function element({ name, attributes, children, text }: Shape): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(String(value))}"`);
  const inner = `${text === undefined ? '' : escaped(text)}${children.map(element).join('')}`;
  return inner === '' ? `<${name}${written.join('')}/>` : `<${name}${written.join('')}>${inner}</${name}>`;
}

/** Escapes a string for XML text and attribute values. Characters that XML forbids, control characters and bidirectional marks are replaced. */
function escaped(text: string): string {
  return replaceControls(text, '\n')
    .replaceAll(/[\uFFFE\uFFFF]/g, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
