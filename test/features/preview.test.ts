/** Tests the matches of a selector as a list for a view. */

import assert from 'node:assert/strict';
import { preview, previewText } from '../../server/src/features/pages/preview.ts';
import { bench } from '../harness/bench.ts';
import { lines } from '../harness/margin.ts';

const fixture = `
  ==> service.yaml <==
  apiVersion: v1
  kind: Service
  metadata: {name: web}
  #          ^^^^ name
  spec:
    selector:
    #<~~~~~~
      app: web
      #^ key
  ==> pod.yaml <==
  apiVersion: v1
  kind: Pod
  metadata:
    name: web
    namespace: shop
    labels:
    #^^^^^^ labels
      app: web
      note: "{{ .Values.note }}"
`.replace('\n    #<~~~~~~', '\n    #^^^^^^^^ field');

describe('preview', () => {
  it('shows the selector and its matches', async () => {
    const b = await bench(fixture);
    assert.equal(
      b.preview('key'),
      lines(`
        app=web (Pods where \`app\` is 'web'.)
        maybe:
          pod.yaml Pod shop/web: it is in \`shop\`, and the namespace of the selector is not set
      `),
    );
  });

  it('shows no namespace of cluster-scoped objects', async () => {
    const b = await bench(`
      apiVersion: v1
      kind: Pod
      metadata: {name: web}
      spec: {nodeSelector: {disk: ssd}}
      #                     ^ here
      ---
      apiVersion: v1
      kind: Node
      metadata: {name: one, namespace: shop, labels: {disk: ssd}}
    `);
    const asked = "disk=ssd (Nodes where `disk` is 'ssd'.)";
    assert.equal(b.preview('here'), `${asked}\nmatches:\n  manifest.yaml Node one`);
  });

  it('contains the positions of the selector and of its matches', async () => {
    const b = await bench(fixture.replace('namespace: shop', 'uid: x'));
    const { uri, span, file } = b.place('key');
    b.session.workspace.edit(uri, file.text);
    const shown = b.session.at(uri, span.start, preview);
    assert.deepEqual(shown?.site, {
      uri,
      range: { start: { line: 4, character: 2 }, end: { line: 4, character: 10 } },
      owner: 'Service/web',
      path: 'spec.selector',
    });
    assert.deepEqual(shown?.groups[0]?.items, [
      {
        group: '',
        kind: 'Pod',
        name: 'web',
        uri: b.uriOf('pod.yaml'),
        range: { start: { line: 5, character: 2 }, end: { line: 5, character: 8 } },
        labels: { app: 'web', note: null },
      },
    ]);
  });

  it('of a position in an object shows what selects it', async () => {
    const b = await bench(`
      ==> deployment.yaml <==
      apiVersion: apps/v1
      kind: Deployment
      #     ^ kind
      metadata: {name: web, labels: {app: web}}
      #                              ^ own
      spec:
        selector: {matchLabels: {app: web}}
        template: {metadata: {labels: {app: web, tier: front}}}
        #                                        ^ template
      # nothing
      # ^ comment
      ==> others.yaml <==
      {apiVersion: v1, kind: Service, metadata: {name: web}, spec: {selector: {app: web, tier: front}}}
      ---
      {apiVersion: v1, kind: Service, metadata: {name: any}, spec: {selector: {app: web, track: "\${TRACK}"}}}
      ---
      apiVersion: policy/v1
      kind: PodDisruptionBudget
      metadata: {name: web, namespace: shop}
      spec: {selector: {matchLabels: {app: web}}}
    `);
    const made = lines(`
      selectedBy:
        others.yaml Service web via spec.selector: app=web,tier=front
      maySelect:
        others.yaml PodDisruptionBudget shop/web via spec.selector: app=web
    `);
    assert.equal(b.preview('template'), `'' (Selectors that match Deployment/web.)\n${made}`);
    assert.equal(b.preview('kind'), b.preview('template'));
    // No selector matches the labels of the workload itself: those of its pods are meant.
    assert.equal(b.preview('own'), b.preview('template'));
    assert.equal(b.preview('comment'), '(none)');
  });

  it('of an object lists the nearest selectors first, and those that match everything last', async () => {
    const b = await bench(`
      ==> all.yaml <==
      apiVersion: networking.k8s.io/v1
      kind: NetworkPolicy
      metadata: {name: all}
      spec: {podSelector: {}}
      ==> far.yaml <==
      {apiVersion: v1, kind: ReplicationController, metadata: {name: far}, spec: {selector: {app: web}}}
      ==> web.yaml <==
      {apiVersion: v1, kind: Pod, metadata: {name: web, labels: {app: web}}}
      #                                                          ^ here
      ---
      {apiVersion: v1, kind: Service, metadata: {name: web}, spec: {selector: {app: web}}}
    `);
    b.preview('here');
    const { uri, span } = b.place('here');
    const [selectedBy] = b.session.at(uri, span.start, preview)?.groups ?? [];
    assert.deepEqual(
      selectedBy?.items.map(({ kind }) => kind),
      ['Service', 'ReplicationController', 'NetworkPolicy'],
    );
  });

  it('lists only the selected kinds, and names all kinds', async () => {
    const b = await bench(`
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: a, labels: {app: web}}
      ---
      {apiVersion: v1, kind: ConfigMap, metadata: {name: b, labels: {app: web}}}
    `);
    const chosen = previewText(b.session.view(), 'app=web', ['ConfigMap']);
    assert.deepEqual(chosen.kinds, ['ConfigMap', 'Deployment']);
    assert.deepEqual(
      chosen.groups.map(({ kind, total, items }) => [kind, total, items.map((item) => item.kind)]),
      [['matches', 1, ['ConfigMap']]],
    );
    assert.deepEqual(previewText(b.session.view(), 'app=web', []).groups, []);
  });

  it('of a command contains the name of the command', async () => {
    const b = await bench(`
      ==> pod.yaml <==
      {apiVersion: v1, kind: Pod, metadata: {name: web, labels: {app: web}}}
      ==> look.sh <==
      kubectl get pods -l app=web
      #                   ^ here
    `);
    assert.equal(b.preview('here'), "app=web (Pods where `app` is 'web'.)\nmatches:\n  pod.yaml Pod web");
    const { uri, span } = b.place('here');
    assert.equal(b.session.at(uri, span.start, preview)?.site?.owner, 'kubectl get');
  });

  it('states during indexing that more may follow', async () => {
    const b = await bench(fixture, { indexing: true });
    assert.match(b.preview('key'), /^app=web .*\nstill indexing/);
  });

  it('of a text begins with the objects that create matching pods; other objects follow', async () => {
    const b = await bench(`
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: a, labels: {app: web}}
      spec: {template: {metadata: {labels: {app: web}}}}
      ---
      {apiVersion: v1, kind: ConfigMap, metadata: {name: b, labels: {app: shop}}}
    `);
    assert.equal(
      b.printPreview(previewText(b.session.view(), 'app in (web)')),
      lines(`
        'app in (web)' (Everything where \`app\` is 'web'.)
        matches:
          manifest.yaml Deployment a via spec.template
        others:
          manifest.yaml Deployment a
      `),
    );
  });

  it('of an invalid text states the reason', async () => {
    const b = await bench(fixture);
    const { groups, problems } = previewText(b.session.view(), 'app in (web');
    assert.deepEqual(groups, []);
    assert.equal(problems.length, 1);
    assert.match(problems[0] ?? '', /\)/);
  });
});

