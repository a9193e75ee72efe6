/** Tests that a new rule needs no statement about caching: what it reads through the workspace decides when its files are checked again. */

import assert from 'node:assert/strict';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import type { Selector } from '../../server/src/engine/index.ts';
import type { Finding } from '../../server/src/rules/framework/rule.ts';
import { namesIn } from '../../server/src/workspace/kustomize/folder-names.ts';
import type { Workspace, WorkspaceFile } from '../../server/src/workspace/model.ts';
import {
  filesThatGenerate,
  filesThatName,
  identitiesIn,
  objectsNamed,
  objectsOfKind,
} from '../../server/src/workspace/references/names.ts';
import { usesOf } from '../../server/src/workspace/references/namespaces-around.ts';
import { folderOf } from '../../server/src/workspace/uri.ts';
import { folder, Watched } from './watched-problems.ts';

const files: Readonly<Record<string, string>> = {
  'own/kustomization.yaml': 'resources: [pod.yaml]\n',
  'own/pod.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: own, namespace: own, labels: {own: own}}\n',
  'far/kustomization.yaml':
    'resources: [pod.yaml, service.yaml]\nconfigMapGenerator: [{name: settings, literals: [a=b]}]\n',
  'far/pod.yaml':
    'apiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: far, labels: {app: web}, annotations: {note: a}}\nspec: {containers: [{name: a, image: a, envFrom: [{configMapRef: {name: settings}}]}]}\n',
  'far/service.yaml':
    'apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: far}\nspec: {selector: {app: web}}\n',
  'other/kustomization.yaml': 'resources: [pod.yaml]\n',
  'other/pod.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: other, namespace: other, labels: {other: a}}\n',
};

type UriOf = (path: string) => string;
const uriOf: UriOf = (path) => `${folder}/${path}`;
/** The same files without kustomizations, in one folder. */
const inOneFolder: UriOf = (path) => `${folder}/all/${path.replace('/', '-')}`;
const web: Selector = { kind: 'all', requirements: [{ key: 'app', operator: '=', values: ['web'] }] };
const labelsIn = ({ manifest }: WorkspaceFile) =>
  manifest.objects.flatMap(({ labelSites }) =>
    labelSites.flatMap(({ entries }) => entries.map(({ value }) => value.text)),
  );

interface Case {
  /** What a rule that checks `own/pod.yaml` reads. */
  read(workspace: Workspace, uriOf: UriOf): unknown;
  /** A file of another scope, and an edit of it after which the rule reads something else. */
  readonly edit: readonly [path: string, before: string, after: string];
  /** Whether the rule reads so much that it also depends on all other edits. */
  readonly isBroad?: true;
  /** Whether what it reads depends on kustomizations. */
  readonly isBuilt?: true;
}

