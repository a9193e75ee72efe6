/** Tests that the store returns the facts of a file's text, also after it was saved and damaged. */

import assert from 'node:assert/strict';
import { generateFiles } from '../../bench/generate-workspace.ts';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { mentionsIn, mentionsOfSelector } from '../../server/src/features/navigation/mentions.ts';
import type { WorkspaceFile } from '../../server/src/workspace/model.ts';
import { identityOf } from '../../server/src/workspace/scopes/scope-facts.ts';
import { readFile } from '../../server/src/workspace/snapshot.ts';
import { FileStore, type StoredFiles } from '../../server/src/workspace/store/file-store.ts';
import { aboutKey } from '../../server/src/workspace/store/serialized-file.ts';
import { readStories } from '../harness/folders.ts';

const uri = 'file:///shop/basket.yaml';
const stat = { size: 100, modified: 1.5, identity: '1 2' };
const text = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: basket
  labels: &labels
    app: basket
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: '{"data":{"password":"c2VjcmV0"}}'
    note: kept
spec:
  selector:
    matchLabels: *labels
    matchExpressions:
      - { key: place, operator: In, values: [fact, "\${TRACK}"] }
  template:
    metadata:
      labels:
        app: basket
        place: fact
    spec:
      nodeSelector:
        disk: ssd
      topologySpreadConstraints:
        - topologyKey: zone
          maxSkew: 1
          labelSelector: {}
---
apiVersion: example.com/v1
kind: Nobody
metadata:
  name: knows
spec:
  chooses:
    matchLabels: { selector: x }
