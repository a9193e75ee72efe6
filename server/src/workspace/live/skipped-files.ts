/** The files that exist but were skipped, with the reasons. */

import type { Log } from '../../log.ts';
import type { Manifest } from '../../manifests/model.ts';
import { localize } from '../../text/localize.ts';
import { isAttributesFile, isIgnoreFile } from '../ignore/folder-filter.ts';
import type { WorkspaceFile } from '../model.ts';
import { unreadFacts } from '../scopes/scope-facts.ts';
import { folderOf } from '../uri.ts';
import type { Skipped } from './load.ts';

export class SkippedFiles {
  readonly #log: Log;
  readonly #reasons = new Map<string, string>();

  constructor(log: Log) {
    this.#log = log;
  }

  add({ uri, reason }: Skipped): void {
    if (this.#reasons.get(uri) === reason) return;
    this.#reasons.set(uri, reason);
    this.#log.info(`Skipped ${uri}: ${reason}.`);
  }

  delete(uri: string): void {
    this.#reasons.delete(uri);
  }

  /** Replaces all skipped files except those that `isKept` selects. */
  replace(skipped: readonly Skipped[], isKept: (uri: string) => boolean): void {
    const now = new Set(skipped.map(({ uri }) => uri));
    for (const uri of this.#reasons.keys()) if (!now.has(uri) && !isKept(uri)) this.#reasons.delete(uri);
    for (const each of skipped) this.add(each);
  }

  /** Whether a file was skipped, or is in a folder that was not read completely. */
  has(uri: string): boolean {
    const parent = folderOf(uri);
    return this.#reasons.has(uri) || (parent !== uri && parent !== '' && this.has(parent));
  }

  get size(): number {
    return this.#reasons.size;
  }

  entries(): Iterable<readonly [uri: string, reason: string]> {
    return this.#reasons;
  }

  all(): readonly Skipped[] {
    return [...this.#reasons].map(([uri, reason]) => ({ uri, reason }));
  }

  /**
   * Returns the files in the snapshot that represent skipped files that may contain objects; git's own files contain
   * none.
   */
  files(): readonly (readonly [uri: string, file: WorkspaceFile])[] {
    const unread = this.all().filter(({ uri }) => !isIgnoreFile(uri) && !isAttributesFile(uri));
    return unread.map((each) => [each.uri, unreadFile(each)]);
  }

  /** Returns the file in the snapshot that represents a skipped file. */
  file(uri: string): WorkspaceFile | undefined {
    const reason = this.#reasons.get(uri);
    return reason === undefined ? undefined : unreadFile({ uri, reason });
  }
}

/** Returns a file that exists but was not loaded, so that its contribution to its scope is unknown. */
export function unreadFile({ uri, reason }: Skipped): WorkspaceFile {
  const manifest: Manifest = { objects: [], documents: 0, syntaxErrors: 0, unresolved: true };
  return { uri, manifest, lines: [0], scope: unreadFacts(localize`was not read: ${reason}`), objects: 0 };
}
