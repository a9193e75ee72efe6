/** Provides diagnostics for files that are not open. A client that pulls diagnostics sends a single request, which is answered when there are changes; for all other clients, the diagnostics are pushed. */

import {
  type CancellationToken,
  type Connection,
  type Diagnostic,
  DocumentDiagnosticReportKind,
  type ResultProgressReporter,
  type WorkspaceDiagnosticParams,
  type WorkspaceDiagnosticReport,
  type WorkspaceDiagnosticReportPartialResult,
  type WorkspaceDocumentDiagnosticReport,
} from 'vscode-languageserver';
import { AllProblems, type Checked } from '../features/diagnostics/all-problems.ts';
import type { Log } from '../log.ts';
import type { Session } from '../session.ts';
import { rangeOf } from '../text/lines.ts';
import type { FileSource } from '../workspace/live/load.ts';
import { canonicalUri } from '../workspace/uri.ts';
import type { ClientAbilities } from './client-capabilities.ts';
import { findingToDiagnostic } from './convert.ts';
import type { Indexing } from './indexing.ts';
import { cancelled } from './request-guard.ts';

export interface WorkspaceDiagnosticsParts {
  readonly connection: Connection;
  readonly session: Session;
  readonly source: FileSource;
  readonly log: Log;
  readonly abilities: ClientAbilities;
  readonly indexing: () => Indexing;
}

/** The diagnostics that were last computed for a file that is not open. */
interface Report {
  readonly id: string;
  readonly items: readonly Diagnostic[];
  /** The serialized items, for comparison; undefined while the file waits to be checked. */
  readonly text: string | undefined;
}

/** A pending request of the editor. */
interface Pull {
  /** The result ids that the editor has, by file. */
  readonly known: Map<string, string>;
  readonly progress: ResultProgressReporter<WorkspaceDiagnosticReportPartialResult> | undefined;
  /** Whether a first partial result has already been sent. */
  begun: boolean;
  answer(report: WorkspaceDiagnosticReport): void;
}

/** The number of files that are checked between two partial results. */
const reportedTogether = 100;

/** Checks all closed files from its construction until the call of `end`, and reports each change once. */
export class WorkspaceDiagnostics {
  readonly #parts: WorkspaceDiagnosticsParts;
  readonly #problems: AllProblems;
  readonly #reports = new Map<string, Report>();
  readonly #pulls = new Set<Pull>();
  #count = 0;
  #running = false;
  #changed = false;
  #ended = false;

  constructor(parts: WorkspaceDiagnosticsParts) {
    this.#parts = parts;
    const { session, source } = parts;
    this.#problems = problemsOf(session, source);
    this.refresh();
  }

