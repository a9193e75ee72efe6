/** Tests that a misspelled namespace of all objects in a file is reported once, with a fix for all of them. */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';

const made = '  ==> namespace.yaml <==\n  apiVersion: v1\n  kind: Namespace\n  metadata: {name: payments}\n';
const used =
  '  ==> used.yaml <==\n  apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: rates, namespace: payments}\n';

function file(...namespaces: readonly string[]): string {
  const objects = namespaces.map(
    (namespace, index) =>
      `  apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: prices-${index}, namespace: ${namespace}}\n`,
  );
  return `  ==> prices.yaml <==\n${objects.join('  ---\n')}`;
}

async function found(...files: readonly string[]): Promise<readonly string[]> {
  const b = await bench(`\n${files.join('')}`);
  return b
    .findings('prices.yaml')
    .map((each) => `${each.message} ${each.fixes().map(({ title, edits }) => `${title} (${edits.length})`)}`);
}

describe('the namespace of the objects in one file', () => {
  it('is reported if a Namespace that other files use has a similar name', async () => {
    assert.deepEqual(await found(made, used, file('paymnets', 'paymnets')), [
      "No other file has objects in namespace 'paymnets'. Closest: namespace 'payments'. Change the namespace to 'payments' (2)",
    ]);
  });

  it('is not reported if it may be another namespace', async () => {
    const own = made.replace('namespace.yaml', 'own.yaml').replace('payments', 'paymnets');
    const files: readonly (readonly string[])[] = [
      [used, file('paymnets', 'paymnets')],
      [made, file('paymnets', 'paymnets')],
      [made, used, own, file('paymnets', 'paymnets')],
      [made, used, file('payments-eu', 'payments-eu')],
      [
        made,
        used,
        used.replaceAll('payments', 'paymnets').replace('used.yaml', 'more.yaml'),
        file('paymnets', 'paymnets'),
      ],
    ];
    for (const each of files) assert.deepEqual(await found(...each), [], each.join(''));
  });
});
