/**
 * Tests that failures of our own code have local effects: the results about other files do not change, except to
 * "unknown".
 */

import '../../server/src/rules/all.ts';
import assert from 'node:assert/strict';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import type { Catalogue } from '../../server/src/engine/catalogue/types.ts';
import { hover } from '../../server/src/features/hover/hover.ts';
import { eachBugOnce, type Log } from '../../server/src/log.ts';
import { Session } from '../../server/src/session.ts';
import { noListing } from '../../server/src/workspace/live/folder-listing.ts';
import { failingFiles } from '../../server/src/workspace/live/isolate-failures.ts';
import { readFile, workspaceIn } from '../../server/src/workspace/snapshot.ts';
import { MemoryFiles } from '../harness/memory-files.ts';

const folder = 'file:///work';

class RecordingLog implements Log {
  readonly bugs: string[] = [];
  readonly described: string[] = [];
  info(message: string) {
    this.described.push(message);
  }
  warn(message: string) {
    this.described.push(message);
  }
  bug(where: string, error: unknown) {
    this.bugs.push(`${where}: ${error}`);
  }
}

/** A defective catalogue: it fails for the kind `ConfigMap` while `isBroken` returns true. */
function defective(isBroken: () => boolean): Catalogue {
  return {
    ...catalogue,
    kind(group, version, kind) {
      if (kind === 'ConfigMap' && isBroken()) throw new Error('a defect');
      return catalogue.kind(group, version, kind);
    },
  };
}

async function sessionOver(files: Readonly<Record<string, string>>, isBroken: () => boolean) {
  const log = new RecordingLog();
  const session = new Session({ catalogue: defective(isBroken), log: eachBugOnce(log) });
  const source = new MemoryFiles(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));
  await session.workspace.load(
    source,
    [folder],
    () => undefined,
    () => false,
  );
  const open = (name: string, text = files[name] ?? '') => {
    session.workspace.edit(`${folder}/${name}`, text);
    return session.findings(`${folder}/${name}`).map(({ rule }) => rule);
  };
  return { session, log, open };
}

const service = `apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}}
`;
const broken = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: broken, labels: {app: web}}\n';
const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: other, labels: {app: other}}\n';

describe('a file that fails to be parsed by an internal error', () => {
  it('is skipped, logged once, and leaves its scope open', async () => {
    const {
      session: asked,
      log,
      open,
    } = await sessionOver({ 'web.yaml': service, 'pod.yaml': pod, 'z.yaml': broken }, () => true);
    assert.deepEqual(log.bugs, [`reading ${folder}/z.yaml: Error: a defect`]);
    assert.deepEqual(asked.workspace.skipped(), [{ uri: `${folder}/z.yaml`, reason: 'reading it failed' }]);
    assert.deepEqual(open('web.yaml'), []);
    assert.ok(asked.at(`${folder}/web.yaml`, service.indexOf('app: web'), hover) !== undefined);
    const closed = asked.snapshot().scopes().of(`${folder}/web.yaml`)[0]?.closed;
    assert.deepEqual(closed, { openBecause: ['z.yaml was not read: reading it failed.'] });
  });

  it('has no findings across files while it is open, and all of them once it can be parsed', async () => {
    let isBroken = true;
    const { session: asked, log, open } = await sessionOver({ 'web.yaml': service }, () => isBroken);
    const labeled = `${broken}---\n${pod.replace('app: other', 'bad key: other')}`;
    assert.deepEqual(open('z.yaml', labeled), []);
    assert.deepEqual(open('z.yaml', `${labeled}\n`), []);
    assert.deepEqual(log.bugs, [`reading ${folder}/z.yaml: Error: a defect`]);
    assert.deepEqual(open('web.yaml'), []);
    isBroken = false;
    assert.deepEqual(open('z.yaml', labeled), ['label-key-syntax']);
    assert.equal(asked.snapshot().files.get(`${folder}/z.yaml`)?.objects, 2);
  });
});

