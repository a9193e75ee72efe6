/** A file source in memory, which implements the port of a disk. */

import type { FileSource, FileStat, ReadText } from '../../server/src/workspace/live/load.ts';

/** Files over a map of URIs to texts; counts its calls. */
export class MemoryFiles implements FileSource {
  readonly texts: Map<string, string>;
  /** The number of files in each call of `read`. */
  readonly slices: number[] = [];
  pauses = 0;

  constructor(texts: Iterable<readonly [uri: string, text: string]>) {
    this.texts = new Map(texts);
  }

  async list(folder: string, limit: number) {
    const inside = [...this.texts.keys()].filter((uri) => uri.startsWith(`${folder}/`));
    return { files: inside.slice(0, limit), more: inside.length > limit };
  }

  async stat(uris: readonly string[]): Promise<readonly (FileStat | undefined)[]> {
    return uris.map((uri) => {
      const text = this.texts.get(uri);
      return text === undefined ? undefined : { size: new TextEncoder().encode(text).length, modified: 0 };
    });
  }

  async read(uris: readonly string[], maximumBytes: number): Promise<readonly ReadText[]> {
    this.slices.push(uris.length);
    return uris.map((uri) => {
      const text = this.texts.get(uri);
      if (text === undefined) return { skipped: 'it no longer exists' };
      const size = new TextEncoder().encode(text).length;
      return size > maximumBytes ? { skipped: `it is larger than ${maximumBytes} bytes` } : { text };
    });
  }

  async contents(folder: string, uris: readonly string[], maximumBytes: number) {
    return uris.map((uri) => {
      const text = this.texts.get(uri);
      if (text === undefined || !uri.startsWith(`${folder}/`)) return undefined;
      const bytes = new TextEncoder().encode(text);
      return bytes.length > maximumBytes ? undefined : { bytes, text };
    });
  }

  async pause() {
    this.pauses++;
  }
}
