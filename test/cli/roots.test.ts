/** Tests the root folder of a path, and whether its scopes extend beyond the path. */
import assert from 'node:assert/strict';
import { home, runInMemory } from './memory-world.ts';
import { check, dev, inRepository, prod, rooted, type Shown } from './path-answers.ts';
import { pathWorkspace } from './path-workspace.ts';

describe('a root', () => {
  it('is the current folder without a repository, if that contains the path, so that every notation has the same result', async () => {
    const alone = { files: pathWorkspace };
    const all = (await check(['.'], alone)).filter(({ file }) => file.startsWith(rooted('pol/')));
    assert.equal(all.length, 2);
    for (const path of ['pol', 'pol/np.yaml', rooted('pol')]) assert.deepEqual(await check([path], alone), all, path);
  });

  it('is the default path', async () => {
    const elsewhere = { files: pathWorkspace, currentFolder: rooted('pol') };
    const whole = await check(['.'], { files: pathWorkspace });
    assert.ok(whole.some(({ file }) => !file.startsWith(rooted('pol/'))));
    assert.deepEqual(await check(['--root', '..'], elsewhere), whole);
  });

  it('is never the whole home folder', async () => {
    const files = { ...pathWorkspace, 'other/ledger.yaml': pathWorkspace['ledger.yaml'] ?? '' };
    const { json } = await runInMemory(['objects', '--format', 'json', 'pol'], { files, homeFolder: home });
    const { objects } = json as { readonly objects: readonly Shown[] };
    assert.deepEqual(
      objects.map(({ scope }) => scope.path),
      ['pol', 'pol'],
    );
  });

  it('is reported as too small if it does not contain all files of an overlay', async () => {
    const inside = { files: pathWorkspace, currentFolder: rooted(dev) };
    const { code, out, err } = await runInMemory(['check'], inside);
    const says =
      "selector-lens: '.' was read only in part: kustomization.yaml names '../../base', which is outside the workspace folders. Use a larger '--root'.";
    assert.deepEqual([code, out, err], [2, [], ['selector-lens: No Kubernetes objects in the given paths.', says]]);
    const part = { files: pathWorkspace, currentFolder: rooted(prod) };
    assert.deepEqual((await runInMemory(['check'], part)).err, [says]);
    assert.deepEqual((await runInMemory(['check', '--root', '../../..'], inside)).err, []);
  });

  it('is reported as read in part if a kustomization names files that git ignores, which are not read', async () => {
    const ignored = inRepository({
      ...pathWorkspace,
      'a/kustomization.yaml': 'resources: [secret.yaml, web.yaml, ../out, gone.yaml]\n',
      'a/secret.yaml': 'apiVersion: v1\nkind: Secret\nmetadata: {name: web}\n',
      'a/web.yaml': 'apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {selector: {app: web}}\n',
      '.gitignore': 'secret.yaml\nout/\n',
    });
    assert.deepEqual((await runInMemory(['check'], ignored)).err, [
      "selector-lens: 'a' was read only in part: kustomization.yaml names '../out', which git ignores, or which a sparse checkout or the settings exclude, and 1 more.",
    ]);
    assert.deepEqual(
      (await check(['a'], ignored)).map(({ rule }) => rule),
      ['kustomize-resource-missing'],
    );
  });

  it('is determined for every path', async () => {
    const files = { '/home/ada/one/a.yaml': pathWorkspace['pol/np.yaml'] ?? '', '/home/ada/two/x/b.yaml': 'a: b\n' };
    const repositories = ['/home/ada/one', '/home/ada/two'];
    const { json } = await runInMemory(['objects', '--format', 'json', '../two/x/b.yaml', '../one/a.yaml'], {
      files,
      repositories,
    });
    assert.equal((json as { objects: readonly unknown[] }).objects.length, 1);
  });

  it('is read as one scope, also if git ignores a folder that is named in it', async () => {
    const ignored = inRepository({ ...pathWorkspace, '.gitignore': 'pol\n' });
    const found = await check(['pol/np.yaml'], ignored);
    assert.deepEqual(
      await check(['pol'], ignored),
      await check(['pol', '.'], ignored).then((all) => all.filter(({ file }) => file.includes('/pol/'))),
    );
    assert.equal(found[0]?.related[0]?.file, rooted('ledger.yaml'));
  });
});
