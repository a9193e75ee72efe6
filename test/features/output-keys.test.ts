/** Tests label keys in output options of commands, in hover, navigation and rename (requirement A42). */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';
import { renameable, renameLines } from '../harness/rename-lines.ts';

const pod = `
  ==> pod.yaml <==
  apiVersion: v1
  kind: Pod
  metadata: {name: web, labels: {app: web, app.kubernetes.io/name: web}}
  #                              ^ app
  #                                        ^ name
`;

const script = `
  ==> look.sh <==
  kubectl get pods -o jsonpath='{.items[*].metadata.labels.app}'
  #                                                        ^ path
  kubectl get pods -o=jsonpath="{.items[0].metadata.labels['app']}" --sort-by=.metadata.labels.app
  kubectl get pod web -ojsonpath='{.metadata.labels.app\\.kubernetes\\.io/name}'
  #                                                 ^ escaped
  kubectl get po -o custom-columns=APP:.metadata.labels.app,NAME:.metadata.name
  kubectl get po web -o go-template='{{.metadata.labels.app}} {{index .metadata.labels "app"}}'
  kubectl get deploy -o jsonpath='{.items[*].spec.template.metadata.labels.app}'
  kubectl get svc -o jsonpath='{.items[*].metadata.labels.app}'
  kubectl get po -o jsonpath="{.metadata.labels.app$SUFFIX}{.metadata.labels.apple}{.metadata.annotations.app}"
  kubectl wait pod/web --for=jsonpath='{.metadata.labels.app}'=web
`;

describe('a label key in the output of a command', () => {
  it('is renamed with the label, if the command prints objects of its kind', async () => {
    const b = await bench(pod + script);
    assert.equal(renameable(b, 'path'), 'app');
    const commands = [
      "look.sh:1 kubectl get pods -o jsonpath='{.items[*].metadata.labels.tier}' (command)",
      `look.sh:2 kubectl get pods -o=jsonpath="{.items[0].metadata.labels['tier']}" --sort-by=.metadata.labels.tier (command)`,
      'look.sh:4 kubectl get po -o custom-columns=APP:.metadata.labels.tier,NAME:.metadata.name (command)',
      `look.sh:5 kubectl get po web -o go-template='{{.metadata.labels.tier}} {{index .metadata.labels "tier"}}' (command)`,
      "look.sh:6 kubectl get deploy -o jsonpath='{.items[*].spec.template.metadata.labels.tier}' (command)",
      "look.sh:8 kubectl wait pod/web --for=jsonpath='{.metadata.labels.tier}'=web (command)",
    ];
    assert.deepEqual(
      renameLines(b, 'app', 'tier').filter((line) => line.startsWith('look')),
      commands.map((line) => line.replace('look.sh:8', 'look.sh:9')),
    );
  });

  it('has a backslash before a dot, if one can be written there', async () => {
    const b = await bench(pod + script);
    assert.equal(renameable(b, 'escaped'), 'app\\.kubernetes\\.io/name');
    const renamed = renameLines(b, 'name', 'example.com/name');
    assert.deepEqual(renamed, [
      'pod.yaml:3 metadata: {name: web, labels: {app: web, example.com/name: web}}',
      "look.sh:3 kubectl get pod web -ojsonpath='{.metadata.labels.example\\.com/name}' (command)",
    ]);
    const dotted = renameLines(b, 'app', 'a.b/c').filter((line) => line.startsWith('look'));
    assert.deepEqual(dotted.slice(0, 2), [
      "look.sh:1 kubectl get pods -o jsonpath='{.items[*].metadata.labels.a\\.b/c}' (command)",
      `look.sh:5 kubectl get po web -o go-template='{{.metadata.labels.app}} {{index .metadata.labels "a.b/c"}}' (command)`,
    ]);
  });

  it('is explained, and is a reference to the label', async () => {
    const b = await bench(pod + script);
    assert.match(b.hover('path'), /1 object in this workspace has the label `app`\./);
    assert.match(b.hover('escaped'), /`app\.kubernetes\.io\/name`: .+ \(recommended\)/);
    assert.match(b.references('path'), /pod\.yaml:3 app: web/);
    assert.match(b.references('path'), /look\.sh:2 app/);
  });

  it('is found in pages, in Makefiles and in strings of YAML', async () => {
    const b = await bench(`${pod}
  ==> README.md <==
  Run \`kubectl get pods -o jsonpath='{.items[*].metadata.labels.app}'\`.
  #                                                             ^ page
  ==> Makefile <==
  look: ; kubectl get pods --sort-by='{.metadata.labels.app}'
  #                                                     ^ make
  ==> ci.yml <==
  run: [kubectl, get, pods, -o, "jsonpath={.items[*].metadata.labels.app\\\\.kubernetes\\\\.io/name}"]
  #                                                                  ^ yaml
    `);
    assert.equal(renameable(b, 'page'), 'app');
    assert.equal(renameable(b, 'make'), 'app');
    assert.equal(renameable(b, 'yaml'), 'app\\\\.kubernetes\\\\.io/name');
  });
});
