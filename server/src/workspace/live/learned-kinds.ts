/** Learns kinds from the definitions in the workspace, and finds the files that were parsed before a kind was known. */

import { isBuiltIn } from '../../engine/catalogue/built-in-groups.ts';
import {
  joinLearned,
  type LearnedFields,
  type LearnedKind,
  learnedFact,
  withLearnedFields,
  withLearnedKinds,
} from '../../engine/catalogue/learned-kinds.ts';
import type { Catalogue, KindFact } from '../../engine/catalogue/types.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import type { Manifest } from '../../manifests/model.ts';
import { hashOf } from '../../text/hash.ts';
import { kindKey } from '../index/file-outline.ts';

/** Collects the definitions of kinds from any file; the order of parsing does not matter. */
export class Learning {
  readonly #known: Catalogue;
  /** The kinds that each file defines; most files define none. */
  readonly #byFile = new Map<string, readonly LearnedKind[]>();
  /** The joined facts of all definitions of one kind, and their serialized form. */
  readonly #kinds = new Map<string, { readonly fact: KindFact; readonly key: string }>();
  /** The fields of kinds in definitions, by file and then by kind. */
  readonly #fieldsByFile = new Map<string, ReadonlyMap<string, LearnedFields>>();
  /** The fields on which all definitions of one kind agree, and their hash. */
  readonly #fields = new Map<string, { readonly fields: LearnedFields; readonly key: string }>();
  #catalogue: Catalogue | undefined;

  /** Facts of the catalogue `known` take precedence. */
  constructor(known: Catalogue) {
    this.#known = known;
  }

  copy(): Learning {
    const copy = new Learning(this.#known);
    for (const [uri, taught] of this.#byFile) copy.#byFile.set(uri, taught);
    for (const [name, kind] of this.#kinds) copy.#kinds.set(name, kind);
    for (const [uri, kinds] of this.#fieldsByFile) copy.#fieldsByFile.set(uri, kinds);
    for (const [name, fields] of this.#fields) copy.#fields.set(name, fields);
    copy.#catalogue = this.#catalogue;
    return copy;
  }

  get catalogue(): Catalogue {
    this.#catalogue ??= withLearnedFields(
      withLearnedKinds(this.#known, [...this.#kinds.values()]),
      new Map(this.#fields),
    );
    return this.#catalogue;
  }

  /**
   * Replaces the definitions of a file; `manifest` is undefined for a removed file. Returns true if the learned facts
   * changed.
   */
  teach(uri: string, manifest: Manifest | undefined): boolean {
    const learned = this.#teachFields(uri, manifest);
    const taught = (manifest?.objects ?? []).flatMap(({ defines }) => defines?.teaches ?? []);
    const before = this.#byFile.get(uri) ?? [];
    if (taught.length === 0 && before.length === 0) return learned;
    if (taught.length === 0) this.#byFile.delete(uri);
    else this.#byFile.set(uri, taught);
    return this.#learn(new Set([...before, ...taught].map(kindKey))) || learned;
  }

  /** Drops the definitions of files that no longer exist. */
  invalidateOthers(isThere: (uri: string) => boolean): void {
    const files = new Set([...this.#byFile.keys(), ...this.#fieldsByFile.keys()]);
    for (const uri of files) if (!isThere(uri)) this.teach(uri, undefined);
  }

  /** Replaces the fields of kinds that a file defines. Returns true if the learned fields changed. */
  #teachFields(uri: string, manifest: Manifest | undefined): boolean {
    const taught = new Map<string, LearnedFields>();
    for (const { defines } of manifest?.objects ?? []) {
      const { structures, immutable } = defines ?? {};
      if (defines === undefined || (structures === undefined && immutable === undefined)) continue;
      taught.set(kindKey(defines), { ...(structures && { structures }), ...(immutable && { immutable }) });
    }
    const before = this.#fieldsByFile.get(uri);
    if (taught.size === 0) this.#fieldsByFile.delete(uri);
    else this.#fieldsByFile.set(uri, taught);
    let changed = false;
    for (const name of new Set([...(before?.keys() ?? []), ...taught.keys()])) {
      const found: LearnedFields[] = [];
      for (const kinds of this.#fieldsByFile.values()) {
        const fields = kinds.get(name);
        if (fields !== undefined) found.push(fields);
      }
      const [fields, ...others] = new Map(found.map((each) => [hashOf(JSON.stringify(each)), each]));
      // If there are several definitions for different releases, it is unknown which one is in the cluster.
      const agreed = others.length === 0 ? fields : undefined;
      if ((this.#fields.get(name)?.key ?? '') === (agreed?.[0] ?? '')) continue;
      changed = true;
      if (agreed === undefined) this.#fields.delete(name);
      else this.#fields.set(name, { key: agreed[0], fields: agreed[1] });
    }
    if (changed) this.#catalogue = undefined;
    return changed;
  }

  #learn(names: ReadonlySet<string>): boolean {
    const found = new Map<string, LearnedKind[]>();
    for (const kinds of this.#byFile.values()) {
      for (const each of kinds) {
        const name = kindKey(each);
        if (names.has(name)) getOrAdd(found, name, () => []).push(each);
      }
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

  /** Returns the kinds of a file whose fields may come from definitions, each with the key of the current facts. */
  kindsIn(manifest: Manifest): readonly string[] {
    const isUnknown = ({ group, version, kind }: Manifest['objects'][number]) =>
      !isBuiltIn(group) || this.#known.kind(group, version, kind) === undefined;
    const unknown = manifest.objects.filter(isUnknown);
    if (unknown.length === 0) return [];
    return [...new Set(unknown.map(kindKey))].map((name) => `${name} ${this.#keyOf(name)}`);
  }

  /** Whether a file with these kinds would be parsed with the same facts. */
  isCurrent(kinds: readonly string[]): boolean {
    return kinds.every((each) => {
      const end = each.indexOf(' ');
      return each.slice(end + 1) === this.#keyOf(each.slice(0, end));
    });
  }
}
