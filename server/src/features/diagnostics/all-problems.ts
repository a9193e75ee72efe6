/** Computes the diagnostics of all files of the workspace: checks each file once, and again after a change that may affect its findings. */

import type { Finding } from '../../rules/framework/rule.ts';
import { lineTable } from '../../text/lines.ts';
import { AskedQuestions } from '../../workspace/dependencies/asked-questions.ts';
import { affectedFiles, recorded, visibleIn } from '../../workspace/dependencies/dependencies.ts';
import { changesSince, type LiveState, stateOf } from '../../workspace/live/changes-since.ts';
import type { LiveWorkspace } from '../../workspace/live/live-workspace.ts';
import type { FileSource } from '../../workspace/live/load.ts';
import type { WorkspaceFile } from '../../workspace/model.ts';
import { everyCluster } from '../../workspace/scopes/model.ts';
import { hasErrors } from '../../workspace/snapshot.ts';

export interface Checked {
  readonly file: WorkspaceFile;
  readonly findings: readonly Finding[];
}

export interface AllProblemsParts {
  readonly workspace: LiveWorkspace;
  readonly source: Pick<FileSource, 'read' | 'pause'>;
  check(file: WorkspaceFile, text: string): readonly Finding[];
}

const readTogether = 64;

/** Checks all files that are not open in an editor, which requests the diagnostics of open files separately. Keeps the pending files, and the questions of the last checks. */
export class AllProblems {
  readonly #parts: AllProblemsParts;
  /** The most recent state; all of its files have been checked, except for the pending files. */
  #seen: LiveState | undefined;
  readonly #waiting = new Set<string>();
  readonly #asked = new AskedQuestions();

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
    this.#addAffected();
    while (this.#waiting.size > 0) {
      const uris = [...this.#waiting].slice(0, readTogether);
      const texts = await this.#read(uris);
      this.#parts.workspace.evictUnused();
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
  #addAffected(): void {
    const { workspace } = this.#parts;
    const seen = this.#seen;
    const changes = seen && changesSince(seen, workspace);
    const uris = changes?.map(({ after }) => after.uri) ?? [];
    const affected = seen && changes && affectedFiles(this.#asked, workspace, seen.snapshot, visibleIn(changes), uris);
    const all = () => [...(seen?.snapshot.files.keys() ?? []), ...workspace.snapshot().files.keys()];
    for (const uri of affected ?? all()) this.#waiting.add(uri);
    this.#seen = stateOf(workspace);
  }

  async #read(uris: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const { source, workspace } = this.#parts;
    const { files } = workspace.snapshot();
    const closed = uris.filter((uri) => isWorthChecking(files.get(uri)) && !workspace.isOpen(uri));
    if (closed.length === 0) return new Map();
    const read = await source.read(closed, workspace.settings.maximumFileSize);
    return new Map(
      closed.flatMap((uri, index): readonly (readonly [string, string])[] => {
        const each = read[index];
        return each !== undefined && 'text' in each ? [[uri, each.text]] : [];
      }),
    );
  }

  #check(uri: string, text: string | undefined): Checked | 'unknown' | undefined {
    const { workspace, check } = this.#parts;
    const file = workspace.snapshot().files.get(uri);
    const isChecked = isWorthChecking(file) && !workspace.isOpen(uri);
    // The file changed on disk after it was indexed; it is checked when that change is reported.
    if (isChecked && (text === undefined || !isTextOf(file, text))) return 'unknown';
    this.#asked.delete(uri);
    if (file === undefined || workspace.isOpen(uri)) return undefined;
    if (!isChecked || text === undefined) return { file, findings: [] };
    const around = { questions: workspace.questions, snapshot: workspace.snapshot() };
    const mentionedIn = (findings: readonly Finding[]) =>
      findings.flatMap(({ related }) => related.map((each) => each.file.uri));
    const { result: findings, questions } = recorded(around, uri, () => check(file, text), mentionedIn);
    this.#asked.add(uri, questions);
    return { file, findings };
  }
}

/** Whether a file can have findings; all other files are not read. Besides objects, findings can be in configuration files, kustomizations, chart values, commands, and files with syntax errors. */
export function isWorthChecking(file: WorkspaceFile | undefined): file is WorkspaceFile {
  if (file === undefined || file.uri === everyCluster) return false;
  if (file.objects > 0 || file.config !== undefined || file.scope.kustomization !== undefined) return true;
  if (file.data !== undefined || file.helm !== undefined) return true;
  const { objects, mentions, faults, trees } = file.manifest;
  if (trees !== undefined && trees.length > 0) return true;
  return objects.length > 0 || faults !== undefined || hasErrors(file) || mentions?.includes('commands') === true;
}

function isTextOf({ lines }: WorkspaceFile, text: string): boolean {
  const table = lineTable(text);
  return table.length === lines.length && table.every((start, line) => start === lines[line]);
}
