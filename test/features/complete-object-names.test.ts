/** Tests the completion of names of objects, their keys and their ports in references. */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';

describe('completion of names', () => {
  const files = (at: string) => `
    ==> pod.yaml <==
    apiVersion: v1
    kind: Pod
    metadata: {name: web, namespace: shop}
    spec:
      containers:
        - name: web
          env:
            - name: A
              valueFrom:
                secretKeyRef:
${at}
    ==> near/secrets.yaml <==
    apiVersion: v1
    kind: Secret
    metadata: {name: db, namespace: shop}
    stringData: {user: admin, password: hidden}
    ---
    apiVersion: v1
    kind: Secret
    metadata: {name: other, namespace: other}
    ---
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: settings, namespace: shop}
    ---
    apiVersion: v1
    kind: Secret
    metadata: {name: cache, namespace: shop}
  `;

  it('offers the objects of the kind in its namespace', async () => {
    const b = await bench(files('                  name: \n                  #     ^ here'));
    assert.deepEqual(b.completion('here', 'told'), ['name: cache   Secret in shop', 'name: db   Secret in shop']);
  });

  it('offers the keys of the object', async () => {
    const b = await bench(
      files('                  name: db\n                  key: p\n                  #     ^ here'),
    );
    assert.deepEqual(b.completion('here', 'told'), ['key: user   Secret/db', 'key: password   Secret/db']);
  });

  it('offers one of several names in a text, and the values of labels', async () => {
    const b = await bench(`
      apiVersion: apps/v1
      kind: Deployment
      metadata:
        name: web
        annotations:
          secret.reloader.stakater.com/reload: "db,ca"
          #                                          ^ list
      ---
      apiVersion: discovery.k8s.io/v1
      kind: EndpointSlice
      metadata:
        name: web-1
        labels:
          kubernetes.io/service-name: w
          #                            ^ label
      ---
      apiVersion: v1
      kind: Secret
      metadata: {name: cache}
      ---
      apiVersion: v1
      kind: Service
      metadata: {name: web}
    `);
    assert.deepEqual(b.completion('list'), ['secret.reloader.stakater.com/reload: "db,cache"']);
    assert.deepEqual(b.completion('label'), ['kubernetes.io/service-name: web']);
  });

  it('offers the ports of the selected pods, and of selected Services', async () => {
    const b = await bench(`
      apiVersion: v1
      kind: Service
      metadata: {name: web, labels: {app: web}}
      spec:
        selector: {app: web}
        ports: [{name: http, port: 80, targetPort: p}]
        #                                           ^ port
      ---
      apiVersion: monitoring.coreos.com/v1
      kind: ServiceMonitor
      metadata: {name: web}
      spec:
        selector: {matchLabels: {app: web}}
        endpoints: [{port: h}]
        #                   ^ endpoint
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: web, labels: {app: web}}
      spec: {containers: [{name: web, ports: [{name: public, containerPort: 8080}]}]}
    `);
    assert.deepEqual(b.completion('port', 'told'), ['ports: [{name: http, port: 80, targetPort: public}]   Pod/web']);
    assert.deepEqual(b.completion('endpoint', 'told'), ['endpoints: [{port: http}]   Service/web']);
  });
});
