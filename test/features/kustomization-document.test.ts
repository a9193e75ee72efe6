/** Tests a kustomization as a document: links, definitions, references, hovers, completion and its CodeLens. */
import assert from 'node:assert/strict';
import { type Bench, bench } from '../harness/bench.ts';
import { lines } from '../harness/margin.ts';

const shop = `
  ==> base/kustomization.yaml <==
  resources:
    - web.yaml
    - api
  ==> base/api/kustomization.yaml <==
  resources: [api.yaml]
  ==> base/api/api.yaml <==
  apiVersion: v1
  kind: Service
  metadata: {name: api}
  ==> base/web.yaml <==
  apiVersion: v1
  kind: Service
  metadata: {name: web}
  ---
  apiVersion: apps/v1
  kind: Deployment
  #      ^ deployment
  metadata: {name: web, labels: {app: web}}
  ==> components/tls/kustomization.yaml <==
  apiVersion: kustomize.config.k8s.io/v1alpha1
  kind: Component
  #     ^ ofComponent
  patches:
    - target:
        kind: Deployment
        name: web
        #     ^ inComponent
      patch: |-
        - {op: add, path: /metadata/labels/tls, value: on}
`;

function besideShop(fixture: string): Promise<Bench> {
  return bench(`${lines(shop)}\n${lines(fixture)}\n`);
}

describe('paths of a kustomization', () => {
  it('are links', async () => {
    const b = await besideShop(`
      ==> overlays/prod/kustomization.yaml <==
      resources:
        - ../../base
        - missing.yaml
        - https://example.com/base
      components: [../../components/tls]
      patches: [{path: patch.yaml}]
      configurations: [config.yaml]
      configMapGenerator:
        - name: prices
          files: [eu=prices.yaml]
      ==> overlays/prod/patch.yaml <==
      kind: Service
      ==> overlays/prod/config.yaml <==
      commonLabels: []
      ==> overlays/prod/prices.yaml <==
      {}
    `);
    assert.deepEqual(b.links('overlays/prod/kustomization.yaml'), [
      '../../base -> base/kustomization.yaml',
      '../../components/tls -> components/tls/kustomization.yaml',
      'patch.yaml -> overlays/prod/patch.yaml',
      'config.yaml -> overlays/prod/config.yaml',
      'eu=prices.yaml -> overlays/prod/prices.yaml',
    ]);
  });

  it('are completed with what the field can name', async () => {
    const b = await besideShop(`
      ==> overlays/prod/kustomization.yaml <==
      resources:
        -
        # ^ resource
        - pods.yaml
      components:
        - 
        # ^ component
      patches:
        - path: ../
          #       ^ patch
      ==> overlays/prod/pods.yaml <==
      apiVersion: v1
      kind: Pod
      ==> overlays/prod/other.yaml <==
      apiVersion: v1
      kind: Pod
      ==> overlays/kustomization.yaml <==
      resources: [prod]
    `);
    assert.deepEqual(b.completion('resource', 'told'), [
      '- other.yaml   1 object',
      '- ../../base   Kustomization',
      '- ../../base/api   Kustomization',
    ]);
    assert.deepEqual(b.completion('component', 'told'), ['- ../../components/tls   Component']);
    assert.deepEqual(b.completion('patch', 'told'), ['- path: other.yaml   1 object']);
  });

  it('are completed as a list if there is none', async () => {
    const b = await besideShop(`
      ==> overlays/prod/kustomization.yaml <==
      resources:
      #          ^ here
    `);
    assert.deepEqual(b.completion('here'), ['resources: [../../base]', 'resources: [../../base/api]']);
  });
});

