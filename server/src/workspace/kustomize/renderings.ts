/** Caches the renderings of kustomizations. Each kustomization is rendered lazily, and its rendering is shared by successive snapshots until one of its files changes. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { BoundedMap, getOrAdd } from '../../engine/memoize.ts';
import { contain, type Log } from '../../log.ts';
import type { Manifest, ManifestObject } from '../../manifests/model.ts';
import { executedChartAt, renderChart } from '../charts/executed-charts.ts';
import { ownedTerm } from '../gitops/owned-objects.ts';
import { type BuiltGitops, renderGitops } from '../gitops/render-gitops.ts';
import { gitopsScopeAt } from '../gitops/scope-questions.ts';
import type { Rendering, RenderingTerms, Unrendered, WorkspaceFile } from '../model.ts';
import { isEdited, type Scope, type Scopes } from '../scopes/model.ts';
import { effectiveObject } from './applied-object.ts';
import { Bases, type Looking } from './bases.ts';
import { build } from './build.ts';
import { LazyBuiltIndex } from './built-index.ts';
import type { Files, Inputs } from './inputs.ts';
import { LruCache } from './lru-cache.ts';
import { NamesInRenderings } from './names-in-renderings.ts';
import { termsOf } from './rendering-terms.ts';
import type { Resource } from './resource.ts';
import { isLeftOut, maximumAround, mostAroundOneFile } from './shared-files.ts';

/** The data on which a rendering depends. */
interface Dependent {
  readonly catalogue: Catalogue;
  readonly inputs: Inputs;
}

interface Entry extends Dependent {
  /** The built objects, or the reason why they are unknown. */
  readonly rendering: Rendering | Unrendered;
}

interface CachedTerms extends Dependent {
  readonly terms: RenderingTerms | undefined;
}

/** The maximum number of objects that are rendered or used between two evictions of unused renderings, unless the kustomizations around one file build more, or renderings are needed again after they were dropped. */
const cachedObjects = 1_500;

/** The maximum number of kustomizations whose terms are cached. */
const cachedTerms = 20_000;

/** The cache of renderings, shared by successive snapshots of a workspace. */
export class Renderings {
  readonly #kept: LruCache<Entry>;
  readonly #bases = new Bases();
  readonly #terms = new BoundedMap<string, CachedTerms>(cachedTerms);
  readonly #names = new NamesInRenderings();
  /** The snapshot whose names are indexed. */
  #indexed: { readonly files: Files['files']; readonly scopes: Scopes; readonly catalogue: Catalogue } | undefined;
  /** The most recently used snapshot. */
  #newest: Files['files'] | undefined;
  /** The GitOps objects that are being rendered: two of them may need each other's variables. */
  readonly #unfinished = new Set<string>();
  /** The unfinished GitOps objects that the current rendering would need. */
  readonly #needed = new Set<string>();
  /** The number of renderings, which measures the cost of edits. */
  count = 0;
  /** The number of calls of `evictUnused`. */
  evictions = 0;

  #maximum: number;
  /** What was rendered since the last change or the last call of `evictUnused`. */
  readonly #rendering = new Set<string>();

  constructor(maximumObjects: number = cachedObjects) {
    this.#maximum = maximumObjects;
    this.#kept = new LruCache(maximumObjects, ({ rendering }) => renderingIn(rendering)?.objects.length ?? 1);
  }

  get baseCount(): number {
    return this.#bases.count;
  }

  /**
   * Returns the rendering of the kustomization in a folder, or of the GitOps object at a path, or the reason why the
   * rendering is unknown; undefined if there is neither.
   */
  of(path: string, snapshot: Files, catalogue: Catalogue, log?: Log): Rendering | Unrendered | undefined {
    return this.#entryOf(path, snapshot, catalogue, log)?.rendering;
  }

  /**
   * Returns the terms of a rendering, which is built only if its files changed; in all other respects the same as `of`.
   */
  termsOf(path: string, snapshot: Files, catalogue: Catalogue, log?: Log): RenderingTerms | undefined {
    if (isLeftOut(snapshot, path)) return undefined;
    const known = this.#terms.get(path);
    if (known !== undefined && isCurrent(known, snapshot, catalogue)) return known.terms;
    const entry = this.#entryOf(path, snapshot, catalogue, log);
    if (entry === undefined) return undefined;
    const rendering = renderingIn(entry.rendering);
    const isGitops = gitopsScopeAt(snapshot.scopes(), path) !== undefined;
    const terms =
      rendering && termsOf(rendering, snapshot.files, isGitops ? (each) => ownedTerm(catalogue, each) : undefined);
    this.#terms.set(path, { terms, catalogue, inputs: entry.inputs });
    return terms;
  }

