/** Tests the meanings of selectors in the catalogue, field by field. Surprising facts have separate tests. */

import assert from 'node:assert/strict';
import { catalogue } from '../../../server/src/engine/catalogue/index.ts';
import { everyKind, kind, means, reach, selector, targets } from './ask.ts';

const affinity = 'spec.template.spec.affinity.podAntiAffinity';
const required = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';

describe('the meaning of a missing, null or empty selector', () => {
  const rows: readonly (readonly [kind: string, path: string, absent: string, empty: string])[] = [
    // Services: their endpoints are managed elsewhere then.
    ['v1 Service', 'spec.selector', 'nothing', 'nothing'],
    // apps/v1 always rejects both.
    ['apps/v1 Deployment', 'spec.selector', 'invalid', 'invalid'],
    ['apps/v1 ReplicaSet', 'spec.selector', 'invalid', 'invalid'],
    ['apps/v1 StatefulSet', 'spec.selector', 'invalid', 'invalid'],
    ['apps/v1 DaemonSet', 'spec.selector', 'invalid', 'invalid'],
    // A CronJob may not set the selector of its Jobs; a Job may leave it out.
    ['batch/v1 CronJob', 'spec.jobTemplate.spec.selector', 'unknown', 'invalid'],
    ['batch/v1 Job', 'spec.selector', 'unknown', 'unknown'],
    // The same YAML protects nothing or the whole namespace.
    ['policy/v1beta1 PodDisruptionBudget', 'spec.selector', 'nothing', 'nothing'],
    ['policy/v1 PodDisruptionBudget', 'spec.selector', 'nothing', 'all'],
    // Not a pointer: a missing podSelector is the empty one.
    ['networking.k8s.io/v1 NetworkPolicy', 'spec.podSelector', 'all', 'all'],
    ['networking.k8s.io/v1 NetworkPolicy', 'spec.ingress[].from[].podSelector', 'all', 'all'],
    ['networking.k8s.io/v1 NetworkPolicy', 'spec.ingress[].from[].namespaceSelector', 'ownNamespace', 'all'],
    ['networking.k8s.io/v1 NetworkPolicy', 'spec.egress[].to[].namespaceSelector', 'ownNamespace', 'all'],
    // A null selector in a pod affinity or spread constraint matches no pod.
    ['apps/v1 Deployment', `${affinity}.${required}[].labelSelector`, 'nothing', 'all'],
    ['apps/v1 Deployment', `${affinity}.${preferred}[].podAffinityTerm.labelSelector`, 'nothing', 'all'],
    ['apps/v1 Deployment', `${affinity}.${required}[].namespaceSelector`, 'ownNamespace', 'all'],
    ['apps/v1 Deployment', 'spec.template.spec.topologySpreadConstraints[].labelSelector', 'nothing', 'all'],
    // Nodes: no requirement matches any; a node selector needs a term, an empty preference is skipped.
    ['v1 Pod', 'spec.nodeSelector', 'all', 'all'],
    ['v1 Pod', `spec.affinity.nodeAffinity.${required}`, 'all', 'invalid'],
    ['v1 Pod', `spec.affinity.nodeAffinity.${preferred}[].preference`, 'invalid', 'notFiltered'],
    // Null selects everything here, unlike in the library.
    ['v1 PersistentVolumeClaim', 'spec.selector', 'all', 'all'],
    ['admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration', 'webhooks[].namespaceSelector', 'all', 'all'],
    ['autoscaling/v2 HorizontalPodAutoscaler', 'spec.metrics[].pods.metric.selector', 'all', 'all'],
    ['storage.k8s.io/v1 CSIStorageCapacity', 'nodeTopology', 'nothing', 'all'],
    ['velero.io/v1 Backup', 'spec.labelSelector', 'all', 'all'],
    // Prometheus: no selector selects nothing, no namespace selector is its own namespace.
    ['monitoring.coreos.com/v1 Prometheus', 'spec.serviceMonitorSelector', 'nothing', 'all'],
    ['monitoring.coreos.com/v1 Prometheus', 'spec.serviceMonitorNamespaceSelector', 'ownNamespace', 'all'],
    // Kueue admits no namespace, Cilium announces none, or all.
    ['kueue.x-k8s.io/v1beta1 ClusterQueue', 'spec.namespaceSelector', 'nothing', 'all'],
    ['cilium.io/v2alpha1 CiliumL2AnnouncementPolicy', 'spec.serviceSelector', 'all', 'all'],
    ['cilium.io/v2 CiliumNodeConfig', 'spec.nodeSelector', 'nothing', 'all'],
    ['security.istio.io/v1 AuthorizationPolicy', 'spec.selector', 'all', 'all'],
  ];
  for (const [name, path, absent, empty] of rows) {
    it(`${name} ${path}: absent ${absent}, empty ${empty}`, () => {
      assert.equal(means(name, path), `${absent} / ${absent} / ${empty}`);
    });
  }

  it('an item of clusterRoleSelectors that is null aggregates every ClusterRole, an empty list none', () => {
    assert.equal(
      means('rbac.authorization.k8s.io/v1 ClusterRole', 'aggregationRule.clusterRoleSelectors[]'),
      'nothing / all / all',
    );
  });

  it('marks missing selectors that the server sets', () => {
    const filled = (name: string) => selector(name, 'spec.selector').filledFrom;
    assert.equal(filled('v1 ReplicationController'), 'templateLabels');
    assert.equal(filled('batch/v1 Job'), 'generated');
    assert.equal(filled('extensions/v1beta1 Deployment'), 'templateLabels');
    assert.equal(filled('apps/v1beta1 Deployment'), 'templateLabels');
    assert.equal(filled('apps/v1 Deployment'), undefined);
  });
});

