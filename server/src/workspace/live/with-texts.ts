/** A file source in which some files have different content: the content of an earlier state, or proposed content. */

import type { FileContent } from '../../manifests/kustomize/content-hash.ts';
import { localize } from '../../text/localize.ts';
import type { FileSource, FileStat, ReadText } from './load.ts';

/** The content of files by URI; null for a file that does not exist. */
export type Texts = ReadonlyMap<string, string | null>;

/** Returns a file source in which some files have different content, or do not exist. */
export function withTexts(source: FileSource, texts: Texts): FileSource {
  const merged = async <T>(
    uris: readonly string[],
    handle: (others: readonly string[]) => Promise<readonly T[]>,
    own: (text: string | null) => T,
    none: T,
  ): Promise<readonly T[]> => {
    const others = uris.filter((uri) => !texts.has(uri));
    const answers = others.length === 0 ? [] : await handle(others);
    const byUri = new Map(others.map((uri, index) => [uri, answers[index] ?? none]));
    return uris.map((uri) => {
      const text = texts.get(uri);
      return text === undefined ? (byUri.get(uri) ?? none) : own(text);
    });
  };
  const statOf = (text: string | null): FileStat | undefined =>
    text === null ? undefined : { size: text.length, modified: 0, fresh: true };
  const readOf = (text: string | null): ReadText =>
    text === null ? { skipped: localize`it did not exist` } : { text };
  const { contents } = source;
  return {
    list: (folder, limit, filter) => source.list(folder, limit, filter),
    stat: (uris) => merged<FileStat | undefined>(uris, (others) => source.stat(others), statOf, undefined),
    read: (uris, maximumBytes) =>
      merged<ReadText>(uris, (others) => source.read(others, maximumBytes), readOf, {
        skipped: localize`it no longer exists`,
      }),
    ...(contents && {
      // The bytes of a replaced text are unknown.
      contents: (folder, uris, maximumBytes) =>
        merged<FileContent | undefined>(
          uris,
          (others) => contents(folder, others, maximumBytes),
          () => undefined,
          undefined,
        ),
    }),
    pause: () => source.pause(),
  };
}
