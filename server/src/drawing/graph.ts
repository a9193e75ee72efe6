/** The model of a graph of objects, from which every format is drawn. All texts may come from a workspace. */

/**
 * What an edge means: a selector matches, a route sends requests to a Service, an autoscaler scales a workload, or a
 * workload may connect to another.
 */
export type Relation = 'selects' | 'routes' | 'scales' | 'connects';

/** What an object does, by which it is colored. */
export type Family = 'workload' | 'service' | 'policy' | 'route' | 'autoscaler' | 'namespace' | 'other';

export interface GraphNode {
  /** Unique in its graph. */
  readonly id: string;
  readonly kind: string;
  readonly family: Family;
  /** Undefined for an object without a namespace, or one whose namespace is not known. */
  readonly namespace?: string;
  readonly name: string;
  /** Its own labels with known values. */
  readonly labels: Readonly<Record<string, string>>;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly relation: Relation;
  /** The path of the field that makes the edge; of a connection its ports. */
  readonly label: string;
  /** False for an edge that something unknown decides. */
  readonly certain: boolean;
  /** A sentence without a period. */
  readonly reason: string;
}

/** Each edge begins and ends in a node of the graph. */
export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

/** `Deployment/web`. */
export function titleOf({ kind, name }: Pick<GraphNode, 'kind' | 'name'>): string {
  return `${kind}/${name}`;
}
