/** Tests that a review compares patches in a kustomization that changes elsewhere. */
import assert from 'node:assert/strict';
import { type Files, neutral, review } from './review-world.ts';

/** An inline patch that sets an image and the name of a Service in a StatefulSet, in each style of YAML. */
const inlinePatches: readonly (readonly [style: string, patch: (value: string) => string])[] = [
  [
    'a block',
    (value) =>
      `patches:\n- patch: |-\n    apiVersion: apps/v1\n    kind: StatefulSet\n    metadata: {name: db}\n    spec:\n      serviceName: db-${value}\n`,
  ],
  [
    'a folded block',
    (value) =>
      `patches:\n- patch: >-\n    {apiVersion: apps/v1, kind: StatefulSet,\n    metadata: {name: db}, spec: {serviceName: db-${value}}}\n`,
  ],
  [
    'a quoted string',
    (value) =>
      `patches:\n- patch: '{"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "db"}, "spec": {"serviceName": "db-${value}"}}'\n`,
  ],
  [
    'a map',
    (value) =>
      `patchesStrategicMerge:\n- |-\n  apiVersion: apps/v1\n  kind: StatefulSet\n  metadata: {name: db}\n  spec: {serviceName: db-${value}}\n`,
  ],
  [
    'operations in a block',
    (value) =>
      `patches:\n- target: {kind: StatefulSet}\n  patch: |-\n    - {op: add, path: /metadata/labels, value: {a: x}}\n    - op: replace\n      path: /spec/serviceName\n      value: db-${value}\n`,
  ],
  [
    'operations in a quoted string',
    (value) =>
      `patches:\n- target: {kind: StatefulSet}\n  patch: '[{"op": "replace", "path": "/spec/serviceName", "value": "db-${value}"}]'\n`,
  ],
  [
    'an alias',
    (value) =>
      `x: &patch |-\n  - op: replace\n    path: /spec/serviceName\n    value: db-${value}\npatches:\n- target: {kind: StatefulSet}\n  patch: *patch\n`,
  ],
  [
    'a reference to a different patch of the same file',
    (value) =>
      `patches:\n- target: {kind: StatefulSet, labelSelector: v=${value}}\n  patch: '[{"op": "replace", "path": "/spec/serviceName", "value": "db-1"}]'\n- target: {kind: StatefulSet, labelSelector: v!=${value}}\n  patch: '[{"op": "replace", "path": "/spec/serviceName", "value": "db-2"}]'\n`,
  ],
];

describe('a review compares a patch in a kustomization that changes elsewhere, too', () => {
  const database = `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db, labels: {v: '1'}}
spec:
  serviceName: db
  selector: {matchLabels: {app: db}}
  template: {metadata: {labels: {app: db}}}
`;
  const built = (patch: string, more = ''): Files => ({
    'kustomization.yaml': `${more}resources: [db.yaml]\n${patch}`,
    'db.yaml': database,
  });
  for (const [style, patch] of inlinePatches)
    it(`in ${style}`, async () => {
      const changed = await review(built(patch('1')), built(patch('2'), '# A comment.\n'));
      assert.match(changed.out.join('\n'), /1 refused update/);
      const same = await review(built(patch('1')), built(patch('1'), '# A comment.\n'));
      assert.equal(same.out[0], neutral);
    });
});
