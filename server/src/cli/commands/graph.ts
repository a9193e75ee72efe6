/** `selector-lens graph`: draws the matches of selectors as a graph. */

import { offsetToPosition } from '../../text/lines.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { storedNamespace } from '../../workspace/selection/namespaces.ts';
import type { World } from '../environment.ts';
import { exitCodeOf, type Indexed, indexPaths } from '../indexed-workspace.ts';
import { aroundSelected } from '../objects/applied-objects.ts';
import { boundOfCommand, edgesFrom } from '../objects/edges.ts';
import { choice } from '../options/arguments.ts';
import { formats, paths, whereToLook } from '../options/shared-options.ts';
import { asDot, asMermaid, type Drawing } from '../output/drawing.ts';
import { tameJson } from '../output/terminal-escape.ts';
import { displayPath } from '../paths/display-path.ts';
import type { Arguments, Command } from './command.ts';

export const graph: Command = {
  name: 'graph',
  summary: 'Draws a graph of the objects and what they select.',
  details: [
    'An arrow leads from an object with a selector to an object that it matches; it is dotted if the match is uncertain. Workloads that select their own pods get no arrow. Objects are drawn as kustomizations build them, once for each different name.',
  ],
  operand: paths,
  options: [formats('mermaid', 'dot', 'json'), ...whereToLook],
  examples: [
    { line: 'selector-lens graph apps/shop', description: 'A Mermaid diagram, which GitHub draws in Markdown.' },
    { line: 'selector-lens graph --format dot | dot -Tsvg > graph.svg', description: 'An SVG image, with Graphviz.' },
  ],
  run: runGraph,
};

interface Graph {
  readonly nodes: readonly Node[];
  readonly edges: readonly Arrow[];
}

/** Maximum number of edges: no tool draws as many. */
const maximumEdges = 20_000;

interface Node {
  readonly id: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly file: string;
  readonly line: number;
}

interface Arrow {
  readonly from: string;
  readonly to: string;
  /** Of the selector. */
  readonly path: string;
  /** Of the template that makes what is selected. */
  readonly via?: string;
  readonly certain: boolean;
}

async function runGraph(world: World, given: Arguments): Promise<number> {
  const format = choice(given, 'format', ['mermaid', 'dot', 'json']);
  const indexed = await indexPaths(world, given);
  const { graph: drawn, isCut } = graphOf(world, indexed);
  const writers = {
    mermaid: (all: Graph) => asMermaid(drawingOf(all)),
    dot: (all: Graph) => asDot(drawingOf(all)),
    json: (all: Graph) => [tameJson(all)],
  };
  for (const line of writers[format](drawn)) world.out(line);
  if (isCut)
    world.err(`selector-lens: The graph is too large: only ${drawn.edges.length} edges are drawn. Name fewer paths.`);
  return exitCodeOf(world, indexed);
}

/** What begins or ends in an object that is selected. */
function graphOf(world: World, indexed: Indexed): { readonly graph: Graph; readonly isCut: boolean } {
  const { session } = indexed;
  const nodes = new Map<string, Node>();
  const arrows = new Map<string, Arrow>();
  const idOf = (where: ObjectInFile): string => {
    const { file, object } = where;
    const namespace = storedNamespace(session.workspace.catalogueOf(file.uri), where);
    // A base is another object in every overlay that calls it otherwise.
    const key = [file.uri, object.kindSpan.start, namespace, object.name?.text].join('\n');
    const known = nodes.get(key);
    const node = known ?? nodeOf(world, where, namespace, `n${nodes.size + 1}`);
    nodes.set(key, node);
    return node.id;
  };
  const { objects, isSelected } = aroundSelected(indexed);
  const comparisons = boundOfCommand();
  let isCut = false;
  for (const owner of objects) {
    if (isCut) break;
    for (const { site, match, certain } of edgesFrom(session, owner, comparisons)) {
      if (owner.object === match.object || !(isSelected(owner, owner) || isSelected(owner, match))) continue;
      isCut = arrows.size >= maximumEdges;
      if (isCut) break;
      const { via } = match.labeledObject;
      const arrow = { from: idOf(owner), to: idOf(match), path: site.path, ...(via !== undefined && { via }), certain };
      const key = [arrow.from, arrow.to, arrow.path, via].join('\n');
      if (arrows.get(key)?.certain !== true) arrows.set(key, arrow);
    }
  }
  const graph = { nodes: [...nodes.values()], edges: [...arrows.values()] };
  return { graph, isCut: isCut || comparisons.isIncomplete };
}

function nodeOf(world: World, { file, object }: ObjectInFile, namespace: string | undefined, id: string): Node {
  return {
    id,
    kind: object.kind,
    ...(namespace !== undefined && { namespace }),
    name: object.name?.text ?? object.generateName?.text ?? '',
    file: displayPath(world, file.uri),
    line: offsetToPosition(file.lines, object.kindSpan.start).line + 1,
  };
}

function drawingOf({ nodes, edges }: Graph): Drawing {
  return {
    name: 'selectors',
    nodes: nodes.map((node) => ({ id: node.id, label: labelOf(node) })),
    edges: edges.map(({ from, to, path, certain }) => ({ from, to, label: path, certain })),
  };
}

function labelOf({ kind, name, namespace }: Node): string {
  return `${kind}/${name}${namespace === undefined ? '' : ` (${namespace})`}`;
}
