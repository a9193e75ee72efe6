/** The model of a graph of objects, from which every format is drawn. Its strings may come from a workspace and are not escaped. */

/**
 * What an edge means: a selector matches (`peer`: that of a peer in a rule of a network policy), a route sends requests
 * to a Service, an autoscaler scales a workload, an object refers to another by its name, or a workload may connect to
 * another.
 */
export type Relation = 'selects' | 'peer' | 'routes' | 'scales' | 'references' | 'connects';

/** Relations whose edges do not affect positions, because there are many of these edges and they are less important than other edges. */
const secondary: ReadonlySet<Relation> = new Set(['peer', 'connects']);

/** Whether an edge affects the positions of its ends. */
export function isPrimary({ relation }: { readonly relation: Relation }): boolean {
  return !secondary.has(relation);
}

/** The purpose of an object, which determines its color. */
export type Family = 'workload' | 'service' | 'policy' | 'route' | 'autoscaler' | 'namespace' | 'other';

export interface GraphNode {
  /** The id of the node, unique within the graph. */
  readonly id: string;
  readonly kind: string;
  readonly family: Family;
  /** The namespace of the object; absent if the object has no namespace, or if its namespace is unknown. */
  readonly namespace?: string;
  readonly name: string;
  /** The labels of the object itself, without labels whose values are unknown. */
  readonly labels: Readonly<Record<string, string>>;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly relation: Relation;
  /** The path of the field that causes the edge; for a connection, its ports. */
  readonly label: string;
  /** False if the edge depends on an unknown value. */
  readonly certain: boolean;
  /** The reason for the edge, as a sentence without a period. */
  readonly reason: string;
  /** For a connection, the rules that decide. */
  readonly why?: string;
}

/** A graph of objects. Both ends of each edge are nodes of the graph. */
export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

/** `Deployment/web`. */
export function titleOf({ kind, name }: Pick<GraphNode, 'kind' | 'name'>): string {
  return `${kind}/${name}`;
}
