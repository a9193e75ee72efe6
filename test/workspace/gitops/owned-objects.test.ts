/** Tests which edits may change the owners of an object in another file. */

import assert from 'node:assert/strict';
import { folder, Watched } from '../../features/watched-problems.ts';
import { app, configMap } from './applications.ts';

const template = (name: string, label = 'a') => configMap(`"{{ .Release.Name }}${name}"`, `, labels: {app: ${label}}`);

const files = {
  'app.yaml': app('shop', 'path: web'),
  'web/Chart.yaml': 'name: web\n',
  'web/templates/a.yaml': template('-old'),
  'plain.yaml': app('plain', 'path: plain'),
  'plain/a.yaml': configMap('web'),
  'other/a.yaml': configMap('web'),
};

describe('an edit of an object that a GitOps object applies', () => {
  /** The files whose findings an edit may change. */
  async function affected(path: keyof typeof files, text: string): Promise<readonly string[]> {
    const watched = await new Watched(Object.entries(files).map(([name, each]) => [`${folder}/${name}`, each])).load();
    await watched.run();
    await watched.write(`${folder}/${path}`, text);
    await watched.run();
    return watched.checked.map((uri) => uri.slice(folder.length + 1)).toSorted();
  }

  it('concerns its GitOps object', async () => {
    const own = ['app.yaml', 'web/templates/a.yaml'];
    assert.deepEqual(await affected('web/templates/a.yaml', template('')), own);
    assert.deepEqual(await affected('web/templates/a.yaml', template('-old', 'b')), own);
  });

  it('concerns its GitOps object if this no longer overwrites it', async () => {
    const ignored = configMap('web', ', annotations: {kustomize.toolkit.fluxcd.io/ssa: Ignore}');
    assert.deepEqual(await affected('plain/a.yaml', ignored), ['plain.yaml', 'plain/a.yaml']);
    assert.deepEqual(await affected('other/a.yaml', ignored), ['app.yaml', 'other/a.yaml', 'plain.yaml']);
  });
});
