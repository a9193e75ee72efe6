/** Tests the completions in a selector, the resulting text, and the number of matches. */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';
import { policy, service, shop, told } from './completion-shop.ts';

describe('completion in a map of labels', () => {
  it('offers the labels of selectable objects, and whole selectors', async () => {
    assert.deepEqual(await told(service('      selector:\n\n       #^ here\n')), [
      'app:   matches 2',
      'tier:   matches 2',
      'version:   matches 2',
      'app: basket   matches 1',
      'app: prices   matches 1',
    ]);
  });

  it('offers a key with its value if only one value is possible', async () => {
    assert.deepEqual(await told(service('      selector:\n        app: prices\n\n       #^ here\n')), [
      'tier: back   matches 1',
      'version: "yes"   matches 1',
    ]);
  });

  it('offers values with the matches of the whole selector, those without matches last', async () => {
    assert.deepEqual(await told(service('      selector:\n        tier: back\n        app: \n        #    ^ here\n')), [
      'app: prices   matches 1',
      'app: basket   matches nothing',
    ]);
  });

  it('replaces a key and preserves its value', async () => {
    assert.deepEqual(await told(service('      selector:\n        ap: basket\n        #^ here\n')), [
      'app: basket   matches 2',
      'tier: basket   matches 2',
      'version: basket   matches 2',
    ]);
  });

  it('quotes values that YAML would not parse as a string', async () => {
    assert.deepEqual(await told(service('      selector:\n        version: 1\n        #         ^ here\n')), [
      'version: "1.10"   matches 1',
      'version: "yes"   matches 1',
    ]);
  });

  it('writes a whole selector after the colon, and removes the blanks before it', async () => {
    assert.deepEqual(await told(service('      selector: \n      #         ^ here\n')), [
      'selector: ⏎    app: basket   matches 1',
      'selector: ⏎    app: prices   matches 1',
    ]);
  });

  it('stays within braces', async () => {
    assert.deepEqual(await told(service('      selector: { }\n      #          ^ here\n')), [
      'selector: {app:  }   matches 2',
      'selector: {tier:  }   matches 2',
      'selector: {version:  }   matches 2',
      'selector: {app: basket }   matches 1',
      'selector: {app: prices }   matches 1',
    ]);
  });

  it('adds the missing comma in braces', async () => {
    assert.deepEqual(await told(service('      selector: { tier: back}\n      #          ^ here\n')), [
      'selector: {app: prices, tier: back}   matches 1',
      'selector: {version: "yes", tier: back}   matches 1',
    ]);
  });

  it('preserves CRLF', async () => {
    const b = await bench(service('      selector: \n      #         ^ here\n'), { lineEnd: '\r\n' });
    assert.deepEqual(
      b.completions('here').items.map(({ edit }) => edit.text),
      ['\r\n    app: basket', '\r\n    app: prices'],
    );
  });

  it('marks possible matches, and excludes other namespaces', async () => {
    const offered = await told(`${shop}
    ==> shop/service.yaml <==
    apiVersion: v1
    kind: Service
    metadata: {name: web}
    spec:
      selector:
        app: 
        #    ^ here
`);
    assert.deepEqual(offered, ['app: basket   may match 1', 'app: prices   may match 1', 'app: whale   may match 1']);
  });

  it('offers labels of other scopes if this scope has none', async () => {
    const offered = await told(`
    ==> a/kustomization.yaml <==
    resources: [service.yaml]
    ==> a/service.yaml <==
    apiVersion: v1
    kind: Service
    metadata: {name: web}
    spec:
      selector:
        a
        #^ here
    ==> b/kustomization.yaml <==
    resources: [pod.yaml]
    ==> b/pod.yaml <==
    {apiVersion: v1, kind: Pod, metadata: {name: whale, labels: {app: whale}}}
`);
    assert.deepEqual(offered, ['app: whale   elsewhere, in b/']);
  });

  it('offers the labels of the nearest objects first, if none is in the scope', async () => {
    const pod = (app: string) => `{apiVersion: v1, kind: Pod, metadata: {name: ${app}, labels: {app: ${app}}}}`;
    const offered = await told(`
    ==> far/kustomization.yaml <==
    resources: [a.yaml, b.yaml]
    ==> far/a.yaml <==
    ${pod('frequent')}
    ==> far/b.yaml <==
    ${pod('frequent')}
    ==> shop/web/kustomization.yaml <==
    resources: [service.yaml]
    ==> shop/web/service.yaml <==
    apiVersion: v1
    kind: Service
    metadata: {name: web}
    spec:
      selector:
        app: 
        #    ^ here
    ==> shop/web/other.yaml <==
    ${pod('beside')}
    ==> shop/api/kustomization.yaml <==
    resources: [pod.yaml]
    ==> shop/api/pod.yaml <==
    ${pod('near')}
`);
    assert.deepEqual(offered, [
      'app: beside   elsewhere, in shop/web/other.yaml',
      'app: near   elsewhere, in shop/api/',
      'app: frequent   elsewhere, in far/',
    ]);
  });

  it('offers equal texts once', async () => {
    const offered = await told(`
    {apiVersion: v1, kind: Pod, metadata: {name: whale, labels: {app: whale}}}
    ---
    apiVersion: v1
    kind: Service
    metadata: {name: web}
    spec:
      selector:

       #^ here
`);
    assert.deepEqual(offered, ['app: whale   matches 1']);
  });

  it('states no exact count if not everything was examined', async () => {
    const pod = (number: number) =>
      `==> near/${number}.yaml <==\n{apiVersion: v1, kind: Pod, metadata: {name: p${number}, labels: {app: whale}}}`;
    const offered = await told(`
${Array.from({ length: 450 }, (_, number) => pod(number)).join('\n')}
==> near/service.yaml <==
apiVersion: v1
kind: Service
metadata: {name: web}
spec:
  selector:
    app: 
    #    ^ here
`);
    assert.deepEqual(offered, ['app: whale   matches 399 or more']);
  });

  it('requires only labels of its own template', async () => {
    const offered = await told(`${shop}
    ==> shop/own.yaml <==
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: own, namespace: shop}
    spec:
      selector:
        matchLabels:

         #^ here
      template: {metadata: {labels: {app: own, tier: back}}}
`);
    assert.deepEqual(offered, [
      'app: own   matches 1',
      'tier: back   matches 2',
      'app: own ⏎      tier: back   matches 1',
    ]);
  });

  it('supports cursors in a List, in another document and below an anchor', async () => {
    assert.deepEqual(
      await told(`${shop}
    ==> shop/list.yaml <==
    {apiVersion: v1, kind: ConfigMap, metadata: {name: "🐋"}}
    ---
    apiVersion: v1
    kind: List
    items:
    - {apiVersion: v1, kind: ConfigMap, metadata: {name: "🦊", labels: &labels {app: prices}}}
    - apiVersion: v1
      kind: Service
      metadata: {name: web, namespace: shop}
      spec:
        selector:
          <<: *labels
          t
          #^ here
`),
      ['tier: back   matches 1', 'version: "yes"   matches 1'],
    );
  });
});

