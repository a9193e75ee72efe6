/**
 * Tests which references of Kubernetes and of kustomize the catalogue has: the visitor functions of
 * `k8s.io/kubernetes/pkg/api/pod/util.go`, and the default name references of kustomize.
 */

import assert from 'node:assert/strict';
import { catalogue } from '../../../server/src/engine/catalogue/index.ts';

/** The fields in the spec of a pod that a function visits, by the kind that they name. */
const visited: Readonly<Record<string, readonly string[]>> = {
  Secret: [
    'imagePullSecrets[].name',
    ...containers('envFrom[].secretRef.name'),
    ...containers('env[].valueFrom.secretKeyRef.name'),
    'volumes[].azureFile.secretName',
    ...['cephfs', 'cinder', 'flexVolume', 'rbd', 'scaleIO', 'iscsi', 'storageos'].map(
      (volume) => `volumes[].${volume}.secretRef.name`,
    ),
    'volumes[].projected.sources[].secret.name',
    'volumes[].secret.secretName',
    'volumes[].csi.nodePublishSecretRef.name',
  ],
  ConfigMap: [
    ...containers('envFrom[].configMapRef.name'),
    ...containers('env[].valueFrom.configMapKeyRef.name'),
    'volumes[].projected.sources[].configMap.name',
    'volumes[].configMap.name',
  ],
};

/** The fields in the spec of a pod that kustomize changes after a rename, besides those above. */
const ofPods: Readonly<Record<string, readonly string[]>> = {
  ServiceAccount: ['serviceAccountName'],
  PersistentVolumeClaim: ['volumes[].persistentVolumeClaim.claimName'],
  PriorityClass: ['priorityClassName'],
};

/** The other name references of kustomize: kind, field, and the kinds that it names. */
const ofKustomize: readonly (readonly [kind: string, path: string, ...targets: string[]])[] = [
  ['autoscaling/HorizontalPodAutoscaler', 'spec.scaleTargetRef.name', 'Deployment'],
  ['rbac.authorization.k8s.io/Role', 'rules[].resourceNames[]'],
  ['rbac.authorization.k8s.io/ClusterRole', 'rules[].resourceNames[]'],
  ['networking.k8s.io/Ingress', 'spec.tls[].secretName', 'Secret'],
  ['/ServiceAccount', 'imagePullSecrets[].name', 'Secret'],
  ['storage.k8s.io/StorageClass', 'parameters.secretName', 'Secret'],
  ['storage.k8s.io/StorageClass', 'parameters.adminSecretName', 'Secret'],
  ['storage.k8s.io/StorageClass', 'parameters.userSecretName', 'Secret'],
  ['serving.knative.dev/Service', 'spec.template.spec.containers[].env[].valueFrom.secretKeyRef.name', 'Secret'],
  ['serving.knative.dev/Service', 'spec.template.spec.containers[].envFrom[].configMapRef.name', 'ConfigMap'],
  ['/PersistentVolume', 'spec.azureFile.secretName', 'Secret'],
  ['apps/StatefulSet', 'spec.serviceName', 'Service'],
  ['networking.k8s.io/Ingress', 'spec.rules[].http.paths[].backend.serviceName', 'Service'],
  ['networking.k8s.io/Ingress', 'spec.backend.serviceName', 'Service'],
  ['networking.k8s.io/Ingress', 'spec.rules[].http.paths[].backend.service.name', 'Service'],
  ['networking.k8s.io/Ingress', 'spec.defaultBackend.service.name', 'Service'],
  ['apiregistration.k8s.io/APIService', 'spec.service.name', 'Service'],
  ['admissionregistration.k8s.io/ValidatingWebhookConfiguration', 'webhooks[].clientConfig.service.name', 'Service'],
  ['admissionregistration.k8s.io/MutatingWebhookConfiguration', 'webhooks[].clientConfig.service.name', 'Service'],
  ['gateway.networking.k8s.io/HTTPRoute', 'spec.rules[].backendRefs[].name', 'Service'],
  ['rbac.authorization.k8s.io/RoleBinding', 'roleRef.name', 'Role', 'ClusterRole'],
  ['rbac.authorization.k8s.io/ClusterRoleBinding', 'roleRef.name', 'ClusterRole'],
  ['rbac.authorization.k8s.io/RoleBinding', 'subjects[].name', 'ServiceAccount'],
  ['rbac.authorization.k8s.io/ClusterRoleBinding', 'subjects[].name', 'ServiceAccount'],
  ['/PersistentVolumeClaim', 'spec.volumeName', 'PersistentVolume'],
  ['/PersistentVolume', 'spec.storageClassName', 'StorageClass'],
  ['/PersistentVolumeClaim', 'spec.storageClassName', 'StorageClass'],
  ['apps/StatefulSet', 'spec.volumeClaimTemplates[].spec.storageClassName', 'StorageClass'],
  ['networking.k8s.io/Ingress', 'spec.ingressClassName', 'IngressClass'],
];

