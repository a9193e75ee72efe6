/** Provides the graph of a scope, which the client displays in the Selector Map. */

import { type ScopeGraph, scopeGraph } from '../features/graph/scope-graph.ts';
import type { FileSpan } from '../features/locations.ts';
import { type GraphLocation, type GraphParams, type GraphResult, graphRequest } from '../protocol.ts';
import { replaceControls } from '../text/control-characters.ts';
import { localize } from '../text/localize.ts';
import { atPosition, locationsForEditor, type RequestContext } from './request-helpers.ts';

/** Handles the request for the graph of a scope (see `protocol.ts`). */
export function provideGraph(context: RequestContext): void {
  // `message-check.ts` has already rejected parameters of any other type.
  context.connection.onRequest(graphRequest, (params: GraphParams, token) =>
    atPosition<GraphResult | null>(context, graphRequest, null, params, token, (view, offset) => {
      const around = params.around === 'object' ? 'object' : 'scope';
      const { connections = false, references = false } = params;
      const found = scopeGraph(view, offset, { around, connections, references });
      return found === undefined ? null : toResult(context, found, view.complete);
    }),
  );
}

function toResult(
  context: RequestContext,
  { title, scopes, focus, nodes, edges, isCut, notes }: ScopeGraph,
  complete: boolean,
): GraphResult {
  const locationOf = locationsForEditor(context);
  const placeOf = (location: FileSpan | undefined): GraphLocation =>
    location === undefined ? {} : locationOf(location);
  return {
    title: replaceControls(title),
    scopes: scopes.map(({ name, path }) => ({ name: replaceControls(name), path })),
    ...(focus !== undefined && { focus }),
    nodes: nodes.map(({ node, place }) => ({
      ...node,
      kind: replaceControls(node.kind),
      ...(node.namespace !== undefined && { namespace: replaceControls(node.namespace) }),
      name: replaceControls(node.name),
      ...placeOf(place),
    })),
    edges: edges.map(({ edge, place }) => ({
      ...edge,
      label: replaceControls(edge.label),
      reason: replaceControls(edge.reason),
      ...(edge.why !== undefined && { why: replaceControls(edge.why) }),
      ...placeOf(place),
    })),
    notes: isCut ? [...notes, localize`There are too many objects to show all of them.`] : notes,
    complete,
  };
}
