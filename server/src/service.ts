/** Everything that can be asked, one method each, about the current picture of the workspace. */

import type { Clock } from './clock.ts';
import type { Catalogue } from './engine/catalogue/types.ts';
import { completion } from './features/completion/completion.ts';
import type { Completions } from './features/completion/model.ts';
import { type Hover, hover } from './features/hover/hover.ts';
import { type Explanation, explainObject } from './features/pages/explain-object.ts';
import { preview, previewText } from './features/pages/preview.ts';
import { type Copy, copiesAt, pastedAt } from './features/refactor/convert-selector.ts';
import type { FileView, View } from './features/view.ts';
import type { Log } from './log.ts';
import { hostOf } from './manifests/inline/host-language.ts';
import type { Preview } from './protocol.ts';
import { check, isAcrossFiles, ruleIds } from './rules/framework/check.ts';
import type { Finding } from './rules/framework/rule.ts';
import { carried } from './rules/framework/shift-findings.ts';
import { severitiesFor } from './settings/read-config.ts';
import { defaultSettings, type RuleSeverity, type Settings } from './settings/settings.ts';
import { build } from './version.ts';
import { CommandFiles, onlyCommandsIn, withCommands } from './workspace/live/command-files.ts';
import type { Change } from './workspace/live/file-changes.ts';
import type { LiveParts } from './workspace/live/live-parts.ts';
import { LiveWorkspace } from './workspace/live/live-workspace.ts';
import type { FileSource } from './workspace/live/load.ts';
import type { Workspace, WorkspaceFile } from './workspace/model.ts';
import { plainFileReading, readFile } from './workspace/snapshot.ts';
import { isWithin, nameOf } from './workspace/uri.ts';

export interface ServiceParts extends LiveParts {
  /** Without one no suppression expires. */
  readonly clock?: Clock;
}

/** The picture, and what was chosen and found while somebody looks at it. URIs are canonical. */
export class Service extends LiveWorkspace {
  readonly catalogue: Catalogue;
  readonly #log: Log;
  readonly #clock: Clock | undefined;
  readonly #commandFiles: CommandFiles;
  /** The files of the last picture that was asked which of them may hold only commands. */
  #onlyCommands: { readonly files: Workspace['files']; readonly uris: readonly string[] } | undefined;
  /** What rules across files found in an open file when nobody was typing. */
  readonly #still = new Map<string, { readonly text: string; readonly findings: readonly Finding[] }>();
  /** Somebody is typing: rules across files wait, and what they found before moves along. */
  typing = false;
  /** By workspace folder, where the user chose otherwise for it. */
  folderSettings: ReadonlyMap<string, Settings> = new Map();
  /** The path of the scope that the reader chose to look at, where an object belongs to several. */
  activeScope: string | undefined;

  constructor(parts: ServiceParts) {
    super(parts, build);
    this.catalogue = parts.catalogue;
    this.#log = parts.log;
    this.#commandFiles = new CommandFiles(parts.log);
    this.#clock = parts.clock;
  }

  override async load(...given: Parameters<LiveWorkspace['load']>): Promise<void> {
    await super.load(...given);
    this.#commandFiles.forgetListing();
  }

  override refresh(source: FileSource, changes: readonly Change[]): Promise<void> {
    this.#commandFiles.heed(changes);
    return super.refresh(source, changes);
  }

  override close(uri: string): void {
    this.#still.delete(uri);
    super.close(uri);
  }

  /** What is wrong with an open file. */
  findings(uri: string): readonly Finding[] {
    const open = this.openFile(uri);
    // What only visits, as an old version beside the new one, is nobody's to mend.
    if (open === undefined || open.visiting) return [];
    if (this.typing) {
      const known = this.#still.get(uri);
      const across = known === undefined ? [] : carried(known.findings, known.text, open.text);
      return [...this.check(open.file, () => open.text), ...across].toSorted((a, b) => a.span.start - b.span.start);
    }
    const findings = this.check(open.file, () => open.text);
    this.#still.set(uri, { text: open.text, findings: findings.filter((each) => this.#isAcrossFiles(each, uri)) });
    return findings;
  }

