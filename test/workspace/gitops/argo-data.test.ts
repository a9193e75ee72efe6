/** Tests the files that Argo CD reads as data: values of charts, overrides of sources, and parameters of generators. */

import assert from 'node:assert/strict';
import { lines } from '../../harness/margin.ts';
import { service } from '../kustomizations.ts';
import { app, configMap, detailed, loaded, objects, scopes, set } from './applications.ts';

const chart = {
  'charts/web/Chart.yaml': 'name: web\n',
  'charts/web/values.yaml': 'app: web\ntier: front\nteam: a\n',
  'charts/web/templates/a.yaml': lines(`
    apiVersion: v1
    kind: Service
    metadata:
      name: {{ .Release.Name }}
    spec:
      selector:
        app: {{ .Values.app }}
        tier: {{ .Values.tier }}
        team: {{ .Values.team }}
  `),
  'charts/web/values-prod.yaml': 'app: prod\n',
  'envs/a.yaml': 'app: a\ntier: a\n',
  'envs/b.yaml': 'app: b\n',
  'envs/deep/c.yaml': 'team: c\n',
};

/** The selector of the Service of the chart, with an Application that has some `helm` options. */
function selector(helm: string, more: Readonly<Record<string, string>> = {}): string {
  const text = detailed({ ...chart, ...more, 'app.yaml': app('shop', `path: charts/web, helm: {${helm}}`) });
  return /spec\.selector: (.*)$/m.exec(text)?.[1] ?? text;
}

describe('the values files of a chart', () => {
  it('override the values of the chart, later files those of earlier ones', () => {
    assert.equal(selector('valueFiles: [values-prod.yaml]'), 'app=prod,team=a,tier=front');
    assert.equal(selector('valueFiles: [/envs/a.yaml, /envs/b.yaml]'), 'app=b,team=a,tier=a');
    assert.equal(selector('valueFiles: [../../envs/b.yaml, ../../envs/a.yaml]'), 'app=a,team=a,tier=a');
    assert.equal(selector('valueFiles: [/envs/a.yaml, values.yaml]'), 'app=web,team=a,tier=front');
  });

  it('are overridden by the values of the source', () => {
    assert.equal(selector('valueFiles: [/envs/a.yaml], values: "app: x"'), 'app=x,team=a,tier=a');
    const all = 'valueFiles: [/envs/a.yaml], valuesObject: {app: x}, parameters: [{name: tier, value: z}]';
    assert.equal(selector(all), 'app=x,team=a,tier=z');
  });

  it('may be those of globs, each file once', () => {
    assert.equal(selector('valueFiles: ["/envs/*.yaml"]'), 'app=b,team=a,tier=a');
    assert.equal(selector('valueFiles: ["/envs/**/*.yaml"]'), 'app=b,team=c,tier=a');
    assert.equal(selector('valueFiles: ["/envs/*.yaml", /envs/a.yaml]'), 'app=a,team=a,tier=a');
  });

  it('may have build variables in their paths', () => {
    const more = { 'envs/shop.yaml': 'app: of-shop\n', 'envs/prod.yaml': 'tier: of-prod\n' };
    assert.equal(
      selector(`valueFiles: [/envs/$ARGOCD_APP_NAME.yaml, "/envs/\${ARGOCD_APP_NAMESPACE}.yaml"]`, more),
      'app=of-shop,team=a,tier=of-prod',
    );
  });

  it('must exist, unless the source ignores missing ones', () => {
    assert.match(selector('valueFiles: [gone.yaml]'), /app=(?!web)/);
    assert.equal(
      selector('valueFiles: [gone.yaml, /envs/b.yaml], ignoreMissingValueFiles: true'),
      'app=b,team=a,tier=front',
    );
  });

  it('are unknown if they are broken, or in no file', () => {
    for (const file of ['/envs/broken.yaml', '/envs/list.yaml', 'https://example.com/values.yaml', '$other/a.yaml'])
      assert.match(
        selector(`valueFiles: ["${file}"]`, { 'envs/broken.yaml': 'a: [', 'envs/list.yaml': '[a]' }),
        /app=(?!web)/,
      );
    assert.equal(
      selector('valueFiles: [/envs/empty.yaml]', { 'envs/empty.yaml': '# Nothing.\n' }),
      'app=web,team=a,tier=front',
    );
  });

  it('may be in another source of the repository, from its root', () => {
    const files = (ref: string) => ({
      ...chart,
      'app.yaml': app('shop', '').replace(
        /spec: .*/,
        `spec: {destination: {namespace: prod}, sources: [
          {repoURL: https://example.com/shop.git, path: charts/web, helm: {valueFiles: [$v/envs/a.yaml]}},
          {repoURL: ${ref}, ref: v}]}`,
      ),
    });
    assert.match(detailed(files('git@example.com:shop.git')), /app=a,team=a,tier=a/);
    assert.match(detailed(files('git@example.com:other.git')), /app=(?!web)/);
  });
});

