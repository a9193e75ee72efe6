/**
 * Which namespaces do the facts mean by their words for the scope of a selector? One row per phrase, reviewed by hand.
 * `^` is the parent of the selector, `>` the selector itself (an item that has `matchLabels` beside other keys);
 * `[namespaceSelectorAt, namesAt, anyAt, otherwise, allFrom]` as in the packed form.
 */

import type { SelectorEntry } from './facts.ts';

export type PackedReach = 'own' | 'all' | 'cluster' | 'unknown' | readonly string[];

const besideSelector: PackedReach = ['^namespaceSelector'];
/** Prometheus' way: not a label selector, but `any: true` or `matchNames: [...]`. */
const anyOrNames = (at: string): PackedReach => ['', `${at}.matchNames`, `${at}.any`];

const REACHES: Readonly<Record<string, PackedReach>> = {
  sameNamespace: 'own',
  cluster: 'cluster',
  'all namespaces': 'all',
  unknown: 'unknown',
  'n/a': 'unknown',

  // A namespace selector beside it; absent, it means what its own row says.
  'namespaceSelector at sibling': besideSelector,
  'namespaceSelector at sibling namespaceSelector': besideSelector,
  'namespaceSelector at sibling or own namespace': besideSelector,
  'sameNamespace or sibling namespaceSelector': besideSelector,
  'sameNamespace unless sibling namespaceSelector is set': besideSelector,
  'sibling namespaceSelector': besideSelector,
  'namespaceSelector at sibling; cluster kinds default to all namespaces': besideSelector,
  'ClusterNetworkPolicy/ClusterGroup/Egress: all namespaces or sibling namespaceSelector; NetworkPolicy/Group: sameNamespace':
    besideSelector,
  'namespaceSelector at sibling podMonitorNamespaceSelector': ['^podMonitorNamespaceSelector'],
  'namespaceSelector at sibling serviceMonitorNamespaceSelector': ['^serviceMonitorNamespaceSelector'],
  'namespaceSelector at sibling probeNamespaceSelector': ['^probeNamespaceSelector'],
  'namespaceSelector at sibling scrapeConfigNamespaceSelector': ['^scrapeConfigNamespaceSelector'],
  'spec.namespace, else spec.namespaceSelector, else cluster': ['spec.namespaceSelector', 'spec.namespace', '', 'all'],
  'objects of the rules/resourceRules': ['^namespaceSelector', '', '', 'all'],
  resourceRules: ['^namespaceSelector', '', '', 'all'],
  'kinds/namespaces of the same resources block': ['^namespaceSelector', '^namespaces', '', 'all'],
  'spec.match.kinds/namespaces': ['^namespaceSelector', '^namespaces', '', 'all'],
  'spec.match.kinds': ['^namespaceSelector', '^namespaces', '', 'all'],
  'workload cluster': 'unknown',
  'spec.namespaceSelector': anyOrNames('spec.namespaceSelector'),
  'namespaces of spec.namespaceSelector': ['spec.namespaceSelector'],

  // Names beside it.
  'namespaceSelector at spec.namespaceSelector (any | matchNames); default own namespace':
    anyOrNames('spec.namespaceSelector'),
  'namespaceSelector at spec.namespaceSelector (any | matchNames)': anyOrNames('spec.namespaceSelector'),
  'namespaceSelector at spec.targets.ingress.namespaceSelector (any | matchNames); default own namespace': anyOrNames(
    'spec.targets.ingress.namespaceSelector',
  ),
  'namespaces at spec.namespaceSelector.matchNames; default own': ['', 'spec.namespaceSelector.matchNames'],
  'triggerSelector.namespaceSelector.matchNames': ['', '^namespaceSelector.matchNames'],
  'selector.namespaces; default own namespace': ['', '^namespaces'],
  'selector.namespaces': ['', '^namespaces'],
  'namespaces field': ['', '^namespaces'],
  'namespace field': ['', '^namespace', '', 'all'],
  'namespace field of the item': ['', '>namespace'],
  'k8sServiceSelector.namespace': ['', '^namespace', '', 'all'],
  'cloneList.namespace': ['', '^namespace', '', 'all'],
  'targets[].namespace': ['', '^namespace', '', 'all'],
  'paramRef.namespace': ['', '^namespace', '', 'all'],
  'namespace at spec.paramRef.namespace, else namespace of the request object; cluster for cluster-scoped params': [
    '',
    '^namespace',
    '',
    'all',
  ],
  'the request being checked': ['', 'spec.resourceAttributes.namespace', '', 'all'],
  'resourceSelectors[].namespace, default own': ['', '^namespace'],
  'selectors[].namespace': ['', '^namespace'],
  'requiredResources[].namespace or all': ['', '>namespace', '', 'all'],
  'eventSources[].namespace, default own': ['', '>namespace'],
  'resources[].namespace, default own': ['', '>namespace'],
  'spec.subject.namespace, default own': ['', 'spec.subject.namespace'],
  'all namespaces (or serviceAllocation.namespaces)': ['', 'spec.serviceAllocation.namespaces', '', 'all'],
  'sameNamespace as the proxy applying the rule; sourceNamespace can narrow': ['', '^sourceNamespace', '', 'all'],
  'spec.appinfo.appns': ['', 'spec.appinfo.appns'],
  'includedNamespaces/resources': ['', '^includedNamespaces', '', 'all'],
  'hook includedNamespaces': ['', '^includedNamespaces', '', 'all'],
  'namespaces or all': ['', 'spec.kubernetesSDConfigs[].namespaces.names', '', 'all'],
  'namespaces.names or all': ['', 'scrape_configs[].kubernetes_sd_configs[].namespaces.names', '', 'all'],

  // One namespace, and more under conditions that the object does not tell.
  'sameNamespace (workspace)': 'own',
  'sameNamespace and spec.clusterName': 'own',
  'sameNamespace unless the selector itself names io.kubernetes.pod.namespace': 'own',
  'pods of the workflow': 'unknown',
  'VMs of the pool': 'unknown',
  'applications generated by this ApplicationSet': 'unknown',
  'sameNamespace; all namespaces with allowCrossNamespaceImport: true': ['', '', 'spec.allowCrossNamespaceImport'],
  'sameNamespace; in the mesh root namespace (usually istio-system) it covers all namespaces': [
    '',
    '',
    '',
    '',
    'istio-system',
  ],
  'sameNamespace; all namespaces if the policy lives in the operator namespace': ['', '', '', '', 'elastic-system'],
  'sameNamespace or cross-namespace': 'unknown',
  'sameNamespace or namespaces.from': 'unknown',
  'sameNamespace (Flow); all or listed namespaces (ClusterFlow)': 'unknown',
  'all namespaces by default (restricted to the same namespace when PILOT_SCOPE_GATEWAY_TO_NAMESPACE is true)': 'all',
  'pods behind spec.host (a Service/ServiceEntry), in any namespace': 'all',
  'all namespaces (cluster kinds) / sameNamespace': 'unknown',
  'cluster (ManagedClusterSets bound to the namespace)': 'cluster',
  'kind field decides; sameNamespace for SecretStore': 'unknown',

  // Not objects of this cluster, or known to the tool only.
  'AWS API': 'unknown',
  'Longhorn tags': 'unknown',
  Multus: 'unknown',
  'external API': 'unknown',
  'remote cluster': 'unknown',
  'metrics API': 'unknown',
  'generator output': 'unknown',
  'event payload': 'unknown',
  'node features': 'unknown',
  broker: 'unknown',
  'test fixture': 'unknown',
  'report scope': 'unknown',
  'rendered manifests': 'unknown',
  'objects rendered/managed by this resource': 'unknown',
  'resources accumulated by the kustomization': 'unknown',
  'namespace or cluster of the request': 'unknown',
  'pods already injected': 'unknown',
  project: 'unknown',
  tenant: 'unknown',
  'tenant namespaces': 'cluster',
  'cluster/tenant': 'cluster',
  'argocd namespace': 'own',
  'argocd namespace (Secrets labelled argocd.argoproj.io/secret-type: cluster)': 'own',
  'trust namespace': 'unknown',
  "descendants of the object's namespace": 'unknown',
  'spec.rules': 'unknown',
  'args.namespaces': 'unknown',
  'spec.resource.*.namespace or all': 'unknown',
  'cluster (v1 managed resources) or namespace (.m. groups)': 'unknown',
};

