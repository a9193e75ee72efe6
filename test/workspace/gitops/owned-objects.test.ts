/** Tests which edits may change the owners of an object in another file. */

import assert from 'node:assert/strict';
import { catalogue } from '../../../server/src/engine/catalogue/index.ts';
import { affectedFiles } from '../../../server/src/workspace/affected-files.ts';
import { root } from '../kustomizations.ts';
import { app, configMap, loaded } from './applications.ts';

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
  async function affected(path: keyof typeof files, text: string): Promise<readonly string[] | 'all'> {
    const { workspace, edit } = await loaded(files);
    const before = workspace.snapshot();
    edit(path, text);
    const found = affectedFiles(before, workspace.snapshot(), catalogue);
    return found === 'all' ? found : [...found].map((uri) => uri.slice(root.length + 1));
  }

  it('concerns all files if the name in a template changes', async () => {
    assert.equal(await affected('web/templates/a.yaml', template('')), 'all');
    assert.deepEqual(await affected('web/templates/a.yaml', template('-old', 'b')), ['web/templates/a.yaml']);
  });

  it('concerns all files if the GitOps object no longer overwrites the object', async () => {
    const ignored = configMap('web', ', annotations: {kustomize.toolkit.fluxcd.io/ssa: Ignore}');
    assert.equal(await affected('plain/a.yaml', ignored), 'all');
    assert.deepEqual(await affected('other/a.yaml', ignored), ['other/a.yaml']);
  });
});
