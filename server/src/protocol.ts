/** Defines the requests and notifications between client and server that are not part of LSP. docs/protocol.md documents their names and parameters. */

import type { GraphEdge, GraphNode } from './drawing/graph.ts';
import type { DocumentPosition, ProtocolPosition, ProtocolRange } from './protocol-positions.ts';
import type { PreviewScope } from './protocol-preview.ts';

export type * from './protocol-positions.ts';
export * from './protocol-preview.ts';

/** The language identifiers of documents that may contain manifests. Editors and other extensions define these identifiers. */
export const languages: readonly string[] = ['yaml', 'json', 'jsonc', 'helm'];

/** The languages in which commands are searched for selectors once a manifest has been found, keyed by the name of their setting. */
export const commandLanguages: Readonly<Record<string, readonly string[]>> = {
  shell: ['shellscript'],
  makefile: ['makefile'],
  dockerfile: ['dockerfile'],
  markdown: ['markdown'],
  text: ['plaintext'],
  selector: ['kube-selector'],
};

/** The documents for which the server provides diagnostics. Some editors use a longer language identifier for YAML. */
export const documentSelector = [
  ...[...languages, ...Object.values(commandLanguages).flat()].map((language) => ({ language })),
  { pattern: '**/*.{yaml,yml,json,sh,bash,md,mk,selector}' },
];

/** A pattern for files that are not manifests but may contain commands. Searches for references to a label include these commands. */
export const commandFilesPattern =
  '**/{*.sh,*.bash,*.zsh,*.ksh,*.bats,*.mk,*.dockerfile,*.md,*.markdown,*.mdx,*.txt,*.selector,Makefile*,makefile*,GNUmakefile*,Dockerfile*,Containerfile*}';

/** The token with which the progress of indexing is reported (work done progress). */
export const indexProgressToken = 'selector-lens/index';

/** Server to client: sent when the snapshot of the workspace is complete. */
export const readyNotification = 'selector-lens/ready';
export interface Ready {
  readonly files: number;
  readonly objects: number;
  /** The number of files that were skipped; the log lists each of them once. */
  readonly skipped: number;
}

/** Server to client: the position of the first syntax error in an open document, or no position if the document is valid again. */
export const syntaxErrorNotification = 'selector-lens/syntaxError';
export interface SyntaxErrorAt {
  readonly uri: string;
  /** The position of the first syntax error; absent if the document can be parsed. */
  readonly position?: { readonly line: number; readonly character: number };
}

/** Client to server: the response, a `Ready`, is sent when the snapshot is complete. */
export const whenReadyRequest = 'selector-lens/whenReady';

/** Client to server: indexes the workspace again. The response, a `Ready`, is sent when the snapshot is complete. */
export const reindexRequest = 'selector-lens/reindex';

/** Client to server, with a text document: through what its file is seen, and what the user can choose instead; null if there is no choice. */
export const perspectiveRequest = 'selector-lens/perspective';
export interface PerspectiveResult {
  /** The scopes that apply the file, if there are several; the file is seen through the first one. */
  readonly scopes: readonly PerspectiveScope[];
  /** The chart around the file with its values files, if no GitOps object installs it and it has values files. */
  readonly values?: ValuesFiles;
}

export interface PerspectiveScope extends PreviewScope {
  /** The number of objects in the files of the scope. */
  readonly objects: number;
  /** The GitOps object that applies the scope, such as `Application/shop`. */
  readonly appliedBy?: string;
}

export interface ValuesFiles {
  /** The name of the folder of the chart. */
  readonly chart: string;
  /** The values files of the chart; their names are relative to its folder, such as `values-prod.yaml`. */
  readonly files: readonly { readonly name: string; readonly uri: string }[];
  /** The URI of the values file with which the chart is evaluated; absent for the default values. */
  readonly chosen?: string;
}

/** Client to server: everything that the user chose in the workspace, which replaces what was chosen before. */
export const choosePerspectiveNotification = 'selector-lens/choosePerspective';
export interface ChosenPerspective {
  /** The paths of scopes; files of other scopes are seen through a scope of the same name, or through their most important scope. */
  readonly scopes: readonly string[];
  /** The URIs of the values files with which charts are evaluated, one for each of these charts. */
  readonly values: readonly string[];
}