/** Name references of kustomize that the catalogue does not have, with the reason. */
const absent: Readonly<Record<string, string>> = {
  '/Node spec.configSource.configMap': 'Kubernetes 1.22 removed the dynamic configuration of nodes.',
  'storage.k8s.io/StorageClass parameters.secretRef': 'No provisioner of Kubernetes reads this parameter.',
};

const annotations = [
  'nginx.ingress.kubernetes.io/fastcgi-params-configmap',
  'ingress.kubernetes.io/auth-secret',
  'nginx.ingress.kubernetes.io/auth-secret',
  'nginx.ingress.kubernetes.io/auth-tls-secret',
];

/** The kinds with a pod template, each with the path of the spec. */
const podSpecs: Readonly<Record<string, string>> = {
  '/Pod': 'spec',
  '/PodTemplate': 'template.spec',
  '/ReplicationController': 'spec.template.spec',
  'apps/Deployment': 'spec.template.spec',
  'apps/ReplicaSet': 'spec.template.spec',
  'apps/DaemonSet': 'spec.template.spec',
  'apps/StatefulSet': 'spec.template.spec',
  'batch/Job': 'spec.template.spec',
  'batch/CronJob': 'spec.jobTemplate.spec.template.spec',
};

function containers(path: string): readonly string[] {
  return ['containers', 'initContainers', 'ephemeralContainers'].map((list) => `${list}[].${path}`);
}

/** The kinds that a field names; undefined if the catalogue has no reference there. */
function targetsAt(owner: string, path: string): readonly string[] | undefined {
  const [group = '', kind = ''] = owner.split('/');
  const fact = catalogue.kind(group, '', kind)?.references.find((each) => each.path === path);
  return fact?.targets.map((each) => each.kind);
}

describe('the references of the catalogue (requirement C20)', () => {
  for (const [owner, spec] of Object.entries(podSpecs)) {
    it(`contain what Kubernetes and kustomize know of ${owner}`, () => {
      for (const [kind, paths] of Object.entries({ ...visited, ...ofPods }))
        for (const path of paths) assert.deepEqual(targetsAt(owner, `${spec}.${path}`), [kind], `${owner} ${path}`);
    });
  }

  it('contain the other name references of kustomize', () => {
    for (const [owner, path, ...targets] of ofKustomize)
      assert.deepEqual(targetsAt(owner, path), targets, `${owner} ${path}`);
    for (const key of annotations) assert.ok(catalogue.keyReferences().has(key), key);
  });

  it('leave out name references of kustomize for a reason', () => {
    for (const [name, reason] of Object.entries(absent)) {
      const [owner = '', path = ''] = name.split(' ');
      assert.equal(targetsAt(owner, path), undefined, name);
      assert.match(reason, /\.$/);
    }
  });
});
