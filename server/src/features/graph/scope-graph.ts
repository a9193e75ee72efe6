/** The graph of the active scope, or of the neighborhood of the object under the cursor. */

import type { GraphEdge } from '../../drawing/graph.ts';
import { neighborhoodOf } from '../../drawing/neighborhood.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import { objectAt } from '../../manifests/cursor/cursor-target.ts';
import { nameSpan } from '../../manifests/sites/object-sites.ts';
import type { PreviewScope } from '../../protocol.ts';
import { scopesDefinedBy } from '../../workspace/gitops/defined-scopes.ts';
import { effectiveObjectsOf, seenBy } from '../../workspace/kustomize/view.ts';
import type { ObjectInFile, Workspace } from '../../workspace/model.ts';
import type { ClusterObject } from '../../workspace/reach/cluster-object.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import { leadFirst } from '../../workspace/scopes/perspective.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import { scopeName } from '../../workspace/scopes/scope-names.ts';
import { Comparisons } from '../../workspace/selection/comparison-budget.ts';
import { effectiveNamespace } from '../../workspace/selection/namespaces.ts';
import { type FileSpan, isWritten, objectKey } from '../locations.ts';
import { describedScopes } from '../perspective.ts';
import { objectName } from '../presentation/object-names.ts';
import { createsScopes } from '../selected/gitops-objects.ts';
import type { FileView } from '../view.ts';
import { connectionsIn } from './connections.ts';
import {
  GraphBuilder,
  isShownAlone,
  mayHaveEdges,
  type ObjectEdge,
  type ObjectGraph,
  type ObjectNode,
} from './object-graph.ts';

export interface GraphQuestion {
  /** `object` requests the neighborhood of the object at the offset, if there is one. */
  readonly around: 'object' | 'scope';
  /** Whether to add allowed connections as edges. */
  readonly connections: boolean;
  /** Whether to add references by name as edges. */
  readonly references: boolean;
}

export interface ScopeGraph {
  /** The name of the scope, or the name of the object at the center, such as `Deployment/web`. */
  readonly title: string;
  /** The scopes that can be drawn, the drawn one first. */
  readonly scopes: readonly PreviewScope[];
  /** The id of the node under the cursor. */
  readonly focus?: string;
  readonly nodes: readonly (ObjectNode & { readonly place?: FileSpan })[];
  readonly edges: readonly ObjectEdge[];
  readonly isCut: boolean;
  /** Sentences about connections that are not drawn. */
  readonly notes: readonly string[];
}

/** The maximum number of objects; further objects are left out. */
const maximumObjects = 3_000;
/** The maximum number of reasons why a graph is empty. */
const maximumReasons = 3;
/** The maximum number of comparisons: they take less than a second and are sufficient for real scopes. */
const maximumComparisons = 200_000;

/** Returns the graph around an offset of a file; undefined for a file that belongs to no scope. */
export function scopeGraph(view: FileView, offset: number, question: GraphQuestion): ScopeGraph | undefined {
  const object = objectAt(view.file.manifest, offset);
  const here = object === undefined ? undefined : { file: view.file, object };
  const scopes = scopesAt(view, here);
  const [lead] = leadFirst(
    scopes.map((scope) => ({ scope })),
    view.perspective,
  );
  if (lead === undefined) return undefined;
  const { scope } = lead;
  const whole = graphOfScope(view, scope);
  const drawn = question.references ? whole : withoutReferences(whole);
  const ids = new Map(drawn.nodes.map(({ where, node }) => [objectKey(where), node.id]));
  const focus = here && ids.get(objectKey(here));
  const connections = question.connections
    ? connectionsIn(view, scope, (where) => ids.get(objectKey(where)))
    : { edges: [], notes: [], isCut: false };
  const all = { ...drawn, edges: [...drawn.edges, ...connections.edges] };
  const shown = focus === undefined || question.around === 'scope' ? all : around(all, focus);
  const middle = shown === all ? undefined : drawn.nodes.find(({ node }) => node.id === focus);
  const title =
    middle === undefined ? scopeName(scope, view.workspace.scopes().all()) : objectName(middle.where.object);
  return {
    title,
    scopes: describedScopes(view.workspace, scopes, view.perspective),
    ...(focus !== undefined && { focus }),
    nodes: shown.nodes.map(withLocation),
    edges: shown.edges,
    isCut: drawn.isCut || connections.isCut,
    notes: [...connections.notes, ...(drawn.nodes.length === 0 ? reasonsOf(scope) : [])],
  };
}

