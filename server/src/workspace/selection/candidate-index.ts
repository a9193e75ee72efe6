/** Finds objects by labels that are similar to those of a selector, so that a selector that matches nothing is not compared with each object of its scope. */

import { nameLabel } from '../../engine/catalogue/name-labels.ts';
import type { Requirement } from '../../engine/index.ts';
import { requiredValues } from '../../engine/label-index.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { SimilarNames } from '../../text/similar-names.ts';
import type { Candidate } from '../model.ts';

/** An index of the labels and names of some objects. */
export class CandidateIndex {
  /** The candidates by the keys and the known values of their labels. */
  readonly #byLabel = new Map<string, Map<string, Candidate[]>>();
  /** The candidates by the keys of their labels with unknown values. */
  readonly #unknown = new Map<string, Candidate[]>();
  /** The candidates that may have more labels. */
  readonly #open: Candidate[] = [];
  readonly #numbers = new Map<Candidate, number>();
  readonly #values = new Map<string, SimilarNames>();
  #keys: SimilarNames | undefined;
  /** The candidates by the names of their workloads, for each key. */
  readonly #byName = new Map<NameOf, Map<string, ByName>>();

  constructor(candidates: readonly Candidate[]) {
    for (const candidate of candidates) {
      this.#numbers.set(candidate, this.#numbers.size);
      const { labels, open } = candidate.labelSet;
      if (open) this.#open.push(candidate);
      for (const key of Object.keys(labels)) {
        const value = labels[key];
        if (typeof value !== 'string') getOrAdd(this.#unknown, key, newList).push(candidate);
        else getOrAdd(getOrAdd(this.#byLabel, key, newMap), value, newList).push(candidate);
      }
    }
  }

  /** Returns candidates in the order of the list, without duplicates. */
  inOrder(candidates: Iterable<Candidate>): readonly Candidate[] {
    const numberOf = (each: Candidate) => this.#numbers.get(each) ?? 0;
    return [...new Set(candidates)].sort((a, b) => numberOf(a) - numberOf(b));
  }

  /** Returns the candidates that certainly have a label. */
  having(key: string, value: string): readonly Candidate[] {
    return this.#byLabel.get(key)?.get(value) ?? [];
  }

  /** Returns all candidates that meet or may meet a requirement, possibly with others; undefined if the requirement does not restrict the values. */
  meeting(requirement: Requirement): readonly Candidate[] | undefined {
    const { key } = requirement;
    const values = requiredValues(requirement);
    return (
      values && [
        ...values.flatMap((value) => this.having(key, value)),
        ...(this.#unknown.get(key) ?? []),
        ...this.#open,
      ]
    );
  }

  /** Returns all candidates for which a requirement may be a misspelling: another value of its key, or another key with one of its values, is similar. */
  resembling(requirement: Requirement): readonly Candidate[] {
    const keys = [...this.#similarKeys().nearOrVariants(requirement.key), nameLabel];
    if (requirement.operator === 'exists') return keys.flatMap((each) => this.#withKey(each));
    return this.#similarTo(requirement, keys, (names, value) => names.nearOrVariants(value));
  }

  /** Returns all candidates whose value for the key of a requirement, or whose key with one of its values, differs in at most two letters, possibly with others. */
  withinLetters(requirement: Requirement): readonly Candidate[] {
    const keys = this.#similarKeys().within(requirement.key);
    return this.#similarTo(requirement, keys, (names, value) => names.within(value));
  }

  /** Returns the candidates with a similar value for the key of a requirement, or with one of some keys and one of its values. */
  #similarTo(
    { key, values }: Requirement,
    keys: readonly string[],
    similar: (names: SimilarNames, value: string) => readonly string[],
  ): readonly Candidate[] {
    return values
      .filter((value) => typeof value === 'string')
      .flatMap((value) => [
        ...similar(this.#valuesOf(key), value).flatMap((each) => this.having(key, each)),
        ...keys.flatMap((each) => this.having(each, value)),
      ]);
  }

  #similarKeys(): SimilarNames {
    this.#keys ??= new SimilarNames([...this.#byLabel.keys(), ...this.#unknown.keys()]);
    return this.#keys;
  }

  #valuesOf(key: string): SimilarNames {
    return getOrAdd(this.#values, key, () => new SimilarNames(this.#byLabel.get(key)?.keys() ?? []));
  }

  /** Returns all candidates that have a key and that workloads with a name create. `nameOf` determines which names are compared. */
  madeByNamesakes(nameOf: NameOf, name: string, key: string): readonly Candidate[] {
    const byKey = getOrAdd(this.#byName, nameOf, (): Map<string, ByName> => new Map());
    return getOrAdd(byKey, key, () => this.#namesIn(nameOf, key)).get(name) ?? [];
  }

  #namesIn(nameOf: NameOf, key: string): ByName {
    const found = new Map<string, Candidate[]>();
    for (const each of this.#withKey(key)) {
      const own = each.isMade ? nameOf(each.object) : undefined;
      if (own !== undefined) getOrAdd(found, own, newList).push(each);
    }
    return found;
  }

  #withKey(key: string): readonly Candidate[] {
    return [...(this.#byLabel.get(key)?.values() ?? []), this.#unknown.get(key) ?? []].flat();
  }
}

type NameOf = (object: ManifestObject) => string | undefined;
type ByName = ReadonlyMap<string, readonly Candidate[]>;

const newMap = (): Map<string, Candidate[]> => new Map();
const newList = (): Candidate[] => [];
