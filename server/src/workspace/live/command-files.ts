/** Finds closed files whose commands contain a label. The files are searched lazily, since few requests need them. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { contain, type Log } from '../../log.ts';
import { hostOf } from '../../manifests/inline/host-language.ts';
import { inlineObjects, readInline } from '../../manifests/inline/inline.ts';
import { isKustomizationName } from '../../manifests/kustomize/kustomization.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { prometheusName } from '../../manifests/sites/prometheus-names.ts';
import { type Choice, FolderFilter, mayBeManifest } from '../ignore/folder-filter.ts';
import type { Workspace, WorkspaceFile } from '../model.ts';
import { everyCluster } from '../scopes/model.ts';
import { fileNameOf } from '../uri.ts';
import type { Change } from './file-changes.ts';
import { type FileSource, type FileStat, listFolder, readFiles, versionOf } from './load.ts';

/** Limits of the search for commands: the number of files, the size of each file in bytes, and the number of characters of all files. The limits are far above the size of real workspaces. Of the commands that contain a word, at most `commands` are retained, plus the remaining commands of the last file. */
export const commandFileLimits = { files: 2_000, bytes: 1_000_000, characters: 20_000_000, commands: 20_000 } as const;

/** Maximum number of files that are read at once, so that only some of the files in large folders are in memory. */
const filesAtOnce = 16;

export interface CommandFileOptions extends Choice {
  readonly folders: readonly string[];
  readonly maximumFileSize: number;
  readonly catalogue: Catalogue;
  /** Files of the snapshot that may contain commands although they are listed as manifests, such as workflows. */
  readonly others: readonly string[];
}

/** The selectors and labels in the commands of a file; most files have none. */
interface CommandWords {
  readonly stat: FileStat | undefined;
  readonly characters: number;
  readonly words: string;
}

/** Caches the selectors and labels in the commands of every file, but not its text. A file is parsed once, and again when its size or modification time differs; files are listed again after `update` was called for a change. */
export class CommandFiles {
  readonly #log: Log;
  #known = new Map<string, CommandWords>();
  #listed: readonly string[] | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Must be called for changes on disk: a folder, or a file that may be created, removed or changed. */
  update(changes: readonly Change[]): void {
    for (const { uri } of changes) {
      this.#known.delete(uri);
      if (!mayBeManifest(fileNameOf(uri))) this.#listed = undefined;
    }
  }

  /** Drops the listing after different folders were opened, or settings changed. */
  invalidateListing(): void {
    this.#listed = undefined;
  }

