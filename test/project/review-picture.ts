/** Reviews a change of the examples, and draws the comment for the documentation. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { home, runInMemory } from '../cli/memory-world.ts';
import { root } from './sources.ts';

/** The change: the texts that are replaced in files of `examples/`. */
const edits: readonly (readonly [path: string, before: string, after: string])[] = [
  [
    'overlays/base/search.yaml',
    'selector:\n    app.kubernetes.io/name: search\n',
    'selector:\n    app.kubernetes.io/name: searches\n',
  ],
  [
    'shop/storefront.yaml',
    'matchLabels:\n      app.kubernetes.io/name: storefront\n  template:\n    metadata:\n      labels:\n        app.kubernetes.io/name: storefront\n',
    'matchLabels:\n      app.kubernetes.io/name: web\n  template:\n    metadata:\n      labels:\n        app.kubernetes.io/name: web\n',
  ],
];

/** Returns the comment about the change, as Markdown. */
export async function exampleReview(): Promise<string> {
  const files: Record<string, string> = {};
  const changed: Record<string, string> = {};
  for (const folder of ['overlays', 'shop'])
    for (const entry of readdirSync(join(root, 'examples', folder), { recursive: true, encoding: 'utf8' })) {
      const path = `${folder}/${entry.replaceAll('\\', '/')}`;
      if (!path.endsWith('.yaml')) continue;
      const text = readFileSync(join(root, 'examples', path), 'utf8');
      files[path] = text;
      changed[path] = edits.reduce(
        (all, [at, before, after]) => (at === path ? all.replace(before, after) : all),
        text,
      );
    }
  const words = ['review', 'main', '--format', 'markdown'];
  const { out } = await runInMemory(words, { files: changed, repositories: [home], commits: { main: files } });
  return out.join('\n');
}

/** A part of a line with one style. */
interface Run {
  readonly style: 'plain' | 'bold' | 'code';
  readonly text: string;
}

const width = 860;
const margin = 24;
const lineHeight = 22;
/** The estimated widths of characters of a sans-serif font of 14 px. */
const narrow = 5;
const usual = 8.6;
const wide = 11;

function widthOf({ text, style }: Run): number {
  const widths = [...text].map((each) =>
    /[ijlt.,:;'|!()[\]/ ]/.test(each) ? narrow : /[mwA-Z]/.test(each) ? wide : usual,
  );
  return widths.reduce((sum, each) => sum + each, 0) * (style === 'plain' ? 1 : 1.06);
}

/** Divides a line of Markdown into parts with one style. */
function runsOf(markdown: string): readonly Run[] {
  return markdown.split(/(\*\*[^*]+\*\*|`[^`]+`)/).flatMap((part): readonly Run[] => {
    const text = part.replaceAll(/&#(\d+);/g, (_, number: string) => String.fromCodePoint(Number(number)));
    if (text === '') return [];
    if (text.startsWith('**')) return [{ style: 'bold', text: text.slice(2, -2) }];
    return [text.startsWith('`') ? { style: 'code', text: text.slice(1, -1) } : { style: 'plain', text }];
  });
}

/** Wraps the parts of a line at spaces. */
function wrapped(runs: readonly Run[], available: number): readonly (readonly Run[])[] {
  const lines: Run[][] = [[]];
  let left = available;
  for (const { style, text } of runs)
    for (const word of text.split(/(?<= )/)) {
      const needed = widthOf({ style, text: word });
      if (needed > left && lines.at(-1)?.length !== 0) {
        lines.push([]);
        left = available;
      }
      const line = lines.at(-1) ?? [];
      const last = line.at(-1);
      if (last?.style === style) line[line.length - 1] = { style, text: last.text + word };
      else line.push({ style, text: word });
      left -= needed;
    }
  return lines;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Draws a comment as it appears on a pull request. */
export function pictureOf(comment: string): string {
  const shown: string[] = [];
  let y = 72;
  const add = (x: number, runs: readonly Run[], start = '', kind = 'text') => {
    for (const [index, line] of wrapped(runs, width - margin - x).entries()) {
      const spans = line.map(({ style, text }) => `<tspan class="${style}">${escaped(text)}</tspan>`).join('');
      if (index === 0 && start !== '') shown.push(`<text x="${x - 14}" y="${y}">${start}</text>`);
      shown.push(`<text class="${kind}" x="${x}" y="${y}" xml:space="preserve">${spans}</text>`);
      y += lineHeight;
    }
  };
  for (const line of comment.split('\n')) {
    if (line.startsWith('### ')) add(margin, [{ style: 'bold', text: line.slice(4) }], '', 'title');
    else if (line.startsWith('- ')) add(margin + 20, runsOf(line.slice(2)), '\u2022');
    else if (line !== '') add(margin, runsOf(line));
    y += line === '' ? lineHeight / 2 : 2;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${y}" viewBox="0 0 ${width} ${y}" role="img">
<title>The comment of a review</title>
<style>
text { font: 14px system-ui, "Segoe UI", "Helvetica Neue", Arial, sans-serif; fill: #1f2328; }
.title { font-size: 18px; }
.bold { font-weight: 600; }
.code { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 12px; }
.card { fill: #ffffff; stroke: #d1d9e0; }
.bar { fill: #f6f8fa; stroke: #d1d9e0; }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc; }
  .card { fill: #0d1117; stroke: #3d444d; }
  .bar { fill: #151b23; stroke: #3d444d; }
}
</style>
<rect class="card" x="0.5" y="0.5" width="${width - 1}" height="${y - 1}" rx="6"/>
<path class="bar" d="M0.5 40.5V6.5a6 6 0 0 1 6-6h${width - 13}a6 6 0 0 1 6 6V40.5Z"/>
<text x="${margin}" y="26"><tspan class="bold">github-actions</tspan> commented</text>
${shown.join('\n')}
</svg>
`;
}
