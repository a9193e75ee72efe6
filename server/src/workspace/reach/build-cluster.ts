/** Builds the reachability model of objects that are applied to one cluster. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import {
  type AddressGroup,
  type CalicoTierObject,
  type LabelSet,
  type NetworkSet,
  type Plugin,
  Reachability,
  type ReachNamespace,
  type ReachPod,
  type ReachPolicy,
  type ReachServiceAccount,
  type Value,
} from '../../engine/index.ts';
import { once } from '../../engine/memoize.ts';
import { hasAddresses } from '../../manifests/kinds/address-fields.ts';
import { type PolicyKind, policyKindOf } from '../../manifests/kinds/network-policy.ts';
import { networkRoleOf } from '../../manifests/kinds/network-spec.ts';
import { type PluginSetting, pluginSettingsIn } from '../../manifests/kinds/plugin-settings.ts';
import type { LabeledObject } from '../../manifests/model.ts';
import { everyCluster, type Scope } from '../scopes/model.ts';
import {
  type Cluster,
  type ClusterOptions,
  defaultNamespace,
  type PolicyObject,
  type RejectedPolicy,
  type ServiceObject,
  type SettingObject,
  type UnevaluatedPods,
  type Workload,
} from './cluster.ts';
import { type ClusterObject, isInBrokenFile, isInSomeNamespace, namespaceOf } from './cluster-object.ts';
import { guessedPods, isServiceAccount, labeledPods } from './network-objects.ts';
import {
  brokenPolicy,
  defaultPolicyOf,
  forwardingPolicy,
  isOtherPolicy,
  type OtherPolicy,
  otherPolicyIn,
  unevaluated,
} from './other-policies.ts';
import {
  addressGroupIn,
  identityProblemsOf,
  isNamespaced,
  isOfForwarded,
  ownLabels,
  pluginOf,
  pluginPoliciesIn,
  tierIn,
} from './plugin-policies.ts';
import { ownerOf, podOf } from './pods-of-objects.ts';
import { policyIn } from './policy-parts.ts';

/** Creates the reachability model of objects that are applied to one cluster. If two objects have the same identity, the last one replaces the first. */
export function clusterOf(
  objects: Iterable<ClusterObject>,
  catalogueOf: (uri: string) => Catalogue,
  { isOpen, possible = [], home }: ClusterOptions,
): Cluster {
  const isWritten = ({ object }: ClusterObject) => !object.inValues && !object.inline;
  const [certain, others] = [[...objects].filter(isWritten), [...possible].filter(isWritten)];
  const meshRoots = [...certain, ...others].flatMap(({ object }) => object.meshRoots ?? []);
  const builder = new ClusterBuilder(catalogueOf, meshRoots.length === 0 ? undefined : new Set(meshRoots));
  for (const where of certain) builder.add(where);
  for (const where of others) builder.addPossible(where);
  const [first] = certain;
  if (first !== undefined) builder.addOfEveryCluster(first);
  return builder.finished(isOpen, home);
}

interface WorkloadPod {
  readonly workload: Workload;
  readonly pod: ReachPod;
}

class ClusterBuilder {
  readonly #catalogueOf: (uri: string) => Catalogue;
  readonly #meshRoots: ReadonlySet<string> | undefined;
  readonly #workloads = new Map<string, WorkloadPod>();
  readonly #unevaluated = new Map<string, WorkloadPod>();
  readonly #ofEveryCluster: WorkloadPod[] = [];
  readonly #policies = new Map<string, PolicyObject>();
  readonly #namespaces = new Map<string, ReachNamespace>();
  readonly #rejected: RejectedPolicy[] = [];
  readonly #others: ClusterObject[] = [];
  readonly #services: ServiceObject[] = [];
  readonly #addressed: ClusterObject[] = [];
  readonly #addressGroups = new Map<string, AddressGroup>();
  readonly #networkSets = new Map<string, NetworkSet>();
  readonly #tiers = new Map<string, CalicoTierObject>();
  readonly #serviceAccounts = new Map<string, ReachServiceAccount>();
  readonly #hosts: LabelSet[] = [];
  readonly #settings = new Map<string, readonly SettingObject[]>();
  readonly #globalPolicies = new Map<string, { readonly where: ClusterObject; readonly name: string }>();
  readonly #plugins = new Set<Plugin>();
  #hasHostEndpoints = false;
  #hasTlsSettings = false;
  #assumed = false;
  #named = false;