`;

const readText = (of: string, its: string) => readFile(of, its, catalogue);

function storeWith(files: Readonly<Record<string, string>>): FileStore {
  const store = new FileStore(readText);
  for (const [name, its] of Object.entries(files)) store.read(name, its, stat);
  return store;
}

/** A file with its lazy parts. */
function whole({ manifest, lines, scope }: WorkspaceFile) {
  const selectors = manifest.objects.flatMap((object) =>
    object.selectorSites.map((site) => [site.selector, site.nodeSelector, site.fieldSelector]),
  );
  return { manifest, selectors, lines, scope };
}

function restored(key: string, stored: StoredFiles): WorkspaceFile | undefined {
  const store = new FileStore(() => assert.fail('nothing is read again'));
  const isRestored = store.restore(key, stored);
  const known = store.known(uri, stat);
  assert.equal(isRestored, known !== undefined);
  return known?.kept;
}

/** The facts of objects, by their indexes, about a label key. */
function describedOf(file: WorkspaceFile, key: string, numbers: readonly number[]) {
  const about = aboutKey(key)(file);
  return numbers.map((number) => {
    const object = about.objectAt(number);
    return {
      identity: object && identityOf(object),
      carried: object?.carried.map((entries) => entries.filter((each) => each.key.text === key)),
      mentions: object?.selectorSites.map((site) => mentionsOfSelector(site).filter((each) => each.key === key)),
    };
  });
}

describe('a store of files', () => {
  const plain = text.replace(/kubectl.*/, 'other: value');

  it('returns the facts of the text', () => {
    const kept = storeWith({}).read(uri, plain, stat);
    assert.deepEqual(whole(kept.file), whole(readText(uri, plain)));
    assert.deepEqual(whole(kept.kept), whole(readText(uri, plain)));
  });

  it('returns all facts of a file about one label key', () => {
    const { kept } = storeWith({}).read(uri, plain, stat);
    for (const key of ['app', 'place', 'disk', 'selector', 'nobody']) {
      for (const numbers of [[0, 1, 2], [1, 1, 0], [2]]) {
        assert.deepEqual(describedOf(kept, key, numbers), describedOf(readText(uri, plain), key, numbers));
      }
    }
  });

  it('returns all facts of many files about each label key, and the offsets of their lines', () => {
    const store = storeWith({});
    const stories = readStories().flatMap(({ files }) => files.map(({ name, text }) => ({ path: name, text })));
    for (const { path, text } of [...generateFiles(200), ...stories]) {
      const { file, kept } = store.read(`file:///${path}`, text, stat);
      const { objects } = file.manifest;
      for (const key of new Set(objects.flatMap(mentionsIn).map((mention) => mention.key))) {
        assert.deepEqual(
          describedOf(kept, key, [...objects.keys()]),
          describedOf(file, key, [...objects.keys()]),
          path,
        );
      }
      assert.deepEqual(kept.lines, file.lines);
    }
  });

  it('identifies a file by its size and time', () => {
    const store = storeWith({ [uri]: plain });
    const known = store.known(uri, stat) ?? assert.fail();
    assert.deepEqual(whole(known.file), whole(readText(uri, plain)));
    assert.deepEqual(whole(known.kept), whole(readText(uri, plain)));
    assert.equal(store.known(uri, { ...stat, size: 101 }), undefined);
    assert.equal(store.known(uri, { ...stat, modified: 2 }), undefined);
    assert.equal(store.known(uri, { ...stat, identity: '2 2' }), undefined);
    assert.equal(store.known('file:///shop/other.yaml', stat), undefined);
  });

  it('deserializes the facts of a file once in a task, for any number of cached files, and drops them afterwards', async () => {
    const store = storeWith({});
    const large = Array.from({ length: 400 }, () => plain).join('---\n');
    const kept = Array.from({ length: 20 }, (_, number) => store.read(`file:///shop/${number}.yaml`, large, stat).kept);
    const manifests = kept.map(({ manifest }) => manifest);
    for (const [number, { manifest }] of kept.entries()) assert.equal(manifest, manifests[number]);
    await Promise.resolve();
    for (const [number, { manifest }] of kept.entries()) {
      assert.notEqual(manifest, manifests[number]);
      assert.deepEqual(manifest.objects.length, manifests[number]?.objects.length);
    }
  });

  it('has new data to write only if a cached file was read', () => {
    const restored = new FileStore(readText);
    assert.ok(restored.restore('key', storeWith({ [uri]: text }).stored('key', [uri])));
    restored.known(uri, stat);
    restored.read('file:///shop/values.yaml', 'name: basket', stat);
    assert.equal(restored.changed, false);
    restored.read('file:///shop/other.yaml', text, stat);
    assert.equal(restored.changed, true);
  });

  it('reads a file again that was read right after a change, and does not cache it for the next run', () => {
    const store = new FileStore(readText);
    store.read(uri, plain, { ...stat, fresh: true });
    assert.equal(store.known(uri, stat), undefined);
    const next = new FileStore(readText);
    assert.equal(next.restore('one', store.stored('one', [uri])), true);
    assert.equal(next.known(uri, stat), undefined);
  });

  it('is equal after it was stored', () => {
    const stored = storeWith({ [uri]: plain, 'file:///shop/empty.yaml': '' }).stored('one', [uri]);
    assert.deepEqual(whole(restored('one', stored) ?? assert.fail()), whole(readText(uri, plain)));
  });

  it('stores kustomizations and charts', () => {
    const files = {
      'file:///shop/kustomization.yaml': 'resources: [basket.yaml, ../base]\nnamePrefix: a-\n',
      'file:///shop/Chart.yaml': 'name: shop\ndependencies: [{name: common, repository: file://../common}]\n',
    };
    const store = new FileStore(() => assert.fail('nothing is read again'));
    assert.ok(store.restore('one', storeWith(files).stored('one', Object.keys(files))));
    for (const [name, its] of Object.entries(files)) {
      const { kustomization, chart, manifest } = readText(name, its);
      const kept = store.known(name, stat)?.kept;
      assert.deepEqual([kept?.kustomization, kept?.chart, kept?.manifest], [kustomization, chart, manifest]);
    }
    assert.equal(storeWith({ [uri]: plain }).known(uri, stat)?.kept.kustomization, undefined);
  });

  it('is empty if it was stored by another version, or is damaged', () => {
    const stored = storeWith({ [uri]: plain }).stored('one', [uri]);
    assert.equal(restored('two', stored), undefined);
    const bytes = stored.bytes.with(stored.bytes.length >> 1, (stored.bytes[stored.bytes.length >> 1] ?? 0) ^ 1);
    assert.equal(restored('one', { ...stored, bytes }), undefined);
    assert.equal(restored('one', { ...stored, bytes: stored.bytes.subarray(1) }), undefined);
    for (const header of ['', 'null', '[]', '{"files":7}', stored.header.slice(0, -1)]) {
      assert.equal(restored('one', { ...stored, header }), undefined);
    }
  });

  it('does not store the last applied configuration, which repeats the data of Secrets', () => {
    const store = storeWith({ [uri]: text });
    const { header, bytes } = store.stored('one', [uri]);
    assert.ok(header.includes('note') && header.includes('kept'));
    assert.ok(!header.includes('c2VjcmV0') && !new TextDecoder('latin1').decode(bytes).includes('c2VjcmV0'));
  });

  it('does not store the values of Secrets', () => {
    const secret = 'apiVersion: v1\nkind: Secret\nmetadata: {name: kept}\n';
    const store = storeWith({ [uri]: `${secret}data: {password: c2VjcmV0}\nstringData: {word: c2VjcmV0}\n` });
    store.read(uri, plain, stat);
    const { header, bytes } = store.stored('one', [uri]);
    const all = header + new TextDecoder('latin1').decode(bytes);
    assert.ok(all.includes('kept') && !all.includes('c2VjcmV0'));
  });

  it('drops data that files no longer contain', () => {
    const store = storeWith({ [uri]: text.replaceAll('basket', 'long-forgotten') });
    store.read(uri, plain, stat);
    const stored = store.stored('one', [uri]);
    assert.ok(!stored.header.includes('long-forgotten'));
    assert.deepEqual(whole(restored('one', stored) ?? assert.fail()), whole(readText(uri, plain)));
  });
});
