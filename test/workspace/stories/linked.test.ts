/** Tests that files that are referenced through a link belong to the referencing scope. */

import assert from 'node:assert/strict';
import { FolderFilter, Folders } from '../../../server/src/workspace/ignore/folder-filter.ts';
import { lines } from '../../harness/margin.ts';
import { deployment, files, scopesOf, service, story, uriOf } from './story.ts';

/** The targets of links by their names. */
function linked(links: Readonly<Record<string, string>>): Folders {
  const filter = new FolderFilter(uriOf('').replace(/\/$/, ''), { include: [], exclude: [] });
  return new Folders([filter], new Map(Object.entries(links).map(([from, to]) => [uriOf(from), uriOf(to)])));
}

describe('a link', () => {
  it('in a kustomization leads to the built files, and closes the scope', () => {
    const workspace = story(
      files({
        'prod/kustomization.yaml': 'resources: [base, web.yaml]\npatches: [{ path: change.yaml }]\n',
        'shop/kustomization.yaml': 'resources: [api.yaml]\n',
        'shop/api.yaml': deployment('api'),
        'common/web.yaml': service('web'),
        'common/change.yaml': deployment('api'),
      }),
      [''],
      linked({ 'prod/base': 'shop', 'prod/web.yaml': 'common/web.yaml', 'prod/change.yaml': 'common/change.yaml' }),
    );
    assert.equal(
      scopesOf(workspace),
      lines(`
        kustomization prod
          common/web.yaml
          shop/api.yaml
      `),
    );
    assert.equal(workspace.scopes().isPatch(uriOf('common/change.yaml')), true);
  });

  it('in the folder of a chart leads to a chart that it needs', () => {
    const workspace = story(
      files({
        'shop/Chart.yaml': 'name: shop\ndependencies: [{ name: common, version: 1.0.0 }]\n',
        'shop/templates/web.yaml': service('web'),
        'common/Chart.yaml': 'name: common\n',
        'common/templates/api.yaml': deployment('api'),
      }),
      [''],
      linked({ 'shop/charts/common': 'common' }),
    );
    assert.equal(
      scopesOf(workspace),
      lines(`
        chart common
          common/templates/api.yaml
        chart shop
          common/templates/api.yaml
          shop/templates/web.yaml
      `),
    );
  });
});
