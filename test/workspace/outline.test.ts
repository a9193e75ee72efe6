/** Tests that outlines differ exactly if other files can distinguish the versions, independent of offsets. */

import assert from 'node:assert/strict';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { readManifest } from '../../server/src/manifests/parse-manifest.ts';
import { isSameOutline } from '../../server/src/workspace/index/file-outline.ts';
import { folder, Watched } from '../features/watched-problems.ts';
import { lines } from '../harness/margin.ts';

const network = lines(`
  apiVersion: v1
  kind: Pod
  metadata: {name: web, labels: {app: web}}
  spec:
    containers: [{name: web, image: example.com/web, ports: [{name: http, containerPort: 8080}]}]
  ---
  apiVersion: v1
  kind: Service
  metadata: {name: web}
  spec: {selector: {app: web}, ports: [{port: 80, targetPort: http}]}
  ---
  apiVersion: networking.k8s.io/v1
  kind: NetworkPolicy
  metadata: {name: web}
  spec:
    podSelector: {matchLabels: {app: web}}
    ingress: [{ports: [{port: 8080}]}]
`);

function isSame(before: string, after: string): boolean {
  return isSameOutline(readManifest(before, catalogue), readManifest(after, catalogue));
}

describe('outlines', () => {
  it('are equal if only offsets and other fields differ', () => {
    assert.ok(isSame(network, `# A comment moves everything.\n${network}`));
    assert.ok(isSame(network, network.replace('example.com/web', 'example.com/other')));
  });

  it('differ if a port, a Service or a policy does', () => {
    for (const [before, after] of [
      ['containerPort: 8080', 'containerPort: 8081'],
      ['name: http', 'name: htp'],
      ['targetPort: http', 'targetPort: 8080'],
      ['[{port: 8080}]', '[{port: 8081}]'],
      [
        'kind: NetworkPolicy\nmetadata: {name: web}\nspec:',
        'kind: NetworkPolicy\nmetadata: {name: web}\nspec:\n  policyTypes: [Egress]',
      ],
    ] as const) {
      assert.ok(network.includes(before), before);
      assert.ok(!isSame(network, network.replace(before, after)), after);
    }
  });
});

describe('the outlines of a monitor', () => {
  it('differ if the namespaces next to its selector do', () => {
    const monitor =
      'apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {name: web}\nspec: {selector: {}, namespaceSelector: {matchNames: [shop]}}\n';
    assert.ok(!isSame(monitor, monitor.replace('[shop]', '[bank]')));
    assert.ok(!isSame(monitor, monitor.replace('matchNames: [shop]', 'any: true')));
  });
});

describe('a configuration with expectations', () => {
  it('is checked again after every change of an object, and after no other change', async () => {
    const config = 'expect: [{name: a, owner: b, that: web may reach db}]\n';
    const uri = `${folder}/shop.yaml`;
    const affected = async (text: string) => {
      const watched = await new Watched([
        [uri, network],
        [`${folder}/.selector-lens.yaml`, config],
      ]).load();
      await watched.run();
      await watched.write(uri, text);
      await watched.run();
      return watched.checked.toSorted();
    };
    assert.deepEqual(await affected(`# A comment.\n${network}`), [uri]);
    const changed = await affected(network.replace('[{port: 8080}]', '[{port: 8081}]'));
    assert.deepEqual(changed, [`${folder}/.selector-lens.yaml`, uri]);
  });
});
