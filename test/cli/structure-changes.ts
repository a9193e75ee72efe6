/** Random changes of the structure of a workspace: of which files there are, and of what kustomizations list. */

import { dirname, join, relative } from 'node:path/posix';

/** Changes that add, move and delete files, and change the lists and options of kustomizations. */
export const structureKinds = [
  'delete',
  'restore',
  'restore',
  'move',
  'copy',
  'copy here',
  'list',
  'list',
  'list folder',
  'unlist',
  'unlist',
  'new kustomization',
  'option',
  'break',
  'unknown kind',
  'new folder',
  'definition',
  'definition',
];

const names = ['web.yaml', 'webs.yaml', 'extra.yaml', 'names.yaml', 'service.yaml', 'patch.yaml'];

const options = [
  'namespace: shop\n',
  'namespace: shops\n',
  'namePrefix: web-\n',
  'labels: [{pairs: {app: web}, includeSelectors: true}]\n',
  'labels: [{pairs: {team: red}, includeTemplates: true}]\n',
  'patches: [{patch: "- {op: add, path: /metadata/labels/app, value: web}", target: {kind: ConfigMap}}]\n',
  'configMapGenerator: [{name: web, literals: [a=b]}]\n',
  'generatorOptions: {disableNameSuffixHash: true}\nconfigMapGenerator: [{name: api, literals: [a=b]}]\n',
  'kind: Component\napiVersion: kustomize.config.k8s.io/v1alpha1\n',
  'transformers: [transformer.yaml]\n',
];

const isKustomization = (path: string) => path.endsWith('kustomization.yaml');

/** Makes one change of the structure, if `kind` is one of `structureKinds`; `path` is the file to change. */
export function restructure(now: Map<string, string>, path: string, kind: string, seed: number): void {
  const all = [...now.keys()];
  const folders = [...new Set(all.map((each) => dirname(each)))];
  const folder = pick(folders, seed) ?? '.';
  const name = pick(names, Math.floor(seed / 7)) ?? '';
  const text = now.get(path);
  if (kind === 'copy' && text !== undefined && !isKustomization(path)) now.set(join(folder, name), text);
  if (kind === 'copy here' && text !== undefined && !isKustomization(path)) now.set(join(dirname(path), name), text);
  if (kind === 'break' && text !== undefined) now.set(path, `${text}\n  "x: [\n`);
  if (kind === 'unknown kind' && text !== undefined && !isKustomization(path))
    now.set(path, `${text}---\napiVersion: example.com/v1\nkind: Unknown\nmetadata: {name: unknown}\n`);
  if (kind === 'new folder' && text !== undefined && !isKustomization(path))
    now.set(join(dirname(folder), 'extra', name), text);
  if (kind === 'definition') redefine(now, path, seed);
  const kustomization = pick(all.filter(isKustomization), seed);
  if (kind === 'new kustomization') {
    const beside = all.filter((each) => dirname(each) === folder && /\.yaml$/.test(each) && !isKustomization(each));
    const listed = beside.filter((_, number) => ((seed >> number) & 1) === 0).map((each) => relative(folder, each));
    now.set(join(folder, 'kustomization.yaml'), `resources: [${listed.join(', ')}]\n`);
  }
  if (kustomization === undefined) return;
  const list = (target: string) => {
    const field = pick(['resources', 'resources', 'components', 'patches', 'bases'], Math.floor(seed / 11)) ?? '';
    const from = relative(dirname(kustomization), target) || '.';
    const entry = field === 'patches' ? `{path: ${from}}` : from;
    now.set(kustomization, withEntry(now.get(kustomization) ?? '', field, entry));
  };
  const near = all.filter((each) => !isKustomization(each) && dirname(each).startsWith(dirname(kustomization)));
  if (kind === 'list')
    list(pick(seed % 3 === 0 ? all : near, Math.floor(seed / 3)) ?? join(dirname(kustomization), name));
  if (kind === 'list folder') list(pick(folders, Math.floor(seed / 5)) ?? '.');
  if (kind === 'unlist') now.set(kustomization, withoutEntry(now.get(kustomization) ?? '', Math.floor(seed / 3)));
  if (kind === 'option') now.set(kustomization, withOption(now.get(kustomization) ?? '', seed));
}

function pick<T>(choice: readonly T[], seed: number): T | undefined {
  return choice[seed % choice.length];
}

const definitionFields =
  /(\b(?:path|targetNamespace|namespace|server|name|url|repoURL|branch|targetRevision): ?)([^\s,{}]+)/g;

/** Replaces the value of a field in a file that defines GitOps objects with a value of this field in any such file. */
function redefine(now: Map<string, string>, path: string, seed: number): void {
  const fieldsOf = (text = '') => (/fluxcd|argoproj/.test(text) ? [...text.matchAll(definitionFields)] : []);
  const text = now.get(path) ?? '';
  const chosen = pick(fieldsOf(text), seed);
  if (chosen === undefined) return;
  const [all, field] = chosen;
  const values = [...now.values()].flatMap((each) =>
    fieldsOf(each).flatMap(([, name, value]) => (name === field ? value : [])),
  );
  const value = pick([...values, 'other'], Math.floor(seed / 7));
  now.set(path, `${text.slice(0, chosen.index)}${field}${value}${text.slice(chosen.index + all.length)}`);
}

/** Adds an entry to a list of a kustomization in flow style. */
function withEntry(text: string, field: string, entry: string): string {
  const list = new RegExp(`^(${field}: \\[)(.*)(\\])$`, 'm');
  if (!list.test(text)) return text.includes(`${field}:`) ? text : `${text}${field}: [${entry}]\n`;
  return text.replace(
    list,
    (_, start, entries, end) => `${start}${entries === '' ? '' : `${entries}, `}${entry}${end}`,
  );
}

/** Removes one entry of the lists in flow style. */
function withoutEntry(text: string, seed: number): string {
  const lists = [...text.matchAll(/^(resources|components|patches|bases): \[(.+)\]$/gm)];
  const chosen = pick(lists, seed);
  if (chosen === undefined) return text;
  const entries = (chosen[2] ?? '').split(', ');
  const left = entries.toSpliced(Math.floor(seed / 3) % entries.length, 1);
  return text.replace(chosen[0], `${chosen[1]}: [${left.join(', ')}]`);
}

/** Adds an option, or removes the option in a line. */
function withOption(text: string, seed: number): string {
  const option = pick(options, Math.floor(seed / 2)) ?? '';
  return text.includes(option) ? text.replace(option, '') : `${text}${option}`;
}
