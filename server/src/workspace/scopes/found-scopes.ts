/** What is found about the scopes of a workspace, apart from the objects in files with objects. */

import { getOrAdd, once } from '../../engine/memoize.ts';
import { definitionKey } from '../gitops/model.ts';
import { Externals } from './externals.ts';
import { type Gathered, type GatheredScope, rootsByPart } from './gather-scopes.ts';
import { type ClusterGroup, type Relation, type Scope, type Surroundings, unexecuted } from './model.ts';
import { filesWith, type ScopeFacts } from './scope-facts.ts';

/** A cluster to which Flux applies objects. */
export interface FluxCluster {
  /** The folder in `clusters/` that contains a Kustomization that applies this folder; undefined if there is none. */
  readonly root?: string;
  /** The Secret with the configuration for the cluster; absent for the cluster in which Flux runs. */
  readonly config?: string;
}

/** The scopes of a position. */
export interface ScopeList {
  readonly numbers: readonly number[];
  readonly scopes: readonly Scope[];
  /** Relations to lists with many scopes, which are cached because they are expensive to compute. */
  relations?: Map<ScopeList, Relation>;
  around?: ReadonlySet<string>;
  folders?: ReadonlySet<string>;
}

/** Everything about scopes that does not depend on the objects in files with objects. Costly results are computed lazily. */
export class Found {
  readonly files: ReadonlyMap<string, ScopeFacts>;
  readonly around: Surroundings;
  readonly gathered: Omit<Gathered, 'byPosition' | 'scopes'>;
  readonly scopes: readonly GatheredScope[];
  /** The scopes of one position, shared by all positions with equal scopes. */
  readonly lists = new Map<string, ScopeList>();
  readonly byPosition = new Map<string, ScopeList>();
  readonly clusters = new Map<number, FluxCluster | undefined>();
  readonly clustersBy = new Map<number, ReadonlySet<string>>();
  groups: readonly ClusterGroup[] | undefined;
  readonly numbers = once(() => new Map<Scope, number>(this.scopes.map((each, number) => [each, number])));
  readonly externals: Externals;
  readonly building = once(() => {
    const roots = rootsByPart(this.scopes);
    return new Map([...roots].map(([uri, numbers]) => [uri, numbers.flatMap((number) => this.scopes[number] ?? [])]));
  });
  readonly definitions = once(() => {
    const found = new Map<string, number[]>();
    for (const [number, { gitops }] of this.scopes.entries())
      if (gitops !== undefined) getOrAdd(found, definitionKey(gitops), () => []).push(number);
    return found;
  });
  /** Whether the files contain GitOps objects, which find further files by the names of objects. */
  readonly hasGitops = once(() => filesWith(this.files, ({ gitops }) => gitops !== undefined).length > 0);

  constructor(files: ReadonlyMap<string, ScopeFacts>, around: Surroundings, gathered: Gathered) {
    this.files = files;
    this.around = around;
    this.externals = new Externals(around.configs, files);
    const { byPosition, scopes, ...others } = gathered;
    this.gathered = others;
    this.scopes = scopes;
    const lists = new Map<readonly number[], ScopeList>();
    const listOf = (numbers: readonly number[]) => getOrAdd(lists, numbers, () => this.listOf(numbers));
    for (const [place, numbers] of byPosition) this.byPosition.set(place, listOf(numbers));
  }

  readonly withoutDefaults = once((): Found => {
    // A file that is alone has a scope without a number.
    const placed = [...this.byPosition].filter(([, { numbers }]) => numbers.length > 0);
    const byPosition = new Map(placed.map(([place, { numbers }]) => [place, numbers]));
    return new Found(this.files, this.around, { ...this.gathered, scopes: this.scopes.map(unexecuted), byPosition });
  });

  listOf(numbers: readonly number[]): ScopeList {
    return getOrAdd(this.lists, numbers.join(','), () => {
      const scopes = numbers.flatMap((number) => this.scopes[number] ?? []);
      // The list is copied, because an array that grew has spare capacity.
      return { numbers: numbers.slice(), scopes };
    });
  }
}
