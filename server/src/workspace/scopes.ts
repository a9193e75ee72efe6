/** Which objects are applied together? Scopes, and how two places in the workspace stand to each other. */

import { folderOf, isWithin, resolveUri } from './uri.ts';
import { findVariants, identityOf, type Variants } from './variants.ts';
import type { WorkspaceFile } from './workspace.ts';

export interface Scope {
  readonly kind: 'kustomization' | 'chart' | 'folder' | 'file';
  /** The scope's folder, or the file of a file scope. */
  readonly path: string;
  readonly files: ReadonlySet<string>;
}

/**
 * `here`: in one scope. `elsewhere`: in another scope that may share the cluster. `apart`: alternatives, of which one
 * is applied and the other is not.
 */
export type Relation = 'here' | 'elsewhere' | 'apart';

export interface Scopes {
  of(uri: string): readonly Scope[];
  /** A file that a kustomization names as a patch: it changes objects and holds none. */
  isPatch(uri: string): boolean;
  relation(from: string, to: string): Relation;
  /** True where an object of this identity is in a scope of the file: one of the same identity elsewhere is its copy. */
  holds(uri: string, identity: string): boolean;
}

/** Finds the scopes of all files. */
export function findScopes(files: ReadonlyMap<string, WorkspaceFile>): Scopes {
  const kustomizations = readKustomizations(files);
  const scopes: Scope[] = [...kustomizationScopes(kustomizations), ...chartScopes(files)];
  const taken = new Set(scopes.flatMap((scope) => [...scope.files]));
  const patches = new Set([...kustomizations.values()].flatMap((each) => each.patches));
  const plain = [...files.values()].filter((file) => isPlain(file) && !taken.has(file.uri) && !patches.has(file.uri));
  scopes.push(...folderScopes(plain.map((file) => file.uri)));
  const byFile = new Map<string, Scope[]>();
  for (const scope of scopes) for (const uri of scope.files) byFile.set(uri, [...(byFile.get(uri) ?? []), scope]);
  return scopesOf(files, byFile, patches);
}

function scopesOf(
  files: ReadonlyMap<string, WorkspaceFile>,
  byFile: ReadonlyMap<string, readonly Scope[]>,
  patches: ReadonlySet<string>,
): Scopes {
  const identities = new Map<Scope, ReadonlySet<string>>();
  const variants = new Map<Scope, Variants>();
  const of = (uri: string) => byFile.get(uri) ?? [{ kind: 'file', path: uri, files: new Set([uri]) }];
  const identitiesOf = (scope: Scope) =>
    memo(
      identities,
      scope,
      () => new Set(filesOf(files, scope).flatMap((file) => file.manifest.objects.map(identityOf))),
    );
  const relation = (from: string, to: string): Relation => {
    if (from === to) return 'here';
    const shared = of(from).find((scope) => scope.files.has(to));
    if (shared === undefined) return haveCommonBase(of(from), of(to)) ? 'apart' : 'elsewhere';
    if (shared.kind !== 'folder') return 'here';
    return memo(variants, shared, () => findVariants(filesOf(files, shared))).areApart(from, to) ? 'apart' : 'here';
  };
  return {
    of,
    isPatch: (uri) => patches.has(uri),
    relation,
    holds: (uri, identity) => of(uri).some((scope) => identitiesOf(scope).has(identity)),
  };
}

function memo<K, V>(known: Map<K, V>, key: K, make: () => V): V {
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = make();
  known.set(key, made);
  return made;
}

function filesOf(files: ReadonlyMap<string, WorkspaceFile>, scope: Scope): readonly WorkspaceFile[] {
  return [...scope.files].flatMap((uri) => files.get(uri) ?? []);
}

/** Overlays of one base: each kustomization is built by itself. */
function haveCommonBase(a: readonly Scope[], b: readonly Scope[]): boolean {
  return a.some(
    (one) =>
      one.kind === 'kustomization' && b.some((other) => other.kind === 'kustomization' && sharesFile(one, other)),
  );
}

function sharesFile(a: Scope, b: Scope): boolean {
  for (const uri of a.files) if (b.files.has(uri)) return true;
  return false;
}

interface ResolvedKustomization {
  readonly folder: string;
  readonly component: boolean;
  readonly files: readonly string[];
  readonly folders: readonly string[];
  readonly patches: readonly string[];
}

function readKustomizations(files: ReadonlyMap<string, WorkspaceFile>): ReadonlyMap<string, ResolvedKustomization> {
  const byFolder = new Map<string, ResolvedKustomization>();
  for (const file of files.values()) {
    if (file.kustomization === undefined) continue;
    const folder = folderOf(file.uri);
    const targets = file.kustomization.resources.map((reference) => resolveUri(folder, reference.path));
    byFolder.set(folder, {
      folder,
      component: file.kustomization.component,
      files: targets.filter((target) => files.has(target)),
      folders: targets.filter((target) => !files.has(target)),
      patches: file.kustomization.patches.map((reference) => resolveUri(folder, reference.path)),
    });
  }
  return byFolder;
}

/** A scope for each kustomization that no other reaches, with everything that it reaches. */
function kustomizationScopes(kustomizations: ReadonlyMap<string, ResolvedKustomization>): readonly Scope[] {
  const reached = new Set([...kustomizations.values()].flatMap((each) => each.folders));
  const roots = [...kustomizations.values()].filter((each) => !reached.has(each.folder) && !each.component);
  return roots.map((root) => {
    const scope = new Set<string>();
    const seen = new Set<string>();
    const waiting = [root];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (seen.has(next.folder)) continue;
      seen.add(next.folder);
      for (const uri of next.files) scope.add(uri);
      for (const folder of next.folders)
        waiting.push(...[kustomizations.get(folder)].filter((each) => each !== undefined));
    }
    return { kind: 'kustomization', path: root.folder, files: scope };
  });
}

/** A scope for each chart with its subcharts: the outermost folder with a `Chart.yaml`. */
function chartScopes(files: ReadonlyMap<string, WorkspaceFile>): readonly Scope[] {
  const folders = [...files.values()].filter((file) => file.chart).map((file) => folderOf(file.uri));
  const outermost = folders.filter((folder) => !folders.some((other) => other !== folder && isWithin(folder, other)));
  return outermost.map((folder) => ({
    kind: 'chart',
    path: folder,
    files: new Set([...files.keys()].filter((uri) => isWithin(uri, folder))),
  }));
}

function isPlain(file: WorkspaceFile): boolean {
  return file.manifest.objects.some((object) => object.forCluster);
}

/** A scope for each topmost folder of an unbroken chain of folders with plain manifests. */
function folderScopes(uris: readonly string[]): readonly Scope[] {
  const folders = new Set(uris.map(folderOf));
  const scopes = new Map<string, Set<string>>();
  for (const uri of uris) {
    // An untitled document is in no folder.
    if (folderOf(uri) === '') continue;
    let top = folderOf(uri);
    for (let parent = folderOf(top); parent !== '' && folders.has(parent); parent = folderOf(parent)) top = parent;
    const members = scopes.get(top) ?? new Set();
    scopes.set(top, members.add(uri));
  }
  return [...scopes].map(([path, members]) => ({ kind: 'folder', path, files: members }));
}
