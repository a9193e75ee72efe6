/**
 * Requests and notifications between client and server beyond LSP. docs/protocol.md documents their names and shapes.
 */

import type { GraphEdge, GraphNode } from './drawing/graph.ts';

/** A position as in LSP: lines from 0, characters in UTF-16 units. */
export interface ProtocolPosition {
  readonly line: number;
  readonly character: number;
}

export interface ProtocolRange {
  readonly start: ProtocolPosition;
  readonly end: ProtocolPosition;
}

/** The languages of documents that may contain manifests; the ids belong to editors and to other extensions. */
export const languages: readonly string[] = ['yaml', 'json', 'jsonc', 'helm'];

/** Languages whose commands are searched for selectors after a manifest was seen, by the name of their setting. */
export const commandLanguages: Readonly<Record<string, readonly string[]>> = {
  shell: ['shellscript'],
  makefile: ['makefile'],
  dockerfile: ['dockerfile'],
  markdown: ['markdown'],
  powershell: ['powershell'],
  text: ['plaintext'],
  selector: ['kube-selector'],
};

/** The documents whose diagnostics the server provides. Some editors use a longer name for YAML. */
export const documentSelector = [
  ...[...languages, ...Object.values(commandLanguages).flat()].map((language) => ({ language })),
  { pattern: '**/*.{yaml,yml,json,sh,bash,md,mk,ps1,selector}' },
];

/**
 * Files that are not manifests but may contain commands. References to a label are also searched for in these commands.
 */
export const commandFilesPattern =
  '**/{*.sh,*.bash,*.zsh,*.ksh,*.bats,*.mk,*.dockerfile,*.md,*.markdown,*.mdx,*.ps1,*.psm1,*.txt,*.selector,Makefile*,makefile*,GNUmakefile*,Dockerfile*,Containerfile*}';

/** The work done progress token of indexing. */
export const indexProgressToken = 'selector-lens/index';

/** Server to client: the snapshot of the workspace is complete. */
export const readyNotification = 'selector-lens/ready';
export interface Ready {
  readonly files: number;
  readonly objects: number;
  /** The number of skipped files; each is named once in the log. */
  readonly skipped: number;
}

/** Server to client: the position at which an open document is invalid YAML, or that it is valid again. */
export const syntaxErrorNotification = 'selector-lens/syntaxError';
export interface SyntaxErrorAt {
  readonly uri: string;
  /** Absent if it can be parsed. */
  readonly position?: { readonly line: number; readonly character: number };
}

/** Client to server: the response is `Ready`, as soon as the snapshot is complete. */
export const whenReadyRequest = 'selector-lens/whenReady';

/** Client to server: indexes the workspace again; the response is `Ready`, as soon as the snapshot is complete. */
export const reindexRequest = 'selector-lens/reindex';

/**
 * Client to server: the objects that the selector at a position, or a selector text, matches; or the selectors that
 * select the object there.
 */
export const previewRequest = 'selector-lens/preview';
export type PreviewParams = PreviewTarget & {
  /** Only objects of these kinds are listed and counted; all kinds if it is absent. */
  readonly kinds?: readonly string[];
};
export type PreviewTarget =
  | { readonly textDocument: { readonly uri: string }; readonly position: ProtocolPosition }
  | { readonly selector: string };

/** The response to `previewRequest`; null if there is no selector and no object at the position. */
export interface Preview {
  /** `object`: the groups contain the selecting objects. */
  readonly about: 'selector' | 'object';
  /** The selector in kubectl form; '' for everything, for nothing, and for an object. */
  readonly selector: string;
  /** The selector in plain English. */
  readonly description: string;
  /** The position of the selector; absent for a selector that was given as text. */
  readonly site?: PreviewSite;
  /** In the order of display; empty groups are left out. */
  readonly groups: readonly PreviewGroup[];
  /** The kinds of all objects without a filter by kind, sorted by name. */
  readonly kinds: readonly string[];
  /** The scope of the groups, if the selector belongs to several; `others` has the results in the other scopes. */
  readonly scope?: PreviewScope;
  readonly others?: readonly (PreviewScope & { readonly matches: number; readonly maybe: number })[];
  /** Why the selector could not be parsed; empty if it could. */
  readonly problems: readonly string[];
  /** False while the workspace is still being indexed. */
  readonly complete: boolean;
}