  /** Called when some files may have changed. */
  refresh(): void {
    this.#changed = true;
    if (!this.#running && !this.#ended) void this.#work();
  }

  /** Called when the settings may have changed. */
  invalidate(): void {
    this.#problems.invalidate();
    this.refresh();
  }

  /** Starts reporting diagnostics for a file that was closed, regardless of what was reported while it was open. */
  closed(uri: string): void {
    this.#reports.set(uri, { id: this.#nextId(), items: [], text: undefined });
    this.#problems.again(uri);
    this.refresh();
  }

  /** Returns the diagnostics of a file that has just been closed. */
  async of(uri: string): Promise<readonly Diagnostic[]> {
    const checked = await this.#problems.of(uri);
    return checked === undefined ? [] : this.#diagnosticsOf(checked);
  }

  /** Answers a pull request as soon as there are results that the editor does not have. */
  pull(
    { previousResultIds }: WorkspaceDiagnosticParams,
    token: CancellationToken,
    progress: ResultProgressReporter<WorkspaceDiagnosticReportPartialResult> | undefined,
  ): Promise<WorkspaceDiagnosticReport> {
    const known = new Map(previousResultIds.map(({ uri, value }) => [canonicalUri(uri), value]));
    // If a token is cancelled before a listener is added, the listener is never called.
    if (token.isCancellationRequested) return Promise.reject(cancelled());
    return new Promise((resolve, reject) => {
      const pull: Pull = { known, progress, begun: false, answer: resolve };
      token.onCancellationRequested(() => {
        this.#pulls.delete(pull);
        reject(cancelled());
      });
      this.#pulls.add(pull);
      if (!this.#running) this.#settle(pull);
    });
  }

  /** Stops checking. Pushed diagnostics are removed; the editor discards pulled diagnostics itself. */
  end(): void {
    this.#ended = true;
    for (const pull of this.#pulls) pull.answer({ items: [] });
    this.#pulls.clear();
    for (const [uri, { items }] of this.#reports) if (items.length > 0) this.#push(uri, []);
  }

  async #work(): Promise<void> {
    this.#running = true;
    const isCancelled = () => this.#ended || this.#parts.session.choices.typing;
    try {
      await this.#parts.indexing().start();
      let done = 0;
      const found = (uri: string, checked: Checked | undefined) => {
        this.#keep(uri, checked);
        if (++done % reportedTogether === 0) for (const pull of this.#pulls) this.#tell(pull);
      };
      while (this.#changed && !isCancelled()) {
        this.#changed = false;
        if (!(await this.#problems.run(found, isCancelled))) this.#changed = true;
      }
    } catch (error) {
      this.#parts.log.warn(`The workspace could not be checked: ${error instanceof Error ? error.message : error}`);
    }
    this.#running = false;
    for (const pull of [...this.#pulls]) this.#settle(pull);
  }

  #keep(uri: string, checked: Checked | undefined): void {
    const before = this.#reports.get(uri);
    if (this.#parts.session.workspace.isOpen(uri)) {
      this.#reports.delete(uri);
      return;
    }
    const items = checked === undefined ? [] : this.#diagnosticsOf(checked);
    const text = JSON.stringify(items);
    if (before === undefined ? items.length === 0 : before.text === text) return;
    this.#reports.set(uri, { id: this.#nextId(), items, text });
    this.#push(uri, items);
  }

  #diagnosticsOf({ file, findings }: Checked): readonly Diagnostic[] {
    return findings.map((finding) =>
      findingToDiagnostic(rangeOf(file.lines, finding.span), finding, this.#parts.abilities),
    );
  }

  #nextId(): string {
    return String(++this.#count);
  }

  #push(uri: string, items: readonly Diagnostic[]): void {
    if (this.#parts.abilities.pullDiagnostics) return;
    void this.#parts.connection.sendDiagnostics({ uri, diagnostics: [...items] });
  }

  #settle(pull: Pull): void {
    this.#tell(pull);
    const items = pull.progress === undefined ? this.#newsFor(pull) : [];
    if (items.length === 0 && !pull.begun) return;
    this.#pulls.delete(pull);
    pull.answer({ items });
  }

  /** Sends the new results as a partial result, if the editor supports partial results. */
  #tell(pull: Pull): void {
    const items = pull.progress === undefined ? [] : this.#newsFor(pull);
    if (items.length === 0) return;
    pull.begun = true;
    pull.progress?.report({ items });
  }

  /** Returns the reports that the editor does not have, and records that they have been sent. */
  #newsFor({ known }: Pull): WorkspaceDocumentDiagnosticReport[] {
    const news: WorkspaceDocumentDiagnosticReport[] = [];
    const kind = DocumentDiagnosticReportKind.Full;
    for (const [uri, { id, items, text }] of this.#reports) {
      if (text === undefined || known.get(uri) === id) continue;
      known.set(uri, id);
      news.push({ kind, uri, version: null, resultId: id, items: [...items] });
    }
    for (const uri of known.keys()) {
      if (this.#reports.has(uri) || this.#parts.session.workspace.isOpen(uri)) continue;
      known.delete(uri);
      news.push({ kind, uri, version: null, items: [] });
    }
    return news;
  }
}

/** Returns an object that computes the diagnostics of all files of a session; `source` reads the files. */
export function problemsOf(session: Session, source: WorkspaceDiagnosticsParts['source']): AllProblems {
  return new AllProblems({
    workspace: session.workspace,
    source,
    check: (file, text) => session.check(file, () => text),
  });
}
