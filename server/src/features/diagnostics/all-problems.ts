/** Computes the diagnostics of all files of the workspace: checks each file once, and again after a change that may affect its findings. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import type { Finding } from '../../rules/framework/rule.ts';
import { lineTable } from '../../text/lines.ts';
import { affectedFiles } from '../../workspace/affected-files.ts';
import type { FileSource } from '../../workspace/live/load.ts';
import type { Workspace, WorkspaceFile } from '../../workspace/model.ts';
import { everyCluster } from '../../workspace/scopes/model.ts';
import { hasErrors } from '../../workspace/snapshot.ts';

export interface Checked {
  readonly file: WorkspaceFile;
  readonly findings: readonly Finding[];
}

export interface AllProblemsParts {
  readonly catalogue: Catalogue;
  /** Returns the catalogue with the kinds that are defined for a file or scope. */
  catalogueOf(uri: string): Catalogue;
  readonly source: Pick<FileSource, 'read' | 'pause'>;
  workspace(): Workspace;
  check(file: WorkspaceFile, text: string): readonly Finding[];
  /** Whether an editor has the file open and requests its diagnostics separately. */
  isOpen(uri: string): boolean;
  /** Returns the maximum size of a file in bytes; larger files are not read. */
  maximumFileSize(): number;
  /** Allows caches to evict entries that the next files do not need. */
  evictUnused(): void;
}

/** The number of files that are read in one batch. */
const readTogether = 64;

/** Checks all files, and tracks the pending files and the files to which findings refer. */
export class AllProblems {
  readonly #parts: AllProblemsParts;
  /** The most recent snapshot; all of its files have been checked, except for the pending files. */
  #seen: Workspace | undefined;
  readonly #waiting = new Set<string>();
  /**
   * For each file, the other files to which its findings refer. An edit of these files can change the ranges in the
   * findings.
   */
  readonly #named = new Map<string, ReadonlySet<string>>();

  constructor(parts: AllProblemsParts) {
    this.#parts = parts;
  }

  /** Invalidates all files, so that they are checked again, after a change outside of the files. */
  invalidate(): void {
    this.#seen = undefined;
  }

  /** Invalidates one file, so that it is checked again. */
  again(uri: string): void {
    this.#waiting.add(uri);
  }

  /**
   * Checks the pending files and calls `found` for each of them; `checked` is undefined if the file was deleted or is
   * open. Returns false if it was canceled; the remaining files then stay pending.
   */
  async run(found: (uri: string, checked: Checked | undefined) => void, isCancelled: () => boolean): Promise<boolean> {
    this.#indexBatch(this.#parts.workspace());
    while (this.#waiting.size > 0) {
      const uris = [...this.#waiting].slice(0, readTogether);
      const texts = await this.#read(uris);
      this.#parts.evictUnused();
      for (const uri of uris) {
        if (isCancelled()) return false;
        this.#waiting.delete(uri);
        const checked = this.#check(uri, texts.get(uri));
        if (checked !== 'unknown') found(uri, checked);
        await this.#parts.source.pause();
      }
    }
    return true;
  }

  /** Checks one file that is not open; returns undefined if there is no result, for example for a deleted file. */
  async of(uri: string): Promise<Checked | undefined> {
    const checked = this.#check(uri, (await this.#read([uri])).get(uri));
    return checked === 'unknown' ? undefined : checked;
  }

  /** Marks as pending all files that changes since the last call may affect. */
  #indexBatch(workspace: Workspace): void {
    const { catalogue } = this.#parts;
    const affected =
      this.#seen === undefined
        ? 'all'
        : affectedFiles(this.#seen, workspace, catalogue, (uri) => this.#parts.catalogueOf(uri));
    const uris = affected === 'all' ? [...(this.#seen?.files.keys() ?? []), ...workspace.files.keys()] : affected;
    for (const uri of uris) this.#waiting.add(uri);
    if (affected !== 'all') {
      for (const [uri, named] of this.#named) {
        if ([...named].some((each) => this.#seen?.files.get(each) !== workspace.files.get(each)))
          this.#waiting.add(uri);
      }
    }
    this.#seen = workspace;
  }

  async #read(uris: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const { source, workspace, maximumFileSize } = this.#parts;
    const closed = uris.filter((uri) => isWorthChecking(workspace().files.get(uri)) && !this.#parts.isOpen(uri));
    if (closed.length === 0) return new Map();
    const read = await source.read(closed, maximumFileSize());
    return new Map(
      closed.flatMap((uri, index): readonly (readonly [string, string])[] => {
        const each = read[index];
        return each !== undefined && 'text' in each ? [[uri, each.text]] : [];
      }),
    );
  }

  #check(uri: string, text: string | undefined): Checked | 'unknown' | undefined {
    this.#named.delete(uri);
    const file = this.#parts.workspace().files.get(uri);
    if (file === undefined || this.#parts.isOpen(uri)) return undefined;
    if (!isWorthChecking(file)) return { file, findings: [] };
    // The file changed on disk after it was indexed; it is checked when that change is reported.
    if (text === undefined || !isTextOf(file, text)) return 'unknown';
    const findings = this.#parts.check(file, text);
    const named = new Set(findings.flatMap(({ related }) => related.map((each) => each.file.uri)));
    named.delete(uri);
    if (named.size > 0) this.#named.set(uri, named);
    return { file, findings };
  }
}

/** Whether a file can have findings; all other files are not read. Besides objects, findings can be in configuration files, kustomizations, chart values, commands, and files with syntax errors. */
export function isWorthChecking(file: WorkspaceFile | undefined): file is WorkspaceFile {
  if (file === undefined || file.uri === everyCluster) return false;
  if (file.objects > 0 || file.config !== undefined || file.scope.kustomization !== undefined) return true;
  if (file.data !== undefined) return true;
  const { objects, mentions, faults } = file.manifest;
  return objects.length > 0 || faults !== undefined || hasErrors(file) || mentions?.includes('commands') === true;
}

function isTextOf({ lines }: WorkspaceFile, text: string): boolean {
  const table = lineTable(text);
  return table.length === lines.length && table.every((start, line) => start === lines[line]);
}
