/** Learns kinds from the definitions in the workspace, and finds the files that were parsed before a kind was known. */

import { isBuiltIn } from '../../engine/catalogue/built-in.ts';
import {
  joinLearned,
  type LearnedKind,
  type LearnedStructures,
  learnedFact,
  withLearnedKinds,
  withLearnedStructures,
} from '../../engine/catalogue/learned-kinds.ts';
import type { Catalogue, KindFact } from '../../engine/catalogue/types.ts';
import type { Manifest } from '../../manifests/model.ts';
import { hashOf } from '../../text/hash.ts';
import { kindKey } from '../index/file-outline.ts';

/** Collects the definitions of kinds, in whatever files they are; the order of parsing does not matter. */
export class Learning {
  readonly #known: Catalogue;
  /** What each file teaches; most teach nothing. */
  readonly #byFile = new Map<string, readonly LearnedKind[]>();
  /** What all definitions of one kind say together, and that as text. */
  readonly #kinds = new Map<string, { readonly fact: KindFact; readonly key: string }>();
  /** The fields that definitions name, by file and then by kind. */
  readonly #fieldsByFile = new Map<string, ReadonlyMap<string, LearnedStructures>>();
  /** What all definitions of one kind agree on, and a short name of that. */
  readonly #fields = new Map<string, { readonly structures: LearnedStructures; readonly key: string }>();
  #catalogue: Catalogue | undefined;

  /** `known` is the catalogue that has the first word on a kind. */
  constructor(known: Catalogue) {
    this.#known = known;
  }

  /** A copy that learns by itself. */
  copy(): Learning {
    const copy = new Learning(this.#known);
    for (const [uri, taught] of this.#byFile) copy.#byFile.set(uri, taught);
    for (const [name, kind] of this.#kinds) copy.#kinds.set(name, kind);
    copy.#catalogue = this.#catalogue;
    return copy;
  }

  /** The catalogue with what was learned. */
  get catalogue(): Catalogue {
    this.#catalogue ??= withLearnedStructures(
      withLearnedKinds(
        this.#known,
        [...this.#kinds.values()].map(({ fact }) => fact),
      ),
      new Map([...this.#fields].map(([name, { structures }]) => [name, structures])),
    );
    return this.#catalogue;
  }

  /** What a file says now; undefined for one that is gone. True where something else is known than before. */
  teach(uri: string, manifest: Manifest | undefined): boolean {
    const learned = this.#teachFields(uri, manifest);
    const taught = (manifest?.objects ?? []).flatMap(({ defines }) => defines?.teaches ?? []);
    const before = this.#byFile.get(uri) ?? [];
    if (taught.length === 0 && before.length === 0) return learned;
    if (taught.length === 0) this.#byFile.delete(uri);
    else this.#byFile.set(uri, taught);
    return this.#learn(new Set([...before, ...taught].map(kindKey))) || learned;
  }

  /** The files that there are; what others taught is forgotten. */
  invalidateOthers(isThere: (uri: string) => boolean): void {
    const files = new Set([...this.#byFile.keys(), ...this.#fieldsByFile.keys()]);
    for (const uri of files) if (!isThere(uri)) this.teach(uri, undefined);
  }

  /** The fields of kinds of which a file has definitions. True if something else is known than before. */
  #teachFields(uri: string, manifest: Manifest | undefined): boolean {
    const taught = new Map<string, LearnedStructures>();
    for (const { defines } of manifest?.objects ?? [])
      if (defines?.structures !== undefined) taught.set(kindKey(defines), defines.structures);
    const before = this.#fieldsByFile.get(uri);
    if (taught.size === 0) this.#fieldsByFile.delete(uri);
    else this.#fieldsByFile.set(uri, taught);
    let changed = false;
    for (const name of new Set([...(before?.keys() ?? []), ...taught.keys()])) {
      const found = [...this.#fieldsByFile.values()].flatMap((kinds): readonly LearnedStructures[] => {
        const structures = kinds.get(name);
        return structures === undefined ? [] : [structures];
      });
      const [structures, ...others] = new Map(found.map((each) => [hashOf(JSON.stringify(each)), each]));
      // Definitions of several releases may each be the one in the cluster.
      const agreed = others.length === 0 ? structures : undefined;
      if ((this.#fields.get(name)?.key ?? '') === (agreed?.[0] ?? '')) continue;
      changed = true;
      if (agreed === undefined) this.#fields.delete(name);
      else this.#fields.set(name, { key: agreed[0], structures: agreed[1] });
    }
    if (changed) this.#catalogue = undefined;
    return changed;
  }

  #learn(names: ReadonlySet<string>): boolean {
    const found = new Map<string, LearnedKind[]>();
    for (const each of [...this.#byFile.values()].flat()) {
      const name = kindKey(each);
      if (names.has(name)) found.set(name, [...(found.get(name) ?? []), each]);
    }
    let changed = false;
    for (const name of names) {
      const [first, ...others] = found.get(name) ?? [];
      const joined = first && joinLearned(first, others);
      const key = joined === undefined ? '' : JSON.stringify(joined);
      if (key === (this.#kinds.get(name)?.key ?? '')) continue;
      changed = true;
      if (joined === undefined) this.#kinds.delete(name);
      else this.#kinds.set(name, { fact: learnedFact(joined), key });
    }
    if (changed) this.#catalogue = undefined;
    return changed;
  }

  #keyOf(name: string): string {
    return (this.#kinds.get(name)?.key ?? '') + (this.#fields.get(name)?.key ?? '');
  }

  /** The kinds of a file whose fields definitions may tell, each with what is known of it now. */
  kindsIn(manifest: Manifest): readonly string[] {
    const isUnknown = ({ group, version, kind }: Manifest['objects'][number]) =>
      !isBuiltIn(group) || this.#known.kind(group, version, kind) === undefined;
    const unknown = manifest.objects.filter(isUnknown);
    if (unknown.length === 0) return [];
    return [...new Set(unknown.map(kindKey))].map((name) => `${name} ${this.#keyOf(name)}`);
  }

  /** Would a file with these kinds be read as it was? */
  isCurrent(kinds: readonly string[]): boolean {
    return kinds.every((each) => {
      const end = each.indexOf(' ');
      return each.slice(end + 1) === this.#keyOf(each.slice(0, end));
    });
  }
}
