/** Tests the Applications that an ApplicationSet creates from files, also if other objects change the set. */

import assert from 'node:assert/strict';
import { WorkBudget } from '../../../server/src/engine/work-budget.ts';
import { type Data, isMap } from '../../../server/src/manifests/helm/value.ts';
import { readValues } from '../../../server/src/manifests/helm/values.ts';
import { applicationsOf } from '../../../server/src/workspace/gitops/argo/application-set.ts';
import type { GeneratorFiles } from '../../../server/src/workspace/gitops/argo/generators.ts';
import { lines } from '../../harness/margin.ts';
import { service } from '../kustomizations.ts';
import { app, configMap, detailed, type Files, objects, scopes, set } from './applications.ts';

/** A repository with files: their contents by path. */
function repository(contents: Readonly<Record<string, string>>): GeneratorFiles {
  const files = Object.keys(contents).toSorted();
  const folders = new Set(files.flatMap((path) => foldersOf(path)));
  return {
    files,
    folders: [...folders].toSorted(),
    isIncluded: () => false,
    isHere: (url) => url === 'https://example.com/shop',
    content: (path) => readValues(contents[path] ?? ''),
  };
}

function foldersOf(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** Prints the Applications of a set: `name: path into namespace`. */
function created(set: string, files: GeneratorFiles = repository({})): string {
  const { results, open } = applicationsOf(at(readValues(lines(set)) ?? {}, 'spec'), files);
  const printed = results.map(({ application }) => {
    const spec = at(application, 'spec');
    const values = [
      at(application, 'metadata', 'name'),
      at(spec, 'source', 'path'),
      at(spec, 'destination', 'namespace'),
    ];
    return values.filter((value) => value !== null).join(' ');
  });
  return [...printed, ...(open ? ['and more'] : [])].join('\n');
}

function at(data: Data, ...path: readonly string[]): Data {
  return path.reduce<Data>((map, key) => (isMap(map) ? (map[key] ?? null) : null), data);
}

/** A set with generators and a template with a name and a path. */
function setWith(generators: string, name: string, path = 'x', more = ''): string {
  return `spec:\n${more}  generators:\n${lines(generators).replace(/^/gm, '  ')}\n  template:\n    metadata: {name: '${name}'}\n    spec: {source: {path: '${path}'}}\n`;
}

const go = "  goTemplate: true\n  goTemplateOptions: ['missingkey=error']\n";

describe('generators of an ApplicationSet', () => {
  it('list their elements, in both template languages', () => {
    const list = '- list: {elements: [{cluster: dev, values: {size: "1"}}, {cluster: prod, values: {size: "2"}}]}';
    const expected = 'dev-1 apps/dev\nprod-2 apps/prod';
    assert.equal(created(setWith(list, '{{ cluster }}-{{values.size}}', 'apps/{{cluster}}')), expected);
    assert.equal(created(setWith(list, '{{ .cluster }}-{{.values.size}}', 'apps/{{.cluster}}', go)), expected);
  });

  it('reject elements with other values than texts, except in Go templates', () => {
    const list = '- list: {elements: [{name: a, port: 80}]}';
    assert.equal(created(setWith(list, '{{name}}')), 'and more');
    assert.equal(created(setWith(list, '{{.name}}-{{.port}}', 'x', go)), 'a-80 x');
    assert.equal(created(setWith('- list: {elements: [{name: a, values: {port: 80}}]}', '{{name}}')), 'and more');
  });

  it('list the elements of a YAML text after the others', () => {
    const list = '- list:\n    elements: [{name: a}]\n    elementsYaml: |\n      - name: b\n      - {name: c}';
    assert.equal(created(setWith(list, '{{.name}}', 'x', go)), 'a x\nb x\nc x');
  });

  const files = repository({
    'apps/web/a.yaml': '',
    'apps/Api_2/base/a.yaml': '',
    'apps/.hidden/a.yaml': '',
    'apps/old/a.yaml': '',
    'README.md': '',
    'env/dev/config.json': '{"cluster": {"name": "dev", "zones": ["a", "b"]}, "count": 2}',
    'env/eu/prod/config.json': '{"cluster": {"name": "prod"}}',
  });

  it('list folders: `*` stays in one folder, hidden ones and excluded ones are left out', () => {
    const git =
      '- git: {repoURL: "https://example.com/shop", directories: [{path: apps/*}, {path: apps/old, exclude: true}]}';
    assert.equal(created(setWith(git, '{{path.basename}}', '{{path}}'), files), 'Api_2 apps/Api_2\nweb apps/web');
    assert.equal(
      created(setWith(git, '{{.path.basenameNormalized}}-{{index .path.segments 0}}', '{{.path.path}}', go), files),
      'api-2-apps apps/Api_2\nweb-apps apps/web',
    );
    const top = git.replace('apps/*', '"*"');
    assert.equal(created(setWith(top, '{{path[0]}}', '{{path}}'), files), 'apps apps\nenv env');
  });

  it('match nothing with a malformed pattern', () => {
    const git = '- git: {repoURL: "https://example.com/shop", directories: [{path: "apps/[a"}]}';
    assert.equal(created(setWith(git, '{{path}}'), files), '');
  });

  it('list the content of files: `*` crosses folders, keys get dots in fasttemplate', () => {
    const git = '- git: {repoURL: "https://example.com/shop", files: [{path: "env/*/config.json"}]}';
    assert.equal(created(setWith(git, '{{cluster.name}}', '{{path}}'), files), 'dev env/dev\nprod env/eu/prod');
    assert.equal(
      created(setWith(git, '{{.cluster.name}}-{{.path.filename}}', '{{.path.path}}', go), files),
      'dev-config.json env/dev\nprod-config.json env/eu/prod',
    );
  });

  it('put the folder below a prefix', () => {
    const git =
      '- git: {repoURL: "https://example.com/shop", pathParamPrefix: p, directories: [{path: apps/w*}], values: {v: "{{p.path.basename}}!"}}';
    assert.equal(created(setWith(git, '{{p.path.basename}}', '{{values.v}}'), files), 'web web!');
    const inGo = git.replace('{{p', '{{.p');
    assert.equal(created(setWith(inGo, '{{.p.path.basename}}', '{{.values.v}}', go), files), 'web web!');
  });

  it('know nothing of other repositories, clusters and pull requests', () => {
    const git = '- git: {repoURL: "https://example.com/other", directories: [{path: "*"}]}';
    assert.equal(created(setWith(git, '{{path}}'), files), 'and more');
    assert.equal(
      created(setWith('- clusters: {values: {env: prod}}', '{{name}}', 'apps/{{values.env}}')),
      '{{name}} apps/prod\nand more',
    );
    assert.equal(
      created(setWith('- pullRequest: {github: {}}', 'a-{{.number}}', 'x', go)),
      'a-{{ .number }} x\nand more',
    );
  });

  it('multiply in a matrix, where the second is rendered with the first', () => {
    const matrix = `- matrix:
    generators:
    - list: {elements: [{env: dev, team: a}, {env: prod, team: b}]}
    - list: {elements: [{app: 'web-@team@'}, {app: api}]}`;
    const expected = 'dev-web-a x\ndev-api x\nprod-web-b x\nprod-api x';
    assert.equal(created(setWith(matrix.replace('@team@', '{{team}}'), '{{env}}-{{app}}')), expected);
    assert.equal(created(setWith(matrix.replace('@team@', '{{.team}}'), '{{.env}}-{{.app}}', 'x', go)), expected);
  });

  it('reject different values of one key in a matrix, except in Go templates, where the first one wins', () => {
    const matrix = `- matrix:
    generators:
    - list: {elements: [{name: a}]}
    - list: {elements: [{name: b}]}`;
    assert.equal(created(setWith(matrix, '{{name}}')), 'and more');
    assert.equal(created(setWith(matrix, '{{.name}}', 'x', go)), 'a x');
    assert.equal(created(setWith(matrix.replace('b}', 'a}'), '{{name}}')), 'a x');
  });

  it('multiply clusters with folders: the path is known, the cluster is not', () => {
    const matrix = `- matrix:
    generators:
    - git: {repoURL: "https://example.com/shop", directories: [{path: apps/w*}]}
    - clusters: {}`;
    assert.equal(
      created(setWith(matrix, '{{.name}}-{{.path.basename}}', '{{.path.path}}', go), files),
      '{{ .name }}-web apps/web\nand more',
    );
  });

  it('override sets of the first generator with equal merge keys, and drop sets that only others have', () => {
    const merge = `- merge:
    mergeKeys: [cluster]
    generators:
    - list: {elements: [{cluster: dev, size: s}, {cluster: prod, size: s}]}
    - list: {elements: [{cluster: prod, size: l}, {cluster: test, size: m}]}`;
    assert.equal(created(setWith(merge, '{{cluster}}-{{size}}')), 'dev-s x\nprod-l x');
    assert.equal(created(setWith(merge, '{{.cluster}}-{{.size}}', 'x', go)), 'dev-s x\nprod-l x');
  });

  it('reject sets with repeated merge keys', () => {
    const merge = (first: string, second: string) => `- merge:
    mergeKeys: [name]
    generators:
    - list: {elements: [${first}]}
    - list: {elements: [${second}]}`;
    assert.equal(created(setWith(merge('{name: a}, {name: a}', '{name: b}'), '{{name}}')), 'and more');
    assert.equal(created(setWith(merge('{name: a}', '{name: b}, {name: b}'), '{{name}}')), 'and more');
    assert.equal(created(setWith(merge('{name: a}, {name: b}', '{name: b}'), '{{name}}')), 'a x\nb x');
  });

  it('override sets of clusters, which may or may not be those of the list', () => {
    const merge = `- merge:
    mergeKeys: [nameNormalized]
    generators:
    - clusters: {values: {folder: base}}
    - list: {elements: [{nameNormalized: prod, values.folder: special}]}`;
    assert.equal(
      created(setWith(merge, 'a-{{nameNormalized}}', 'apps/{{values.folder}}')),
      'a-prod apps/special\na-{{nameNormalized}} apps/base\nand more',
    );
  });

  it('keep the sets that their selector matches', () => {
    const list =
      '- list: {elements: [{name: a, tier: web}, {name: b, tier: db}]}\n  selector: {matchLabels: {tier: db}}';
    assert.equal(created(setWith(list, '{{name}}')), 'b x');
  });

  it('override the template with their own, except by empty values', () => {
    const list =
      "- list:\n    elements: [{name: a}]\n    template: {metadata: {name: ''}, spec: {source: {path: own}}}";
    assert.equal(created(setWith(list, '{{name}}', 'x')), 'a own');
  });

  it('are unknown if they are of several kinds, or of a kind that is not known', () => {
    assert.equal(created(setWith('- list: {elements: [{name: a}]}\n  plugin: {}', '{{name}}')), 'and more');
    assert.equal(created(setWith('- other: {}', '{{name}}')), 'and more');
  });

  it('are bounded', () => {
    const list = `- list: {elements: [${'{a: b}, '.repeat(100)}]}`;
    const matrix = (a: string, b: string) => `- matrix:\n    generators:\n${`${a}\n${b}`.replace(/^/gm, '    ')}`;
    const nested = matrix(list, matrix(list, list));
    assert.equal(
      new WorkBudget(100_000).run(() => created(setWith(nested, '{{a}}'))),
      undefined,
    );
  });
});

describe('templates of an ApplicationSet', () => {
  const one = (template: string, more = go) =>
    created(
      setWith('- list: {elements: [{name: Web_1, tags: [a, b], active: true, map: {k: v}}]}', template, 'x', more),
    );

  it('leave unknown names as they are in fasttemplate', () => {
    const list = '- list: {elements: [{name: Web_1}]}';
    assert.equal(created(setWith(list, '{{ nothing }}-{{name}}')), '{{ nothing }}-Web_1 x');
  });

  it('use functions, conditions and loops in Go templates', () => {
    assert.equal(one('{{ .name | lower | replace "_" "-" }}'), 'web-1 x');
    assert.equal(one('{{ normalize .name }}'), 'web-1 x');
    assert.equal(one('{{ if eq .name "Web_1" }}yes{{ else }}no{{ end }}'), 'yes x');
    assert.equal(one('{{ range $i, $tag := .tags }}{{ $tag }}{{ $i }}{{ end }}'), 'a0b1 x');
    assert.equal(one('{{ range $key, $value := .map }}{{ $key }}={{ $value }}{{ end }}'), 'k=v x');
    assert.equal(one('{{ index .tags 1 }}-{{ index .map "k" }}-{{ join "." .tags }}'), 'b-v-a.b x');
    assert.equal(one('{{ first (splitList "_" .name) }}'), 'Web x');
    assert.equal(one('{{ dig "map" "k" "none" . }}-{{ dig "map" "z" "none" . }}'), 'v-none x');
    assert.equal(one('{{ (split "_" .name)._1 }}{{ without .tags "a" | first }}{{ rest .tags | first }}'), '1bb x');
    assert.equal(one('{{ (.map | toJson | fromJson).k }}'), 'v x');
    assert.equal(one('{{ if .active }}on{{ end }}{{ if hasKey . "off" }}off{{ end }}'), 'on x');
  });

  it('fail on missing keys with the option, and print a text without it', () => {
    assert.equal(one('{{ .nothing }}'), '{{ .nothing }} x');
    assert.equal(one('{{ .nothing }}', '  goTemplate: true\n'), '<no value> x');
    assert.equal(one('{{ default "x" .nothing }}', '  goTemplate: true\n'), 'x x');
    assert.equal(one('{{ .a.b }}', '  goTemplate: true\n'), '{{ .a.b }} x');
  });

  it('do not evaluate what they do not know', () => {
    assert.match(one('{{ randAlpha 3 }}'), /^\{\{ randAlpha 3 .*\}\} x$/);
    assert.equal(one('{{ if .name'), '{{ if .name x');
  });

  it('are patched by a rendered patch', () => {
    const patch =
      "  templatePatch: |\n    spec:\n      source: {path: 'own/{{ .name }}'}\n      {{- if .active }}\n      destination: {namespace: here}\n      {{- end }}\n";
    assert.equal(one('{{ .name }}', go + patch), 'Web_1 own/Web_1 here');
    const whole =
      '  templatePatch: |\n    spec:\n      source:\n        path: x\n        kustomize:\n          {{- toYaml .map | nindent 10 }}\n';
    assert.equal(one('{{ .name }}', go + whole), 'Web_1 x');
    assert.equal(one('{{ .name }}', `${go}  templatePatch: '{{ .nothing }}'\n`), 'and more');
  });
});

describe('an ApplicationSet that its parent changes', () => {
  const set = `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: all}
spec:
  goTemplate: true
  generators: [{git: {repoURL: https://example.com/shop.git, directories: [{path: apps/*}]}}]
  template:
    metadata: {name: '{{.path.basename}}', labels: {team: shop}}
    spec:
      source: {repoURL: https://example.com/shop.git, path: '{{.path.path}}'}
      destination: {namespace: '{{.path.basename}}'}
`;
  const under = (parent: Files) =>
    objects({ 'argocd/set.yaml': set, 'apps/web/a.yaml': service, ...parent }, 'argocd/set.yaml#web');
  const kustomized = (fields: string) =>
    under({ 'argocd/kustomization.yaml': `resources: [set.yaml]\n${lines(fields)}\n` });
  const patched = (spec: string) =>
    kustomized(`patches: [{target: {kind: ApplicationSet}, patch: '[{op: add, path: /spec/${spec}}]'}]`);

  it('creates the Applications of its template', () => {
    const expected = 'Service/web in web';
    assert.equal(kustomized(''), expected);
    assert.equal(kustomized('namespace: argocd'), expected);
    assert.equal(kustomized('namePrefix: x-'), expected);
    assert.equal(kustomized('commonLabels: {x: y}'), expected);
    assert.equal(under({ 'root/app.yaml': app('root', 'path: argocd', 'namespace: argocd') }), expected);
    const flux = `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: argo, namespace: flux-system}
spec: {path: argocd, sourceRef: {kind: GitRepository, name: shop}}
`;
    assert.equal(under({ 'clusters/argo.yaml': flux }), expected);
  });

  it('builds a folder with the tool that its options name, even by patches and values only', () => {
    const built = (options: string, files: Files) =>
      objects(
        { 'set.yaml': set.replace("path: '{{.path.path}}'", `path: '{{.path.path}}', ${options}`), ...files },
        'set.yaml#web',
      );
    const chart = {
      'apps/web/Chart.yaml': 'name: web\n',
      'apps/web/templates/a.yaml': configMap('chart'),
      'apps/web/kustomization.yaml': 'resources: [b.yaml]\n',
      'apps/web/b.yaml': configMap('b'),
    };
    assert.equal(built('directory: {}', chart), 'ConfigMap/b in web');
    assert.equal(built('helm: {values: "a: b"}', chart), 'ConfigMap/chart in web');
    assert.equal(built('helm: {values: ""}', chart), 'ConfigMap/b in web');
    const patch =
      "kustomize: {patches: [{target: {kind: ConfigMap}, patch: '[{op: replace, path: /metadata/name, value: c}]'}]}";
    assert.equal(built(patch, chart), 'ConfigMap/c in web');
  });

  it('creates them as it is applied', () => {
    assert.equal(patched('template/spec/destination/namespace, value: prod'), 'Service/web in prod');
  });

  it('has unknown Applications if their sources or parameters are changed', () => {
    assert.equal(patched('templatePatch, value: "{{ randAlpha 3 }}"'), '');
    assert.equal(patched('template, value: {}'), '');
    assert.equal(patched('template/spec/source/path, value: "other/{{.path.path}}"'), '');
    assert.equal(patched('generators/0/git/directories/0/exclude, value: true'), '');
    assert.equal(patched('template/spec/source/targetRevision, value: dev'), 'Service/web in web');
    assert.equal(patched('generators/-, value: {clusters: {}}'), '');
  });
});

describe('an unknown parameter in a path', () => {
  const clusters = (path: string, more = '') =>
    set(`
      ${more}
      generators: [{clusters: {values: {label: 'is-${more === '' ? '{{name}}' : '{{.name}}'}'}}}]
      template:
        metadata: {name: 'web-${more === '' ? '{{name}}' : '{{.name}}'}'}
        spec:
          source:
            repoURL: https://example.com/shop.git
            path: '${path}'
            kustomize: {commonLabels: {cluster: '${more === '' ? '{{values.label}}' : '{{.values.label}}'}'}}
          destination: {server: '${more === '' ? '{{server}}' : '{{.server}}'}', namespace: prod}
    `);
  const files = {
    'overlays/eu/kustomization.yaml': 'resources: [../common]\n',
    'overlays/us/kustomization.yaml': 'resources: [../common]\n',
    'overlays/common/kustomization.yaml': 'resources: [a.yaml]\n',
    'overlays/common/a.yaml': service,
  };
  const found = (text: string, more: Files = files) =>
    scopes({ ...more, 'argocd/set.yaml': text })
      .split('\n')
      .filter((line) => line.startsWith('argo'))
      .map((line) => line.replace(/^argo-application argocd\/set.yaml/, ''));

  it('has the values that the existing folders imply', () => {
    const expected = ['#web-eu: overlays/common/a.yaml', '#web-us: overlays/common/a.yaml'];
    assert.deepEqual(found(clusters('overlays/{{name}}')), expected);
    assert.deepEqual(found(clusters('./overlays/{{ .name }}', 'goTemplate: true')), expected);
    const below = Object.fromEntries(Object.entries(files).map(([path, text]) => [`repo/${path}`, text]));
    const nested = scopes({ ...below, 'repo/argocd/set.yaml': clusters('overlays/{{name}}') });
    assert.match(nested, /repo\/argocd\/set.yaml#web-eu: repo\/overlays\/common\/a.yaml/);
    const built = detailed({ ...files, 'argocd/set.yaml': clusters('overlays/{{name}}') }, 'argocd/set.yaml#web-eu');
    assert.match(built, /labels: cluster=is-eu/);
  });

  it('keeps its value if a kustomization selects other clusters', () => {
    const patch = '[{op: add, path: /spec/generators/0/clusters/selector, value: {matchLabels: {a: b}}}]';
    const kustomization = `resources: [set.yaml]\npatches: [{target: {kind: ApplicationSet}, patch: '${patch}'}]\n`;
    const more = { ...files, 'argocd/kustomization.yaml': kustomization };
    const text = clusters('overlays/{{name}}');
    assert.match(detailed({ ...more, 'argocd/set.yaml': text }, 'argocd/set.yaml#web-eu'), /cluster=is-eu/);
  });

  it('is unknown without a folder before it, with another parameter, and without folders', () => {
    for (const path of ['{{name}}', 'overlays/{{name}}/{{server}}', 'other/{{name}}'])
      assert.match(found(clusters(path)).join(), /^#web-\{\{name\}\}: {2}\(.* builds an unknown folder/);
  });
});