/** Client to server, with a text document position: a page with information about the object at the position; null if there is none. */
export const explainRequest = 'selector-lens/explain';
export interface Explained {
  /** `Deployment/web`. */
  readonly title: string;
  readonly markdown: string;
}

/** Client to server: a page about the labels of the workspace, after it is indexed; null if the request was cancelled. */
export const labelsRequest = 'selector-lens/labels';

/** Client to server, with a text document position: the workloads in the cluster of the scope through which the document is seen, and what network policies decide between two of them; null if the document belongs to no scope. */
export const reachRequest = 'selector-lens/reach';
export interface ReachParams extends DocumentPosition {
  /** The names of the two workloads, as the response to an earlier request contains them; without `from`, all sources of `to` are requested. */
  readonly from?: string;
  readonly to?: string;
}
export interface ReachResult {
  /** The name of the scope. */
  readonly scope: string;
  /** The names of the workloads, such as `shop/Deployment/web`, sorted. */
  readonly workloads: readonly string[];
  /** The workload at the position. */
  readonly here?: string;
  /** The answer; present if `to` is one of the workloads, and `from` is absent or another one. */
  readonly page?: Explained;
}

/** Client to server: calls a tool for AI agents on the index of the server, which includes the text of open documents. The response is a `ToolResult`, even if the input is invalid. docs/agents.md describes the tools. */
export const toolRequest = 'selector-lens/tool';
export interface ToolParams {
  readonly name: string;
  /** The input, which must conform to the schema of the tool. */
  readonly input: unknown;
}
export interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
}

/** Client to server: the review of the changes since a commit, including the text of open documents. The response is a `ToolResult` with Markdown that contains links to lines, or with the reason why there is no review. */
export const reviewRequest = 'selector-lens/review';
export interface ReviewParams {
  /** The name of the commit. */
  readonly base: string;
}

/** Client to server: a graph of the objects in the scope at a position, or of the neighborhood of the object at the position. The response is a `GraphResult`, or null if the file does not belong to a scope. */
export const graphRequest = 'selector-lens/graph';
export interface GraphParams extends DocumentPosition {
  /** `object` means the neighborhood of the object at the position, or the whole scope if there is no object. */
  readonly around: 'object' | 'scope';
  /** Whether the graph contains edges for connections that network policies allow. */
  readonly connections?: boolean;
  /** Whether the graph contains edges for references by name, for example from a workload to its ConfigMaps. */
  readonly references?: boolean;
}
export interface GraphResult {
  /** The name of the scope, or of the object in the center, such as `Deployment/web`. */
  readonly title: string;
  /** The scopes that can be drawn, the drawn one first. */
  readonly scopes: readonly PreviewScope[];
  /** The id of the node for the object at the requested position. */
  readonly focus?: string;
  readonly nodes: readonly (GraphNode & GraphLocation)[];
  readonly edges: readonly (GraphEdge & GraphLocation)[];
  /** Sentences that explain which parts are not drawn. */
  readonly notes: readonly string[];
  /** Whether the workspace is completely indexed. */
  readonly complete: boolean;
}
/** The position of a node or edge in a file; absent for objects that exist in every cluster. */
export interface GraphLocation {
  readonly uri?: string;
  readonly range?: ProtocolRange;
}

/** Client to server: all errors and warnings that other extensions currently report for an open document. Replaces the previous notification. */
export const otherDiagnosticsNotification = 'selector-lens/otherDiagnostics';
export interface OtherDiagnostics {
  readonly textDocument: { readonly uri: string };
  readonly diagnostics: readonly OtherDiagnostic[];
}
export interface OtherDiagnostic {
  readonly range: ProtocolRange;
  /** The severity as a number of LSP: 1 is an error, and 2 is a warning. If absent, the diagnostic is an error. */
  readonly severity?: number;
  readonly source?: string;
}