  /** Returns the paths of the scopes that build an object with a name. */
  pathsWithName(name: string, snapshot: Files, catalogue: Catalogue, log?: Log): ReadonlySet<string> {
    const scopes = snapshot.scopes();
    const { files } = snapshot;
    const isIndexed = this.#indexed?.files === files && this.#indexed.scopes === scopes;
    if (!isIndexed || this.#indexed?.catalogue !== catalogue) {
      const current = new Map<string, RenderingTerms>();
      for (const scope of scopes.all()) {
        const terms = isEdited(scope) ? this.termsOf(scope.path, snapshot, catalogue, log) : undefined;
        if (terms !== undefined) current.set(scope.path, terms);
      }
      this.#names.update(current);
      this.#indexed = { files, scopes, catalogue };
    }
    return this.#names.pathsWith(name);
  }

  #entryOf(folder: string, snapshot: Files, catalogue: Catalogue, log: Log | undefined): Entry | undefined {
    const { files } = snapshot;
    if (files !== this.#newest) {
      this.#forgetViews();
      this.#rendering.clear();
      // Otherwise, each request for a file would build all of its kustomizations again.
      this.#kept.maximum = Math.max(this.#maximum, mostAroundOneFile(snapshot));
    }
    this.#newest = files;
    if (isLeftOut(snapshot, folder)) {
      const { inputs } = this.#bases.lookingAt(snapshot, catalogue);
      return { rendering: 'sharing', catalogue, inputs };
    }
    const known = this.#kept.get(folder, (entry) => isCurrent(entry, snapshot, catalogue));
    if (known !== undefined) return known;
    const around = this.#bases.lookingAt(snapshot, catalogue);
    const root = around.kustomizationIn(folder);
    const scopes = root === undefined ? snapshot.scopes() : undefined;
    const scope = scopes && (gitopsScopeAt(scopes, folder) ?? executedChartAt(scopes, folder));
    if (root === undefined && scope === undefined) return undefined;
    if (this.#unfinished.has(folder)) {
      this.#needed.add(folder);
      return undefined;
    }
    this.#unfinished.add(folder);
    this.count++;
    // A template can write many objects in a loop, which the facts of its file do not tell.
    if (this.#rendering.has(folder))
      this.#maximum = this.#kept.maximum = Math.max(this.#maximum, Math.min(maximumAround, 2 * this.#kept.maximum));
    this.#rendering.add(folder);
    const render = (): Rendering | Unrendered => {
      if (scope !== undefined) {
        const built = this.#rendered(scope, snapshot, around, log);
        return built.limit ?? renderingOf(folder, built.resources, built, { files, catalogue });
      }
      if (root === undefined) return 'failure';
      const [built, resources] = build(root, around);
      return built.limit ?? renderingOf(folder, resources, built, { files, catalogue });
    };
    const rendering = contain<Rendering | Unrendered>(
      log,
      `kustomization ${root?.uri ?? folder}`,
      render,
      () => 'failure',
    );
    this.#unfinished.delete(folder);
    this.#needed.delete(folder);
    const entry: Entry = { rendering, catalogue, inputs: around.inputs };
    // A result that lacks an unfinished part must not be reused, so it is not cached.
    if (this.#needed.size === 0) this.#kept.keep(folder, entry);
    return entry;
  }

  #rendered(scope: Scope, snapshot: Files, looking: Looking, log: Log | undefined): BuiltGitops {
    if (scope.release !== undefined)
      return { ...renderChart(scope, scope.release, looking), idle: [], broken: [], limit: undefined };
    return renderGitops(scope, {
      looking,
      renderingOf: (path) => {
        const entry = this.#entryOf(path, snapshot, looking.catalogue, log);
        if (entry !== undefined) looking.inputs.addAll(entry.inputs);
        return renderingIn(entry?.rendering);
      },
    });
  }