describe('the conditions of a chart', () => {
  const template = lines(`
    {{- if .Values.ingress.enabled }}
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: ingress}
    {{- else if .Values.route }}
    ---
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: route}
    {{- else }}
    ---
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: neither}
    {{- end }}
    {{- if and .Values.a (not .Values.b) }}
    ---
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: a-not-b}
    {{- end }}
    {{- if .Release.IsUpgrade }}
    ---
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: upgrade}
    {{- end }}
    {{- range .Values.hosts }}
    ---
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: host}
    {{- end }}
    {{- if .Capabilities.APIVersions.Has "x" }}
    ---
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: unknown}
    {{- end }}
  `);
  const installed = async (values: string, more: Readonly<Record<string, string>> = {}) => {
    const valueFiles = Object.keys(more).map((path) => `/${path}`);
    const { names } = await loaded({
      'web/Chart.yaml': 'name: web\n',
      'web/values.yaml': 'ingress: {enabled: false}\na: true\nb: false\nhosts: []\n',
      'web/templates/all.yaml': template,
      'app.yaml': app('shop', `path: web, helm: {values: "${values}", valueFiles: [${valueFiles}]}`),
      ...more,
    });
    return names();
  };

  it('decide which objects are installed, as far as the values are known', async () => {
    assert.equal(await installed(''), 'neither a-not-b unknown');
    assert.equal(await installed('ingress: {enabled: true}'), 'ingress a-not-b unknown');
    assert.equal(await installed('{route: x, b: true}'), 'route unknown');
    assert.equal(await installed('hosts: [x]', { 'v.yaml': 'a: false\n' }), 'neither host unknown');
    const all = 'ingress route neither a-not-b host unknown';
    assert.equal(await installed('', { 'broken.yaml': 'a: [' }), all);
  });
});

