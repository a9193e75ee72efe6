/** Tests of the state of the playground: its link, its files and its examples, without a browser. */
import assert from 'node:assert/strict';
import { examples } from '../../playground/examples.ts';
import { linkTo, stateIn } from '../../playground/link.ts';
import { filesIn, folder, normalizedPath, type PlaygroundState, pathOf, uriOf } from '../../playground/model.ts';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import type { Log } from '../../server/src/log.ts';
import { Session } from '../../server/src/session.ts';
import { MemoryFiles } from '../harness/memory-files.ts';

const log: Log = { info() {}, warn() {}, bug: (where, error) => assert.fail(`${where}: ${error}`) };

/** Returns the severities and rules of all findings, by path. */
async function findingsIn({ files }: PlaygroundState): Promise<readonly string[]> {
  const session = new Session({ catalogue, log });
  const texts = new Map(files.map(({ path, text }) => [uriOf(path), text]));
  await session.workspace.load(
    new MemoryFiles(texts),
    [folder],
    () => {},
    () => false,
  );
  return [...session.snapshot().files.values()].flatMap((file) =>
    session
      .check(file, () => texts.get(file.uri) ?? '')
      .map(({ severity, rule }) => `${pathOf(file.uri)}: ${severity} ${rule}`),
  );
}

describe('the state of the playground', () => {
  it('is restored from its link', async () => {
    const state: PlaygroundState = {
      files: [
        { path: 'a/one.yaml', text: 'kind: Pod\n# 🐙\n', before: null },
        { path: 'b.yaml', text: 'x'.repeat(10_000), before: 'old' },
      ],
      open: 'b.yaml',
      selector: 'app in (web)',
      panel: 'map',
    };
    const link = await linkTo(state);
    assert.match(link, /^state=[\w-]+$/);
    assert.ok(link.length < 500, `${link.length}`);
    assert.deepEqual(await stateIn(link), state);
  });

  it('can be an example, or plain manifests', async () => {
    assert.equal((await stateIn('example=overlay'))?.files.length, 5);
    const plain = new URLSearchParams({ manifests: 'a: 1\n==> b/c.yaml <==\nb: 2\n', selector: 'app=web' });
    assert.deepEqual(await stateIn(plain.toString()), {
      files: [
        { path: 'manifests.yaml', text: 'a: 1\n' },
        { path: 'b/c.yaml', text: 'b: 2\n' },
      ],
      selector: 'app=web',
    });
  });

  it('is ignored if it is invalid', async () => {
    const valid = await linkTo({ files: [{ path: 'a.yaml', text: 'a' }] });
    const hostile = ['', 'state=', 'state=%00', 'example=x', 'manifests=', valid.slice(0, -3), 'state=AAAA', 'x=1'];
    for (const fragment of hostile) assert.equal(await stateIn(fragment), undefined, fragment);
  });

  it('never contains more text than a page can show', async () => {
    const bomb = await linkTo({ files: [{ path: 'a.yaml', text: 'a'.repeat(3_000_000) }] });
    assert.ok(bomb.length < 10_000);
    assert.equal(await stateIn(bomb), undefined);
  });

  it('has only paths below its folder', () => {
    assert.equal(normalizedPath('../../etc/passwd'), 'etc/passwd');
    assert.equal(normalizedPath('a\\b/./c.yaml'), 'a/b/c.yaml');
    assert.equal(normalizedPath('..'), undefined);
    assert.equal(normalizedPath('<img>.yaml'), '-img-.yaml');
    assert.deepEqual(
      filesIn('==> ../x.yaml <==\na\n==> .. <==\nb\n').map(({ path }) => path),
      ['x.yaml', 'manifests.yaml'],
    );
    assert.equal(pathOf(uriOf('a b/c+.yaml')), 'a b/c+.yaml');
  });
});

describe('the examples of the playground', () => {
  const expected: Readonly<Record<string, readonly string[]>> = {
    typo: ['manifests.yaml: warning selects-nothing', 'manifests.yaml: error label-value-type'],
    overlay: ['base/service.yaml: warning selects-nothing'],
    chart: [],
    policies: ['policies.yaml: information peer-or-and'],
    review: ['service.yaml: warning selects-nothing', 'budget.yaml: warning selects-nothing'],
  };
  for (const { name, state } of examples)
    it(`show what they are about: ${name}`, async () => {
      const sorted = (lines: readonly string[] | undefined) => lines?.toSorted();
      assert.deepEqual(sorted(await findingsIn(state)), sorted(expected[name]));
    });
});