  constructor(catalogueOf: (uri: string) => Catalogue, meshRoots: ReadonlySet<string> | undefined) {
    this.#catalogueOf = catalogueOf;
    this.#meshRoots = meshRoots;
  }

  add(where: ClusterObject): void {
    const { object } = where;
    const name = object.name?.text ?? object.generateName?.text ?? '';
    if (hasAddresses(object)) this.#addressed.push(where);
    if (object.installedSettings !== undefined)
      this.#addSettings(where, `${object.kind}/${name}`, object.installedSettings);
    if (object.group === '' && object.kind === 'Namespace') {
      this.#namespaces.set(name, { name, labels: ownLabels(object) });
      this.#addDefault(where, name, { path: 'metadata.annotations', namespace: name, labels: {} });
      return;
    }
    if (isServiceAccount(object)) this.#addAccount(where, name);
    if (isOtherPolicy(object)) this.#addOther(where, name);
    if (object.networkSpec !== undefined) this.#addOfPlugin(where, name);
    const kind = policyKindOf(object);
    const labeledObjects = kind === undefined ? labeledPods(object) : [];
    const guessed = guessedPods(object);
    if (kind === undefined && labeledObjects.length + guessed.length === 0 && object.servicePorts === undefined) return;
    const namespace = this.#namespaceOf(where);
    for (const labeledObject of guessed) {
      const key = JSON.stringify([object.kind, shown(namespace), name, labeledObject.via]);
      this.#unevaluated.set(key, unevaluatedPod(where, labeledObject, namespace));
    }
    if (kind !== undefined) this.#addPolicy(where, kind, namespace, name);
    if (object.servicePorts !== undefined) this.#addService(where, namespace);
    for (const labeledObject of labeledObjects)
      this.#addPod(where, labeledObject, namespace, name, labeledObjects.length > 1);
  }

  addPossible(where: ClusterObject): void {
    const { object } = where;
    const name = object.name?.text ?? object.generateName?.text ?? '';
    if (object.group === '' && object.kind === 'Namespace' && !this.#namespaces.has(name))
      this.#namespaces.set(name, { name, labels: { labels: {}, open: true } });
    if (object.installedSettings !== undefined)
      this.#addSettings(where, `${object.kind}/${name}`, object.installedSettings, true);
    if (isOtherPolicy(object)) this.#addOther(where, name);
    if (object.networkSpec !== undefined) this.#addOfPlugin(where, name, where.workspace.appliedBy);
    const kind = policyKindOf(object);
    const possiblyBy = where.workspace.appliedBy;
    const read = kind === undefined ? undefined : policyIn(object);
    if (kind === undefined || possiblyBy === undefined || !read?.ok) return;
    const namespace = this.#namespaceOf(where);
    const inNamespace = kind === 'NetworkPolicy' ? shown(namespace) : undefined;
    const policy: ReachPolicy = {
      ...read.value,
      ...(kind === 'NetworkPolicy' && { namespace }),
      isOptional: true,
    };
    const key = JSON.stringify([possiblyBy.path, inNamespace, name]);
    this.#policies.set(key, { namespace: inNamespace, name, where, policy, possiblyBy });
  }

  /** Adds the pods that exist in every cluster, whose further labels are unknown. */
  addOfEveryCluster({ workspace }: ClusterObject): void {
    const file = workspace.files.get(everyCluster);
    if (file === undefined) return;
    for (const object of file.manifest.objects) {
      const namespace = object.namespace?.value ?? defaultNamespace;
      for (const labeledObject of labeledPods(object))
        this.#ofEveryCluster.push(unevaluatedPod({ file, object, workspace }, labeledObject, namespace));
    }
  }

  /** Returns the namespace of an object, and records whether it is assumed. */
  #namespaceOf(where: ClusterObject): Value {
    const catalogue = this.#catalogueOf(where.file.uri);
    const namespace = namespaceOf(where, catalogue);
    if (namespace !== undefined) this.#named = true;
    else if (isInSomeNamespace(where.object)) this.#assumed = true;
    return namespace ?? defaultNamespace;
  }

