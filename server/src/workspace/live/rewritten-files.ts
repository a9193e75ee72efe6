/** Records the files that were read again with equal facts, since their texts may differ where no fact depends on them. */

/** The maximum number of recorded files. */
const mostFiles = 1_000;

/** A list of the files that were read again; it is cleared when it is full. */
export class RewrittenFiles {
  #uris: string[] = [];
  #cleared = 0;

  get version(): number {
    return this.#cleared + this.#uris.length;
  }

  add(uri: string): void {
    this.#uris.push(uri);
    if (this.#uris.length < mostFiles) return;
    this.#cleared += this.#uris.length;
    this.#uris = [];
  }

  /** Returns the files that were recorded after a version; undefined if the list was cleared since then. */
  since(version: number): readonly string[] | undefined {
    return version < this.#cleared ? undefined : this.#uris.slice(version - this.#cleared);
  }
}
