/** Workspaces and random changes of their files, for tests that compare a check after changes with a fresh one. */

import { service, web } from './manifests.ts';
import { restructure } from './structure-changes.ts';

/** Files with findings that depend on other files, on kustomizations, on a configuration and on values. */
export const related: Readonly<Record<string, string>> = {
  'near/deployment.yaml': web.replaceAll('shop', 'near').replace('        tier: pod\n', ''),
  'near/service.yaml': service.replaceAll('shop', 'near').replace(/app: web\n$/, 'app: wbe\n'),
  'built/base/kustomization.yaml': 'resources:\n- deployment.yaml\n- service.yaml\nlabels:\n- pairs:\n    team: red\n',
  'built/base/deployment.yaml': `${web.replaceAll('shop', 'built')}    spec:
      containers:
      - name: web
        image: example.com/web:1.0.0
        ports:
        - name: http
          containerPort: 8080
`,
  'built/base/service.yaml': `${service.replaceAll('shop', 'built')}  ports:
  - name: http
    port: 80
    targetPort: http
`,
  'built/over/kustomization.yaml': `resources:
- ../base
namePrefix: over-
patches:
- path: patch.yaml
images:
- name: example.com/web
  newTag: 2.0.0
configMapGenerator:
- name: settings
  files:
  - settings.json
`,
  'built/over/settings.json': '{"color": "red"}\n',
  'built/over/patch.yaml':
    'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n  namespace: built\nspec:\n  selector:\n    matchLabels:\n      app: webs\n',
  'chart/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
  'chart/values.yaml': 'labels:\n  app: shop\nname: shop\n',
  'chart/templates/service.yaml': `${service.replace('app: web\nspec', '{{- toYaml .Values.labels | nindent 4 }}\nspec')}`,
  'defined/definition.yaml': `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  names: {kind: Widget, plural: widgets}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {selector: {type: object, properties: {matchLabels: {type: object, additionalProperties: {type: string}}}}}}}}}
`,
  'defined/widget.yaml':
    'apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: one\nspec:\n  selector:\n    matchLabels:\n      app: "-b"\n',
  '.selector-lens.yaml': 'rules:\n  label-value-syntax: warning\n',
  'run.sh': '#!/bin/sh\nkubectl get pods -l app=web,\n',
};

/** The changed part of a file, by the word that introduces it; other kinds of changes concern the whole file. */
const edits = {
  image: /(?<=image: \S*:)\S+/g,
  port: /(?<=[pP]ort: )\d+|(?<=- name: )http/g,
  label: /(?<=labels:\n\s+\S+: ?)\S+/g,
  selector: /(?<=(?:matchLabels|selector):\n\s+\S+: ?)\S+/g,
  name: /(?<=\bname: ?)\S+/g,
  namespace: /(?<=namespace: ?)\S+/g,
  word: /[a-z]{3,}/g,
  value: /(?<=: )[\w.-]+$/gm,
} as const;
type Edit = keyof typeof edits;

