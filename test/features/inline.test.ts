/**
 * Hover and completion inside selectors in commands, in URLs and in scratch documents
 * (requirements A24, A25, A26, A27, A40, C10, Z18).
 */
import assert from 'node:assert/strict';
import { highlights } from '../../server/src/features/navigation/highlights.ts';
import { references } from '../../server/src/features/navigation/references.ts';
import { hasComments } from '../../server/src/features/refactor/suppress.ts';
import { bench } from '../harness/bench.ts';
import { lines } from '../harness/margin.ts';

const shop = `
  ==> web.yaml <==
  apiVersion: apps/v1
  kind: Deployment
  metadata: {name: web, namespace: shop, labels: {team: blue}}
  spec:
    template:
      metadata: {labels: {app: web, tier: front}}
  ---
  apiVersion: apps/v1
  kind: Deployment
  metadata: {name: db, namespace: shop}
  spec:
    template:
      metadata: {labels: {app: db, tier: back}}
`;

describe('hovering a selector in a command', () => {
  it('shows its matches of the kind and in the namespace of the command', async () => {
    const b = await bench(`${shop}
  ==> look.sh <==
  kubectl get pods -n shop -l 'app in (web)'
  #                            ^ pods
  kubectl get pods -n other -l app=web
  #                            ^ other
  kubectl get pods -A -l app=web
  #                      ^ all
  kubectl get deploy -n shop -l team=blue
  #                             ^ own
  kubectl get gizmos -l app=web
  #                     ^ unknown
  kubectl get pods -l app=web
  #                ^ flag
`);
    assert.match(
      b.hover('pods'),
      /^app in \(web\)\n---\n\*\*Selects\*\* Pods .*\*\*Matches\*\* \(1\)\n- \[Deployment\/web\]/s,
    );
    assert.match(b.hover('other'), /\*\*Matches nothing\*\* in the indexed files/);
    assert.match(b.hover('all'), /\*\*Matches\*\* \(1\)\n- \[Deployment\/web\]/);
    assert.match(b.hover('own'), /\*\*Selects\*\* Deployments .*\*\*Matches\*\* \(1\)\n- \[Deployment\/web\]/s);
    assert.doesNotMatch(b.hover('unknown'), /Match/);
    assert.match(b.hover('unknown'), /\*\*Selects\*\* objects/);
    assert.match(
      b.hover('flag'),
      /\*\*May match\*\* \(1\)\n- \[Deployment\/web\].*it is in `shop`, and the namespace/s,
    );
  });

  it('works in Markdown, in a comment, in a URL and on a line of its own', async () => {
    const b = await bench(`${shop}
  ==> README.md <==
  Look with \`kubectl get po -A -l app=web\` at them.
  #                               ^ markdown
  ==> deploy.yaml <==
  # kubectl get po -A -l app=web
  #                      ^ comment
  run: curl https://cluster/api/v1/pods?labelSelector=app%3Dweb
  #                                                   ^ url
  ==> try.selector <==
  app=web
  # ^ scratch
`);
    for (const place of ['markdown', 'comment', 'url', 'scratch']) {
      assert.match(b.hover(place), /\*\*Matches\*\* \(1\)\n- \[Deployment\/web\]/, place);
    }
  });

  it('shows the meaning of a field selector, and the supported fields', async () => {
    const b = await bench(`${shop}
  ==> look.sh <==
  kubectl get pods --field-selector='status.phase!=Running,spec.nodeName='
  #                                  ^ pods
  kubectl get gizmos --field-selector metadata.name=web
  #                                   ^ unknown
  kubectl get pods --field-selector status.phase
  #                                 ^ broken
`);
    assert.match(
      b.hover('pods'),
      /\*\*Selects\*\* Pods whose `spec.nodeName` is empty and `status.phase` is not `Running`\.\n\n\*\*May match\*\* \(2\)[\s\S]+\n\nPods can be selected by .*`spec.nodeName`/,
    );
    assert.match(b.hover('unknown'), /\*\*Selects\*\* objects whose `metadata.name` is `web`\.$/);
    assert.match(b.hover('broken'), /invalid, so it selects nothing/);
  });

  it('is silent if the user turned the language off', async () => {
    const fixture = `${shop}
  ==> look.sh <==
  kubectl get pods -A -l app=web,,
  #                      ^ here
`;
    const usual = await bench(fixture);
    assert.equal(usual.findings('look.sh').length, 1);
    const { inlineSelectors } = usual.session.workspace.settings;
    const silent = await bench(fixture, { settings: { inlineSelectors: { ...inlineSelectors, shell: false } } });
    assert.deepEqual(silent.findings('look.sh'), []);
    assert.equal(silent.hover('here'), '(none)');
    assert.deepEqual(silent.completion('here'), []);
  });
});

