/**
 * Requests and notifications between client and server beyond LSP. docs/protocol.md documents their names and shapes.
 */

import type { GraphEdge, GraphNode } from './drawing/graph.ts';

/** A position as in LSP: a zero-based line, and a character offset in UTF-16 code units. */
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

/** Languages in which commands are searched for selectors after a manifest was found, by the name of their setting. */
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
  /** The number of skipped files; the log names each of them once. */
  readonly skipped: number;
}

/** Server to client: the position at which an open document is invalid YAML, or the message that it is valid again. */
export const syntaxErrorNotification = 'selector-lens/syntaxError';
export interface SyntaxErrorAt {
  readonly uri: string;
  /** Absent if the document can be parsed. */
  readonly position?: { readonly line: number; readonly character: number };
}

/** Client to server: waits until the snapshot is complete; the response is `Ready`. */
export const whenReadyRequest = 'selector-lens/whenReady';

/** Client to server: indexes the workspace again; the response is `Ready`, which is sent when the snapshot is complete. */
export const reindexRequest = 'selector-lens/reindex';

/** Client to server: the objects that match the selector at a position, or a selector given as text; or the selectors that match the object at a position. */
export const previewRequest = 'selector-lens/preview';
export type PreviewParams = PreviewTarget & {
  /** If present, only objects of these kinds are listed and counted. */
  readonly kinds?: readonly string[];
};
export type PreviewTarget =
  | { readonly textDocument: { readonly uri: string }; readonly position: ProtocolPosition }
  | { readonly selector: string };

/** The response to `previewRequest`; null if there is no selector and no object at the position. */
export interface Preview {
  /** `object`: the groups contain the selecting objects. */
  readonly about: 'selector' | 'object';
  /** The selector in kubectl form; empty for an object, and for a selector that matches everything or nothing. */
  readonly selector: string;
  /** The selector in plain English. */
  readonly description: string;
  /** The position of the selector; absent for a selector that was given as text. */
  readonly site?: PreviewSite;
  /** The groups in display order, without empty groups. */
  readonly groups: readonly PreviewGroup[];
  /** The kinds of all objects, regardless of the filter by kind, sorted by name. */
  readonly kinds: readonly string[];
  /** The scope of the groups, if the selector belongs to several; `others` contains the results in the other scopes. */
  readonly scope?: PreviewScope;
  readonly others?: readonly (PreviewScope & { readonly matches: number; readonly maybe: number })[];
  /** The reasons why the selector could not be parsed; empty if it was parsed. */
  readonly problems: readonly string[];
  /** Whether the workspace is completely indexed. */
  readonly complete: boolean;
}

/** One of several kustomizations, charts or folders that apply the same file. */
export interface PreviewScope {
  /** The folder of the scope, shortened to the part that distinguishes it from the others: `overlays/prod`. */
  readonly name: string;
  /** The path that identifies it for the server. */
  readonly path: string;
}

export interface PreviewSite {
  readonly uri: string;
  readonly range: ProtocolRange;
  /** The object that contains the selector, or the selected object: `Service/web`. */
  readonly owner: string;
  /**
   * The path of the field from the root of the object: `spec.selector`. For an object, the path of the labels, which is
   * empty for all of them.
   */
  readonly path: string;
}

export interface PreviewGroup {
  readonly kind: 'matches' | 'maybe' | 'elsewhere' | 'nearMisses' | 'selectedBy' | 'maySelect';
  readonly title: string;
  readonly items: readonly PreviewItem[];
  /** The total number; more than `items` if the list was truncated. */
  readonly total: number;
  /** The number of objects of each kind, the most frequent kind first. */
  readonly kinds: readonly { readonly kind: string; readonly count: number }[];
}

export interface PreviewItem {
  /** The API group; empty for the core group. */
  readonly group: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  /**
   * The path of the template that contains the labels, if they are not those of the object itself; for a selecting
   * object, the path of the selector.
   */
  readonly via?: string;
  /** The URI of the file; empty for objects that exist in every cluster, which are in no file. */
  readonly uri: string;
  /** The matching labels, or the name if the object has none; for a selecting object, its selector. */
  readonly range: ProtocolRange;
  readonly labels: Readonly<Record<string, string | null>>;
  /** For a selecting object: its selector in kubectl form. */
  readonly selector?: string;
  /** The reason why the object may match, or why it does not match. */
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

/** Client to server: calls a tool for agents on the index of the server, including the text of open documents. The response is a `ToolResult`, even for an invalid input. docs/agents.md describes the tools. */
export const toolRequest = 'selector-lens/tool';
export interface ToolParams {
  readonly name: string;
  /** The input, which conforms to the schema of the tool. */
  readonly input: unknown;
}
export interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
}

