/** Tests general properties of kustomizations with random objects. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import type { Workspace } from '../../server/src/workspace/model.ts';
import { readFile, withFiles, workspaceIn } from '../../server/src/workspace/snapshot.ts';

const root = 'file:///work';
const word = fc.constantFrom('app', 'web', 'team', 'tier', 'blue');
const labels = fc.dictionary(word, word, { maxKeys: 3 });
const written = fc.array(fc.record({ own: labels, selector: labels }), { minLength: 1, maxLength: 5 });

type Written = readonly { readonly own: Record<string, string>; readonly selector: Record<string, string> }[];

/** Name, labels and selector of each built object, in the order of their names. */
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
  it('builds the written objects if it changes nothing', () => {
    fc.assert(
      fc.property(written, (services) => {
        const expected = services.map(({ own, selector }, index) => JSON.stringify([`s${index}`, own, selector]));
        assert.deepEqual(built(services, [...services.keys()], ''), expected.toSorted());
      }),
    );
  });

  it('writes equal labels in any order of its resources', () => {
    fc.assert(
      fc.property(written, labels, fc.boolean(), (services, pairs, includeSelectors) => {
        const order = [...services.keys()];
        const more = `labels: [${JSON.stringify({ pairs, includeSelectors })}]\n`;
        assert.deepEqual(built(services, order.toReversed(), more), built(services, order, more));
      }),
    );
  });

  it('writes labels once, however often they are listed, as its field or by a transformer', () => {
    fc.assert(
      fc.property(written, labels, (services, pairs) => {
        const order = [...services.keys()];
        const entry = JSON.stringify({ pairs });
        const once = built(services, order, `labels: [${entry}]\n`);
        assert.deepEqual(built(services, order, `labels: [${entry}, ${entry}]\n`), once);
        const fieldSpecs = '[{path: metadata/labels, create: true}]';
        const transformer = `{apiVersion: builtin, kind: LabelTransformer, metadata: {name: l}, labels: ${JSON.stringify(pairs)}, fieldSpecs: ${fieldSpecs}}`;
        if (Object.keys(pairs).length > 0) {
          assert.deepEqual(built(services, order, `transformers:\n- |-\n  ${transformer}\n`), once);
        }
      }),
    );
  });

  it('changes nothing by an empty patch, or by one that reverts its change', () => {
    const patches = [
      '{target: {kind: Service}, patch: "{apiVersion: v1, kind: Service, metadata: {name: any}}"}',
      '{target: {kind: Service}, patch: "[{op: add, path: /spec/selector/new, value: x}, {op: remove, path: /spec/selector/new}]"}',
      '{target: {kind: Service, name: nobody}, patch: "[{op: add, path: /spec/selector/new, value: x}]"}',
    ];
    fc.assert(
      fc.property(written, fc.subarray(patches, { minLength: 1 }), (services, some) => {
        const order = [...services.keys()];
        assert.deepEqual(built(services, order, `patches: [${some.join(', ')}]\n`), built(services, order, ''));
      }),
    );
  });

  it('builds all other objects if a patch deletes one', () => {
    fc.assert(
      fc.property(written, fc.nat(), (services, number) => {
        const order = [...services.keys()];
        const gone = number % services.length;
        const patch = `{apiVersion: v1, kind: Service, metadata: {name: s${gone}}, $patch: delete}`;
        const others = order.filter((each) => each !== gone);
        assert.deepEqual(built(services, order, `patches: [{patch: "${patch}"}]\n`), built(services, others, ''));
      }),
    );
  });

  it('sets names by its fields, and by transformers too', () => {
    fc.assert(
      fc.property(written, word, word, (services, prefix, suffix) => {
        const order = [...services.keys()];
        const transformer = (kind: string, rest: string) =>
          `- |-\n  {apiVersion: builtin, kind: ${kind}, metadata: {name: t}, ${rest}, fieldSpecs: [{path: metadata/name}]}\n`;
        const all = `transformers:\n${transformer('PrefixTransformer', `prefix: ${prefix}-`)}${transformer('SuffixTransformer', `suffix: -${suffix}`)}`;
        const fields = `namePrefix: ${prefix}-\nnameSuffix: -${suffix}\n`;
        assert.deepEqual(built(services, order, all), built(services, order, fields));
      }),
    );
  });
});

const folders = ['a', 'b', 'c', 'd', 'e'];

/** A kustomization that includes others, possibly in a cycle; or a file next to it. */
const file = fc.record({
  folder: fc.constantFrom(...folders),
  described: fc.oneof(
    fc.record({
      resources: fc.subarray([...folders.map((folder) => `../${folder}`), 'web.yaml']),
      components: fc.subarray(
        folders.map((folder) => `../${folder}`),
        { maxLength: 1 },
      ),
      isComponent: fc.integer({ min: 0, max: 4 }).map((one) => one === 0),
      labels,
      prefix: fc.constantFrom('', 'x-'),
    }),
    labels,
    fc.constant(undefined),
  ),
});

function fileOf({ folder, described }: typeof file extends fc.Arbitrary<infer T> ? T : never) {
  if (described === undefined) return [`${root}/${folder}/web.yaml`, undefined] as const;
  const isKustomization = 'resources' in described && Array.isArray(described.resources);
  const uri = `${root}/${folder}/${isKustomization ? 'kustomization' : 'web'}.yaml`;
  const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: folder, labels: described }, spec: {} };
  const { resources, components, isComponent, labels: pairs, prefix } = described;
  const kind = isComponent ? 'Component' : 'Kustomization';
  const kustomization = { kind, resources, components, namePrefix: prefix, labels: [{ pairs }] };
  return [uri, readFile(uri, JSON.stringify(isKustomization ? kustomization : service), catalogue)] as const;
}

/** All objects that the folders build. */
function renderedIn(workspace: Workspace): string {
  const each = folders.map((folder) => {
    const { objects, isWhole } = workspace.rendering(`${root}/${folder}`, catalogue) ?? {};
    const described = objects?.map(({ object: { name, labels } }) => {
      return [name?.text, labels?.entries.map(({ key, value }) => `${key.text}=${value.text}`)];
    });
    return [folder, isWhole, described];
  });
  return JSON.stringify(each);
}

describe('what kustomizations share', () => {
  it('is after every edit equal to that of a new workspace', () => {
    const edits = fc.array(file, { minLength: 5, maxLength: 30 });
    fc.assert(
      fc.property(edits, (all) => {
        let workspace = workspaceIn([root], []);
        for (const edit of all) {
          workspace = withFiles(workspace, [fileOf(edit)]);
          const fresh = workspaceIn([root], [...workspace.files]);
          assert.equal(renderedIn(workspace), renderedIn(fresh));
        }
      }),
    );
  });
});
