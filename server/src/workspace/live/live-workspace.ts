/** The live workspace: the files on disk and in the editor as they change, and the latest snapshot of them. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { lastAnswer } from '../../engine/last-result.ts';
import { contain, type Log } from '../../log.ts';
import type { Settings } from '../../settings/settings.ts';
import type { ConfigProblem } from '../../settings/shape.ts';
import { isBinary, notText } from '../../text/encoding.ts';
import { isConfigName } from '../configs.ts';
import { Questions } from '../dependencies/questions.ts';
import { Folders } from '../ignore/folder-filter.ts';
import { LayeredMap } from '../index/layered-map.ts';
import { WorkspaceIndex } from '../index/workspace-index.ts';
import { GeneratedContents } from '../kustomize/generated-hashes.ts';
import { Renderings } from '../kustomize/renderings.ts';
import { maximumAround } from '../kustomize/shared-files.ts';
import type { Workspace, WorkspaceFile } from '../model.ts';
import { isSameToLayout } from '../scopes/layout.ts';
import { everyClusterFile } from '../selection/external-objects.ts';
import { plainFileReading, readFile, withFiles, withScopesOf, workspaceIn } from '../snapshot.ts';
import { FileStore, type StoredFile } from '../store/file-store.ts';
import { restoreStore, saveStore } from '../store/store-cache.ts';
import { countOf, type Summary } from '../summary.ts';
import { fileNameOf, folderOf } from '../uri.ts';
import { CommandFiles, onlyCommandsIn, readCommands } from './command-files.ts';
import { contextOf, defaultConfiguration } from './configuration.ts';
import { type Change, readChanged } from './file-changes.ts';
import { FileVersions } from './file-versions.ts';
import type { LiveConfiguration, LiveParts, OpenFile } from './live-parts.ts';
import {
  type FileSource,
  failedToRead,
  load,
  type Reader,
  type ReadFiles,
  type ReadText,
  type Skipped,
  tooLarge,
} from './load.ts';
import { ReportedOnce } from './log-once.ts';
import { Readings, type TypingIn } from './parse-contexts.ts';
import { RewrittenFiles } from './rewritten-files.ts';
import { SkippedFiles, unreadFile } from './skipped-files.ts';

/** The maximum number of rounds of parsing files again: a chart affects its templates, which affect values files, which affect no other files. */
const mostRounds = 3;

/** The only owner of the state of the files. URIs are canonical. */
export class LiveWorkspace {
  readonly #catalogue: Catalogue;
  readonly #log: Log;
  /** Identifies the program that wrote a cache; caches of other builds are ignored. */
  readonly #build: string;
  readonly #open = new Map<string, OpenFile>();
  /** The files as last read from disk; an open file overrides them. */
  #stored = new LayeredMap<string, WorkspaceFile>(new Map());
  readonly #readings: Readings;
  readonly #reported: ReportedOnce;
  #contents = new GeneratedContents();
  /** The facts of files that are known without reading them. */
  readonly #store = new FileStore((uri, text) => this.#readings.read(uri, text, { closed: true }));
  readonly #cacheOf: LiveParts['cacheOf'];
  readonly #isOneShot: boolean;
  readonly #cachesRenderings: boolean;
  /** Records the questions about all files that a check asks; absent if no result is kept. */
  readonly questions: Questions | undefined;
  readonly rewritten = new RewrittenFiles();
  #saving: Promise<void> = Promise.resolve();
  readonly versions = new FileVersions();
  #folders = new Folders([]);
  #workspace: Workspace;
  #complete = false;
  #behind = false;
  readonly #skipped: SkippedFiles;
  /** The open files that are indexed although they are ignored or skipped. */
  readonly indexedAnyway = new Set<string>();
  #configuration: LiveConfiguration = defaultConfiguration;
  readonly #commandFiles: CommandFiles;
  readonly #onlyCommandsIn = lastAnswer(onlyCommandsIn);

