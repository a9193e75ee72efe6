/**
 * Tests properties of GitOps scopes: they do not depend on the order of files or on unrelated folders, a variable is equal
 * to its value, and a snapshot after edits is equal to a new one, although only what an edit affects is rendered again.
 */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { catalogue } from '../../../server/src/engine/catalogue/index.ts';
import type { Workspace, WorkspaceFile } from '../../../server/src/workspace/model.ts';
import { readFile, withFiles, workspaceIn } from '../../../server/src/workspace/snapshot.ts';
import { relativePath } from '../../../server/src/workspace/uri.ts';
import { deployment, described, root, service, workspaceOf } from '../kustomizations.ts';

type Files = Readonly<Record<string, string>>;

function flux(name: string, spec: string): string {
  return `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: ${name}, namespace: flux-system}
spec: {sourceRef: {kind: GitRepository, name: flux-system}, ${spec}}
`;
}

function application(name: string, spec: string): string {
  return `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: ${name}, namespace: argocd}
spec: {destination: {namespace: ${name}}, ${spec}}
`;
}

const settings = (data: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: flux-system}\ndata: ${data}\n`;
const web = (labels: string) =>
  `apiVersion: v1\nkind: Service\nmetadata: {name: web, labels: ${labels}}\nspec: {selector: ${labels}}\n`;
const variables = 'postBuild: {substituteFrom: [{kind: ConfigMap, name: settings}]}';
/** In quotes, as a value of a flow map. */
const variable = `"\${TEAM}"`;
const repository = 'repoURL: https://example.com/x';
const source = `apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: flux-system, namespace: flux-system}
spec: {url: https://example.com/x}
`;

/** Two Kustomizations with a common base and variables, an Application, and an ApplicationSet. */
const files: Files = {
  'clusters/prod.yaml': flux('prod', `path: prod, targetNamespace: prod, ${variables}`),
  'clusters/test.yaml': flux('test', 'path: test, postBuild: {substitute: {TEAM: green}}'),
  'clusters/settings.yaml': settings('{TEAM: blue}'),
  'clusters/source.yaml': source,
  'prod/kustomization.yaml': 'resources: [../base, map.yaml]\n',
  'prod/map.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "map-\${TEAM}"}\n`,
  'test/kustomization.yaml': 'resources: [../base]\n',
  'base/kustomization.yaml': 'resources: [web.yaml]\n',
  'base/web.yaml': web(`{team: ${variable}}`),
  'argo/shop.yaml': application('shop', `source: {${repository}, path: shop}`),
  'argo/set.yaml': `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: set, namespace: argocd}
spec:
  generators: [{git: {${repository}, directories: [{path: plain/*}]}}]
  template:
    metadata: {name: '{{path.basename}}'}
    spec: {destination: {namespace: '{{path.basename}}'}, source: {${repository}, path: '{{path}}'}}
`,
  'shop/web.yaml': service,
  'plain/a/web.yaml': deployment,
  'plain/b/web.yaml': service,
};

/** All scopes, each with its objects, or with its files if it is not rendered. */
function scopesOf(workspace: Workspace): readonly string[] {
  return workspace
    .scopes()
    .all()
    .map((scope) => {
      const rendering = workspace.rendering(scope.path, catalogue);
      const objects = rendering?.objects.map(({ object }) => described(object)) ?? [...scope.files];
      const open = scope.closed === true ? '' : scope.closed.openBecause.join(' ');
      const state = `${rendering?.isWhole ?? ''} ${open}`.trim();
      return `${scope.kind} ${relativePath(root, scope.path)} ${state}\n${objects.toSorted().join('\n')}`;
    })
    .toSorted();
}

describe('GitOps scopes', () => {
  it('do not depend on the order of files', () => {
    const expected = scopesOf(workspaceOf(files));
    assert.equal(expected.filter((scope) => /^(?:flux|argo)/.test(scope)).length, 5);
    fc.assert(
      fc.property(fc.shuffledSubarray(Object.entries(files), { minLength: Object.keys(files).length }), (order) => {
        assert.deepEqual(scopesOf(workspaceOf(Object.fromEntries(order))), expected);
      }),
      { numRuns: 20 },
    );
  });

  it('do not depend on an unrelated folder', () => {
    const unrelated = {
      'more/kustomization.yaml': 'resources: [web.yaml]\nnamespace: more\n',
      'more/web.yaml': service,
      'zoo/deployment.yaml': deployment,
    };
    const others = scopesOf(workspaceOf(unrelated));
    const expected = [...scopesOf(workspaceOf(files)), ...others].toSorted();
    assert.deepEqual(scopesOf(workspaceOf({ ...files, ...unrelated })), expected);
    assert.deepEqual(scopesOf(workspaceOf({ ...unrelated, ...files })), expected);
  });

  it('have equal objects if a variable is replaced by its value', () => {
    const expected = scopesOf(workspaceOf(files)).find((scope) => scope.includes('clusters/prod.yaml'));
    const replaced = { ...files };
    for (const name of ['prod/map.yaml', 'base/web.yaml'])
      replaced[name] = replaced[name]?.replaceAll(/\$\{TEAM\}/g, 'blue') ?? '';
    assert.match(expected ?? '', /ConfigMap\/map-blue in prod/);
    assert.equal(
      scopesOf(workspaceOf(replaced)).find((scope) => scope.includes('clusters/prod.yaml')),
      expected,
    );
  });
});

