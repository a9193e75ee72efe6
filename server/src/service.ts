/** Everything that can be asked, one method each; holds the current picture of the workspace. */

import type { Catalogue } from './engine/catalogue/types.ts';
import { type Completion, completion } from './features/completion.ts';
import { type Hover, hover } from './features/hover.ts';
import { preview, previewText } from './features/preview.ts';
import type { FileView, View } from './features/view.ts';
import type { Log } from './log.ts';
import type { Preview, Ready } from './protocol.ts';
import { check } from './rules/check.ts';
import type { Finding, Fix } from './rules/rule.ts';
import { defaultSettings, type Settings } from './settings/settings.ts';
import { meets, type Span } from './text/span.ts';
import { type FileSource, load, type ReadText, type Skipped } from './workspace/load.ts';
import {
  emptyWorkspace,
  objectsOf,
  readFile,
  type Workspace,
  type WorkspaceFile,
  withFiles,
} from './workspace/workspace.ts';

export interface ServiceParts {
  readonly catalogue: Catalogue;
  readonly log: Log;
}

interface OpenFile {
  readonly text: string;
  readonly file: WorkspaceFile;
  /** It is asked about, and no other file finds it: an old version of a file, for example. */
  readonly visiting: boolean;
}

/** The one place with state: the picture, the texts of open files and the settings. URIs are canonical. */
export class Service {
  readonly #catalogue: Catalogue;
  readonly #log: Log;
  readonly #open = new Map<string, OpenFile>();
  /** What was last read from disk; an open file hides it. */
  #stored: ReadonlyMap<string, WorkspaceFile> = new Map();
  #workspace: Workspace = emptyWorkspace;
  #complete = false;
  #skipped = new Map<string, string>();
  settings: Settings = defaultSettings;

  constructor(parts: ServiceParts) {
    this.#catalogue = parts.catalogue;
    this.#log = parts.log;
  }

  /** Reads all folders anew. Open files keep what is typed in them. */
  async load(
    source: FileSource,
    folders: readonly string[],
    progress: (percentage: number) => void,
    isCancelled: () => boolean,
  ) {
    const { maximumFiles, maximumFileSize } = this.settings;
    const loaded = await load(source, this.#catalogue, {
      folders,
      maximumFiles,
      maximumFileSize,
      progress,
      isCancelled,
    });
    if (isCancelled()) return;
    this.#stored = loaded.files;
    this.#setSkipped(loaded.skipped);
    const open = [...this.#open].filter(([, { visiting }]) => !visiting);
    this.#workspace = withFiles(emptyWorkspace, [
      ...loaded.files,
      ...open.map(([uri, { file }]) => [uri, file] as const),
    ]);
    this.#complete = true;
  }

  /** Files that changed outside the editor; `undefined` for one that is gone. */
  update(changes: Iterable<readonly [uri: string, read: ReadText | undefined]>): void {
    const stored = new Map(this.#stored);
    const visible: [string, WorkspaceFile | undefined][] = [];
    for (const [uri, read] of changes) {
      const file = read !== undefined && 'text' in read ? readFile(uri, read.text, this.#catalogue) : undefined;
      if (read !== undefined && 'skipped' in read) this.#skip({ uri, reason: read.skipped });
      else this.#skipped.delete(uri);
      if (file === undefined) stored.delete(uri);
      else stored.set(uri, file);
      if (!this.#open.has(uri)) visible.push([uri, file]);
    }
    this.#stored = stored;
    this.#workspace = withFiles(this.#workspace, visible);
  }

  /** The text of an open file, at its first and at every later version. `visiting`: it is not of the workspace. */
  edit(uri: string, text: string, visiting = false): void {
    const tooLarge = text.length > this.settings.maximumFileSize;
    if (tooLarge) this.#skip({ uri, reason: `it is larger than ${this.settings.maximumFileSize} bytes` });
    const known = tooLarge ? '' : text;
    const file = readFile(uri, known, this.#catalogue);
    this.#open.set(uri, { text: known, file, visiting });
    if (!visiting) this.#workspace = withFiles(this.#workspace, [[uri, file]]);
  }

  /** An open file was closed: what is on disk counts again. */
  close(uri: string): void {
    const closed = this.#open.get(uri);
    this.#open.delete(uri);
    if (closed !== undefined && !closed.visiting)
      this.#workspace = withFiles(this.#workspace, [[uri, this.#stored.get(uri)]]);
  }

  isOpen(uri: string): boolean {
    return this.#open.has(uri);
  }

  /** What was read so far; the picture is complete once `load` has ended. */
  summary(): Ready & { readonly complete: boolean } {
    let files = 0;
    let objects = 0;
    for (const file of this.#workspace.files.values()) {
      const here = objectsOf(this.#workspace, file).length;
      if (here > 0) files++;
      objects += here;
    }
    return { files, objects, skipped: this.#skipped.size, complete: this.#complete };
  }

  /** What was not read, and why. */
  skipped(): readonly Skipped[] {
    return [...this.#skipped].map(([uri, reason]) => ({ uri, reason }));
  }

  /** What is wrong with an open file. */
  findings(uri: string): readonly Finding[] {
    const open = this.#open.get(uri);
    if (open === undefined) return [];
    return this.check(open.file, open.text);
  }

  /** What is wrong with a file whose text is at hand. */
  check(file: WorkspaceFile, text: string): readonly Finding[] {
    const context = {
      uri: file.uri,
      text,
      manifest: file.manifest,
      file,
      catalogue: this.#catalogue,
      workspace: this.#workspace,
      settings: this.settings,
    };
    const severityOf = (rule: string) => this.settings.rules[rule];
    return check(context, { severityOf, acrossFiles: this.#complete }, this.#log);
  }

  /** The fixes of every finding that meets a span. */
  fixes(uri: string, span: Span): readonly { readonly finding: Finding; readonly fix: Fix }[] {
    return this.findings(uri)
      .filter((finding) => meets(finding.span, span))
      .flatMap((finding) => finding.fixes().map((fix) => ({ finding, fix })));
  }

  hover(uri: string, offset: number): Hover | undefined {
    const view = this.#fileView(uri);
    return view && hover(view, offset);
  }

  completion(uri: string, offset: number): readonly Completion[] {
    const view = this.#fileView(uri);
    return view === undefined ? [] : completion(view, offset);
  }

  preview(uri: string, offset: number): Preview | undefined {
    const view = this.#fileView(uri);
    return view && preview(view, offset);
  }

  previewText(selector: string): Preview {
    return previewText(this.#view(), selector);
  }

  workspace(): Workspace {
    return this.#workspace;
  }

  #view(): View {
    return { workspace: this.#workspace, catalogue: this.#catalogue, complete: this.#complete };
  }

  #fileView(uri: string): FileView | undefined {
    const open = this.#open.get(uri);
    return open && { ...this.#view(), file: open.file, text: open.text };
  }

  /** What was skipped before and can be read now is forgotten. */
  #setSkipped(skipped: readonly Skipped[]): void {
    const now = new Set(skipped.map(({ uri }) => uri));
    for (const uri of this.#skipped.keys()) if (!now.has(uri) && !this.#open.has(uri)) this.#skipped.delete(uri);
    for (const each of skipped) this.#skip(each);
  }

  #skip({ uri, reason }: Skipped): void {
    if (this.#skipped.get(uri) === reason) return;
    this.#skipped.set(uri, reason);
    this.#log.info(`Skipped ${uri}: ${reason}.`);
  }
}
