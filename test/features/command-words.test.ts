/**
 * Paths, namespaces, options and names in commands: hover, completion, links and definition
 * (requirements A39, A41, B7, B9, B10, B11, B12, M7, Z19).
 */

import assert from 'node:assert/strict';
import { type Bench, bench } from '../harness/bench.ts';
import { lines } from '../harness/margin.ts';

const shop = `
  ==> k8s/web.yaml <==
  apiVersion: apps/v1
  kind: Deployment
  metadata: {name: web, namespace: shop}
  spec:
    selector: {matchLabels: {app: nginx}}
    template:
      metadata: {labels: {app: nginx, tier: be}}
  ---
  apiVersion: v1
  kind: Pod
  metadata: {name: lone, namespace: shop, labels: {app: nginx}}
  ---
  apiVersion: v1
  kind: Service
  metadata: {name: front, namespace: shop}
  spec:
    selector: {app: nginx, tier: fe}
  ---
  apiVersion: v1
  kind: Service
  metadata: {name: back, namespace: shop}
  spec:
    selector: {app: nginx, tier: be}
  ==> k8s/base/more.yaml <==
  apiVersion: v1
  kind: Namespace
  metadata: {name: shop}
`;

function body(b: Bench, place: string): string {
  return b.hover(place).split('\n---\n')[1] ?? '';
}

describe('hover on what `kubectl label` sets', () => {
  it('counts the objects that get the label, and the changed matches of selectors', async () => {
    const b = await bench(`${shop}
  ==> label.sh <==
  kubectl label pods -n shop -l app=nginx tier=fe
  #                                       ^ all
  kubectl label -n shop pod lone tier=be
  #                              ^ one
  kubectl label -n shop -l app=nginx pods tier-
  #                                       ^ removed
  kubectl label -n shop pod lone team=blue
  #                              ^ free
`);
    assert.match(
      body(b, 'all'),
      /^Sets `tier=fe` on 2 objects in this workspace; Service\/front gains 2; Service\/back loses 1\./,
    );
    assert.match(body(b, 'all'), /Pods that the workloads create later are not changed/);
    assert.match(body(b, 'one'), /^Sets `tier=be` on 1 object in this workspace; Service\/back gains 1\./);
    assert.match(body(b, 'removed'), /^Removes `tier` from 2 objects in this workspace; Service\/back loses 1\./);
    assert.match(body(b, 'free'), /^Sets `team=blue` on 1 object in this workspace\.\n/);
  });
});

describe('completion in the words of a command', () => {
  it('offers label keys after -L, and labels to set', async () => {
    const b = await bench(`${shop}
  ==> look.sh <==
  kubectl get pods -L a
  #                    ^ key
  kubectl get pods -Lapp,
  #                      ^ second
  kubectl label pods lone ti
  #                         ^ set
  kubectl label pods lone tier=
  #                            ^ value
  kubectl label po
  #               ^ kind
`);
    assert.deepEqual(b.completion('key'), ['kubectl get pods -L app', 'kubectl get pods -L tier']);
    assert.deepEqual(b.completion('second'), ['kubectl get pods -Lapp,tier']);
    assert.deepEqual(b.completion('set'), ['kubectl label pods lone app', 'kubectl label pods lone tier']);
    assert.deepEqual(b.completion('value'), ['kubectl label pods lone tier=be']);
    assert.deepEqual(b.completion('kind'), []);
  });

  it('offers namespaces, and the values of --validate and --cascade', async () => {
    const b = await bench(`${shop}
  ==> look.sh <==
  kubectl get pods -n s
  #                    ^ namespace
  kubectl get pods --namespace=
  #                            ^ long
  kubectl apply -f k8s --validate=
  #                               ^ validate
  kubectl delete deployment web --cascade=
  #                                       ^ cascade
`);
    const names = ['shop', 'default', 'kube-system', 'kube-public', 'kube-node-lease'];
    assert.deepEqual(
      b.completion('namespace'),
      names.map((name) => `kubectl get pods -n ${name}`),
    );
    assert.deepEqual(
      b.completion('long'),
      names.map((name) => `kubectl get pods --namespace=${name}`),
    );
    assert.deepEqual(
      b.completion('validate'),
      ['strict', 'warn', 'ignore', 'true', 'false'].map((value) => `kubectl apply -f k8s --validate=${value}`),
    );
    assert.deepEqual(
      b.completion('cascade'),
      ['background', 'foreground', 'orphan'].map((value) => `kubectl delete deployment web --cascade=${value}`),
    );
  });
});

