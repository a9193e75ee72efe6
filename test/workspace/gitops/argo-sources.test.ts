/** Tests how Argo CD reads the sources of an Application: tools, plain folders, values, and tracking labels. */

import assert from 'node:assert/strict';
import { argoSourcesOf } from '../../../server/src/manifests/gitops/argo-source.ts';
import { withSetValue } from '../../../server/src/manifests/helm/set-value.ts';
import { isMap } from '../../../server/src/manifests/helm/value.ts';
import { readValues } from '../../../server/src/manifests/helm/values.ts';
import {
  valueFilesOf,
  variablesOf,
  withOwnValues,
  withVariables,
} from '../../../server/src/workspace/gitops/argo/helm-values.ts';
import { directoryFilter, toolFor } from '../../../server/src/workspace/gitops/argo/source-tool.ts';
import {
  instanceName,
  isInTemplates,
  trackingLabel,
  trackingOf,
} from '../../../server/src/workspace/gitops/argo/tracking.ts';

/** The sources of a spec in YAML, each as `path (tool)`. */
function sources(spec: string): string {
  const [found, isComplete] = argoSourcesOf(readValues(spec) ?? {});
  const shown = found.map(({ path, chart, ref, explicit }) => [path ?? chart ?? `$${ref}`, explicit].join(' ').trim());
  return [...shown, ...(isComplete ? [] : ['and more'])].join(', ');
}

describe('the sources of an Application', () => {
  it('are those of `sources`, and `source` only without them', () => {
    assert.equal(sources('source: {path: a}'), 'a');
    assert.equal(sources('{source: {path: a}, sources: [{path: b}, {path: c}]}'), 'b, c');
    assert.equal(sources('{source: {path: a}, sources: []}'), 'a');
    assert.equal(sources('{}'), 'and more');
    assert.equal(sources('{sourceHydrator: {drySource: {path: a}}, source: {path: a}}'), 'and more');
  });

  it('may be charts of registries, and names for values files', () => {
    assert.equal(sources('sources: [{chart: redis}, {ref: values}, {ref: both, path: a}]'), 'redis, $values, a');
  });

  it('name a tool by a block that is not empty', () => {
    assert.equal(sources('source: {path: a, helm: {releaseName: x}}'), 'a helm');
    assert.equal(sources('source: {path: a, directory: {recurse: true}}'), 'a directory');
    assert.equal(sources('source: {path: a, plugin: {}}'), 'a plugin');
    assert.equal(sources('source: {path: a, kustomize: {namePrefix: x}, helm: {}}'), 'a kustomize');
    assert.equal(sources('source: {path: a, kustomize: {namePrefix: x}, helm: {releaseName: x}}'), 'a unclear');
    for (const empty of [
      'kustomize: {}',
      'helm: {}',
      'helm: {parameters: []}',
      'directory: {recurse: false}',
      'directory:',
    ])
      assert.equal(sources(`source: {path: a, ${empty}}`), 'a');
  });
});

describe('the tool for a folder', () => {
  it('is decided by the names of its files', () => {
    assert.equal(toolFor(['a.yaml']), 'directory');
    assert.equal(toolFor(['Chart.yaml']), 'helm');
    assert.equal(toolFor(['my-Chart.yaml']), 'helm');
    assert.equal(toolFor(['kustomization.yml']), 'kustomize');
    assert.equal(toolFor(['Kustomization']), 'kustomize');
  });

  it('is kustomize for a folder that is a chart as well', () => {
    assert.equal(toolFor(['Chart.yaml', 'kustomization.yaml']), 'kustomize');
    assert.equal(toolFor(['kustomization.yaml', 'Chart.yaml']), 'kustomize');
  });

  it('is the one that the source names', () => {
    assert.equal(toolFor(['kustomization.yaml'], 'directory'), 'directory');
  });
});

