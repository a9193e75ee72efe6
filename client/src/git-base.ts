/** Sends the server the content that changed files have in the git state with which manifests are compared. VS Code's Git extension runs git; without that extension, nothing is compared. */
import * as vscode from 'vscode';
import { type BaseLanguageClient, State } from 'vscode-languageclient';
import { type BaseParams, baseNotification } from '../../server/src/protocol.ts';
import { languages } from './languages.ts';

/** The part of the `vscode.git` extension API, version 1, that this file uses; it is defined in `git.d.ts`. */
interface GitExtension {
  readonly enabled: boolean;
  readonly onDidChangeEnablement: vscode.Event<boolean>;
  getAPI(version: 1): GitApi;
}

interface GitApi {
  readonly repositories: readonly Repository[];
  readonly onDidOpenRepository: vscode.Event<Repository>;
  readonly onDidCloseRepository: vscode.Event<Repository>;
}

interface Repository {
  readonly rootUri: vscode.Uri;
  readonly state: {
    readonly HEAD: { readonly commit?: string } | undefined;
    readonly untrackedChanges?: readonly Change[];
    readonly workingTreeChanges: readonly Change[];
    readonly onDidChange: vscode.Event<void>;
  };
  /** Returns the files of the working tree that differ from a commit. */
  diffWith(ref: string): Promise<readonly Change[]>;
  /** Returns the content of a file at a commit, or in the index if `ref` is empty. */
  show(ref: string, path: string): Promise<string>;
  getCommit(ref: string): Promise<{ readonly hash: string }>;
}

interface Change {
  readonly uri: vscode.Uri;
  readonly originalUri: vscode.Uri;
  readonly status: number;
}

/** The value of `Status.UNTRACKED` in the API of the Git extension. */
const untracked = 7;
/** The maximum number of changed files to compare, equal to the server's limit; a larger number of changes is not the result of manual editing. */
const maximumFiles = 2_000;
/** Milliseconds to wait for further changes, since a repository often reports several in a row. */
const delay = 300;
/** The start of a pointer file, which Git LFS stores in place of the content. */
const lfsPointer = 'version https://git-lfs.github.com/spec/';
/** Matches the paths of the files that the server reads. */
const readFiles = /\.(?:ya?ml|json|tpl)$|(?:^|\/)Kustomization$/;

/** The reason why manifests are not compared with a git state. */
type Uncompared = 'starting' | 'off' | 'noGit' | 'noRepository' | 'noCommit';

/** The git state with which manifests are compared, or the reason why they are not compared. */
export type Comparison =
  | {
      readonly kind: 'compared';
      readonly name: string;
      /** The name of the commit, or of the commit on which the index is based. */
      readonly commit: string;
    }
  | { readonly kind: Uncompared };

export class GitBase implements vscode.Disposable {
  readonly #client: BaseLanguageClient;
  readonly #log: vscode.LogOutputChannel;
  readonly #subscriptions: vscode.Disposable[] = [];
  readonly #repositories = new Map<string, vscode.Disposable>();
  #git: GitApi | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isBusy = false;
  #isBehind = false;
  #sent = '';
  #comparison: Comparison = { kind: 'starting' };
  readonly #compared = new vscode.EventEmitter<Comparison>();
  readonly onDidCompare = this.#compared.event;

