/**
 * Tests features for objects that a selector may match although no file determines it, and for objects that select each
 * other.
 */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';
import { lines } from '../harness/margin.ts';

describe('an object that selects others and is selected', () => {
  const fixture = `
    apiVersion: v1
    kind: Service
    #     ^ kind
    metadata: {name: web, labels: {app: web}}
    #          ^ name
    spec: {selector: {app: web}}
    ---
    apiVersion: apps/v1
    kind: Deployment
    #     ^ workload
    metadata: {name: web}
    spec:
      selector: {matchLabels: {app: web}}
      template: {metadata: {labels: {app: web}}}
    ---
    apiVersion: monitoring.coreos.com/v1
    kind: ServiceMonitor
    metadata: {name: web}
    spec: {selector: {matchLabels: {app: web}}}
    ---
    apiVersion: v1
    kind: Service
    #     ^ nothing
    metadata: {name: other}
    spec: {selector: {app: other}}
  `;

  it('shows both in the hover of its kind', async () => {
    const b = await bench(fixture);
    assert.equal(
      b.hover('kind'),
      lines(`
        Service
        ---
        \`v1 Service\`, namespaced

        **Selects** (1)
        - [Deployment/web](<manifest.yaml#L11,25>) — manifest.yaml:11

        **Selected by** (1)
        - [ServiceMonitor/web](<manifest.yaml#L16,8>) — manifest.yaml:16 \`spec.selector\`
      `),
    );
    assert.equal(
      b.hover('nothing'),
      'Service\n---\n`v1 Service`, namespaced\n\n**Matches nothing** in the indexed files.',
    );
  });

  it('shows both in the preview', async () => {
    const b = await bench(fixture);
    assert.equal(
      b.preview('name'),
      lines(`
        '' (Selectors that match Service/web, and the objects that it selects.)
        matches:
          manifest.yaml Deployment web via spec.template
        selectedBy:
          manifest.yaml ServiceMonitor web via spec.selector: app=web
      `),
    );
  });

  it('is not listed among its own matches', async () => {
    const b = await bench(fixture);
    assert.doesNotMatch(b.hover('workload'), /\*\*Selects/);
    assert.match(b.preview('workload'), /^'' \(Selectors that match Deployment\/web\.\)\nselectedBy:/);
  });
});

describe('a namespace selector', () => {
  it('matches an undeclared namespace if it contains objects', async () => {
    const b = await bench(`
      apiVersion: networking.k8s.io/v1
      kind: NetworkPolicy
      metadata: {name: closed}
      #          ^ policy
      spec:
        podSelector: {}
        ingress:
          - from:
              - namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: shop}}
              # ^ here
          - from:
              - namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: absent}}
              # ^ absent
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: web, namespace: shop}
    `);
    assert.match(
      b.hover('here'),
      /\*\*Matches undeclared namespaces\*\* \(1\)\n- `shop`: no file declares this namespace, but 1 object in this workspace is in it\n/,
    );
    assert.doesNotMatch(b.hover('here'), /Matches nothing/);
    assert.match(b.preview('here'), /matches:\n.* Namespace shop: no file declares this namespace, but 1 object/);
    assert.match(b.explain('policy'), /Matches undeclared namespaces\n\n- `shop`: no file declares this namespace/);
    assert.match(b.hover('absent'), /\*\*Matches nothing\*\* in the indexed files/);
  });
});

describe('a namespace of objects with `generateName`', () => {
  const queue = `
    apiVersion: kueue.x-k8s.io/v1beta1
    kind: ClusterQueue
    metadata: {name: queue}
    spec: {namespaceSelector: {}}
    #      ^ here
  `;
  const job = (namespace: string) => `
    apiVersion: batch/v1
    kind: Job
    metadata: {generateName: job-, namespace: ${namespace}}
    spec: {template: {spec: {containers: []}}}
  `;

  for (const namespace of ['shop', 'default'])
    it(`contains each of them: ${namespace}`, async () => {
      const jobs = [1, 2, 3].map((number) => `==> job-${number}.yaml <==\n${job(namespace)}`);
      const b = await bench(`==> queue.yaml <==\n${queue}\n${jobs.join('\n')}`);
      assert.match(
        b.hover('here') ?? '',
        /undeclared namespaces\*\* \(1\)\n- `\w+`: .* but 3 objects in this workspace/,
      );
      assert.doesNotMatch(b.hover('here') ?? '', /Matches nothing/);
    });

  it('is matched if it is the namespace `default` with a single object', async () => {
    const b = await bench(`==> queue.yaml <==\n${queue}\n==> job.yaml <==\n${job('default')}`);
    assert.match(b.hover('here') ?? '', /\n- `default`: .* but 1 object in this workspace is in it/);
  });
});

describe('a namespace that a file of another folder declares', () => {
  it('is not said to be undeclared', async () => {
    const b = await bench(`
      ==> spaces/shop.yaml <==
      {apiVersion: v1, kind: Namespace, metadata: {name: shop}}
      ==> policies/binding.yaml <==
      apiVersion: admissionregistration.k8s.io/v1
      kind: ValidatingAdmissionPolicyBinding
      metadata: {name: teams}
      spec:
        policyName: teams
        matchResources:
          namespaceSelector: {matchLabels: {team: blue}}
          # ^ selector
      ---
      {apiVersion: v1, kind: ConfigMap, metadata: {name: settings, namespace: shop}}
    `);
    assert.doesNotMatch(b.hover('selector') ?? '', /undeclared/);
  });
});