const cases: Readonly<Record<string, Case>> = {
  'a file': {
    read: ({ files: all }, uriOf) => [all.get(uriOf('far/pod.yaml')) ?? []].flat().flatMap(labelsIn),
    edit: ['far/pod.yaml', 'app: web', 'app: api'],
  },
  'whether a file exists': {
    read: ({ files: all }, uriOf) => all.has(uriOf('far/new.yaml')),
    edit: ['far/new.yaml', '', 'apiVersion: v1\nkind: Pod\nmetadata: {name: new}\n'],
  },
  'the names in a folder': {
    read: (workspace, uriOf) => namesIn(workspace, folderOf(uriOf('far/new.yaml'))).size,
    edit: ['far/new.yaml', '', 'apiVersion: v1\nkind: Pod\nmetadata: {name: new}\n'],
  },
  'all files': {
    read: ({ files: all }) => [...all.values()].flatMap(labelsIn),
    edit: ['far/pod.yaml', 'app: web', 'app: api'],
    isBroad: true,
  },
  'the objects that a selector matches': {
    read: (workspace) => [...workspace.find('/Pod', web)].map(({ file }) => file.uri),
    edit: ['far/pod.yaml', 'app: web', 'app: api'],
  },
  'whether objects of a kind have a key': {
    read: (workspace) => workspace.hasKey('/Pod', 'tier'),
    edit: ['far/pod.yaml', 'app: web', 'tier: web'],
  },
  'the objects with a label': {
    read: (workspace) => workspace.carrying('app', 'web').length,
    edit: ['far/pod.yaml', 'app: web', 'app: api'],
    isBroad: true,
  },
  'the selectors that match labels': {
    read: (workspace) => [...workspace.selectingIds('/Pod', { labels: { app: 'web' }, open: false })].length,
    edit: ['far/service.yaml', 'app: web', 'app: api'],
    isBroad: true,
  },
  'the objects that another scope applies': {
    read: (workspace) =>
      workspace.rendering(uriOf('far'), catalogue)?.objects.map(({ object }) => object.labels?.entries.length),
    edit: ['far/pod.yaml', 'app: web', 'app: web, tier: a'],
    isBuilt: true,
  },
  'the objects with a name': {
    read: (workspace) => objectsNamed(workspace, 'Pod', 'api').length,
    edit: ['far/pod.yaml', 'name: web', 'name: api'],
  },
  'the objects of a kind': {
    read: (workspace) => objectsOfKind(workspace, 'Service').length,
    edit: ['far/service.yaml', 'kind: Service', 'kind: Widget'],
  },
  'the identities of objects of a kind': {
    read: (workspace) => [...identitiesIn(workspace, 'Pod')].length,
    edit: ['far/pod.yaml', 'kind: Pod', 'kind: Widget'],
  },
  'the uses of a namespace': {
    read: (workspace) => usesOf(workspace, 'near', 10),
    edit: ['far/pod.yaml', 'namespace: far', 'namespace: near'],
  },
  'the references to a name': {
    read: (workspace) => filesThatName(workspace, 'settings').length,
    edit: ['far/pod.yaml', 'configMapRef: {name: settings}', 'configMapRef: {name: other}'],
  },
  'the kustomizations that generate an object': {
    read: (workspace) => filesThatGenerate(workspace, 'ConfigMap', 'settings').length,
    edit: ['far/kustomization.yaml', 'name: settings', 'name: others'],
    isBuilt: true,
  },
};

/** A rule that reports what it reads. */
function reporting(message: string): Finding {
  const span = { start: 0, end: 1 };
  return { rule: 'new', severity: 'warning', span, message, related: [], tags: [], fixes: () => [] };
}

/** Edits a file that a new rule reads, and then a file that it does not read. */
async function edited({ read, edit: [path, before, after] }: Case, uriOf: UriOf, isUsed: (path: string) => boolean) {
  const own = uriOf('own/pod.yaml');
  const used = Object.entries(files).filter(([each]) => isUsed(each));
  const watched = await new Watched(
    used.map(([each, text]) => [uriOf(each), text] as const),
    ({ uri }, { session }) => (uri === own ? [reporting(JSON.stringify(read(session.snapshot(), uriOf)))] : []),
  ).load();
  const found = async () => (await watched.run()).get(own)?.[0];
  const first = await found();
  const text = files[path] ?? '';
  assert.ok(text.includes(before));
  await watched.write(uriOf(path), text.replace(before, after));
  const expected = JSON.stringify(read(watched.session.snapshot(), uriOf));
  const second = await found();
  assert.notEqual(second, first);
  assert.ok(second?.endsWith(` ${expected}`), second);
  await watched.write(uriOf('other/pod.yaml'), files['other/pod.yaml']?.replace('other: a', 'other: b') ?? '');
  await watched.run();
  return watched.checked.includes(own);
}

/** Returns the files with pods that are checked again after an edit. Their findings must be those of a fresh check. */
async function podsCheckedAfter(texts: ConstructorParameters<typeof Watched>[0], path: string, text: string) {
  const watched = await new Watched(texts).load();
  await watched.run();
  await watched.write(uriOf(path), text);
  await watched.run();
  const anew = await new Watched(watched.source.texts).load();
  assert.deepEqual(watched.found, await anew.run());
  return watched.checked.map((uri) => uri.slice(folder.length + 1)).filter((each) => each.endsWith('pod.yaml'));
}

describe('a new rule is evaluated again after an edit of another scope that changes', () => {
  for (const [what, each] of Object.entries(cases))
    it(what, async () => assert.equal(await edited(each, uriOf, () => true), each.isBroad === true));
});

describe('a new rule is evaluated again after an edit of another file in a folder that changes', () => {
  for (const [what, each] of Object.entries(cases))
    if (!each.isBuilt)
      it(what, async () =>
        assert.equal(
          await edited(each, inOneFolder, (path) => !path.endsWith('kustomization.yaml')),
          each.isBroad === true,
        ),
      );
});

