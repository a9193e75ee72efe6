/** Tests the targets of selectors, and the references of labels (requirement A3). */

import assert from 'node:assert/strict';
import { hover } from '../../server/src/features/hover/hover.ts';
import { type Bench, bench } from '../harness/bench.ts';
import { lines } from '../harness/margin.ts';
import { shop } from './shop.ts';

describe('navigation', () => {
  let b: Bench;
  before(async () => {
    b = await bench(shop);
  });

  it('leads from a whole selector to the matching labels, also if an anchor contains them', () => {
    for (const place of ['selector', 'key', 'value']) {
      assert.equal(b.definition(place), 'shop/deployment.yaml:10 app: basket', place);
    }
    assert.equal(b.definition('json'), 'shop/deployment.yaml:10 app: basket\nshop/orders.yaml:6 app: basket');
    assert.equal(b.definition('everything'), 'shop/deployment.yaml:14 labels\nshop/orders.yaml:6 labels');
  });

  it('leads to other scopes if nothing here matches', () => {
    assert.equal(b.definition('monitor'), 'shop/service.yaml:6 scrape: basket');
  });

  it('treats a label as its own definition, so that an editor shows its references', () => {
    assert.equal(b.definition('astral'), 'shop/orders.yaml:6 app: basket');
  });

  it('finds every selector that requires a label and every labeled object, those of the file first', () => {
    const others = [
      'shop/budget.json:6 "basket"',
      'shop/deployment.yaml:6 app: basket',
      'shop/deployment.yaml:10 app: basket',
      'shop/orders.yaml:6 app: basket',
      'shop/policy.yaml:8 app: basket',
      'shop/service.yaml:9 app: basket',
    ];
    for (const [place, file] of [
      ['value', 'shop/service.yaml'],
      ['own-label', 'shop/deployment.yaml'],
      ['anchored', 'shop/deployment.yaml'],
      ['astral', 'shop/orders.yaml'],
      ['json', 'shop/budget.json'],
      ['flow', 'shop/policy.yaml'],
    ] as const) {
      const isHere = (line: string) => line.startsWith(`${file}:`);
      const wanted = [...others.filter(isHere), ...others.filter((line) => !isHere(line))];
      assert.equal(b.references(place), wanted.join('\n'), place);
      const without = wanted.filter((line) => place !== 'value' || !isHere(line));
      if (place === 'value') assert.equal(b.references(place, true), without.join('\n'));
    }
  });

  it('finds them from another scope, and the matches of a whole selector', () => {
    assert.equal(
      b.references('service-label'),
      'shop/service.yaml:6 scrape: basket\nmonitoring/monitor.yaml:9 scrape: basket',
    );
    assert.equal(b.references('selector'), 'shop/deployment.yaml:10 app: basket');
  });

  it('leads from any position in a Service to its workloads', () => {
    for (const place of ['service', 'service-label', 'selector', 'value']) {
      assert.equal(b.implementation(place), 'shop/deployment.yaml:4 basket', place);
    }
    assert.equal(b.implementation('prometheus'), 'monitoring/monitor.yaml:4 basket');
  });

  it('highlights the labels and the requirements of one file', () => {
    assert.equal(b.highlights('own-label'), '6 app: basket (label)\n10 app: basket (label)');
    assert.equal(b.highlights('value'), '9 app: basket (selector)');
  });

  it('returns nothing in a comment', () => {
    for (const ask of ['definition', 'references', 'implementation', 'highlights', 'hover'] as const) {
      assert.equal(b[ask]('comment'), '(none)', ask);
    }
  });

  it('returns nothing beyond the end', () => {
    const view = b.session.fileView(b.uriOf('shop/service.yaml'));
    assert.ok(view);
    const { text } = b.file('shop/service.yaml');
    assert.equal(b.session.at(view.file.uri, text.length + 7, hover), undefined);
  });
});

describe('navigation in incomplete text', () => {
  const text = `
    ==> shop.yaml <==
    apiVersion: v1
    kind: Service
    metadata: {name: basket}
    spec:
      selector:
        app: basket
        #^ key
        tier
    ---
    apiVersion: v1
    kind: Pod
    metadata: {name: a, labels: {app: basket, tier: web}}
    ---
    apiVersion: v1
    kind: Pod
    metadata:
      name: b
      labels: {app: bas
      #             ^ typed
  `;

  for (const lineEnd of ['\n', '\r\n'] as const) {
    it(`works as far as the text can be parsed, with ${JSON.stringify(lineEnd)}`, async () => {
      const b = await bench(text, { lineEnd });
      assert.equal(b.references('key'), 'shop.yaml:6 app: basket\nshop.yaml:11 app: basket');
      assert.equal(b.highlights('typed'), '17 app: bas (label)');
    });
  }
});