describe('the namespaces of a selector', () => {
  it('a Service and a budget select in their own namespace', () => {
    assert.equal(reach('v1 Service', 'spec.selector'), 'own');
    assert.equal(reach('policy/v1 PodDisruptionBudget', 'spec.selector'), 'own');
  });

  it('the pods of a NetworkPolicy peer are in the namespaces next to them', () => {
    assert.deepEqual(reach('networking.k8s.io/v1 NetworkPolicy', 'spec.egress[].to[].podSelector'), {
      namespaceSelectorAt: 'spec.egress[].to[].namespaceSelector',
    });
  });

  it('an affinity has a namespace selector and a list of names, at every depth', () => {
    for (const [name, base] of [
      ['v1 Pod', 'spec'],
      ['apps/v1 Deployment', 'spec.template.spec'],
      ['batch/v1 CronJob', 'spec.jobTemplate.spec.template.spec'],
    ] as const) {
      const term = `${base}.affinity.podAffinity.${required}[]`;
      assert.deepEqual(reach(name, `${term}.labelSelector`), {
        namespaceSelectorAt: `${term}.namespaceSelector`,
        namesAt: `${term}.namespaces`,
      });
    }
  });

  it('the namespace selector that a reach names exists in every kind', () => {
    let checked = 0;
    for (const facts of everyKind()) {
      const paths = new Set(facts.selectors.map((fact) => fact.path));
      for (const fact of facts.selectors) {
        if (typeof fact.reach === 'string' || fact.reach.namespaceSelectorAt === undefined) continue;
        assert.ok(paths.has(fact.reach.namespaceSelectorAt), `${facts.group}/${facts.kind} ${fact.path}`);
        checked++;
      }
    }
    assert.ok(checked > 1000, `only ${checked} selectors`);
  });

  it('nodes, namespaces and volumes have no namespace', () => {
    assert.equal(reach('v1 Pod', 'spec.nodeSelector'), 'cluster');
    assert.equal(reach('networking.k8s.io/v1 NetworkPolicy', 'spec.ingress[].from[].namespaceSelector'), 'cluster');
    assert.equal(reach('v1 PersistentVolumeClaim', 'spec.selector'), 'cluster');
  });

  it('a ServiceMonitor names namespaces; it has no namespace selector of labels', () => {
    assert.deepEqual(reach('monitoring.coreos.com/v1 ServiceMonitor', 'spec.selector'), {
      namesAt: 'spec.namespaceSelector.matchNames',
      anyAt: 'spec.namespaceSelector.any',
    });
    const paths = kind('monitoring.coreos.com/v1 ServiceMonitor').selectors.map((fact) => fact.path);
    assert.equal(paths.includes('spec.namespaceSelector'), false);
  });

  it('an Istio Gateway selects everywhere, an AuthorizationPolicy in its own namespace unless that is the root namespace', () => {
    assert.equal(reach('networking.istio.io/v1 Gateway', 'spec.selector'), 'all');
    assert.deepEqual(reach('security.istio.io/v1 AuthorizationPolicy', 'spec.selector'), { allFrom: 'istio-system' });
  });

  it('a cluster-wide policy over a namespaced kind reaches all namespaces', () => {
    assert.equal(reach('cilium.io/v2alpha1 CiliumL2AnnouncementPolicy', 'spec.serviceSelector'), 'all');
  });
});