/** One of several kustomizations, charts or folders that apply the same file. */
export interface PreviewScope {
  /** Its folder, shortened to the part that distinguishes it from the others: `overlays/prod`. */
  readonly name: string;
  /** The path that identifies it for the server. */
  readonly path: string;
}

export interface PreviewSite {
  readonly uri: string;
  readonly range: ProtocolRange;
  /** The object that contains the selector, or that is selected: `Service/web`. */
  readonly owner: string;
  /** The field, from the object's root: `spec.selector`. For an object the path of the labels, '' for all of them. */
  readonly path: string;
}

export interface PreviewGroup {
  readonly kind: 'matches' | 'maybe' | 'elsewhere' | 'nearMisses' | 'selectedBy' | 'maySelect';
  readonly title: string;
  readonly items: readonly PreviewItem[];
  /** The total number; more than `items` if the list was truncated. */
  readonly total: number;
  /** The number of objects of each kind, the most frequent first. */
  readonly kinds: readonly { readonly kind: string; readonly count: number }[];
}

export interface PreviewItem {
  /** '' for the core group. */
  readonly group: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  /**
   * The path of the template with the labels, if it is not the object itself; for a selecting object, the path of the
   * selector.
   */
  readonly via?: string;
  /** '' for objects that every cluster has, which are in no file. */
  readonly uri: string;
  /** The matching labels, or the name if the object has none; for a selecting object, its selector. */
  readonly range: ProtocolRange;
  readonly labels: Readonly<Record<string, string | null>>;
  /** For a selecting object: its selector in kubectl form. */
  readonly selector?: string;
  /** Why it may match, or why it does not. */
  readonly reason?: string;
}

/**
 * Client to server, with a text document: the scopes that apply the file, if there are several, the active one first.
 */
export const scopesRequest = 'selector-lens/scopes';
export type ScopesResult = readonly PreviewScope[];

/** Client to server: the new active scope, by its path; null for none. */
export const activeScopeNotification = 'selector-lens/activeScope';
export interface ActiveScope {
  readonly path: string | null;
}

/** Client to server, with a text document position: a page about the object there; null if there is none. */
export const explainRequest = 'selector-lens/explain';
export interface Explained {
  /** `Deployment/web`. */
  readonly title: string;
  readonly markdown: string;
}

/**
 * Client to server: calls a tool for agents on the index of the server, with the texts of open documents. Answers with
 * `ToolResult`, also for a wrong input. docs/agents.md describes the tools.
 */
export const toolRequest = 'selector-lens/tool';
export interface ToolParams {
  readonly name: string;
  /** An object that fits the schema of the tool. */
  readonly input: unknown;
}
export interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
}

/**
 * Client to server: the objects of the scope at a position as a graph, or those around the object there. Answers with
 * `GraphResult`; null for a file without a scope.
 */
export const graphRequest = 'selector-lens/graph';
export interface GraphParams {
  readonly textDocument: { readonly uri: string };
  readonly position: ProtocolPosition;
  /** `object`: the neighborhood of the object at the position; all of the scope if there is none. */
  readonly around: 'object' | 'scope';
  /** Allowed connections are edges, too. */
  readonly connections?: boolean;
  /** References by name are edges, too, for example from a workload to its ConfigMaps. */
  readonly references?: boolean;
}
export interface GraphResult {
  /** The scope, or the object in the middle: `Deployment/web`. */
  readonly title: string;
  /** The id of the node at the position. */
  readonly focus?: string;
  readonly nodes: readonly (GraphNode & GraphLocation)[];
  readonly edges: readonly (GraphEdge & GraphLocation)[];
  /** Sentences about the parts that are not drawn. */
  readonly notes: readonly string[];
  /** False while the workspace is still being indexed. */
  readonly complete: boolean;
}
/** The position of a node or edge in a file; absent for objects that every cluster has. */
export interface GraphLocation {
  readonly uri?: string;
  readonly range?: ProtocolRange;
}

