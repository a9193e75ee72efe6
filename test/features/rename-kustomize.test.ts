/** Tests that a rename includes the labels in kustomizations and patches, and keeps every match in every overlay. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { bench } from '../harness/bench.ts';
import { checkSomeRename } from '../harness/random-renames.ts';
import { renameable, renameLines } from '../harness/rename-lines.ts';

const base = `
    ==> base/kustomization.yaml <==
    resources: [pod.yaml, service.yaml]
    ==> base/pod.yaml <==
    apiVersion: v1
    kind: Pod
    metadata: {name: basket, labels: {app: basket}}
    #                                      ^ label
    ==> base/service.yaml <==
    apiVersion: v1
    kind: Service
    metadata: {name: basket}
    spec: {selector: {app: basket}}
    #                      ^ selector
`;

describe('a rename where a kustomization writes labels', () => {
  it('changes common labels too, from any position', async () => {
    const b = await bench(`${base}
    ==> over/kustomization.yaml <==
    resources: [../base]
    # Of everything.
    commonLabels: {app: basket}   # ours
    #              ^ key
    #                   ^ common
    `);
    for (const place of ['label', 'selector', 'common']) {
      assert.deepEqual(renameLines(b, place, 'cart'), [
        'base/pod.yaml:3 metadata: {name: basket, labels: {app: cart}}',
        'base/service.yaml:4 spec: {selector: {app: cart}}',
        'over/kustomization.yaml:3 commonLabels: {app: cart}   # ours',
      ]);
    }
    assert.equal(renameable(b, 'key'), 'app');
    assert.deepEqual(renameLines(b, 'key', 'example.com/app'), [
      'base/pod.yaml:3 metadata: {name: basket, labels: {example.com/app: basket}}',
      'base/service.yaml:4 spec: {selector: {example.com/app: basket}}',
      'over/kustomization.yaml:3 commonLabels: {example.com/app: basket}   # ours',
    ]);
  });

  it('changes the pairs of labels, in a Component too, with quotes if YAML needs them', async () => {
    const b = await bench(`
    ==> base/kustomization.yaml <==
    resources: [pod.yaml, service.yaml]
    components: [../part]
    ==> base/pod.yaml <==
    apiVersion: v1
    kind: Pod
    metadata: {name: basket}
    ==> base/service.yaml <==
    apiVersion: v1
    kind: Service
    metadata: {name: basket}
    spec: {selector: {app: basket}}
    #                      ^ selector
    ==> part/kustomization.yaml <==
    kind: Component
    labels:
      - pairs:
          app: basket
          #    ^ pair
    `);
    for (const place of ['selector', 'pair']) {
      assert.deepEqual(renameLines(b, place, 'on'), [
        'base/service.yaml:4 spec: {selector: {app: "on"}}',
        'part/kustomization.yaml:4 app: "on"',
      ]);
    }
  });

  const patched = `${base}
    ==> over/kustomization.yaml <==
    resources: [../base, other.yaml, third.yaml, fourth.yaml]
    patches:
      - path: patch.yaml
      - path: operations.yaml
        target: {kind: Pod, name: third}
      - patch: |-
          apiVersion: v1
          kind: Pod
          metadata: {name: fourth, labels: {app: basket}}
          #                                      ^ inline
    ==> over/patch.yaml <==
    apiVersion: v1
    kind: Pod
    metadata: {name: other, labels: {app: basket}}
    #                                     ^ patch
    ==> over/operations.yaml <==
    - {op: test, path: /metadata/labels/app, value: x}
    - op: add
      path: /metadata/labels/app
      #                      ^ pointer
      value: "basket"
      #       ^ operation
    ==> over/other.yaml <==
    apiVersion: v1
    kind: Pod
    metadata: {name: other}
    ==> over/third.yaml <==
    apiVersion: v1
    kind: Pod
    metadata: {name: third, labels: {app: x}}
    ==> over/fourth.yaml <==
    apiVersion: v1
    kind: Pod
    metadata: {name: fourth}
    `;

  it('changes patches of every form', async () => {
    const b = await bench(patched);
    for (const place of ['selector', 'label', 'patch', 'operation', 'inline']) {
      assert.deepEqual(
        renameLines(b, place, 'cart'),
        [
          'base/pod.yaml:3 metadata: {name: basket, labels: {app: cart}}',
          'base/service.yaml:4 spec: {selector: {app: cart}}',
          'over/kustomization.yaml:9 metadata: {name: fourth, labels: {app: cart}}',
          'over/patch.yaml:3 metadata: {name: other, labels: {app: cart}}',
          'over/operations.yaml:4 value: "cart"',
        ],
        place,
      );
    }
  });

  it('changes the paths of operations, and removed labels', async () => {
    const b = await bench(patched);
    assert.equal(renameable(b, 'pointer'), 'app');
    assert.deepEqual(renameLines(b, 'pointer', 'a.b/app'), [
      'base/pod.yaml:3 metadata: {name: basket, labels: {a.b/app: basket}}',
      'base/service.yaml:4 spec: {selector: {a.b/app: basket}}',
      'over/kustomization.yaml:9 metadata: {name: fourth, labels: {a.b/app: basket}}',
      'over/patch.yaml:3 metadata: {name: other, labels: {a.b/app: basket}}',
      'over/operations.yaml:1 - {op: test, path: /metadata/labels/a.b~1app, value: x}',
      'over/operations.yaml:3 path: /metadata/labels/a.b~1app',
      'over/third.yaml:3 metadata: {name: third, labels: {a.b/app: x}}',
    ]);
  });

  it('can start only at the last part of the path of an operation', async () => {
    const b = await bench(`${base}
    ==> over/kustomization.yaml <==
    resources: [../base]
    patches:
      - target: {kind: Pod}
        patch: |-
          - {op: add, path: /metadata/labels/tier, value: web}
          #                 ^ start
          #                                  ^ key
    `);
    assert.equal(renameable(b, 'start'), '(none)');
    assert.equal(renameable(b, 'key'), 'tier');
  });

  it('preserves the removal of labels by a patch', async () => {
    const b = await bench(`${base}
    ==> over/kustomization.yaml <==
    resources: [../base]
    patches:
      - patch: |-
          {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "basket", "labels": {"app": null}}}
    ==> more/kustomization.yaml <==
    resources: [../base]
    patches:
      - target: {kind: Pod}
        patch: |-
          - {op: remove, path: /metadata/labels/app}
    `);
    const key = renameLines(b, 'label', 'cart');
    assert.deepEqual(key, ['base/pod.yaml:3 metadata: {name: basket, labels: {app: cart}}']);
  });

  it('is rejected if a patch is not written verbatim', async () => {
    const b = await bench(`${base}
    ==> over/kustomization.yaml <==
    resources: [../base, other.yaml]
    patches:
      - patch: "apiVersion: v1\\nkind: Pod\\nmetadata: {name: other, labels: {app: basket}}"
    ==> over/other.yaml <==
    apiVersion: v1
    kind: Pod
    metadata: {name: other}
    `);
    assert.deepEqual(renameLines(b, 'selector', 'cart'), [
      'refused: kustomization.yaml writes the name into Pod/other: rename it in kustomization.yaml manually',
    ]);
  });

  it('asks for a review of patch selectors and of commands in open files', async () => {
    const b = await bench(`${base}
    ==> over/kustomization.yaml <==
    resources: [../base]
    patches:
      - target: {kind: Pod, labelSelector: "app=basket"}
        patch: |-
          - {op: add, path: /metadata/labels/tier, value: web}
    ==> run.sh <==
    kubectl get pods -l 'app in (basket),tier'
    kubectl get nodes -l app=basket
    #                        ^ command
    `);
    const plain = [
      'base/pod.yaml:3 metadata: {name: basket, labels: {app: cart}}',
      'base/service.yaml:4 spec: {selector: {app: cart}}',
      'over/kustomization.yaml:3 - target: {kind: Pod, labelSelector: "app=cart"} (uncertain)',
    ];
    assert.deepEqual(renameLines(b, 'label', 'cart'), plain);
    assert.equal(renameable(b, 'command'), 'basket');
    assert.deepEqual(renameLines(b, 'label', 'cart'), [
      ...plain,
      "run.sh:1 kubectl get pods -l 'app in (cart),tier' (command)",
    ]);
  });

  it('includes the selector of a patch at which it begins', async () => {
    const b = await bench(`${base}
    ==> over/kustomization.yaml <==
    resources: [../base]
    patches:
      - target: {kind: Pod, labelSelector: "app=basket"}
      #                                         ^ target
        patch: |-
          - {op: add, path: /metadata/labels/tier, value: web}
    `);
    const place = 'over/kustomization.yaml:3 - target: {kind: Pod, labelSelector: "app=cart"}';
    assert.ok(renameLines(b, 'target', 'cart').includes(place));
  });

  it('is rejected if a replacement copies something other than labels', async () => {
    const b = await bench(`${base}
    ==> over/kustomization.yaml <==
    resources: [../base]
    replacements:
      - source: {kind: Service, fieldPath: metadata.name}
        targets:
          - select: {kind: Service}
            fieldPaths: [spec.selector.app]
    `);
    assert.match(renameLines(b, 'label', 'cart').join(), /^refused: .* writes the name into Service\/basket: /);
  });

  it('is possible if a replacement writes other labels', async () => {
    const b = await bench(`${base}
    ==> over/kustomization.yaml <==
    resources: [../base]
    commonLabels: {team: blue}
    `);
    assert.deepEqual(renameLines(b, 'label', 'cart'), [
      'base/pod.yaml:3 metadata: {name: basket, labels: {app: cart}}',
      'base/service.yaml:4 spec: {selector: {app: cart}}',
    ]);
  });

  it('is rejected if it would join objects that one overlay separates', async () => {
    const b = await bench(`${base}
    ==> base/second.yaml <==
    apiVersion: v1
    kind: Pod
    metadata: {name: second, labels: {app: cart}}
    ==> over/kustomization.yaml <==
    resources: [../base, ../base/second.yaml]
    `);
    assert.deepEqual(renameLines(b, 'label', 'cart'), ['refused: Service/basket would then also select Pod/second']);
  });
});

const labels = fc.dictionary(fc.constantFrom('app', 'tier'), fc.constantFrom('a', 'b'), { maxKeys: 2 });
const some = fc.dictionary(fc.constantFrom('app', 'tier'), fc.constantFrom('a', 'b'), { minKeys: 1, maxKeys: 2 });
const names = fc.constantFrom('one', 'two');

const objects = fc.record({
  one: fc.record({ own: labels, selector: some }),
  two: fc.record({ own: labels, selector: some }),
});

const operation = fc.record({
  op: fc.constantFrom('add', 'replace', 'remove', 'test'),
  key: fc.constantFrom('app', 'tier'),
  value: fc.constantFrom('a', 'b'),
});

const change = fc.oneof(
  some.map((commonLabels) => ({ commonLabels })),
  fc.record({ pairs: some, includeSelectors: fc.boolean(), includeTemplates: fc.boolean() }).map((each) => ({
    labels: [each],
  })),
  fc
    .tuple(names, fc.dictionary(fc.constantFrom('app', 'tier'), fc.constantFrom('a', 'b', null), { minKeys: 1 }))
    .map(([name, written]) => ({
      patches: [{ patch: JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name, labels: written } }) }],
    })),
  fc.tuple(names, some).map(([name, selector]) => ({
    patches: [{ patch: JSON.stringify({ apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { selector } }) }],
  })),
  fc.tuple(names, fc.array(operation, { minLength: 1, maxLength: 2 })).map(([name, list]) => ({
    patches: [
      {
        target: { kind: 'Pod', name },
        patch: JSON.stringify(list.map(({ key, ...each }) => ({ ...each, path: `/metadata/labels/${key}` }))),
      },
    ],
  })),
);

const workspaces = fc.record({
  objects,
  base: fc.option(change),
  overlays: fc.array(fc.option(change), { minLength: 1, maxLength: 2 }),
  component: fc.option(change),
});

const folder = 'file:///shop';

/** A patch is written as a block, so that its text is in the file verbatim. */
function yamlOf(kustomization: object): string {
  const lines = Object.entries(kustomization).map(([field, value]) => {
    if (field !== 'patches') return `${field}: ${JSON.stringify(value)}`;
    return [
      'patches:',
      ...value.map(({ target, patch }: { target?: object; patch: string }) =>
        [
          `  - patch: |-\n      ${patch}`,
          ...(target === undefined ? [] : [`    target: ${JSON.stringify(target)}`]),
        ].join('\n'),
      ),
    ].join('\n');
  });
  return `${lines.join('\n')}\n`;
}