describe('the label of a selector in a command', () => {
  it('is found from the manifest and back, if the file of the command is open', async () => {
    const b = await bench(`${shop}
  ==> look.sh <==
  kubectl get pods -l 'tier=front,app in (web)'
  #                                       ^^^ there
`);
    const there = b.place('there');
    const manifest = b.file('web.yaml');
    const uri = b.uriOf('web.yaml');
    b.session.workspace.edit(there.uri, there.file.text);
    b.session.workspace.edit(uri, manifest.text);
    const view = b.session.fileView(uri);
    assert.ok(view !== undefined);
    const found = references(view, manifest.text.indexOf('web, tier'));
    assert.ok(found.some(({ file, span }) => file.uri === there.uri && span.end === there.span.end));
    const back = b.session.fileView(there.uri);
    assert.ok(back !== undefined);
    assert.ok(references(back, there.span.start).some(({ file }) => file.uri === uri));
    assert.equal(highlights(back, there.span.start).length, 1);
  });
});

describe('a finding in a command', () => {
  it('is suppressed by a comment in languages with comments', () => {
    assert.ok(hasComments('file:///work/look.sh') && hasComments('file:///work/Makefile'));
    assert.ok(!hasComments('file:///work/README.md') && !hasComments('file:///work/NOTES.txt'));
  });
});

describe('completing a selector in a command', () => {
  it('offers keys and values of the objects that the command selects', async () => {
    const b = await bench(`${shop}
  ==> look.sh <==
  kubectl get pods -l ''
  #                    ^ keys
  kubectl get pods -A -l tier=front,app=
  #                                     ^ values
  kubectl get deploy -l t
  #                      ^ deploy
  kubectl get pods -l app
  #                      ^ operator
`);
    assert.deepEqual(b.completion('keys'), ["kubectl get pods -l 'app'", "kubectl get pods -l 'tier'"]);
    assert.deepEqual(b.completion('values'), ['kubectl get pods -A -l tier=front,app=web']);
    assert.deepEqual(b.completion('deploy'), ['kubectl get deploy -l team']);
    assert.ok(b.completion('operator').includes("kubectl get pods -l 'app in ()'"));
  });

  it('shows the matches of each choice, and offers only names that are valid in selectors', async () => {
    const b = await bench(`
  ==> web.yaml <==
  apiVersion: v1
  kind: Pod
  metadata: {name: web, labels: {app: web, track: stable-, Bad.Example/x: y}}
  ---
  apiVersion: v1
  kind: Pod
  metadata: {name: api, labels: {app: api, track: canary}}
  ==> look.sh <==
  kubectl get pods -l ''
  #                    ^ key
  kubectl get pods -l track=
  #                         ^ value
`);
    assert.deepEqual(b.completion('key', 'told'), [
      "kubectl get pods -l 'app'   matches 2",
      "kubectl get pods -l 'track'   matches 2",
    ]);
    assert.deepEqual(b.completion('value', 'told'), ['kubectl get pods -l track=canary   matches 1']);
  });

  it('encodes in a URL, and offers fields for a field selector', async () => {
    const b = await bench(`${shop}
  ==> look.sh <==
  curl "https://cluster/api/v1/namespaces/shop/pods?labelSelector=app"
  #                                                                  ^ url
  kubectl get pods --field-selector=status.ph
  #                                          ^ field
  kubectl get pods -o name
  #                      ^ none
  kubectl get pods --field-selector 'metadata.name!=web,status.phase=Ru'
  #                                                                    ^ phase
  kubectl get pods --field-selector=spec.restartPolicy==
  #                                                     ^ policy
  kubectl get pods --field-selector=spec.nodeName=
  #                                               ^ any
`);
    assert.ok(
      b.completion('url').some((line) => line.includes('labelSelector=app%3D')),
      b.completion('url').join('\n'),
    );
    assert.ok(b.completion('field').includes('kubectl get pods --field-selector=status.phase'));
    assert.deepEqual(b.completion('none'), []);
    assert.deepEqual(b.completion('phase'), [
      "kubectl get pods --field-selector 'metadata.name!=web,status.phase=Pending'",
      "kubectl get pods --field-selector 'metadata.name!=web,status.phase=Running'",
      "kubectl get pods --field-selector 'metadata.name!=web,status.phase=Succeeded'",
      "kubectl get pods --field-selector 'metadata.name!=web,status.phase=Failed'",
      "kubectl get pods --field-selector 'metadata.name!=web,status.phase=Unknown'",
    ]);
    assert.equal(b.completion('policy').length, 3);
    assert.deepEqual(b.completion('any'), []);
  });
});