  #addAccount(where: ClusterObject, name: string): void {
    const namespace = this.#namespaceOf(where);
    this.#serviceAccounts.set(`${shown(namespace)}/${name}`, { namespace, name, labels: ownLabels(where.object) });
  }

  /** Adds an object to which policies of network plugins refer. Returns whether it is one. */
  #addReferred(where: ClusterObject, name: string, namespace: Value, isPossible: boolean): boolean {
    const { object } = where;
    const key = `${object.kind}/${isNamespaced(object) ? shown(namespace) : ''}/${name}`;
    switch (networkRoleOf(object)) {
      case 'cilium addresses':
        if (!isPossible || !this.#addressGroups.has(key))
          this.#addressGroups.set(key, addressGroupIn(object, name, isPossible));
        return true;
      case 'calico addresses': {
        const group = addressGroupIn(object, name, isPossible);
        const of = isNamespaced(object) ? namespace : undefined;
        if (!isPossible || !this.#networkSets.has(key)) this.#networkSets.set(key, { ...group, namespace: of });
        return true;
      }
      case 'calico tier':
        if (!isPossible || !this.#tiers.has(name))
          this.#tiers.set(
            name,
            isPossible ? { name, order: undefined, defaultAction: undefined } : tierIn(object, name),
          );
        return true;
      case 'calico host':
        this.#hasHostEndpoints = true;
        this.#hosts.push(isPossible ? { labels: {}, open: true } : ownLabels(object));
        this.#networkSets.set(key, {
          ...addressGroupIn(object, name, isPossible),
          namespace: undefined,
          isOfHost: true,
        });
        return true;
      case 'calico settings':
      case 'cilium settings':
        this.#addSettings(where, key, pluginSettingsIn(object, object.networkSpec), isPossible);
        return true;
      case 'istio tls':
        this.#hasTlsSettings = true;
        return true;
      default:
        return false;
    }
  }

  /** Adds the settings of an object. Settings that are possibly applied to another cluster do not replace those of this cluster. */
  #addSettings(where: ClusterObject, key: string, settings: readonly PluginSetting[], isPossible = false): void {
    const found = settings.flatMap(({ name, effects }) =>
      effects.map((effect): SettingObject => ({ where, name, effect })),
    );
    const before = isPossible ? (this.#settings.get(key) ?? []) : [];
    this.#settings.set(key, [...before, ...found]);
  }

  /** Adds the policies of a network plugin in an object, or another object to which such policies refer. */
  #addOfPlugin(where: ClusterObject, name: string, possiblyBy?: Scope): void {
    const { object } = where;
    const namespace = this.#namespaceOf(where);
    const plugin = pluginOf(object);
    if (plugin === 'Cilium' || plugin === 'Calico') this.#plugins.add(plugin);
    if (this.#addReferred(where, name, namespace, possiblyBy !== undefined)) return;
    const read = pluginPoliciesIn(object, namespace, { name, meshRoots: this.#meshRoots });
    if (read === undefined) return;
    if (object.kind === 'GlobalNetworkPolicy') this.#globalPolicies.set(name, { where, name });
    const inNamespace = isNamespaced(object) ? shown(namespace) : undefined;
    const identity = [object.group, object.kind, inNamespace, name, possiblyBy?.path];
    for (let index = 0; this.#policies.delete(JSON.stringify([...identity, index])); index++);
    const isBroken = isInBrokenFile(where);
    if (!read.ok && isBroken) {
      const own = isNamespaced(object) ? namespace : undefined;
      this.#addUnevaluated(where, name, namespace, brokenPolicy(object, own));
      return;
    }
    const problems = [...identityProblemsOf(object), ...(read.ok ? [] : read.problems)];
    const [rejection] = problems;
    if (rejection !== undefined && possiblyBy === undefined) this.#rejected.push({ where, problems });
    const isOptional = object.isOptional === true || possiblyBy !== undefined || isBroken;
    for (const [index, each] of (read.ok ? read.value : (read.partial ?? [])).entries()) {
      const known: ReachPolicy = isOptional ? { ...each, isOptional: true } : each;
      // A rejected policy has no effect, unless an earlier version of it is in the cluster.
      const policy: ReachPolicy = rejection ? { ...known, isOptional: true, mayBeRejected: true } : known;
      const reasons = { ...(possiblyBy && { possiblyBy }), ...(rejection && { rejection }) };
      const made = { namespace: inNamespace, name, where, policy, ...reasons };
      this.#policies.set(JSON.stringify([...identity, index]), made);
    }
  }

  #addOther(where: ClusterObject, name: string): void {
    this.#others.push(where);
    const namespace = this.#namespaceOf(where);
    this.#addUnevaluated(where, name, namespace, otherPolicyIn(where.object, namespace, this.#meshRoots));
  }

  /** Adds the default policy of a Namespace, or of the pods of a workload. */
  #addDefault(where: ClusterObject, name: string, pods: Parameters<typeof defaultPolicyOf>[1]): void {
    const other = defaultPolicyOf(where.object, pods);
    if (other !== undefined) this.#others.push(where);
    this.#addUnevaluated(where, name, pods.namespace, other);
  }

  #addUnevaluated(where: ClusterObject, name: string, of: Value, other: OtherPolicy | undefined): void {
    if (other === undefined) return;
    const namespace = other.isNamespaced ? shown(of) : undefined;
    const key = JSON.stringify([where.object.group, where.object.kind, namespace, name]);
    this.#policies.set(key, { namespace, name, where, policy: other.policy, other });
  }

  #addPolicy(where: ClusterObject, kind: PolicyKind, namespace: Value, name: string): void {
    const isOptional = where.object.isOptional === true || isInBrokenFile(where);
    const read = policyIn(where.object);
    const inNamespace = kind === 'NetworkPolicy' ? shown(namespace) : undefined;
    const key = inNamespace === undefined ? name : `${inNamespace}/${name}`;
    this.#policies.delete(key);
    if (!read.ok) {
      const own = kind === 'NetworkPolicy' ? namespace : undefined;
      if (isInBrokenFile(where)) this.#addUnevaluated(where, name, namespace, brokenPolicy(where.object, own));
      else this.#rejected.push({ where, problems: read.problems });
      return;
    }
    const inCluster = kind === 'NetworkPolicy' ? { ...read.value, namespace } : read.value;
    const policy: ReachPolicy = isOptional ? { ...inCluster, isOptional: true } : inCluster;
    this.#policies.set(key, { namespace: inNamespace, name, where, policy });
  }

  #addService(where: ClusterObject, namespace: Value): void {
    const [site] = where.object.selectorSites;
    const selector = site?.selector?.ok && site.state === 'present' ? site.selector.value : undefined;
    if (selector !== undefined) this.#services.push({ where, namespace, selector });
  }

  #addPod(
    where: ClusterObject,
    labeledObject: LabeledObject,
    namespace: Value,
    name: string,
    isOneOfSeveral: boolean,
  ): void {
    const { object } = where;
    const owner = labeledObject.via === undefined ? ownerOf(object) : undefined;
    const identity = { kind: owner?.kind ?? object.kind, namespace: shown(namespace), name: owner?.name ?? name };
    const key = [identity.namespace, identity.kind, identity.name, isOneOfSeveral ? labeledObject.via : ''].join('/');
    // If a controller owns several pods, the first one represents all of them.
    if (owner !== undefined && this.#workloads.has(key)) return;
    const pod = podOf(where.workspace, where, labeledObject, namespace);
    const path = labeledObject.via === undefined ? 'metadata.annotations' : `${labeledObject.via}.metadata.annotations`;
    this.#addDefault(where, name, { path, namespace, labels: labeledObject.labels });
    const workload = { ...identity, where, via: labeledObject.via, hostNetwork: pod.hostNetwork !== 'no' };
    this.#workloads.set(key, { workload, pod });
  }

  /** Returns the policies. If there are policies of several network plugins, it is unknown which of them runs, so that none of their policies is evaluated. */
  #evaluatedPolicies(): readonly PolicyObject[] {
    const all = [...this.#policies.values(), ...this.#forwardingPolicies()];
    const areSeveral = (['Cilium', 'Calico'] as const).every((tier) => all.some(({ policy }) => policy.tier === tier));
    if (!areSeveral) return all;
    return all.map((each) => {
      if (each.policy.tier !== 'Cilium' && each.policy.tier !== 'Calico') return each;
      this.#others.push(each.where);
      const policy = unevaluated(each.policy);
      return {
        ...each,
        policy,
        other: { policy, isNamespaced: each.namespace !== undefined, because: 'several plugins' },
      };
    });
  }

  /** Returns the policies of Calico that endpoints of hosts apply to what they forward, which are not evaluated. */
  #forwardingPolicies(): readonly PolicyObject[] {
    const found = [...this.#globalPolicies.values()].filter(({ where }) => isOfForwarded(where.object, this.#hosts));
    return found.map(({ where, name }): PolicyObject => {
      const other = forwardingPolicy(where.object);
      return { namespace: undefined, name, where, policy: other.policy, other };
    });
  }

  finished(isOpen: boolean, home: Scope | undefined): Cluster {
    const workloads = [...this.#workloads.values()];
    const settings = [...this.#settings.values()].flat();
    if (settings.some(({ effect }) => effect === 'creates endpoints of hosts'))
      this.#hosts.push({ labels: {}, open: true });
    const policies = this.#evaluatedPolicies();
    const world = {
      pods: workloads.map(({ pod }) => pod),
      namespaces: [...this.#namespaces.values()],
      policies: policies.map(({ policy }) => policy),
      plugins: [...this.#plugins],
      addressGroups: [...this.#addressGroups.values()],
      networkSets: [...this.#networkSets.values()],
      tiers: [...this.#tiers.values()],
      serviceAccounts: [...this.#serviceAccounts.values()],
      hasHostEndpoints: this.#hasHostEndpoints,
      settings: settings.map(({ effect }) => effect),
      hasTlsSettings: this.#hasTlsSettings,
      namespacesOpen: isOpen,
      policiesOpen: isOpen,
    };
    const reachability = once(() => new Reachability(world));
    const withoutEnds = (pods: readonly WorkloadPod[]): UnevaluatedPods => {
      const ofPods = once(() => new Reachability({ ...world, pods: pods.map(({ pod }) => pod) }));
      return {
        workloads: pods.map(({ workload }) => workload),
        get reachability() {
          return ofPods();
        },
      };
    };
    return {
      get reachability() {
        return reachability();
      },
      unevaluated: withoutEnds([...this.#unevaluated.values()]),
      inEveryCluster: withoutEnds(this.#ofEveryCluster),
      workloads: workloads.map(({ workload }) => workload),
      policies,
      services: this.#services,
      rejected: this.#rejected,
      others: this.#others,
      settings,
      addressed: this.#addressed,
      assumesNamespace: this.#assumed && (this.#named || this.#namespaces.size > 0),
      home,
    };
  }
}

function unevaluatedPod(where: ClusterObject, labeledObject: LabeledObject, namespace: Value): WorkloadPod {
  const { object, workspace } = where;
  const name = object.name?.text ?? object.generateName?.text ?? '';
  const pod = podOf(workspace, where, labeledObject, namespace);
  const hostNetwork = pod.hostNetwork !== 'no';
  const workload = { kind: object.kind, namespace: shown(namespace), name, where, via: labeledObject.via, hostNetwork };
  return { workload, pod };
}

function shown(value: Value): string {
  return typeof value === 'string' ? value : value.unknown;
}
