/** The manifests in Markdown pages and scripts, and the objects that commands create (requirement B10). */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';

const tutorial = `
  ==> docs/tutorial.md <==
  Create a Service:

  - First this file:

    \`\`\`yaml
    apiVersion: v1
    kind: Service
    metadata:
      name: front
    spec:
      selector:
        app: nginx
        #    ^ selector
    \`\`\`

  Then a Deployment:

  \`\`\`yaml
  apiVersion: apps/v1
  kind: Deployment
  metadata:
    name: web
    labels:
      note: two words
  spec:
    selector:
      matchLabels: {app: nginx}
    template:
      metadata:
        labels: {app: nginx, tier: fe}
        #             ^ label
  \`\`\`

  \`\`\`sh
  kubectl create deployment nginx --image nginx
  #                         ^ created
  kubectl get pods -l app=nginx
  #                   ^ command
  cat <<EOF | kubectl apply -f -
  apiVersion: v1
  kind: Pod
  metadata:
    name: $NAME
    labels: {app: nginx, team: $TEAM, tier: "not valid"}
    #             ^ heredoc
  EOF
  \`\`\`
  ==> k8s/other.yaml <==
  apiVersion: v1
  kind: Pod
  metadata:
    name: other
    labels: {app: nginx}
    #             ^ outside
`;

describe('a page with manifests', () => {
  it('is matched within the page', async () => {
    const b = await bench(tutorial);
    const hover = b.hover('selector');
    assert.match(hover, /\*\*Matches\*\* \(3\)/);
    assert.match(hover, /Deployment\/web.*Pod\/&#36;NAME.*Deployment\/nginx/s);
    assert.doesNotMatch(hover, /Pod\/other/);
    assert.match(b.hover('label'), /\*\*Selected by\*\* \(2\)\n- \[Service\/front\]/);
    assert.match(b.hover('heredoc'), /Service\/front/);
    assert.doesNotMatch(b.hover('outside'), /tutorial/);
  });

  it('includes the labels of objects that its commands create', async () => {
    const b = await bench(tutorial);
    assert.match(
      b.hover('created'),
      /^nginx\n---\nCreates the Deployment `nginx` with the label `app: nginx`\..*Service\/front/s,
    );
    const command = b.hover('command');
    assert.match(command, /\*\*Matches on this page\*\* \(3\)/);
    assert.match(command, /\*\*Matches\*\* \(1\)|May match\*\* \(1\)/);
  });

  it('is only possibly matched by a field that a controller sets', async () => {
    const b = await bench(`
      ==> run.sh <==
      kubectl create deployment nginx --image nginx
      kubectl get pods --field-selector status.phase=Running
      #                                        ^ here
    `);
    assert.match(b.hover('here'), /\*\*May match on this page\*\* \(1\)/);
    assert.doesNotMatch(b.hover('here'), /\*\*Matches on this page/);
  });

  it('supports navigation and completion', async () => {
    const b = await bench(tutorial);
    assert.match(b.definition('selector'), /docs\/tutorial\.md:.*app: nginx/);
    assert.match(b.references('label'), /docs\/tutorial\.md/);
    const typing = await bench(`
      ==> docs/tutorial.md <==
      \`\`\`yaml
      apiVersion: v1
      kind: Service
      metadata: {name: front}
      spec:
        selector:
          ti
          # ^ typed
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: web, labels: {tier: fe}}
      \`\`\`
    `);
    assert.deepEqual(typing.completion('typed'), ['tier: fe']);
  });

  it('is checked only for the grammar of labels', async () => {
    const b = await bench(tutorial);
    const found = b.findings('docs/tutorial.md').map(({ rule, message }) => `${rule}: ${message}`);
    assert.deepEqual(found, [
      "label-value-syntax: Label value must not contain ' ': use only letters, digits, '-', '_' and '.'.",
      "label-value-syntax: Label value must not contain ' ': use only letters, digits, '-', '_' and '.'.",
    ]);
  });
});
