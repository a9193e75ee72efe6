/** Tracks the base: the state with which the workspace is compared, such as HEAD. The client sends the content that changed files have in the base; all other files are the same as on disk. The base and the workspace share an index, so memory is needed only for the differences. */

import type { Connection } from 'vscode-languageserver';
import type { Log } from '../log.ts';
import { type BaseParams, baseNotification } from '../protocol.ts';
import type { Session } from '../session.ts';
import { localize } from '../text/localize.ts';
import type { Base } from '../workspace/base.ts';
import type { LiveWorkspace } from '../workspace/live/live-workspace.ts';
import type { FileSource } from '../workspace/live/load.ts';
import { type Texts, withTexts } from '../workspace/live/with-texts.ts';
import { withoutDefaults } from '../workspace/snapshot.ts';
import { canonicalUri } from '../workspace/uri.ts';

/** If more files than this differ, the base is probably from a different repository, so no comparison is made. */
const maximumFiles = 2_000;
const maximumCharacters = 20_000_000;

interface BaseParts {
  readonly connection: Connection;
  readonly session: Session;
  readonly source: FileSource;
  readonly log: Log;
}

export interface BaseFollower {
  /** Called when all files were indexed, or indexed again, so that the base is built again. */
  indexed(): void;
  /** Called when files changed on disk. */
  changedOnDisk(uris: readonly string[]): void;
  /** Returns whether the base is being read, and the reason if a base that the client sent is not used. */
  state(): { readonly isBusy: boolean; readonly problem: string | undefined };
}

/** The workspace in the state of the base, and the file contents that the client sent for it. */
interface Known {
  readonly version: string;
  readonly workspace: LiveWorkspace;
  texts: Texts;
}

/** Handles the notifications about the base; `changed` is called if findings may have changed. */
export function followBase(parts: BaseParts, changed: () => void): BaseFollower {
  const base = new ComparedState(parts, changed);
  parts.connection.onNotification(baseNotification, (given: BaseParams) => base.want(given));
  return base;
}

class ComparedState implements BaseFollower {
  readonly #parts: BaseParts;
  readonly #changed: () => void;
  #wanted: BaseParams | undefined;
  #known: Known | undefined;
  /** Files that changed on disk since their content was last read for the base. */
  readonly #stale = new Set<string>();
  #isBusy = false;
  #isBehind = false;
  #problem: string | undefined;

  constructor(parts: BaseParts, changed: () => void) {
    this.#parts = parts;
    this.#changed = changed;
  }

  want(given: BaseParams): void {
    this.#wanted = given;
    void this.#work();
  }

  indexed(): void {
    this.#known = undefined;
    this.#stale.clear();
    if (this.#wanted !== undefined) void this.#work();
  }

  changedOnDisk(uris: readonly string[]): void {
    if (this.#wanted === undefined || this.#wanted.name === null) return;
    for (const uri of uris) this.#stale.add(uri);
    void this.#work();
  }

  state() {
    return { isBusy: this.#isBusy, problem: this.#problem };
  }

  async #work(): Promise<void> {
    const { session, log } = this.#parts;
    this.#isBehind = true;
    if (this.#isBusy || !session.workspace.complete) return;
    this.#isBusy = true;
    while (this.#isBehind) {
      this.#isBehind = false;
      await this.#update().catch((error: unknown) => log.bug('changes since the base', error));
    }
    this.#isBusy = false;
  }

  async #update(): Promise<void> {
    const { session, log } = this.#parts;
    const { name = null, version = '', files = [] } = this.#wanted ?? {};
    const texts = name === null ? undefined : textsOf(files);
    const previous = this.#problem;
    const isTooMuch = name !== null && texts === undefined;
    this.#problem = isTooMuch ? localize`${files.length} files differ from ${name}, too many to compare.` : undefined;
    if (this.#problem !== undefined) log.warn(this.#problem);
    if (name === null || texts === undefined) {
      this.#known = undefined;
      if (session.choices.base === undefined && this.#problem === previous) return;
      session.choose({ base: undefined });
    } else {
      const workspace = await this.#workspaceWith(version, texts);
      session.choose({ base: await this.#baseOf(name, workspace, texts) });
    }
    this.#changed();
  }

  /**
   * Returns the workspace in the state of the base: a copy of the current workspace, or the workspace of the previous
   * base, updated with the changes since then.
   */
  async #workspaceWith(version: string, texts: Texts): Promise<LiveWorkspace> {
    const { session, source } = this.#parts;
    if (this.#known?.version !== version)
      this.#known = { version, workspace: session.workspace.clone(), texts: new Map() };
    const { workspace, texts: before } = this.#known;
    const told = [...before.keys(), ...texts.keys()].filter((uri) => before.get(uri) !== texts.get(uri));
    const again = [...this.#stale].filter((uri) => !texts.has(uri));
    this.#stale.clear();
    this.#known.texts = texts;
    const changes = [...new Set([...told, ...again])].map((uri) => ({ uri, gone: texts.get(uri) === null }));
    if (changes.length > 0) await workspace.refresh(withTexts(source, texts), changes);
    return workspace;
  }

  async #baseOf(name: string, workspace: LiveWorkspace, texts: Texts): Promise<Base> {
    const now = this.#parts.session.workspace;
    const textsNow = await this.#readClosed([...texts.keys()]);
    return {
      name,
      side: {
        workspace: withoutDefaults(workspace.snapshot()),
        catalogueOf: (uri) => workspace.catalogueOf(uri),
        // A file that the client does not list has the same content in the base as on disk.
        textOf: (uri) => (texts.has(uri) ? (texts.get(uri) ?? undefined) : now.textOf(uri)),
      },
      textNow: (uri) => textsNow.get(uri),
      changed: new Set(texts.keys()),
      client: this,
    };
  }

  /** Reads the current content of those files that are not open in the editor. */
  async #readClosed(uris: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const { session, source } = this.#parts;
    const closed = uris.filter((uri) => !session.workspace.isOpen(uri));
    const read = await source.read(closed, session.workspace.settings.maximumFileSize).catch(() => []);
    return new Map(
      closed.flatMap((uri, index) => {
        const each = read[index];
        return each !== undefined && 'text' in each ? [[uri, each.text] as const] : [];
      }),
    );
  }
}

/** Returns the file contents by canonical URI; undefined if there are too many files. */
function textsOf(files: NonNullable<BaseParams['files']>): Texts | undefined {
  const characters = files.reduce((sum, { text }) => sum + (text?.length ?? 0), 0);
  if (files.length > maximumFiles || characters > maximumCharacters) return undefined;
  return new Map(files.map(({ uri, text }) => [canonicalUri(uri), withoutMark(text)]));
}

function withoutMark(text: string | null): string | null {
  return text?.startsWith('\uFEFF') ? text.slice(1) : text;
}