describe('the objects and the form of a selector', () => {
  it('Services select pods, ServiceMonitors Services, PodMonitors pods', () => {
    assert.deepEqual(targets('v1 Service', 'spec.selector'), ['/Pod']);
    for (const group of ['monitoring.coreos.com', 'azmonitoring.coreos.com']) {
      assert.deepEqual(targets(`${group}/v1 ServiceMonitor`, 'spec.selector'), ['/Service']);
    }
    assert.deepEqual(targets('monitoring.coreos.com/v1 PodMonitor', 'spec.selector'), ['/Pod']);
  });

  it('metrics are no Kubernetes objects, and an objectSelector selects any object', () => {
    assert.deepEqual(targets('autoscaling/v2 HorizontalPodAutoscaler', 'spec.metrics[].external.metric.selector'), []);
    assert.deepEqual(
      targets('admissionregistration.k8s.io/v1 MutatingWebhookConfiguration', 'webhooks[].objectSelector'),
      ['*/*'],
    );
  });

  it('contains the forms', () => {
    assert.equal(selector('v1 Service', 'spec.selector').form, 'map');
    assert.equal(selector('v1 Pod', 'spec.nodeSelector').form, 'nodeSelectorMap');
    assert.equal(selector('security.istio.io/v1 AuthorizationPolicy', 'spec.selector').form, 'matchLabelsOnly');
    assert.equal(selector('storage.k8s.io/v1 StorageClass', 'allowedTopologies[]').form, 'other');
    assert.equal(selector('projectcalico.org/v3 NetworkPolicy', 'spec.selector').form, 'calicoSelector');
    assert.equal(selector('crd.projectcalico.org/v1 NetworkPolicy', 'spec.selector').language, 'calico');
    assert.equal(selector('cilium.io/v2 CiliumNetworkPolicy', 'specs[].endpointSelector').language, 'cilium');
  });

  it('names a list of requirements, not its items', () => {
    const access = 'authorization.k8s.io/v1 SubjectAccessReview';
    assert.equal(selector(access, 'spec.resourceAttributes.labelSelector.requirements').form, 'requirements');
    assert.equal(selector(access, 'spec.resourceAttributes.fieldSelector.requirements[]').form, 'other');
  });

  it('marks keys and values that are not compared as in Kubernetes', () => {
    assert.equal(selector('kyverno.io/v1 ClusterPolicy', 'spec.rules[].match.any[].resources.selector').plain, false);
    assert.equal(selector('cilium.io/v2 CiliumNetworkPolicy', 'spec.endpointSelector').plain, false);
    assert.equal(selector('v1 Service', 'spec.selector').plain, true);
  });

  it('apps/v1 selectors must match their template and are immutable; that of a Rollout may change', () => {
    const fact = selector('apps/v1 Deployment', 'spec.selector');
    assert.equal(fact.mustMatchTemplate, true);
    assert.equal(fact.immutable, true);
    assert.equal(fact.templateLabelsAt, 'spec.template.metadata.labels');
    assert.equal(selector('v1 ReplicationController', 'spec.selector').immutable, false);
    assert.equal(selector('argoproj.io/v1alpha1 Rollout', 'spec.selector').immutable, false);
    assert.equal(selector('v1 Service', 'spec.selector').mustMatchTemplate, false);
  });

  it('a spread constraint should match the labels of its own pod, wherever the pod is written', () => {
    const at = (name: string, base: string) =>
      selector(name, `${base}.topologySpreadConstraints[].labelSelector`).templateLabelsAt;
    assert.equal(at('v1 Pod', 'spec'), 'metadata.labels');
    assert.equal(
      at('batch/v1 CronJob', 'spec.jobTemplate.spec.template.spec'),
      'spec.jobTemplate.spec.template.metadata.labels',
    );
    assert.equal(at('argoproj.io/v1alpha1 Rollout', 'spec.template.spec'), 'spec.template.metadata.labels');
  });
});