describe('the target of a patch', () => {
  it('is completed from the objects that the kustomization builds', async () => {
    const b = await besideShop(`
      ==> overlays/prod/kustomization.yaml <==
      namePrefix: prod-
      resources: [../../base]
      patches:
        - target:
            kind: D
            #     ^ kind
            name:
            #     ^ name
        - target:
            kind: Service
            name:
            #     ^ service
    `);
    assert.deepEqual(b.completion('kind', 'told'), ['kind: Service   2 objects', 'kind: Deployment   1 object']);
    assert.deepEqual(b.completion('service', 'told'), ['name: web   Service', 'name: api   Service']);
  });

  it('is completed in a component from the objects of what includes it', async () => {
    const b = await besideShop(`
      ==> overlays/prod/kustomization.yaml <==
      resources: [../../base]
      components: [../../components/tls]
    `);
    assert.deepEqual(b.completion('inComponent'), []);
  });
});

const prod = `
  ==> overlays/prod/kustomization.yaml <==
  apiVersion: kustomize.config.k8s.io/v1beta1
  kind: Kustomization
  #     ^ kind
  resources:
  # ^ resources
    - ../../base
    #     ^ base
  components: [../../components/tls]
  #             ^ component
  namespace: shop
  # ^ namespace
  namePrefix: prod-
  # ^ prefix
  labels:
  # ^ labels
    - pairs:
        env: prod
        # ^ env
      includeSelectors: true
  commonLabels: {team: a}
  #              ^ team
  patches:
    - path: patch.yaml
    #        ^ patch
    - target: {kind: Service, name: w.*}
    #                               ^ target
      patch: |-
        - {op: add, path: /metadata/labels/x, value: y}
    - target: {kind: Service, name: none}
    #                               ^ missing
      patch: |-
        - {op: add, path: /metadata/labels/x, value: y}
    - target: {kind: Service, name: a.*}
    #                               ^ deleted
      patch: |-
        - {op: add, path: /metadata/labels/x, value: y}
    - patch: |-
    # ^ deletes
        apiVersion: v1
        kind: Service
        metadata: {name: api}
        $patch: delete
  replicas:
  #  ^ replicas
    - {name: web, count: 3}
  configMapGenerator:
    - name: prices
      # ^ prices
      literals: [a=b]
  replacements:
    - source: {kind: Service, name: web}
    #                               ^ copied
      targets:
        - select: {kind: Deployment}
          #               ^ copy
          fieldPaths: [metadata.labels.app]
  ==> overlays/prod/patch.yaml <==
  apiVersion: apps/v1
  kind: Deployment
  metadata:
    name: web
    labels: {tier: front}
  ==> overlays/dev/kustomization.yaml <==
  components: []
  #<^^^^^^^^^ firstField
  resources: [../../base]
  #           ^ dev
`;

/** The hovers at some places, without their ranges and the targets of links. */
const hovers = (b: Bench, ...places: readonly string[]) =>
  places
    .map((place) => `${place}: ${b.hover(place).split('\n---\n')[1]}`)
    .join('\n')
    .replaceAll(/\]\(<[^>]*>\)/g, ']')
    .replaceAll(/ in `shop` — \S*?(?=:? |$)/gm, '');