  /** Evicts renderings that were not used since the last call. */
  evictUnused(): void {
    this.evictions++;
    this.#rendering.clear();
    this.#kept.evictUnused();
    this.#bases.evictUnused();
  }

  /** Drops the cached views, since each of them references its snapshot. */
  #forgetViews(): void {
    for (const { rendering } of this.#kept.values()) {
      const known = renderingIn(rendering);
      if (known !== undefined) known.view = undefined;
    }
  }
}

function isCurrent(entry: Dependent, snapshot: Files, catalogue: Catalogue): boolean {
  return entry.catalogue === catalogue && entry.inputs.areCurrent(snapshot);
}

export function renderingIn(known: Rendering | Unrendered | undefined): Rendering | undefined {
  return typeof known === 'object' ? known : undefined;
}

/** Returns the reason why the rendering is unknown; undefined if it is known. */
export function reasonIn(known: Rendering | Unrendered | undefined): Unrendered | undefined {
  return typeof known === 'object' ? undefined : known;
}

function renderingOf(
  folder: string,
  resources: readonly Resource[],
  {
    idle,
    broken,
    isWhole,
    isCut,
    hasOtherValues,
    failures = [],
    outputs,
    known,
  }: Omit<BuiltGitops, 'resources' | 'limit'>,
  { files, catalogue }: { readonly files: Files['files']; readonly catalogue: Catalogue },
): Rendering {
  const byFile = new Map<string, ManifestObject[]>();
  const written = new Set<string>();
  const made = resources.map((resource) => {
    const object = effectiveObject(resource, catalogue);
    getOrAdd(byFile, resource.uri, newList).push(object);
    if (!resource.generated) written.add(resource.uri);
    return { resource, object };
  });
  const applied = new Map<string, WorkspaceFile>();
  for (const [uri, each] of byFile) {
    const file = files.get(uri);
    if (file !== undefined) applied.set(uri, new AppliedFile(file, each, !written.has(uri)));
  }
  let index: LazyBuiltIndex | undefined;
  return {
    folder,
    objects: made.flatMap(({ resource: { uri, generated, transformers, previous }, object }) => {
      const file = applied.get(uri);
      return file === undefined ? [] : { file, object, written: !generated, original: previous[0], transformers };
    }),
    files: applied,
    idle,
    broken,
    isWhole,
    ...(isCut && { isCut }),
    ...(hasOtherValues && { hasOtherValues }),
    ...(failures.length > 0 && { failures }),
    ...(outputs && { outputs }),
    ...(known && { known }),
    index: () => {
      index ??= new LazyBuiltIndex(applied.values());
      return index;
    },
  };
}

function newList(): ManifestObject[] {
  return [];
}

/** A file with changed objects. All other facts are deserialized lazily. */
class AppliedFile implements WorkspaceFile {
  readonly uri: string;
  readonly objects: number;
  readonly #file: WorkspaceFile;
  readonly #applied: readonly ManifestObject[];
  readonly #isGenerated: boolean;
  #manifest: Manifest | undefined;

  /** `isGenerated`: the objects are all generated, so that the file has its own objects as well. */
  constructor(file: WorkspaceFile, applied: readonly ManifestObject[], isGenerated: boolean) {
    this.uri = file.uri;
    this.objects = applied.length;
    this.#file = file;
    this.#applied = applied;
    this.#isGenerated = isGenerated;
  }

  get manifest() {
    this.#manifest ??= this.#made();
    return this.#manifest;
  }

  get kustomization() {
    return this.#file.kustomization;
  }

  get lines() {
    return this.#file.lines;
  }

  get scope() {
    return this.#file.scope;
  }

  #made(): Manifest {
    const { manifest, kustomization } = this.#file;
    // A kustomization that generates objects also remains a kustomization.
    const keeps = kustomization !== undefined || this.#isGenerated;
    return { ...manifest, objects: keeps ? [...manifest.objects.map(notApplied), ...this.#applied] : this.#applied };
  }
}

/** Returns an object that is only in the same file as generated objects, for example an Application that creates its namespace. It is not applied with them. */
function notApplied(object: ManifestObject): ManifestObject {
  return object.forCluster ? { ...object, forCluster: false } : object;
}
