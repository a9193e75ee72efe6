/** Which kinds do the definitions of the workspace teach, and which files were read before that was known? */

import { joinLearned, type LearnedKind, learnedFact, withLearnedKinds } from '../../engine/catalogue/learned-kinds.ts';
import type { Catalogue, KindFact } from '../../engine/catalogue/types.ts';
import type { Manifest } from '../../manifests/model.ts';
import { kindKey } from '../index/file-outline.ts';

/** Holds what definitions say, wherever they stand; the order in which they are read does not matter. */
export class Learning {
  readonly #known: Catalogue;
  /** What each file teaches; most teach nothing. */
  readonly #byFile = new Map<string, readonly LearnedKind[]>();
  /** What all definitions of one kind say together, and that as text. */
  readonly #kinds = new Map<string, { readonly fact: KindFact; readonly key: string }>();
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
    this.#catalogue ??= withLearnedKinds(
      this.#known,
      [...this.#kinds.values()].map(({ fact }) => fact),
    );
    return this.#catalogue;
  }

  /** What a file says now; undefined for one that is gone. True where something else is known than before. */
  teach(uri: string, manifest: Manifest | undefined): boolean {
    const taught = (manifest?.objects ?? []).flatMap(({ defines }) => defines?.teaches ?? []);
    const before = this.#byFile.get(uri) ?? [];
    if (taught.length === 0 && before.length === 0) return false;
    if (taught.length === 0) this.#byFile.delete(uri);
    else this.#byFile.set(uri, taught);
    return this.#learn(new Set([...before, ...taught].map(kindKey)));
  }

  /** The files that there are; what others taught is forgotten. */
  forgetOthers(isThere: (uri: string) => boolean): void {
    for (const uri of [...this.#byFile.keys()]) if (!isThere(uri)) this.teach(uri, undefined);
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
      if (key === this.#keyOf(name)) continue;
      changed = true;
      if (joined === undefined) this.#kinds.delete(name);
      else this.#kinds.set(name, { fact: learnedFact(joined), key });
    }
    if (changed) this.#catalogue = undefined;
    return changed;
  }

  #keyOf(name: string): string {
    return this.#kinds.get(name)?.key ?? '';
  }

  /** The kinds of a file that the catalogue does not know, each with what is known of it now. */
  kindsIn(manifest: Manifest): readonly string[] {
    const isUnknown = ({ group, version, kind }: Manifest['objects'][number]) =>
      this.#known.kind(group, version, kind) === undefined;
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