function textsOf(made: typeof workspaces extends fc.Arbitrary<infer T> ? T : never): ReadonlyMap<string, string> {
  const manifests = Object.entries(made.objects).flatMap(([name, { own, selector }]) => [
    { apiVersion: 'v1', kind: 'Pod', metadata: { name, labels: own } },
    { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { selector } },
  ]);
  const texts = new Map([
    [`${folder}/base/all.yaml`, manifests.map((each) => `---\n${JSON.stringify(each)}\n`).join('')],
    [`${folder}/base/kustomization.yaml`, yamlOf({ resources: ['all.yaml'], ...made.base })],
    [`${folder}/part/kustomization.yaml`, yamlOf({ kind: 'Component', ...made.component })],
  ]);
  for (const [number, overlay] of made.overlays.entries()) {
    const components = number === 0 ? { components: ['../part'] } : {};
    const text = yamlOf({ resources: ['../base'], ...components, ...overlay });
    texts.set(`${folder}/over-${number}/kustomization.yaml`, text);
  }
  return texts;
}

describe('a position without a label', () => {
  it('builds nothing if the file contains no path of a replacement', async () => {
    const b = await bench(`
    ==> base/kustomization.yaml <==
    resources: [pod.yaml]
    ==> base/pod.yaml <==
    apiVersion: v1
    kind: Pod
    metadata: {name: basket, annotations: {note: here}}
    #                                            ^ place
    `);
    assert.equal(renameable(b, 'place'), '(none)');
    assert.equal(b.session.snapshot().renderingCount(), 0);
  });
});

describe('a rename in any workspace of kustomizations', () => {
  it('preserves every match in every overlay', async () => {
    let made = 0;
    const property = fc.asyncProperty(
      workspaces,
      fc.nat(),
      fc.constantFrom('new', 'a', 'b'),
      async (given, which, to) => {
        if (await checkSomeRename(textsOf(given), folder, which, to)) made++;
      },
    );
    await fc.assert(property, { numRuns: 300 });
    assert.ok(made > 100, `${made} renames were made`);
  });
});
