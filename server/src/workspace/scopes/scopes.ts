/** Finds the scopes of a workspace, which are sets of objects that are applied together, and the relation between two positions. */

import { getOrAdd, once } from '../../engine/memoize.ts';
import { noConfigs } from '../configs.ts';
import { clusterConfigOf, type DataFiles, type GitopsObject } from '../gitops/model.ts';
import { foldersOf } from '../index/folder-index.ts';
import { LayeredMap } from '../index/layered-map.ts';
import type { Listing } from '../live/folder-listing.ts';
import { resolveUri } from '../uri.ts';
import { type ClusterName, clusterGroups } from './cluster-groups.ts';
import { type FluxCluster, Found, type ScopeList } from './found-scopes.ts';
import { areAlternatives, type GatheredScope, gatherScopes } from './gather-scopes.ts';
import type { ClusterGroup, Relation, Scope, Scopes, Seen, Someone, Surroundings } from './model.ts';
import { everyCluster } from './model.ts';
import { fileOfPlace, identityOf, type ScopeFacts, sameExceptObjects } from './scope-facts.ts';
import { type Half, halfOf } from './variants.ts';

/** The minimum number of pairs of scopes for which the relation between two lists of scopes is cached. */
const costlyPairs = 16;

export function findScopes(files: ReadonlyMap<string, ScopeFacts>, around: Surroundings): Scopes {
  return new FoundScopes(files, new Found(files, around, gatherScopes(files, around)));
}

/** The scopes of a workspace, identified by numbers. */
class FoundScopes implements Scopes {
  readonly #files: ReadonlyMap<string, ScopeFacts>;
  readonly #found: Found;
  readonly #scopes: readonly GatheredScope[];
  readonly #halves = new Map<number, Half>();
  readonly #identities = new Map<number, ReadonlySet<string>>();
  /** The scopes of files with several Templates. */
  readonly #ofParts = new Map<string, readonly Scope[]>();
  #everywhere: ReadonlySet<string> | undefined;

  constructor(files: ReadonlyMap<string, ScopeFacts>, found: Found) {
    this.#files = files;
    this.#found = found;
    this.#scopes = found.scopes;
  }

