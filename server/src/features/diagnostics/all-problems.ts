/** What is wrong in all files of the workspace? Each is checked once, and again where a change may matter to it. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import type { Finding } from '../../rules/framework/rule.ts';
import { lineTable } from '../../text/lines.ts';
import { touchedFiles } from '../../workspace/affected-files.ts';
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
  readonly source: Pick<FileSource, 'read' | 'pause'>;
  workspace(): Workspace;
  check(file: WorkspaceFile, text: string): readonly Finding[];
  /** Somebody has it open, and asks for its problems apart. */
  isOpen(uri: string): boolean;
  /** Larger files are not read. */
  maximumFileSize(): number;
  /** What was looked at and is of no use to the files that come next may be forgotten. */
  forgetUnused(): void;
}

/** So many files are read at once. */
const readTogether = 64;

/** What is left to check, and which file's problems point into which others. */
export class AllProblems {
  readonly #parts: AllProblemsParts;
  /** The picture of which everything was checked, but for what still waits. */
  #seen: Workspace | undefined;
  readonly #waiting = new Set<string>();
  /** By file, the others that its findings name: where these are changes with their every line. */
  readonly #named = new Map<string, ReadonlySet<string>>();

  constructor(parts: AllProblemsParts) {
    this.#parts = parts;
  }

  /** Something changed that no file says: everything is checked again. */
  forget(): void {
    this.#seen = undefined;
  }

  /** One file is checked again. */
  again(uri: string): void {
    this.#waiting.add(uri);
  }

  /**
   * Checks what waits, and tells of each file: undefined where it is gone, or open. True when all was checked; else what
   * is left waits for the next time.
   */
  async run(found: (uri: string, checked: Checked | undefined) => void, isCancelled: () => boolean): Promise<boolean> {
    this.#takeIn(this.#parts.workspace());
    while (this.#waiting.size > 0) {
      const uris = [...this.#waiting].slice(0, readTogether);
      const texts = await this.#read(uris);
      this.#parts.forgetUnused();
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

  /** What is wrong in one file that nobody has open. */
  async of(uri: string): Promise<Checked | undefined> {
    const checked = this.#check(uri, (await this.#read([uri])).get(uri));
    return checked === 'unknown' ? undefined : checked;
  }

  /** Files that were touched since the last time wait. */
  #takeIn(workspace: Workspace): void {
    const touched = this.#seen === undefined ? 'all' : touchedFiles(this.#seen, workspace, this.#parts.catalogue);
    const uris = touched === 'all' ? [...(this.#seen?.files.keys() ?? []), ...workspace.files.keys()] : touched;
    for (const uri of uris) this.#waiting.add(uri);
    if (touched !== 'all') {
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
    // Changed on disk a moment ago: it will be told, and is checked then.
    if (text === undefined || !isTextOf(file, text)) return 'unknown';
    const findings = this.#parts.check(file, text);
    const named = new Set(findings.flatMap(({ related }) => related.map((each) => each.file.uri)));
    named.delete(uri);
    if (named.size > 0) this.#named.set(uri, named);
    return { file, findings };
  }
}

/**
 * A file in which no rule has anything to look at costs no reading. What a team says about its rules is looked at, what
 * makes objects of others, and values that templates write into objects.
 */
export function isWorthChecking(file: WorkspaceFile | undefined): file is WorkspaceFile {
  if (file === undefined || file.uri === everyCluster) return false;
  if (file.objects > 0 || file.config !== undefined || file.kustomization !== undefined) return true;
  const { objects, mentions } = file.manifest;
  return objects.length > 0 || hasErrors(file) || mentions?.includes('commands') === true;
}

function isTextOf({ lines }: WorkspaceFile, text: string): boolean {
  const table = lineTable(text);
  return table.length === lines.length && table.every((start, line) => start === lines[line]);
}
