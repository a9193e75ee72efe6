/** Tests which lists a strategic merge patch merges. The expectations are the output of `kubectl kustomize`. */

import assert from 'node:assert/strict';
import { replacedFields } from '../../server/src/manifests/kustomize/replaced-paths.ts';
import { blank } from '../../server/src/manifests/placeholders/placeholders.ts';
import { parseYaml } from '../../server/src/manifests/yaml/parse-yaml.ts';
import { plainData } from '../../server/src/manifests/yaml/plain-data.ts';
import type { MapNode } from '../../server/src/manifests/yaml/tree.ts';
import { Overwriting } from '../../server/src/workspace/kustomize/edit-tree.ts';
import { mergedByPatch } from '../../server/src/workspace/kustomize/strategic-merge.ts';

const pods = 'spec.template.spec';
const container = `${pods}.containers.0`;

/** Returns an object with a list at a path, as text. A `0` in the path is an item of a list, with the name `web`. */
function textWith(path: string, list: string): string {
  const [field, ...rest] = path.split('.');
  if (field === undefined || field === '') return list;
  const inner = textWith(rest.join('.'), list);
  return field === '0' ? `[${inner.replace('{', '{name: web, ')}]` : `{${field}: ${inner}}`;
}

function rootOf(text: string): MapNode {
  const { root } = parseYaml(text, blank(text), { start: 0, end: text.length });
  assert.ok(root?.kind === 'map', text);
  return root;
}

/** Returns the list at a path after a patch was merged. */
function merged(path: string, list: string, patch: string, knowsLists = true): string {
  const [target, by] = [list, patch].map((each) => rootOf(textWith(path, `[${each}]`)));
  assert.ok(target && by);
  const source = { uri: 'a', into: 'a', anchor: target.span };
  const result = mergedByPatch(target, by, { source, overwriting: new Overwriting(undefined), knowsLists });
  const text = JSON.stringify(result && plainData(result)).replaceAll('"', '');
  return text.slice(text.lastIndexOf(`${path.split('.').at(-1)}:[`)).replace(/^[^[]*\[(.*?)\][\]}]*$/, '$1');
}

describe('a strategic merge patch', () => {
  it('merges lists by the keys in the schema', () => {
    for (const [path, key] of [
      [`${pods}.containers`, 'name'],
      [`${pods}.initContainers`, 'name'],
      [`${pods}.ephemeralContainers`, 'name'],
      [`${pods}.volumes`, 'name'],
      [`${pods}.imagePullSecrets`, 'name'],
      [`${pods}.hostAliases`, 'ip'],
      [`${container}.env`, 'name'],
      [`${container}.volumeMounts`, 'mountPath'],
      [`${container}.volumeDevices`, 'devicePath'],
      [`${container}.ports`, 'containerPort'],
      [`${pods}.topologySpreadConstraints`, 'topologyKey'],
      ['spec.ports', 'port'],
      ['spec.drivers', 'name'],
      ['secrets', 'name'],
      ['webhooks', 'name'],
      ['metadata.ownerReferences', 'uid'],
    ] as const) {
      const list = `{${key}: a, x: 1}, {${key}: b}`;
      assert.equal(merged(path, list, `{${key}: a, z: 2}`), `{${key}:a,x:1,z:2},{${key}:b}`, path);
      assert.equal(merged(path, list, `{${key}: c}`), `{${key}:c},{${key}:a,x:1},{${key}:b}`, path);
      assert.equal(merged(path, list, `{${key}: a, $patch: delete}`), `{${key}:b}`, path);
      assert.equal(merged(path, list, `{${key}: c}`, false), `{${key}:c}`, path);
    }
    assert.equal(merged('metadata.finalizers', 'a, b', 'b, c'), 'b,c,a');
    assert.equal(merged('metadata.finalizers', 'a, b', 'c', false), 'c');
  });

  it('replaces all other lists', () => {
    for (const path of [
      'imagePullSecrets',
      'spec.ingress.0.ports',
      'spec.rules',
      'webhooks.0.matchConditions',
      `${pods}.tolerations`,
      `${pods}.readinessGates`,
      `${container}.envFrom`,
    ])
      assert.equal(merged(path, '{name: a, port: 1}, {name: b}', '{name: a}'), '{name:a}', path);
  });

  it('distinguishes items by all keys, and drops an item in which only the second key is absent', () => {
    const ports = (list: string, patch: string) => merged(`${container}.ports`, list, patch);
    const two = '{containerPort: 1, protocol: TCP, name: a}, {containerPort: 1, protocol: UDP, name: b}';
    const [tcp, udp] = ['{containerPort:1,protocol:TCP,name:a}', '{containerPort:1,protocol:UDP,name:b}'];
    assert.equal(
      ports(two, '{containerPort: 1, protocol: UDP, name: z}'),
      `${tcp},{containerPort:1,protocol:UDP,name:z}`,
    );
    assert.equal(ports(two, '{containerPort: 1, name: z}'), `${tcp},${udp}`);
    assert.equal(ports(two, '{containerPort: 1, $patch: delete}'), `${tcp},${udp}`);
    assert.equal(ports(two, '{containerPort: 3}'), `{containerPort:3},${tcp},${udp}`);
    assert.equal(ports('{containerPort: 1}', '{containerPort: 1, protocol: TCP}'), '{containerPort:1}');
  });

  it('replaces the fields of items with the first key', () => {
    const fields = (path: string, item: string) => replacedFields(rootOf(textWith(path, `[${item}]`)), 'apps')?.at(-1);
    const inContainer = '/spec/template/spec/containers/[web';
    assert.equal(fields(`${container}.ports`, '{containerPort: 1, hostPort: 2}'), `${inContainer}/ports/[1/hostPort`);
    assert.equal(fields(`${container}.envFrom`, '{prefix: a}'), `${inContainer}/envFrom`);
    assert.equal(fields('spec.ingress.0.ports', '{port: 1}'), '/spec/ingress');
  });
});
