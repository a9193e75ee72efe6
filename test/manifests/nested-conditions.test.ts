/** Tests the conditions of entries in deeply nested blocks of a template. */

import assert from 'node:assert/strict';
import { blankManifest } from '../../server/src/manifests/yaml/blank-manifest.ts';
import { splitDocuments } from '../../server/src/manifests/yaml/documents.ts';
import { parseYaml } from '../../server/src/manifests/yaml/parse-yaml.ts';

/** Returns the conditions of the entries of a template; the first entry must not have one. */
function conditionsIn(text: string): readonly (string | undefined)[] {
  const blanked = blankManifest(text);
  const [document] = splitDocuments(blanked.text);
  const root = document && parseYaml(text, blanked, document).root;
  return root?.kind === 'map' ? root.entries.map(({ condition }) => condition) : [];
}

/** Returns an entry for each of some names, inside of nested blocks with equal conditions. */
function nested(depth: number, names: readonly string[]): string {
  return `${'{{ if .a }}\n'.repeat(depth)}${names.map((name) => `${name}: 1\n`).join('')}${'{{ end }}\n'.repeat(depth)}`;
}

describe('conditions in conditions', () => {
  it('are equal for the entries of one block', () => {
    for (const depth of [1, 99, 100, 101, 300]) {
      const [none, first, second] = conditionsIn(`kind: Pod\n${nested(depth, ['a', 'b'])}`);
      assert.equal(none, undefined);
      assert.notEqual(first, undefined);
      assert.equal(first, second, `${depth}`);
    }
  });

  it('differ in two blocks whose outermost conditions differ', () => {
    for (const depth of [1, 99, 100, 101, 300]) {
      const blocks = ['x', 'y'].map((key) => `{{ if .${key} }}\n${nested(depth, [key])}{{ end }}\n`);
      const [, x, y] = conditionsIn(`kind: Pod\n${blocks.join('')}`);
      assert.notEqual(x, undefined);
      assert.notEqual(x, y, `${depth}`);
    }
  });

  it('have bounded texts', () => {
    const depth = 5000;
    const blocks = Array.from({ length: depth }, (_, number) => `{{ if .a }}\nk${number}: 1\n`);
    const conditions = conditionsIn(`kind: Pod\n${blocks.join('')}${'{{ end }}\n'.repeat(depth)}`);
    assert.equal(conditions.length, depth + 1);
    assert.ok(conditions.every((each = '') => each.length < 1000));
  });
});
