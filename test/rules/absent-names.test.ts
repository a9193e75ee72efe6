/** Tests in which workspaces a name that no object has is a hint (issue 39). */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';

const autoscaler = `
  ==> autoscaler.yaml <==
  apiVersion: autoscaling/v2
  kind: HorizontalPodAutoscaler
  metadata: {name: kiosk, namespace: kiosks}
  spec:
    scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: kiosk}
    maxReplicas: 3
`;

async function findings(text: string): Promise<readonly string[]> {
  const b = await bench(text);
  return b.findings('autoscaler.yaml').map(({ rule, severity }) => `${severity} ${rule}`);
}

describe('a name that no object has', () => {
  it('is a hint if the workspace contains no GitOps objects, whose charts create objects', async () => {
    assert.deepEqual(await findings(autoscaler), ['hint reference-missing']);
    const application = `
  ==> application.yaml <==
  apiVersion: argoproj.io/v1alpha1
  kind: Application
  metadata: {name: shop, namespace: argocd}
  spec:
    source: {repoURL: https://charts.example.com, chart: shop, targetRevision: 1.0.0}
    destination: {server: https://kubernetes.default.svc, namespace: kiosks}
`;
    assert.deepEqual(await findings(`${autoscaler}${application}`), []);
  });

  it('is none in a volume that a StatefulSet replaces with one of its claim templates', async () => {
    const workload = `
      ==> autoscaler.yaml <==
      apiVersion: apps/v1
      kind: StatefulSet
      metadata: {name: jars}
      spec:
        serviceName: jars
        selector: {matchLabels: {app: jars}}
        template:
          metadata: {labels: {app: jars}}
          spec:
            containers: [{name: jars, image: example.com/jars}]
            volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
        volumeClaimTemplates: [{metadata: {name: data}, spec: {}}]
    `;
    assert.deepEqual(await findings(workload), []);
  });
});
