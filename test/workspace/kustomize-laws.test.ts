/** What holds for every kustomization, whatever its objects are? */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { readFile, workspaceIn } from '../../server/src/workspace/workspace.ts';

const root = 'file:///work';
const word = fc.constantFrom('app', 'web', 'team', 'tier', 'blue');
const labels = fc.dictionary(word, word, { maxKeys: 3 });
const written = fc.array(fc.record({ own: labels, selector: labels }), { minLength: 1, maxLength: 5 });

type Written = readonly { readonly own: Record<string, string>; readonly selector: Record<string, string> }[];

/** Name, labels and selector of each object that is built, in the order of their names. */
function built(services: Written, order: readonly number[], more: string): readonly string[] {
  const texts = services.map(({ own, selector }, index) => {
    const object = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: `s${index}`, labels: own },
      spec: { selector },
    };
    return [`s${index}.yaml`, JSON.stringify(object)] as const;
  });
  const resources = order.map((index) => `s${index}.yaml`).join(', ');
  const files = [...texts, ['kustomization.yaml', `resources: [${resources}]\n${more}`] as const].map(([name, text]) =>
    readFile(`${root}/${name}`, text, catalogue),
  );
  const workspace = workspaceIn(
    [root],
    files.map((file) => [file.uri, file]),
  );
  const objects = workspace.rendering(root, catalogue)?.objects ?? [];
  return objects
    .map(({ object: { name, labels, selectorSites } }) => {
      const entries = (labels?.entries ?? []).map(({ key, value }) => [key.text, value.text]);
      return JSON.stringify([name?.text, Object.fromEntries(entries), selectorSites[0]?.data]);
    })
    .toSorted();
}

describe('every kustomization', () => {
  it('builds what is written, where it changes nothing', () => {
    fc.assert(
      fc.property(written, (services) => {
        const expected = services.map(({ own, selector }, index) => JSON.stringify([`s${index}`, own, selector]));
        assert.deepEqual(built(services, [...services.keys()], ''), expected.toSorted());
      }),
    );
  });

  it('writes the same labels in whatever order it lists its resources', () => {
    fc.assert(
      fc.property(written, labels, fc.boolean(), (services, pairs, includeSelectors) => {
        const order = [...services.keys()];
        const more = `labels: [${JSON.stringify({ pairs, includeSelectors })}]\n`;
        assert.deepEqual(built(services, order.toReversed(), more), built(services, order, more));
      }),
    );
  });
});
