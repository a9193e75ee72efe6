/** The model of a graph of objects, from which every format is drawn. All texts may come from a workspace. */

/**
 * What an edge means: a selector matches (`peer`: that of a peer in a rule of a network policy), a route sends requests
 * to a Service, an autoscaler scales a workload, an object refers to another by its name, or a workload may connect to
 * another.
 */
export type Relation = 'selects' | 'peer' | 'routes' | 'scales' | 'references' | 'connects';

/** Relations that have no influence on positions: there are many, and they are secondary. */
const secondary: ReadonlySet<Relation> = new Set(['peer', 'connects']);

/** Whether an edge decides where its ends are drawn. */
export function isPrimary({ relation }: { readonly relation: Relation }): boolean {
  return !secondary.has(relation);
}

/** The purpose of an object, which determines its color. */
export type Family = 'workload' | 'service' | 'policy' | 'route' | 'autoscaler' | 'namespace' | 'other';

export interface GraphNode {
  /** Unique in its graph. */
  readonly id: string;
  readonly kind: string;
  readonly family: Family;
  /** Undefined for an object without a namespace, or with an unknown one. */
  readonly namespace?: string;
  readonly name: string;
  /** Its own labels with known values. */
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