describe('the files of a plain folder', () => {
  const all = [
    'a.yaml',
    'b.yml',
    'c.json',
    'd.jsonnet',
    'e.YAML',
    'README.md',
    'sub/f.yaml',
    '.hidden/g.yaml',
    'sub/h.txt',
  ];
  const read = (...options: Parameters<typeof directoryFilter>) => {
    const isRead = directoryFilter(...options);
    return isRead === undefined ? 'unknown' : all.filter(isRead).join(' ');
  };

  it('are manifests directly in it', () => {
    assert.equal(read(), 'a.yaml b.yml c.json d.jsonnet');
  });

  it('are also those of folders in it, hidden ones too, with `recurse`', () => {
    assert.equal(read({ recurse: true }), 'a.yaml b.yml c.json d.jsonnet sub/f.yaml .hidden/g.yaml');
  });

  it('have any name without the filter of extensions', () => {
    assert.equal(read({ anyName: true }), 'a.yaml b.yml c.json d.jsonnet e.YAML README.md');
  });

  it('are excluded before they are included', () => {
    assert.equal(read({ recurse: true, include: '*.yaml' }), 'a.yaml sub/f.yaml .hidden/g.yaml');
    assert.equal(read({ recurse: true, include: '{a,b}.*', exclude: 'b*' }), 'a.yaml');
    assert.equal(read({ recurse: true, exclude: 'sub/*' }), 'a.yaml b.yml c.json d.jsonnet .hidden/g.yaml');
  });

  it('are unknown with a malformed or unknown glob', () => {
    assert.equal(read({ include: '[' }), 'unknown');
    assert.equal(read({ exclude: '{{ .glob }}' }), 'unknown');
  });
});

describe('the values of a chart', () => {
  const set = (values: string, path: string, text: string, asString = false) =>
    JSON.stringify(withSetValue(readValues(values) ?? {}, path, text, asString));

  it('are set one by one as with `--set`', () => {
    assert.equal(set('a: {b: 1, c: 2}', 'a.b', '3'), '{"a":{"b":3,"c":2}}');
    assert.equal(set('{}', 'a.b', 'true'), '{"a":{"b":true}}');
    assert.equal(set('{}', 'a', 'true', true), '{"a":"true"}');
    assert.equal(set('{}', 'a', '007'), '{"a":"007"}');
    assert.equal(set('a: {b: 1}', 'a.b', 'null'), '{"a":{"b":null}}');
    assert.equal(set('a: x', 'a.b', 'y'), '{"a":{"b":"y"}}');
    assert.equal(set('a: [{x: 1}]', 'a[1].x', '2'), '{"a":[{"x":1},{"x":2}]}');
    assert.equal(set('{}', 'a', '{x,1}'), '{"a":["x",1]}');
    assert.equal(set('{}', 'labels.example\\.com/team', 'x'), '{"labels":{"example.com/team":"x"}}');
    assert.equal(set('{}', '__proto__.x', 'y'), '{"__proto__":{"x":"y"}}');
  });

  it('are not set with a malformed path', () => {
    for (const path of ['', '[0]', 'a[x]', 'a[', '.a', 'a[99999999]', 'a[60000]'])
      assert.equal(set('{}', path, 'x'), undefined);
  });

  const own = (helm: string, variables = {}) => {
    const read = readValues(helm);
    return JSON.stringify(
      withOwnValues({ a: 1, b: 1 }, isMap(read) ? read : {}, (text) => withVariables(text, variables)),
    );
  };

  it('are those of the source over those of files: an object hides the text, parameters win', () => {
    assert.equal(own('values: "{a: 2}"'), '{"a":2,"b":1}');
    assert.equal(own('{values: "{a: 2}", valuesObject: {b: 3}}'), '{"a":1,"b":3}');
    assert.equal(own('{valuesObject: {b: 3}, parameters: [{name: b, value: "4"}]}'), '{"a":1,"b":4}');
    assert.equal(own('parameters: [{name: b, value: "4", forceString: true}]'), '{"a":1,"b":"4"}');
    assert.equal(
      own('parameters: [{name: b, value: $ARGOCD_APP_NAME}]', { ARGOCD_APP_NAME: 'shop' }),
      '{"a":1,"b":"shop"}',
    );
  });

  it('are unknown where a file sets them', () => {
    const set = '[{name: a, path: x.txt}]';
    assert.equal(own(`{parameters: [{name: a, value: "4"}], fileParameters: ${set}}`), '{"a":"{{ x.txt }}","b":1}');
  });

  it('have build variables, of which some are unknown', () => {
    const facts = {
      name: 'shop',
      namespace: 'prod',
      project: 'p',
      path: 'charts/shop',
      repository: 'url',
      revision: 'HEAD',
    };
    const expand = (text: string) => withVariables(text, variablesOf(facts));
    assert.equal(expand('$ARGOCD_APP_NAME-$ARGOCD_APP_NAMESPACE.yaml'), 'shop-prod.yaml');
    assert.equal(expand('$$ARGOCD_APP_NAME $OTHER $ 5'), '$ARGOCD_APP_NAME  $ 5');
    assert.equal(expand(`\${ARGOCD_APP_NAME}`), 'shop');
    assert.equal(expand('$ARGOCD_APP_REVISION'), '{{ $ARGOCD_APP_REVISION }}');
  });
});