describe('an edit of the definition of a GitOps object', () => {
  const definition = (name: string) =>
    `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: ${name}, namespace: flux-system}\nspec:\n  interval: 5m\n  path: ./${name}\n  sourceRef: {kind: GitRepository, name: flux-system}\n`;
  const podOf = (name: string) => `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}, labels: {app: ${name}}}\n`;

  it('concerns only the objects that it builds before or after', async () => {
    const names = ['web', 'api', 'cache'];
    const watched = await new Watched(
      names.flatMap((name) => [
        [uriOf(`clusters/${name}.yaml`), definition(name)] as const,
        [uriOf(`${name}/pod.yaml`), podOf(name)] as const,
      ]),
    ).load();
    await watched.run();
    await watched.write(uriOf('clusters/web.yaml'), definition('web').replace('interval: 5m', 'interval: 9m'));
    await watched.run();
    assert.deepEqual(
      ['api/pod.yaml', 'cache/pod.yaml'].filter((path) => watched.checked.includes(uriOf(path))),
      [],
    );
    await watched.write(uriOf('clusters/web.yaml'), definition('web').replace('path: ./web', 'path: ./api'));
    await watched.run();
    assert.ok(watched.checked.includes(uriOf('api/pod.yaml')));
    assert.ok(!watched.checked.includes(uriOf('cache/pod.yaml')));
  });
});

