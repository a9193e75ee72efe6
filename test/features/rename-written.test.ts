/** Tests that a rename keeps the author's style, in YAML and JSON, in every form of a selector. */
import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';
import { renameable, renameLines } from '../harness/rename-lines.ts';

describe('a rename, as it is written,', () => {
  it('writes quotes if YAML 1.1 would parse no string, and preserves existing ones', async () => {
    const b = await bench(`
      ==> service.yaml <==
      apiVersion: v1
      kind: Service
      metadata: {name: basket}
      spec:
        selector:
          version: 'v1'
      ==> pod.json <==
      {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "basket", "labels": {"version": "v1"}}}
      ==> pod.yaml <==
      apiVersion: v1
      kind: Pod
      metadata:
        name: basket-2
        labels: {version: v1}
        #                 ^ here
    `);
    assert.deepEqual(renameLines(b, 'here', '1.10'), [
      "service.yaml:6 version: '1.10'",
      'pod.json:1 {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "basket", "labels": {"version": "1.10"}}}',
      'pod.yaml:5 labels: {version: "1.10"}',
    ]);
    assert.deepEqual(renameLines(b, 'here', 'yes'), [
      "service.yaml:6 version: 'yes'",
      'pod.json:1 {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "basket", "labels": {"version": "yes"}}}',
      'pod.yaml:5 labels: {version: "yes"}',
    ]);
  });

  it('replaces an alias by the text, and asks for a review of anchors', async () => {
    const b = await bench(
      `
      apiVersion: apps/v1
      kind: Deployment
      metadata:
        name: &name basket
        labels: &labels
          app: *name
          tier: &tier front
      spec:
        selector:
          matchLabels:
            app: *name
            tier: front
        template:
          metadata:
            labels:
              <<: *labels
              role: *tier
    `
        .replace('app: *name\n            tier', 'app: *name\n          #      ^ app\n            tier')
        .replace('tier: front\n        template', 'tier: front\n          #       ^ tier\n        template'),
    );
    assert.deepEqual(renameLines(b, 'app', 'cart'), [
      'manifest.yaml:6 app: cart (immutable)',
      'manifest.yaml:11 app: cart (immutable)',
    ]);
    assert.deepEqual(renameLines(b, 'tier', 'back'), [
      'manifest.yaml:7 tier: &tier back (anchor)',
      'manifest.yaml:12 tier: back (immutable)',
    ]);
  });

  it('preserves line ends and supports characters outside the basic plane', async () => {
    const b = await bench(
      `
      apiVersion: v1
      kind: Service
      metadata:
        name: basket
        annotations: {note: "😀😀"} # 😀
      spec:
        {"😀": 😀, selector: {app: basket}} # 😀
        #                          ^ here
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: basket, annotations: {note: 😀}, labels: {app: basket}}
    `,
      { lineEnd: '\r\n' },
    );
    assert.deepEqual(renameLines(b, 'here', 'cart'), [
      'manifest.yaml:7 {"😀": 😀, selector: {app: cart}} # 😀',
      'manifest.yaml:11 metadata: {name: basket, annotations: {note: 😀}, labels: {app: cart}}',
    ]);
  });

  it('edits a selector that is written as one string in parts', async () => {
    const b = await bench(`
      ==> scaler.yaml <==
      apiVersion: autoscaling/v1
      kind: Scale
      metadata: {name: basket}
      status: {selector: "app in (basket, orders),tier=basket"}
      ==> pod.yaml <==
      apiVersion: v1
      kind: Pod
      metadata: {name: basket, labels: {app: basket, tier: basket}}
      #                                      ^ here
    `);
    assert.deepEqual(renameLines(b, 'here', 'cart'), [
      'scaler.yaml:4 status: {selector: "app in (cart, orders),tier=basket"}',
      'pod.yaml:3 metadata: {name: basket, labels: {app: cart, tier: basket}}',
    ]);
  });

  it('is offered only for the exact key or value', async () => {
    const b = await bench(`
      apiVersion: v1
      kind: Service
      #     ^ kind
      metadata:
        name: basket
        labels: {"app": 'basket', team: \${TEAM}}
        #         ^ key
        #                ^ value
        #                               ^ unknown
        annotations: {app: basket}
        #             ^ annotation
      spec:
        selector:
          app: basket
          # ^ colon
    `);
    assert.equal(renameable(b, 'key'), 'app');
    assert.equal(renameable(b, 'value'), 'basket');
    assert.equal(renameable(b, 'colon'), 'app');
    for (const place of ['kind', 'unknown', 'annotation']) assert.equal(renameable(b, place), '(none)', place);
  });
});

it('a name that a template writes is refused with the value or helper that determines it', async () => {
  const b = await bench(`
    ==> web/Chart.yaml <==
    {apiVersion: v2, name: web, version: 1.0.0}
    ==> web/values.yaml <==
    {web: {name: shop}}
    ==> web/templates/_helpers.tpl <==
    {{- define "web.team" -}}{{ .Values.team }}{{- end }}
    ==> web/templates/web.yaml <==
    apiVersion: v1
    kind: Pod
    metadata:
      name: {{ .Values.web.name }}
      #        ^ object
      labels:
        app: {{ .Values.web.name }}
        #               ^ label
        team: {{ include "web.team" . }}
        #      ^ helper
        chart: {{ .Chart.Name }}
        #         ^ chart
    spec:
      containers: [{name: c, image: "{{ .Values.image }}"}]
      #                                          ^ image
    ---
    apiVersion: v1
    kind: Service
    metadata: {name: web}
    spec:
      selector:
        app: {{ .Values.web.name }}
        #                   ^ selector
  `);
  const determined = "'web.name' in ../values.yaml determines this text: change it there";
  for (const place of ['object', 'selector']) assert.deepEqual(renameLines(b, place, 'x'), [`refused: ${determined}`]);
  assert.equal(renameable(b, 'label'), `refused: ${determined}`);
  assert.equal(renameable(b, 'helper'), "refused: the helper 'web.team' determines this text: change it there");
  assert.equal(renameable(b, 'chart'), "refused: 'name' in ../Chart.yaml determines this text: change it there");
  assert.equal(renameable(b, 'image'), '(none)');
});
