/** Tests that features show the selectors and labels of a strategic-merge patch as those of the object that it changes. */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';
import { lines } from '../harness/margin.ts';

const base = `
  ==> base/kustomization.yaml <==
  resources: [web.yaml]
  ==> base/web.yaml <==
  apiVersion: apps/v1
  kind: Deployment
  metadata: {name: web}
  spec:
    selector: {matchLabels: {app: web}}
    template:
      metadata: {labels: {app: web}}
      spec: {containers: [{name: web, image: nginx, ports: [{containerPort: 80}]}]}
  ---
  apiVersion: v1
  kind: Service
  metadata: {name: web}
  spec:
    selector: {app: web}
    #^ base
  ==> staging/kustomization.yaml <==
  {namespace: staging, resources: [../base]}
  ==> production/cache.yaml <==
  apiVersion: apps/v1
  kind: Deployment
  metadata: {name: cache}
  spec:
    selector: {matchLabels: {app: cache}}
    template: {metadata: {labels: {app: cache, track: stable}}}
`;

const service = (patch: string) => `${base}
  ==> production/kustomization.yaml <==
  namespace: prod
  resources: [../base, cache.yaml]
  labels: [{pairs: {env: production}, includeSelectors: true}]
  patches: [{path: patch.yaml}]
  ==> production/patch.yaml <==
  apiVersion: v1
  kind: Service
  metadata: {name: web}
  spec:
    selector: ${patch}
    #^ here
`;

