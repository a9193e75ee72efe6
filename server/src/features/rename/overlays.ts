/** The versions of objects that a rename examines. Each version is in a world: the written files, or the files as one kustomization applies them. */

import { sourceOf } from '../../compare/update-data.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { type TransformerSource, transformerKey } from '../../workspace/kustomize/transformer-sources.ts';
import {
  type Applied,
  appliedVersions,
  comparedInCluster,
  rootsWith,
  seenBy,
  versionsOf,
} from '../../workspace/kustomize/view.ts';
import type {
  EffectiveObject,
  LabeledObjectInFile,
  ObjectInFile,
  Workspace,
  WorkspaceFile,
} from '../../workspace/model.ts';
import { areInCluster } from '../../workspace/scopes/cluster.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import { ofEndpoint } from '../../workspace/selection/endpoint-answers.ts';
import { hasNoNamespace, reaches } from '../../workspace/selection/namespaces.ts';
import { weaker } from '../../workspace/selection/node-terms.ts';
import { NameFinder, type SiteInFile } from '../navigation/named-labels.ts';
import type { View } from '../view.ts';
import type { LabelName } from './label-name.ts';

/** An object, and the `World` that contains it: the files as they are written, or as one kustomization applies them. */
export interface ObjectInWorld extends ObjectInFile {
  readonly world: World;
  readonly transformers: readonly TransformerSource[];
}

/** The workspace with the files as they are written, or as one kustomization applies them. */
export class World {
  /** The folder of the kustomization; '' for the written files. */
  readonly key: string;
  readonly workspace: Workspace;
  readonly finder: NameFinder;
  readonly #objects: ReadonlyMap<ManifestObject, EffectiveObject>;
  readonly #scope: Scope | undefined;
  #users: Map<string, ObjectInWorld[]> | undefined;

  constructor(workspace: Workspace, name: LabelName, objects: readonly EffectiveObject[] = []) {
    this.#scope = workspace.appliedBy;
    this.key = this.#scope?.path ?? '';
    this.workspace = workspace;
    this.finder = new NameFinder(workspace, name);
    this.#objects = new Map(objects.map((each) => [each.object, each]));
  }

  /** Whether the file belongs to the kustomization that is evaluated; false if the files are evaluated as written, without a kustomization. */
  isOwn({ uri }: WorkspaceFile): boolean {
    return this.#scope !== undefined && this.workspace.scopes().of(uri)[0] === this.#scope;
  }

  /** Returns the files that the kustomization applies; empty for the written files. */
  ownFiles(): ReadonlySet<string> {
    const [applied] = this.#scope?.files ?? [];
    const [object] = this.#objects.values();
    const uri = applied ?? object?.file.uri;
    return uri === undefined ? noFiles : this.workspace.scopes().filesAround(uri);
  }

  transformersOf(object: ManifestObject): readonly TransformerSource[] {
    return this.#objects.get(object)?.transformers ?? [];
  }

  users(transformer: TransformerSource): readonly ObjectInWorld[] {
    if (this.#users === undefined) {
      this.#users = new Map();
      for (const { file, object, transformers } of this.#objects.values()) {
        for (const key of new Set(transformers.map(transformerKey))) {
          const others = this.#users.get(key);
          const placed = { file, object, world: this, transformers };
          if (others === undefined) this.#users.set(key, [placed]);
          else others.push(placed);
        }
      }
    }
    return this.#users.get(transformerKey(transformer)) ?? [];
  }
}

const noFiles: ReadonlySet<string> = new Set();

/** Files of a world that are applied to the cluster of an object. */
export interface FilesInWorld {
  readonly world: World;
  readonly files: ReadonlySet<string>;
}

export interface InWorld {
  readonly world: World;
}

