/**
 * Tests the forms in which a selector can be copied, and the conversion of pasted selectors (requirements A20, A31).
 */
import assert from 'node:assert/strict';
import { type Copy, copiesAt, pastedAt } from '../../server/src/features/refactor/convert-selector.ts';
import { type Bench, bench } from '../harness/bench.ts';

const fixture = `
  ==> look.sh <==
  kubectl get pods -l 'app in (web,api),tier=front'
  #                    ^ sets
  kubectl get pods -l app=$APP
  #                   ^ unknown
  kubectl get pods -l ''
  #                    ^ quoted
  kubectl get pods -o name
  #                   ^ elsewhere
  ==> try.selector <==
  app=web
  # ^ scratch
  ==> service.yaml <==
  apiVersion: v1
  kind: Service
  metadata: {name: web, namespace: shop}
  spec:
    selector: {app: web}
    #          ^ service
  ==> budget.yaml <==
  apiVersion: policy/v1
  kind: PodDisruptionBudget
  metadata: {name: web}
  spec:
    selector:

  #   ^ fields
`;

function at(b: Bench, name: string): readonly [string, number] {
  const { uri, file, span } = b.place(name);
  if (!b.session.workspace.isOpen(uri)) b.session.workspace.edit(uri, file.text);
  return [uri, span.start];
}

function copiesOf(b: Bench, name: string): readonly Copy[] {
  return b.session.at(...at(b, name), copiesAt) ?? [];
}

function pastedInto(b: Bench, name: string, text: string): Copy | undefined {
  return b.session.at(...at(b, name), (view, offset) => pastedAt(view, offset, text));
}

describe('copying a selector', () => {
  it('offers the other forms', async () => {
    const b = await bench(fixture);
    const copies = (name: string) => copiesOf(b, name).map(({ title, text }) => `${title}:\n${text}`);
    assert.deepEqual(copies('sets'), [
      'Copy the selector as matchLabels and matchExpressions:\n' +
        'matchLabels:\n  tier: front\nmatchExpressions:\n  - key: app\n    operator: In\n    values: [api, web]',
      'Copy the selector for a URL:\nlabelSelector=app%20in%20%28api%2Cweb%29%2Ctier%3Dfront',
    ]);
    assert.deepEqual(copies('service'), [
      'Copy the selector as a kubectl command:\nkubectl get pods -n shop -l app=web',
      'Copy the selector for a URL:\nlabelSelector=app%3Dweb',
    ]);
    assert.deepEqual(
      copiesOf(b, 'scratch').map(({ title }) => title),
      [
        'Copy the selector as matchLabels and matchExpressions',
        'Copy the selector as a kubectl command',
        'Copy the selector for a URL',
      ],
    );
    assert.deepEqual(copies('unknown'), []);
    assert.deepEqual(copies('elsewhere'), []);
  });
});

describe('a kubectl command', () => {
  /** The commands that can be copied at the selector of a Basket, whose kind has a plural and a namespace. */
  async function commands(plural: string, namespace: string, selector: string): Promise<readonly string[]> {
    const b = await bench(`
      ==> .selector-lens.yaml <==
      catalogue:
        - group: shop.example.com
          kind: Basket
          plural: ${plural}
        - group: shop.example.com
          kind: Shelf
          selectors:
            - {path: spec.selector, form: labelSelector, targets: [{group: shop.example.com, kind: Basket}]}
      ==> shelf.yaml <==
      apiVersion: shop.example.com/v1
      kind: Shelf
      metadata: {name: shelf, namespace: ${namespace}}
      spec:
        selector: {matchLabels: ${selector}}
        #                        ^ here
    `);
    const copies = copiesOf(b, 'here');
    return copies.filter(({ title }) => title.includes('kubectl')).map(({ text }) => text);
  }

  it('contains valid resources, namespaces and labels', async () => {
    assert.deepEqual(await commands('baskets', 'shop', '{app: web}'), ['kubectl get baskets -n shop -l app=web']);
  });

  for (const [what, plural, namespace, selector] of [
    ['a plural with a command behind it', '"pods;touch x"', 'shop', '{app: web}'],
    ['a plural over two lines', '"pods\\ntouch x"', 'shop', '{app: web}'],
    ['a plural that is an option', '"-A"', 'shop', '{app: web}'],
    ['a namespace that is an option', 'baskets', '-A', '{app: web}'],
    ['a value that ends a paste', 'baskets', 'shop', '{app: "\\e[201~touch x"}'],
    ['a value with a command in it', 'baskets', 'shop', '{app: "$(touch x)"}'],
    ['a key with a blank', 'baskets', 'shop', '{"app x": web}'],
  ] as const) {
    it(`is not offered for ${what}`, async () => assert.deepEqual(await commands(plural, namespace, selector), []));
  }
});

describe('pasting a selector', () => {
  const yaml = 'matchLabels:\n  app: web\nmatchExpressions:\n  - {key: tier, operator: NotIn, values: [db]}\n';

  it('converts YAML to text between the quotes of a command', async () => {
    const b = await bench(fixture);
    const title = 'Paste as the text of a selector';
    assert.deepEqual(pastedInto(b, 'quoted', yaml), { title, text: 'app=web,tier notin (db)' });
    assert.deepEqual(pastedInto(b, 'quoted', 'app: web\n'), { title, text: 'app=web' });
    assert.deepEqual(pastedInto(b, 'quoted', 'selector:\n  app: web\n'), { title, text: 'app=web' });
  });

  it('converts text to YAML if a field requires it', async () => {
    const b = await bench(fixture);
    const pasted = pastedInto(b, 'fields', 'app=web,!canary');
    assert.equal(pasted?.title, 'Paste as matchLabels and matchExpressions');
    assert.equal(
      pasted?.text,
      'matchLabels:\n      app: web\n    matchExpressions:\n      - key: canary\n        operator: DoesNotExist',
    );
  });

  it('leaves other text unchanged', async () => {
    const b = await bench(fixture);
    for (const text of ['app=web', 'web', 'a: [b]', 'http://example.com', '{', '']) {
      assert.equal(pastedInto(b, 'quoted', text), undefined, text);
      assert.equal(pastedInto(b, 'elsewhere', text), undefined, text);
    }
  });
});