/** Applies an edit, and returns the number of scopes that are rendered again of those that were rendered. */
function renderedAfter(edits: Files): number {
  const workspace = workspaceOf(files);
  scopesOf(workspace);
  const before = workspace.renderingCount();
  const read = Object.entries(edits).map(([name, text]) => readFile(`${root}/${name}`, text, catalogue));
  const edited = withFiles(
    workspace,
    read.map((file) => [file.uri, file]),
  );
  assert.deepEqual(scopesOf(edited), scopesOf(workspaceOf({ ...files, ...edits })));
  return edited.renderingCount() - before;
}

describe('an edit renders again only the GitOps objects that depend on', () => {
  const cases: readonly (readonly [title: string, edits: Files, rendered: number])[] = [
    ['a comment', { 'shop/web.yaml': `# comment\n${service}` }, 1],
    ['the value of a variable', { 'clusters/settings.yaml': settings('{TEAM: red}') }, 1],
    ['a variable in a Kustomization', { 'clusters/test.yaml': flux('test', 'path: test') }, 1],
    ['a label of a base', { 'base/web.yaml': web(`{team: ${variable}, app: web}`) }, 2],
    ['the name of an object of a base', { 'base/web.yaml': service.replace('name: web', 'name: shop') }, 2],
    ['an object that is added', { 'plain/a/more.yaml': service }, 1],
    ['a path, so that its folder becomes a scope', { 'clusters/test.yaml': flux('test', 'path: prod') }, 2],
    ['a folder that is added', { 'plain/c/web.yaml': service }, 1],
  ];
  for (const [title, edits, rendered] of cases) it(title, () => assert.equal(renderedAfter(edits), rendered));
});

const names = [...Object.keys(files), 'clusters/kustomization.yaml', 'chart/Chart.yaml', 'chart/templates/web.yaml'];

const texts = [
  ...Object.values(files),
  '',
  'half: [typed',
  settings('{TEAM: red}'),
  settings('{OTHER: red}'),
  flux('prod', 'path: test'),
  flux('all', 'path: ./'),
  flux('parent', `path: clusters, ${variables}`),
  flux('child', `path: ${variable}, dependsOn: [{name: parent}]`),
  application('shop', `source: {${repository}, path: chart, helm: {releaseName: web}}`),
  application('root', `source: {${repository}, path: argo}`),
  'resources: [prod.yaml, settings.yaml]\nnamespace: other\n',
  'resources: [prod.yaml]\npatches: [{target: {kind: Kustomization}, patch: "[{op: replace, path: /spec/targetNamespace, value: patched}]"}]\n',
  'apiVersion: v2\nname: shop\n',
  "apiVersion: v1\nkind: Service\nmetadata: {name: '{{ .Release.Name }}'}\nspec: {selector: {app: web}}\n",
];

describe('a snapshot after changes of GitOps objects', () => {
  it('equals a new one', () => {
    const change = fc.tuple(
      fc.constantFrom(...names),
      fc.option(fc.constantFrom(...texts), { nil: undefined, freq: 8 }),
    );
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), (changes) => {
        const now = new Map(Object.entries(files).map(([name, text]) => [`${root}/${name}`, text]));
        let workspace = workspaceOf(files);
        for (const [name, text] of changes) {
          scopesOf(workspace);
          const uri = `${root}/${name}`;
          const file: WorkspaceFile | undefined = text === undefined ? undefined : readFile(uri, text, catalogue);
          workspace = withFiles(workspace, [[uri, file]]);
          if (text === undefined) now.delete(uri);
          else now.set(uri, text);
        }
        const read = [...now].map(([uri, text]) => [uri, readFile(uri, text, catalogue)] as const);
        assert.deepEqual(scopesOf(workspace), scopesOf(workspaceIn([root], read)));
      }),
      { numRuns: 60 },
    );
  });
});