describe('a command that names a label by its key', () => {
  const fixture = `
  ==> web.yaml <==
  {apiVersion: v1, kind: Pod, metadata: {name: web, labels: {squad: front}}}
  #                                                          ^ label
  ---
  {apiVersion: v1, kind: Service, metadata: {name: web}, spec: {selector: {squad: front}}}
  ==> look.sh <==
  kubectl get pods -L app,squad -l squad=front # kubectl label pod web squad-
  #                        ^ column
  kubectl get pods -L version
  #                   ^ known
  kubectl get pods -L nowhere
  #                   ^ unknown
`;

  it('shows the number of labeled objects, and the meaning of a known key', async () => {
    const b = await bench(fixture);
    assert.equal(
      b.hover('column'),
      'squad\n---\n1 object in this workspace has the label `squad`.\n\n`squad` has no prefix, so the key is private to the user.',
    );
    assert.match(b.hover('known'), /^version\n---\n`version`: /);
    assert.equal(b.hover('unknown'), 'nowhere\n---\n`nowhere` has no prefix, so the key is private to the user.');
  });

  it('is found from the label, and the label from it', async () => {
    const b = await bench(fixture);
    const found = (name: string) => {
      const { uri, file, span } = b.place(name);
      b.session.workspace.edit(uri, file.text);
      const view = b.session.fileView(uri);
      assert.ok(view);
      return references(view, span.start).map((place) => `${place.file.uri.replace(/.*\//, '')} ${place.span.start}`);
    };
    const [fromColumn, fromLabel] = [found('column'), found('label')];
    assert.equal(fromColumn.length, 5);
    assert.deepEqual(fromColumn.toSorted(), fromLabel.toSorted());
    assert.deepEqual(found('unknown').length, 1);
  });
});