/** The initialization options of our own client, which describe its capabilities beyond LSP. Every property is optional. */
export interface InitializationOptions {
  /** A folder in which the server can store the cache of the index. */
  readonly storagePath?: string;
  /** The settings in the section `selectorLens`, for editors that do not support `workspace/configuration`. */
  readonly settings?: unknown;
  /** Whether the client handles `selector-lens/syntaxError`. */
  readonly syntaxErrors?: boolean;
  /** Whether the client shows the response to `selector-lens/changes`; it is then notified of possible changes. */
  readonly changes?: boolean;
  /** Translations of user interface texts, keyed by the English text, as in `vscode.l10n.bundle`. */
  readonly translations?: Readonly<Record<string, string>>;
  /** What the user chose in an earlier session. */
  readonly perspective?: ChosenPerspective;
  /**
   * The names of commands that the client provides: `peek` lists the locations of the matches at a position, `explain`
   * opens the page about the object at a position, `references` shows the references to a position, `rulePage` opens
   * the documentation of the rule in its argument, `label` prompts for a label, `insert` inserts the selector at the
   * cursor into a manifest, and `perspective` lets the user choose the perspective of the active file.
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
    readonly perspective?: string;
  };
}

/** `workspace/executeCommand`: adds a label to all objects that match the selector at a position, or removes a label from them. */
export const labelCommand = 'selector-lens.label';
export interface LabelParams {
  readonly textDocument: { readonly uri: string };
  readonly position: ProtocolPosition;
  /** The label to set, such as `team=blue`, or the label to remove, such as `team-`. */
  readonly change: string;
}
export interface Labelled {
  /** Whether the editor applied the edits. */
  readonly applied: boolean;
  /** The number of matching objects whose labels were not changed. */
  readonly left: number;
  /** The objects that were not changed and the reasons, in one sentence (without a period) for each object. */
  readonly reasons: readonly string[];
}

/** `workspace/executeCommand`: plans the adoption of recommended labels. The editor applies the edits. */
export const adoptCommand = 'selector-lens.adopt';
export interface AdoptParams {
  /** `1` adds labels, `2` moves selectors to them. */
  readonly stage: 1 | 2;
  /** Whether stage 1 also adds labels to pod templates, whose pods are then replaced. */
  readonly templates: boolean;
  /** The keys of the labels; by default, those of the configuration. */
  readonly keys?: readonly string[];
}
export interface Adopted {
  /** Whether the editor applied the edits. */
  readonly applied: boolean;
  /** The number of objects that the plan changes. */
  readonly objects: number;
  /** The number of objects that the plan does not change. */
  readonly left: number;
  /** The objects that are not changed and the reasons, as sentences. */
  readonly reasons: readonly string[];
  /** Sentences about what the comparison of the present and the planned state proved. */
  readonly proof: readonly string[];
}

/** `workspace/executeCommand`: indexes an open file that is ignored or skipped, until it is closed. */
export const indexCommand = 'selector-lens.index';
export interface IndexParams {
  readonly textDocument: { readonly uri: string };
}

/** `workspace/executeCommand`: fixes all findings of a rule in the workspace. The editor applies the edits. */
export const fixRuleCommand = 'selector-lens.fixRule';
export interface FixRuleParams {
  readonly rule: string;
}
export interface RuleFixed {
  /** Whether the editor applied the edits. */
  readonly applied: boolean;
  readonly files: number;
}

/** Server to client: lists every file below the workspace folders that may be a manifest, or that may affect one. */
export const listRequest = 'selector-lens/list';
export interface ListParams {
  readonly folder: string;
  /** The maximum number of files to list; the response indicates whether there are more. */
  readonly limit: number;
  /** Set to list the files that match `commandFilesPattern` instead of manifests. */
  readonly commands?: true;
}
export interface ListResult {
  readonly files: readonly string[];
  readonly more: boolean;
}

/** Server to client: requests the content of files. The response contains, in the requested order, the content of each file or the reason why it cannot be read. */
export const readRequest = 'selector-lens/read';
export interface ReadParams {
  readonly uris: readonly string[];
  /** The maximum size in bytes. Larger files are not read. */
  readonly maximumBytes: number;
}
export type ReadResult = readonly ReadAnswer[];
/** The content of one file, or the reason why it cannot be read; `base64` contains the bytes of the file. */
export type ReadAnswer =
  | { readonly base64: string }
  | { readonly failed: 'tooLarge' | 'notFound' | 'unreadable'; readonly size?: number };

/** Server to client: requests the size and modification time of files. The response is in the requested order, with null for each file that does not exist. */
export const statRequest = 'selector-lens/stat';
export interface StatParams {
  readonly uris: readonly string[];
}
export type StatResult = readonly (StatAnswer | null)[];
export interface StatAnswer {
  readonly size: number;
  /** The modification time in milliseconds since January 1, 1970 (UTC). */
  readonly modified: number;
}

/** Client to server: the contents that files have in the base, the state with which the workspace is compared. Each notification replaces the previous one. Files that are not listed are the same as on disk. */
export const baseNotification = 'selector-lens/base';
export interface BaseParams {
  /** The name of the base for users, such as `HEAD`; null if the workspace is not compared. */
  readonly name: string | null;
  /** A string, such as the ids of the commits, that changes if files that are not listed may have changed. */
  readonly version?: string;
  /** The text in the base of each file that differs; null for a file that does not exist in the base. */
  readonly files?: readonly { readonly uri: string; readonly text: string | null }[];
}

/** Server to client, if the client sets `changes: true`: sent when the response to `changesRequest` may have changed. */
export const changesNotification = 'selector-lens/changesChanged';

/** Client to server: requests the changes since the base (see `baseNotification`). */
export const changesRequest = 'selector-lens/changes';
export interface Changes {
  /** The name of the base, as in `BaseParams`; null if the workspace is not compared. */
  readonly base: string | null;
  /** Whether all files of the workspace and the base have been read. */
  readonly complete: boolean;
  /** The reasons why the comparison is incomplete, as sentences. */
  readonly problems: readonly string[];
  /** The scopes that contain changes, sorted by path. */
  readonly scopes: readonly ChangedScope[];
}

/** A kustomization, chart or folder that contains changes. */
export interface ChangedScope extends PreviewScope {
  /** The groups in display order, without empty groups. */
  readonly groups: readonly ChangeGroup[];
}

export interface ChangeGroup {
  /** `recreate`: the API server rejects an update. `broken`: a name refers to no object any more. `lost`, `gained`: a selector no longer matches, or newly matches, an object. */
  readonly kind: 'recreate' | 'broken' | 'lost' | 'gained';
  readonly items: readonly ChangeItem[];
  /** The total number; more than `items` if the list was truncated. */
  readonly total: number;
}

export interface ChangeItem {
  /** The change and its consequence, as a sentence. */
  readonly message: string;
  /** The object that must be recreated, or the object that has the selector. */
  readonly object: ChangedObject;
  /** The path of the immutable field, or of the field that contains the selector. */
  readonly path: string;
  /** The previous value of the immutable field, if it is known; the next property is the current value. */
  readonly from?: string;
  readonly to?: string;
  /** The consequence of deleting the object and creating it again, as a sentence without a period. */
  readonly consequence?: string;
  /** The object that the selector matched before the change, or matches now. */
  readonly target?: ChangedObject;
  /** The position of the edit; absent if the object no longer exists. */
  readonly place?: ChangeLocation;
  /** The tool that deletes and recreates the object for each update, if there is one. */
  readonly recreatedBy?: string;
}

export interface ChangedObject {
  readonly group: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  /** Whether the object exists only in the current state or only in the base; absent if it exists in both. */
  readonly state?: 'new' | 'gone';
  /** The path of the GitOps object that applies the object, if it differs from the scope of the change. */
  readonly builtBy?: string;
  /** The position of the object; absent if it no longer exists. */
  readonly place?: ChangeLocation;
}

export interface ChangeLocation {
  readonly uri: string;
  readonly range: ProtocolRange;
}

/** The `data` of a completion item. The first two properties are only for the server. */
export interface CompletionData {
  readonly list: number;
  readonly index: number;
  /** Set if the inserted text needs another part, so that the editor should trigger completion again. */
  readonly goesOn?: boolean;
}

/** Client to server: requests the text to insert in place of pasted text. The response is a `PasteAnswer`, or null if the text must be pasted unchanged. */
export const pasteRequest = 'selector-lens/paste';
export interface PasteParams extends DocumentPosition {
  readonly text: string;
}
export interface PasteAnswer {
  /** The title of the conversion, which is shown to the user. */
  readonly title: string;
  readonly text: string;
}

/** Client to server: requests the edit that inserts the selector at the position `from` into the manifest at the position `to`. If this is impossible, the response is an error whose message is the reason. */
export const insertRequest = 'selector-lens/insert';
export interface InsertParams {
  readonly from: DocumentPosition;
  readonly to: DocumentPosition;
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