describe('a path in a command', () => {
  it('shows its objects, and what is left out without -R', async () => {
    const b = await bench(`${shop}
  ==> docs/README.md <==
  Run \`kubectl apply -f k8s/web.yaml\`, or:
  #                       ^ file
  \`\`\`sh
  kubectl diff -f k8s/
  #               ^ folder
  kubectl diff -R -f k8s/
  #                  ^ all
  kubectl delete -f k8s/db.yaml
  #                 ^ missing
  kubectl create -f k8s/web.yaml
  #                 ^ twice
  kubectl apply -f https://example.com/web.yaml -f - -f ../../outside.yaml
  \`\`\`
`);
    assert.match(body(b, 'file'), /^\*\*Objects\*\* \(4\)\n- \[Deployment\/web\]/);
    assert.match(body(b, 'folder'), /Without `-R`, kubectl skips 1 file in subfolders\./);
    assert.match(body(b, 'all'), /^\*\*Objects\*\* \(5\)/);
    assert.doesNotMatch(body(b, 'all'), /Without/);
    assert.equal(body(b, 'missing'), 'No manifest or folder in this workspace has this path.');
    assert.match(
      body(b, 'twice'),
      /`kubectl apply` on line 1 manages the same objects\. Manage an object with one technique only/,
    );
    const link = 'k8s/web.yaml -> k8s/web.yaml';
    assert.deepEqual(b.links('docs/README.md'), [link, link]);
  });
});

describe('other words of a command', () => {
  it('show what a namespace contains, what an option means, and the labels that a command sets', async () => {
    const b = await bench(`${shop}
  ==> look.sh <==
  kubectl get pods --namespace=shop
  #                            ^ namespace
  kubectl apply --validate=ignore -f k8s
  #                        ^ validate
  kubectl delete deployment web --cascade=orphan
  #                                       ^ cascade
  kubectl create deployment nginx --image nginx
  #                         ^ deployment
  kubectl run probe --image nginx
  #           ^ pod
  kubectl create service clusterip probes --tcp 80
  #                                ^ service
`);
    assert.match(body(b, 'namespace'), /^4 objects in this workspace are in namespace `shop`\./);
    assert.match(body(b, 'validate'), /silently drops unknown fields/);
    assert.match(body(b, 'cascade'), /its dependents keep running/);
    assert.equal(
      body(b, 'deployment'),
      'Creates the Deployment `nginx` with the label `app: nginx`.\n\nIts pods have the same label. Its selector requires `app=nginx`.\n\n**Selected by nothing** on this page.',
    );
    assert.equal(body(b, 'pod'), 'Creates the Pod `probe` with the label `run: probe`.');
    assert.match(body(b, 'service'), /Its selector requires `app=probes`\./);
    assert.equal(b.definition('namespace'), 'k8s/base/more.yaml:3 shop');
  });

  it('explain URLs, replacements and the scope of resource types (requirements Z14, Z15, Z16)', async () => {
    const b = await bench(`${shop}
  ==> look.sh <==
  kubectl apply -f https://example.com/web.yaml
  #                ^ url
  kubectl replace -f k8s/web.yaml
  #                  ^ file
  kubectl api-resources --namespaced=true
  #                                  ^ namespaced
  kubectl api-resources --namespaced=false
  #                                  ^ global
  kubectl api-resources --api-group=apps
  #                                 ^ group
`);
    const url = 'kubectl downloads the manifest from this URL. Its objects are not part of this workspace.';
    assert.equal(body(b, 'url'), url);
    assert.match(body(b, 'file'), /`kubectl replace` replaces the complete object: fields that other clients set/);
    assert.match(body(b, 'namespaced'), /^Lists the resource types whose objects are in a namespace/);
    assert.match(body(b, 'global'), /^Lists the resource types whose objects are in no namespace/);
    assert.equal(body(b, 'group'), 'Lists the resource types of the API group `apps`.');
  });

  it('show the selector and the labels that `kubectl expose` copies (requirement B10)', async () => {
    const b = await bench(`
      ==> web.yaml <==
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web, labels: {team: a}}
      spec: {selector: {matchLabels: {app: web, tier: front}}}
      ---
      apiVersion: apps/v1
      kind: ReplicaSet
      metadata: {name: set}
      spec: {selector: {matchExpressions: [{key: app, operator: Exists}]}}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: pod, labels: {app: pod}}
      ==> look.sh <==
      kubectl expose deployment web --port 80
      #                         ^ web
      kubectl expose deploy/web --port 80 --name front -l a=b
      #                     ^ named
      kubectl expose rs set --port 80
      #                 ^ set
      kubectl expose pod/pod --port 80
      #                  ^ pod
      kubectl expose deploy other --port 80
      #                     ^ other
    `);
    const text = ['web', 'named', 'set', 'pod', 'other'].map((place) => body(b, place)).join('\n');
    assert.equal(
      text.replaceAll(/\]\(<[^>]*>\)/g, ']'),
      lines(`
        Creates the Service \`web\` with the selector \`app=web,tier=front\`, and the labels \`team=a\`.

        From [Deployment/web] — web.yaml:3
        Creates the Service \`front\` with the selector \`app=web,tier=front\`, and the labels \`a=b\`.

        From [Deployment/web] — web.yaml:3
        kubectl cannot copy a selector from this object: it copies only equality-based selectors, and the labels of a Pod.

        From [ReplicaSet/set] — web.yaml:8
        Creates the Service \`pod\` with the selector \`app=pod\`, and the labels \`app=pod\`.

        From [Pod/pod] — web.yaml:13
        Creates the Service \`other\`, with the selector and the labels of an object that is not in this workspace.
      `),
    );
    assert.equal(b.definition('web'), 'web.yaml:3 web');
  });
});
