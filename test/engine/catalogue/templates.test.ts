/** Tests that the catalogue contains the kinds that create pods, with the labels of these. */

import assert from 'node:assert/strict';
import { catalogue } from '../../../server/src/engine/catalogue/index.ts';
import { everyKind, kind, makes } from './ask.ts';

describe('templates of pods', () => {
  it('a Deployment adds only pod-template-hash', () => {
    assert.deepEqual(makes('apps/v1 Deployment'), ['spec.template: pod-template-hash=?']);
    assert.deepEqual(makes('apps/v1 ReplicaSet'), ['spec.template:']);
    assert.deepEqual(makes('v1 ReplicationController'), ['spec.template:']);
  });

  it('a StatefulSet sets a label with the name of the pod, and creates claims', () => {
    assert.deepEqual(makes('apps/v1 StatefulSet'), [
      'spec.template: controller-revision-hash=? statefulset.kubernetes.io/pod-name=? apps.kubernetes.io/pod-index=?',
    ]);
    assert.deepEqual(makes('apps/v1 StatefulSet', 'PersistentVolumeClaim'), [
      'spec.template.spec.volumes[].ephemeral.volumeClaimTemplate:',
      'spec.volumeClaimTemplates[]: ...',
    ]);
  });

  it('a DaemonSet adds its revision', () => {
    assert.deepEqual(makes('apps/v1 DaemonSet'), [
      'spec.template: controller-revision-hash=? pod-template-generation=?',
    ]);
  });

  it("a Job sets its own name; the names of a CronJob's Jobs are unknown", () => {
    const [ofJob = ''] = makes('batch/v1 Job');
    const [ofCronJob = ''] = makes('batch/v1 CronJob');
    assert.match(ofJob, /^spec\.template: .*batch\.kubernetes\.io\/job-name=@ .*job-name=@$/);
    assert.match(ofCronJob, /^spec\.jobTemplate\.spec\.template: .*batch\.kubernetes\.io\/job-name=\? .*job-name=\?$/);
    assert.deepEqual(makes('batch/v1 CronJob', 'Job'), ['spec.jobTemplate:']);
  });

  it('built-in workloads add only listed labels', () => {
    for (const name of [
      'apps/v1 Deployment',
      'apps/v1 ReplicaSet',
      'apps/v1 StatefulSet',
      'apps/v1 DaemonSet',
      'batch/v1 Job',
      'batch/v1 CronJob',
      'v1 ReplicationController',
    ]) {
      assert.deepEqual(
        kind(name).templates.filter((made) => made.makes.kind === 'Pod' && made.open),
        [],
        name,
      );
    }
  });

  it('is transitive: a Knative Service creates Revisions, and they create pods', () => {
    const service = kind('serving.knative.dev/v1 Service').templates;
    assert.deepEqual(
      service.slice(0, 2).map((made) => `${made.path} -> ${made.makes.kind}`),
      ['spec.template -> Revision', 'spec.template -> Pod'],
    );
    assert.deepEqual(service.find((made) => made.makes.kind === 'Pod')?.setsName, [
      'serving.knative.dev/configuration',
      'serving.knative.dev/service',
    ]);
  });

  it('a virtual machine runs in a pod with the labels of its instance', () => {
    assert.deepEqual(makes('kubevirt.io/v1 VirtualMachine'), [
      'spec.template: kubevirt.io=virt-launcher kubevirt.io/created-by=? vm.kubevirt.io/name=@ ...',
    ]);
  });

  it('contains labels that operators set, and marks that they may set more', () => {
    const [cluster = ''] = makes('postgresql.cnpg.io/v1 Cluster');
    assert.match(cluster, /^labels at 'spec\.inheritedMetadata\.labels': cnpg\.io\/cluster=@ .* \.\.\.$/);
    const kafka = makes('kafka.strimzi.io/v1beta2 Kafka').join('\n');
    assert.match(kafka, /^spec\.kafka labels at .* strimzi\.io\/cluster=@ .* \.\.\.$/m);
    const [prometheus = ''] = makes('monitoring.coreos.com/v1 Prometheus');
    assert.match(prometheus, /app\.kubernetes\.io\/name=prometheus .*prometheus=@/);
    const [elastic = ''] = makes('elasticsearch.k8s.elastic.co/v1 Elasticsearch');
    assert.match(elastic, /^spec\.nodeSets\[\] labels at .*elasticsearch\.k8s\.elastic\.co\/cluster-name=@ \.\.\.$/);
  });

  it('a custom workload creates pods at its template', () => {
    for (const name of [
      'argoproj.io/v1alpha1 Rollout',
      'apps.openshift.io/v1 DeploymentConfig',
      'apps.kruise.io/v1alpha1 CloneSet',
      'apps.kruise.io/v1beta1 StatefulSet',
    ]) {
      const templates = makes(name).filter((each) => !each.startsWith('spec.strategy.'));
      assert.equal(templates.length, 1, name);
      assert.match(templates[0] ?? '', /^spec\.template: /, name);
    }
    // Without labels in its strategy, the pods of a Rollout have only the labels of the template.
    assert.match(makes('argoproj.io/v1alpha1 Rollout').join('\n'), /^spec\.template: rollouts-pod-template-hash=\?$/m);
    assert.match(makes('kubeflow.org/v1 PyTorchJob')[0] ?? '', /^spec\.pytorchReplicaSpecs\.\*\.template: /);
  });

  it('one template is listed once, even if two facts describe it', () => {
    assert.equal(makes('kibana.k8s.elastic.co/v1 Kibana').length, 1);
    assert.equal(makes('elasticsearch.k8s.elastic.co/v1 Elasticsearch').length, 1);
  });

  it('a kind that places pods creates pods with unknown labels', () => {
    assert.equal(makes('k8s.keycloak.org/v2alpha1 Keycloak').length, 1);
    assert.deepEqual(makes('dynatrace.com/v1beta1 DynaKube'), ["labels at '': ..."]);
    assert.deepEqual(makes('cluster.open-cluster-management.io/v1beta1 Placement'), []);
  });
});