/** Returns why the objects of a scope are not all known. */
function reasonsOf({ closed }: Scope): readonly string[] {
  return closed === true ? [] : closed.openBecause.slice(0, maximumReasons);
}

/** Returns the graph without references by name, and without the objects that only such references connect to it. */
function withoutReferences(graph: ObjectGraph): ObjectGraph {
  const edges = graph.edges.filter(({ edge }) => edge.relation !== 'references');
  if (edges.length === graph.edges.length) return graph;
  const linked = new Set(edges.flatMap(({ edge: { from, to } }) => [from, to]));
  const nodes = graph.nodes.filter(({ node, where }) => linked.has(node.id) || isShownAlone(where.object));
  return { ...graph, nodes, edges };
}

function scopesAt({ workspace, file }: FileView, here: ObjectInFile | undefined): readonly Scope[] {
  const scopes = workspace.scopes();
  // A GitOps object is shown by the objects that it deploys.
  const defined = here === undefined ? [] : scopesDefinedBy(workspace, file.uri, here.object);
  if (defined.length > 0 && !createsScopes(defined)) return defined;
  const own = here === undefined ? scopes.ofFile(file.uri) : scopes.of(placeOf(here));
  const building = scopes.building(file.uri);
  // A kustomization does not belong to its own scope, so the scopes that it builds are used.
  return building.length > 0 ? building : own;
}

function around(graph: Pick<ObjectGraph, 'nodes' | 'edges'>, focus: string) {
  const edges = new Map<GraphEdge, ObjectEdge>(graph.edges.map((each) => [each.edge, each]));
  const part = neighborhoodOf({ nodes: graph.nodes.map(({ node }) => node), edges: [...edges.keys()] }, focus);
  const shown = new Set(part.nodes);
  return {
    nodes: graph.nodes.filter(({ node }) => shown.has(node)),
    edges: part.edges.flatMap((edge) => edges.get(edge) ?? []),
  };
}

function withLocation(each: ObjectNode): ObjectNode & { readonly place?: FileSpan } {
  const { file, object } = each.where;
  return isWritten({ file }) ? { ...each, place: { file, span: nameSpan(object), around: object.span } } : each;
}

const known = new WeakMap<Workspace, Map<Scope, ObjectGraph>>();

/** Returns the selections and references of a scope, cached until a file changes. */
function graphOfScope({ workspace, catalogue }: FileView, scope: Scope): ObjectGraph {
  const ofScopes = getOrAdd(known, workspace, () => new Map<Scope, ObjectGraph>());
  return getOrAdd(ofScopes, scope, () => {
    const seen = seenBy(workspace, catalogue, scope) ?? workspace;
    const applied = effectiveObjectsOf(workspace, catalogue, scope).filter(({ object }) => mayHaveEdges(object));
    const owners: readonly ClusterObject[] = applied
      .slice(0, maximumObjects)
      .map((each) => ({ ...each, workspace: seen }));
    const builder = new GraphBuilder(owners, {
      workspace,
      catalogueOf: () => catalogue,
      comparisons: new Comparisons(maximumComparisons),
      namespaceOf: (where) => effectiveNamespace(seen, catalogue, where)?.text,
      references: true,
    });
    for (const owner of owners) if (isShownAlone(owner.object)) builder.nodeOf(owner);
    for (const owner of owners) if (!builder.add(owner)) break;
    const graph = builder.finished();
    return { ...graph, isCut: graph.isCut || applied.length > owners.length };
  });
}