/** Few words, so that a change often adds or removes a match. */
const words = {
  'label value': {
    pattern: /(?<=\b(?:app|tier|team): ?)[\w-]+/g,
    words: ['web', 'webs', 'api', 'red', 'shop', 'front'],
  },
  'label key': { pattern: /\b(?:app|tier|team)(?=: ?\w)/g, words: ['app', 'tier', 'team', 'group'] },
  'other namespace': { pattern: /(?<=namespace: ?)[\w-]+/g, words: ['shop', 'shops', 'bank'] },
  'other name': { pattern: /(?<=metadata:\n? *\{?name: ?)[\w-]+/g, words: ['web', 'webs', 'api', 'shop', 'other'] },
  'other reference': {
    pattern: /(?<=(?:Ref: |AccountName|serviceName).*(?:name|Name): ?)[\w-]+/g,
    words: ['web', 'webs', 'api', 'apis'],
  },
  argument: { pattern: /(?<=-l app=)[\w-]+/g, words: ['web', 'webs', 'api', 'red'] },
} as const;
type Word = keyof typeof words;

function isWord(kind: string): kind is Word {
  return Object.hasOwn(words, kind);
}

/** Changes of labels and selectors that keep the scopes: findings in few other files may change. */
export const visibleKinds = [
  'label value',
  'label value',
  'label key',
  'label',
  'selector',
  'port',
  'argument',
  'comment',
];

/** Changes of names, and changes that add and remove objects in a file. */
export const nameKinds = [
  'other name',
  'other name',
  'other namespace',
  'other reference',
  'add object',
  'remove object',
];

function isEdit(kind: string): kind is Edit {
  return Object.hasOwn(edits, kind);
}

/** Changes that keep the facts of most files. */
export const quietKinds = ['comment', 'comment at the top', 'blank line', 'image', 'suppression', 'none'];

export const changeKinds = [
  ...Object.keys(edits),
  ...Object.keys(words),
  ...quietKinds,
  'add object',
  'remove object',
  'configuration',
  'kustomization',
  'values',
  'script',
  'delete',
  'restore',
  'move',
];

/** The files for changes of some kinds; other changes concern any file. */
const filesOf: Readonly<Record<string, RegExp>> = {
  configuration: /\.selector-lens\.yaml$/,
  kustomization: /kustomization\.yaml$/,
  values: /values\.yaml$|settings\.json$/,
  script: /\.sh$/,
};

/** Makes one change of a kind; `seed` selects the position. */
export function changeOne(
  now: Map<string, string>,
  all: readonly (readonly [path: string, text: string])[],
  file: number,
  kind: string,
  seed: number,
): void {
  const wanted = filesOf[kind];
  const choice = wanted === undefined ? all : all.filter(([path]) => wanted.test(path));
  const [path, original] = choice[file % choice.length] ?? ['', ''];
  const text = now.get(path);
  if (kind === 'restore') now.set(path, original);
  restructure(now, path, kind, seed);
  if (kind === 'none' || text === undefined) return;
  if (kind === 'delete' || kind === 'move') now.delete(path);
  if (kind === 'move') now.set(`moved/${path}`, text);
  const lines = text.split('\n');
  const insert = (line: number, added: string) => now.set(path, lines.toSpliced(line, 0, added).join('\n'));
  if (kind === 'comment') insert(seed % (lines.length + 1), `  # Number ${seed % 7}.`);
  if (kind === 'comment at the top') insert(0, `# Number ${seed % 7}.`);
  if (kind === 'blank line') insert(seed % (lines.length + 1), '');
  if (kind === 'suppression') insert(seed % (lines.length + 1), '# selector-lens-disable-next-line');
  if (kind === 'add object') now.set(path, `${text}---\n${all[seed % all.length]?.[1]}`);
  if (kind === 'remove object')
    now.set(
      path,
      text
        .split('---\n')
        .toSpliced(seed % 3, 1)
        .join('---\n'),
    );
  if (isWord(kind)) chooseWord(now, path, text, words[kind], seed);
  if (isEdit(kind) || wanted !== undefined) editOne(now, path, text, isEdit(kind) ? edits[kind] : edits.value, seed);
}

/** Changes the last letter of one match, so that the length stays equal: only the content differs. */
function editOne(now: Map<string, string>, path: string, text: string, pattern: RegExp, seed: number): void {
  const found = [...text.matchAll(pattern)];
  const match = found[seed % found.length];
  if (match === undefined) return;
  const changed = match[0].replace(/.$/, (letter) =>
    letter === 'x' ? 'y' : letter === '1' ? '2' : /\d/.test(letter) ? '1' : 'x',
  );
  now.set(path, text.slice(0, match.index) + changed + text.slice(match.index + match[0].length));
}

/** Replaces one match with one of some words. */
function chooseWord(
  now: Map<string, string>,
  path: string,
  text: string,
  { pattern, words: choice }: (typeof words)[Word],
  seed: number,
): void {
  const found = [...text.matchAll(pattern)];
  const match = found[seed % found.length];
  if (match === undefined) return;
  const word = choice[Math.floor(seed / found.length) % choice.length] ?? '';
  now.set(path, text.slice(0, match.index) + word + text.slice(match.index + match[0].length));
}
