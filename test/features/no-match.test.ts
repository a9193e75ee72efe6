/** Tests that a selector without known matches claims no more than the known objects permit. */

import assert from 'node:assert/strict';
import { preview } from '../../server/src/features/pages/preview.ts';
import { bench } from '../harness/bench.ts';

const chart = (values: string) => `
  ==> web/Chart.yaml <==
  {apiVersion: v2, name: web, version: 1.0.0}
  ==> web/values.yaml <==
  ${values}
  ==> web/templates/web.yaml <==
  apiVersion: apps/v1
  kind: Deployment
  metadata: {name: web}
  spec:
    selector: {matchLabels: {app: web}}
    template:
      metadata: {labels: {app: web}}
      spec:
        nodeSelector:
        # ^ nodes
          {{- toYaml .Values.nodes | nindent 8 }}
        containers: [{name: web}]
  ==> web/templates/service.yaml <==
  apiVersion: v1
  kind: Service
  #     ^ service
  metadata: {name: web}
  spec:
    selector:
    # ^ pods
      {{- toYaml .Values.pods | nindent 4 }}`;

const node = `
  ==> nodes/nodes.yaml <==
  {apiVersion: v1, kind: Node, metadata: {name: n1, labels: {disk: ssd}}}`;

describe('a selector without known matches', () => {
  it('of nodes is never said to match nothing if no Node or node pool is applied together with it', async () => {
    for (const nodes of ['', node]) {
      const b = await bench(`${chart('{nodes: {}, pods: {app: web}}')}${nodes}`);
      const text = b.hover('nodes') ?? '';
      assert.match(text, /^With chart defaults, an empty `nodeSelector` selects all Nodes\.$/m);
      assert.match(text, /^\*\*Matches unknown\*\*: no Node or node pool is applied together with it\.$/m);
      assert.doesNotMatch(text, /Matches nothing/);
      assert.equal(text.includes('Node/n1'), nodes !== '');
    }
  });

  it('lists the Nodes of another folder if it requires labels', async () => {
    const b = await bench(`${chart('{nodes: {disk: ssd}, pods: {app: web}}')}${node}`);
    assert.match(b.hover('nodes') ?? '', /\*\*Matches in another folder\*\* \(1\)\n- \[Node\/n1\]/);
  });

  it('that a chart leaves empty has the meaning of an empty selector', async () => {
    const b = await bench(chart('{nodes: {}, pods: {}}'));
    const text = b.hover('pods') ?? '';
    assert.match(text, /^With chart defaults, an empty `selector` selects no Pods here\.$/m);
    assert.doesNotMatch(text, /All Pods/);
  });

  it('that one overlay deletes is not unknown because of an object of another overlay', async () => {
    const b = await bench(`
      ==> base/kustomization.yaml <==
      resources: [cart.yaml, policy.yaml]
      ==> base/cart.yaml <==
      {apiVersion: apps/v1, kind: Deployment, metadata: {name: cart}, spec: {selector: {matchLabels: {app: cart}}, template: {metadata: {labels: {app: cart}}, spec: {containers: [{name: c, image: c}]}}}}
      ==> base/policy.yaml <==
      apiVersion: networking.k8s.io/v1
      kind: NetworkPolicy
      metadata: {name: cart}
      spec:
        podSelector: {matchLabels: {app: cart}}
        # ^ here
      ==> memorystore/kustomization.yaml <==
      resources: [../base]
      patches:
        - patch: |-
            {apiVersion: apps/v1, kind: Deployment, metadata: {name: cart}, $patch: delete}
      ==> monitored/kustomization.yaml <==
      resources: [../base, prometheus.yaml]
      patches:
        - patch: |-
            {apiVersion: apps/v1, kind: Deployment, metadata: {name: cart}, $patch: delete}
      ==> monitored/prometheus.yaml <==
      {apiVersion: monitoring.coreos.com/v1, kind: Prometheus, metadata: {name: web}, spec: {replicas: 1}}
    `);
    const shownIn = (selected: string) => {
      b.session.choose({ perspective: { selected: [b.uriOf(selected)] } });
      const { uri, span, file } = b.place('here');
      b.session.workspace.edit(uri, file.text);
      const { isUnknown, others } = b.session.at(uri, span.start, preview) ?? {};
      return { isUnknown, others: others?.map((each) => each.isUnknown), hover: b.hover('here') };
    };
    const store = shownIn('memorystore');
    assert.match(store.hover ?? '', /^\*\*In monitored\*\*: matches unknown\.$/m);
    assert.match(store.hover ?? '', /^\*\*Matches nothing in memorystore\*\*\.$/m);
    assert.equal(b.lenses('base/policy.yaml'), '5 spec.podSelector: selects nothing in memorystore');
    assert.deepEqual([store.isUnknown, store.others], [undefined, [true]]);
    const monitored = shownIn('monitored');
    assert.match(
      monitored.hover ?? '',
      /^\*\*Matches unknown in monitored\*\*: controllers or templates may add labels/m,
    );
    assert.match(monitored.hover ?? '', /^\*\*In memorystore\*\*: nothing matches\.$/m);
    assert.deepEqual([monitored.isUnknown, monitored.others], [true, [false]]);
  });

  it('is unknown beside an object to whose pods a controller adds labels', async () => {
    const b = await bench(`
      ==> shop/service.yaml <==
      apiVersion: v1
      kind: Service
      #     ^ object
      metadata: {name: web}
      spec:
        selector: {app: web}
        # ^ here
      ==> shop/prometheus.yaml <==
      {apiVersion: monitoring.coreos.com/v1, kind: Prometheus, metadata: {name: web}, spec: {replicas: 1}}
    `);
    const unknown = /^\*\*Matches unknown\*\*: controllers or templates may add labels to objects\.$/m;
    assert.match(b.hover('here') ?? '', unknown);
    assert.match(b.hover('object') ?? '', unknown);
    assert.match(b.explain('object') ?? '', unknown);
    assert.equal(b.lenses('shop/service.yaml'), '5 spec.selector: matches unknown');
  });

  it('is unknown beside an object whose operator may create objects, in the words of the command line', async () => {
    const b = await bench(`
      ==> shop/service.yaml <==
      apiVersion: v1
      kind: Service
      #     ^ object
      metadata: {name: web}
      spec:
        selector: {app: web}
        # ^ here
      ==> shop/cache.yaml <==
      {apiVersion: example.com/v1, kind: Memcached, metadata: {name: cache}}
    `);
    const unknown = /^\*\*Matches unknown\*\*: cache\.yaml contains the kind Memcached, which may create objects\.$/m;
    assert.match(b.hover('here') ?? '', unknown);
    assert.match(b.hover('object') ?? '', unknown);
    assert.match(b.explain('object') ?? '', unknown);
    assert.equal(b.lenses('shop/service.yaml'), '5 spec.selector: matches unknown');
  });

  it('names only a release whose objects it may match, in the words for any kind', async () => {
    const release = (name: string) =>
      `{apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, metadata: {name: ${name}, namespace: shop}, spec: {chart: {spec: {chart: ${name}, sourceRef: {kind: HelmRepository, name: x}}}, values: {a: b}}}`;
    const files = (more: string) => `
      ==> apps/kustomization.yaml <==
      resources: [alpha.yaml, podinfo.yaml, service.yaml${more === '' ? '' : ', cache.yaml'}]
      ==> apps/alpha.yaml <==
      ${release('alpha')}
      ==> apps/podinfo.yaml <==
      ${release('podinfo')}
      ==> apps/service.yaml <==
      apiVersion: v1
      kind: Service
      metadata: {name: web, namespace: shop}
      spec:
        selector: {app: podinfo}
        # ^ released
      ---
      apiVersion: monitoring.coreos.com/v1
      kind: ServiceMonitor
      metadata: {name: web, namespace: shop}
      spec:
        selector: {matchLabels: {app: web}}
        # ^ monitored
      ${more}
    `;
    const b = await bench(files(''));
    const unknown = /^\*\*Matches unknown\*\*: (.*)$/m;
    const reasonAt = (place: string) => unknown.exec(b.hover(place) ?? '')?.[1];
    assert.equal(
      reasonAt('released'),
      'podinfo.yaml contains the kind HelmRelease, whose objects are not in any file.',
    );
    assert.equal(reasonAt('monitored'), undefined);
    const cache = `
      ==> apps/cache.yaml <==
      {apiVersion: cache.example.com/v1, kind: Memcached, metadata: {name: web}, spec: {}}`;
    const c = await bench(files(cache));
    const reason = unknown.exec(c.hover('monitored') ?? '')?.[1];
    assert.equal(reason, 'cache.yaml contains the kind Memcached, which may create objects.');
  });

  it('could not match another version of its own object', async () => {
    const deployment = (team: string) => `
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec:
        selector: {matchLabels: {app: web}}
        #                        ^ ${team}
        template: {metadata: {labels: {app: web, team: ${team}}}}
    `;
    const b = await bench(`==> a/web.yaml <==\n${deployment('red')}\n==> b/web.yaml <==\n${deployment('blue')}
==> c/pod.yaml <==\n{apiVersion: v1, kind: Pod, metadata: {name: other, labels: {app: web}}}`);
    assert.match(b.hover('red') ?? '', /other/);
    assert.doesNotMatch(b.hover('red') ?? '', /applied together/);
    assert.doesNotMatch(b.preview('red') ?? '', /applied together/);
  });

  it('does not match another version of its own object in another folder, whose namespace is not set', async () => {
    const deployment = (metadata: string, mark: string) => `
      apiVersion: apps/v1
      kind: Deployment
      #     ^ ${mark}
      metadata: {name: web${metadata}}
      spec:
        selector: {matchLabels: {app: web}}
        #                        ^ ${mark}-pods
        template: {metadata: {labels: {app: web}}}
        #                      ^ ${mark}-labels
    `;
    const b = await bench(`==> one/web.yaml <==\n${deployment(', namespace: shop', 'placed')}
==> two/web.yaml <==\n${deployment('', 'free')}\n==> two/more.yaml <==\n{apiVersion: v1, kind: ConfigMap, metadata: {name: more}}
==> three/pod.yaml <==\n{apiVersion: v1, kind: Pod, metadata: {name: other, labels: {app: web}}}`);
    assert.match(
      b.hover('placed-pods') ?? '',
      /Pod\/other.*: its namespace is not set, and the selector is in `shop`$/m,
    );
    const others = { placed: /two\/web\.yaml/, free: /one\/web\.yaml/ };
    for (const [mark, other] of Object.entries(others)) {
      for (const at of ['', '-pods', '-labels']) assert.doesNotMatch(b.hover(`${mark}${at}`) ?? '', other, mark + at);
      assert.doesNotMatch(b.preview(`${mark}-pods`) ?? '', other, mark);
    }
  });

  it('does not match a rendered version of its own object of a chart, which is in the namespace of the release', async () => {
    const web = (namespace: string) => `apiVersion: apps/v1
kind: Deployment
metadata: {name: web${namespace}}
spec:
  selector: {matchLabels: {app: web}}
  #                        ^ pods
  template: {metadata: {labels: {app: web}}}
  #                     ^ labels
  #                              ^ label
`;
    const plain = (namespace: string) => web(namespace).replaceAll(/^ *# .*\n/gm, '');
    const b = await bench(`==> chart/Chart.yaml <==\n{apiVersion: v2, name: web, version: 1.0.0}
==> chart/templates/web.yaml <==\n${web(', namespace: {{ .Release.Namespace }}')}==> rendered/web.yaml <==\n${plain('')}
==> other/web.yaml <==\n${plain(', namespace: shop')}`);
    for (const place of ['pods', 'labels', 'label'])
      assert.doesNotMatch(b.hover(place) ?? '', /(?:rendered|other)\/web\.yaml/, place);
  });

  it('does not match a version in another folder of an object that it matches here, nor is a version selected again', async () => {
    const web = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}}
  #                      ^ labels
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec:
  selector: {app: web}
  #          ^ pods
`;
    const plain = web.replaceAll(/^ *# .*\n/gm, '');
    const b = await bench(`==> one/web.yaml <==\n${web}==> one/kustomization.yaml <==\nresources: [web.yaml]
==> two/web.yaml <==\n${plain}==> two/more.yaml <==\n${plain.replaceAll('name: web', 'name: more')}`);
    for (const text of [b.hover('pods') ?? '', b.preview('pods') ?? '']) {
      assert.match(text, /two\/more\.yaml/);
      assert.doesNotMatch(text, /two\/web\.yaml/);
    }
    assert.doesNotMatch(b.hover('labels') ?? '', /two\/web\.yaml/);
  });

  it('is known beside the configuration of a former version of Istio', async () => {
    const b = await bench(`
      ==> shop/service.yaml <==
      apiVersion: v1
      kind: Service
      metadata: {name: web}
      spec:
        selector: {app: web}
        # ^ here
      ==> shop/quota.yaml <==
      {apiVersion: config.istio.io/v1alpha2, kind: QuotaSpec, metadata: {name: quota}}
    `);
    assert.match(b.hover('here') ?? '', /^\*\*Matches nothing\*\* in the indexed files/m);
  });

  it('is unknown only in the overlays that may contain further objects', async () => {
    const b = await bench(`
      ==> base/kustomization.yaml <==
      resources: [service.yaml]
      ==> base/service.yaml <==
      {apiVersion: v1, kind: Service, metadata: {name: web}, spec: {selector: {app: web}}}
      #                                                             ^ here
      ==> overlays/a/kustomization.yaml <==
      resources: [../../base, cache.yaml]
      ==> overlays/a/cache.yaml <==
      {apiVersion: example.com/v1, kind: Memcached, metadata: {name: cache}}
      ==> overlays/b/kustomization.yaml <==
      resources: [../../base, pod.yaml]
      ==> overlays/b/pod.yaml <==
      {apiVersion: v1, kind: Pod, metadata: {name: web, labels: {app: web}}}
      ==> overlays/c/kustomization.yaml <==
      resources: [../../base, pod.yaml]
      ==> overlays/c/pod.yaml <==
      {apiVersion: v1, kind: Pod, metadata: {name: api, labels: {app: api}}}
    `);
    const text = b.hover('here') ?? '';
    assert.match(text, /\*\*In b\*\*: 1 match\./);
    assert.match(text, /\*\*In c\*\*: nothing matches\./);
    assert.match(text, /^\*\*Matches unknown in a\*\*: cache\.yaml contains the kind Memcached/m);
    assert.equal(b.lenses('base/service.yaml'), '1 spec.selector: matches unknown in a');
  });

  it('matches nothing in the indexed files only if no object elsewhere may match', async () => {
    const world = (labels: string) => `
      ==> shop/service.yaml <==
      {apiVersion: v1, kind: Service, metadata: {name: web}, spec: {selector: {app: web}}}
      #                                                             ^ here
      ==> other/pod.yaml <==
      apiVersion: v1
      kind: Pod
      metadata:
        name: web
        labels: {${labels}}`;
    const certain = await bench(world('app: api'));
    assert.match(certain.hover('here') ?? '', /^\*\*Matches nothing\*\* in the indexed files\.$/m);
    const open = await bench(world('app: "{{ .App }}"'));
    assert.match(open.hover('here') ?? '', /^\*\*Matches nothing\*\* that is applied together with it\.$/m);
  });

  it('is described with the requirements that a template adds', async () => {
    const b = await bench(`
      ==> budget.yaml <==
      apiVersion: policy/v1
      kind: PodDisruptionBudget
      metadata: {name: web}
      spec:
        minAvailable: 1
        selector:
        # ^ here
          matchLabels:
            {{- include "web.labels" . | nindent 6 }}
    `);
    assert.match(b.hover('here') ?? '', /^\*\*Selects\*\* Pods where conditions hold that are not known\.$/m);
    assert.doesNotMatch(b.explain('here') ?? '', /whatever their labels/);
  });
});

describe('matches elsewhere', () => {
  it('are uncertain if something else than labels decides', async () => {
    const b = await bench(`
      ==> routes/rule.yaml <==
      apiVersion: networking.istio.io/v1
      kind: DestinationRule
      #     ^ object
      metadata: {name: reviews}
      spec:
        host: reviews
        subsets:
          - name: v2
            labels: {version: v2}
            # ^ here
      ==> apps/details.yaml <==
      {apiVersion: v1, kind: Pod, metadata: {name: details, labels: {app: details, version: v2}}}
    `);
    assert.match(b.hover('here') ?? '', /^\*\*May match in another folder\*\* \(1\)\n- \[Pod\/details\]/m);
    assert.doesNotMatch(b.hover('here') ?? '', /\*\*Matches/);
    assert.match(b.explain('object') ?? '', /^May match in another folder\n\n- Pod\/details /m);
  });
});

describe('an object without known selectors', () => {
  it('of a patch is not said to be selected by nothing, because the patch contains only some labels', async () => {
    const b = await bench(`
      ==> base/kustomization.yaml <==
      resources: [pod.yaml]
      ==> base/pod.yaml <==
      {apiVersion: v1, kind: Pod, metadata: {name: web, labels: {app: web}}}
      ==> prod/kustomization.yaml <==
      {resources: [../base, service.yaml], patches: [{path: patch.yaml}]}
      ==> prod/patch.yaml <==
      {apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {priority: 1}}
      #                      ^ here
      ==> prod/service.yaml <==
      {apiVersion: v1, kind: Service, metadata: {name: web}, spec: {selector: {app: web}}}
    `);
    assert.doesNotMatch(b.hover('here') ?? '', /nothing/);
  });

  it('is selected by its own labels also if it has a pod template', async () => {
    const b = await bench(`
      ==> grafana.yaml <==
      apiVersion: grafana.integreatly.org/v1beta1
      kind: Grafana
      #     ^ here
      metadata: {name: main, namespace: shop, labels: {dashboards: main}}
      spec: {deployment: {spec: {template: {spec: {containers: [{name: grafana}]}}}}}
      ---
      apiVersion: grafana.integreatly.org/v1beta1
      kind: GrafanaDashboard
      metadata: {name: sales, namespace: shop}
      spec: {instanceSelector: {matchLabels: {dashboards: main}}}
    `);
    assert.match(b.hover('here') ?? '', /^\*\*Selected by\*\* \(1\)\n- \[GrafanaDashboard\/sales\]/m);
    assert.doesNotMatch(b.hover('here') ?? '', /nothing/);
  });
});

describe('the labels of a workload itself', () => {
  it('are distinguished from the labels of its pods', async () => {
    const b = await bench(`
      apiVersion: apps/v1
      kind: Deployment
      #     ^ object
      metadata:
        name: web
        labels: {app: web}
        # ^ own
      spec:
        selector: {matchLabels: {app: web}}
        template: {metadata: {labels: {app: web}}}
        #                     ^ pods
    `);
    assert.match(
      b.hover('own') ?? '',
      /^Labels of the Deployment itself\. Its pods have the labels of its template\.$/m,
    );
    assert.match(b.hover('pods') ?? '', /\*\*Selected by nothing\*\*/);
    assert.doesNotMatch(b.explain('object') ?? '', /Selected by/);
    assert.doesNotMatch(b.preview('object'), /selectedBy/);
  });
});

describe('an object that is no workload', () => {
  it('is not said to be selected by nothing, even if it has a template', async () => {
    const b = await bench(`
      apiVersion: argoproj.io/v1alpha1
      kind: ApplicationSet
      #     ^ here
      metadata: {name: shop, labels: {team: a}}
      spec:
        generators: [{list: {elements: [{name: web}]}}]
        template: {metadata: {name: "{{ name }}", labels: {app: web}}, spec: {source: {path: web}}}
    `);
    assert.doesNotMatch(b.hover('here') ?? '', /Selected by nothing/);
  });

  it('that is an empty namespace may get objects from overlays', async () => {
    const b = await bench(`
      apiVersion: v1
      kind: Namespace
      #     ^ here
      metadata: {name: shop}
    `);
    assert.match(
      b.hover('here') ?? '',
      /^No indexed file sets namespace `shop`; overlays and releases may add objects/m,
    );
  });
});

describe('selectors elsewhere', () => {
  it('may select an object if its namespace differs from an unset one', async () => {
    const b = await bench(`
      ==> apps/web.yaml <==
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web, namespace: shop}
      spec:
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          #          ^ here
          spec: {containers: [{name: web, ports: [{containerPort: 80}]}]}
      ==> other/service.yaml <==
      {apiVersion: v1, kind: Service, metadata: {name: web}, spec: {selector: {app: web}}}
    `);
    assert.match(b.hover('here') ?? '', /^\*\*May also be selected in another folder by\*\* \(1\)/m);
    assert.equal(
      b.lenses('apps/web.yaml').split('\n')[0],
      '7 spec.template.metadata.labels: may be selected in another folder by Service/web',
    );
  });
});
