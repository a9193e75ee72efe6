/** Tests renames in commands that refer to the label, and renames that start in a command. */
import assert from 'node:assert/strict';
import { type Bench, bench } from '../harness/bench.ts';
import { renameable, renameLines } from '../harness/rename-lines.ts';

const shop = `
  ==> web.yaml <==
  apiVersion: v1
  kind: Service
  metadata: {name: web}
  spec: {selector: {app: web}}
  #                      ^ value
  #                 ^ key
  ---
  apiVersion: v1
  kind: Pod
  metadata: {name: web, labels: {app: web, tier: front}}
  ==> look.sh <==
  kubectl get pods -l 'app in (web,api)'
  #                            ^ inList
  kubectl get nodes -l app=web
  kubectl get pods -l app=web,tier=back
  ==> Makefile <==
  look: ; kubectl logs -lapp=web
  #                          ^ inMakefile
  ==> README.md <==
  # Look
  Run \`kubectl wait --for=condition=Ready pods -l app=web\`.
  #                                                   ^ inPage
  ==> ci.yml <==
  jobs:
    look:
      steps:
        - run: kubectl delete pods -l app=web
        #                                 ^ inWorkflow
  ==> set.sh <==
  kubectl label pods web 'app=web' tier-
  #                           ^ set
  kubectl label nodes web app=web
  kubectl run web --image=web --labels=tier=back,app=web
  kubectl expose pod web --selector=app=web --labels=app=web
  #                                     ^ expose
  ==> try.selector <==
  app==web
  #    ^ alone
`;

const names = ['look.sh', 'Makefile', 'README.md', 'ci.yml', 'set.sh', 'try.selector'];

const inFiles = [
  'web.yaml:4 spec: {selector: {app: cart}}',
  'web.yaml:8 metadata: {name: web, labels: {app: cart, tier: front}}',
];

const inCommands = [
  "look.sh:1 kubectl get pods -l 'app in (cart,api)'",
  'Makefile:1 look: ; kubectl logs -lapp=cart',
  'README.md:2 Run `kubectl wait --for=condition=Ready pods -l app=cart`.',
  'ci.yml:4 - run: kubectl delete pods -l app=cart',
  "set.sh:1 kubectl label pods web 'app=cart' tier-",
  'set.sh:3 kubectl run web --image=web --labels=tier=back,app=cart',
  'set.sh:4 kubectl expose pod web --selector=app=cart --labels=app=web',
  'try.selector:1 app==cart',
];

async function opened(fixture = shop, files = names): Promise<Bench> {
  const b = await bench(fixture);
  for (const name of files) b.session.workspace.edit(b.uriOf(name), b.file(name).text);
  return b;
}