/** Kinds for which a phrase that speaks of several kinds decides: `phrase group/Kind`. */
const BY_KIND: Readonly<Record<string, Readonly<Record<string, PackedReach>>>> = {
  'sameNamespace (Flow); all or listed namespaces (ClusterFlow)': {
    Flow: 'own',
    ClusterFlow: ['', '^namespaces', '', 'all'],
  },
  'all namespaces (cluster kinds) / sameNamespace': {
    Profile: 'own',
    ClusterProfile: 'all',
    ClusterPromotion: 'all',
    ClusterHealthCheck: 'all',
    ClusterSet: 'all',
    EventTrigger: 'all',
    Techsupport: 'all',
  },
  'cluster (ClusterUsage) or namespace (Usage)': { ClusterUsage: 'all', Usage: 'own' },
  'kinds/namespaces of the same resources block': { Policy: 'own', CleanupPolicy: 'own' },
  resourceRules: Object.fromEntries(
    ['Deleting', 'Generating', 'ImageValidating', 'Mutating', 'Validating'].map((name) => [
      `Namespaced${name}Policy`,
      'own' as const,
    ]),
  ),
  'resourceSelectors[].namespace, default own': {
    ClusterOverridePolicy: ['', '^namespace', '', 'all'],
    ClusterPropagationPolicy: ['', '^namespace', '', 'all'],
  },
  'namespaceSelector at sibling': { VMProbe: anyOrNames('^namespaceSelector') },
  'certificates that use the issuer': { ClusterIssuer: 'all', Issuer: 'own', Challenge: 'own' },
};

