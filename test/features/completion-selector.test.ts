/** Tests the completions in a selector, the resulting text, and the number of matches. */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';
import { policy, service, shop, told } from './completion-shop.ts';

describe('completion in a map of labels', () => {
  it('offers the labels of what can be reached, and whole selectors', async () => {
    assert.deepEqual(await told(service('      selector:\n\n       #^ here\n')), [
      'app:   matches 2',
      'tier:   matches 2',
      'version:   matches 2',
      'app: basket   matches 1',
      'app: prices   matches 1',
    ]);
  });

  it('offers a key with its value where it can have one only', async () => {
    assert.deepEqual(await told(service('      selector:\n        app: prices\n\n       #^ here\n')), [
      'tier: back   matches 1',
      'version: "yes"   matches 1',
    ]);
  });

  it('offers values with what they match beside the rest, and what matches nothing last', async () => {
    assert.deepEqual(await told(service('      selector:\n        tier: back\n        app: \n        #    ^ here\n')), [
      'app: prices   matches 1',
      'app: basket   matches nothing',
    ]);
  });

  it('replaces a key and leaves its value', async () => {
    assert.deepEqual(await told(service('      selector:\n        ap: basket\n        #^ here\n')), [
      'app: basket   matches 2',
      'tier: basket   matches 2',
      'version: basket   matches 2',
    ]);
  });

  it('quotes what YAML would not read as a string', async () => {
    assert.deepEqual(await told(service('      selector:\n        version: 1\n        #         ^ here\n')), [
      'version: "1.10"   matches 1',
      'version: "yes"   matches 1',
    ]);
  });

  it('writes a whole selector behind the colon, and takes the blanks before it away', async () => {
    assert.deepEqual(await told(service('      selector: \n      #         ^ here\n')), [
      'selector: ⏎    app: basket   matches 1',
      'selector: ⏎    app: prices   matches 1',
    ]);
  });

  it('stays in braces', async () => {
    assert.deepEqual(await told(service('      selector: { }\n      #          ^ here\n')), [
      'selector: {app:  }   matches 2',
      'selector: {tier:  }   matches 2',
      'selector: {version:  }   matches 2',
      'selector: {app: basket }   matches 1',
      'selector: {app: prices }   matches 1',
    ]);
  });

  it('puts the comma that is missing in braces', async () => {
    assert.deepEqual(await told(service('      selector: { tier: back}\n      #          ^ here\n')), [
      'selector: {app: prices, tier: back}   matches 1',
      'selector: {version: "yes", tier: back}   matches 1',
    ]);
  });

  it('keeps CRLF', async () => {
    const b = await bench(service('      selector: \n      #         ^ here\n'), { lineEnd: '\r\n' });
    assert.deepEqual(
      b.completions('here').items.map(({ edit }) => edit.text),
      ['\r\n    app: basket', '\r\n    app: prices'],
    );
  });

  it('says what may match, and leaves other namespaces out', async () => {
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

  it('offers what is elsewhere where nothing is here', async () => {
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
    assert.deepEqual(offered, ['app: whale   outside this scope, in b/']);
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
      'app: beside   outside this scope, in shop/web/other.yaml',
      'app: near   outside this scope, in shop/api/',
      'app: frequent   outside this scope, in far/',
    ]);
  });

  it('offers the same text once', async () => {
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

  it('claims no whole count where it did not look at everything', async () => {
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

  it('asks only for what its own template carries', async () => {
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

  it('looks at the place where the cursor is in a List, in another document, below an anchor', async () => {
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

  it('takes the quotes that are there', async () => {
    assert.deepEqual(await told(json('"app": "prices", "t"', '                   ^')), [
      '"app": "prices", "tier": "back"   matches 1',
      '"app": "prices", "version": "yes"   matches 1',
    ]);
  });

  it('offers values inside of the quotes and without them', async () => {
    const values = ['"app": "basket"   matches 1', '"app": "prices"   matches 1'];
    assert.deepEqual(await told(json('"app": "b"', '         ^')), values);
    assert.deepEqual(await told(json('"app": ', '       ^')), values);
  });

  it('filters by the quote as well, which stands before the cursor', async () => {
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

  it('puts the cursor where the person goes on', async () => {
    const b = await bench(policy('\n       #^ here\n'));
    const [labels, expressions] = b.completions('here').items;
    assert.deepEqual(labels?.edit.text, 'matchLabels:\n      ');
    assert.equal(
      expressions?.snippet,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a snippet
      'matchExpressions:\n      - key: $1\n        operator: ${2|In,NotIn,Exists,DoesNotExist|}\n        values: [$3]',
    );
  });

  it('offers what is not there yet', async () => {
    assert.deepEqual(await told(policy('        matchLabels: {app: basket}\n\n       #^ here\n')), [
      'matchExpressions: ⏎      - key: ⏎        operator: In ⏎        values: []   keys with operators',
    ]);
  });
});