describe('the dependencies of a chart', () => {
  const configMapOf = (name: string) =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}-{{ .Chart.Name }}\n`;
  const dependencies = lines(`
    name: web
    dependencies:
    - {name: redis, condition: 'redis.enabled,cache.enabled'}
    - {name: queue, condition: queue.enabled, tags: [all]}
    - {name: other, condition: nothing}
  `);
  const installed = async (values: string) => {
    const { names } = await loaded({
      'web/Chart.yaml': dependencies,
      'web/values.yaml': 'cache: {enabled: false}\n',
      'web/templates/a.yaml': configMapOf('a'),
      'web/charts/redis/Chart.yaml': 'name: redis\n',
      'web/charts/redis/templates/b.yaml': configMapOf('b'),
      'web/charts/queue/Chart.yaml': 'name: queue\n',
      'web/charts/queue/values.yaml': 'enabled: false\n',
      'web/charts/queue/templates/c.yaml': configMapOf('c'),
      'web/charts/queue/charts/inner/Chart.yaml': 'name: inner\n',
      'web/charts/queue/charts/inner/templates/d.yaml': configMapOf('d'),
      'web/charts/other/Chart.yaml': 'name: other\n',
      'web/charts/other/templates/e.yaml': configMapOf('e'),
      'app.yaml': app('shop', `path: web, helm: {valuesObject: ${values}}`),
    });
    return names().split(' ').toSorted().join(' ');
  };

  it('are installed unless the first value of their conditions is false', async () => {
    assert.equal(await installed('{}'), 'a-web e-other');
    assert.equal(
      await installed('{redis: {enabled: true}, queue: {enabled: true}}'),
      'a-web b-redis c-queue d-inner e-other',
    );
    assert.equal(await installed('{cache: {enabled: true}, nothing: {}}'), 'a-web b-redis e-other');
  });

  it('are not installed if no condition decides, a tag is false and none is true, as in Helm', async () => {
    const installed = async (values: string) => {
      const { names } = await loaded({
        'web/Chart.yaml': lines(`
          name: web
          dependencies:
          - {name: redis, condition: redis.enabled, tags: [store, cache]}
        `),
        'web/values.yaml': 'tags: {store: false}\n',
        'web/templates/a.yaml': configMapOf('a'),
        'web/charts/redis/Chart.yaml': 'name: redis\n',
        'web/charts/redis/templates/b.yaml': configMapOf('b'),
        'app.yaml': app('shop', `path: web, helm: {valuesObject: ${values}}`),
      });
      return names().split(' ').toSorted().join(' ');
    };
    assert.equal(await installed('{}'), 'a-web');
    assert.equal(await installed('{tags: {store: true}}'), 'a-web b-redis');
    assert.equal(await installed('{tags: {cache: true}}'), 'a-web b-redis');
    assert.equal(await installed('{redis: {enabled: true}}'), 'a-web b-redis');
    assert.equal(await installed('{tags: {store: true}, redis: {enabled: false}}'), 'a-web');
    // A tag that is no boolean does not count.
    assert.equal(await installed('{tags: {store: "no"}}'), 'a-web b-redis');
  });

  it('export their default values, which the values of the chart override, as in Helm', async () => {
    const written = async (values: string) => {
      const { names } = await loaded({
        'web/Chart.yaml': lines(`
          name: web
          dependencies:
          - name: redis
            import-values:
            - settings
            - {child: port.names, parent: ports.cache}
        `),
        'web/values.yaml': 'tier: web\n',
        'web/templates/a.yaml': configMapOf('{{ .Values.tier }}-{{ .Values.app }}-{{ .Values.ports.cache.main }}'),
        'web/charts/redis/Chart.yaml': 'name: redis\n',
        'web/charts/redis/values.yaml': 'exports: {settings: {tier: cache, app: redis}}\nport: {names: {main: tcp}}\n',
        'app.yaml': app('shop', `path: web, helm: {valuesObject: ${values}}`),
      });
      return names();
    };
    assert.equal(await written('{}'), 'web-redis-tcp-web');
    assert.equal(await written('{app: shop, redis: {port: {names: {main: tls}}}}'), 'web-shop-tcp-web');
  });
});

describe('the overrides of a source', () => {
  const files = { 'shop/kustomization.yaml': 'resources: [a.yaml]\n', 'shop/a.yaml': service };
  const one = (overrides: Readonly<Record<string, string>>, source = 'path: shop') =>
    objects({ ...files, ...overrides, 'app.yaml': app('shop', source) });

  it('are those of the folder, then those for the Application', () => {
    assert.equal(one({ 'shop/.argocd-source.yaml': 'kustomize: {namePrefix: x-}\n' }), 'Service/x-web in prod');
    const both = {
      'shop/.argocd-source.yaml': 'kustomize: {namePrefix: x-, nameSuffix: -s}\n',
      'shop/.argocd-source-shop.yaml': 'kustomize: {namePrefix: y-}\n',
    };
    assert.equal(one(both), 'Service/y-web-s in prod');
    assert.equal(one({ 'shop/.argocd-source-other.yaml': 'kustomize: {namePrefix: x-}\n' }), 'Service/web in prod');
    assert.equal(
      one({ 'shop/.argocd-source-argocd_shop.yaml': 'kustomize: {nameSuffix: -x}' }),
      'Service/web-x in prod',
    );
  });

  it('are merged over the source: null removes an option', () => {
    const source = 'path: shop, kustomize: {namePrefix: p-, commonLabels: {team: a}}';
    assert.equal(one({ 'shop/.argocd-source.yaml': 'kustomize: {namePrefix: null}\n' }, source), 'Service/web in prod');
    assert.equal(one({ 'shop/.argocd-source.yaml': '{}\n' }, source), 'Service/p-web in prod');
  });

  it('never change the place of the source', () => {
    const overrides = { 'shop/.argocd-source.yaml': 'path: other\nrepoURL: x\nkustomize: {namePrefix: x-}\n' };
    assert.equal(one({ ...overrides, 'other/b.yaml': configMap('b') }), 'Service/x-web in prod');
  });

  it('may change the tool, the files of a directory, and the values of a chart', () => {
    const plain = { 'shop/kustomization.yaml': '', 'shop/b.yaml': configMap('b'), 'shop/sub/c.yaml': configMap('c') };
    assert.equal(
      one({ ...plain, 'shop/.argocd-source.yaml': 'directory: {recurse: true, exclude: b.yaml}\n' }),
      'Service/web in prod\nConfigMap/c in prod',
    );
    const overridden = { 'charts/web/.argocd-source.yaml': 'helm: {valueFiles: [/envs/b.yaml], releaseName: other}\n' };
    assert.equal(selector('valueFiles: [/envs/a.yaml]', overridden), 'app=b,team=a,tier=front');
  });

  it('are unknown if they are broken or empty', () => {
    for (const text of ['a: [', '[]', '# Nothing.']) {
      const broken = { ...files, 'shop/.argocd-source.yaml': text, 'argocd/app.yaml': app('shop', 'path: shop') };
      assert.match(scopes(broken), /^argo-application argocd\/app.yaml: {2}\(/);
    }
  });
});

describe('the files of a generator', () => {
  const generated = (contents: Readonly<Record<string, string>>, more = '', name = '{{name}}') =>
    scopes({
      'argocd/set.yaml': set(`
        generators:
        - git: {repoURL: https://example.com/shop.git, files: [{path: "envs/**/config.json"}, {path: "envs/*.yaml"}${more}]}
        template:
          metadata: {name: '${name}'}
          spec:
            source: {repoURL: https://example.com/shop.git, path: 'apps/{{app}}'}
            destination: {namespace: '{{path.basename}}'}
      `),
      'apps/web/a.yaml': service,
      'apps/api/a.yaml': configMap('api'),
      ...contents,
    }).replaceAll(/^(?!argo-application).*\n?/gm, '');

  it('are objects or lists of objects, in YAML or JSON', () => {
    const contents = {
      'envs/dev/config.json': '{"name": "dev", "app": "web"}',
      'envs/eu/prod/config.json': '[{"name": "prod", "app": "web"}, {"name": "prod-2", "app": "api"}]',
      'envs/test.yaml': '- {name: test, app: api}\n',
    };
    assert.equal(
      generated(contents),
      `${lines(`
        argo-application argocd/set.yaml#dev: apps/web/a.yaml
        argo-application argocd/set.yaml#prod: apps/web/a.yaml
        argo-application argocd/set.yaml#prod-2: apps/api/a.yaml
        argo-application argocd/set.yaml#test: apps/api/a.yaml
      `)}\n`,
    );
    assert.doesNotMatch(generated(contents, ', {path: "envs/eu/*", exclude: true}'), /prod/);
  });

  it('are one empty set if they are empty', () => {
    assert.match(generated({ 'envs/empty.yaml': '# Nothing.\n' }, '', '{{path.basename}}'), /set.yaml#envs:/);
  });
});