/** Client to server: all errors and warnings that other extensions currently report for an open document. */
export const otherDiagnosticsNotification = 'selector-lens/otherDiagnostics';
export interface OtherDiagnostics {
  readonly textDocument: { readonly uri: string };
  readonly diagnostics: readonly OtherDiagnostic[];
}
export interface OtherDiagnostic {
  readonly range: ProtocolRange;
  /** As in LSP: 1 is an error, 2 a warning; absent: an error. */
  readonly severity?: number;
  readonly source?: string;
}

/** The capabilities of our client beyond LSP, in the `initializationOptions`; every part is optional. */
export interface InitializationOptions {
  /** A folder for the cache of the index. */
  readonly storagePath?: string;
  /** The section `selectorLens`, of an editor without `workspace/configuration`. */
  readonly settings?: unknown;
  /** The client handles `selector-lens/syntaxError`. */
  readonly syntaxErrors?: boolean;
  /** The client shows the response to `selector-lens/changes`, and is notified when it may have changed. */
  readonly changes?: boolean;
  /** Translations of the texts of the interface by English text, as in `vscode.l10n.bundle`. */
  readonly translations?: Readonly<Record<string, string>>;
  /** The path of the active scope. */
  readonly activeScope?: string;
  /**
   * Names of commands of the client: `peek` lists the locations of the matches at a position, `explain` opens the page
   * about the object there, `references` shows the references to a position, `rulePage` opens the documentation of the
   * rule in its argument, `label` prompts
   * for a label, `insert` inserts the selector at the cursor into a manifest.
   */
  readonly commands?: {
    readonly preview?: string;
    readonly peek?: string;
    readonly explain?: string;
    readonly copy?: string;
    readonly rulePage?: string;
    readonly references?: string;
    readonly label?: string;
    readonly insert?: string;
  };
}

/** `workspace/executeCommand`: adds a label to all objects that the selector at a position matches, or removes one. */
export const labelCommand = 'selector-lens.label';
export interface LabelParams {
  readonly textDocument: { readonly uri: string };
  readonly position: ProtocolPosition;
  /** `team=blue`, or `team-` to remove the label. */
  readonly change: string;
}
export interface Labelled {
  /** Whether the editor applied the edits. */
  readonly applied: boolean;
  /** The number of matching objects that were not changed. */
  readonly left: number;
  /** The objects that were not changed and the reasons: a sentence for each, without a full stop. */
  readonly reasons: readonly string[];
}

/** `workspace/executeCommand`: fixes all findings of a rule in the workspace, by edits that the editor applies. */
export const fixRuleCommand = 'selector-lens.fixRule';
export interface FixRuleParams {
  readonly rule: string;
}
export interface RuleFixed {
  /** Whether the editor applied the edits. */
  readonly applied: boolean;
  readonly files: number;
}

/** Server to client: every file under the workspace folders that may be a manifest or affect one. */
export const listRequest = 'selector-lens/list';
export interface ListParams {
  readonly folder: string;
  /** The maximum number of files; the response states whether there are more. */
  readonly limit: number;
  /** Lists files of `commandFilesPattern` instead of manifests. */
  readonly commands?: true;
}
export interface ListResult {
  readonly files: readonly string[];
  readonly more: boolean;
}

/** Server to client: the content of files, in the requested order; for a file that cannot be read, the reason. */
export const readRequest = 'selector-lens/read';
export interface ReadParams {
  readonly uris: readonly string[];
  /** Files larger than this many bytes are not read. */
  readonly maximumBytes: number;
}
export type ReadResult = readonly ReadAnswer[];
/** `base64` contains the bytes of the file. */
export type ReadAnswer =
  | { readonly base64: string }
  | { readonly failed: 'tooLarge' | 'notFound' | 'unreadable'; readonly size?: number };

