/** Tests the texts of CodeLenses and inlay hints, and where there are none. */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';
import { lines } from '../harness/margin.ts';
import { shop } from './shop.ts';

describe('lenses', () => {
  it('show the matches of a selector, and the selectors of a workload', async () => {
    const b = await bench(shop);
    const all = b.files.map(({ name }) => `${name}: ${b.lenses(name) || '(none)'}`);
    assert.equal(
      all.join('\n'),
      lines(`
        shop/service.yaml: 8 spec.selector: selects Deployment/basket
        shop/deployment.yaml: 14 spec.template.metadata.labels: selected by 2 objects; isolated by NetworkPolicy/closed
        shop/orders.yaml: (none)
        shop/budget.json: 5 spec.selector: selects 2 workloads
        shop/policy.yaml: 5 spec.podSelector: selects 2 workloads; any pod may connect on all ports
        monitoring/monitor.yaml: 9 spec.selector: selects Service/basket in another folder
        monitoring/prometheus.yaml: 7 spec.serviceMonitorSelector: selects ServiceMonitor/basket
      `),
    );
  });

  it('state that the selectors of pods are unknown if a helper of the chart is missing', async () => {
    const b = await bench(`
      ==> chart/Chart.yaml <==
      apiVersion: v2
      name: web
      version: 1.0.0
      ==> chart/templates/deployment.yaml <==
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec:
        selector:
          matchLabels:
            {{- include "web.selectorLabels" . | nindent 6 }}
        template:
          metadata:
            labels:
              {{- include "web.labels" . | nindent 8 }}
          spec:
            containers:
              - name: web
                image: example.com/web:1
                ports: [{containerPort: 80}]
    `);
    assert.equal(b.lenses('chart/templates/deployment.yaml'), '10 spec.template.metadata.labels: selectors unknown');
  });

  it('show that a change since the base requires recreating the object', async () => {
    const workload = (app: string) => `
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec:
        selector: {matchLabels: {app: ${app}}}
        template: {metadata: {labels: {app: ${app}}}}
    `;
    const b = await bench(`
      ==> web.yaml <==${workload('site')}
      ==> at-base/web.yaml <==${workload('web')}`);
    assert.equal(b.lenses('web.yaml'), '6 spec.template.metadata.labels: recreate needed');
    b.session.choose({ typing: true });
    assert.equal(b.lenses('web.yaml'), '');
  });

  it('name what selects the pods even if the object must be recreated', async () => {
    const workload = (app: string) => `
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec: {selector: {matchLabels: {app: ${app}}}, template: {metadata: {labels: {app: ${app}}}}}
      ---
      apiVersion: v1
      kind: Service
      metadata: {name: web}
      spec: {selector: {app: ${app}}}
      ---
      apiVersion: policy/v1
      kind: PodDisruptionBudget
      metadata: {name: web}
      spec: {selector: {matchLabels: {app: ${app}}}}
    `;
    const b = await bench(`
      ==> web.yaml <==${workload('site')}
      ==> at-base/web.yaml <==${workload('web')}`);
    assert.match(b.lenses('web.yaml'), /labels: selected by Service\/web, 1 more; recreate needed$/m);
  });

  it('show uncertain and missing matches', async () => {
    const b = await bench(`
      apiVersion: v1
      kind: Service
      metadata: {name: a}
      spec: {selector: {app: web}}
      ---
      apiVersion: v1
      kind: Service
      metadata: {name: b}
      spec: {selector: {app: shop}}
      ---
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: c, namespace: bank}
      spec:
        template: {metadata: {labels: {app: web}}}
      ---
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: d}
      spec:
        template:
          metadata: {labels: {app: other}}
          spec: {containers: [{name: d, ports: [{containerPort: 80}]}]}
      ---
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: e}
      spec: {template: {metadata: {labels: {app: job}}, spec: {containers: [{name: e}]}}}
    `);
    assert.equal(
      b.lenses(),
      lines(`
        4 spec.selector: may select Deployment/c
        9 spec.selector: selects nothing
        15 spec.template.metadata.labels: may be selected by Service/a
        22 spec.template.metadata.labels: selected by nothing
      `),
    );
  });

  it('count what each selector of a scratch document matches', async () => {
    const b = await bench(`
      ==> try.selector <==
      # what is here
      app in (web, api)
      #^ here
      app=
      track!=canary # and a comment
      app in (
      ==> pods.yaml <==
      {apiVersion: v1, kind: Pod, metadata: {name: web, labels: {app: web}}}
      ---
      {apiVersion: v1, kind: Pod, metadata: {name: api, labels: {app: api, track: "\${TRACK}"}}}
    `);
    assert.equal(
      b.lenses('try.selector'),
      lines(`
        2 selector: 2 matches
        3 selector: 0 matches
        4 selector: 1 match, may match 1 more
      `),
    );
  });

  it('never name the object itself, in any overlay', async () => {
    const b = await bench(`
      ==> base/kustomization.yaml <==
      resources: [web.yaml]
      ==> base/web.yaml <==
      apiVersion: apps/v1
      #^ here
      kind: Deployment
      metadata: {name: web}
      spec:
        selector: {matchLabels: {app: web}}
        template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, ports: [{containerPort: 80}]}]}}
      ==> overlays/dev/kustomization.yaml <==
      {resources: [../../base], namePrefix: dev-}
      ==> overlays/prod/kustomization.yaml <==
      resources: [../../base]
    `);
    assert.equal(b.lenses('base/web.yaml'), '6 spec.template.metadata.labels: selected by nothing');
  });

  it('never add the counts of environments', async () => {
    const b = await bench(`
      ==> base/kustomization.yaml <==
      resources: [service.yaml]
      ==> base/service.yaml <==
      {apiVersion: v1, kind: Service, metadata: {name: web}, spec: {selector: {app: web}}}
      #                                                                        ^ here
      ==> overlays/dev/kustomization.yaml <==
      resources: [../../base, pod.yaml]
      ==> overlays/dev/pod.yaml <==
      {apiVersion: v1, kind: Pod, metadata: {name: dev, labels: {app: web}}}
      ==> overlays/prod/kustomization.yaml <==
      resources: [../../base, pods.yaml]
      ==> overlays/prod/pods.yaml <==
      {apiVersion: v1, kind: Pod, metadata: {name: one, labels: {app: web}}}
      ---
      {apiVersion: v1, kind: Pod, metadata: {name: two, labels: {app: web}}}
    `);
    assert.equal(b.lenses('base/service.yaml'), '1 spec.selector: selects 2 Pods in prod');
    assert.match(b.hover('here'), /\*\*Matches in prod\*\* \(2\)\n- \[Pod\/one\].*\n.*\n\n\*\*In dev\*\*: 1 match\./);
  });

  it('are not evaluated further if hundreds of selectors match', async () => {
    const controller = (number: number) => `
      ---
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web-${number}}
      spec:
        selector: {matchLabels: {app: web}}
        template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, ports: [{containerPort: 80}]}]}}
    `;
    const first = async (count: number) => {
      const b = await bench(Array.from({ length: count }, (_, number) => controller(number)).join(''));
      return b.lenses().split('\n')[0];
    };
    assert.equal(
      await first(201),
      '7 spec.template.metadata.labels: selected by Deployment/web-1, Deployment/web-2, 198 more',
    );
    assert.equal(await first(202), '7 spec.template.metadata.labels: selected by more than 200 objects');
  });

  it('are absent during indexing and in generated files', async () => {
    const service = '{apiVersion: v1, kind: Service, metadata: {name: web}, spec: {selector: {app: web}}}\n';
    assert.equal((await bench(service, { indexing: true })).lenses(), '');
    assert.equal((await bench(`# Code generated by gen. DO NOT EDIT.\n${service}`)).lenses(), '');
    assert.notEqual((await bench(service)).lenses(), '');
  });
});

describe('hints', () => {
  it('show the same text at the end of the line', async () => {
    const b = await bench(shop);
    assert.equal(b.hints('shop/service.yaml'), 'selector: « selects Deployment/basket »');
    assert.equal(
      b.hints('monitoring/monitor.yaml'),
      'selector: {matchLabels: {scrape: basket}} « selects Service/basket in another folder »',
    );
  });
});

it('a title with a long name of an overlay ends with `here`, and is not cut', async () => {
  const name = 'an-overlay-with-a-name-that-is-too-long-for-a-title';
  const b = await bench(`
    ==> base/kustomization.yaml <==
    resources: [web.yaml]
    ==> base/web.yaml <==
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: web}
    spec: {selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c}]}}}
    ==> ${name}/kustomization.yaml <==
    resources: [../base, service.yaml]
    ==> ${name}/service.yaml <==
    {apiVersion: v1, kind: Service, metadata: {name: web}, spec: {selector: {app: web}}}
    ==> other/kustomization.yaml <==
    resources: [../base]
  `);
  b.session.choose({ perspective: { selected: [b.uriOf(name)] } });
  assert.match(b.lenses('base/web.yaml'), /: selected by Service\/web here$/);
});