describe('references', () => {
  it('are found in selectors that are written as text, and in requirements for any value', async () => {
    const b = await bench(`
      ==> .selector-lens.yaml <==
      catalogue:
        - group: example.com
          kind: Watch
          selectors: [{path: spec.query, form: string, targets: [{group: "", kind: Pod}]}]
      ==> pod.yaml <==
      {apiVersion: v1, kind: Pod, metadata: {name: a, labels: {app: web}}}
      #                                                        ^ here
      ==> watch.yaml <==
      apiVersion: example.com/v1
      kind: Watch
      metadata: {name: w}
      spec:
        query: "tier!=back,app in (web, shop)"
      ---
      apiVersion: example.com/v1
      kind: Watch
      metadata: {name: x}
      spec:
        query: app=web
      ==> budget.yaml <==
      apiVersion: policy/v1
      kind: PodDisruptionBudget
      metadata: {name: p}
      spec:
        selector:
          matchExpressions:
          - {key: app, operator: Exists}
          - {key: app, operator: NotIn, values: [web]}
          - {key: app, operator: NotIn, values: [api]}
    `);
    assert.equal(
      b.references('here'),
      lines(`
        pod.yaml:1 app: web
        budget.yaml:7 app
        budget.yaml:8 web
        watch.yaml:5 web
        watch.yaml:11 app=web
      `),
    );
  });

  it('list copies of overlays once, and no alternatives', async () => {
    const b = await bench(`
      ==> dev/kustomization.yaml <==
      resources: [pod.yaml]
      ==> dev/pod.yaml <==
      {apiVersion: v1, kind: Pod, metadata: {name: a, labels: {app: web}}}
      #                                                        ^ here
      ==> prod/kustomization.yaml <==
      resources: [pod.yaml]
      ==> prod/pod.yaml <==
      {apiVersion: v1, kind: Pod, metadata: {name: a, labels: {app: web}}}
    `);
    assert.equal(b.references('here'), 'dev/pod.yaml:1 app: web');
  });

  it('of annotations, and of labels that no selector evaluates, do not exist', async () => {
    const b = await bench(`
      apiVersion: v1
      kind: Pod
      metadata:
        name: a
        annotations: {note: web}
        #             ^ note
    `);
    assert.equal(b.references('note'), '(none)');
    assert.equal(b.highlights('note'), '(none)');
    assert.equal(b.definition('note'), '(none)');
  });
});

