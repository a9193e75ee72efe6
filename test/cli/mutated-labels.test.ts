/** Tests that labels which a policy of the workspace may add or change are unknown to all commands. */

import assert from 'node:assert/strict';
import { lines } from '../harness/margin.ts';
import { runInMemory } from './memory-world.ts';

const pods = (name: string, labels: string) =>
  lines(`
    apiVersion: v1
    kind: Pod
    metadata: {name: ${name}, namespace: shop, labels: {${labels}}}
    spec: {containers: [{name: main, image: example, ports: [{containerPort: 80}]}]}
  `);

const policy = lines(`
  apiVersion: networking.k8s.io/v1
  kind: NetworkPolicy
  metadata: {name: front, namespace: shop}
  spec:
    podSelector: {matchLabels: {app: db}}
    ingress: [{from: [{podSelector: {matchLabels: {tier: front}}}]}]
`);

const changes = (key: string) =>
  lines(`
    apiVersion: kyverno.io/v1
    kind: ClusterPolicy
    metadata: {name: changes}
    spec:
      rules:
        - name: changes
          match: {any: [{resources: {kinds: [Pod], namespaces: [shop]}}]}
          mutate: {patchStrategicMerge: {metadata: {labels: {+(${key}): front}}}}
  `);

const world = [pods('web', 'app: web'), pods('db', 'app: db'), policy];

async function run(parameters: readonly string[], documents: readonly string[]) {
  const files = Object.fromEntries(documents.map((text, index) => [`${index}.yaml`, text]));
  const { code, json, err } = await runInMemory([...parameters, '--format', 'json'], { files });
  assert.equal(code, 0, err.join('\n'));
  return json;
}

const connection = ['reach', 'Pod/web', 'Pod/db', '--port', '80'];

describe('labels that a policy may change', () => {
  it('leave a connection unknown, if they decide on it', async () => {
    const answer = async (documents: readonly string[]) => {
      const { allowed, unknown } = (await run(connection, documents)) as { allowed: boolean; unknown?: boolean };
      return unknown ? 'unknown' : allowed ? 'allowed' : 'denied';
    };
    assert.equal(await answer(world), 'denied');
    assert.equal(await answer([...world, changes('tier')]), 'unknown');
    assert.equal(await answer([...world, changes('app')]), 'unknown');
    assert.equal(await answer([...world, changes('team')]), 'denied');
  });

  it('make the selectors that require them uncertain', async () => {
    const service = lines(`
      apiVersion: v1
      kind: Service
      metadata: {name: web, namespace: shop}
      spec: {selector: {app: web, tier: front}, ports: [{port: 80}]}
    `);
    const found = (documents: readonly string[]) => run(['who-selects', 'Pod/web'], documents);
    assert.doesNotMatch(JSON.stringify(await found([...world, service])), /Service/);
    const text = JSON.stringify(await found([...world, service, changes('tier')]));
    assert.match(text, /Service/);
    assert.match(text, /an admission policy may change `tier`/);
    assert.doesNotMatch(JSON.stringify(await found([...world, service, changes('team')])), /Service/);
  });
});
