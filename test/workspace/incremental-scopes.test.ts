/** Tests that scopes are computed again only if the facts of a file for scopes change, not while a label is typed. */

import assert from 'node:assert/strict';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import type { Workspace } from '../../server/src/workspace/model.ts';
import { identityOf, scopeFactsOf } from '../../server/src/workspace/scopes/scope-facts.ts';
import { readFile, withFiles } from '../../server/src/workspace/snapshot.ts';
import { app, deployment, files, relationsOf, scopesOf, service, story, uriOf } from './stories/story.ts';

const begun = () =>
  story(files({ 'a/web.yaml': app('web'), 'a/cache.yaml': app('cache'), 'b/blog.yaml': app('blog') }));

function typed(workspace: Workspace, name: string, text: string | undefined): Workspace {
  const uri = uriOf(name);
  return withFiles(workspace, [[uri, text === undefined ? undefined : readFile(uri, text, catalogue)]]);
}

const keeping: Readonly<Record<string, string>> = {
  'a label': app('web').replaceAll('app: web', 'app: webb'),
  'a comment and other offsets': `# hello\n\n${app('web')}`,
  'other data': app('web').replace('spec:', 'status: { x: 1 }\nspec:'),
};

const changing: Readonly<Record<string, readonly [name: string, text: string | undefined]>> = {
  'another name': ['a/web.yaml', app('other')],
  'another namespace': ['a/web.yaml', app('web', 'shop')],
  'another object': ['a/web.yaml', `${app('web')}---\n${service('more')}`],
  'no object': ['a/web.yaml', '# nothing\n'],
  'a syntax error': ['a/web.yaml', `${app('web')}  x: y\n`],
  'a kind that nobody knows': ['a/web.yaml', app('web').replace('kind: Service', 'kind: Servise')],
  'a file that is gone': ['a/web.yaml', undefined],
  'a file that is new': ['a/new.yaml', app('new')],
  'a kustomization': ['kustomization.yaml', 'resources: [a/web.yaml]\n'],
  'a chart': ['a/Chart.yaml', 'name: a\n'],
  'a configuration': ['.selector-lens.yaml', 'rules: {}\n'],
};

describe('scopes', () => {
  for (const [what, text] of Object.entries(keeping)) {
    it(`are reused after ${what}`, () => {
      const before = begun();
      const scopes = before.scopes();
      assert.equal(typed(before, 'a/web.yaml', text).scopes(), scopes);
    });
  }

  for (const [what, [name, text]] of Object.entries(changing)) {
    it(`are computed again after ${what}`, () => {
      const before = begun();
      const scopes = before.scopes();
      const after = typed(before, name, text);
      assert.notEqual(after.scopes(), scopes);
      assert.equal(scopesOf(after), scopesOf(typed(typed(after, name, undefined), name, text)));
    });
  }

  it('are right if they are first requested later', () => {
    const after = typed(typed(begun(), 'a/web.yaml', `# typed\n${app('web')}`), 'c/x.yaml', app('x'));
    assert.equal(relationsOf(after, 'a/web.yaml', 'a/cache.yaml').split('\n')[0], 'a/web.yaml: a/cache.yaml here');
    assert.equal(after.scopes().of(uriOf('c/x.yaml'))[0]?.path, uriOf('c'));
  });

  it('of files outside of every workspace folder contain one file each', () => {
    const workspace = story(files({ 'in/a.yaml': app('a'), 'out/b.yaml': app('b'), 'out/c.yaml': app('c') }), ['in']);
    assert.equal(scopesOf(workspace), 'folder in\n  in/a.yaml');
    assert.deepEqual(
      workspace
        .scopes()
        .of(uriOf('out/b.yaml'))
        .map(({ kind, path }) => [kind, path]),
      [['file', uriOf('out/b.yaml')]],
    );
    assert.equal(relationsOf(workspace, 'out/b.yaml', 'out/c.yaml').split('\n')[0], 'out/b.yaml: out/c.yaml elsewhere');
  });

  it('identify objects by kind, namespace and name, and none that a chart names', () => {
    const [one] = readFile(uriOf('x.yaml'), deployment('web', 'shop'), catalogue).manifest.objects;
    assert.equal(one && identityOf(one), 'apps\nDeployment\nshop\nweb');
    for (const name of ['"{{ .Release.Name }}"', '""']) {
      const [other] = readFile(uriOf('x.yaml'), deployment(name), catalogue).manifest.objects;
      assert.equal(other && identityOf(other), undefined, name);
    }
  });

  it('do not depend on offsets', () => {
    const read = (text: string) => scopeFactsOf(readFile(uriOf('x.yaml'), text, catalogue), catalogue);
    assert.deepEqual(read(app('web')), read(`\n\n${app('web')}`));
  });
});
