/**
 * The page of the Selector Map: draws the graphs that the extension sends, and reports the locations that the user
 * opens.
 */

import type { GraphEdge, Relation } from '../../../server/src/drawing/graph.ts';
import { groupsOf } from '../../../server/src/drawing/groups.ts';
import { layOut, type Scene } from '../../../server/src/drawing/layout.ts';
import { groupText, nodeText } from '../../../server/src/drawing/shapes.ts';
import type { GraphResult } from '../../../server/src/protocol.ts';
import { Canvas, type Pointed } from './canvas.ts';
import { connectionsOf, connectionTable } from './connection-table.ts';
import { html } from './elements.ts';
import { exported } from './exports.ts';
import type { GraphMessage, PageMessage } from './messages.ts';
import { edgeItems, objectList } from './object-list.ts';
import { Toolbar } from './toolbar.ts';
import { type Choices, filtered, shownForm, storedChoices } from './view-state.ts';

/** The connection of a page to the extension, which VS Code provides. */
declare function acquireVsCodeApi(): {
  postMessage(message: PageMessage): void;
  getState(): unknown;
  setState(state: unknown): void;
};

const empty: GraphResult = { title: '', scopes: [], nodes: [], edges: [], notes: [], complete: true };
/** The order in which the details list edges, by the relation that an edge represents. */
const order: readonly Relation[] = ['selects', 'routes', 'scales', 'references', 'connects', 'peer'];
/** The maximum number of edges that are listed for one object. */
const maximumEdges = 100;

const host = acquireVsCodeApi();
let choices = storedChoices(host.getState());
let serial = 0;
let graph = empty;
let shown = empty;
let scene: Scene = { width: 0, height: 0, groups: [], nodes: [], edges: [] };
/** A string that identifies the drawn nodes and groups; when it changes, the drawing is fitted into the view. */
let drawn = '';

const heading = html('h1', {});
const notes = html('p', { class: 'notes', role: 'status' });
const details = html('section', { class: 'details', 'aria-label': 'Details' });
const listing = html('div', { class: 'listing', hidden: true });
const canvas = new Canvas({ openNode, openEdge, toggleGroup, point });
const toolbar = new Toolbar(choices, {
  choose,
  zoom: (factor) => canvas.zoom(factor),
  fit: () => canvas.fit(true),
  see: (path) => host.postMessage({ kind: 'perspective', path }),
  save: (format) => {
    void exported(format, shown, scene).then(
      (content) => host.postMessage({ kind: 'save', format, content }),
      () => notes.append(' The image could not be drawn.'),
    );
  },
});
document.body.append(
  toolbar.element,
  html('div', { class: 'title' }, heading, notes),
  canvas.element,
  listing,
  details,
);
new ResizeObserver(() => {
  if (!canvas.element.hasAttribute('hidden')) canvas.fit();
}).observe(canvas.element);

window.addEventListener('message', ({ data }: MessageEvent<GraphMessage>) => {
  if (data.kind !== 'graph') return;
  serial = data.serial;
  graph = data.graph ?? empty;
  heading.textContent = data.graph === null ? '' : graph.title;
  notes.textContent = notesOn(data.graph);
  show();
});
ask();

function ask(): void {
  const { around, references } = choices;
  const connections = choices.connections || choices.form === 'table';
  host.postMessage({ kind: 'ask', around, connections, references });
}

function notesOn(result: GraphResult | null): string {
  if (result === null) return 'Place the cursor in a Kubernetes manifest to see its map.';
  const indexing = result.complete ? [] : ['Indexing is in progress; more objects may follow.'];
  const nothing = result.nodes.length === 0 ? ['There are no objects to draw.'] : [];
  return [...indexing, ...nothing, ...result.notes].join(' ');
}

/** The choices that are sent to the server; all other choices are applied in the page. */
const asked = ['around', 'connections', 'references', 'form'] as const;

function choose(changes: Partial<Choices>): void {
  const before = choices;
  choices = { ...choices, ...changes };
  host.setState(choices);
  if (asked.some((key) => before[key] !== choices[key])) ask();
  else show();
}

function show(): void {
  toolbar.offer(graph, choices);
  shown = filtered(graph, choices);
  const { grouping } = choices;
  scene = layOut(shown, {
    grouping,
    collapsed: new Set(choices.collapsed),
    expanded: new Set(choices.expanded),
    aspect: canvas.aspect,
  });
  const ids = [...scene.nodes.map(({ node }) => node.id), ...scene.groups.map(({ group }) => group.id)];
  const drawing = `${graph.title}\n${ids.join('\n')}`;
  const form = shownForm(shown, choices);
  canvas.element.toggleAttribute('hidden', form !== 'drawing');
  listing.hidden = form === 'drawing';
  if (form === 'list') listing.replaceChildren(objectList(shown, groupsOf(shown, grouping), { openNode, openEdge }));
  else if (form === 'table') listing.replaceChildren(connectionTable(shown, { openEdge }));
  else canvas.draw(scene, { focus: graph.focus, refit: drawing !== drawn, label: `Graph of ${graph.title}` });
  drawn = form === 'drawing' ? drawing : '';
  point(graph.focus === undefined ? undefined : { kind: 'node', id: graph.focus });
}

function toggleGroup(id: string): void {
  const isCollapsed = scene.groups.some(({ group, isCollapsed }) => group.id === id && isCollapsed);
  const without = (list: readonly string[]) => list.filter((each) => each !== id);
  choose(
    isCollapsed
      ? { collapsed: without(choices.collapsed), expanded: [...without(choices.expanded), id] }
      : { collapsed: [...without(choices.collapsed), id], expanded: without(choices.expanded) },
  );
}

function openNode(id: string): void {
  open(
    'nodes',
    graph.nodes.findIndex((node) => node.id === id),
  );
}

function openEdge(edge: GraphEdge): void {
  open('edges', graph.edges.indexOf(edge));
}

function open(what: 'nodes' | 'edges', index: number): void {
  if (index >= 0) host.postMessage({ kind: 'open', serial, what, index });
}

/** Shows the reasons of the edges of the part that is under the mouse or has the focus. */
function point(at: Pointed | undefined): void {
  if (at === undefined) return;
  details.replaceChildren(...detailsOf(at));
}

function detailsOf(at: Pointed): readonly HTMLElement[] {
  if (at.kind === 'group') return [html('h2', {}, groupText(at.placed))];
  const node = at.kind === 'node' ? shown.nodes.find(({ id }) => id === at.id) : undefined;
  const edges =
    at.kind === 'edge' ? at.edges : shown.edges.filter(({ from, to }) => from === node?.id || to === node?.id);
  const connections =
    node === undefined ? [] : connectionsOf(node.id, edges.slice(0, maximumEdges), shown.nodes, { openEdge });
  const others = connections.length === 0 ? edges : edges.filter(({ relation }) => relation !== 'connects');
  const sorted = others.toSorted((a, b) => order.indexOf(a.relation) - order.indexOf(b.relation));
  const title = node === undefined ? [] : [html('h2', {}, nodeText(node))];
  const cut = edges.length > maximumEdges ? [html('li', {}, `and ${edges.length - maximumEdges} more`)] : [];
  return [...title, ...connections, html('ul', {}, ...edgeItems(sorted.slice(0, maximumEdges), { openEdge }), ...cut)];
}
