/** How is a folder read for the first time? In slices, so that what is typed meanwhile is answered. */

import type { Catalogue } from '../engine/catalogue/types.ts';
import { readFile, type WorkspaceFile } from './workspace.ts';

/** What one file of the outside world said. `skipped` is a reason for a person: "larger than 5000000 bytes". */
export type ReadText = { readonly text: string } | { readonly skipped: string };

/** The files of the outside world, as far as the workspace needs them. */
export interface FileSource {
  /** Canonical URIs of every file below a folder that may be a manifest; at most `limit`, `more` where there are others. */
  list(folder: string, limit: number): Promise<{ readonly files: readonly string[]; readonly more: boolean }>;
  /** The texts of files, in the order asked, without byte order marks. */
  read(uris: readonly string[], maximumBytes: number): Promise<readonly ReadText[]>;
  /** Lets other work of the process have its turn. */
  pause(): Promise<void>;
}

export interface LoadOptions {
  readonly folders: readonly string[];
  readonly maximumFiles: number;
  readonly maximumFileSize: number;
  /** Called after each slice, from 0 to 100. */
  progress(percentage: number): void;
  isCancelled(): boolean;
}

export interface Loaded {
  readonly files: ReadonlyMap<string, WorkspaceFile>;
  readonly skipped: readonly Skipped[];
}

export interface Skipped {
  readonly uri: string;
  readonly reason: string;
}

const sliceSize = 32;

/** Reads every file of the folders that may hold an object; what cannot be read is skipped with its reason. */
export async function load(source: FileSource, catalogue: Catalogue, options: LoadOptions): Promise<Loaded> {
  const files = new Map<string, WorkspaceFile>();
  const skipped: Skipped[] = [];
  const uris = new Set<string>();
  for (const folder of options.folders) {
    const listed = await source.list(folder, options.maximumFiles).catch(() => undefined);
    if (listed === undefined) {
      skipped.push({ uri: folder, reason: 'it could not be listed' });
      continue;
    }
    for (const uri of listed.files) uris.add(uri);
    if (listed.more) skipped.push({ uri: folder, reason: `it holds more than ${options.maximumFiles} files` });
  }
  const all = [...uris];
  for (let at = 0; at < all.length && !options.isCancelled(); at += sliceSize) {
    const slice = all.slice(at, at + sliceSize);
    const texts = await source.read(slice, options.maximumFileSize).catch(() => []);
    for (const [index, uri] of slice.entries()) {
      const read = texts[index] ?? { skipped: 'it could not be read' };
      if ('text' in read) files.set(uri, readFile(uri, read.text, catalogue));
      else skipped.push({ uri, reason: read.skipped });
    }
    options.progress(Math.floor((100 * Math.min(at + sliceSize, all.length)) / all.length));
    await source.pause();
  }
  return { files, skipped };
}
