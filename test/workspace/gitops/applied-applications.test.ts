/** Tests Applications that the GitOps objects or kustomizations around them change. */

import assert from 'node:assert/strict';
import { deployment, service } from '../kustomizations.ts';
import { app, type Files, objects } from './applications.ts';

const files = {
  'apps/app.yaml': app('shop', 'path: shop, targetRevision: HEAD, kustomize: {}'),
  'shop/kustomization.yaml': 'resources: [a.yaml]\n',
  'shop/a.yaml': service,
  'other/a.yaml': deployment,
};

/** The objects of the Application with kustomizations in some folders that patch it. */
function patched(patches: Readonly<Record<string, string>>, more: Files = {}): string {
  const kustomizations = Object.entries(patches).map(([folder, operations]) => [
    `${folder}/kustomization.yaml`,
    `resources: [../apps]\npatches: [{target: {kind: Application}, patch: '[${operations}]'}]\n`,
  ]);
  const base = { 'apps/kustomization.yaml': 'resources: [app.yaml]\n' };
  return objects({ ...files, ...base, ...Object.fromEntries(kustomizations), ...more }, 'apps/app.yaml');
}

const set = (path: string, value: string) => `{op: add, path: /spec/${path}, value: ${value}}`;

describe('an Application that its parent changes', () => {
  it('has the changed options and destination', () => {
    assert.equal(patched({ prod: set('source/kustomize/namePrefix', 'x-') }), 'Service/x-web in prod');
    assert.equal(patched({ prod: set('destination/namespace', 'other') }), 'Service/web in other');
    assert.equal(patched({ prod: set('source/targetRevision', 'v1') }), 'Service/web in prod');
  });

  it('has unknown objects if its sources are in other folders', () => {
    assert.equal(patched({ prod: set('source/path', 'other') }), '');
    assert.equal(patched({ prod: set('source/directory', '{recurse: true}') }), '');
    assert.equal(patched({ prod: set('source/kustomize/components', '[../x]') }), '');
  });

  it('has unknown objects if several parents change its options differently', () => {
    const label = (value: string) => set('source/kustomize/commonLabels', `{env: ${value}}`);
    assert.equal(patched({ dev: label('dev'), prod: label('prod') }), '');
    assert.equal(patched({ dev: set('source/path', 'dev'), prod: set('source/path', 'prod') }), '');
    assert.equal(patched({ dev: set('source/path', 'dev'), prod: set('project', 'prod') }), 'Service/web in prod');
    const namespace = (name: string) => set('destination/namespace', name);
    assert.match(patched({ dev: namespace('dev'), prod: namespace('test') }), /^Service\/web in (?:dev|test)$/);
  });

  it('has unknown values if several parents change them', () => {
    const chart = {
      'apps/app.yaml': app('shop', 'path: web, helm: {valuesObject: {name: a}}'),
      'web/Chart.yaml': 'name: web\n',
      'web/templates/a.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Values.name }}-{{ .Release.Name }}\n',
    };
    const values = (name: string) => set('source/helm/valuesObject', `{name: ${name}}`);
    assert.equal(patched({ dev: values('b') }, chart), 'ConfigMap/b-shop in prod');
    assert.equal(patched({ dev: values('b'), prod: values('c') }, chart), 'ConfigMap/{{ .Values.name }}-shop in prod');
  });
});