describe('a command over objects that kustomizations apply', () => {
  const overlays = `
  ==> base/kustomization.yaml <==
  resources: [web.yaml]
  ==> base/web.yaml <==
  {apiVersion: v1, kind: Pod, metadata: {name: web, labels: {app: web}}}
  ==> dev/kustomization.yaml <==
  resources: [../base]
  namespace: dev
  labels: [{pairs: {team: blue}}]
  ==> prod/kustomization.yaml <==
  resources: [../base]
  namespace: prod
  commonLabels: {app: shop}
  ==> other.yaml <==
  {apiVersion: v1, kind: Pod, metadata: {name: other, labels: {team: blue}}}
  ==> look.sh <==
  kubectl get pods -l team=blue
  #                        ^ team
  kubectl get pods -n prod -l app
  #                           ^ app
  kubectl get pods -n prod -l app=web
  #                               ^ written
  ==> try.selector <==
  team=blue
`;

  it('includes an object once, as applied, and others as written', async () => {
    const b = await bench(overlays);
    assert.equal(
      b.preview('team'),
      lines(`
        team=blue (Pods where \`team\` is 'blue'.)
        matches:
          other.yaml Pod other
        maybe:
          base/web.yaml Pod dev/web: it is in \`dev\`, and the namespace of the selector is not set
      `),
    );
    assert.match(b.preview('app'), /matches:\n {2}base\/web\.yaml Pod prod\/web$/);
    assert.match(b.preview('written'), /'web'\.\)$/);
    assert.equal(b.lenses('try.selector'), '1 selector: 2 matches');
  });

  it('has completions with the counts of the CodeLens and of the list', async () => {
    const b = await bench(`
      ==> base/kustomization.yaml <==
      resources: [web.yaml]
      ==> base/web.yaml <==
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web, labels: {app: web}}
      spec: {selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}}}
      ==> dev/kustomization.yaml <==
      {resources: [../base], namePrefix: dev-}
      ==> prod/kustomization.yaml <==
      {resources: [../base], namePrefix: prod-}
      ==> try.selector <==
      app=web
      #   ^ value
      ==> look.sh <==
      kubectl get pods -l app=web
      #                       ^ word
    `);
    assert.equal(b.lenses('try.selector'), '1 selector: 2 matches');
    for (const at of ['value', 'word'])
      assert.deepEqual(
        b.completions(at).items.map(({ description }) => description),
        ['matches 2'],
        at,
      );
  });
});

describe('a query of a URL without its path', () => {
  it('selects objects of any kind by their labels (requirement A22)', async () => {
    const b = await bench(`${shop}
  ==> api.md <==
  Selectors of both styles are queries: \`?labelSelector=app%3Dweb,tier%3Dfront\`
  #                                                        ^ code
  \`\`\`
  ?limit=5&labelSelector=app+in+%28web%2Cdb%29
  #                        ^ second
  \`\`\`
  https://shop.example/search?labelSelector=app%3Dweb
  #                                           ^ other
`);
    assert.match(b.hover('code'), /\*\*Selects\*\* .*`app` is 'web'.*\*\*Matches\*\* \(1\)\n- \[Deployment\/web\]/s);
    assert.match(b.hover('second'), /\*\*Matches\*\* \(2\)/);
    assert.equal(b.hover('other'), '(none)');
  });
});

describe('a category of resources in a command', () => {
  it('contains the kinds that Kubernetes and definitions assign to it (requirement C11)', async () => {
    const b = await bench(`
  ==> toys.yaml <==
  apiVersion: apiextensions.k8s.io/v1
  kind: CustomResourceDefinition
  metadata: {name: tops.example.com, labels: {team: blue}}
  spec:
    group: example.com
    scope: Namespaced
    names: {kind: Top, plural: tops, categories: [toys, all]}
    versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
  ---
  apiVersion: example.com/v1
  kind: Top
  metadata: {name: red, labels: {team: blue}}
  ==> look.sh <==
  kubectl get toys -A -l team=blue
  #                      ^ toys
  kubectl get all -A -l team=blue
  #                     ^ all
  kubectl get api-extensions -l team=blue
  #                             ^ extensions
`);
    assert.match(b.hover('toys'), /\*\*Selects\*\* Tops .*\*\*Matches\*\* \(1\)\n- \[Top\/red\]/s);
    assert.match(b.hover('all'), /Deployments.*Tops.*\*\*Matches\*\* \(1\)\n- \[Top\/red\]/s);
    assert.match(b.hover('extensions'), /CustomResourceDefinitions.*\[CustomResourceDefinition\/tops\.example\.com\]/s);
  });
});
