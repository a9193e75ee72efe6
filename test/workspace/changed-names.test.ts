/** Tests that scopes, and the names in a workspace, stay right while only the objects in files with objects change. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import type { Workspace } from '../../server/src/workspace/model.ts';
import { namesByKind } from '../../server/src/workspace/references/names.ts';
import { readFile, withFiles } from '../../server/src/workspace/snapshot.ts';
import { campaignRuns } from '../campaigns/scale.ts';
import { app, files, relationsOf, scopesOf, service, story, uriOf } from './stories/story.ts';

const around = {
  'base/kustomization.yaml': 'resources: [web.yaml, cache.yaml]\n',
  'overlays/a/kustomization.yaml': 'resources: [../../base, more.yaml]\n',
  'overlays/b/kustomization.yaml': 'resources: [../../base]\npatches: [{ path: patch.yaml }]\n',
  'overlays/b/patch.yaml': app('web'),
};
const names = ['web', 'cache', 'shop', 'blog'];
const namespaces = [undefined, 'shop', 'blog'];
const renamed = [
  'base/web.yaml',
  'base/cache.yaml',
  'overlays/a/more.yaml',
  'plain/a.yaml',
  'plain/b.yaml',
  'far/c.yaml',
];

const text = fc
  .array(fc.tuple(fc.constantFrom(app, service), fc.constantFrom(...names), fc.constantFrom(...namespaces)), {
    minLength: 1,
    maxLength: 2,
  })
  .map((objects) => objects.map(([write, name, namespace]) => write(name, namespace)).join('---\n'));

function written(workspace: Workspace, name: string, content: string): Workspace {
  return withFiles(workspace, [[uriOf(name), readFile(uriOf(name), content, catalogue)]]);
}

/** Everything that depends on the names and the scopes of a workspace, with its order. */
function factsOf(workspace: Workspace): unknown {
  const byKind = namesByKind(workspace);
  const sorted = [...byKind].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    names: sorted.map(([kind, each]) => [kind, [...each]]),
    scopes: scopesOf(workspace),
    relations: relationsOf(workspace, ...renamed),
    facts: [...workspace.scopes().facts()].map(([uri, { identities }]) => [uri, identities]),
  };
}

describe('scopes after changed names', () => {
  it('share the structure of the scopes before, unless a file loses its last object', () => {
    const before = story(files({ ...around, 'plain/a.yaml': app('web'), 'plain/b.yaml': app('blog') }));
    const structure = before.scopes().structure();
    const after = written(before, 'plain/a.yaml', app('shop'));
    assert.equal(after.scopes().structure(), structure);
    const more = written(after, 'plain/a.yaml', `${app('shop')}---\n${service('more')}`);
    assert.equal(more.scopes().structure(), structure);
    assert.notEqual(written(more, 'plain/a.yaml', '# nothing\n').scopes().structure(), structure);
  });

  it('do not share a structure that contains GitOps objects', () => {
    const application = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: { name: web, namespace: argocd }
spec: { source: { repoURL: https://example.com/x, path: plain }, destination: { namespace: web } }
`;
    const before = story(files({ 'argo/web.yaml': application, 'plain/a.yaml': app('web') }));
    const structure = before.scopes().structure();
    assert.notEqual(written(before, 'plain/a.yaml', app('shop')).scopes().structure(), structure);
  });

  it('list names in the order of a new workspace after only the order of objects changes', () => {
    const [one, other] = [`${service('web')}---\n${service('shop')}`, `${service('shop')}---\n${service('web')}`];
    const before = story(files({ 'plain/a.yaml': one }));
    factsOf(before);
    assert.deepEqual(factsOf(written(before, 'plain/a.yaml', other)), factsOf(story(files({ 'plain/a.yaml': other }))));
  });

  it('are those of a new workspace', () => {
    const start = fc.tuple(...renamed.map(() => text));
    const edits = fc.array(fc.tuple(fc.nat(renamed.length - 1), text), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(start, edits, (texts, steps) => {
        const contents = new Map<string, string>(Object.entries(around));
        for (const [number, name] of renamed.entries()) contents.set(name, texts[number] ?? '');
        let workspace = story(files(Object.fromEntries(contents)));
        factsOf(workspace);
        for (const [number, content] of steps) {
          const name = renamed[number] ?? '';
          contents.set(name, content);
          workspace = written(workspace, name, content);
          assert.deepEqual(factsOf(workspace), factsOf(story(files(Object.fromEntries(contents)))));
        }
      }),
      { numRuns: campaignRuns(1_000) },
    );
  }).timeout(600_000);
});
