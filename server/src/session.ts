/** A session of a server: the files of a workspace, the choices of the user, and the views and findings of the files. */

import type { Clock } from './clock.ts';
import { updatesSince } from './compare/updates.ts';
import type { Catalogue } from './engine/catalogue/types.ts';
import { getOrAdd } from './engine/memoize.ts';
import type { FileView, View } from './features/view.ts';
import type { Log } from './log.ts';
import { hostOf } from './manifests/inline/host-language.ts';
import { check, isAcrossFiles } from './rules/framework/check.ts';
import type { SeverityChoice } from './rules/framework/configured-severities.ts';
import { isOmission, pageRules } from './rules/framework/page-rules.ts';
import type { Finding } from './rules/framework/rule.ts';
import { shiftFindings } from './rules/framework/shift-findings.ts';
import type { Level } from './settings/level.ts';
import { defaultSettings, type Settings } from './settings/settings.ts';
import { noSeverities, severitiesFor } from './settings/severities.ts';
import { finished, type Steps } from './steps.ts';
import { build } from './version.ts';
import type { Base, Side } from './workspace/base.ts';
import { withCommands } from './workspace/live/command-files.ts';
import type { LiveParts, OpenFile } from './workspace/live/live-parts.ts';
import { LiveWorkspace } from './workspace/live/live-workspace.ts';
import type { TypingIn } from './workspace/live/parse-contexts.ts';
import type { Workspace, WorkspaceFile } from './workspace/model.ts';
import { type Page, pageOf } from './workspace/pages.ts';
import type { Perspective } from './workspace/scopes/perspective.ts';
import { withoutDefaults } from './workspace/snapshot.ts';
import { fileNameOf, isWithin } from './workspace/uri.ts';

export interface SessionParts extends LiveParts {
  /** The source of the current time. Without a clock, suppressions do not expire. */
  readonly clock?: Clock;
  /** Returns the text of a closed file, if it can be read synchronously. */
  textOf?(uri: string): string | undefined;
}

/** The findings of a file, and everything on which they depend. */
interface FindingsOf {
  readonly inputs: readonly unknown[];
  readonly findings: readonly Finding[];
}

/** The choices of the user that are not settings of the workspace, and the current activity of the user. */
export interface Choices {
  /**
   * Whether the user is typing. Rules that depend on other files then wait, and their earlier findings are shifted with
   * the text.
   */
  readonly typing: boolean;
  /** The settings of workspace folders that differ from the settings of the workspace, by the URI of the folder. */
  readonly folderSettings: ReadonlyMap<string, Settings>;
  /** The perspective in which objects that are in several scopes are shown. */
  readonly perspective: Perspective;
  /** The state with which the workspace is compared, such as HEAD. */
  readonly base: Base | undefined;
  /** The level set on a command line, which takes precedence over configurations and settings. */
  readonly level: Level | undefined;
}