/** Whether a selector applies to the cluster and the namespace of an object, and whether what is written beside the selector includes the object; in different worlds, other GitOps objects of the cluster apply them. */
export function reachesInCluster(
  { catalogue }: View,
  from: SiteInFile & InWorld,
  to: LabeledObjectInFile & InWorld,
): 'yes' | 'no' | 'maybe' {
  const { workspace } = from.world;
  const isOneWorld = from.world === to.world;
  if (isOneWorld && !areInCluster(workspace.scopes(), placeOf(from), placeOf(to), to)) return 'no';
  const place = reaches(workspace, catalogue, from, from.site, to);
  if (place.answer === 'no') return 'no';
  const { answer } = weaker(place, ofEndpoint(workspace, catalogue, from, from.site, to));
  const isPlaced = (each: ObjectInFile) => each.object.namespace !== undefined || hasNoNamespace(catalogue, each);
  return answer === 'yes' && !isOneWorld && !(isPlaced(from) && isPlaced(to)) ? 'maybe' : answer;
}

/** The instances of `World` that a rename can reach, created on demand: one for the written files, and one for each kustomization. */
export class Worlds {
  readonly written: World;
  readonly #view: View;
  readonly #name: LabelName;
  readonly #byRoot = new Map<string, World | undefined>();
  readonly #applied = new Map<string, readonly Applied[]>();
  readonly #beside = new Map<readonly Scope[], readonly FilesInWorld[]>();

  constructor(view: View, name: LabelName) {
    this.#view = view;
    this.#name = name;
    this.written = new World(view.workspace, name);
  }

  /** Returns the object as each kustomization applies it, or as it is written if no kustomization applies it. */
  versions(found: ObjectInFile): readonly ObjectInWorld[] {
    const applied = this.#appliedVersions(found.file.uri);
    if (applied.length === 0) return [{ ...found, world: this.written, transformers: [] }];
    return applied.flatMap((version) => {
      const world = this.#worldOf(version.scope);
      const file = world?.workspace.files.get(found.file.uri);
      if (world === undefined || file === undefined) return [];
      return versionsOf({ ...version, file }, found.object).map((each) => {
        return { ...each, world, transformers: world.transformersOf(each.object) };
      });
    });
  }

  /**
   * Returns the files that are applied together with the object at a position in a world, and the files of the GitOps
   * objects that certainly apply to the same cluster, as these GitOps objects apply them.
   */
  inCluster(world: World, place: string): readonly FilesInWorld[] {
    const scopes = world.workspace.scopes();
    const own = scopes.of(place);
    const beside = getOrAdd(this.#beside, own, () =>
      comparedInCluster(scopes, own).map((scope): FilesInWorld => {
        const applied = this.#worldOf(scope);
        if (applied === undefined) return { world: this.written, files: scope.files };
        return { world: applied, files: applied.ownFiles() };
      }),
    );
    return [{ world, files: scopes.filesAround(place) }, ...beside];
  }

  /** Returns the object as it is written in its file; undefined for a generated object. */
  sourceOf(found: ObjectInFile): ObjectInFile | undefined {
    return sourceOf(this.#view, found);
  }

  /** Returns the objects that a transformer changes, in every `World`. */
  users(transformer: TransformerSource): readonly ObjectInWorld[] {
    return [...rootsWith(this.#view.workspace, transformer.uri)].flatMap(
      (root) => this.#worldOf(root)?.users(transformer) ?? [],
    );
  }

  #appliedVersions(uri: string): readonly Applied[] {
    const known = this.#applied.get(uri) ?? appliedVersions(this.#view.workspace, this.#view.catalogue, uri);
    this.#applied.set(uri, known);
    return known;
  }

  #worldOf(root: Scope): World | undefined {
    if (this.#byRoot.has(root.path)) return this.#byRoot.get(root.path);
    const { workspace, catalogue } = this.#view;
    const seen = seenBy(workspace, catalogue, root);
    const world = seen && new World(seen, this.#name, workspace.rendering(root.path, catalogue)?.objects);
    this.#byRoot.set(root.path, world);
    return world;
  }
}
