/** Tests the page about an object: its scope, what it selects and what selects it. */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';
import { lines } from '../harness/margin.ts';

const fixture = `
  ==> shop/web.yaml <==
  apiVersion: v1
  kind: Service
  metadata: {name: web, namespace: shop}
  #          ^ service
  spec: {selector: {app: web, tier: frnt}}
  ---
  apiVersion: apps/v1
  kind: Deployment
  # ^ deployment
  metadata: {name: web, namespace: shop, labels: {"a*b": "&b"}}
  spec:
    selector: {matchLabels: {app: web}}
    template: {metadata: {labels: {app: web, tier: front, build: "{{ .Build }}"}}}
  ==> shop/tool.yaml <==
  # a comment
  #   ^ comment
  apiVersion: skaffold/v4
  kind: Config
  # ^ tool
  metadata: {name: tool}
`;

describe('the page about an object', () => {
  it('shows the scope of the object, its matches and near misses', async () => {
    const b = await bench(fixture);
    assert.equal(
      b.explain('service'),
      lines(`
        # Service/web

        \`v1 Service\`, namespace \`shop\`, in [web.yaml:2](</shop/web.yaml#L2>).

        ## Applied with

        - the folder \`shop/\` of 1 file

        ## Its own labels

        None.

        ## \`spec.selector\`

        \`app=web,tier=frnt\`: Pods where \`app\` is 'web' and \`tier\` is 'frnt'.

        **Matches nothing** in the indexed files.

        Near misses

        - Deployment/web ([web.yaml:11](</shop/web.yaml#L11>)): \`tier\` is 'front', but the selector wants 'frnt'
      `),
    );
  });

  it('shows that only its own selector selects it, and text of manifests unchanged', async () => {
    const b = await bench(fixture);
    const page = b.explain('deployment');
    assert.match(
      page,
      /## Its own labels\n\n- `a\*b: &b`\n\nNo other selector that is applied together with it matches these labels\./,
    );
    assert.match(page, /- `build: \{\{ \.Build \}\}`/);
  });

  it('shows an object as the overlay of the perspective applies it, with the files that change it', async () => {
    const b = await bench(`
      ==> base/kustomization.yaml <==
      resources: [web.yaml]
      ==> base/web.yaml <==
      apiVersion: v1
      kind: Service
      #     ^ service
      metadata: {name: web}
      spec: {selector: {app: web}}
      ---
      {apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web, tier: front}}}}}
      # ^ deployment
      ==> prod/kustomization.yaml <==
      namespace: shop
      namePrefix: prod-
      resources: [../base]
      labels: [{pairs: {env: prod}, includeSelectors: true}]
      patches: [{path: tier.yaml}]
      ==> prod/tier.yaml <==
      {apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {template: {metadata: {labels: {tier: edge}}}}}
      # ^ patch
      ==> dev/kustomization.yaml <==
      resources: [../base]
    `);
    const service = b.explain('service');
    assert.match(service, /^# Service\/prod-web\n\n`v1 Service`, namespace `shop`, in \[web\.yaml:2\]/);
    assert.match(
      service,
      /- the kustomization `prod\/` of 1 file; this page shows the object in it\n- the kustomization `dev\/`/,
    );
    assert.match(service, /- `env: prod`\n\nSet in other files: `env` from \[\.\.\/prod\/kustomization\.yaml\]/);
    assert.match(service, /`app=web,env=prod`: Pods where .*\n\nIn prod, it also requires `env` from \[/);
    const deployment = b.explain('deployment');
    assert.match(deployment, /- `tier: edge`\n- `env: prod`/);
    assert.match(deployment, /Set in other files: `tier` from \[\.\.\/prod\/tier\.yaml\]/);
    const patch = b.explain('patch');
    assert.match(patch, /^# Deployment\/prod-web\n/);
    assert.match(patch, /## Applied with\n\n- the kustomization `prod\/` of 1 file\n/);
    assert.match(patch, /- `app: web`\n- `tier: edge`\n- `env: prod`/);
    assert.match(b.hover('service') ?? '', /namespace `shop`/);
  });

  it('shows an object as its chart creates it, with the selectors that only values add', async () => {
    const b = await bench(`
      ==> web/Chart.yaml <==
      {apiVersion: v2, name: web, version: 1.0.0}
      ==> web/values.yaml <==
      {app: web, nodes: {disk: ssd}}
      ==> web/templates/web.yaml <==
      apiVersion: apps/v1
      kind: Deployment
      #     ^ kind
      metadata: {name: "{{ .Values.app }}", namespace: "{{ .Release.Namespace }}"}
      spec:
        selector: {matchLabels: {app: "{{ .Values.app }}"}}
        template:
          metadata: {labels: {app: "{{ .Values.app }}", release: "{{ .Release.Name }}"}}
          spec:
            containers: [{name: web}]
            {{- with .Values.nodes }}
            nodeSelector: {{- toYaml . | nindent 8 }}
            {{- end }}
    `);
    const page = b.explain('kind');
    assert.match(page, /^# Deployment\/web\n\n`apps\/v1 Deployment`, in the namespace of the release, in /);
    assert.match(page, /- the chart `web\/` of \d files?, with chart defaults\n/);
    assert.match(page, /- `app: web`\n- `release: \{\{ \.Release\.Name \}\}`/);
    assert.match(page, /## `spec\.selector`\n\n`app=web`: /);
    assert.match(page, /## `spec\.template\.spec\.nodeSelector`\n\n`disk=ssd`: /);
    assert.match(b.hover('kind') ?? '', /^`apps\/v1 Deployment`, in the namespace of the release/m);
  });

  it('lists the selectors of an affinity, node selectors among them, with their matches', async () => {
    const b = await bench(`
      apiVersion: v1
      kind: Pod
      metadata: {name: web, labels: {app: web}}
      #          ^ pod
      spec:
        affinity:
          nodeAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
              nodeSelectorTerms:
                - matchExpressions: [{key: disk, operator: In, values: [ssd]}]
                - matchFields: [{key: metadata.name, operator: In, values: [fast]}]
          podAntiAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
              - labelSelector: {matchLabels: {app: web}}
                topologyKey: zone
      ---
      apiVersion: v1
      kind: Node
      metadata: {name: fast}
    `);
    assert.match(
      b.explain('pod'),
      /## `spec\.affinity\.nodeAffinity\.\w+`\n\nNodes where `disk` is 'ssd'\. Or: Nodes where `metadata\.name` is 'fast'\.\n\nMatches\n\n- Node\/fast /,
    );
    assert.match(
      b.explain('pod'),
      /## `spec\.affinity\.podAntiAffinity\.\w+\[0\]\.labelSelector`\n\n`app=web`: Pods where/,
    );
  });

  it('is short for objects that never reach the cluster, and empty outside of objects', async () => {
    const b = await bench(fixture);
    assert.match(b.explain('tool'), /configuration of a tool and is not applied to the cluster\.$/);
    assert.equal(b.explain('comment'), '(none)');
  });
});
