/** The GitOps objects in one state of a workspace, by the clusters to which they certainly apply, and the matches between their objects. */

import { everything } from '../engine/index.ts';
import { getOrAdd, once } from '../engine/memoize.ts';
import { labeledObjectsOf } from '../manifests/label-sets.ts';
import type { SelectorSite } from '../manifests/model.ts';
import type { Side } from '../workspace/base.ts';
import { nameTermsIn, renderedNameTerm } from '../workspace/kustomize/rendering-terms.ts';
import { type AppliedScope, appliedScope, comparedInCluster } from '../workspace/kustomize/view.ts';
import type { ObjectInFile, Workspace } from '../workspace/model.ts';
import type { Scope } from '../workspace/scopes/model.ts';
import { matchesInCluster } from '../workspace/selection/cluster-matches.ts';
import { selectingObjectsInCluster, selectingObjectsOf } from '../workspace/selection/selecting-objects.ts';
import { selectionOf } from '../workspace/selection/selection.ts';
import { isClusterKnown } from '../workspace/selection/uncompared.ts';
import { hasErrors } from '../workspace/snapshot.ts';
import { folderOf } from '../workspace/uri.ts';

/** An object that a GitOps object applies. */
export interface PlacedObject extends ObjectInFile {
  readonly scope: Scope;
  /** The identity of the object in its cluster, which is the same in other states. */
  readonly identity: string;
}

/** A match between objects of GitOps objects of one cluster. */
export interface ClusterLink {
  readonly owner: PlacedObject;
  /** The path of the selector in the catalogue, without list indexes. */
  readonly path: string;
  readonly target: PlacedObject;
  /** The path of the template whose labels match; absent if the labels of the object itself match. */
  readonly via: string | undefined;
  readonly certain: boolean;
}

interface Options {
  readonly side: Side;
  /** Returns the identity of an object in a view of the workspace; undefined if it has no name. */
  identityOf(where: ObjectInFile, view: Workspace): string | undefined;
  /** Returns the path of a file or folder, which is the same in the other state. */
  relative(uri: string): string;
  uriAt(path: string): string;
  isMeant(site: SelectorSite): boolean;
  /** Whether the matches of an object with itself are compared. */
  readonly areOwnMeant: boolean;
}

type Placed = ReadonlyMap<string, readonly PlacedObject[]>;