describe('the fields of a kustomization', () => {
  it('show in hovers what they change', async () => {
    const b = await besideShop(prod);
    assert.equal(
      hovers(b, 'kind', 'resources', 'base', 'component'),
      lines(`
      kind: **Builds** (3)
      - [Service/prod-web]
      - [Deployment/prod-web]
      - [ConfigMap/prod-prices-4h2mbtbbt6]
      resources: **Builds** (3)
      - [Service/prod-web]
      - [Deployment/prod-web]
      - [ConfigMap/prod-prices-4h2mbtbbt6]
      base: **Builds** (2)
      - [Service/prod-web]
      - [Deployment/prod-web]
      component: **Adds or changes** (1)
      - [Deployment/prod-web]
    `),
    );
    assert.equal(
      hovers(b, 'namespace', 'prefix', 'labels', 'env', 'team'),
      lines(`
      namespace: **Sets the namespace of** (3)
      - [Service/prod-web]
      - [Deployment/prod-web]
      - [ConfigMap/prod-prices-4h2mbtbbt6]
      prefix: **Renames** (3)
      - [Service/prod-web]: was \`web\`
      - [Deployment/prod-web]: was \`web\`
      - [ConfigMap/prod-prices-4h2mbtbbt6]: was \`prices\`
      labels: **Sets labels of** (3)
      - [Service/prod-web]: \`metadata.labels\`, \`spec.selector\`
      - [Deployment/prod-web]: \`metadata.labels\`, \`spec.template.metadata.labels\`, \`spec.selector\`
      - [ConfigMap/prod-prices-4h2mbtbbt6]: \`metadata.labels\`
      env: **Sets labels of** (3)
      - [Service/prod-web]: \`metadata.labels\`, \`spec.selector\`
      - [Deployment/prod-web]: \`metadata.labels\`, \`spec.template.metadata.labels\`, \`spec.selector\`
      - [ConfigMap/prod-prices-4h2mbtbbt6]: \`metadata.labels\`

      \`env\`: Environment, for example \`prod\` (a convention, not a standard).

      The kustomization adds this key to objects; keys that automation adds should have a prefix.
      team: **Sets labels of** (3)
      - [Service/prod-web]: \`metadata.labels\`, \`spec.selector\`
      - [Deployment/prod-web]: \`metadata.labels\`, \`spec.template.metadata.labels\`, \`spec.selector\`
      - [ConfigMap/prod-prices-4h2mbtbbt6]: \`metadata.labels\`

      \`team\`: Owning team, for example \`payments\` (a convention, not a standard).

      The kustomization adds this key to objects; keys that automation adds should have a prefix.
    `),
    );
  });

  it('show in hovers which objects their targets select', async () => {
    const b = await besideShop(prod);
    assert.equal(
      hovers(b, 'patch', 'target', 'deleted', 'deletes', 'replicas', 'prices'),
      lines(`
      patch: **Patches** (1)
      - [Deployment/prod-web]
      target: **Patches** (1)
      - [Service/prod-web]
      deleted: Another patch deletes the objects that this patch matches.
      deletes: Deletes the objects that it matches.
      replicas: **Sets the number of replicas of** (1)
      - [Deployment/prod-web]: \`3\`
      prices: **Generates** (1)
      - [ConfigMap/prod-prices-4h2mbtbbt6]
    `),
    );
    assert.equal(
      hovers(b, 'missing', 'copied', 'copy'),
      lines(`
        missing: Changes no object that this kustomization builds.
        copied: **Reads a field of** (1)
        - [Service/prod-web]
        copy: **Replaces fields of** (1)
        - [Deployment/prod-web]
      `),
    );
  });

  it('lead to objects, and are found by references', async () => {
    const b = await besideShop(prod);
    assert.equal(
      b.definition('target'),
      lines(`
      base/web.yaml:3 web
    `),
    );
    assert.equal(
      b.definition('copied'),
      lines(`
        base/web.yaml:3 web
      `),
    );
    assert.equal(
      b.definition('copy'),
      lines(`
      base/web.yaml:7 web
    `),
    );
    assert.equal(
      b.references('base'),
      lines(`
        overlays/prod/kustomization.yaml:4 ../../base
        overlays/dev/kustomization.yaml:2 ../../base
      `),
    );
    assert.equal(
      b.references('kind'),
      lines(`
      (none)
    `),
    );
    assert.equal(
      b.references('deployment'),
      lines(`
      base/kustomization.yaml:2 web.yaml
      components/tls/kustomization.yaml:8 - {op: add, path: /metadata/labels/tls, value: on}
      overlays/prod/kustomization.yaml:10 env: prod
      overlays/prod/kustomization.yaml:12 team: a
      overlays/prod/kustomization.yaml:38 metadata.labels.app
      overlays/prod/patch.yaml:4 web
    `),
    );
  });

  it('are counted in a CodeLens, which opens the list of objects', async () => {
    const b = await besideShop(prod);
    assert.equal(
      b.lenses('overlays/prod/kustomization.yaml'),
      lines(`
      2 : builds 3 objects
    `),
    );
    assert.equal(
      b.lenses('overlays/dev/kustomization.yaml'),
      lines(`
      1 : builds 3 objects
    `),
    );
    assert.equal(
      b.lenses('components/tls/kustomization.yaml'),
      lines(`
        2 : changes 1 kustomization
      `),
    );
    assert.equal(b.preview('ofComponent'), b.preview('component').replace('prod', 'tls'));
    assert.match(b.preview('firstField'), /kustomization dev builds\.\)\nmatches:(?:\n {2}.*){3}$/);
    assert.equal(
      b.preview('kind'),
      lines(`
      '' (Objects that kustomization prod builds.)
      matches:
        base/web.yaml Deployment shop/prod-web
        base/web.yaml Service shop/prod-web
        overlays/prod/kustomization.yaml ConfigMap shop/prod-prices-4h2mbtbbt6
    `),
    );
    assert.equal(
      b.preview('patch'),
      lines(`
      '' (Objects that kustomization prod builds.)
      matches:
        base/web.yaml Deployment shop/prod-web
    `),
    );
  });

  it('show in hovers which images change, also after changes of a base', async () => {
    const b = await bench(`
      ==> base/kustomization.yaml <==
      resources: [web.yaml]
      images: [{name: web, newName: registry:5000/web}]
      #                ^ base
      ==> base/web.yaml <==
      apiVersion: v1
      kind: Pod
      metadata: {name: web}
      spec: {containers: [{image: 'web:1'}, {image: side@sha256:ab}]}
      ---
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: other}
      spec: {template: {spec: {containers: [{image: other}], initContainers: [{image: web}]}}}
      ==> prod/kustomization.yaml <==
      resources: [../base]
      images:
      # ^ images
        - {name: registry:5000/web, newTag: v2}
        - {name: side, tagSuffix: -debug}
        #         ^ side
        - {name: missing, newTag: v2}
        #         ^ missing
    `);
    const text = ['base', 'images', 'side'].map((each) => `${each}: ${b.hover(each).split('\n---\n')[1]}`).join('\n');
    assert.equal(
      text.replaceAll(/\]\(<[^>]*>\)/g, ']'),
      lines(`
        base: **Sets images of** (2)
        - [Pod/web] — web.yaml:3: \`web:1 → registry:5000/web:1\`
        - [Deployment/other] — web.yaml:8: \`web → registry:5000/web\`
        images: **Sets images of** (2)
        - [Pod/web] — ../base/web.yaml:3: \`registry:5000/web:1 → registry:5000/web:v2\`, \`side@sha256:ab → side:-debug\`
        - [Deployment/other] — ../base/web.yaml:8: \`registry:5000/web → registry:5000/web:v2\`
        side: **Sets images of** (1)
        - [Pod/web] — ../base/web.yaml:3: \`side@sha256:ab → side:-debug\`
      `),
    );
    assert.equal(b.hover('missing'), '(none)');
  });

  it('claim nothing about what is not known', async () => {
    const b = await bench(`
      ==> kustomization.yaml <==
      resources: [pod.yaml, missing.yaml, https://example.com/base]
      #                     ^ missing
      components: [fwi, fwj]
      configMapGenerator:
        - name: merged
          # ^ merged
          behavior: merge
      replicas: [{name: rollout, count: 2}]
      #                 ^ replicas
      ==> pod.yaml <==
      apiVersion: v1
      kind: Pod
      metadata: {name: web}
      ---
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: merged}
      ==> fwi/kustomization.yaml <==
      kind: Component
      commonLabels: {identity: one}
      #              ^ overwritten
      ==> fwj/kustomization.yaml <==
      kind: Component
      commonLabels: {identity: two}
    `);
    for (const place of ['missing', 'replicas']) assert.equal(b.hover(place), '(none)');
    assert.match(b.hover('merged'), /\*\*Generates\*\* \(1\)\n- \[ConfigMap\/merged/);
    assert.match(b.hover('overwritten'), /\*\*Sets labels of\*\* \(2\)\n.*: overwritten by a later change\n/);
  });
});
