/** Computes the name hashes of generated objects whose content is in other files, or is merged. The contents are hashed but not stored. */

import { getOrAdd } from '../../engine/memoize.ts';
import { type Content, type FileContent, hashOf, mergedContent } from '../../manifests/kustomize/content-hash.ts';
import { generatorContents } from '../../manifests/kustomize/kustomization.ts';
import type { GeneratorEntry } from '../../manifests/kustomize/model.ts';
import type { FileSource } from '../live/load.ts';
import type { Workspace, WorkspaceFile } from '../model.ts';
import { folderOf } from '../uri.ts';
import { contentAfter, contentKey } from './generators.ts';

/** The inputs of `withHashes`. */
export interface Reading {
  readonly source: FileSource;
  readonly workspace: Workspace;
  readonly generating: Iterable<string>;
  textOf(uri: string): string | undefined;
  /** Returns the parsed file, without hashes. */
  fileOf(uri: string): WorkspaceFile | undefined;
}

/** Maximum number of bytes that the generators of one kustomization read; each file is counted once for each generator. */
export const maximumGeneratorBytes = 16 * 1_048_576;

/** The maximum number of files that are requested at once. At most this many files are read beyond the limit of bytes. */
const filesAtOnce = 8;

/** The maximum number of generators that are visited to find the generators into which a generator is merged; without a limit, the time would be exponential. */
const maximumVisits = 1_000;

/** The maximum size in bytes of a ConfigMap or Secret. */
const maximumBytes = 1_048_576;

/** The maximum number of chains of merged generators. If there are more, the hash is unknown. */
const maximumChains = 100;

/** Whether the hash of a generator depends on more than its kustomization: on files that it reads, or on content into which it is merged. */
export function readsContents({ reads, behavior }: GeneratorEntry): boolean {
  return reads !== undefined || behavior === 'merge';
}

/** Returns the files that the generators of a kustomization read. */
export function inputsOf(file: WorkspaceFile | undefined, workspace: Workspace): readonly string[] {
  const paths = file?.kustomization?.generators.flatMap(({ reads }) => reads ?? []) ?? [];
  return file === undefined ? [] : paths.map((path) => workspace.at(folderOf(file.uri), path));
}

/** Computes hashes, and returns the kustomizations that have new hashes, together with their hashes. */
export async function withHashes(reading: Reading): Promise<ReadonlyMap<string, WorkspaceFile>> {
  const { workspace, fileOf } = reading;
  const transformers = new OutputTree(reading);
  const files = new Map<string, WorkspaceFile>();
  for (const uri of reading.generating) {
    const file = fileOf(uri);
    if (!file?.kustomization?.generators.some(readsContents)) continue;
    const generators: GeneratorEntry[] = [];
    for (const [index, entry] of file.kustomization.generators.entries()) {
      if (!readsContents(entry)) generators.push(entry);
      else {
        const hashed = await transformers.hashed(uri, entry, index);
        const lacks = await transformers.lackedBy(uri, entry);
        generators.push(lacks.length === 0 ? hashed : { ...hashed, lacks });
      }
    }
    if (workspace.files.has(uri)) files.set(uri, hashedFile(file, generators, transformers.areCut(uri)));
  }
  return files;
}

function hashedFile(file: WorkspaceFile, generators: readonly GeneratorEntry[], areCut: boolean): WorkspaceFile {
  return {
    uri: file.uri,
    objects: file.objects,
    get manifest() {
      return file.manifest;
    },
    get lines() {
      return file.lines;
    },
    get scope() {
      return file.scope;
    },
    get kustomization() {
      return file.kustomization && { ...file.kustomization, generators, ...(areCut && { contentsCut: true as const }) };
    },
  };
}

interface Generator {
  readonly uri: string;
  readonly index: number;
  readonly entry: GeneratorEntry;
}

/** Content that may be in a generated object, and the key of the generators that produced it. */
interface GeneratedContent {
  readonly key: string;
  /** Undefined if part of the content is unknown. */
  readonly content: Content | undefined;
}

const noFiles: ReadonlySet<string> = new Set();

/** The generators of all kustomizations and their content, which are stored only while hashes are computed. */
class OutputTree {
  readonly #reading: Reading;
  readonly #byName = new Map<string, Generator[]>();
  readonly #contents = new Map<string, Promise<readonly (Content | undefined)[]>>();
  /** The contents of the latest merging generator, by file, kind, name and namespace: the next one is merged into them. */
  readonly #latest = new Map<string, { readonly index: number; readonly contents: readonly GeneratedContent[] }>();
  /** Kustomizations with generators that are not hashed, because their inputs are too large. */
  readonly #cut = new Set<string>();
  /** The files that the generators of a kustomization name and that cannot be read. */
  readonly #absent = new Map<string, Set<string>>();
  /** The total size of the merged content that was hashed, by kustomization. */
  readonly #mergedSizes = new Map<string, number>();

  constructor(reading: Reading) {
    this.#reading = reading;
    for (const uri of reading.generating) {
      for (const [index, entry] of (reading.fileOf(uri)?.kustomization?.generators ?? []).entries()) {
        for (const key of this.#keysOf(uri, entry)) {
          const beside = this.#byName.get(key);
          if (beside === undefined) this.#byName.set(key, [{ uri, index, entry }]);
          else beside.push({ uri, index, entry });
        }
      }
    }
  }