/** The GitOps objects in one state of a workspace. */
export class GitopsState {
  readonly #options: Options;
  readonly #applied = new Map<Scope, AppliedScope | undefined>();
  readonly #placed = new Map<Scope, Placed>();
  readonly #targets = new Map<string, ReadonlySet<string>>();
  readonly #known = new Map<Scope, boolean>();
  readonly #counts = new Map<Scope, number>();
  /** For each cluster, the GitOps objects that apply an object with a name, by the term of the name. */
  readonly #byName = new Map<string, ReadonlyMap<string, readonly Scope[]>>();
  /** For each cluster and term of a name, the objects of the GitOps objects that apply an object with this name, by identity. */
  readonly #named = new Map<string, Placed>();
  /** The URIs of the files that GitOps objects apply, and of the folders of the kustomizations that they build. */
  readonly #parts = once((): ReadonlySet<string> => {
    const scopes = [...this.scopes.values()];
    const kustomizations = scopes.flatMap((scope) => this.side.workspace.scopes().partsOf(scope));
    return new Set([...scopes.flatMap(({ files }) => [...files]), ...kustomizations.map(folderOf)]);
  });
  /** The GitOps objects of each cluster, by a key that is the same in other states. */
  readonly clusters: ReadonlyMap<string, readonly Scope[]>;
  /** The GitOps objects, by a key that is the same in other states. */
  readonly scopes: ReadonlyMap<string, Scope>;
  readonly #clustersOf = new Map<Scope, string[]>();

  constructor(options: Options) {
    this.#options = options;
    const scopes = options.side.workspace.scopes();
    const clusters = new Map<string, readonly Scope[]>();
    for (const { key, scopes: all } of scopes.clusterGroups()) {
      const [path = '', ...remote] = key.split('\n');
      const name = [options.relative(path), ...remote].join('\n');
      const members = [...all].filter(({ gitops }) => gitops !== undefined);
      clusters.set(name, members);
      for (const scope of members) getOrAdd(this.#clustersOf, scope, () => []).push(name);
    }
    this.clusters = clusters;
    const own = scopes.all().filter(({ gitops }) => gitops !== undefined);
    this.scopes = new Map(own.map((scope) => [this.keyOf(scope), scope]));
  }

  get side(): Side {
    return this.#options.side;
  }

  keyOf({ kind, path, name }: Scope): string {
    return [kind, this.#options.relative(path), name ?? ''].join('\n');
  }

  /** Returns the keys of the clusters to which a GitOps object applies its objects. */
  clustersOf(scope: Scope): readonly string[] {
    return this.#clustersOf.get(scope) ?? [];
  }

  /** Whether a GitOps object applies a file, or builds a kustomization, that is at a URI in another state. */
  applies(uri: string, other: GitopsState): boolean {
    return this.#parts().has(this.#options.uriAt(other.#options.relative(uri)));
  }

  /** Whether the objects of a GitOps object are known; they are unknown, for example, if a kustomization has a syntax error. */
  isBuilt(scope: Scope): boolean {
    return this.#appliedIn(scope) !== undefined;
  }

  /** Whether an object of another state may be absent only because its file has a syntax error. */
  isUnreadable({ file }: PlacedObject, other: GitopsState): boolean {
    return this.#hasErrors(this.#options.uriAt(other.#options.relative(file.uri)));
  }

  /** Returns everything on which the labels of namespaces depend that no GitOps object applies. */
  writtenNamespaces(): string {
    const { side, relative } = this.#options;
    const found = [...side.workspace.find('/Namespace', everything)];
    return found
      .map(({ file, labelSet }) => JSON.stringify([relative(file.uri), labelSet]))
      .toSorted()
      .join('\n');
  }

  /** Returns the objects of a GitOps object, by identity. */
  objectsIn(scope: Scope): Placed {
    return getOrAdd(this.#placed, scope, () => {
      const found = new Map<string, PlacedObject[]>();
      const applied = this.#appliedIn(scope);
      for (const where of applied?.rendering.objects ?? []) {
        const placed = where.object.forCluster ? this.#placedAt(where, scope) : undefined;
        if (placed !== undefined) getOrAdd(found, placed.identity, () => []).push(placed);
      }
      return found;
    });
  }

  /** Returns the identity of an object as a GitOps object applies it; undefined if it has no name. */
  identityIn(scope: Scope, where: ObjectInFile): string | undefined {
    return this.#placedAt(where, scope)?.identity;
  }

  /** Returns the objects of a cluster with the identity of an object, which may be of another state. Only GitOps objects that apply an object with its name are built. */
  find(cluster: string, { identity, object }: PlacedObject): readonly PlacedObject[] {
    const term = object.name && renderedNameTerm(object.name.text);
    const named = getOrAdd(this.#named, `${cluster}\n\n${term ?? ''}`, () => {
      const members = this.clusters.get(cluster) ?? [];
      const applying = term === undefined ? members : this.#namesIn(cluster, members).get(term);
      const found = new Map<string, PlacedObject[]>();
      for (const scope of applying ?? [])
        for (const [each, objects] of this.objectsIn(scope)) getOrAdd(found, each, () => []).push(...objects);
      return found;
    });
    return named.get(identity) ?? [];
  }

  #namesIn(cluster: string, members: readonly Scope[]): ReadonlyMap<string, readonly Scope[]> {
    return getOrAdd(this.#byName, cluster, () => {
      const found = new Map<string, Scope[]>();
      for (const scope of members)
        for (const term of nameTermsIn(this.#termsOf(scope) ?? new Set())) getOrAdd(found, term, () => []).push(scope);
      return found;
    });
  }

  /** Returns the terms of what a GitOps object applies; undefined if this is unknown. */
  #termsOf({ path }: Scope): ReadonlySet<string> | undefined {
    const { workspace, catalogueOf } = this.side;
    return workspace.terms(path, catalogueOf(path))?.terms;
  }

  /** The number of other GitOps objects with which an object is compared. */
  comparedWith({ scope }: PlacedObject): number {
    return getOrAdd(this.#counts, scope, () => comparedInCluster(this.side.workspace.scopes(), [scope]).length);
  }

  /** Returns the matches of the selectors of an object with objects of other GitOps objects. */
  matchesOf(owner: PlacedObject): readonly ClusterLink[] {
    return owner.object.selectorSites.flatMap((site) =>
      this.#options.isMeant(site) ? this.#matchesOfSite(owner, site) : [],
    );
  }

  /** Returns the certain matches of the selectors of an object with the objects of its GitOps object. */
  ownMatchesOf(owner: PlacedObject): readonly ClusterLink[] {
    const { side, isMeant } = this.#options;
    const view = this.#appliedIn(owner.scope)?.workspace;
    if (view === undefined) return [];
    const sites = owner.object.selectorSites.filter(isMeant);
    return sites.flatMap((site) => {
      const { matches } = selectionOf(view, side.catalogueOf(owner.file.uri), owner, site);
      return matches.flatMap(({ file, object, labeledObject: { via } }): readonly ClusterLink[] => {
        const target = this.#placedAt({ file, object }, owner.scope);
        return target === undefined ? [] : this.#meant({ owner, path: site.fact.path, target, via, certain: true });
      });
    });
  }

  /** Returns the matches of the selectors of a GitOps object with one of its objects. */
  ownSelectingObjectsOf(target: PlacedObject): readonly ClusterLink[] {
    const { side, isMeant } = this.#options;
    const { file, object, scope } = target;
    const view = this.#appliedIn(scope)?.workspace;
    if (view === undefined) return [];
    return labeledObjectsOf(object).flatMap((labeledObject) => {
      const candidate = { file, object, labeledObject };
      const found = selectingObjectsOf(view, side.catalogueOf(file.uri), candidate, ({ site }) => isMeant(site));
      return found.flatMap(({ site, relation, certain, ...where }): readonly ClusterLink[] => {
        const owner = relation === 'here' ? this.#placedAt(where, scope) : undefined;
        if (owner === undefined) return [];
        return this.#meant({ owner, path: site.fact.path, target, via: labeledObject.via, certain });
      });
    });
  }

  #meant(link: ClusterLink): readonly ClusterLink[] {
    return this.#options.areOwnMeant || link.owner.identity !== link.target.identity ? [link] : [];
  }

  /** Returns the matches of the selectors of other GitOps objects with an object. */
  selectingObjectsOf(target: PlacedObject): readonly ClusterLink[] {
    const { side, isMeant } = this.#options;
    const { file, object, scope } = target;
    return labeledObjectsOf(object).flatMap((labeledObject) => {
      const candidate = { file, object, labeledObject };
      const found = selectingObjectsInCluster(side.workspace, side.catalogueOf(file.uri), scope, candidate);
      return found.flatMap(({ site, builtBy, certain, ...where }): readonly ClusterLink[] => {
        const owner = isMeant(site) ? this.#placedAt(where, builtBy) : undefined;
        return owner === undefined ? [] : [{ owner, path: site.fact.path, target, via: labeledObject.via, certain }];
      });
    });
  }

  /** Whether a selector at a path of an object matches, or may match, an object of the same cluster. */
  isMatched(cluster: string, { owner, path, target, via }: MatchInCluster): boolean {
    // A selector may match thousands of objects of the cluster: only those of the GitOps objects of this target are compared.
    const scopes = new Set([owner, target].flatMap((end) => this.find(cluster, end).map(({ scope }) => scope)));
    const key = `${target.identity}\n\n${via ?? ''}`;
    return [...scopes].some((scope) =>
      getOrAdd(this.#targets, [cluster, owner.identity, path, this.keyOf(scope)].join('\n\n'), () =>
        this.#targetsIn(scope, this.find(cluster, owner), path),
      ).has(key),
    );
  }

  /** Whether all objects of the other GitOps objects that certainly apply to the cluster of a GitOps object are known. */
  isClusterKnown(scope: Scope): boolean {
    const { side } = this.#options;
    return getOrAdd(this.#known, scope, () => isClusterKnown(side.workspace, side.catalogueOf(scope.path), scope));
  }

  /** Returns keys of the objects of a GitOps object that selectors at a path of some objects of its cluster match. */
  #targetsIn(scope: Scope, owners: readonly PlacedObject[], path: string): ReadonlySet<string> {
    const targets = new Set<string>();
    const add = (target: string | undefined, via: string | undefined) => targets.add(`${target}\n\n${via ?? ''}`);
    for (const owner of owners) {
      const view = this.#appliedIn(owner.scope)?.workspace;
      for (const site of owner.object.selectorSites) {
        if (site.fact.path !== path || view === undefined) continue;
        if (scope !== owner.scope) {
          for (const { target, via } of this.#matchesOfSite(owner, site, scope)) add(target.identity, via);
          continue;
        }
        const { matches, maybe } = selectionOf(view, this.side.catalogueOf(owner.file.uri), owner, site);
        for (const { file, object, labeledObject } of [...matches, ...maybe])
          add(this.#options.identityOf({ file, object }, view), labeledObject.via);
      }
    }
    return targets;
  }

  /** Returns the matches of a selector with objects of other GitOps objects, or only of one of them. */
  #matchesOfSite(owner: PlacedObject, site: SelectorSite, among?: Scope): readonly ClusterLink[] {
    const { workspace, catalogueOf } = this.side;
    const { file, scope } = owner;
    const view = this.#appliedIn(scope)?.workspace;
    if (view === undefined) return [];
    const found = matchesInCluster(workspace, catalogueOf(file.uri), { scope, view }, owner, site, among);
    return found.flatMap(({ builtBy, labeledObject: { via }, certain, ...where }): readonly ClusterLink[] => {
      const target = this.#placedAt(where, builtBy);
      return target === undefined ? [] : [{ owner, path: site.fact.path, target, via, certain }];
    });
  }

  #hasErrors(uri: string): boolean {
    const file = this.side.workspace.files.get(uri);
    return file !== undefined && hasErrors(file);
  }

  #placedAt({ file, object }: ObjectInFile, scope: Scope): PlacedObject | undefined {
    const view = this.#appliedIn(scope)?.workspace;
    const identity = view && this.#options.identityOf({ file, object }, view);
    return identity === undefined ? undefined : { file, object, scope, identity };
  }

  #appliedIn(scope: Scope): AppliedScope | undefined {
    const { workspace, catalogueOf } = this.side;
    return getOrAdd(this.#applied, scope, () => {
      const isBroken = workspace
        .scopes()
        .partsOf(scope)
        .some((uri) => this.#hasErrors(uri));
      return isBroken ? undefined : appliedScope(workspace, catalogueOf(scope.path), scope);
    });
  }
}

/** A match between two objects of a cluster, as one of the states contains them. */
export interface MatchInCluster {
  readonly owner: PlacedObject;
  readonly path: string;
  readonly target: PlacedObject;
  readonly via: string | undefined;
}
