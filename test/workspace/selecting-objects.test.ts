/** Tests the selectors that match a labeled object, and the uncertainty of selections. */

import assert from 'node:assert/strict';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { labeledObjectsOf } from '../../server/src/manifests/label-sets.ts';
import { seenBy } from '../../server/src/workspace/kustomize/view.ts';
import type { ObjectInFile, Workspace } from '../../server/src/workspace/model.ts';
import { selectingObjectsAround, selectingObjectsOf } from '../../server/src/workspace/selection/selecting-objects.ts';
import { selectionOf } from '../../server/src/workspace/selection/selection.ts';
import { objectsOf } from '../../server/src/workspace/snapshot.ts';
import * as kustomizations from './kustomizations.ts';
import { app, deployment, files, service, story } from './stories/story.ts';

function find(workspace: Workspace, kind: string, name: string): ObjectInFile {
  for (const file of workspace.files.values()) {
    const object = objectsOf(workspace, file).find((each) => each.kind === kind && each.name?.text === name);
    if (object !== undefined) return { file, object };
  }
  throw new Error(`There is no ${kind} ${name}.`);
}

/** The selectors that match the pods of a Deployment, by name; `?` after uncertain ones. */
function selectingObjects(
  workspace: Workspace,
  name: string,
  ask: typeof selectingObjectsOf | typeof selectingObjectsAround = selectingObjectsOf,
): readonly string[] {
  const owner = find(workspace, 'Deployment', name);
  const labeledObject = labeledObjectsOf(owner.object).find(({ via }) => via !== undefined);
  assert.ok(labeledObject);
  return ask(workspace, catalogue, { ...owner, labeledObject })
    .map(({ object, certain }) => `${object.kind}/${object.name?.text}${certain ? '' : '?'}`)
    .toSorted();
}

function selection(workspace: Workspace, name: string) {
  const owner = find(workspace, 'Service', name);
  const [site] = owner.object.selectorSites;
  assert.ok(site);
  return selectionOf(workspace, catalogue, owner, site);
}

describe('selecting objects', () => {
  it('are distinguished if a kustomization applies one of them twice', () => {
    const workspace = kustomizations.workspaceOf({
      'base/kustomization.yaml': 'resources: [web.yaml]\n',
      'base/web.yaml': kustomizations.service,
      'a/kustomization.yaml': 'resources: [../base]\nnamePrefix: a-\n',
      'b/kustomization.yaml': 'resources: [../base]\nnamePrefix: b-\n',
      'all/kustomization.yaml': 'resources: [../a, ../b, web.yaml]\n',
      'all/web.yaml': kustomizations.deployment,
    });
    // The written objects are one object, and a match is certain if it is certain in every kustomization.
    assert.deepEqual(selectingObjects(workspace, 'web'), ['Deployment/web', 'Deployment/web', 'Service/a-web']);
    const [root] = workspace.scopes().all();
    const view = root && seenBy(workspace, catalogue, root);
    assert.deepEqual(view && selectingObjects(view, 'web'), [
      'Deployment/web',
      'Deployment/web',
      'Service/a-web',
      'Service/b-web',
    ]);
  });

  it('are the selectors of the same scope and namespace', () => {
    const workspace = story(
      files({
        'a/web.yaml': `${service('web', 'shop')}---\n${service('bank', 'bank', 'app: web')}---\n${deployment('web', 'shop')}`,
        'a/other.yaml': `${service('unnamed', undefined, 'app: web')}---\n${service('other', 'shop')}`,
        'b/web.yaml': service('far', 'shop', 'app: web'),
      }),
    );
    assert.deepEqual(selectingObjects(workspace, 'web'), ['Deployment/web', 'Service/unnamed?', 'Service/web']);
  });

  it('are not those of alternatives', () => {
    const workspace = story(files({ 'k8s/prod/web.yaml': app('web'), 'k8s/test/web.yaml': app('web') }));
    assert.deepEqual(selectingObjects(workspace, 'web'), ['Deployment/web', 'Service/web']);
  });

  it('are found after many nearer selectors that match everything, which are left out', () => {
    const policy = (name: string) =>
      `apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: { name: ${name} }\nspec: { podSelector: {} }\n`;
    const policies = Array.from({ length: 60 }, (_, number) => [`p${number}/deny.yaml`, policy(`deny-${number}`)]);
    const workspace = story(
      files({
        'a/web.yaml': deployment('web'),
        'z/far/away/web.yaml': service('far', undefined, 'app: web'),
        ...Object.fromEntries(policies),
      }),
    );
    assert.deepEqual(selectingObjects(workspace, 'web', selectingObjectsAround), ['Deployment/web', 'Service/far']);
  });

  it('are found after many nearer selectors of other namespaces', () => {
    const others = Array.from({ length: 300 }, (_, number) => [
      `p${number}/service.yaml`,
      service(`other-${number}`, 'bank', 'app: web'),
    ]);
    const workspace = story(
      files({
        'a/web.yaml': deployment('web', 'shop'),
        'z/far/away/web.yaml': service('far', 'shop', 'app: web'),
        ...Object.fromEntries(others),
      }),
    );
    assert.deepEqual(selectingObjects(workspace, 'web', selectingObjectsAround), ['Deployment/web', 'Service/far']);
  });
});

describe('a selector that matches nothing', () => {
  it('has company if its scope contains an object of its kinds', () => {
    const alone = story(files({ 'a.yaml': service('web'), 'b/c.yaml': 'a: b\n', 'b/d/e.yaml': deployment('far') }));
    assert.equal(selection(alone, 'web').hasCompany, false);
    const together = story(files({ 'a.yaml': service('web'), 'b.yaml': deployment('near') }));
    assert.equal(selection(together, 'web').hasCompany, true);
    assert.equal(selection(together, 'web').uncertain, false);
  });

  it('is uncertain if unknown labels may match', () => {
    const open = (name: string, labels: string) =>
      `apiVersion: v1\nkind: Pod\nmetadata:\n  name: ${name}\n  labels:\n    ${labels}\n    {{- include "more" . | nindent 4 }}\n`;
    const uncertain = (text: string, at = 'a/pod.yaml') => {
      const found = selection(
        story(files({ 'a/web.yaml': service('web', undefined, 'app: web, tier: a'), [at]: text })),
        'web',
      );
      assert.equal(found.mayMatchOthers, found.uncertain || found.elsewhere.length > 0);
      return found.uncertain;
    };
    assert.equal(uncertain(open('other', 'app: other')), false);
    // In one scope it is a possible match, and listed as one.
    assert.equal(uncertain(open('same', 'app: web')), false);
    assert.equal(uncertain(open('same', 'app: web'), 'b/pod.yaml'), true);
    assert.equal(uncertain(open('another', 'team: blue'), 'b/pod.yaml'), false);
  });
});