describe('labels that a kustomization writes', () => {
  it('lead to the kustomization that adds them', async () => {
    const b = await bench(`
      ==> kustomization.yaml <==
      resources: [shop.yaml]
      namePrefix: dev-
      labels:
      - pairs: {env: dev}
        includeTemplates: true
      ==> shop.yaml <==
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec:
        selector: {matchLabels: {app: web}}
        template: {metadata: {labels: {app: web}}}
      ---
      apiVersion: policy/v1
      kind: PodDisruptionBudget
      metadata: {name: web}
      #                ^ budget
      spec:
        selector: {matchLabels: {env: dev}}
        #                        ^ here
    `);
    assert.equal(b.definition('here'), 'kustomization.yaml:4 env: dev');
    assert.equal(b.implementation('here'), 'shop.yaml:3 web');
    assert.equal(
      b.selects('budget'),
      lines(`
        PodDisruptionBudget/web (shop.yaml)
          Deployment/dev-web (shop.yaml)
      `),
    );
    assert.match(b.lenses('shop.yaml'), /selected by PodDisruptionBudget\/dev-web\n.*selects Deployment\/dev-web/);
  });

  it('are shown for a match if the selector requires them, and only then', async () => {
    const b = await bench(`
      ==> kustomization.yaml <==
      resources: [web.yaml]
      labels: [{pairs: {team: blue}}]
      ==> web.yaml <==
      {apiVersion: v1, kind: Service, metadata: {name: a}, spec: {selector: {app: web}}}
      #                                                           ^ app
      ---
      {apiVersion: v1, kind: Service, metadata: {name: b}, spec: {selector: {team: blue}}}
      #                                                           ^ team
      ---
      {apiVersion: v1, kind: Pod, metadata: {name: web, labels: {app: web}}}
    `);
    assert.match(b.hover('app'), /Pod\/web\]\(.*\) — web\.yaml:5$/m);
    assert.match(b.hover('team'), /— web\.yaml:5 \(`team` from \[kustomization\.yaml\]\(.*\)\)$/m);
  });

  it('are found from their entry, from the selectors that match on them, and from commands', async () => {
    const b = await bench(`
      ==> base/kustomization.yaml <==
      resources: [web.yaml]
      labels:
        - pairs: {team: blue}
          #             ^ pair
      ==> base/web.yaml <==
      apiVersion: v1
      kind: Service
      metadata: {name: web}
      ==> dev/kustomization.yaml <==
      resources: [../base]
      commonLabels: {env: dev}
      #                   ^ common
      ==> prod/kustomization.yaml <==
      resources: [../base, monitor.yaml]
      commonLabels: {env: prod}
      ==> prod/monitor.yaml <==
      apiVersion: monitoring.coreos.com/v1
      kind: ServiceMonitor
      metadata: {name: web}
      spec:
        selector: {matchLabels: {team: blue}}
        #                              ^ asked
        #  ^ whole
      ---
      apiVersion: policy/v1
      kind: PodDisruptionBudget
      metadata: {name: all}
      spec: {selector: {matchExpressions: [{key: env, operator: Exists}]}}
      #                                            ^ key
      ==> look.sh <==
      kubectl get services -l team=blue
      #                            ^ command
    `);
    b.session.workspace.edit(b.uriOf('look.sh'), b.file('look.sh').text);
    const [asked, pair, command] = [
      'prod/monitor.yaml:5 team: blue',
      'base/kustomization.yaml:3 team: blue',
      'look.sh:1 team=blue',
    ];
    assert.equal(b.references('pair'), [pair, command, asked].join('\n'));
    assert.equal(b.references('asked'), [asked, command, pair].join('\n'));
    assert.equal(b.references('command'), [command, pair, asked].join('\n'));
    assert.equal(b.definition('asked'), 'base/kustomization.yaml:3 team: blue');
    assert.equal(b.definition('command'), 'base/kustomization.yaml:3 team: blue');
    assert.equal(b.definition('whole'), 'base/kustomization.yaml:3 team: blue');
    // Settings of another overlay are alternatives.
    assert.equal(b.references('key'), 'prod/monitor.yaml:10 env\nprod/kustomization.yaml:2 env: prod');
    assert.equal(b.references('common'), 'dev/kustomization.yaml:2 env: dev');
  });
});

describe('node selectors', () => {
  const nodes = `
    ==> pod.yaml <==
    apiVersion: v1
    kind: Pod
    metadata: {name: a}
    spec:
      nodeSelector: {disk: ssd}
      #              ^ map
      affinity:
        nodeAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
          #  ^ required
            nodeSelectorTerms:
            - matchExpressions: [{key: disk, operator: In, values: [hdd]}]
              #                            ^ term
            - matchFields: [{key: metadata.name, operator: In, values: [three]}]
    ==> nodes.yaml <==
    {apiVersion: v1, kind: Node, metadata: {name: one, labels: {disk: ssd}}}
    #                                                           ^ ssd
    ---
    {apiVersion: v1, kind: Node, metadata: {name: two, labels: {disk: hdd}}}
    ---
    {apiVersion: v1, kind: Node, metadata: {name: three, labels: {disk: none}}}
  `;

  it('lead to the nodes of each term', async () => {
    const b = await bench(nodes);
    assert.equal(b.definition('map'), 'nodes.yaml:1 disk: ssd');
    assert.equal(b.definition('required'), 'nodes.yaml:3 disk: hdd\nnodes.yaml:5 disk: none');
    assert.equal(b.references('ssd'), 'nodes.yaml:1 disk: ssd\npod.yaml:5 disk: ssd');
  });

  it('show the nodes that they match', async () => {
    const b = await bench(nodes);
    assert.equal(
      b.hover('required').split('---\n')[1],
      lines(`
        **Selects** any of:
        - Nodes where \`disk\` is 'hdd'.
        - Nodes where \`metadata.name\` is 'three'.

        **Matches** (2)
        - [Node/two](<nodes.yaml#L3,52>) — nodes.yaml:3
        - [Node/three](<nodes.yaml#L5,54>) — nodes.yaml:5

        ***

        Required: a pod is scheduled only onto a node that matches. A pod that runs already stays if labels change.

        **Scheduling**: 0 of 3 Nodes here fit. Resources are not considered.

        **Nodes that do not fit** (3)
        - [Node/one](<nodes.yaml#L1,24>) — nodes.yaml:1: none of 2 terms matches
        - [Node/two](<nodes.yaml#L3,24>) — nodes.yaml:3: \`disk\` is 'hdd', but the selector wants 'ssd'
        - [Node/three](<nodes.yaml#L5,24>) — nodes.yaml:5: \`disk\` is 'none', but the selector wants 'ssd'
      `),
    );
  });
});
