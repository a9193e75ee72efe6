/** Tests that a fix which only approximates the text is not preferred, and that no fix invents a different value (issue 39). */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';
import { lines } from '../harness/margin.ts';

/** Returns the titles of the fixes for a manifest; a star marks the fix that editors prefer. */
async function fixesOf(manifest: string): Promise<string> {
  const b = await bench(`
    ==> manifest.yaml <==
${manifest}`);
  const fixes = b.findings('manifest.yaml').flatMap((finding) => finding.fixes());
  return fixes
    .filter(({ title }) => title.startsWith('Change'))
    .map(({ title, preferred }) => `${preferred ? '* ' : ''}${title}`)
    .join('\n');
}

function labeled(...labels: readonly string[]): string {
  const head = ['apiVersion: v1', 'kind: ConfigMap', 'metadata:', '  name: prices', '  labels:'];
  return [...head, ...labels.map((label) => `    ${label}`)].map((line) => `    ${line}\n`).join('');
}

describe('preferred fixes', () => {
  it('keep the words of a label', async () => {
    const fixes = await fixesOf(labeled('team: Team Blue', 'track: canary-', 'plain: " web "', 'my key: x'));
    assert.equal(
      fixes,
      lines(`
      * Change the value to 'Team-Blue'
      * Change the value to 'canary'
      * Change the value to 'web'
      * Change the key to 'my-key'
    `),
    );
  });

  it('are not those that replace characters, or cut a key at the end of a word', async () => {
    const long = `cut/first-part-of-a-name-${'b'.repeat(63)}: x`;
    const fixes = await fixesOf(labeled('path: shop/basket', 'mail: blue@example.com', 'letters: café', long));
    assert.equal(
      fixes,
      lines(`
        Change the value to 'shop-basket'
        Change the value to 'blue-example.com'
        Change the value to 'cafe'
        Change the key to 'cut/first-part-of-a-name'
      `),
    );
  });

  it('are not offered if the result would mean something else', async () => {
    const labels = ['limit: .inf', 'limit2: -.inf', 'none: .nan', 'letters: Häuser', `decomposed: "Ha\\u0308user"`];
    const more = ['block: |-', '  multi', '  line', `long: ${'a'.repeat(64)}`];
    assert.equal(await fixesOf(labeled(...labels, ...more)), '');
  });

  it('change the label on which the other selectors do not agree', async () => {
    const workload = (selector: string, label: string, service: string) => `
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: photos}
    spec:
      selector: {matchLabels: {app: photos, tier: ${selector}}}
      template: {metadata: {labels: {app: photos, tier: ${label}}}, spec: {containers: [{name: a, image: a}]}}
    ---
    apiVersion: v1
    kind: Service
    metadata: {name: photos}
    spec: {selector: {app: photos, tier: ${service}}, ports: [{port: 80}]}
`;
    const mismatch = async (...values: readonly [string, string, string]) => {
      const b = await bench(`\n    ==> manifest.yaml <==${workload(...values)}`);
      return b
        .findings('manifest.yaml')
        .flatMap((each) => each.fixes().filter(({ preferred }) => preferred))
        .map(({ title }) => title);
    };
    assert.deepEqual(await mismatch('ml', 'machine-learning', 'ml'), ["Change the label of the template to 'ml'"]);
    assert.deepEqual(await mismatch('front', 'front', 'fornt'), ["Change the selector to 'front'"]);
    assert.deepEqual(await mismatch('front', 'fornt', 'front'), ["Change the label of the template to 'front'"]);
    assert.deepEqual(await mismatch('ml', 'machine-learning', 'machine-learning'), [
      "Change the selector to 'machine-learning'",
    ]);
  });
});
