/** `selector-lens graph`: draws the matches of selectors as a graph. */

import { drawingOf } from '../../drawing/graph-drawing.ts';
import { asDot, asMermaid } from '../../drawing/text-formats.ts';
import { type ObjectEdge, type ObjectGraph, type ObjectNode, objectGraph } from '../../features/graph/object-graph.ts';
import { offsetToPosition } from '../../text/lines.ts';
import type { World } from '../environment.ts';
import { exitCodeOf, type Indexed, indexPaths } from '../indexed-workspace.ts';
import { type AppliedObject, aroundSelected } from '../objects/applied-objects.ts';
import { boundOfCommand } from '../objects/named-tree-objects.ts';
import { choice } from '../options/arguments.ts';
import { formats, output, paths, whereToLook } from '../options/shared-options.ts';
import { tameJson, tameLine } from '../output/terminal-escape.ts';
import { displayPath } from '../paths/display-path.ts';
import type { Arguments, Command, Option } from './command.ts';

const graphFormats = ['mermaid', 'dot', 'svg', 'json'] as const;

const noReferences: Option = {
  name: 'no-references',
  description: 'Do not draw references by name, such as references from workloads to ConfigMaps and Secrets.',
};

export const graph: Command = {
  name: 'graph',
  summary: 'Draws a graph of the objects and of the objects that they select, scale, send requests to, or refer to.',
  details: [
    'An arrow leads from an object with a selector to an object that it matches, from an autoscaler to its workload, from an Ingress or a route to its Services, and from an object to the objects that it names, such as its ConfigMaps. The arrow is dotted if it is unknown whether the selector matches. No arrow is drawn from a workload to its own pods. An object that several kustomizations build is drawn once for each name that they give it.',
  ],
  operand: paths,
  options: [formats(...graphFormats), output, noReferences, ...whereToLook],
  examples: [
    { line: 'selector-lens graph apps/shop', description: 'A Mermaid diagram, which GitHub draws in Markdown.' },
    { line: 'selector-lens graph -f svg -o graph.svg', description: 'An SVG image, grouped by namespace.' },
    { line: 'selector-lens graph --format dot | dot -Tpdf > graph.pdf', description: 'A PDF, with Graphviz.' },
  ],
  run: runGraph,
};

async function runGraph(world: World, given: Arguments): Promise<number> {
  const format = choice(given, 'format', graphFormats);
  const indexed = await indexPaths(world, given);
  const drawn = graphOf(indexed, !given.flags.has('no-references'));
  for (const line of await linesOf(world, format, drawn)) world.out(line);
  if (drawn.isCut)
    world.err(`selector-lens: The graph is too large: only ${drawn.edges.length} edges are drawn. Name fewer paths.`);
  return exitCodeOf(world, indexed);
}

/** Returns the graph of the edges that begin or end at a selected object. */
function graphOf(indexed: Indexed, references: boolean): ObjectGraph {
  const { session } = indexed;
  const { objects, isSelected } = aroundSelected(indexed);
  return objectGraph(objects, {
    workspace: session.snapshot(),
    catalogueOf: (uri) => session.workspace.catalogueOf(uri),
    comparisons: boundOfCommand(),
    references,
    isWanted: (owner: AppliedObject, target) => isSelected(owner, owner) || isSelected(owner, target),
  });
}

async function linesOf(world: World, format: (typeof graphFormats)[number], drawn: ObjectGraph) {
  const graph = { nodes: drawn.nodes.map(({ node }) => node), edges: drawn.edges.map(({ edge }) => edge) };
  switch (format) {
    case 'mermaid':
      return asMermaid(drawingOf(graph)).map(tameLine);
    case 'dot':
      return asDot(drawingOf(graph)).map(tameLine);
    case 'svg': {
      const { svgImage } = await import('../../drawing/svg-image.ts');
      return svgImage(graph).split('\n').map(tameLine);
    }
    case 'json':
      return [tameJson({ nodes: drawn.nodes.map((each) => nodeJson(world, each)), edges: drawn.edges.map(edgeJson) })];
  }
}

function nodeJson(world: World, { node, where: { file, object } }: ObjectNode) {
  const { id, kind, namespace, name } = node;
  return {
    id,
    kind,
    ...(namespace !== undefined && { namespace }),
    name,
    file: displayPath(world, file.uri),
    line: offsetToPosition(file.lines, object.kindSpan.start).line + 1,
  };
}

function edgeJson({ edge: { from, to, label, relation, certain }, via }: ObjectEdge) {
  return { from, to, relation, path: label, ...(via !== undefined && { via }), certain };
}