describe('an edit of a kustomization that applies definitions of GitOps objects', () => {
  const names = ['web', 'api'];
  const definition = (name: string) =>
    `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: ${name}, namespace: flux-system}\nspec:\n  path: ./${name}\n  sourceRef: {kind: GitRepository, name: flux-system}\n  postBuild: {substituteFrom: [{kind: ConfigMap, name: ${name}}]}\n`;
  const settings = (name: string, value: string) =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: flux-system}\ndata: {tier: ${value}}\n`;
  const list = (timeout: string) =>
    `resources: [web.yaml, api.yaml, web-settings.yaml, api-settings.yaml]\npatches:\n  - target: {kind: Kustomization, name: web}\n    patch: '[{op: add, path: /spec/timeout, value: ${timeout}}]'\n`;
  const texts = [
    [uriOf('clusters/kustomization.yaml'), list('5m')] as const,
    ...names.flatMap((name) => [
      [uriOf(`clusters/${name}.yaml`), definition(name)] as const,
      [uriOf(`clusters/${name}-settings.yaml`), settings(name, 'a')] as const,
      [
        uriOf(`${name}/pod.yaml`),
        `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}, labels: {app: "\${tier}"}}\n`,
      ] as const,
    ]),
  ];
  it('concerns only the objects of those whose definitions it changes', async () => {
    assert.deepEqual(await podsCheckedAfter(texts, 'clusters/kustomization.yaml', list('9m')), ['web/pod.yaml']);
  });

  it('or of a ConfigMap concerns only the objects of those that read it', async () => {
    assert.deepEqual(await podsCheckedAfter(texts, 'clusters/web-settings.yaml', settings('web', 'b')), [
      'web/pod.yaml',
    ]);
  });
});

describe('an edit of a chart', () => {
  const texts = ['web', 'api'].flatMap((name) => [
    [uriOf(`${name}/Chart.yaml`), `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`] as const,
    [uriOf(`${name}/values.yaml`), 'label: a\n'] as const,
    [uriOf(`${name}/templates/_helpers.tpl`), '{{ define "label" }}a{{ end }}\n'] as const,
    [
      uriOf(`${name}/templates/pod.yaml`),
      `apiVersion: v1\nkind: Pod\nmetadata:\n  name: ${name}\n  labels:\n    app: {{ .Values.label }}\n    tier: {{ include "label" . }}\n`,
    ] as const,
  ]);

  it('of its values or helpers concerns the objects of this chart', async () => {
    assert.deepEqual(await podsCheckedAfter(texts, 'web/values.yaml', 'label: -b\n'), ['web/templates/pod.yaml']);
    assert.deepEqual(await podsCheckedAfter(texts, 'web/templates/_helpers.tpl', '{{ define "label" }}-b{{ end }}\n'), [
      'web/templates/pod.yaml',
    ]);
  });

  it('of a comment in its values concerns no object', async () => {
    assert.deepEqual(await podsCheckedAfter(texts, 'web/values.yaml', '# said\nlabel: a\n'), []);
  });
});

describe('an edit of the definition of a kind', () => {
  const definition = (label: string, plural: string) =>
    `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: widgets.example.com\n  labels: {app: ${label}}\nspec:\n  group: example.com\n  names: {kind: Widget, plural: ${plural}}\n  scope: Namespaced\n  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]\n`;
  const uri = uriOf('definitions/widget.yaml');

  it('concerns all files only if it defines the kind otherwise', async () => {
    const watched = await new Watched([
      [uri, definition('a', 'widgets')],
      ...['far/kustomization.yaml', 'far/pod.yaml', 'far/service.yaml'].map(
        (path) => [uriOf(path), files[path] ?? ''] as const,
      ),
    ]).load();
    await watched.run();
    await watched.write(uri, definition('b', 'widgets'));
    await watched.run();
    assert.ok(watched.checked.includes(uri) && !watched.checked.includes(uriOf('far/pod.yaml')));
    await watched.write(uri, definition('b', 'widget'));
    await watched.run();
    assert.ok(watched.checked.includes(uriOf('far/pod.yaml')));
  });
});

describe('a new rule that reads which files are applied together with a file around it is evaluated again after a change', () => {
  const pod = (name: string) => `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\n`;
  /** Returns the files around a file, as a rule in another file finds them before and after a change. */
  const aroundAfter = async (
    texts: Readonly<Record<string, string>>,
    [own, read]: readonly [own: string, read: string],
    change: (watched: Watched) => Promise<void>,
  ) => {
    const watched = await new Watched(
      Object.entries(texts).map(([path, text]) => [uriOf(path), text] as const),
      ({ uri }, { session }) => {
        if (uri !== uriOf(own)) return [];
        const around = session.snapshot().scopes().filesAround(uriOf(read));
        return [reporting([...around].map((each) => each.slice(folder.length + 1)).join())];
      },
    ).load();
    const files = async () => (await watched.run()).get(uriOf(own))?.[0]?.split(' ').at(-1)?.split(',').toSorted();
    const before = await files();
    await change(watched);
    return [before, await files()];
  };

  it('of the files of a configuration', async () => {
    const texts = {
      '.selector-lens.yaml': 'rules: {unused-object: information}\n',
      'base/kustomization.yaml': 'resources: [pod.yaml]\n',
      'base/pod.yaml': pod('base'),
      'some/own/pod.yaml': pod('own'),
    };
    const kept = ['.selector-lens.yaml', 'base/pod.yaml', 'some/own/pod.yaml'];
    assert.deepEqual(
      await aroundAfter(texts, ['some/own/pod.yaml', '.selector-lens.yaml'], (watched) =>
        watched.delete(uriOf('base/kustomization.yaml')),
      ),
      [[...kept, 'base/kustomization.yaml'].toSorted(), kept],
    );
  });

  it('of the files without objects of a configuration', async () => {
    const texts = {
      '.selector-lens.yaml': 'rules: {unused-object: information}\n',
      'some/own/pod.yaml': pod('own'),
    };
    const kept = Object.keys(texts);
    assert.deepEqual(
      await aroundAfter(texts, ['some/own/pod.yaml', '.selector-lens.yaml'], (watched) =>
        watched.write(uriOf('other/values.yaml'), 'color: red\n'),
      ),
      [kept, [...kept, 'other/values.yaml'].toSorted()],
    );
  });

  it('of a declared scope that is applied together with the scope of the file', async () => {
    const texts = {
      '.selector-lens.yaml':
        'scopes:\n  - {name: own, paths: [own/**], with: [shared]}\n  - {name: shared, paths: [shared/**], with: [far]}\n  - {name: far, paths: [far/**]}\n',
      'own/pod.yaml': pod('own'),
      'shared/pod.yaml': pod('shared'),
      'far/pod.yaml': pod('far'),
    };
    const kept = ['.selector-lens.yaml', 'far/pod.yaml', 'own/pod.yaml', 'shared/pod.yaml'];
    assert.deepEqual(
      await aroundAfter(texts, ['own/pod.yaml', 'shared/pod.yaml'], (watched) =>
        watched.write(uriOf('far/service.yaml'), pod('service')),
      ),
      [kept, [...kept, 'far/service.yaml'].toSorted()],
    );
  });
});
