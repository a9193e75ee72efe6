/** Does a rename leave alone what it would break, where a kustomization writes labels? */
import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';
import { renameLines } from '../harness/rename-lines.ts';

describe('a rename where a kustomization writes labels', () => {
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

  it('is refused where the label comes from there, since that file would have to change too', async () => {
    const b = await bench(`${base}
    ==> over/kustomization.yaml <==
    resources: [../base]
    commonLabels: {app: basket}
    `);
    for (const place of ['label', 'selector']) {
      const [said = '', ...others] = renameLines(b, place, 'cart');
      assert.deepEqual(others, []);
      assert.match(
        said,
        /^refused: it is written into (?:Pod|Service)\/basket by \.\.\/over\/kustomization\.yaml: change it there by hand$/,
      );
    }
  });

  it('is refused where a patch gives the label to one of them', async () => {
    const b = await bench(`${base}
    ==> over/kustomization.yaml <==
    resources: [../base, other.yaml]
    patches: [{path: patch.yaml}]
    ==> over/patch.yaml <==
    apiVersion: v1
    kind: Pod
    metadata: {name: other, labels: {app: basket}}
    ==> over/other.yaml <==
    apiVersion: v1
    kind: Pod
    metadata: {name: other}
    `);
    assert.match(renameLines(b, 'selector', 'cart').join(), /^refused: it is written into Pod\/other by .*patch\.yaml/);
  });

  it('is made where it writes other labels', async () => {
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
});