  #keysOf(uri: string, { kind, name }: GeneratorEntry): readonly string[] {
    const scopes = this.#reading.workspace.scopes();
    return scopes.building(uri).map(({ path }) => `${path}\n${kind}\n${name?.text}`);
  }

  async hashed(uri: string, entry: GeneratorEntry, index: number): Promise<GeneratorEntry> {
    if (entry.behavior !== 'merge') {
      const content = await this.#contentOf({ uri, index, entry });
      return content === undefined ? entry : { ...entry, hash: hashOf(content) };
    }
    const merged = new Map<string, string>();
    if (this.#cut.has(uri)) return { ...entry, merged };
    for (const { key, content } of await this.#contentsAfter({ uri, index, entry }, noFiles, { left: maximumVisits }))
      if (content !== undefined && this.#isMergeable(uri, content)) merged.set(key, hashOf(content));
    return { ...entry, merged };
  }

  /**
   * Returns the contents that a generator may have produced in any root kustomization; only a build determines which of
   * them it did. `above` contains the files that are merged into them.
   */
  async #contentsAfter(
    generator: Generator,
    above: ReadonlySet<string>,
    visits: { left: number },
  ): Promise<readonly GeneratedContent[]> {
    const { uri, index, entry } = generator;
    const own = { key: contentKey(uri, index), content: await this.#contentOf(generator) };
    if (entry.behavior !== 'merge') return [own];
    const id = `${uri}\n${entry.kind}\n${entry.name?.text}\n${entry.namespace?.text}`;
    const known = above.size === 0 ? this.#latest.get(id) : undefined;
    if (known?.index === index) return known.contents;
    if (--visits.left < 0) return [];
    const contents: GeneratedContent[] = [];
    for (const below of this.#below(generator, above)) {
      const isBeside = below.uri === uri;
      for (const each of await this.#contentsAfter(below, isBeside ? above : new Set([...above, uri]), visits)) {
        if (contents.length >= maximumChains) break;
        const content = each.content && own.content && mergedContent(each.content, own.content);
        contents.push({ key: contentAfter(each.key, own.key), content });
      }
    }
    if (above.size === 0) this.#latest.set(id, { index, contents });
    return contents;
  }

  /** Returns the generators into whose content a generator may be merged: the one before it in its file, or the last ones of other files. */
  #below({ uri, index, entry }: Generator, above: ReadonlySet<string>): readonly Generator[] {
    const last = new Map<string, Generator>();
    for (const key of this.#keysOf(uri, entry))
      for (const each of this.#byName.get(key) ?? [])
        if (each.uri === uri ? each.index < index : !above.has(each.uri))
          last.set(`${each.uri}\n${each.entry.namespace?.text}`, each);
    const beside = last.get(`${uri}\n${entry.namespace?.text}`);
    return beside === undefined ? [...last.values()].slice(0, maximumChains) : [beside];
  }

  /** Returns the files that a generator names and that cannot be read. */
  async lackedBy(uri: string, { reads = [] }: GeneratorEntry): Promise<readonly string[]> {
    await this.#contentsOf(uri);
    const absent = this.#absent.get(uri);
    if (absent === undefined) return [];
    return reads.filter((path) => absent.has(this.#reading.workspace.at(folderOf(uri), path)));
  }

  async #contentOf({ uri, index }: Generator): Promise<Content | undefined> {
    return (await this.#contentsOf(uri))[index];
  }

  #contentsOf(uri: string): Promise<readonly (Content | undefined)[]> {
    let known = this.#contents.get(uri);
    if (known === undefined) {
      known = this.#read(uri);
      this.#contents.set(uri, known);
    }
    return known;
  }

  async #read(uri: string): Promise<readonly (Content | undefined)[]> {
    const { source, workspace, textOf, fileOf } = this.#reading;
    const text = textOf(uri) ?? (await textFrom(source, uri));
    const inputs = [...new Set(inputsOf(fileOf(uri), workspace))];
    const folder = folderOf(uri);
    const contents = new Map<string, FileContent>();
    let size = 0;
    for (let at = 0; at < inputs.length && size <= maximumGeneratorBytes; at += filesAtOnce) {
      const some = inputs.slice(at, at + filesAtOnce);
      const found = await source.contents?.(folder, some, maximumBytes).catch(() => []);
      for (const [index, input] of some.entries()) {
        const content = found?.[index];
        if (content === undefined) {
          if (found !== undefined && found.length > 0) getOrAdd(this.#absent, uri, () => new Set<string>()).add(input);
          continue;
        }
        contents.set(input, content);
        size += content.bytes.length;
      }
    }
    if (size > maximumGeneratorBytes) this.#cut.add(uri);
    let left = maximumGeneratorBytes;
    return text === undefined
      ? []
      : generatorContents(text, (path) => {
          const content = contents.get(workspace.at(folder, path));
          left -= content?.bytes.length ?? 0;
          if (left < 0) this.#cut.add(uri);
          return left < 0 ? undefined : content;
        });
  }

  /** Whether merged content may be hashed, which depends on the total size of the merged parts. */
  #isMergeable(uri: string, { data, binary }: Content): boolean {
    let size = this.#mergedSizes.get(uri) ?? 0;
    for (const [key, text] of [...data, ...binary]) size += key.length + text.length;
    this.#mergedSizes.set(uri, size);
    if (size > maximumGeneratorBytes) this.#cut.add(uri);
    return size <= maximumGeneratorBytes;
  }

  /** Whether the inputs of the generators of a kustomization are too large to hash all of them. */
  areCut(uri: string): boolean {
    return this.#cut.has(uri);
  }
}

async function textFrom(source: FileSource, uri: string): Promise<string | undefined> {
  const [read] = await source.read([uri], maximumBytes).catch(() => []);
  return read !== undefined && 'text' in read ? read.text : undefined;
}
