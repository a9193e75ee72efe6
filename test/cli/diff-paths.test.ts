/** Tests that `diff` compares the content of two paths, wherever the files are. */
import assert from 'node:assert/strict';
import { home, type MemoryOptions, runInMemory } from './memory-world.ts';
import { base, dev, shop } from './path-answers.ts';
import { pathWorkspace } from './path-workspace.ts';

describe('diff of paths', () => {
  const changed = {
    ...pathWorkspace,
    [`${base}/service.yaml`]: (pathWorkspace[`${base}/service.yaml`] ?? '').replace(
      /app: website\n$/,
      'app: websites\n',
    ),
    'ledger.yaml': (pathWorkspace['ledger.yaml'] ?? '').replaceAll('app: ledgers', 'app: ledger'),
  };
  const trees = (old: string, fresh: string) =>
    Object.fromEntries([
      ...Object.entries(pathWorkspace).map(([path, text]) => [`${old}/${path}`, text]),
      ...Object.entries(changed).map(([path, text]) => [`${fresh}/${path}`, text]),
    ]);
  const diff = async (words: readonly string[], options: MemoryOptions) => {
    const ran = await runInMemory(['diff', ...words], options);
    assert.notEqual(ran.code, 2, ran.err.join('\n'));
    return ran.out.filter((line) => /^[-+!] /.test(line));
  };
  const lost = '- Service/dev-web no longer selects Deployment/dev-web.';
  const gained = '+ NetworkPolicy/ledger now applies to Deployment/ledger.';

  it('compares what an overlay builds in two checkouts, wherever its files are', async () => {
    const files = trees('/home/ada/old', '/home/ada/new');
    const options = { files, repositories: ['/home/ada/old', '/home/ada/new'] };
    for (const way of ['', '/', '/kustomization.yaml'])
      assert.deepEqual(await diff([`../old/${dev}${way}`, `../new/${dev}${way}`], options), [lost]);
    assert.deepEqual(await diff(['../old/pol', '../new/pol'], options), [gained]);
    assert.deepEqual(await diff(['../old/pol/np.yaml', '../new/pol/np.yaml'], options), [gained]);
    const refused =
      "! The selector of Deployment/ledger changed from 'app=ledgers' to 'app=ledger' and is immutable: the API server rejects this. If the object is deleted and recreated, its pods are deleted and recreated, its Services have no endpoints in the meantime, and the rollout history is lost.";
    const all = await diff(['../old', '../new'], options);
    assert.deepEqual(all.slice(0, -1), [refused, lost, gained]);
    assert.match(all.at(-1) ?? '', /^- default\/Deployment\/ledger, all ports: no longer open to .* and 2 more\.$/);
    assert.deepEqual(await diff(['../old', '../new', '--scope', dev], options), [lost]);
    assert.deepEqual(await diff([`../old/${shop}`, `../new/${shop}`], options), []);
  });

  it('compares what an overlay builds in two folders of one repository, or of none', async () => {
    const files = trees('old', 'new');
    for (const repositories of [[home], []]) {
      assert.deepEqual(await diff([`old/${dev}`, `new/${dev}`], { files, repositories }), [lost]);
      // Each path is a separate state: the rest of the repository is not part of it.
      assert.deepEqual(await diff(['old/pol', 'new/pol'], { files, repositories }), []);
      const roots = ['--root', 'old', '--root', 'new'];
      assert.deepEqual(await diff(['old/pol', 'new/pol', ...roots], { files, repositories }), [gained]);
    }
  });

  it('must name a scope of one of the trees', async () => {
    const { code, err } = await runInMemory(['diff', 'old', 'new', '--scope', 'x'], { files: trees('old', 'new') });
    assert.deepEqual([code, err], [2, ["selector-lens: Unknown scope 'x' in both trees."]]);
  });
});