  #isAcrossFiles({ rule }: Finding, uri: string): boolean {
    return isAcrossFiles(rule, this.workspace(), uri);
  }

  /** What is wrong with a file. Its text is read only where its facts do not tell. */
  check(file: WorkspaceFile, readText: () => string): readonly Finding[] {
    if (file.config === undefined && this.#isGenerated(file)) return [];
    const shown = this.#shown(withCommands(file, readText, this.catalogueOf(file.uri)), readText);
    const context = {
      uri: file.uri,
      readText,
      manifest: shown.manifest,
      file: shown,
      catalogue: this.catalogueOf(file.uri),
      workspace: this.workspace(),
      settings: this.#settingsOf(file.uri),
      isUnread: (uri: string) => this.isUnread(uri),
    };
    const severityOf = this.#severities(file.uri);
    const acrossFiles = this.complete && !this.typing;
    return check(context, { severityOf, acrossFiles, today: () => this.#clock?.today() }, this.#log);
  }

  /** Of a file that only visits, its first comment is all there is to know. */
  #isGenerated({ uri, scope }: WorkspaceFile): boolean {
    return this.workspace().files.has(uri) ? this.workspace().scopes().isGenerated(uri) : scope.generated === true;
  }

  /** What was chosen for each rule: what the team says of the file counts before what the user set. */
  #severities(uri: string): (rule: string) => RuleSeverity | undefined {
    const placed = this.workspace().configs().of(uri);
    const ofTeam = placed === undefined ? {} : severitiesFor(placed.config, placed.pathOf(uri), ruleIds);
    const ofUser = this.#settingsOf(uri).rules;
    return (rule) => ofTeam[rule] ?? ofUser[rule];
  }

  /** What the user chose for the workspace folder of a file: of several, the innermost. */
  #settingsOf(uri: string): Settings {
    const around = [...this.folderSettings.keys()].filter((folder) => isWithin(uri, folder));
    const [nearest] = around.toSorted((a, b) => b.length - a.length);
    return (nearest !== undefined && this.folderSettings.get(nearest)) || this.settings;
  }

  /** A file without what the user does not want to be looked for in its language. */
  #shown(file: WorkspaceFile, readText: () => string): WorkspaceFile {
    const { inlineSelectors } = this.#settingsOf(file.uri);
    if (inlineSelectors === defaultSettings.inlineSelectors) return file;
    const host = hostOf(nameOf(file.uri), readText(), this.openFile(file.uri)?.language);
    // A copy is without them.
    return host === undefined || inlineSelectors[host] ? file : { ...file, manifest: { ...file.manifest } };
  }

  hover(uri: string, offset: number): Hover | undefined {
    const view = this.fileView(uri);
    return view && hover(view, offset);
  }

  completion(uri: string, offset: number): Completions {
    const view = this.fileView(uri);
    return view === undefined ? { items: [], incomplete: false } : completion(view, offset);
  }

  copies(uri: string, offset: number): readonly Copy[] {
    const view = this.fileView(uri);
    return view === undefined ? [] : copiesAt(view, offset);
  }

  pasted(uri: string, offset: number, text: string): Copy | undefined {
    const view = this.fileView(uri);
    return view && pastedAt(view, offset, text);
  }

  preview(uri: string, offset: number, kinds?: readonly string[]): Preview | undefined {
    const view = this.fileView(uri);
    return view && preview(view, offset, kinds);
  }

  explainObject(uri: string, offset: number): Explanation | undefined {
    const view = this.fileView(uri);
    return view && explainObject(view, offset);
  }

  previewText(selector: string, kinds?: readonly string[]): Preview {
    return previewText(this.view(), selector, kinds);
  }

  /** What features look at, with the kinds that are known around a file. */
  view(uri?: string): View {
    const catalogue = uri === undefined ? this.catalogue : this.catalogueOf(uri);
    const { activeScope } = this;
    return { workspace: this.workspace(), catalogue, complete: this.complete, ...(activeScope && { activeScope }) };
  }

  /**
   * The files on disk that nobody has open and in whose commands a word stands, a label's key for example: what they say
   * is in `manifest.inline`, with its places, as they are on disk now. Hand them to `fileView`, so that features see them
   * beside the open files (`FileView.commandFiles`). Only the first question reads many files, in slices; later
   * ones learn of changes by `refresh`, as the picture does.
   */
  async closedCommandFiles(source: FileSource, word: string): Promise<readonly WorkspaceFile[]> {
    const { files, folders } = this.workspace();
    const { include, exclude, maximumFileSize } = this.settings;
    if (this.#onlyCommands?.files !== files) this.#onlyCommands = { files, uris: onlyCommandsIn(files) };
    const uris = await this.#commandFiles.saying(source, word, {
      folders,
      include,
      exclude: [...exclude, ...this.hidden],
      maximumFileSize,
      catalogue: this.catalogue,
      others: this.#onlyCommands.uris,
    });
    const closed = uris.filter((uri) => !this.isOpen(uri));
    const texts = closed.length === 0 ? [] : await source.read(closed, maximumFileSize);
    return closed.flatMap((uri, index) => {
      const read = texts[index];
      return read === undefined || 'skipped' in read ? [] : [this.#readCommands(uri, read.text)];
    });
  }

  #readCommands(uri: string, text: string): WorkspaceFile {
    return readFile(uri, text, this.catalogueOf(uri), { ...plainFileReading, log: this.#log });
  }

  /** The same, and an open file; undefined where it is not open. `closed`: what `closedCommandFiles` found, if it was asked. */
  fileView(uri: string, closed: readonly WorkspaceFile[] = []): FileView | undefined {
    const open = this.openFile(uri);
    const reading = { ...this.typingIn(uri), settings: this.#settingsOf(uri) };
    if (open === undefined) return undefined;
    const host = hostOf(nameOf(uri), open.text, open.language);
    const file = this.#shown(open.file, () => open.text);
    const opened = this.openFiles().map((each) => this.#shown(each.file, () => each.text));
    const others = closed.filter((each) => !this.isOpen(each.uri)).map((each) => this.#shown(each, () => ''));
    const commandFiles = [...opened, ...others];
    return { ...this.view(uri), ...reading, file, text: open.text, commandFiles, ...(host && { host }) };
  }

  /** What is known of a file: of an open one what is typed. */
  fileOf(uri: string): WorkspaceFile | undefined {
    return this.openFile(uri)?.file ?? this.workspace().files.get(uri);
  }
}