/** Server to client: size and time of files, in the requested order; null for a file that does not exist. */
export const statRequest = 'selector-lens/stat';
export interface StatParams {
  readonly uris: readonly string[];
}
export type StatResult = readonly (StatAnswer | null)[];
export interface StatAnswer {
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

/**
 * Client to server: the content of files in the state to which the workspace is compared. Each notification replaces
 * the previous one. Files that are not listed are as on disk.
 */
export const baseNotification = 'selector-lens/base';
export interface BaseParams {
  /** The name of the state for users: `HEAD`; null for none. */
  readonly name: string | null;
  /** Differs if files that are not listed may have changed: the ids of the commits. */
  readonly version?: string;
  /** The text of each file that differs; null for one that did not exist. */
  readonly files?: readonly { readonly uri: string; readonly text: string | null }[];
}

/** Server to client, if the client sets `changes: true`: the response to `changesRequest` may have changed. */
export const changesNotification = 'selector-lens/changesChanged';

/** Client to server: the changes since the state of `baseNotification`. */
export const changesRequest = 'selector-lens/changes';
export interface Changes {
  /** The name of the state, as in `BaseParams`; null if nothing is compared. */
  readonly base: string | null;
  /** False while files are being read. */
  readonly complete: boolean;
  /** Why the comparison is incomplete, as sentences. */
  readonly problems: readonly string[];
  /** The scopes with changes, by path. */
  readonly scopes: readonly ChangedScope[];
}

/** A kustomization, chart or folder. */
export interface ChangedScope extends PreviewScope {
  /** In the order of display; empty groups are left out. */
  readonly groups: readonly ChangeGroup[];
}

export interface ChangeGroup {
  /** `recreate`: the API server rejects the update. `lost`, `gained`: matches of selectors. */
  readonly kind: 'recreate' | 'lost' | 'gained';
  readonly items: readonly ChangeItem[];
  /** The total number; more than `items` if the list was truncated. */
  readonly total: number;
}

export interface ChangeItem {
  /** The change and its consequence, as a sentence. */
  readonly message: string;
  /** The object to recreate, or the object that has the selector. */
  readonly object: ChangedObject;
  /** The immutable field, or the field of the selector. */
  readonly path: string;
  /** The previous and the current value of an immutable field, if they are known. */
  readonly from?: string;
  readonly to?: string;
  /** The consequence of deleting the object and creating it again, without a period. */
  readonly consequence?: string;
  /** The object that the selector matched or matches. */
  readonly target?: ChangedObject;
  /** The position of the edit; absent if the object no longer exists. */
  readonly place?: ChangeLocation;
  /** The tool that deletes and creates the object for each update, if one does. */
  readonly recreatedBy?: string;
}

export interface ChangedObject {
  readonly group: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  /** Absent for an object that is in both states. */
  readonly state?: 'new' | 'gone';
  /** Absent for an object that no longer exists. */
  readonly place?: ChangeLocation;
}

export interface ChangeLocation {
  readonly uri: string;
  readonly range: ProtocolRange;
}

/** The `data` of a completion item; the first two fields are for the server only. */
export interface CompletionData {
  readonly list: number;
  readonly index: number;
  /** The item needs a next part: the editor should trigger completion again. */
  readonly goesOn?: boolean;
}

/**
 * Client to server: the text to insert instead of a pasted text. The response is `PasteAnswer`, or null to paste it
 * unchanged.
 */
export const pasteRequest = 'selector-lens/paste';
export interface PasteParams {
  readonly textDocument: { readonly uri: string };
  readonly position: ProtocolPosition;
  readonly text: string;
}
export interface PasteAnswer {
  /** The title of the conversion, for the user. */
  readonly title: string;
  readonly text: string;
}

/**
 * Client to server: the edit that inserts the selector at `from` at the position `to` of a manifest; a refusal is a
 * sentence.
 */
export const insertRequest = 'selector-lens/insert';
export interface InsertParams {
  readonly from: InsertPosition;
  readonly to: InsertPosition;
}
export interface InsertPosition {
  readonly textDocument: { readonly uri: string };
  readonly position: ProtocolPosition;
}
export interface InsertAnswer {
  readonly range: ProtocolRange;
  readonly newText: string;
}

/**
 * Prepares text for the parts of VS Code that render icons from `$(name)` and links from `[text](target)` in plain
 * text: CodeLenses, notifications, status items, pickers, tree items and symbols. Neither can be escaped, so a
 * character is inserted.
 * @param text text that may come from a workspace
 * @returns the text without parts that become an icon or a link
 */
export function withoutMarkup(text: string): string {
  return text.replace(/\$(?=\()/g, '$\u200B').replace(/\](?=\()/g, ']\u200B');
}