  /** Returns the files whose commands contain a word, in the order of their names. */
  async filesNaming(source: FileSource, word: string, options: CommandFileOptions): Promise<readonly string[]> {
    const isListed = this.#listed !== undefined;
    this.#listed ??= await listed(source, options);
    const uris = [...new Set([...this.#listed, ...options.others])].slice(0, commandFileLimits.files);
    const isWanted = containsAnyOf(word);
    const naming: string[] = [];
    let characters = 0;
    for (let start = 0; start < uris.length; start += filesAtOnce) {
      const group = uris.slice(start, start + filesAtOnce);
      const unknown = isListed ? group.filter((uri) => !this.#known.has(uri)) : group;
      if (unknown.length > 0) await this.#read(source, unknown, options);
      for (const [index, uri] of group.entries()) {
        const described = this.#known.get(uri);
        characters += described?.characters ?? 0;
        if (characters > commandFileLimits.characters) {
          this.#log.warn(
            `Commands are searched in ${start + index} of ${uris.length} files only, because the files are too large.`,
          );
          return naming.toSorted();
        }
        if (described !== undefined && isWanted(described.words)) naming.push(uri);
      }
    }
    return naming.toSorted();
  }

  async #read(source: FileSource, uris: readonly string[], options: CommandFileOptions): Promise<void> {
    const known = this.#known;
    const maximumFileSize = Math.min(options.maximumFileSize, commandFileLimits.bytes);
    const reader = {
      known(uri: string, stat: FileStat) {
        const described = known.get(uri);
        return described?.stat !== undefined && isSame(described.stat, stat) ? described : undefined;
      },
      read: (uri: string, text: string, stat: FileStat | undefined): CommandWords => {
        const words = () => wordsIn(uri, text, options.catalogue);
        return {
          stat,
          characters: text.length,
          words: contain(this.#log, `commands in ${uri}`, words, () => ''),
        };
      },
    };
    const read = await readFiles(source, reader, uris, { maximumFileSize, progress() {}, isCancelled: () => false });
    for (const uri of [...read.gone, ...read.skipped.map((each) => each.uri)]) {
      known.set(uri, { stat: undefined, characters: 0, words: '' });
    }
    for (const [uri, described] of read.files) known.set(uri, described);
  }
}

/** Returns the files of the workspace in which commands are searched, such as CI workflows, and manifests that contain a Prometheus configuration. There are too many other manifests to parse all of them again. */
export function onlyCommandsIn(files: Workspace['files']): readonly string[] {
  const uris: string[] = [];
  files.forEach((file) => {
    if (mayHoldOnlyCommands(file)) uris.push(file.uri);
  });
  return uris;
}

function mayHoldOnlyCommands(file: WorkspaceFile): boolean {
  if (file.scope.relabelings === true) return true;
  if (file.objects > 0 || file.uri === everyCluster || isKustomizationName(fileNameOf(file.uri))) return false;
  return !file.config && !file.chart && !file.helm;
}

function isSame(before: FileStat, now: FileStat): boolean {
  return before.fresh !== true && versionOf(before) === versionOf(now);
}

async function listed(source: FileSource, options: CommandFileOptions): Promise<readonly string[]> {
  const uris = new Set<string>();
  for (const folder of options.folders) {
    const filter = new FolderFilter(folder, options, 'commands');
    const { files } = await listFolder(source, folder, filter, { ...options, maximumFiles: commandFileLimits.files });
    for (const uri of files) uris.add(uri);
  }
  return [...uris];
}

function wordsIn(uri: string, text: string, catalogue: Catalogue): string {
  const host = hostOf(fileNameOf(uri), text);
  if (host === undefined) return '';
  return inlineObjects(text, host, catalogue).flatMap(wordsOf).join('\n');
}

/** Returns a function that tests whether a text contains a word, or the name of the word in Prometheus. */
function containsAnyOf(word: string): (text: string) => boolean {
  const words = [...new Set([word, prometheusName(word)])];
  return (text) => words.some((each) => text.includes(each));
}

function wordsOf({ labelSites, selectorSites, labelKeySites }: ManifestObject): readonly string[] {
  return [
    ...labelSites.flatMap(({ entries }) => entries.flatMap(({ key, value }) => [key.text, value.text])),
    ...selectorSites.flatMap(({ text, entries }) => [
      ...(text === undefined ? [] : [text.text]),
      ...entries.flatMap(({ key, value }) => [key.text, value.text]),
    ]),
    ...labelKeySites.map(({ key }) => key.text),
  ];
}

/**
 * Reads files, and retains only the commands of each that contain a word: a few files at once, in slices.
 * @param read creates a file from its text, with its commands in `manifest.inline`
 * @returns the files with such commands, in the order of `uris`
 */
export async function readCommands(
  source: FileSource,
  uris: readonly string[],
  word: string,
  maximumFileSize: number,
  read: (uri: string, text: string) => WorkspaceFile,
): Promise<readonly WorkspaceFile[]> {
  const isWanted = containsAnyOf(word);
  const found: WorkspaceFile[] = [];
  let commands = 0;
  for (let start = 0; start < uris.length && commands < commandFileLimits.commands; start += filesAtOnce) {
    const group = uris.slice(start, start + filesAtOnce);
    const texts = await source.read(group, Math.min(maximumFileSize, commandFileLimits.bytes));
    for (const [index, uri] of group.entries()) {
      const text = texts[index];
      if (text === undefined || 'skipped' in text || commands >= commandFileLimits.commands) continue;
      const file = read(uri, text.text);
      const inline = (file.manifest.inline ?? []).filter((object) => wordsOf(object).some(isWanted));
      commands += inline.length;
      if (inline.length > 0) {
        // The copied manifest has only these commands, instead of the lazy commands of the whole file.
        const manifest = Object.defineProperty({ ...file.manifest }, 'inline', { value: inline });
        found.push({ ...file, manifest });
      }
      await source.pause();
    }
  }
  return found;
}

/** Returns a file with the selectors and labels in its commands, which are not parsed in a closed file. */
export function withCommands(file: WorkspaceFile, readText: () => string, catalogue: Catalogue): WorkspaceFile {
  const { uri, manifest } = file;
  if ('inline' in manifest || manifest.mentions?.includes('commands') !== true) return file;
  const host = file.config === undefined ? hostOf(fileNameOf(uri), '') : undefined;
  if (host === undefined) return file;
  const { objects: inline, words } = readInline(readText(), host, catalogue);
  if (inline.length === 0 && words.length === 0) return file;
  const { lines, kustomization, chart, helm, chartKey, valuesRead, notes, scope, objects } = file;
  return {
    uri,
    manifest: { ...manifest, inline, words },
    lines,
    kustomization,
    ...(chart && { chart }),
    ...(helm && { helm }),
    chartKey,
    ...(valuesRead && { valuesRead }),
    ...(notes && { notes }),
    scope,
    objects,
  };
}