describe('a selector that selects all objects of the cluster', () => {
  it('counts only those that are here, and equally in every view', async () => {
    const b = await bench(`
      apiVersion: v1
      kind: Namespace
      metadata: {name: shop}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: bank, namespace: bank}
      ---
      apiVersion: kueue.x-k8s.io/v1beta1
      kind: ClusterQueue
      #     ^ kind
      metadata: {name: queue}
      #          ^ name
      spec:
        namespaceSelector: {}
        # ^ selector
    `);
    assert.match(b.lenses('manifest.yaml'), /selects all Namespaces \(2 here\)/);
    assert.match(
      b.hover('kind'),
      /\*\*Selects all Namespaces; here\*\* \(1\)\n- \[Namespace\/shop\].*\n\n\*\*Selects undeclared namespaces\*\* \(1\)\n- `bank`/,
    );
    for (const at of ['name', 'selector'])
      assert.match(b.preview(at), /matches:\n.* Namespace bank: no file declares this namespace.*\n.* Namespace shop/);
  });
});

describe('the pods of a StatefulSet', () => {
  it('have its name with an ordinal', async () => {
    const b = await bench(`
      apiVersion: apps/v1
      kind: StatefulSet
      metadata: {name: web}
      spec:
        selector: {matchLabels: {app: web}}
        template: {metadata: {labels: {app: web}}}
      ---
      apiVersion: v1
      kind: Service
      metadata: {name: own}
      spec: {selector: {statefulset.kubernetes.io/pod-name: web-0}}
      #      ^ own
      ---
      apiVersion: v1
      kind: Service
      metadata: {name: other}
      spec: {selector: {statefulset.kubernetes.io/pod-name: web2-0}}
      #      ^ other
    `);
    assert.match(b.hover('own'), /\*\*May match\*\* \(1\)\n- \[StatefulSet\/web\]/);
    assert.match(b.hover('other'), /\*\*Matches nothing\*\*/);
  });
});

describe('a selector that another field disables', () => {
  it('is ignored in the hover, the lens, the preview and the page about its object', async () => {
    const b = await bench(`
      apiVersion: v1
      kind: Service
      metadata: {name: web}
      #          ^ name
      spec:
        type: ExternalName
        selector: {app: web}
        # ^ here
    `);
    assert.match(b.hover('here'), /This selector is ignored, because/);
    assert.equal(b.lenses(), '6 spec.selector: selector ignored');
    assert.equal(b.preview('here'), "'' (This selector is ignored.)");
    assert.match(b.explain('name'), /## `spec\.selector`\n\nThis selector is ignored\.$/);
  });
});

describe('a selector of an unknown kind', () => {
  const fixture = `
    apiVersion: example.com/v1
    kind: Widget
    metadata: {name: w}
    #          ^ widget
    spec:
      podSelector: {matchLabels: {app: web}}
      # ^ pods
      source:
        selector: {matchLabels: {app: web}}
        # ^ unknown
    ---
    apiVersion: v1
    kind: Pod
    metadata: {name: web, labels: {app: web}}
    #                              ^ label
  `;

  it('may match pods if the name of its field implies it', async () => {
    const b = await bench(fixture);
    assert.match(b.hover('pods'), /\*\*May match\*\* \(1\)\n- \[Pod\/web\]/);
    assert.match(b.preview('pods'), /maybe:\n {2}manifest.yaml Pod web: the namespaces of this selector/);
    assert.match(b.hover('label'), /\*\*May be selected by\*\* \(1\)\n- \[Widget\/w\]/);
    assert.equal(b.lenses(), '5 spec.podSelector: may select Pod/web');
  });

  it('is never reported to match nothing if its purpose is unknown', async () => {
    const b = await bench(fixture);
    const unknown = 'The kind of objects that this selector matches is unknown.';
    assert.match(b.hover('unknown'), new RegExp(`\n\n${unknown}`));
    assert.doesNotMatch(b.hover('unknown'), /Matches nothing/);
    assert.equal(b.preview('unknown'), `app=web (Everything where \`app\` is 'web'. ${unknown})`);
    assert.match(b.explain('widget'), new RegExp(`## \`spec\\.source\\.selector\`\n\n.*${unknown}$`));
  });

  it('are those of the overlay in the perspective, with certainty', async () => {
    const b = await bench(`
      ==> base/kustomization.yaml <==
      resources: [service.yaml]
      ==> base/service.yaml <==
      apiVersion: v1
      kind: Service
      #     ^ object
      metadata: {name: web}
      spec: {selector: {app: web}}
      ==> overlays/dev/kustomization.yaml <==
      resources: [../../base]
      ==> overlays/prod/kustomization.yaml <==
      resources: [../../base, pod.yaml]
      ==> overlays/prod/pod.yaml <==
      {apiVersion: v1, kind: Pod, metadata: {name: web, labels: {app: web}}}
    `);
    assert.match(b.hover('object'), /\*\*Selects in prod\*\* \(1\)\n- \[Pod\/web\]/);
    assert.doesNotMatch(b.hover('object'), /May select/);
  });
});