describe('a selector in a patch', () => {
  it('is shown as the selector of the object that the patch changes', async () => {
    const b = await bench(service('{track: stable}'));
    assert.equal(
      b.hover('here'),
      lines(`
        selector
        ---
        **Selects** Pods where \`app\` is 'web', \`env\` is 'production' and \`track\` is 'stable'.

        As applied, it also requires \`app\` from [../base/web.yaml](<base/web.yaml#L14,14>), \`env\` from [kustomization.yaml](<production/kustomization.yaml#L3,24>).

        **Matches nothing** in the indexed files.

        **Near misses** (2)
        - [Deployment/web](<base/web.yaml#L7,16>) in \`prod\` — ../base/web.yaml:7: \`track\` is absent, but the selector wants 'stable'
        - [Deployment/cache](<production/cache.yaml#L6,25>) in \`prod\` — cache.yaml:6: \`app\` is 'cache', but the selector wants 'web'

        \`\`\`sh
        kubectl get pods -n prod -l app=web,env=production,track=stable
        \`\`\`
              `),
    );
    assert.equal(b.lenses('production/patch.yaml'), '5 spec.selector: selects nothing');
    assert.match(b.preview('here'), /^app=web,env=production,track=stable \(/);
  });

  it('selects what the whole selector selects', async () => {
    const b = await bench(service('{env: production}'));
    assert.match(b.hover('here'), /^\*\*Matches\*\* \(1\)\n- \[Deployment\/web\]/m);
    assert.equal(b.lenses('production/patch.yaml'), '5 spec.selector: selects Deployment/web');
  });

  it('has a command with the namespace and the requirements of the overlay in the base, too', async () => {
    const b = await bench(service('{track: stable}'));
    assert.match(b.hover('base'), /^kubectl get pods -n prod -l app=web,env=production,track=stable$/m);
  });

  it('is shown in a patch that is written in a kustomization', async () => {
    const b = await bench(`${base}
  ==> production/kustomization.yaml <==
  namespace: prod
  resources: [../base, cache.yaml]
  patches:
  - patch: |-
      apiVersion: v1
      kind: Service
      metadata: {name: web}
      spec:
        selector: {track: stable}
        #^ here
`);
    assert.match(b.hover('here'), /^\*\*Selects\*\* Pods where `app` is 'web' and `track` is 'stable'\.$/m);
    assert.match(b.hover('here'), /^\*\*Matches nothing\*\* in the indexed files\.$/m);
    assert.equal(b.lenses('production/kustomization.yaml'), '1 : builds 3 objects\n9 spec.selector: selects nothing');
    assert.match(b.preview('here'), /^app=web,track=stable \(/);
  });

  it('has unknown matches if no object is changed', async () => {
    const b = await bench(`
      ==> kustomization.yaml <==
      {resources: [cache.yaml], patches: [{path: patch.yaml}]}
      ==> cache.yaml <==
      {apiVersion: v1, kind: Pod, metadata: {name: cache, labels: {track: stable}}}
      ==> patch.yaml <==
      {apiVersion: v1, kind: Service, metadata: {name: web}, spec: {selector: {track: stable}}}
      #                                                                ^ here
    `);
    assert.equal(b.hover('here'), 'selector\n---\n**Matches unknown**: the object that this patch changes is unknown.');
    assert.equal(b.lenses('patch.yaml'), '');
  });
});

describe('a label in a patch', () => {
  it('is shown as the label of the object that the patch changes', async () => {
    const b = await bench(`${base}
  ==> production/kustomization.yaml <==
  {resources: [../base], patches: [{path: patch.yaml}]}
  ==> production/patch.yaml <==
  apiVersion: apps/v1
  kind: Deployment
  metadata: {name: web}
  spec: {template: {metadata: {labels: {track: stable}}}}
  #                                ^ here
`);
    assert.match(b.hover('here'), /^\*\*Selected by\*\* \(1\)\n- \[Service\/web\]/m);
    assert.equal(b.lenses('production/patch.yaml'), '4 spec.template.metadata.labels: selected by Service/web');
  });

  it('has no lens at another selector of the patch', async () => {
    const b = await bench(`${base}
  ==> production/kustomization.yaml <==
  {resources: [../base], patches: [{path: patch.yaml}]}
  ==> production/patch.yaml <==
  apiVersion: apps/v1
  kind: Deployment
  metadata: {name: web}
  spec: {template: {spec: {nodeSelector: {disk: ssd}}}}
`);
    assert.equal(b.lenses('production/patch.yaml'), '');
  });
});

describe('a patch that changes a label', () => {
  const files = (place: string, patch: string) => `
    ==> base/kustomization.yaml <==
    resources: [web.yaml]
    ==> base/web.yaml <==
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: web}
    spec:
      selector: {matchLabels: {app: web}}
      template: {metadata: {labels: {app: web, tier: front}}, spec: {containers: [{name: web, image: nginx}]}}
    ---
    {apiVersion: v1, kind: Service, metadata: {name: web}, spec: {selector: {app: web, tier: front}}}
    ---
    {apiVersion: v1, kind: Service, metadata: {name: all}, spec: {selector: {app: web}}}
    ==> production/${place}
    ${patch}
            tier: edge
            #^ tier
            team: shop
            #^ team
  `;
  const written = `apiVersion: apps/v1
    kind: Deployment
    metadata: {name: web}
    spec:
      template:
        metadata:
          labels:`;
  const lost = /\*\*No longer selected by\*\* \(1\)\n- \[Service\/web\].* `spec\.selector`/;

  it('names the selectors that no longer match', async () => {
    const b = await bench(`${files('tier.yaml <==', written)}
    ==> production/kustomization.yaml <==
    {resources: [../base], patches: [{path: tier.yaml}]}
    `);
    assert.match(b.hover('tier') ?? '', lost);
    assert.doesNotMatch(b.hover('team') ?? '', /longer/);
    assert.equal(
      b.lenses('production/tier.yaml'),
      '7 spec.template.metadata.labels: no longer selected by Service/web',
    );
  });

  it('names none if the selector is changed, too', async () => {
    const b = await bench(`${files('tier.yaml <==', written)}
    ==> production/kustomization.yaml <==
    resources: [../base]
    patches:
      - path: tier.yaml
      - patch: '{apiVersion: v1, kind: Service, metadata: {name: web}, spec: {selector: {tier: edge}}}'
    `);
    assert.match(b.hover('tier') ?? '', /\*\*Selected by\*\* \(1\)\n- \[Service\/web\]/);
    assert.doesNotMatch(b.hover('tier') ?? '', /longer/);
  });
});
