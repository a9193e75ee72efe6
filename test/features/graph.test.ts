/** Tests the graph of a scope, and of the neighborhood of an object. */
import assert from 'node:assert/strict';
import { scopeGraph } from '../../server/src/features/graph/scope-graph.ts';
import { bench } from '../harness/bench.ts';
import { lines } from '../harness/margin.ts';

const shop = `
  ==> web.yaml <==
  apiVersion: apps/v1
  kind: Deployment
  # ^ web
  metadata: {name: web}
  spec:
    selector: {matchLabels: {app: web}}
    template:
      metadata: {labels: {app: web}}
      spec: {containers: [{name: web, ports: [{containerPort: 8080}]}]}
  ---
  apiVersion: v1
  kind: Service
  # ^ service
  metadata: {name: web}
  spec: {selector: {app: web}, ports: [{port: 80}]}
  ---
  apiVersion: networking.k8s.io/v1
  kind: Ingress
  # ^ ingress
  metadata: {name: shop}
  spec:
    defaultBackend: {service: {name: web, port: {number: 80}}}
    rules: [{http: {paths: [{backend: {service: {name: gone, port: {number: 80}}}}]}}]
  ---
  apiVersion: gateway.networking.k8s.io/v1
  kind: HTTPRoute
  metadata: {name: shop}
  spec: {rules: [{backendRefs: [{name: web, port: 80}, {kind: Bucket, name: web}, {name: web, namespace: other}]}]}
  ---
  apiVersion: autoscaling/v2
  kind: HorizontalPodAutoscaler
  metadata: {name: web}
  spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, maxReplicas: 3}
  ==> db.yaml <==
  apiVersion: apps/v1
  kind: StatefulSet
  # ^ db
  metadata: {name: db}
  spec:
    selector: {matchLabels: {app: db}}
    template: {metadata: {labels: {app: db}}, spec: {containers: [{name: db, ports: [{containerPort: 5432}]}]}}
  ---
  apiVersion: networking.k8s.io/v1
  kind: NetworkPolicy
  metadata: {name: db}
  spec:
    podSelector: {matchLabels: {app: db}}
    ingress: [{from: [{podSelector: {matchLabels: {app: web}}}], ports: [{port: 5432}]}]
  ---
  apiVersion: apps/v1
  kind: Deployment
  metadata: {name: job}
  spec:
    selector: {matchLabels: {app: job}}
    template: {metadata: {labels: {app: job}}, spec: {containers: [{name: job}]}}
`;