const overlays = `
  ==> base/kustomization.yaml <==
  resources: [shop.yaml]
  ==> base/shop.yaml <==
  {apiVersion: v1, kind: Service, metadata: {name: web}, spec: {selector: {app: web}}}
  #                                                                   ^ selector
  ---
  apiVersion: apps/v1
  kind: Deployment
  metadata: {name: web}
  spec: {selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}}}
  ==> overlays/dev/kustomization.yaml <==
  resources: [../../base]
  ==> overlays/prod/kustomization.yaml <==
  resources: [../../base, extra.yaml]
  ==> overlays/prod/extra.yaml <==
  {apiVersion: v1, kind: Pod, metadata: {name: extra, labels: {app: web}}}
`;

describe('a preview in one of several overlays', () => {
  const shownFor = async (...selected: readonly string[]) => {
    const b = await bench(overlays);
    b.session.choose({ perspective: { selected: selected.map((path) => b.uriOf(path)) } });
    const { uri, span, file } = b.place('selector');
    b.session.workspace.edit(uri, file.text);
    return b.session.at(uri, span.start, preview);
  };

  it('begins with production, and counts the matches of the others', async () => {
    const preview = await shownFor();
    assert.equal(preview?.scope?.name, 'prod');
    assert.equal(preview.groups.find(({ kind }) => kind === 'matches')?.total, 2);
    assert.deepEqual(
      preview.others?.map(({ name, matches, maybe }) => ({ name, matches, maybe })),
      [{ name: 'dev', matches: 1, maybe: 0 }],
    );
  });

  it('begins with the selected one, or with one of the same name', async () => {
    for (const chosen of ['overlays/dev', 'elsewhere/dev']) {
      const preview = await shownFor(chosen);
      assert.equal(preview?.scope?.name, 'dev');
      assert.equal(preview.groups.find(({ kind }) => kind === 'matches')?.total, 1);
      assert.deepEqual(
        preview.others?.map(({ name }) => name),
        ['prod'],
      );
    }
  });

  it('begins with production if the selected one does not apply the file', async () => {
    assert.equal((await shownFor('overlays/test'))?.scope?.name, 'prod');
  });
});

describe('a selector text over several overlays', () => {
  const base = `
    ==> base/kustomization.yaml <==
    {resources: [web.yaml]}
    ==> base/web.yaml <==
    {apiVersion: v1, kind: Pod, metadata: {name: web, labels: {app: web}}}
    ==> prod/kustomization.yaml <==
    {namespace: prod, resources: [../base]}
    ==> staging/kustomization.yaml <==
    {namespace: NAMESPACE, resources: [../base]}
  `;

  const found = async (namespace: string) => {
    const b = await bench(base.replace('NAMESPACE', namespace));
    const { groups } = previewText(b.session.view(), 'app=web');
    return groups.flatMap(({ items }) => items.map((item) => `${item.kind}/${item.name} in ${item.namespace}`));
  };

  it('matches the objects of all of them, because one cluster may contain them', async () => {
    assert.deepEqual(await found('staging'), ['Pod/web in prod', 'Pod/web in staging']);
  });

  it('matches an object once if they give it the same name and namespace', async () => {
    assert.deepEqual(await found('prod'), ['Pod/web in prod']);
  });
});
