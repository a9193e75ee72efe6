/** Tests which kustomizations are excluded by their files alone: none that builds the label. */
import assert from 'node:assert/strict';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { readFile, withFiles } from '../../server/src/workspace/snapshot.ts';
import { deployment, root, workspaceOf } from './kustomizations.ts';

const merge = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, labels: {tier: patched}}\n';
const patches = (path: string) => `resources: [../base]\npatches: [{path: ${path}, target: {kind: Deployment}}]\n`;

const files = {
  'base/kustomization.yaml': 'resources: [web.yaml]\n',
  'base/web.yaml': deployment,
  'labels/kustomization.yaml': 'resources: [../base]\nlabels: [{pairs: {tier: added}}]\n',
  'merge/kustomization.yaml': patches('patch.yaml'),
  'merge/patch.yaml': merge,
  'two/kustomization.yaml': patches('patch.yaml'),
  'two/patch.yaml': `${merge}---\nmetadata: {labels: {tier: nameless}}\n`,
  'json/kustomization.yaml': patches('patch.yaml'),
  'json/patch.yaml': '- {op: add, path: /metadata/labels/tier, value: json}\n',
  'inline/kustomization.yaml': `resources: [../base]\npatches:\n  - patch: |\n${merge.replace(/^/gm, '      ')}`,
  'component/kustomization.yaml': 'resources: [../base]\ncomponents: [../part]\n',
  'part/kustomization.yaml': 'kind: Component\ncommonLabels: {tier: part}\n',
  'plain/kustomization.yaml': 'resources: [../base]\nnamePrefix: a-\n',
};

/** Returns the folders of the kustomizations that may build a label. */
function mayBuild(key: string, value: string, workspace = workspaceOf(files)): string {
  const found = [...workspace.scopesThatMayBuild([{ key, values: [value] }])].filter(
    ({ kind }) => kind === 'kustomization',
  );
  return found
    .map(({ path }) => path.slice(root.length + 1))
    .sort()
    .join(' ');
}

describe('the kustomizations that may build a label', () => {
  const unknown = 'inline json two';

  it('contain it in their files, or add it', () => {
    assert.equal(mayBuild('tier', 'absent'), unknown);
    assert.equal(mayBuild('tier', 'added'), `inline json labels two`);
    assert.equal(mayBuild('tier', 'patched'), 'inline json merge two');
    assert.equal(mayBuild('tier', 'part'), 'component inline json two');
    assert.equal(mayBuild('app', 'web'), 'component inline json labels merge plain two');
  });

  it('include every kustomization that builds it', () => {
    const workspace = workspaceOf(files);
    for (const { path } of workspace.scopes().all())
      for (const term of workspace.terms(path, catalogue)?.terms ?? []) {
        const [, key, value] = /^label (.*)=(.*)$/.exec(term) ?? [];
        if (key === undefined || value === undefined) continue;
        assert.ok(
          mayBuild(key, value, workspace)
            .split(' ')
            .includes(path.slice(root.length + 1)),
          `${path} ${term}`,
        );
      }
  });

  it('are determined again after a kustomization or a patch changed', () => {
    const workspace = workspaceOf(files);
    assert.equal(mayBuild('tier', 'other', workspace), unknown);
    const edits = ['labels/kustomization.yaml', 'merge/patch.yaml'] as const;
    const changed = edits.map((name) => {
      const text = files[name].replace(/added|patched/, 'other');
      return [`${root}/${name}`, readFile(`${root}/${name}`, text, catalogue)] as const;
    });
    assert.equal(mayBuild('tier', 'other', withFiles(workspace, changed)), 'inline json labels merge two');
  });
});
