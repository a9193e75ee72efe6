/** Limits the work of building one kustomization with all of its bases, so that a small input cannot make it take minutes. */

import type { Kustomization } from '../../manifests/kustomize/model.ts';
import { maximumDepth } from '../../manifests/yaml/tree.ts';
import type { Resource } from './resource.ts';

/** Maximum number of objects that one kustomization builds. */
export const maximumResources = 20_000;

/** Maximum number of kustomizations in a chain in which each includes the next. */
export const maximumLevels = 200;

/** Maximum number of steps in building a kustomization, which take at most about five seconds. Real kustomizations need fewer. */
export const maximumSteps = 30_000_000;

/** The number of steps for deciding whether a resource is selected, possibly by a pattern. */
const stepsToChoose = 16;

/** The number of steps for copying a node in the set of those that several positions share. */
const stepsToShare = 8;

const stepsToEnter = 300;

const stepsToFollow = 20;

/** Counts the steps of building a kustomization: about one for each node that is visited. */
export class Steps {
  readonly #maximum: number;
  #made = 0;

  constructor(maximum = maximumSteps) {
    this.#maximum = maximum;
  }

  /** The number of steps so far, which is the same for equal files, regardless of what is cached. */
  get made(): number {
    return this.#made;
  }

  get areTooMany(): boolean {
    return this.#made > this.#maximum;
  }

  add(count: number): void {
    this.#made += count;
  }

  enter({ resources, components }: Pick<Kustomization, 'resources' | 'components'>): void {
    this.add(stepsToEnter + stepsToFollow * (resources.length + components.length));
  }

  /** Whether selecting among some resources one by one stays within the limit. */
  allowChoosing(resources: readonly Resource[]): boolean {
    this.add(1 + stepsToChoose * resources.length);
    return !this.areTooMany;
  }

  /**
   * Whether a change to a resource stays within the limit. `weight` is the number of nodes that are written into it,
   * each of which may be searched for among all existing nodes.
   */
  allow({ tree, transformers, previous, shared }: Resource, weight: number): boolean {
    const { size, depth } = tree.treeSize;
    if (depth > maximumDepth) this.#made = Number.POSITIVE_INFINITY;
    const copied = size + weight + transformers.length + previous.length + stepsToShare * (shared?.size ?? 0);
    this.add(copied * (1 + weight / 4));
    return !this.areTooMany;
  }
}