describe('the values files', () => {
  const files = ['charts/web/values-a.yaml', 'charts/web/values-b.yaml', 'charts/web/values.yaml', 'envs/prod.yaml'];
  const around = {
    folder: 'charts/web',
    filesFor: () => files,
    has: (path: string) => files.includes(path),
    isHere: (ref: string) => (ref === 'here' ? true : ref === 'there' ? false : undefined),
    expand: (text: string) => withVariables(text, { ARGOCD_APP_NAME: 'prod', ARGOCD_APP_REVISION: '{{ revision }}' }),
  };
  const found = (...entries: readonly string[]) =>
    valueFilesOf(entries, around)
      .map((each) => each.path ?? each.is)
      .join(' ');

  it('are relative to the folder, the root, or another source', () => {
    assert.equal(found('values-a.yaml', '../../envs/prod.yaml'), 'charts/web/values-a.yaml envs/prod.yaml');
    assert.equal(found('/envs/prod.yaml'), 'envs/prod.yaml');
    assert.equal(found('$here/envs/prod.yaml'), 'envs/prod.yaml');
    assert.equal(found('envs/$here/prod.yaml', '/envs/./prod.yaml'), 'missing envs/prod.yaml');
  });

  it('may have build variables in their paths', () => {
    assert.equal(found('/envs/$ARGOCD_APP_NAME.yaml'), 'envs/prod.yaml');
    assert.equal(found('$here/envs/$ARGOCD_APP_NAME.yaml'), 'envs/prod.yaml');
    assert.equal(found('$ARGOCD_APP_NAME/a.yaml', '/envs/$ARGOCD_APP_REVISION.yaml'), 'missing unknown');
  });

  it('are unknown in other repositories, behind URLs and outside', () => {
    assert.equal(found('$there/envs/prod.yaml'), 'unknown');
    assert.equal(found('$absent/envs/prod.yaml'), 'unknown');
    assert.equal(found('https://example.com/values.yaml'), 'unknown');
    assert.equal(found('../../../x.yaml'), 'unknown');
    assert.equal(found('{{ .env }}.yaml'), 'unknown');
  });

  it('may be missing', () => {
    assert.equal(found('values-c.yaml', 'nothing-*.yaml'), 'missing missing');
  });

  it('of a glob are in its place, once, except those that are listed explicitly', () => {
    assert.equal(found('values-*.yaml'), 'charts/web/values-a.yaml charts/web/values-b.yaml');
    assert.equal(found('values-b.yaml', 'values-*.yaml'), 'charts/web/values-b.yaml charts/web/values-a.yaml');
    assert.equal(found('values-*.yaml', 'values-a.yaml'), 'charts/web/values-b.yaml charts/web/values-a.yaml');
    assert.equal(found('/**/prod.yaml', 'values-a.yaml', 'values-a.yaml'), 'envs/prod.yaml charts/web/values-a.yaml');
  });
});

describe('the tracking label', () => {
  const label = (data: Record<string, string>, instance: string) => trackingLabel(trackingOf(data), instance);
  const method = 'application.resourceTrackingMethod';

  it('is not set unless the method says so', () => {
    assert.equal(label({}, 'shop'), undefined);
    assert.equal(label({ [method]: 'annotation' }, 'shop'), undefined);
    assert.equal(label({ [method]: 'label' }, 'shop'), 'shop');
    assert.equal(label({ [method]: 'annotation+label' }, 'shop'), 'shop');
  });

  it('has the key of the configuration', () => {
    assert.equal(trackingOf({}).key, 'app.kubernetes.io/instance');
    assert.equal(trackingOf({ 'application.instanceLabelKey': 'argo/app' }).key, 'argo/app');
  });

  it('is cut only beside the annotation', () => {
    const long = `${'a'.repeat(61)}-.b`;
    assert.equal(label({ [method]: 'label' }, long), long);
    assert.equal(label({ [method]: 'annotation+label' }, long), 'a'.repeat(61));
  });

  it('has the namespace of an Application outside that of Argo CD', () => {
    assert.equal(instanceName('shop', 'argocd', 'argocd'), 'shop');
    assert.equal(instanceName('shop', 'team-a', 'argocd'), 'team-a_shop');
    assert.equal(instanceName('shop', '', 'argocd'), 'shop');
  });

  it('is in templates only with the key of old versions', () => {
    const key = (name: string) => trackingOf({ [method]: 'label', 'application.instanceLabelKey': name });
    assert.equal(isInTemplates(key('applications.argoproj.io/app-name')), true);
    assert.equal(isInTemplates(key('app.kubernetes.io/instance')), false);
  });
});