describe('a rename and commands', () => {
  it('includes commands that select or set the label, each after a review', async () => {
    const asked = inCommands.map((line) => `${line} (command)`);
    assert.deepEqual(renameLines(await opened(), 'value', 'cart'), [...inFiles, ...asked]);
  });

  it('of a key includes the commands that require any of its values', async () => {
    const lines = renameLines(await opened(), 'key', 'name');
    assert.ok(lines.includes("look.sh:1 kubectl get pods -l 'name in (web,api)' (command)"));
    assert.ok(lines.includes("set.sh:1 kubectl label pods web 'name=web' tier- (command)"));
    assert.ok(!lines.some((line) => line.includes('nodes')));
  });

  it('of a key includes the commands that show it in a column, or remove it', async () => {
    const b = await opened(
      `
      ==> web.yaml <==
      apiVersion: v1
      kind: Pod
      metadata: {name: web, labels: {app: web, tier: front}}
      #                              ^ key
      #                                   ^ value
      ==> look.sh <==
      kubectl get pods -L tier,app -L=app --label-columns "app"
      kubectl get -Lapp pods -l tier=front
      kubectl get nodes -L app
      kubectl label pods web app- tier=back
      kubectl label nodes web app-
      kubectl annotate pods web app-
      kubectl label pods -l tier app- --overwrite
    `,
      ['look.sh'],
    );
    assert.deepEqual(renameLines(b, 'key', 'name'), [
      'web.yaml:3 metadata: {name: web, labels: {name: web, tier: front}}',
      'look.sh:1 kubectl get pods -L tier,name -L=name --label-columns "name" (command)',
      'look.sh:2 kubectl get -Lname pods -l tier=front (command)',
      'look.sh:4 kubectl label pods web name- tier=back (command)',
      'look.sh:7 kubectl label pods -l tier name- --overwrite (command)',
    ]);
    assert.deepEqual(renameLines(b, 'value', 'cart'), [
      'web.yaml:3 metadata: {name: web, labels: {app: cart, tier: front}}',
    ]);
  });

  it('can start in a column or at a removed label', async () => {
    const fixture = `
      ==> web.yaml <==
      apiVersion: v1
      kind: Pod
      metadata: {name: web, labels: {app: web, tier: front}}
      ---
      apiVersion: v1
      kind: Node
      metadata: {name: one, labels: {app: node}}
      ==> look.sh <==
      kubectl get pods -L tier,app
      #                        ^ column
      kubectl label pods web app- tier=back
      #                      ^ removed
      kubectl label pods web "$KEY-"
      #                       ^ unknown
      kubectl annotate pods web app-
      #                         ^ annotation
    `;
    const b = await opened(fixture, ['look.sh']);
    const there = 'web.yaml:3 metadata: {name: web, labels: {name: web, tier: front}}';
    const shown = 'look.sh:1 kubectl get pods -L tier,name';
    const removed = 'look.sh:2 kubectl label pods web name- tier=back';
    assert.equal(renameable(b, 'column'), 'app');
    assert.deepEqual(renameLines(b, 'column', 'name'), [there, shown, `${removed} (command)`]);
    assert.equal(renameable(b, 'removed'), 'app');
    assert.deepEqual(renameLines(b, 'removed', 'name'), [there, `${shown} (command)`, removed]);
    for (const place of ['unknown', 'annotation']) assert.equal(renameable(b, place), '(none)');
  });

  for (const place of ['inList', 'inMakefile', 'inPage', 'inWorkflow', 'set', 'expose', 'alone']) {
    it(`can start in a command: ${place}`, async () => {
      const b = await opened();
      assert.equal(renameable(b, place), 'web');
      const { name, text } = b.place(place).file;
      const line = text.slice(0, b.place(place).span.start).split('\n').length;
      const asked = inCommands.map((each) => (each.startsWith(`${name}:${line} `) ? each : `${each} (command)`));
      assert.deepEqual(renameLines(b, place, 'cart'), [...inFiles, ...asked]);
    });
  }

  const two = `
    ==> blue/web.yaml <==
    apiVersion: v1
    kind: Pod
    metadata: {name: web, namespace: blue, labels: {app: web}}
    ==> green/web.yaml <==
    apiVersion: v1
    kind: Pod
    metadata: {name: web, namespace: green, labels: {app: web}}
    ==> green/look.sh <==
    kubectl get pods -l app=web
    #                       ^ near
    kubectl get pods -n blue -l app=web
    #                               ^ named
    kubectl get pods -A -l app=web
    #                          ^ all
    kubectl get pods -n red -l app=web
    #                              ^ none
  `;

  it('starts with the nearest label if a command is ambiguous; the others need a review', async () => {
    const lines = renameLines(await opened(two, []), 'near', 'cart');
    assert.deepEqual(lines.slice(0, 2), [
      'blue/web.yaml:3 metadata: {name: web, namespace: blue, labels: {app: cart}} (uncertain)',
      'green/web.yaml:3 metadata: {name: web, namespace: green, labels: {app: cart}}',
    ]);
  });

  it('stays in the namespace of a command', async () => {
    assert.deepEqual(renameLines(await opened(two, []), 'named', 'cart'), [
      'blue/web.yaml:3 metadata: {name: web, namespace: blue, labels: {app: cart}}',
      'green/look.sh:1 kubectl get pods -l app=cart (command)',
      'green/look.sh:2 kubectl get pods -n blue -l app=cart',
      'green/look.sh:3 kubectl get pods -A -l app=cart (command)',
    ]);
    assert.deepEqual(renameLines(await opened(two, []), 'none', 'cart'), [
      'green/look.sh:4 kubectl get pods -n red -l app=cart',
    ]);
    const [blue, green] = renameLines(await opened(two, []), 'all', 'cart');
    assert.equal(blue, 'blue/web.yaml:3 metadata: {name: web, namespace: blue, labels: {app: cart}}');
    assert.equal(green, 'green/web.yaml:3 metadata: {name: web, namespace: green, labels: {app: cart}}');
  });

  it('can start in a command whose label only a kustomization adds', async () => {
    const b = await bench(`
      ==> kustomization.yaml <==
      resources: [web.yaml]
      labels:
        - pairs: {team: blue}
          includeSelectors: true
      ==> web.yaml <==
      apiVersion: v1
      kind: Service
      metadata: {name: web}
      spec: {selector: {app: web}}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: web, labels: {app: web}}
      ==> look.sh <==
      kubectl get pods -l team=blue
      #                        ^ here
    `);
    assert.deepEqual(renameLines(b, 'here', 'green'), [
      'kustomization.yaml:3 - pairs: {team: green}',
      'look.sh:1 kubectl get pods -l team=green',
    ]);
  });

  it('changes only the command if no object has the label', async () => {
    const b = await bench(`
      ==> look.sh <==
      kubectl get pods -l app=web,app!=api
      #                       ^ here
    `);
    assert.deepEqual(renameLines(b, 'here', 'cart'), ['look.sh:1 kubectl get pods -l app=cart,app!=api']);
  });
});