  constructor(client: BaseLanguageClient, log: vscode.LogOutputChannel) {
    this.#client = client;
    this.#log = log;
    this.#subscriptions.push(
      client.onDidChangeState(({ newState }) => {
        this.#sent = '';
        if (newState === State.Running) this.#later();
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('selectorLens.compareWith')) this.#later();
      }),
      // A document that had no unsaved changes now differs from its file, so it must be compared too.
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (!this.#dirty.has(document.uri.toString()) && isManifest(document)) this.#later();
      }),
      vscode.extensions.onDidChange(() => void this.#connect()),
    );
    void this.#connect();
  }

  get comparison(): Comparison {
    return this.#comparison;
  }

  /** Reads the git state again, and sends it to the server even if it is unchanged. */
  async refresh(): Promise<void> {
    this.#sent = '';
    await this.#send();
  }

  #become(comparison: Comparison): void {
    this.#comparison = comparison;
    this.#compared.fire(comparison);
  }

  /** The documents that had unsaved changes when the git state was last sent. */
  #dirty = new Set<string>();

  async #connect(): Promise<void> {
    if (this.#git !== undefined) return;
    const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
    try {
      const git = await extension?.activate();
      if (git === undefined || !git.enabled) {
        this.#become({ kind: 'noGit' });
        if (git !== undefined) this.#subscriptions.push(git.onDidChangeEnablement(() => void this.#connect()));
        return;
      }
      this.#git = git.getAPI(1);
    } catch (error) {
      this.#log.info(`Changes are not compared with git: ${error}`);
      this.#become({ kind: 'noGit' });
      return;
    }
    const git = this.#git;
    for (const each of git.repositories) this.#follow(each);
    this.#subscriptions.push(
      git.onDidOpenRepository((repository) => this.#follow(repository)),
      git.onDidCloseRepository(({ rootUri }) => {
        this.#repositories.get(rootUri.toString())?.dispose();
        this.#repositories.delete(rootUri.toString());
        this.#later();
      }),
    );
    this.#later();
  }

  #follow(repository: Repository): void {
    const key = repository.rootUri.toString();
    if (!this.#repositories.has(key))
      this.#repositories.set(
        key,
        repository.state.onDidChange(() => this.#later()),
      );
    this.#later();
  }

  #later(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#send(), delay);
  }

  async #send(): Promise<void> {
    if (!this.#client.isRunning()) return;
    this.#isBehind = true;
    if (this.#isBusy) return;
    this.#isBusy = true;
    while (this.#isBehind) {
      this.#isBehind = false;
      try {
        const [comparison, params] = await this.#params();
        const text = JSON.stringify(params);
        if (text !== this.#sent) await this.#client.sendNotification(baseNotification, params);
        this.#sent = text;
        this.#become(comparison);
      } catch (error) {
        this.#log.warn(`Changes could not be compared with git: ${error}`);
      }
    }
    this.#isBusy = false;
  }

  async #params(): Promise<readonly [Comparison, BaseParams]> {
    const nothing = (kind: Uncompared) => [{ kind }, { name: null }] as const;
    const chosen = vscode.workspace.getConfiguration('selectorLens').get<string>('compareWith', 'HEAD');
    const repositories = this.#git?.repositories ?? [];
    if (chosen === '') return nothing('off');
    if (this.#git === undefined) return nothing('noGit');
    if (repositories.length === 0) return nothing('noRepository');
    const ref = chosen === 'index' ? '' : chosen;
    const files = new Map<string, string | null>();
    const versions: string[] = [];
    this.#dirty = new Set(
      vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty).map(({ uri }) => String(uri)),
    );
    for (const repository of repositories) {
      const version = await this.#versionOf(repository, ref);
      if (version === undefined) continue;
      versions.push(`${repository.rootUri} ${version}`);
      for (const { uri, original } of await changedIn(repository, ref)) {
        const text = original === null || files.size > maximumFiles ? null : await textAt(repository, ref, original);
        // Git LFS stores the content elsewhere, so the file is treated as unchanged.
        if (files.size <= maximumFiles && !text?.startsWith(lfsPointer)) files.set(this.#uriOf(uri), text);
      }
    }
    if (versions.length === 0) return nothing('noCommit');
    const name = chosen === 'index' ? vscode.l10n.t('the index') : chosen;
    const listed = [...files].map(([uri, text]) => ({ uri, text }));
    return [
      { kind: 'compared', name, commit: ref === '' ? 'HEAD' : ref },
      { name, version: `${chosen} ${versions.join(' ')}`, files: listed },
    ];
  }

  /** Returns the id of the commit that `ref` names, or of HEAD for the index; undefined if there is no such commit. */
  async #versionOf(repository: Repository, ref: string): Promise<string | undefined> {
    const head = repository.state.HEAD?.commit;
    if (head === undefined || ref === '' || ref === 'HEAD') return head;
    try {
      return (await repository.getCommit(ref)).hash;
    } catch (error) {
      this.#log.warn(`'${ref}' is not a commit of ${repository.rootUri.fsPath}: ${error}`);
      return undefined;
    }
  }

  #uriOf(uri: vscode.Uri): string {
    return this.#client.code2ProtocolConverter.asUri(uri);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    vscode.Disposable.from(this.#compared, ...this.#subscriptions, ...this.#repositories.values()).dispose();
  }
}

function isManifest({ languageId, uri }: vscode.TextDocument): boolean {
  return languages.includes(languageId) || readFiles.test(uri.path);
}

interface Changed {
  readonly uri: vscode.Uri;
  /** The URI of the file in the commit; null if the commit does not contain it. */
  readonly original: vscode.Uri | null;
}

/** Returns the files that differ from the commit on disk, untracked files, and files with unsaved changes. */
async function changedIn(repository: Repository, ref: string): Promise<readonly Changed[]> {
  const { state, rootUri } = repository;
  const changes = ref === '' ? state.workingTreeChanges : await repository.diffWith(ref);
  const found = new Map<string, Changed>();
  const add = (uri: vscode.Uri, original: vscode.Uri | null) => {
    if (readFiles.test(uri.path)) found.set(uri.toString(), { uri, original });
  };
  const isBelow = ({ path, scheme }: vscode.Uri) => scheme === rootUri.scheme && path.startsWith(`${rootUri.path}/`);
  for (const document of vscode.workspace.textDocuments)
    if (document.isDirty && isBelow(document.uri)) add(document.uri, document.uri);
  for (const { uri, originalUri, status } of [
    ...changes,
    ...(state.untrackedChanges ?? []),
    ...state.workingTreeChanges,
  ]) {
    if (status === untracked) add(uri, null);
    else if (!found.has(uri.toString()) || originalUri.toString() !== uri.toString()) {
      add(uri, uri);
      // A moved file no longer exists under its old name.
      if (originalUri.toString() !== uri.toString()) add(originalUri, originalUri);
    }
  }
  return [...found.values()];
}

/** Returns the content of a file in the commit; null if the commit does not contain the file. */
async function textAt(repository: Repository, ref: string, { fsPath }: vscode.Uri): Promise<string | null> {
  try {
    return await repository.show(ref, fsPath);
  } catch {
    return null;
  }
}
