/** The results that the tests of paths compare: findings, objects and edges with absolute paths. */
import assert from 'node:assert/strict';
import { getOrAdd, once } from '../../server/src/engine/memoize.ts';
import { home, type MemoryOptions, runInMemory } from './memory-world.ts';
import { pathWorkspace } from './path-workspace.ts';

export type Files = Readonly<Record<string, string>>;

/** The environment with files in a git repository. */
export const inRepository = (files: Files = pathWorkspace): MemoryOptions => ({ files, repositories: [home] });

/** The absolute path of a path relative to a folder. */
function absolute(folder: string, path: string): string {
  const { pathname } = new URL(`file://${path.startsWith('/') ? path : `${folder}/${path}`}`);
  return pathname.replace(/(?<=.)\/$/, '');
}

/** The absolute path of a path in the repository. */
export const rooted = (path: string) => absolute(home, path);

interface InFile {
  readonly file: string;
}

interface Excerpt extends InFile {
  readonly message: string;
  readonly range: unknown;
}

interface Fix {
  readonly edits: readonly InFile[];
}

export interface Found extends Excerpt {
  readonly rule: string;
  readonly related: readonly Excerpt[];
  readonly fixes?: readonly Fix[];
}

/** The findings of a check, with absolute paths. */
export async function check(
  words: readonly string[],
  options = inRepository(),
  folder = home,
): Promise<readonly Found[]> {
  const ran = await runInMemory(['check', '--format', 'json', ...words], { ...options, currentFolder: folder });
  assert.notEqual(ran.code, 2, `${words.join(' ')}: ${ran.err.join('\n')}`);
  const { diagnostics } = ran.json as { readonly diagnostics: readonly Found[] };
  const placed = <T extends InFile>(each: T): T => ({ ...each, file: absolute(folder, each.file) });
  return diagnostics.map(({ fixes = [], ...each }) => ({
    ...placed({ ...each, related: each.related.map(placed) }),
    fixes: fixes.map((fix) => ({ ...fix, edits: fix.edits.map(placed) })),
  }));
}
export const base = 'kustomize/base';
export const prod = 'kustomize/overlays/prod';
export const dev = 'kustomize/overlays/dev';
export const canary = 'kustomize/components/canary';
export const shop = 'charts/shop';
export const db = 'charts/shop/charts/db';

export const inProd = [`${base}/service.yaml`, `${canary}/canary.yaml`];
export const builtByProd = [`${base}/config.yaml`, ...inProd, `${canary}/tag.yaml`, `${prod}/extra.yaml`];
export const inShop = [`${db}/templates/service.yaml`, `${shop}/templates/service.yaml`];
export const ofShop = [inShop[0] ?? '', `${shop}/templates/config.yaml`, inShop[1] ?? ''];
export const pol = ['pol/np.yaml', 'pol/svc.yaml'];
export const cart = ['team/back/service.yaml'];
/** The common output of `objects`, `match` and `explain` for an object. */
export interface Shown {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly file: string;
  readonly line: number;
  readonly scope: { readonly kind: string; readonly path: string };
}
/** The objects that a command lists, with absolute paths. */
export async function listed([command = '', ...words]: readonly string[], folder = home): Promise<readonly Shown[]> {
  const ran = await runInMemory([command, '--format', 'json', ...words], { ...inRepository(), currentFolder: folder });
  assert.equal(ran.code, 0, ran.err.join('\n'));
  const { objects } = ran.json as { readonly objects: readonly Shown[] };
  return objects.map((each) => ({
    ...each,
    file: absolute(folder, each.file),
    scope: { ...each.scope, path: absolute(folder, each.scope.path) },
  }));
}

export const everyFinding = once(() => check(['.']));
export const everyEdge = once(() => edges(['.']));
const lists = new Map<string, Promise<readonly Shown[]>>();
/** All objects of the repository, cached for each command. */
export const everyObject = (words: readonly string[]) =>
  getOrAdd(lists, words.join(' '), () => listed([...words, '.']));
export interface Explained {
  readonly file: string;
  readonly builtBy?: string;
}

export interface Edge {
  readonly from: string;
  readonly to: string;
  readonly path: string;
}

/** The key of a listed object: its file, kind, name and namespace. */
export function keyOf({ file, kind, name, namespace }: Omit<Shown, 'scope' | 'line'>): string {
  return `${file} ${kind}/${name} ${namespace}`;
}

/** The edges of the graph, with absolute paths. */
export async function edges(words: readonly string[]): Promise<readonly Edge[]> {
  const { json } = await runInMemory(['graph', '--format', 'json', ...words], inRepository());
  const graph = json as {
    readonly nodes: readonly (Shown & { readonly id: string })[];
    readonly edges: readonly Edge[];
  };
  const names = new Map(graph.nodes.map((node) => [node.id, keyOf({ ...node, file: rooted(node.file) })]));
  return graph.edges.map(({ from, to, path }) => ({ from: names.get(from) ?? '', to: names.get(to) ?? '', path }));
}
