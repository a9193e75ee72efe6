/** Splits the text of the playground into files, and provides them as a file source in memory. */

import type { FileSource } from '../server/src/workspace/live/load.ts';

export const folder = 'file:///playground';

/** A file, with the offset of its text in the text of the page. */
export interface PlaygroundFile {
  readonly uri: string;
  readonly text: string;
  readonly start: number;
}

/** Returns the files in the text of the page, by URI. Without a line `==> PATH <==`, the whole text is one file. If two files have the same path, the last one is used. */
export function filesIn(manifests: string): ReadonlyMap<string, PlaygroundFile> {
  const files = new Map<string, PlaygroundFile>();
  const add = (path: string, start: number, end: number) => {
    const text = manifests.slice(start, end);
    const uri = `${folder}/${path}`;
    if (text.trim() !== '') files.set(uri, { uri, text, start });
  };
  let path = 'manifests.yaml';
  let start = 0;
  for (const header of manifests.matchAll(/^==> ([\w./-]{1,200}) <==[ \t]*\r?\n/gm)) {
    add(path, start, header.index);
    const [whole, named = ''] = header;
    const names = named.split('/').filter((name) => name !== '' && !/^\.+$/.test(name));
    path = names.join('/') || 'manifests.yaml';
    start = header.index + whole.length;
  }
  add(path, start, manifests.length);
  return files;
}

/** Returns a file source with the given files, which never change. */
export function sourceOf(files: ReadonlyMap<string, PlaygroundFile>): FileSource {
  return {
    list: async (below, limit) => {
      const inside = [...files.keys()].filter((uri) => uri.startsWith(`${below}/`));
      return { files: inside.slice(0, limit), more: inside.length > limit };
    },
    stat: async (uris) =>
      uris.map((uri) => {
        const file = files.get(uri);
        return file && { size: file.text.length, modified: 0 };
      }),
    read: async (uris) =>
      uris.map((uri) => {
        const file = files.get(uri);
        return file === undefined ? { skipped: 'it does not exist' } : { text: file.text };
      }),
    pause: () => undefined,
  };
}