describe('the paths of labels', () => {
  it('a CronJob has three levels of metadata', () => {
    const places = kind('batch/v1 CronJob').labels.filter((place) => place.holds === 'labels');
    assert.deepEqual(places.slice(0, 2), [
      { path: 'spec.jobTemplate.metadata.labels', holds: 'labels', of: { group: 'batch', kind: 'Job' } },
      { path: 'spec.jobTemplate.spec.template.metadata.labels', holds: 'labels', of: { group: '', kind: 'Pod' } },
    ]);
  });

  it('every template has the path of its labels', () => {
    let checked = 0;
    for (const facts of everyKind()) {
      const paths = new Set(['', 'metadata.labels', ...facts.labels.map((place) => place.path)]);
      for (const template of facts.templates) {
        const at = template.labelsAt ?? `${template.path}.metadata.labels`.replace(/^\./, '');
        assert.ok(paths.has(at), `${facts.group}/${facts.kind} ${at}`);
        checked++;
      }
    }
    assert.ok(checked > 700, `only ${checked} templates`);
  });

  it('lists the fields whose values are label keys', () => {
    const places = kind('apps/v1 Deployment').labelKeys;
    const constraint = 'spec.template.spec.topologySpreadConstraints[]';
    assert.deepEqual(places.find((place) => place.path === `${constraint}.topologyKey`)?.of?.kind, 'Node');
    assert.deepEqual(places.find((place) => place.path === `${constraint}.matchLabelKeys[]`)?.of?.kind, 'Pod');
    assert.ok(
      catalogue
        .kind('monitoring.coreos.com', 'v1', 'ServiceMonitor')
        ?.labelKeys.some((place) => place.path === 'spec.jobLabel'),
    );
  });
});
