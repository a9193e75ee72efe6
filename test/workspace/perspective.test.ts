/** Tests which of several scopes a file is seen through. */

import assert from 'node:assert/strict';
import type { Scope } from '../../server/src/workspace/scopes/model.ts';
import { leadFirst } from '../../server/src/workspace/scopes/perspective.ts';

function scope(path: string, parts: Partial<Scope> = {}): { readonly scope: Scope } {
  return {
    scope: { kind: 'kustomization', path: `file:///repo/${path}`, files: new Set([path]), closed: true, ...parts },
  };
}

function leadOf(scopes: readonly { readonly scope: Scope }[], ...selected: readonly string[]): string | undefined {
  const perspective = { selected: selected.map((path) => `file:///repo/${path}`) };
  return leadFirst(scopes, perspective)[0]?.scope.path.slice('file:///repo/'.length);
}

describe('the perspective', () => {
  it('is the scope that looks like production, then the one with most files', () => {
    assert.equal(leadOf([scope('overlays/dev'), scope('overlays/prod'), scope('overlays/qa')]), 'overlays/prod');
    assert.equal(leadOf([scope('overlays/a'), scope('overlays/eu-production')]), 'overlays/eu-production');
    assert.equal(leadOf([scope('a'), scope('b', { files: new Set(['x', 'y']) })]), 'b');
    assert.equal(leadOf([scope('products'), scope('reprod')]), 'products');
    assert.equal(leadOf([scope('apps/excludes/a'), scope('apps/a')]), 'apps/a');
  });

  it('is never an example or a test if there is something else', () => {
    assert.equal(leadOf([scope('examples/prod'), scope('dev')]), 'dev');
    assert.equal(leadOf([scope('tests/a'), scope('components/b'), scope('c')]), 'c');
    assert.equal(leadOf([scope('examples/a'), scope('examples/prod')]), 'examples/prod');
  });

  it('is the selected scope, or the one of the same name in another application', () => {
    const all = [scope('web/dev'), scope('web/prod'), scope('web/qa')];
    assert.equal(leadOf(all, 'web/qa'), 'web/qa');
    assert.equal(leadOf(all, 'api/dev'), 'web/dev');
    assert.equal(leadOf(all, 'api/dev', 'web/qa'), 'web/qa');
    assert.equal(leadOf(all, 'api/other'), 'web/prod');
  });

  it('keeps the order of all other scopes', () => {
    const found = leadFirst([scope('a'), scope('b'), scope('live'), scope('c')], { selected: [] });
    assert.deepEqual(
      found.map(({ scope: { path } }) => path.slice(-1)),
      ['e', 'a', 'b', 'c'],
    );
  });
});