  get #around(): Surroundings {
    return this.#found.around;
  }

  structure(): ReadonlyMap<string, ScopeFacts> {
    return this.#found.files;
  }

  withObjects(changed: ReadonlyMap<string, ScopeFacts | undefined>): Scopes | undefined {
    for (const [uri, facts] of changed)
      if (uri === everyCluster || !sameExceptObjects(this.#files.get(uri), facts)) return undefined;
    if (this.#found.hasGitops()) return undefined;
    const files = this.#files instanceof LayeredMap ? this.#files : new LayeredMap(this.#files);
    return new FoundScopes(files.with(changed), this.#found);
  }

  seenFrom(scope: Scope, seen: Seen): Scopes {
    const list = this.#found.listOf([this.#scopes.indexOf(scope)]);
    const holds = (place: string) => seen.files.has(fileOfPlace(place));
    const listAt = (place: string) => (holds(place) ? list : this.#listAt(place));
    return {
      of: (place) => listAt(place).scopes,
      ofFile: (uri) => (holds(uri) ? list.scopes : this.ofFile(uri)),
      isPatch: (uri) => this.isPatch(uri),
      isTriedOut: (uri) => this.isTriedOut(uri),
      isGenerated: (uri) => this.isGenerated(uri),
      relationOf: (one, other) => this.relationOf(one, other),
      shareCluster: (one, other) => this.shareCluster(one, other),
      haveOtherClusters: (one, other) => this.haveOtherClusters(one, other),
      clusterGroups: () => this.clusterGroups(),
      relation: (from, to, who) => {
        const applied = holds(from) ? seen : undefined;
        return this.#relation({ from, to, who, applied, isApplied: holds(to) }, listAt(from), listAt(to));
      },
      filesAround: (place) =>
        holds(place) ? this.#found.externals.added(fileOfPlace(place), seen.files) : this.filesAround(place),
      // Not restricted to folders, because the view of a rendering rarely needs this.
      foldersAround: () => undefined,
      together: (from, to) => from === to || listAt(from).numbers.some((each) => listAt(to).numbers.includes(each)),
      namespaceOf: (place) => (holds(place) ? this.#around.namespace : this.namespaceOf(place)),
      all: () => this.all(),
      facts: () => this.facts(),
      factsOf: (uri) => this.factsOf(uri),
      at: (folder, path) => this.at(folder, path),
      structure: () => this.structure(),
      withObjects: () => undefined,
      dataFiles: () => this.dataFiles(),
      isCut: (uri) => this.isCut(uri),
      repositoryOf: (uri) => this.repositoryOf(uri),
      building: (uri) => this.building(uri),
      partsOf: (root) => this.partsOf(root),
      seenFrom: (other, rendered) => this.seenFrom(other, rendered),
      withoutDefaults: () => this.withoutDefaults(),
    };
  }

  /** The same object for each snapshot, because results about scopes are cached by it. */
  readonly withoutDefaults = once((): Scopes => new FoundScopes(this.#files, this.#found.withoutDefaults()));

  of(place: string): readonly Scope[] {
    return this.#listAt(place).scopes;
  }

  ofFile(uri: string): readonly Scope[] {
    const parts = this.#found.gathered.parts.get(uri);
    if (parts === undefined) return this.of(uri);
    return getOrAdd(this.#ofParts, uri, () => {
      return [...new Set([uri, ...parts].flatMap((each) => this.#found.byPosition.get(each)?.scopes ?? []))];
    });
  }

  isPatch(uri: string): boolean {
    return this.#found.gathered.patches.has(uri);
  }

  isTriedOut(uri: string): boolean {
    return this.#found.gathered.triedOut.has(uri);
  }

  isGenerated(uri: string): boolean {
    return this.#found.gathered.generated.has(uri);
  }

  all(): readonly Scope[] {
    return this.#scopes;
  }

  facts(): ReadonlyMap<string, ScopeFacts> {
    return this.#files;
  }

  at(folder: string, path: string): string {
    return this.#around.listing.fileNameOf(resolveUri(folder, path));
  }

  factsOf(uri: string): ScopeFacts | undefined {
    return this.#files.get(uri);
  }

  repositoryOf(uri: string): ReturnType<Listing['repositoryOf']> {
    return this.#around.listing.repositoryOf(uri);
  }

  dataFiles(): DataFiles {
    return this.#found.gathered.dataFiles;
  }

  isCut(uri: string): boolean {
    return this.#found.gathered.cut.has(uri);
  }

  building(uri: string): readonly Scope[] {
    return this.#found.building().get(uri) ?? [];
  }

  partsOf(root: Scope): readonly string[] {
    return this.#scopes[this.#numberOf(root)]?.parts ?? [];
  }

  relation(from: string, to: string, who?: Someone): Relation {
    return this.#relation({ from, to, who }, this.#listAt(from), this.#listAt(to));
  }

  relationOf(one: Scope, other: Scope): Relation {
    return this.#relationOfScopes(this.#numberOf(one), this.#numberOf(other));
  }

  shareCluster(one: Scope, other: Scope): boolean {
    if (one.gitops === undefined || other.gitops === undefined) return false;
    const [a, b] = [this.#clusterNames(this.#numberOf(one)), this.#clusterNames(this.#numberOf(other))];
    if (a === b) return true;
    // An object that another one applies, directly or indirectly, has the names of its clusters after its own names.
    const [few, many] = a.size < b.size ? [a, b] : [b, a];
    for (const each of few) if (many.has(each)) return true;
    return false;
  }

  haveOtherClusters(one: Scope, other: Scope): boolean {
    if (one.gitops === undefined || other.gitops === undefined) return false;
    return this.#areApart(this.#numberOf(one), this.#numberOf(other)) && !this.shareCluster(one, other);
  }

  clusterGroups(): readonly ClusterGroup[] {
    this.#found.groups ??= clusterGroups(this.#scopes, (number) => this.#clusterNames(number));
    return this.#found.groups;
  }

  /**
   * Returns names for the clusters to which a GitOps object applies its objects. The name of a cluster is a scope or a
   * file whose objects are applied to it, after the configurations by which further clusters are reached from there.
   */
  #clusterNames(number: number): ReadonlySet<string> {
    return getOrAdd(this.#found.clustersBy, number, () => {
      const found = new Map<string, { readonly number: number; readonly remote: readonly string[] }>();
      // Most names have no configurations; a chain of GitOps objects has many names.
      const keyOf = (...[owner, remote]: ClusterName) =>
        typeof owner === 'number' && remote.length === 0 ? `[${owner},[]]` : JSON.stringify([owner, remote]);
      const own = keyOf(number, []);
      const add = (each: number, remote: readonly string[]) => found.set(keyOf(each, remote), { number: each, remote });
      const files = new Set<string>();
      add(number, []);
      for (const { number: each, remote: from } of found.values()) {
        // Objects that apply each other have the same names.
        const known = from.length === 0 ? this.#found.clustersBy.get(each) : undefined;
        if (known?.has(own)) return known;
        const { gitops } = this.#scopes[each] ?? {};
        const config = gitops && clusterConfigOf(gitops);
        if (gitops === undefined || config === undefined || from.length > maximumRemotes) continue;
        const remote = config === '' ? from : [...from, config];
        const by = gitops.facts.rendered?.by ?? gitops.facts.appliedBy;
        if (by === undefined) files.add(keyOf(gitops.uri, remote));
        // The manifests of a plain folder may be for several clusters.
        for (const parent of this.#definersOf(gitops)) if (this.#scopes[parent]?.kind !== 'folder') add(parent, remote);
      }
      return new Set([...found.keys(), ...files]);
    });
  }

  /** Returns the scopes that apply a GitOps object. */
  #definersOf({ uri, facts: { rendered, appliedBy } }: GitopsObject): readonly number[] {
    const by = rendered?.by ?? appliedBy;
    return by === undefined ? this.#listAt(uri).numbers : (this.#found.definitions().get(by) ?? []);
  }

  #numberOf(scope: Scope): number {
    return this.#found.numbers().get(scope) ?? -1;
  }

  #relation(related: Related, fromList: ScopeList, toList: ScopeList): Relation {
    const { from, to } = related;
    if (from === to) return 'here';
    if (to === everyCluster) return this.#isWritten(identityIn(related)) ? 'apart' : 'elsewhere';
    const external = this.#found.externals.between(fileOfPlace(from), fileOfPlace(to));
    if (external !== undefined && !this.together(from, to))
      return external && !this.#isCopy(related, fromList) ? 'here' : 'apart';
    const relation = fromList === toList ? 'here' : this.#relationOfLists(fromList, toList);
    if (relation === 'here') return this.#areVariants(related, fromList, toList) ? 'apart' : 'here';
    return this.#isCopy(related, fromList) ? 'apart' : relation;
  }

  /**
   * Whether an object is a copy of an object that is `here`, and therefore an alternative to it, regardless of its
   * position.
   */
  #isCopy(related: Related, fromList: ScopeList): boolean {
    const { to, applied, isApplied } = related;
    // A rendered object can have a different name than in its file, so the identities in the file are not used.
    const written = isApplied ? undefined : this.#files.get(fileOfPlace(to));
    // Comparing all objects of a file with many Templates would take longer than finding the identity of the object.
    const isSkipped = written === undefined || written.templates.length > 0;
    if (!(isSkipped || this.#holdsOne(fromList, written.identities, applied))) return false;
    const identity = identityIn(related);
    return identity !== undefined && this.#holdsOne(fromList, [identity], applied);
  }

  /** Whether one of the identities is `here`. Allocates no memory, since it is called for every result. */
  #holdsOne(list: ScopeList, identities: readonly string[], applied: Seen | undefined): boolean {
    for (const identity of identities) {
      if (applied?.isApplied(identity)) return true;
      for (const number of list.numbers) if (this.#identitiesOf(number).has(identity)) return true;
    }
    return false;
  }

  filesAround(place: string): ReadonlySet<string> {
    const list = this.#listAt(place);
    list.around ??= new Set(this.#joined(list).flatMap((each) => [...each.files]));
    return this.#found.externals.added(fileOfPlace(place), list.around);
  }

  foldersAround(place: string): ReadonlySet<string> | undefined {
    if (this.#around.configs !== noConfigs) return undefined;
    const list = this.#listAt(place);
    const isAkin = (other: number) => list.numbers.some((each) => this.#relationOfScopes(each, other) !== 'elsewhere');
    list.folders ??= foldersOf([...list.scopes, ...this.#scopes.filter((_, other) => isAkin(other))]);
    return list.folders;
  }

  /** Returns the scopes of a list, and the declared scopes that are applied together with them. */
  #joined(list: ScopeList): readonly Scope[] {
    if (list.scopes.every((each) => each.kind !== 'declared')) return list.scopes;
    return this.#scopes.filter((_, other) =>
      list.numbers.some((each) => this.#relationOfScopes(each, other) === 'here'),
    );
  }

  together(from: string, to: string): boolean {
    const others = this.#listAt(to).numbers;
    return from === to || this.#listAt(from).numbers.some((each) => others.includes(each));
  }

  namespaceOf(place: string): string | undefined {
    const { scopes } = this.#listAt(place);
    const namespace = scopes[0]?.namespace;
    return scopes.every((each) => each.namespace === namespace) ? (namespace ?? this.#around.namespace) : undefined;
  }

  #listAt(place: string): ScopeList {
    const known = this.#found.byPosition.get(place);
    if (known !== undefined) return known;
    const uri = fileOfPlace(place);
    const alone: Scope = { kind: 'file', path: uri, files: new Set([uri]), closed: true };
    const list: ScopeList = { numbers: [], scopes: [alone] };
    this.#found.byPosition.set(place, list);
    return list;
  }

  #relationOfLists(from: ScopeList, to: ScopeList): Relation {
    // Nearly all lists contain one or two scopes; caching every pair of them would use much memory and save little
    // time.
    const isCostly = from.numbers.length * to.numbers.length > costlyPairs;
    const known = isCostly ? from.relations?.get(to) : undefined;
    if (known !== undefined) return known;
    let best: Relation = 'apart';
    for (const a of from.numbers.length === 0 ? [-1] : from.numbers) {
      for (const b of to.numbers.length === 0 ? [-1] : to.numbers) {
        const relation = this.#relationOfScopes(a, b);
        if (relation === 'here' || best === 'apart') best = relation;
        if (best === 'here') break;
      }
    }
    if (isCostly) from.relations = (from.relations ?? new Map()).set(to, best);
    return best;
  }

  #relationOfScopes(a: number, b: number): Relation {
    if (a === -1 || b === -1) return 'elsewhere';
    if (a === b) return 'here';
    const one = this.#scopes[a];
    const other = this.#scopes[b];
    if ((one?.generated === true) !== (other?.generated === true)) return 'apart';
    if (areAlternatives(this.#found.gathered, a, b)) return 'apart';
    if (one?.gitops !== undefined && other?.gitops !== undefined) {
      return this.#areApart(a, b) ? 'apart' : 'elsewhere';
    }
    const differ = one?.cluster !== undefined && other?.cluster !== undefined && one.cluster !== other.cluster;
    if (one?.kind !== 'declared' || other?.kind !== 'declared') return 'elsewhere';
    if (one.path === other.path && (one.with?.includes(other.name ?? '') || other.with?.includes(one.name ?? ''))) {
      return 'here';
    }
    return differ ? 'apart' : 'elsewhere';
  }

  /** Whether two GitOps objects apply to different clusters. Argo CD and Flux name clusters differently. */
  #areApart(a: number, b: number): boolean {
    const [one, other] = [this.#scopes[a], this.#scopes[b]];
    if (one?.kind === 'argo-application' || other?.kind === 'argo-application') {
      const areKnown = one?.kind === other?.kind && one?.cluster !== undefined && other?.cluster !== undefined;
      return areKnown && one.cluster !== other.cluster;
    }
    const [from, to] = [this.#clusterOf(a), this.#clusterOf(b)];
    if (from === undefined || to === undefined) return false;
    if (from.root === undefined || to.root === undefined || from.root === to.root) return from.config !== to.config;
    return from.config === undefined && to.config === undefined;
  }

  /**
   * Returns the cluster to which Flux applies an object; undefined if several objects with different clusters apply the
   * definition. An object without a configuration for a cluster is applied to the cluster in which Flux runs, to which
   * its definition is applied too.
   */
  #clusterOf(number: number): FluxCluster | undefined {
    const { clusters } = this.#found;
    if (clusters.has(number)) return clusters.get(number);
    const { cluster, gitops } = this.#scopes[number] ?? {};
    const own: FluxCluster = cluster === undefined ? {} : { config: cluster };
    clusters.set(number, own);
    const around = gitops === undefined ? [] : this.#definersOf(gitops);
    const root = around.includes(number) ? clusterFolder.exec(gitops?.uri ?? '')?.[0] : undefined;
    const above = around.filter((each) => each !== number && this.#scopes[each]?.gitops !== undefined);
    const [first, ...others] = above.map((each) => this.#clusterOf(each));
    const isOne = others.every((each) => each?.root === first?.root && each?.config === first?.config);
    const known = root === undefined ? (isOne ? (above.length === 0 ? {} : first) : undefined) : { root };
    const found = known && { ...known, ...own };
    clusters.set(number, found);
    return found;
  }

  /** Whether two positions are alternatives although they are in one folder or declared scope. */
  #areVariants(related: Related, fromList: ScopeList, toList: ScopeList): boolean {
    let areShared = false;
    for (const number of fromList.numbers) {
      if (!toList.numbers.includes(number)) continue;
      if (!this.#areVariantsIn(number, related)) return false;
      areShared = true;
    }
    return areShared;
  }

  #areVariantsIn(number: number, related: Related): boolean {
    const scope = this.#scopes[number];
    if (scope?.kind !== 'folder' && scope?.kind !== 'declared') return false;
    const [a, b] = [fileOfPlace(related.from), fileOfPlace(related.to)];
    if (a === b) return false;
    const [one, other] = [a, b].map((uri) => this.#halfOf(number, scope, this.isGenerated(uri)));
    if (one === other) return one?.variants().areAlternatives(a, b, () => identityIn(related)) === true;
    const identity = identityIn(related);
    return identity !== undefined && one?.identities.has(identity) === true && other?.identities.has(identity) === true;
  }

  /**
   * Returns the generated files of a scope, or its other files. Each half has its own variants; an object with copies
   * in both halves is an alternative too.
   */
  #halfOf(number: number, scope: Scope, generated: boolean): Half {
    return getOrAdd(this.#halves, 2 * number + (generated ? 1 : 0), () => {
      const files = [...scope.files].filter((uri) => this.isGenerated(uri) === generated);
      return halfOf(files.map((uri) => [uri, this.#files.get(uri)?.identities ?? []] as const));
    });
  }

  #identitiesOf(number: number): ReadonlySet<string> {
    const known = this.#identities.get(number);
    if (known !== undefined) return known;
    const scope = this.#scopes[number];
    const identities = new Set<string>();
    for (const uri of scope?.files ?? []) {
      const facts = this.#files.get(uri);
      const template = scope?.kind === 'template' ? facts?.templates.find((each) => each.name === scope.name) : facts;
      for (const identity of template?.identities ?? []) identities.add(identity);
    }
    this.#identities.set(number, identities);
    return identities;
  }

  #isWritten(identity: string | undefined): boolean {
    if (identity === undefined) return false;
    this.#everywhere ??= new Set([...this.#files.values()].flatMap((each) => each.identities));
    return this.#everywhere.has(identity);
  }
}

/** The maximum number of clusters through which a cluster is reached; each of them applies definitions to the next. */
const maximumRemotes = 3;

const clusterFolder = /^.*\/clusters\/[^/]+(?=\/)/;

/** Two positions, and the object at the second position. */
interface Related {
  readonly from: string;
  readonly to: string;
  readonly who: Someone | undefined;
  /** The objects that are applied together with the first position, if they are known only from a rendering. */
  readonly applied?: Seen | undefined;
  /** Whether the object at the second position is a rendered object. */
  readonly isApplied?: boolean;
}

const identityIn = ({ who }: Related): string | undefined => who && identityOf(who.object);
