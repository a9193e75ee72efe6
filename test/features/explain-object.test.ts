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
    assert.match(page, /- `build: \(unknown\)`/);
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