describe('finding a kind', () => {
  it('returns the newest facts for an unknown version', () => {
    assert.deepEqual(catalogue.kind('policy', 'v9', 'PodDisruptionBudget'), kind('policy/v1 PodDisruptionBudget'));
  });

  it('finds kinds whose source has no capitals, and only those', () => {
    assert.equal(kind('flink.apache.org/v1beta1 FlinkDeployment').kind, 'FlinkDeployment');
    assert.equal(kind('druid.apache.org/v1alpha1 Druid').kind, 'Druid');
    assert.equal(kind('acid.zalan.do/v1 postgresql').kind, 'postgresql');
    assert.equal(catalogue.kind('apps', 'v1', 'deployment'), undefined);
    assert.equal(catalogue.kind('apps', 'v1', 'DEPLOYMENT'), undefined);
  });

  it('contains the kinds that users define in the group of Gatekeeper constraints', () => {
    assert.equal(
      means('constraints.gatekeeper.sh/v1beta1 MustHaveOwner', 'spec.match.namespaceSelector'),
      'all / all / all',
    );
  });

  it('returns nothing for unknown names, whatever they are', () => {
    for (const word of ['', 'Nope', '__proto__', 'constructor', 'toString']) {
      assert.equal(catalogue.kind('apps', 'v1', word), undefined);
      assert.equal(catalogue.kind(word === '' ? 'nope' : word, 'v1', 'Deployment'), undefined);
    }
  });

  it('returns the identical object for equal questions', () => {
    assert.equal(catalogue.kind('apps', 'v1', 'Deployment'), catalogue.kind('apps', 'v1', 'Deployment'));
    assert.equal(catalogue.kind('apps', 'v8', 'Deployment'), catalogue.kind('apps', 'v9', 'Deployment'));
  });

  it('contains scope, plural, short names and the rules for names', () => {
    const service = kind('v1 Service');
    assert.deepEqual(
      [service.namespaced, service.plural, service.shortNames, service.name],
      [true, 'services', ['svc'], { rule: 'dns1035Label', maxLength: 63 }],
    );
    assert.equal(kind('v1 Node').namespaced, false);
    assert.deepEqual(kind('batch/v1 CronJob').name, { rule: 'dns1123Subdomain', maxLength: 52 });
    assert.equal(kind('batch/v1 Job').name?.childSafeMaxLength, 63);
    assert.equal(kind('apps/v1 StatefulSet').name?.childSafeMaxLength, 52);
    assert.equal(kind('argoproj.io/v1alpha1 Rollout').name?.rule, 'dns1123Subdomain');
    assert.equal(kind('apiextensions.k8s.io/v1 CustomResourceDefinition').name, undefined);
  });

  it('finds the kinds for words of kubectl', () => {
    const named = (word: string) => catalogue.named(word).map((found) => `${found.group}/${found.kind}`);
    assert.deepEqual(named('po'), ['/Pod']);
    assert.deepEqual(named('netpol')[0], 'networking.k8s.io/NetworkPolicy');
    assert.deepEqual(named('Deployments.apps'), ['apps/Deployment']);
    assert.deepEqual(named('deploy')[0], 'apps/Deployment');
    assert.deepEqual(named('service').slice(0, 2), ['/Service', 'serving.knative.dev/Service']);
    assert.deepEqual(named('nonesuch'), []);
  });
});

describe('the scope of a kind', () => {
  /** Groups whose objects decide on those of other namespaces, so that statements about them depend on their scope. */
  const groups =
    /^(?:[a-z]+|.*\.k8s\.(?:io|aws)|(?:.*\.)?(?:cilium\.io|projectcalico\.org|kyverno\.io|gatekeeper\.sh|istio\.io|linkerd\.io))$/;
  /** Parameters of requests, configurations of tools, and kinds of projects outside of Kubernetes. */
  const others = /^(?:ListOptions|Scale|DeschedulerPolicy|KubeSchedulerConfiguration|Kustomization)$/;

  it('is known for the kinds of Kubernetes and of systems with policies', () => {
    const unknown = new Set<string>();
    for (const { group, kind: word, namespaced } of everyKind())
      if (namespaced === undefined && groups.test(group) && !others.test(word) && !group.includes('x-k8s.io'))
        unknown.add(`${group}/${word}`);
    assert.deepEqual([...unknown], []);
    assert.equal(kind('cilium.io/v2 CiliumClusterwideNetworkPolicy').namespaced, false);
    assert.equal(kind('cilium.io/v2 CiliumNetworkPolicy').namespaced, true);
  });
});