describe('the graph of a scope', () => {
  it('contains objects that are selected, scaled and sent requests to', async () => {
    const b = await bench(shop);
    assert.equal(
      b.graph('web', { around: 'scope' }),
      lines(`
        work
        Deployment/job
        NetworkPolicy/db selects StatefulSet/db (spec.podSelector)
        NetworkPolicy/db peer Deployment/web (spec.ingress[0].from[0].podSelector)
        Service/web selects Deployment/web (spec.selector)
        Ingress/shop routes Service/web (spec.defaultBackend)
        HTTPRoute/shop routes Service/web (spec.rules[0].backendRefs[0])
        HorizontalPodAutoscaler/web scales Deployment/web (scaleTargetRef)
      `),
    );
  });

  it('is reduced to the neighborhood of the object under the cursor', async () => {
    const b = await bench(shop);
    assert.equal(
      b.graph('service'),
      lines(`
        Service/web
        Service/web selects Deployment/web (spec.selector)
        Ingress/shop routes Service/web (spec.defaultBackend)
        HTTPRoute/shop routes Service/web (spec.rules[0].backendRefs[0])
        HorizontalPodAutoscaler/web scales Deployment/web (scaleTargetRef)
      `),
    );
    assert.equal(
      b.graph('db'),
      lines(`
        StatefulSet/db
        NetworkPolicy/db selects StatefulSet/db (spec.podSelector)
        NetworkPolicy/db peer Deployment/web (spec.ingress[0].from[0].podSelector)
      `),
    );
  });

  it('contains the connections that policies allow', async () => {
    const b = await bench(shop);
    assert.equal(
      b.graph('db', { connections: true }),
      lines(`
        StatefulSet/db
        NetworkPolicy/db selects StatefulSet/db (spec.podSelector)
        NetworkPolicy/db peer Deployment/web (spec.ingress[0].from[0].podSelector)
        Deployment/web connects StatefulSet/db (TCP 5432)
        2 of 3 workloads are not isolated by any policy: connections between these workloads are allowed and not drawn.
      `),
    );
  });

  it('explains an uncertain connection', async () => {
    const b = await bench(`
      ==> shop.yaml <==
      apiVersion: v1
      kind: Pod
      # ^ db
      metadata: {name: db, labels: {app: db}}
      ---
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec:
        selector: {matchLabels: {app: web}}
        template: {metadata: {labels: {app: web}}}
      ---
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: job}
      spec:
        selector: {matchLabels: {app: job}}
        template: {metadata: {labels: {app: job}}}
      ---
      apiVersion: networking.k8s.io/v1
      kind: NetworkPolicy
      metadata: {name: db}
      spec:
        podSelector: {matchLabels: {app: db}}
        ingress:
          - from: [{ipBlock: {cidr: 10.0.0.0/8}}]
          - from: [{podSelector: {matchLabels: {app: api}}}]
    `);
    const { file, uri, span } = b.place('db');
    b.session.workspace.edit(uri, file.text);
    const question = { around: 'object', connections: true, references: false } as const;
    const { edges = [] } = b.session.at(uri, span.start, (view, at) => scopeGraph(view, at, question)) ?? {};
    const reasons = edges.flatMap(({ edge: { relation, reason } }) => (relation === 'connects' ? [reason] : []));
    assert.deepEqual(
      reasons,
      ['web', 'job'].map(
        (name) =>
          `Deployment/${name} is possibly allowed to connect to Pod/db, on all ports: ingress rule 1 of default/db allows addresses; manifests do not contain the addresses of pods`,
      ),
    );
  });

  it('follows names and namespaces through kustomizations', async () => {
    const b = await bench(`
      ==> base/kustomization.yaml <==
      resources: [web.yaml]
      ==> base/web.yaml <==
      apiVersion: apps/v1
      kind: Deployment
      # ^ here
      metadata: {name: web}
      spec:
        selector: {matchLabels: {app: web}}
        template: {metadata: {labels: {app: web}}}
      ---
      apiVersion: autoscaling/v2
      kind: HorizontalPodAutoscaler
      metadata: {name: web}
      spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, maxReplicas: 3}
      ==> prod/kustomization.yaml <==
      resources: [../base]
      namePrefix: prod-
      namespace: prod
    `);
    assert.equal(
      b.graph('here'),
      lines(`
        Deployment/prod-web
        HorizontalPodAutoscaler/prod-web scales Deployment/prod-web (scaleTargetRef)
      `),
    );
  });

  it('is uncertain about references of patched objects', async () => {
    const b = await bench(`
      ==> base/kustomization.yaml <==
      resources: [web.yaml]
      ==> base/web.yaml <==
      apiVersion: v1
      kind: Service
      # ^ here
      metadata: {name: web}
      spec: {ports: [{port: 80}]}
      ---
      apiVersion: networking.k8s.io/v1
      kind: Ingress
      metadata: {name: web}
      spec: {defaultBackend: {service: {name: web, port: {number: 80}}}}
      ==> prod/kustomization.yaml <==
      resources: [../base]
      patches: [{patch: '[{"op": "replace", "path": "/spec/defaultBackend/service/name", "value": "other"}]', target: {kind: Ingress}}]
    `);
    assert.equal(
      b.graph('here'),
      lines(`
      Service/web
      Ingress/web routes~ Service/web (spec.defaultBackend)
    `),
    );
  });

  it('states that everything is allowed if there is no policy', async () => {
    const b = await bench(`
      apiVersion: v1
      kind: Pod
      # ^ here
      metadata: {name: web, labels: {app: web}}
      spec: {containers: [{name: web}]}
    `);
    assert.equal(
      b.graph('here', { connections: true }),
      lines(`
      Pod/web
      Pod/web
      These files contain no network policies, so they do not restrict any connections.
    `),
    );
  });

  it('is uncertain if a template determines it', async () => {
    const b = await bench(`
      ==> chart/Chart.yaml <==
      name: chart
      version: 1.0.0
      ==> chart/templates/web.yaml <==
      apiVersion: v1
      kind: Service
      # ^ here
      metadata: {name: web}
      spec: {selector: {app: "{{ .Release.Name }}"}}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: web, labels: {app: web}}
      spec: {containers: [{name: web}]}
    `);
    assert.equal(
      b.graph('here'),
      lines(`
      Service/web
      Service/web selects~ Pod/web (spec.selector)
    `),
    );
  });
});

describe('the graph of a GitOps object', () => {
  const question = { around: 'object', connections: false, references: true } as const;

  it('shows the objects that it deploys', async () => {
    const b = await bench(`
      ==> apps/shop.yaml <==
      apiVersion: argoproj.io/v1alpha1
      kind: Application
      #     ^ here
      metadata: {name: shop}
      spec: {source: {path: shop}, destination: {namespace: shop}}
      ==> shop/web.yaml <==
      {apiVersion: v1, kind: Service, metadata: {name: web}, spec: {selector: {app: web}}}
      ---
      {apiVersion: v1, kind: Pod, metadata: {name: web, labels: {app: web}}, spec: {containers: [{name: web}]}}
    `);
    const { uri, span, file } = b.place('here');
    b.session.workspace.edit(uri, file.text);
    const graph = b.session.at(uri, span.start, (view, offset) => scopeGraph(view, offset, question));
    assert.deepEqual(
      graph?.nodes.map(({ node }) => node.name),
      ['web', 'web'],
    );
  });

  it('states why none of them are in the workspace', async () => {
    const b = await bench(`
      ==> apps/shop.yaml <==
      apiVersion: helm.toolkit.fluxcd.io/v2
      kind: HelmRelease
      #     ^ here
      metadata: {name: shop, namespace: shop}
      spec: {chart: {spec: {chart: shop, version: 1.0.0, sourceRef: {kind: HelmRepository, name: charts}}}}
    `);
    const { uri, span, file } = b.place('here');
    b.session.workspace.edit(uri, file.text);
    const graph = b.session.at(uri, span.start, (view, offset) => scopeGraph(view, offset, question));
    assert.deepEqual(graph?.nodes, []);
    assert.deepEqual(graph?.notes, ["shop.yaml installs the chart 'shop', which is in no file."]);
  });
});
