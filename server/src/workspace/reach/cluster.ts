/** The reachability model of a set of objects, and the object from which each pod and policy of the model originates. */

import type { Problem, Reachability, ReachPolicy, Selector, SettingEffect, Value } from '../../engine/index.ts';
import type { Scope } from '../scopes/model.ts';
import type { ClusterObject } from './cluster-object.ts';
import type { OtherPolicy } from './other-policies.ts';

/** A workload, or a pod that no other object controls. */
export interface Workload {
  readonly kind: string;
  /** The namespace for display: its name, or the expression of a template. */
  readonly namespace: string;
  readonly name: string;
  readonly where: ClusterObject;
  /** The path of the pod template; undefined for a pod. */
  readonly via: string | undefined;
  /** Whether the pods of the workload use the network of their node, certainly or possibly. */
  readonly hostNetwork: boolean;
}

export interface PolicyObject {
  /** The namespace of the policy; undefined for a ClusterNetworkPolicy. */
  readonly namespace: string | undefined;
  readonly name: string;
  readonly where: ClusterObject;
  readonly policy: ReachPolicy;
  /** Set if the policy belongs to another system, whose rules are not evaluated. */
  readonly other?: OtherPolicy;
  /** The scope that applies the policy, if it is possibly applied to another cluster. */
  readonly possiblyBy?: Scope;
  /** Why the system of the policy rejects it: it has no effect, or an earlier version of it has. */
  readonly rejection?: Problem;
}

/** A setting of a network plugin that may change what policies decide. */
export interface SettingObject {
  readonly where: ClusterObject;
  /** The name of the setting. */
  readonly name: string;
  readonly effect: SettingEffect;
}

/** Pods that are no ends of connections, because they may have further labels, and a model that contains only these pods. */
export interface UnevaluatedPods {
  readonly workloads: readonly Workload[];
  readonly reachability: Reachability;
}

export interface RejectedPolicy {
  readonly where: ClusterObject;
  readonly problems: readonly Problem[];
}

export interface ServiceObject {
  readonly where: ClusterObject;
  readonly namespace: Value;
  readonly selector: Selector;
}

export interface Cluster {
  readonly reachability: Reachability;
  /** The workloads, in the order of the pods of the reachability model. */
  readonly workloads: readonly Workload[];
  /** The policies, in the order of the policies of the reachability model. */
  readonly policies: readonly PolicyObject[];
  /** The pods to which their controllers may add labels. */
  readonly unevaluated: UnevaluatedPods;
  /** The pods that exist in every cluster, which no file contains. */
  readonly inEveryCluster: UnevaluatedPods;
  readonly services: readonly ServiceObject[];
  readonly rejected: readonly RejectedPolicy[];
  /** The policies of other systems. Connections of the pods that they may select are unknown. */
  readonly others: readonly ClusterObject[];
  /** The settings of network plugins, in the order of the settings of the reachability model. */
  readonly settings: readonly SettingObject[];
  /** The objects that may have addresses: pods, services, nodes and pools of addresses. */
  readonly addressed: readonly ClusterObject[];
  /** Whether some objects name no namespace, so that the default namespace is assumed for them, beside objects that do. */
  readonly assumesNamespace: boolean;
  /** The scope for which the cluster was determined; absent if the cluster belongs to no single scope. */
  readonly home?: Scope | undefined;
}

export interface ClusterOptions {
  /** Whether there may be policies and namespace labels that are not loaded. */
  readonly isOpen: boolean;
  /** Objects that are possibly applied to another cluster; only policies and Namespaces are evaluated. */
  readonly possible?: Iterable<ClusterObject> | undefined;
  readonly home?: Scope | undefined;
}

/** Whether the scope for which a cluster was determined applies an object of the cluster. */
export function isAtHome({ home }: Cluster, { workspace: { appliedBy } }: ClusterObject): boolean {
  return home === undefined || appliedBy === undefined || appliedBy === home;
}

/** The namespace that is assumed for objects that name none. */
export const defaultNamespace = 'default';

export function seenFrom(cluster: Cluster, home: Scope): Cluster {
  const {
    workloads,
    policies,
    unevaluated,
    inEveryCluster,
    services,
    rejected,
    others,
    settings,
    addressed,
    assumesNamespace,
  } = cluster;
  return {
    get reachability() {
      return cluster.reachability;
    },
    workloads,
    policies,
    unevaluated,
    inEveryCluster,
    services,
    rejected,
    others,
    settings,
    addressed,
    assumesNamespace,
    home,
  };
}