  constructor(parts: LiveParts, build: string, readings = new Readings(parts.catalogue, parts.log, parts.parsed)) {
    this.#catalogue = parts.catalogue;
    this.#log = parts.log;
    this.#reported = new ReportedOnce(parts.log);
    this.#readings = readings;
    this.#isOneShot = parts.isOneShot === true;
    const keepsNothing = this.#isOneShot && parts.cacheOf === undefined;
    this.questions = parts.questions ?? (keepsNothing ? undefined : new Questions());
    this.#workspace = workspaceIn([], [], { ...parts, questions: this.questions });
    this.#skipped = new SkippedFiles(parts.log);
    this.#commandFiles = new CommandFiles(parts.log);
    this.#build = build;
    this.#cacheOf = parts.cacheOf;
    this.#cachesRenderings = this.#isOneShot || parts.cachesRenderings === true;
    if (keepsNothing) this.#store.retainParsed();
  }

  /** Returns an independent copy of the files on disk. It shares the facts of each file, and creates its index lazily. Objects that set no namespace are in `defaultNamespace`. Snapshots with one list of `folders` share indexes of names, which is slow if they are used alternately. */
  clone(
    defaultNamespace = this.#configuration.defaultNamespace,
    folders = this.#workspace.folders,
    readsContents = false,
  ): LiveWorkspace {
    // Only errors are logged, because the problems of a file were logged when it was loaded.
    const log: Log = { info() {}, warn() {}, bug: (where, error) => this.#log.bug(where, error) };
    const copy = new LiveWorkspace(
      { catalogue: this.#catalogue, log, isOneShot: true, questions: this.questions && new Questions() },
      this.#build,
      this.#readings.copy(this.#catalogue),
    );
    copy.#configuration = { ...this.#configuration, defaultNamespace };
    copy.#stored = this.#stored;
    copy.#folders = this.#folders;
    if (readsContents) copy.#contents = this.#contents.copy();
    const cluster = everyClusterFile(this.#catalogue);
    const files = [...this.#stored, [cluster.uri, cluster] as const, ...this.#skipped.files()];
    const parts = { listing: this.#folders, ...contextOf(copy.#configuration), log, questions: copy.questions };
    copy.#workspace = workspaceIn(folders, files, parts);
    copy.#complete = true;
    return copy;
  }

  /** Uses the scopes of the workspace of which this one is a copy, except for what differs because of different files. */
  shareScopes(original: Workspace): void {
    this.#workspace = withScopesOf(this.#workspace, original);
  }

  get settings(): Settings {
    return this.#configuration.settings;
  }
  /** Globs of files that the editor hides. */
  get hidden(): readonly string[] {
    return this.#configuration.hidden;
  }

  /** Replaces parts of the configuration. Indexed files stay unchanged until `load`. */
  configure(changes: Partial<LiveConfiguration>): void {
    this.#configuration = { ...this.#configuration, ...changes };
  }

  /** Loads all folders again. `named` folders in them are loaded even if git ignores them, and are not workspace folders. */
  async load(
    source: FileSource,
    folders: readonly string[],
    progress: (percentage: number) => void,
    isCancelled: () => boolean,
    named: readonly string[] = [],
  ) {
    this.#commandFiles.invalidateListing();
    const cache = this.#cacheOf?.(folders);
    if (!this.#complete) await restoreStore(this.#store, cache, this.#build, this.#log);
    this.#contents.invalidate();
    const index = new WorkspaceIndex((text) => this.#store.own(text), this.#isOneShot);
    const options = { ...this.#choice(), folders: [...folders, ...named], progress, isCancelled };
    const loaded = await load(source, this.#readerInto(index), options);
    if (isCancelled()) return;
    this.#stored = new LayeredMap(loaded.files);
    this.#folders = loaded.folders;
    this.versions.loaded(loaded.folders);
    this.#skipped.replace(loaded.skipped, (uri) => this.#open.has(uri));
    const open = [...this.#open].filter(([uri]) => this.#isSeen(uri)).map(([uri, { file }]) => [uri, file] as const);
    const cluster = everyClusterFile(this.#catalogue);
    const added = [[cluster.uri, cluster] as const, ...this.#skipped.files(), ...open];
    this.#workspace = workspaceIn(folders, [...loaded.files, ...added], {
      stale: { index, before: new Map(added.map(([uri]) => [uri, loaded.files.get(uri)])) },
      listing: loaded.folders,
      ...contextOf(this.#configuration),
      rendered: this.#cachesRenderings ? new Renderings(maximumAround) : undefined,
      log: this.#log,
      questions: this.questions,
    });
    this.#complete = true;
    for (const { uri } of this.#workspace.configs().all()) this.#heedConfig(uri);
    this.#readOpenAnew();
    for (const each of this.#open.values()) this.#contents.update(each.file);
    await this.#readData(source);
    await this.#readContents(source);
    if (!this.#isOneShot) this.#store.clearEarlierVersions();
    this.#saving = saveStore(this.#store, cache, { build: this.#build, uris: this.#stored.keys(), log: this.#log });
  }

  /** Resolves when no write of the cache is pending. */
  saved(): Promise<void> {
    return this.#saving;
  }

  respectsIgnoreFile(uri: string): boolean {
    return this.#folders.enterFolderOf(uri);
  }

  /** Returns the folders around the workspace folders, whose configurations may apply to their content, the names of the links in the workspace folders, and whether git tracks other files. */
  listed(): Pick<Folders, 'around' | 'linkNames' | 'hasChangedIndex'> {
    return this.#folders;
  }

  /** Returns the version of a file in the cache of an earlier run, if the file was read again or deleted since then. */
  readonly earlierVersion = (uri: string) => this.#store.earlierVersion(uri, this.#workspace.files.has(uri));

  /** Returns the files whose content kustomizations include in generated objects, which affects the names of these objects. */
  readonly generatedFrom = (): readonly string[] => this.#contents.inputs();

  /** Whether a file is a configuration above the workspace folders, whose creation is not reported by a listing. */
  isConfigAround(uri: string): boolean {
    return isConfigName(fileNameOf(uri)) && this.#folders.around.includes(folderOf(uri));
  }

  /** Processes changes of files and folders outside of the editor. Open files keep the text of the editor. */
  async refresh(source: FileSource, changes: readonly Change[]): Promise<void> {
    this.#commandFiles.update(changes);
    this.#behind = false;
    const folders = this.#folders;
    const [skipped, stored] = [new Map(this.#skipped.entries()), this.#stored];
    const files = {
      has: (uri: string) => skipped.has(uri) || stored.has(uri),
      keys: () => [...skipped.keys(), ...stored.keys()],
    };
    const read = await readChanged(source, this.#reader, changes, { files, folders }, this.#choice());
    // All folders were loaded again in the meantime, so this result is outdated.
    if (folders !== this.#folders) return;
    const configs = this.#take(read);
    // A configuration, chart or definition may change how other files are parsed.
    let stale = this.#readings.outdated(configs === 0 ? undefined : this.#stored);
    for (let round = 0; stale.length > 0 && round < mostRounds; round++) {
      if (!(await this.#readAgain(source, stale))) return;
      stale = this.#readings.outdated();
    }
    await this.#readData(source);
    await this.#readContents(source, changes);
  }

  /** Parses the files that GitOps objects and executed charts read as data, which may name further files. */
  async #readData(source: FileSource): Promise<void> {
    for (let round = 0; round < mostRounds && this.#readings.mayReadData; round++) {
      const missing = this.#readings.missingData(this.#workspace.scopes().dataFiles(), this.#stored);
      this.#readOpenAnew();
      if (missing.length === 0 || !(await this.#readAgain(source, missing))) return;
    }
  }

  /** Reads files again; returns false if all folders were loaded meanwhile. */
  async #readAgain(source: FileSource, uris: readonly string[]): Promise<boolean> {
    const known = { files: this.#stored, folders: this.#folders };
    const again = uris.map((uri) => ({ uri, gone: false }));
    const read = await readChanged(source, this.#reader, again, known, this.#choice());
    if (known.folders !== this.#folders) return false;
    this.#take(read);
    return true;
  }

  /** Updates the names of generated objects, which end with a hash of the content of other files, if these files or the kustomization changed. */
  async #readContents(source: FileSource, changes: readonly Change[] = []): Promise<void> {
    const fileOf = (uri: string) => this.#open.get(uri)?.file ?? this.#stored.get(uri);
    const files = { fileOf, textOf: (uri: string) => this.textOf(uri) };
    const hashed = await this.#contents.read(source, this.#workspace, changes, files);
    if (hashed.size > 0) this.#workspace = withFiles(this.#workspace, hashed);
  }

  /** Returns the changes on disk since the files were read, in case events were lost; undefined if other files may be ignored or linked now, so that all folders must be loaded again. */
  async missedChanges(source: FileSource): Promise<readonly Change[] | undefined> {
    const known = [...this.#stored.keys(), ...this.generatedFrom()];
    return this.#folders.hasChangedIndex() ? undefined : await this.versions.missed(source, this.#choice(), known);
  }

  /** Returns the problems of a `.selector-lens.yaml`, except for names of rules, which a rule reports. */
  configProblems(uri: string): readonly ConfigProblem[] {
    return (this.#open.get(uri)?.file ?? this.#workspace.files.get(uri))?.config?.problems ?? [];
  }

  /** Updates the facts of a configuration; its problems are logged when it is read from disk. */
  #heedConfig(uri: string): void {
    const file = this.#workspace.files.get(uri);
    if (!this.#open.has(uri)) this.#reported.configProblems(uri, file);
    this.#readings.set(uri, file?.config);
  }

  /** Parses open files again if the kinds or placeholders in their context changed; they may define further kinds. */
  #readOpenAnew(): void {
    const stale = [...this.#open].filter(([, { file }]) => !this.#readings.isCurrent(file));
    for (const [uri, { text, visiting, language }] of stale) this.edit(uri, text, visiting, language);
  }

  /** Updates files whose text is in memory, regardless of their folder. `textOf` returns the texts of other files, which are parsed again if the files determine how, such as a helper of a chart. */
  update(texts: Iterable<readonly [uri: string, read: ReadText]>, textOf?: (file: WorkspaceFile) => string): void {
    const files = new Map<string, WorkspaceFile>();
    const skipped: Skipped[] = [];
    const known = new Map(texts);
    const take = (uri: string, read: ReadText | undefined) => {
      const file = read && 'text' in read ? this.#reader.read(uri, read.text, read.stat) : undefined;
      if (file !== undefined) files.set(uri, file);
      else if (read !== undefined) skipped.push({ uri, reason: 'skipped' in read ? read.skipped : failedToRead });
    };
    for (const [uri, read] of known) take(uri, read);
    for (const uri of this.#readings.outdated()) {
      const other = this.#stored.get(uri);
      take(uri, known.get(uri) ?? (other && textOf && { text: textOf(other) }));
    }
    this.#take({ files, skipped, gone: [] });
  }

  /** Stores loaded files; returns the number of configurations among them. */
  #take({ files, skipped, gone }: ReadFiles<WorkspaceFile>): number {
    const changes = new Map<string, WorkspaceFile | undefined>(files);
    for (const uri of [...gone, ...skipped.map((each) => each.uri)]) changes.set(uri, undefined);
    // Most of the checked files have not changed.
    for (const [uri, file] of files) if (this.#stored.get(uri) === file && changes.delete(uri)) this.rewritten.add(uri);
    if (changes.size === 0) return 0;
    for (const [uri, file] of changes) {
      this.#skipped.delete(uri);
      if (file === undefined) this.#readings.keep(uri, undefined, this.#isSeen(uri));
    }
    for (const each of skipped) this.#skipped.add(each);
    this.#stored = this.#stored.with(changes);
    const seen = [...changes].filter(([uri]) => !this.#open.has(uri));
    this.#workspace = withFiles(
      this.#workspace,
      seen.map(([uri, file]) => [uri, file ?? this.#skipped.file(uri)]),
    );
    const configs = [...changes.keys()].filter((uri) => isConfigName(fileNameOf(uri)));
    for (const uri of configs) this.#heedConfig(uri);
    this.#readOpenAnew();
    return configs.length;
  }

  /** Whether an open file is part of the workspace: ignored files and names of links may be open without being part of it. */
  #isSeen(uri: string): boolean {
    if (this.#open.get(uri)?.visiting !== false) return false;
    if (this.indexedAnyway.has(uri)) return true;
    return this.unindexed(uri) === undefined && this.#folders.fileNameOf(uri) === uri;
  }

  /** The reader of files. Its index is only used to verify that the files can be indexed; the index of the workspace adds them lazily. */
  get #reader(): Reader<WorkspaceFile> {
    return this.#readerInto();
  }

  /** Returns a reader that also adds each file to an index while its complete facts are in memory. */
  #readerInto(index = new WorkspaceIndex()): Reader<WorkspaceFile> {
    const keep = ({ file, kept }: StoredFile) => {
      this.#reported.notes(file);
      this.#contents.update(file);
      index.update(file.uri, undefined, file);
      this.#readings.keep(file.uri, file, this.#isSeen(file.uri));
      return kept;
    };
    const invalidate = (uri: string) => {
      index.update(uri, undefined, undefined);
      this.#readings.keep(uri, undefined, this.#isSeen(uri));
      return undefined;
    };
    const barrier = <T>(uri: string, work: () => T) =>
      contain(this.#log, `reading ${uri}`, work, () => invalidate(uri));
    return {
      known: (uri, stat) => {
        return barrier(uri, () => {
          this.versions.set(uri, stat);
          const known = this.#store.known(uri, stat);
          return known !== undefined && this.#readings.isConfigured(known.file) ? keep(known) : undefined;
        });
      },
      read: (uri, text, stat) =>
        barrier(uri, () => {
          this.versions.set(uri, stat);
          const same = this.#store.readAgain(uri, text, stat);
          const isKnown = same !== undefined && this.#readings.isConfigured(same.file);
          return keep(isKnown ? same : this.#store.read(uri, text, stat));
        }),
      isData: (uri) => this.#readings.isData(uri),
      outdated: (isThere) => {
        this.#readings.invalidateOthers((uri) => isThere(uri) || this.#isSeen(uri));
        return this.#readings.outdated();
      },
    };
  }

  #choice() {
    const { settings, hidden } = this.#configuration;
    const { maximumFiles, maximumFileSize, include, exclude } = settings;
    return { maximumFiles, maximumFileSize, include, exclude: [...exclude, ...hidden] };
  }

  /** Sets the text of an open file; called for each version of the text. `visiting`: the file is not part of the workspace. */
  edit(uri: string, text: string, visiting = false, language?: string): void {
    const file = this.#readOpen(uri, text, language);
    const known = file.scope.unread ? '' : text;
    const before = this.#open.get(uri)?.file ?? this.#stored.get(uri);
    this.#open.set(uri, { text: known, file, visiting, ...(language && { language }) });
    const isSeen = this.#isSeen(uri);
    if (isSeen) this.#workspace = withFiles(this.#workspace, [[uri, file]]);
    const taught = isSeen && this.#readings.teach(uri, file);
    this.#readings.noteGitops(uri, file);
    // A GitOps object may now name different values files.
    const isApplied = file.scope.gitops !== undefined && !isSameToLayout(before, file);
    this.#behind ||= taught || this.#contents.update(file) || isApplied;
    if (taught || file.config !== undefined) this.#readOpenAnew();
  }

  #readOpen(uri: string, text: string, language: string | undefined): WorkspaceFile {
    const { maximumFileSize } = this.settings;
    if ((text.length > maximumFileSize && !this.indexedAnyway.has(uri)) || isBinary(text)) {
      const skipped = { uri, reason: isBinary(text) ? notText : tooLarge(maximumFileSize) };
      this.#skipped.add(skipped);
      return unreadFile(skipped);
    }
    const read = () => {
      const file = this.#readings.read(uri, text, { language });
      // If the file cannot be indexed, the error occurs here, and not in the index of all files.
      new WorkspaceIndex().update(uri, undefined, file);
      return file;
    };
    return contain(this.#log, `reading ${uri}`, read, () => unreadFile({ uri, reason: failedToRead }));
  }

  /** Closes an open file, so that its state on disk applies again. */
  close(uri: string): void {
    const closed = this.#open.get(uri);
    this.#open.delete(uri);
    this.indexedAnyway.delete(uri);
    if (closed === undefined) return;
    const stored = this.#stored.get(uri) ?? this.#skipped.file(uri);
    if (!closed.visiting) this.#workspace = withFiles(this.#workspace, [[uri, stored]]);
    if (closed.file.config !== undefined) this.#heedConfig(uri);
    const taught = !closed.visiting && this.#readings.teach(uri, stored);
    this.#behind ||= taught || this.#contents.has(uri);
    if (taught || closed.file.config !== undefined) this.#readOpenAnew();
  }

  textOf(uri: string): string | undefined {
    return this.#open.get(uri)?.text;
  }
  isOpen(uri: string): boolean {
    return this.#open.has(uri);
  }

  /** Returns the number of loaded files and objects, which is complete after `load` has ended. */
  summary(): Summary {
    return { ...countOf(this.#workspace), skipped: this.#skipped.size, complete: this.#complete };
  }

  /** Whether a file may exist although it is not in the workspace. */
  isUnread(uri: string): boolean {
    return this.#folders.leavesOut(uri) || this.#skipped.has(uri);
  }

  skipped(): readonly Skipped[] {
    return this.#skipped.all();
  }
  /** Returns why a file is not indexed, so that other files do not know its objects while it is open; undefined if it is indexed. */
  unindexed(uri: string): string | undefined {
    return this.#folders.unindexed(uri);
  }

  /** Evicts cached data that was not used since the last call; loops over all files call it from time to time. */
  evictUnused(): void {
    this.#store.clearCache();
    this.#workspace.evictUnused();
  }

  openFiles(): readonly OpenFile[] {
    return [...this.#open.values()].filter(({ visiting }) => !visiting);
  }
  openFile(uri: string): OpenFile | undefined {
    return this.#open.get(uri);
  }
  /** Returns the catalogue with the kinds that the configuration of a file describes, and the kinds of definitions. */
  catalogueOf(uri: string): Catalogue {
    return this.#readings.catalogueOf(uri);
  }

  /** Returns the context for parsing the text that is typed in a file. */
  typingIn(uri: string): TypingIn {
    return this.#readings.typingIn(uri);
  }

  /** Whether `load` has ended. */
  get complete(): boolean {
    return this.#complete;
  }
  /** Whether an open file changes how files on disk are parsed, so that `refresh` must parse them again. */
  get isBehind(): boolean {
    return this.#behind;
  }
  snapshot(): Workspace {
    return this.#workspace;
  }
  /** Must be called before closed files with commands are requested, if their changes on disk are not reported. */
  relistCommandFiles(): void {
    this.#commandFiles.invalidateListing();
  }

  /** Returns the closed files on disk with commands that contain a word, such as the key of a label. `manifest.inline` contains these commands with their current ranges on disk. Only the first call reads many files, in slices; later calls use the changes that `refresh` reported. */
  async closedCommandFiles(source: FileSource, word: string): Promise<readonly WorkspaceFile[]> {
    const { files, folders } = this.#workspace;
    const choice = this.#choice();
    const options = { ...choice, folders, catalogue: this.#catalogue, others: this.#onlyCommandsIn(files) };
    const uris = (await this.#commandFiles.filesNaming(source, word, options)).filter((uri) => !this.#open.has(uri));
    return readCommands(source, uris, word, choice.maximumFileSize, (uri, text) =>
      readFile(uri, text, this.catalogueOf(uri), { ...plainFileReading, log: this.#log }),
    );
  }
}