describe('a kustomization that fails to render by an internal error', () => {
  const files = {
    'kustomization.yaml': 'resources: [web.yaml, pod.yaml, broken.yaml]\nnamePrefix: x-\n',
    'web.yaml': service,
    'pod.yaml': pod,
    'broken.yaml': broken,
    'other/web.yaml': service,
    'other/pod.yaml': pod,
  };

  it('is unknown: it has no findings across files, others have all', async () => {
    let isBroken = false;
    const { session: asked, log, open } = await sessionOver(files, () => isBroken);
    assert.deepEqual(open('web.yaml'), ['selects-nothing']);
    assert.deepEqual(open('other/web.yaml'), ['selects-nothing']);
    isBroken = true;
    // Another version of one of its files.
    asked.workspace.edit(`${folder}/web.yaml`, `# more\n${service}`);
    assert.deepEqual(
      asked.findings(`${folder}/web.yaml`).map(({ rule }) => rule),
      [],
    );
    assert.deepEqual(open('other/web.yaml'), ['selects-nothing']);
    assert.ok(asked.at(`${folder}/web.yaml`, service.indexOf('app: web') + 7, hover) !== undefined);
    assert.deepEqual(log.bugs, [`kustomization ${folder}/kustomization.yaml: Error: a defect`]);
    isBroken = false;
    asked.workspace.edit(`${folder}/web.yaml`, service);
    assert.deepEqual(open('web.yaml'), ['selects-nothing']);
  });
});

describe('a file that fails to be placed in a scope by an internal error', () => {
  const at = (name: string, text: string) =>
    [`${folder}/${name}`, readFile(`${folder}/${name}`, text, catalogue)] as const;
  const files = [
    at('a/kustomization.yaml', 'resources: [web.yaml, defect.yaml]\n'),
    at('a/web.yaml', service),
    at('b/kustomization.yaml', 'resources: [web.yaml]\n'),
    at('b/web.yaml', service),
  ];
  const listing = {
    ...noListing,
    fileNameOf(uri: string) {
      if (uri.endsWith('/defect.yaml')) throw new Error('a defect');
      return uri;
    },
  };

  it('counts as not read, and the other scopes are unchanged', () => {
    const log = new RecordingLog();
    const scopes = workspaceIn([folder], files, { listing, log }).scopes();
    assert.deepEqual(log.bugs, [
      'scopes: Error: a defect',
      `scopes of ${folder}/a/kustomization.yaml: Error: a defect`,
    ]);
    const scopesOf = (name: string) =>
      scopes.of(`${folder}/${name}`).map(({ kind, path, closed }) => ({ kind, path, closed }));
    assert.deepEqual(scopesOf('b/web.yaml'), [{ kind: 'kustomization', path: `${folder}/b`, closed: true }]);
    const openBecause = ['kustomization.yaml could not be evaluated.'];
    assert.deepEqual(scopesOf('a/web.yaml'), [{ kind: 'folder', path: `${folder}/a`, closed: { openBecause } }]);
  });

  it('throws without a log', () => {
    assert.throws(() => workspaceIn([folder], files, { listing }).scopes(), /a defect/);
  });
});

describe('the files that make work fail', () => {
  const uris = Array.from({ length: 1000 }, (_, index) => `${index}`);

  it('are found among many', () => {
    let attempts = 0;
    const found = failingFiles(uris, (some) => {
      attempts++;
      for (const uri of ['17', '18', '900']) if (some.has(uri)) throw new Error(uri);
    });
    assert.deepEqual(
      [...found].map(([uri, error]) => `${uri} ${error}`),
      ['17 Error: 17', '18 Error: 18', '900 Error: 900'],
    );
    assert.ok(attempts < 80, `${attempts} attempts`);
  });

  it('are the later ones, if only a combination fails', () => {
    const found = failingFiles(uris, (some) => {
      if (some.has('5') && some.has('700')) throw new Error('both');
    });
    assert.deepEqual([...found.keys()], ['700']);
  });

  it('are all remaining ones after too many attempts', () => {
    const found = failingFiles(uris, () => {
      throw new Error('always');
    });
    assert.equal(found.size, uris.length);
  });
});