/** The facade of the server. Entry points open, edit and reload files in `workspace`, and call features and rules with the views of the session. URIs are canonical, and offsets are in UTF-16 code units. */
export class Session {
  /** The files on disk and in the editor. */
  readonly workspace: LiveWorkspace;
  /**
   * The kinds that are known in the whole workspace; `workspace.catalogueOf` adds the kinds that are known only near a
   * file.
   */
  readonly catalogue: Catalogue;
  readonly #log: Log;
  readonly #clock: Clock | undefined;
  readonly #textOf: SessionParts['textOf'];
  /**
   * The findings of rules that depend on other files, for each open file, from the last time when the user was not
   * typing.
   */
  readonly #settled = new Map<string, { readonly text: string; readonly findings: readonly Finding[] }>();
  /**
   * The last result of `findings` for a snapshot, because an editor requests diagnostics and then code actions at every
   * cursor position.
   */
  readonly #lastFindings = new WeakMap<Workspace, Map<string, FindingsOf>>();
  /** The last result of `fileView` for a snapshot, because an editor sends several requests about a position. */
  readonly #lastView = new WeakMap<Workspace, { readonly inputs: readonly unknown[]; readonly view: FileView }>();
  #choices: Choices = {
    typing: false,
    folderSettings: new Map(),
    perspective: { selected: [] },
    base: undefined,
    level: undefined,
  };

  constructor(parts: SessionParts, workspace = new LiveWorkspace(parts, build)) {
    this.workspace = workspace;
    this.catalogue = parts.catalogue;
    this.#log = parts.log;
    this.#clock = parts.clock;
    this.#textOf = parts.textOf;
  }

  /** Returns a session with different choices, for the same workspace or for a copy of it. */
  withChoices(changes: Partial<Choices>, workspace = this.workspace): Session {
    const clock = this.#clock;
    const textOf = this.#textOf;
    const parts = { catalogue: this.catalogue, log: this.#log, ...(clock && { clock }), ...(textOf && { textOf }) };
    const other = new Session(parts, workspace);
    other.choose({ ...this.#choices, typing: false, ...changes });
    return other;
  }

  get choices(): Choices {
    return this.#choices;
  }

  choose(changes: Partial<Choices>): void {
    this.#choices = { ...this.#choices, ...changes };
  }

  snapshot(): Workspace {
    return this.workspace.snapshot();
  }

  /**
   * Returns the findings in an open file; none if the file is not open, or is an old version that is shown only for
   * comparison. Two calls return the same array if nothing changed between them.
   */
  findings(uri: string): readonly Finding[] {
    return finished(this.findingsInSteps(uri)) ?? [];
  }

  /** Like `findings`, in steps; undefined if anything changed between two steps, so that the findings are unknown. */
  *findingsInSteps(uri: string): Steps<readonly Finding[] | undefined> {
    const open = this.workspace.openFile(uri);
    if (open === undefined || open.visiting) return [];
    const inputs = this.#inputsFor(uri);
    const isCurrent = (before: readonly unknown[]) =>
      this.#inputsFor(uri).every((input, index) => input === before[index]);
    const snapshot = this.snapshot();
    const known = getOrAdd(this.#lastFindings, snapshot, () => new Map<string, FindingsOf>());
    const last = known.get(uri);
    if (last !== undefined && isCurrent(last.inputs)) return last.findings;
    const steps = this.#checkInSteps(open.file, () => open.text);
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) {
      yield;
      if (!isCurrent(inputs)) return undefined;
    }
    const findings = this.#withSettled(uri, open, step.value);
    known.set(uri, { inputs, findings });
    return findings;
  }

  /** Returns everything on which the findings in an open file depend. */
  #inputsFor(uri: string): readonly unknown[] {
    const { workspace } = this;
    const own = [workspace.openFile(uri), workspace.catalogueOf(uri), workspace.settings, workspace.complete];
    return [this.snapshot(), this.#choices, this.#clock?.today(), ...own];
  }

  #withSettled(uri: string, open: OpenFile, findings: readonly Finding[]): readonly Finding[] {
    if (this.#choices.typing) {
      const settled = this.#settled.get(uri);
      const across = settled === undefined ? [] : shiftFindings(settled.findings, settled.text, open.text);
      return [...findings, ...across].toSorted((a, b) => a.span.start - b.span.start);
    }
    for (const known of this.#settled.keys()) if (!this.workspace.isOpen(known)) this.#settled.delete(known);
    const across = findings.filter(({ rule }) => isAcrossFiles(rule, this.snapshot(), uri));
    this.#settled.set(uri, { text: open.text, findings: across.map(withoutContext) });
    return findings;
  }

  /**
   * Returns the findings in a file; `readText` is called only if the facts of the file are not sufficient. `only` is
   * the id of the only rule to evaluate.
   */
  check(file: WorkspaceFile, readText: () => string, only?: string): readonly Finding[] {
    return finished(this.#checkInSteps(file, readText, only));
  }

  *#checkInSteps(file: WorkspaceFile, readText: () => string, only?: string): Steps<readonly Finding[]> {
    if (file.config === undefined && (this.#isGenerated(file) || this.#isExternal(file.uri))) return [];
    const catalogue = this.workspace.catalogueOf(file.uri);
    const shown = this.#withChosenCommands(withCommands(file, readText, catalogue), readText);
    const context = {
      uri: file.uri,
      readText,
      manifest: shown.manifest,
      file: shown,
      catalogue,
      workspace: withoutDefaults(this.snapshot()),
      executed: this.snapshot(),
      settings: this.#settingsOf(file.uri),
      since: this.since(),
      textOf: (uri: string) => this.workspace.textOf(uri) ?? this.#textOf?.(uri),
      isUnread: (uri: string) => !this.workspace.complete || this.workspace.isUnread(uri),
    };
    const acrossFiles = this.workspace.complete && !this.#choices.typing;
    const configured = this.#severities(file.uri);
    const severityIn: SeverityChoice['severityOf'] = (rule, object) =>
      only === undefined || rule === only ? configured.severityOf(rule, object) : 'off';
    const isConfigured = configured.isConfigured || only !== undefined;
    const severities = { ...configured, severityOf: severityIn, isConfigured };
    const options = { ...severities, acrossFiles, today: () => this.#clock?.today() };
    const findings = yield* check(context, options, this.#log);
    const page = this.#pageOf(shown, readText, catalogue);
    if (page === undefined) return findings;
    const { file: manifest, text, workspace, host } = page;
    const asked = {
      ...context,
      page: { text: readText(), host },
      file: manifest,
      manifest: manifest.manifest,
      workspace,
      readText: () => text,
    };
    const severityOf: SeverityChoice['severityOf'] = (rule, object) =>
      pageRules.has(rule) ? severities.severityOf(rule, object) : 'off';
    const onPage = yield* check(asked, { ...options, severityOf, isConfigured: true, acrossFiles: false }, this.#log);
    const keyOf = ({ rule, span }: Finding) => `${rule} ${span.start}`;
    const known = new Set(findings.map(keyOf));
    // The manifests of a page may never be applied, so errors are shown as warnings. Its commands were checked already.
    const others = onPage.filter((each) => !known.has(keyOf(each)) && !isOmission(text, each.span));
    const shownAs = others.map((each) =>
      each.severity === 'error' && severityOf(each.rule) === undefined
        ? { ...each, severity: 'warning' as const }
        : each,
    );
    return [...findings, ...shownAs].toSorted((a, b) => a.span.start - b.span.start);
  }

  /** Returns the manifests in a Markdown page or a script; undefined for any other file, and if the settings disable the language of the file. */
  #pageOf(file: WorkspaceFile, readText: () => string, catalogue: Catalogue): Page | undefined {
    if (file.objects > 0 || file.manifest.words === undefined) return undefined;
    const host = hostOf(fileNameOf(file.uri), readText(), this.workspace.openFile(file.uri)?.language);
    const { placeholders } = this.workspace.typingIn(file.uri);
    return pageOf(file, readText(), host, catalogue, placeholders);
  }

  /**
   * Returns the state with which the workspace is compared, and the current workspace; undefined if there is no base.
   */
  since(): { readonly base: Base; readonly now: Side } | undefined {
    const { base } = this.#choices;
    if (base === undefined) return undefined;
    const { workspace } = this;
    const textOf = (uri: string) => workspace.textOf(uri) ?? base.textNow(uri);
    return {
      base,
      now: { workspace: withoutDefaults(this.snapshot()), catalogueOf: (uri) => workspace.catalogueOf(uri), textOf },
    };
  }

  /** Whether a change in a file causes the API server to reject an update since the base. */
  causesRejections(uri: string): boolean {
    const since = this.since();
    return since !== undefined && updatesSince(since.base, since.now).has(uri);
  }

  /** Returns the input of language features. With `uri`, it includes the kinds that are known only near this file. */
  view(uri?: string): View {
    const catalogue = uri === undefined ? this.catalogue : this.workspace.catalogueOf(uri);
    const { perspective } = this.#choices;
    const { complete } = this.workspace;
    // The comparison with the base waits until the user stops typing.
    const since = this.#choices.typing ? undefined : this.since();
    return {
      workspace: this.snapshot(),
      catalogue,
      complete,
      perspective,
      ...(since && { since }),
    };
  }

  /**
   * Returns the view of an open file; undefined if the file is not open. `closed` contains further files with commands
   * that features consider (`LiveWorkspace.closedCommandFiles`). Two calls return the same view if nothing changed between
   * them.
   */
  fileView(uri: string, closed: readonly WorkspaceFile[] = []): FileView | undefined {
    const open = this.workspace.openFile(uri);
    if (open === undefined) return undefined;
    const { settings, complete } = this.workspace;
    const typing = this.workspace.typingIn(uri);
    const catalogue = this.workspace.catalogueOf(uri);
    const inputs = [open, catalogue, typing.placeholders, typing.valueSites, this.#choices, settings, complete];
    const last = this.#lastView.get(this.snapshot());
    const isCurrent = last !== undefined && inputs.every((input, index) => input === last.inputs[index]);
    const view = isCurrent ? last.view : this.#viewOf(uri, open, typing);
    if (!isCurrent) this.#lastView.set(this.snapshot(), { inputs, view });
    return closed.length === 0 ? view : { ...view, commandFiles: () => this.#commandFiles(closed) };
  }

  #viewOf(uri: string, open: OpenFile, typing: TypingIn): FileView {
    const reading = { ...typing, settings: this.#settingsOf(uri) };
    const host = hostOf(fileNameOf(uri), open.text, open.language);
    const file = this.#withChosenCommands(open.file, () => open.text);
    const commandFiles = () => this.#commandFiles([]);
    return { ...this.view(uri), ...reading, file, text: open.text, commandFiles, ...(host && { host }) };
  }

  #commandFiles(closed: readonly WorkspaceFile[]): readonly WorkspaceFile[] {
    const opened = this.workspace.openFiles().map((each) => this.#withChosenCommands(each.file, () => each.text));
    const others = closed
      .filter((each) => !this.workspace.isOpen(each.uri))
      .map((each) => this.#withChosenCommands(each, () => ''));
    return [...opened, ...others];
  }

  /** Returns the result of a feature at an offset of an open file; undefined if the file is not open. */
  at<Answer>(uri: string, offset: number, feature: (view: FileView, offset: number) => Answer): Answer | undefined {
    const view = this.fileView(uri);
    return view && feature(view, offset);
  }

  /** Returns the facts of a file as it is in the editor, or else on disk; undefined if it is not in the workspace. */
  fileOf(uri: string): WorkspaceFile | undefined {
    return this.workspace.openFile(uri)?.file ?? this.snapshot().files.get(uri);
  }

  /** Whether the file is generated, which is determined by the first comment if the file is not in the workspace. */
  #isGenerated({ uri, scope }: WorkspaceFile): boolean {
    const snapshot = this.snapshot();
    return snapshot.files.has(uri) ? snapshot.scopes().isGenerated(uri) : scope.generated === true;
  }

  /** Whether the configuration declares that the objects of a file are applied by other means, so that the file is not edited. */
  #isExternal(uri: string): boolean {
    return this.snapshot().configs().of(uri)?.isExternal(uri) === true;
  }

  /** Returns the severity of each rule. The configuration takes precedence over the settings of the user. */
  #severities(uri: string): SeverityChoice {
    const placed = this.snapshot().configs().of(uri);
    const ofTeam = placed === undefined ? noSeverities : severitiesFor(placed.chainFor(uri));
    const { rules: ofUser, level } = this.#settingsOf(uri);
    return {
      severityOf: (rule, object) => ofTeam.of(rule, object) ?? ofUser[rule],
      isConfigured: ofTeam !== noSeverities || Object.keys(ofUser).length > 0,
      differs: ofTeam.differs,
      level: this.#choices.level ?? ofTeam.level ?? level,
    };
  }

  /** Returns the settings of the innermost workspace folder that contains a file. */
  #settingsOf(uri: string): Settings {
    const { folderSettings } = this.#choices;
    const around = [...folderSettings.keys()].filter((folder) => isWithin(uri, folder));
    const [nearest] = around.toSorted((a, b) => b.length - a.length);
    return (nearest !== undefined && folderSettings.get(nearest)) || this.workspace.settings;
  }

  /** Returns a file without its commands if the settings disable commands for its language. */
  #withChosenCommands(file: WorkspaceFile, readText: () => string): WorkspaceFile {
    const { inlineSelectors } = this.#settingsOf(file.uri);
    if (inlineSelectors === defaultSettings.inlineSelectors) return file;
    const host = hostOf(fileNameOf(file.uri), readText(), this.workspace.openFile(file.uri)?.language);
    // `inline` is not enumerable, so the copy lacks it.
    return host === undefined || inlineSelectors[host] ? file : { ...file, manifest: { ...file.manifest } };
  }
}

/** Returns a finding without what it can compute, which keeps the whole state of the workspace in memory. */
function withoutContext({ isLocal: _, ...finding }: Finding): Finding {
  return { ...finding, fixes: () => [] };
}
