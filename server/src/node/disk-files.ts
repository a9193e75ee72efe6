/** A file source for `file:` URIs, which are read from disk within the allowed folders. */

import { isUtf8 } from 'node:buffer';
import { statSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { FileContent, FileSource, FileStat, ReadText } from '../workspace/live/load.ts';
import { canonicalUri } from '../workspace/uri.ts';
import { syncOrAsync } from './adaptive-io.ts';
import { Bounds, isInside, Resolver } from './bounds.ts';
import { listFolder } from './list-folder.ts';
import { asyncReadWithin, statOf, syncReadWithin, textOf } from './read-file.ts';
import { turns } from './yield-to-event-loop.ts';

export interface DiskFiles extends FileSource {
  readonly contents: NonNullable<FileSource['contents']>;
  /** Reads one file synchronously, with a maximum size in bytes. */
  readNow(uri: string, maximumBytes: number): ReadText;
}

/** Returns the file source for the disk. Listing a folder adds it to `bounds`, and only files within `bounds` are read. `onFolder` is called with the path of each folder before it is listed. */
export function diskFiles(bounds: Bounds = new Bounds(), onFolder?: (path: string) => void): DiskFiles {
  return {
    list: (folder, limit, filter) =>
      listFolder(fileURLToPath(folder), folder, limit, filter, bounds, undefined, onFolder),
    stat: (uris) => ofEach(uris, undefined, syncStat, asyncStat),
    read(uris, maximumBytes) {
      const resolver = new Resolver(bounds);
      return ofEach<ReadText>(
        uris,
        noPath,
        (path) => textOf(syncReadWithin(resolver, path, maximumBytes)),
        async (path) => textOf(await asyncReadWithin(resolver, path, maximumBytes)),
      );
    },
    readNow(uri, maximumBytes) {
      const path = pathOf(uri);
      return path === undefined ? noPath : textOf(syncReadWithin(new Resolver(bounds), path, maximumBytes));
    },
    contents(folder, uris, maximumBytes) {
      const resolver = new Resolver(bounds);
      return Promise.all(uris.map((uri) => contentIn(resolver, folder, uri, maximumBytes)));
    },
    pause: turns(),
  };
}

/** Returns the content of a file if it is below a folder, both by its path and after links are resolved. */
async function contentIn(
  resolver: Resolver,
  folder: string,
  uri: string,
  maximumBytes: number,
): Promise<FileContent | undefined> {
  try {
    const path = fileURLToPath(uri);
    if (!isInside(await realpath(path), await realpath(fileURLToPath(folder)))) return undefined;
    const read = await asyncReadWithin(resolver, path, maximumBytes);
    if ('skipped' in read) return undefined;
    const { bytes } = read;
    return isUtf8(bytes) ? { bytes, text: utf8.decode(bytes) } : { bytes };
  } catch {
    return undefined;
  }
}

/** The byte order mark is preserved, because it is part of the content. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

export function fileUri(path: string): string {
  return canonicalUri(pathToFileURL(path).href);
}

async function ofEach<T>(
  uris: readonly string[],
  /** The result for a URI that does not correspond to a path on disk. */
  none: T,
  here: (path: string) => T,
  aside: (path: string) => Promise<T>,
): Promise<readonly T[]> {
  const ask = syncOrAsync(here, aside);
  return await Promise.all(
    uris.map((uri) => {
      const path = pathOf(uri);
      return path === undefined ? none : ask(path);
    }),
  );
}

/** Returns the path of a `file:` URI. Most URIs need no decoding, so the slow `fileURLToPath` (it takes as long as reading the disk) is avoided for them. */
function pathOf(uri: string): string | undefined {
  if (sep === '/' && /^file:\/\/\/[\w./-]*$/.test(uri)) return uri.slice(7);
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

const noPath: ReadText = { skipped: 'its URI is not the path of a file' };

function syncStat(path: string): FileStat | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found?.isFile() ? statOf(found) : undefined;
  } catch {
    return undefined;
  }
}

async function asyncStat(path: string): Promise<FileStat | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ? statOf(found) : undefined;
}
