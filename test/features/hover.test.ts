/** Tests the hovers of selectors and labels (requirement A29). */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';
import { lines } from '../harness/margin.ts';
import { renderMarkdown } from '../harness/rendered-markdown.ts';

const shop = `
  ==> service.yaml <==
  apiVersion: v1
  kind: Service
  metadata:
    name: basket
  spec:
    selector:
    # ^ field
      app: basket
      #^ key
      #    ^ value
  ==> deployment.yaml <==
  apiVersion: apps/v1
  kind: Deployment
  metadata:
    name: basket
  spec:
    selector:
      matchLabels:
        app: basket
        #    ^ own
    template:
      metadata:
        labels:
          app: basket
          tier: web
  ==> orders.yaml <==
  apiVersion: v1
  kind: Pod
  metadata:
    name: orders
    labels:
      app: baskets
`;

async function hover(fixture: string, place = 'here'): Promise<string> {
  const b = await bench(fixture);
  return b.hover(place);
}

describe('hover on a selector', () => {
  it('shows its meaning, its matches and the kubectl command', async () => {
    assert.equal(
      await hover(shop, 'value'),
      lines(`
        basket
        ---
        **Selects** Pods where \`app\` is 'basket'.

        **Matches** (1)
        - [Deployment/basket](<deployment.yaml#L11,7>) — deployment.yaml:11

        **Near miss** (1)
        - [Pod/orders](<orders.yaml#L5,3>) — orders.yaml:5: \`app\` is 'baskets', but the selector wants 'basket'

        \`\`\`sh
        kubectl get pods -l app=basket
        \`\`\`
      `),
    );
  });

  it('has the range of the key, or of the whole field', async () => {
    const b = await bench(shop);
    assert.equal(b.hover('key').split('\n')[0], 'app');
    assert.equal(b.hover('field').split('\n')[0], 'selector');
    assert.equal(b.hover('field').split('\n---\n')[1], b.hover('key').split('\n---\n')[1]);
  });

  it('of a Deployment shows the same for its pods', async () => {
    assert.match(
      await hover(shop, 'own'),
      /\*\*Matches\*\* \(1\)\n- \[Deployment\/basket\]\(<deployment.yaml#L11,7>\)/,
    );
  });

  it('states during indexing that more may follow', async () => {
    const b = await bench(shop, { indexing: true });
    assert.equal(
      b.hover('value'),
      lines(`
        basket
        ---
        **Selects** Pods where \`app\` is 'basket'.

        *The workspace is still being indexed.*

        \`\`\`sh
        kubectl get pods -l app=basket
        \`\`\`
      `),
    );
  });

  it('states that nothing matches', async () => {
    const text = await hover(`
      apiVersion: v1
      kind: Service
      metadata: {name: basket}
      spec:
        selector: {app: basket}
        #          ^ here
    `);
    assert.match(text, /\*\*Matches nothing\*\* in the indexed files\.$/m);
  });

  it('shows uncertain matches, and those in other scopes', async () => {
    const text = await hover(`
      ==> shop/service.yaml <==
      apiVersion: v1
      kind: Service
      metadata: {name: basket}
      spec:
        selector: {app: basket}
        #          ^ here
      ==> shop/a.yaml <==
      {apiVersion: v1, kind: Pod, metadata: {name: a, namespace: bank, labels: {app: basket}}}
      ==> docs/samples/b.yaml <==
      {apiVersion: v1, kind: Pod, metadata: {name: b, labels: {app: basket}}}
    `);
    assert.equal(
      text.slice(text.indexOf('**May match'), text.indexOf('\n\n```sh')),
      lines(`
        **May match** (1)
        - [Pod/a](<shop/a.yaml#L1,66>) in \`bank\` — a.yaml:1: it is in \`bank\`, and the namespace of the selector is not set

        **Matches in another folder** (1)
        - [Pod/b](<docs/samples/b.yaml#L1,49>) — ../docs/samples/b.yaml:1
      `),
    );
  });

  it('joins several reasons', async () => {
    const text = await hover(`
      ==> shop/service.yaml <==
      apiVersion: v1
      kind: Service
      metadata: {name: basket}
      spec:
        selector: {app: basket, tier: web}
        #          ^ here
      ==> shop/a.yaml <==
      {apiVersion: v1, kind: Pod, metadata: {name: a, namespace: bank, labels: {app: basket, tier: "@TIER@"}}}
    `);
    assert.match(
      text,
      /a\.yaml:1: `tier` is unknown, but the selector wants 'web'; it is in `bank`, and the namespace of the selector is not set$/m,
    );
  });

  it('truncates a long list and counts the rest', async () => {
    const pods = Array.from(
      { length: 13 },
      (_, n) => `---\n{apiVersion: v1, kind: Pod, metadata: {name: p${n}, labels: {app: web}}}\n`,
    );
    const text = await hover(
      `apiVersion: v1\nkind: Service\nspec:\n  selector: {app: web}\n  #  ^ here\n${pods.join('')}`,
    );
    assert.match(text, /\*\*Matches\*\* \(13\)\n(- \[Pod.*\n){10}- and 3 more$/m);
  });
});

describe('hover on a selector without requirements', () => {
  for (const [what, text, described] of [
    [
      'an empty one of a Service',
      'apiVersion: v1\nkind: Service\nspec:\n  selector: {}\n  #  ^ here\n',
      'An empty `selector` selects no Pods here.',
    ],
    [
      'a null one of a Service',
      'apiVersion: v1\nkind: Service\nspec:\n  selector:\n  #  ^ here\n',
      'A null `selector` selects no Pods here.',
    ],
    [
      'an empty one of a NetworkPolicy',
      'apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nspec:\n  podSelector: {}\n  #  ^ here\n',
      'An empty `podSelector` selects all Pods.',
    ],
    [
      'an empty one of a PodDisruptionBudget',
      'apiVersion: policy/v1\nkind: PodDisruptionBudget\nspec:\n  selector: {}\n  #  ^ here\n',
      'An empty `selector` selects all Pods.',
    ],
    [
      'an empty one of a Deployment',
      'apiVersion: apps/v1\nkind: Deployment\nspec:\n  selector: {}\n  #  ^ here\n',
      'An empty `selector` is invalid here; the API server rejects it.',
    ],
  ] as const) {
    it(what, async () => assert.equal((await hover(text)).split('---\n')[1]?.split('\n')[0], described));
  }

  for (const [what, text, described] of [
    [
      'a Service that is a name for a host outside',
      'apiVersion: v1\nkind: Service\nspec:\n  type: ExternalName\n  selector: {app: web}\n  #  ^ here\n',
      'This selector is ignored, because `spec.type` is `ExternalName`.',
    ],
    [
      'a listener that looks into its own namespace',
      'apiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nspec:\n  listeners:\n  - allowedRoutes:\n      namespaces:\n        from: Same\n        selector: {matchLabels: {a: b}}\n        #  ^ here\n',
      'This selector is ignored, because `spec.listeners[0].allowedRoutes.namespaces.from` is not `Selector`.',
    ],
    [
      'a Job that has the server make it',
      'apiVersion: batch/v1\nkind: Job\nspec:\n  selector: {matchLabels: {app: web}}\n  #  ^ here\n',
      'The API server generates this selector and rejects any other value, unless `spec.manualSelector` is `true`.',
    ],
    [
      'what makes Jobs that have the server make it',
      'apiVersion: keda.sh/v1alpha1\nkind: ScaledJob\nspec:\n  jobTargetRef:\n    selector: {matchLabels: {app: web}}\n    #  ^ here\n',
      'The API server generates this selector and rejects any other value, unless `spec.jobTargetRef.manualSelector` is `true`.',
    ],
    [
      'a CronJob, whose Jobs have the server make it',
      'apiVersion: batch/v1\nkind: CronJob\nspec:\n  jobTemplate:\n    spec:\n      manualSelector: true\n      selector: {matchLabels: {app: web}}\n      #  ^ here\n',
      'The API server generates this selector and rejects any other value.',
    ],
  ] as const) {
    it(`of ${what}`, async () => assert.equal((await hover(text)).split('---\n')[1]?.split('\n')[0], described));
  }

  it('of a peer names all pods, or the namespaces', async () => {
    const b = await bench(`
      apiVersion: networking.k8s.io/v1
      kind: NetworkPolicy
      metadata: {name: n, namespace: shop}
      spec:
        podSelector: {matchLabels: {app: web}}
        ingress:
        - from:
          - podSelector: {}
            # ^ pods
            namespaceSelector: {matchLabels: {team: blue}}
            # ^ namespaces
      ---
      {apiVersion: v1, kind: Namespace, metadata: {name: bank, labels: {team: blue}}}
      ---
      {apiVersion: v1, kind: Pod, metadata: {name: a, namespace: bank}}
      ---
      {apiVersion: v1, kind: Pod, metadata: {name: b, namespace: shop}}
    `);
    assert.match(
      b.hover('pods'),
      /An empty `podSelector` selects all Pods\.\n\n\*\*Matches\*\* \(1\)\n- \[Pod\/a\].* in `bank`/,
    );
    assert.match(
      b.hover('pods'),
      /\*\*\*\n\n\*\*This peer\*\* of `from`:\n- All Pods of Namespaces where `team` is 'blue' \(1 here, 1 possible\)$/,
    );
    assert.match(b.hover('namespaces'), /\*\*Selects\*\* Namespaces where `team` is 'blue'/);
    assert.match(b.hover('namespaces'), /\*\*Matches\*\* \(1\)\n- \[Namespace\/bank\]/);
  });
});

describe('hover on a selector that cannot be parsed', () => {
  it('states the reason', async () => {
    assert.equal(
      await hover(`
        apiVersion: apps/v1
        kind: Deployment
        spec:
          selector:
          #  ^ here
            matchExpressions:
            - {key: app, operator: Equals, values: [web]}
            - {key: "a b", operator: Exists}
      `),
      lines(`
        selector
        ---
        This selector is invalid, so it selects nothing:
        - \`operator\` must be one of 'In', 'NotIn', 'Exists', 'DoesNotExist', not 'Equals'
        - label key must not contain ' ': use only letters, digits, '-', '&#95;' and '.'
      `),
    );
  });
});

describe('hover on a label', () => {
  it('explains a well-known key', async () => {
    const text = await hover(`
      apiVersion: v1
      kind: Pod
      metadata:
        labels:
          app.kubernetes.io/name: web
          #     ^ here
    `);
    assert.match(
      text,
      /^app\.kubernetes\.io\/name\n---\n`app\.kubernetes\.io\/name`: .+, for example `\w+` \(recommended\)\.\n\nNo selector in the indexed files matches on this label\.$/,
    );
  });

  it('is silent on unknown annotations, and on names without a meaning', async () => {
    const b = await bench(`
      apiVersion: v1
      kind: Pod
      metadata:
        name: web
        #     ^ name
        annotations:
          shelf: top
          #     ^ own
    `);
    assert.equal(b.hover('own'), '(none)');
    assert.equal(b.hover('name'), 'web\n---\n`v1 Pod`, namespaced');
  });
});

describe('text of a workspace', () => {
  it('is shown unchanged, whatever Markdown it contains', async () => {
    const text = await hover(`
      ==> a b/[x](http:x) *.yaml <==
      apiVersion: v1
      kind: Pod
      metadata: {name: "<img src=x>[a](http://x)\`*_#|", namespace: "a\`b", labels: {app: "x"}}
      ==> service.yaml <==
      apiVersion: policy/v1
      kind: PodDisruptionBudget
      spec:
        selector:
        #  ^ here
          matchExpressions:
          - {key: app, operator: Exists}
    `);
    const markdown = text.split('\n---\n')[1] ?? '';
    for (const { by, links, foreign } of renderMarkdown(markdown)) {
      assert.deepEqual(foreign, [], by);
      assert.deepEqual(links, ['a%20b/%5Bx%5D%28http%3Ax%29%20%2A.yaml#L3,69'], by);
    }
    assert.ok(markdown.includes('Pod/&#60;img src=x&#62;&#91;a&#93;(http:/\u200B/x)'), markdown);
    assert.match(markdown, /`` a`b ``/);
  });
});

describe('hover on a selector that cannot change', () => {
  const hover = async (version: string, kind: string) => {
    const b = await bench(`
      apiVersion: ${version}
      kind: ${kind}
      metadata: {name: web}
      spec:
        selector:
          matchLabels: {app: web}
          #             ^ here
        template: {metadata: {labels: {app: web}}}
    `);
    return b.hover('here');
  };

  it('states that, and nothing for a selector that can', async () => {
    const sentence = 'This selector is immutable: the API server rejects any change to it.';
    assert.ok((await hover('apps/v1', 'StatefulSet')).includes(sentence));
    assert.ok(!(await hover('argoproj.io/v1alpha1', 'Rollout')).includes(sentence));
  });
});