describe('completion in JSON', () => {
  const json = (line: string, mark: string) => `${shop}
    ==> shop/service.json <==
    {
      "apiVersion": "v1",
      "kind": "Service",
      "metadata": {"name": "web", "namespace": "shop"},
      "spec": {"selector": {
        ${line}
      # ${mark} here
      }}
    }
`;

  it('quotes keys and values', async () => {
    assert.deepEqual(await told(json('', '^')), [
      '"app": ""   matches 2',
      '"tier": ""   matches 2',
      '"version": ""   matches 2',
      '"app": "basket"   matches 1',
      '"app": "prices"   matches 1',
    ]);
  });

  it('uses existing quotes', async () => {
    assert.deepEqual(await told(json('"app": "prices", "t"', '                   ^')), [
      '"app": "prices", "tier": "back"   matches 1',
      '"app": "prices", "version": "yes"   matches 1',
    ]);
  });

  it('offers values with and without quotes', async () => {
    const values = ['"app": "basket"   matches 1', '"app": "prices"   matches 1'];
    assert.deepEqual(await told(json('"app": "b"', '         ^')), values);
    assert.deepEqual(await told(json('"app": ', '       ^')), values);
  });

  it('filters with the quote before the cursor', async () => {
    const b = await bench(json('"t"', '  ^'));
    assert.deepEqual(
      b
        .completions('here')
        .items.slice(0, 2)
        .map(({ filter }) => filter),
      ['"app', '"tier'],
    );
  });
});

describe('completion of a label selector', () => {
  it('offers its two parts, and whole selectors, in the indentation of the file', async () => {
    assert.deepEqual(await told(policy('\n       #^ here\n')), [
      'matchLabels: ⏎   labels with their values',
      'matchExpressions: ⏎      - key: ⏎        operator: In ⏎        values: []   keys with operators',
      'matchLabels: ⏎      app: basket   matches 1',
      'matchLabels: ⏎      app: prices   matches 1',
    ]);
  });

  it('places the cursor where typing continues', async () => {
    const b = await bench(policy('\n       #^ here\n'));
    const [labels, expressions] = b.completions('here').items;
    assert.deepEqual(labels?.edit.text, 'matchLabels:\n      ');
    assert.equal(
      expressions?.snippet,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a snippet
      'matchExpressions:\n      - key: $1\n        operator: ${2|In,NotIn,Exists,DoesNotExist|}\n        values: [$3]',
    );
  });

  it('offers missing parts', async () => {
    assert.deepEqual(await told(policy('        matchLabels: {app: basket}\n\n       #^ here\n')), [
      'matchExpressions: ⏎      - key: ⏎        operator: In ⏎        values: []   keys with operators',
    ]);
  });
});