const AT =
  /^namespaceSelector at ([^ ,]+)(?:, union with ([^ ;]+))?(?:; default own namespace|, else same namespace)?$/;

/** Puts the facts' words for a scope into a closed form; a phrase without a row is told to `unmapped`. */
export function reachOf(entry: SelectorEntry, unmapped: (phrase: string) => void): PackedReach {
  const targets = entry.targets.map((target) => target.kind);
  if (targets.length > 0 && targets.every((kind) => kind === 'Namespace' || kind === 'Node')) return 'cluster';
  // Grafana's way: `podMonitorSelector` has `podMonitorNamespaceSelector` beside it.
  if (entry.scope === 'sibling namespace selector') {
    return [`^${entry.path.slice(entry.path.lastIndexOf('.') + 1).replace(/Selector$/, 'NamespaceSelector')}`];
  }
  const known = BY_KIND[entry.scope]?.[entry.kind] ?? REACHES[entry.scope];
  if (known !== undefined) return known;
  const [, selectorAt = '', namesAt = ''] = AT.exec(entry.scope) ?? [];
  if (selectorAt === '') {
    unmapped(`scope "${entry.scope}"`);
    return 'unknown';
  }
  const places = [selectorAt, namesAt].map((path) => relativeTo(entry.path, path));
  return namesAt === '' ? places.slice(0, 1) : places;
}

/** Writes a path as seen from a selector's parent where it is beside it. */
function relativeTo(selector: string, path: string): string {
  const parent = selector.slice(0, selector.lastIndexOf('.') + 1);
  return path !== '' && parent !== '' && path.startsWith(parent) ? `^${path.slice(parent.length)}` : path;
}