/** Client to server: the objects of the scope at a position, or the objects around the object at that position, as a graph. The response is a `GraphResult`, or null for a file without a scope. */
export const graphRequest = 'selector-lens/graph';
export interface GraphParams {
  readonly textDocument: { readonly uri: string };
  readonly position: ProtocolPosition;
  /** `object`: only the neighborhood of the object at the position, or the whole scope if there is no object. */
  readonly around: 'object' | 'scope';
  /** Whether allowed connections are also edges. */
  readonly connections?: boolean;
  /** Whether references by name are also edges, for example from a workload to its ConfigMaps. */
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
  /** Whether the workspace is completely indexed. */
  readonly complete: boolean;
}
/** The position of a node or edge in a file; absent for objects that exist in every cluster. */
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
  /** The severity as in LSP: 1 is an error, 2 is a warning; if absent, an error. */
  readonly severity?: number;
  readonly source?: string;
}

/** The capabilities of our client beyond LSP, in `initializationOptions`; every part is optional. */
export interface InitializationOptions {
  /** A folder for the cache of the index. */
  readonly storagePath?: string;
  /** The settings in the section `selectorLens`, for an editor without `workspace/configuration`. */
  readonly settings?: unknown;
  /** Whether the client handles `selector-lens/syntaxError`. */
  readonly syntaxErrors?: boolean;
  /** Whether the client shows the response to `selector-lens/changes`, and so is notified when it may have changed. */
  readonly changes?: boolean;
  /** Translations of the texts of the interface by English text, as in `vscode.l10n.bundle`. */
  readonly translations?: Readonly<Record<string, string>>;
  /** The path of the active scope. */
  readonly activeScope?: string;
  /**
   * Names of commands of the client: `peek` lists the locations of the matches at a position, `explain` opens the page
   * about the object at a position, `references` shows the references to a position, `rulePage` opens the documentation
   * of the rule in its argument, `label` prompts for a label, and `insert` inserts the selector at the cursor into a
   * manifest.
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

/** `workspace/executeCommand`: adds a label to all objects that match the selector at a position, or removes a label from them. */
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
  /** The objects that were not changed and the reasons, as one sentence for each object, without a period. */
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

/** Server to client: the content of files, in the requested order, or the reason why a file cannot be read. */
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

/** Server to client: the size and modification time of files, in the requested order; null for a file that does not exist. */
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

/** Client to server: the content of files in the state with which the workspace is compared. Each notification replaces the previous one. Files that are not listed are unchanged on disk. */
export const baseNotification = 'selector-lens/base';
export interface BaseParams {
  /** The name of the state for users, such as `HEAD`; null if nothing is compared. */
  readonly name: string | null;
  /** A version that differs if files that are not listed may have changed, such as the ids of the commits. */
  readonly version?: string;
  /** The previous text of each file that differs; null for a file that did not exist. */
  readonly files?: readonly { readonly uri: string; readonly text: string | null }[];
}

/** Server to client, if the client sets `changes: true`: the response to `changesRequest` may have changed. */
export const changesNotification = 'selector-lens/changesChanged';

/** Client to server: the changes since the state of `baseNotification`. */
export const changesRequest = 'selector-lens/changes';
export interface Changes {
  /** The name of the state, as in `BaseParams`; null if nothing is compared. */
  readonly base: string | null;
  /** Whether all files have been read. */
  readonly complete: boolean;
  /** The reasons why the comparison is incomplete, as sentences. */
  readonly problems: readonly string[];
  /** The scopes with changes, by path. */
  readonly scopes: readonly ChangedScope[];
}

/** A kustomization, chart or folder. */
export interface ChangedScope extends PreviewScope {
  /** The groups in display order, without empty groups. */
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
  /** The tool that deletes and creates the object for each update, if there is one. */
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
  /** Whether the item needs another part, so that the editor should trigger completion again. */
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

/** Client to server: the edit that inserts the selector at `from` into a manifest at the position `to`. A refusal is a sentence. */
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
