/** Finds the files that are applied together with some files. */

import { getOrAdd } from '../../engine/memoize.ts';
import { filesNamedBy, kustomizationsNaming, type Structure } from '../kustomize/named-files.ts';
import { isRendered, type Scope } from '../scopes/model.ts';
import { pathInTemplate, type ScopeFacts } from '../scopes/scope-facts.ts';
import { filesInSiblings } from '../scopes/sibling-folders.ts';
import { folderOf } from '../uri.ts';

/** Finds the files that share a scope, and the files in neighboring plain folders, in one state of a workspace. */
export class Neighbors {
  readonly #structure: Structure;

  constructor(structure: Structure) {
    this.#structure = structure;
  }

  /** Returns the given files and all files that share a scope with one of them. */
  of(uris: Iterable<string>): ReadonlySet<string> {
    const found = new Set(uris);
    const seen = new Set<object>();
    const isNew = (scope: object) => !seen.has(scope) && seen.add(scope);
    const scopes = this.#structure.scopes();
    const add = (files: Iterable<string>) => {
      for (const each of files) found.add(each);
    };
    for (const uri of [...found]) {
      const facts = scopes.factsOf(uri);
      const places = facts === undefined ? [] : [uri, ...facts.templates.map(({ name }) => pathInTemplate(uri, name))];
      for (const place of places) {
        const around = scopes.filesAround(place);
        if (!isNew(around)) continue;
        add(around);
        add(filesInSiblings(scopes, place));
      }
      // What a definition of a GitOps object builds is compared as a whole.
      const applied = this.#scopesOf(uri).filter(({ gitops, files }) => gitops?.uri !== uri || files.has(uri));
      for (const scope of applied) if (isNew(scope)) add(this.filesOf(scope));
      if (facts?.kustomization !== undefined) add(this.#beside(uri));
    }
    return found;
  }

  /** Whether a file is applied only together with the files of its folders or charts, as they are written. */
  isPlain(uri: string): boolean {
    const scopes = this.#scopesOf(uri);
    const isPlain = (scope: Scope) => (scope.kind === 'folder' || scope.kind === 'chart') && !isRendered(scope);
    return scopes.length > 0 && scopes.every(isPlain);
  }

  /** Returns the files that are applied together with a file, and those in neighboring plain folders. */
  around(uri: string): ReadonlySet<string> {
    const scopes = this.#structure.scopes();
    const here = scopes.filesAround(uri);
    const known = getOrAdd(withSiblings, scopes.all(), () => new Map<ReadonlySet<string>, ReadonlySet<string>>());
    return getOrAdd(known, here, () => {
      const siblings = filesInSiblings(scopes, uri);
      return siblings.length === 0 ? here : new Set([...here, ...siblings]);
    });
  }

  /** Returns the paths of the scopes in which a file takes part. */
  pathsOf(uri: string): ReadonlySet<string> {
    return new Set(this.#scopesOf(uri).map((scope) => scope.path));
  }

  /** Whether a file takes part in a scope of which a path is given. */
  takesPartIn(uri: string, paths: ReadonlySet<string>): boolean {
    // Thousands of GitOps objects may be defined in one file, and one of the first usually suffices.
    for (const scopes of this.#takingPart(uri)) if (scopes.some(({ path }) => paths.has(path))) return true;
    return false;
  }

  /**
   * Returns the scopes in which a file takes part: as a manifest, as a kustomization, or as a file that a kustomization
   * names.
   */
  *#takingPart(uri: string): Iterable<readonly Scope[]> {
    const scopes = this.#structure.scopes();
    if (scopes.factsOf(uri) !== undefined) yield scopes.ofFile(uri);
    yield scopes.building(uri);
    for (const each of kustomizationsNaming(scopes, uri)) yield scopes.building(each);
  }

  #scopesOf(uri: string): readonly Scope[] {
    return [...this.#takingPart(uri)].flat();
  }

  filesOf(scope: Scope): readonly string[] {
    const scopes = this.#structure.scopes();
    const parts = scopes.partsOf(scope);
    return [...scope.files, ...parts, ...parts.flatMap((uri) => filesNamedBy(scopes, uri))];
  }

  /**
   * Returns the files in the folder of a kustomization, because a file that the kustomization does not list may be
   * reported.
   */
  #beside(uri: string): readonly string[] {
    return getOrAdd(folders, this.#structure.scopes().structure(), filesByFolder).get(folderOf(uri)) ?? [];
  }
}

/** The files around a file, by the files that are applied together with it, cached for the list of all scopes. */
const withSiblings = new WeakMap<readonly Scope[], Map<ReadonlySet<string>, ReadonlySet<string>>>();

/** The files in each folder. They are cached while no scope changes. */
const folders = new WeakMap<ReadonlyMap<string, ScopeFacts>, ReadonlyMap<string, readonly string[]>>();

function filesByFolder(facts: ReadonlyMap<string, ScopeFacts>): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const uri of facts.keys()) getOrAdd(found, folderOf(uri), () => []).push(uri);
  return found;
}
