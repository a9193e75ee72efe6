/** Determines the capabilities of the client once, from the `initialize` request. */

import { type InitializeParams, InsertTextMode } from 'vscode-languageserver';
import type { CommandNames } from '../features/presentation/rich-text.ts';
import { canonicalUri } from '../workspace/uri.ts';

/** Names of editor commands: `peek` lists the locations of matches, `rulePage` opens the documentation of a rule, and `references` shows the references to a position. */
type EditorCommands = CommandNames & {
  readonly peek?: string;
  readonly rulePage?: string;
  readonly references?: string;
  readonly label?: string;
  readonly insert?: string;
  readonly perspective?: string;
};

export interface ClientAbilities {
  readonly pullDiagnostics: boolean;
  /** Whether the client supports dynamic registration of pull diagnostics. */
  readonly registerDiagnostics: boolean;
  readonly refreshDiagnostics: boolean;
  readonly configuration: boolean;
  readonly watchConfiguration: boolean;
  readonly watchFiles: boolean;
  /** Whether the client can watch folders outside of the workspace folders. */
  readonly watchElsewhere: boolean;
  readonly progress: boolean;
  readonly versionedEdits: boolean;
  readonly createFiles: boolean;
  /** Whether the client shows the annotations of edits that need confirmation. */
  readonly changeAnnotations: boolean;
  /** Whether the client lets the user choose among the actions of a message. */
  readonly choosesActions: boolean;
  readonly prepareRename: boolean;
  /** Whether the client resolves the edits of a code action when the action is chosen. */
  readonly resolveActions: boolean;
  /** Whether the client applies edits that the server requests. */
  readonly applyEdits: boolean;
  readonly relatedInformation: boolean;
  readonly diagnosticTags: boolean;
  readonly markdownHover: boolean;
  readonly folderChanges: boolean;
  /**
   * The properties of completion items that the client supports, for their appearance and the insertion of their text.
   */
  readonly snippets: boolean;
  readonly labelDetails: boolean;
  readonly textAsItIs: boolean;
  readonly markdownCompletion: boolean;
  readonly definitionLinks: boolean;
  readonly implementationLinks: boolean;
  readonly nestedSymbols: boolean;
  /**
   * Whether the client supports the kinds of symbols and completion items that were added after the first version of
   * the protocol.
   */
  readonly laterSymbolKinds: { readonly document: boolean; readonly workspace: boolean };
  readonly laterItemKinds: boolean;
  /** Whether the client supports code actions with edits, rather than only commands. */
  readonly actions: boolean;
  readonly refreshLenses: boolean;
  readonly refreshHints: boolean;
  /** Editor commands that links in texts and CodeLenses can run. */
  readonly commands: EditorCommands;
}

/** Returns the capabilities of the client from the parameters of `initialize`. Absent capabilities are treated as unsupported. */
export function abilitiesOf({ capabilities, initializationOptions }: InitializeParams): ClientAbilities {
  const { textDocument, workspace, window } = capabilities;
  const item = textDocument?.completion?.completionItem;
  return {
    pullDiagnostics: textDocument?.diagnostic !== undefined,
    registerDiagnostics: textDocument?.diagnostic?.dynamicRegistration === true,
    refreshDiagnostics: workspace?.diagnostics?.refreshSupport === true,
    configuration: workspace?.configuration === true,
    watchConfiguration: workspace?.didChangeConfiguration?.dynamicRegistration === true,
    watchFiles: workspace?.didChangeWatchedFiles?.dynamicRegistration === true,
    watchElsewhere: workspace?.didChangeWatchedFiles?.relativePatternSupport === true,
    progress: window?.workDoneProgress === true,
    versionedEdits: workspace?.workspaceEdit?.documentChanges === true,
    createFiles: workspace?.workspaceEdit?.resourceOperations?.includes('create') ?? false,
    choosesActions: window?.showMessage !== undefined,
    changeAnnotations:
      workspace?.workspaceEdit?.documentChanges === true &&
      workspace.workspaceEdit.changeAnnotationSupport !== undefined,
    resolveActions:
      textDocument?.codeAction?.dataSupport === true &&
      textDocument.codeAction.resolveSupport?.properties.includes('edit') === true,
    applyEdits: workspace?.applyEdit === true,
    prepareRename: textDocument?.rename?.prepareSupport === true,
    relatedInformation: textDocument?.publishDiagnostics?.relatedInformation === true,
    diagnosticTags: textDocument?.publishDiagnostics?.tagSupport !== undefined,
    markdownHover: textDocument?.hover?.contentFormat?.[0] === 'markdown',
    folderChanges: workspace?.workspaceFolders === true,
    snippets: item?.snippetSupport === true,
    labelDetails: item?.labelDetailsSupport === true,
    textAsItIs: item?.insertTextModeSupport?.valueSet.includes(InsertTextMode.asIs) ?? false,
    markdownCompletion: item?.documentationFormat?.includes('markdown') ?? false,
    definitionLinks: textDocument?.definition?.linkSupport === true,
    implementationLinks: textDocument?.implementation?.linkSupport === true,
    nestedSymbols: textDocument?.documentSymbol?.hierarchicalDocumentSymbolSupport === true,
    laterSymbolKinds: {
      document: hasLater(textDocument?.documentSymbol?.symbolKind),
      workspace: hasLater(workspace?.symbol?.symbolKind),
    },
    laterItemKinds: hasLater(textDocument?.completion?.completionItemKind),
    actions: textDocument?.codeAction?.codeActionLiteralSupport !== undefined,
    refreshLenses: workspace?.codeLens?.refreshSupport === true,
    refreshHints: workspace?.inlayHint?.refreshSupport === true,
    commands: commandsOf(initializationOptions),
  };
}

/** Whether the client supports more than the 18 kinds of the first protocol version. The current version has 26 kinds of symbols and 25 kinds of completion items. */
function hasLater(kinds: { readonly valueSet?: readonly number[] } | undefined): boolean {
  return kinds?.valueSet?.includes(25) === true;
}

/** Parses the names of editor commands in the initialization options of our own client: `{ commands: { preview: 'selectorLens.showMatches' } }`. */
function commandsOf(options: unknown): EditorCommands {
  const given = typeof options === 'object' && options !== null && 'commands' in options ? options.commands : undefined;
  if (typeof given !== 'object' || given === null) return {};
  const names = (
    ['copy', 'preview', 'explain', 'peek', 'rulePage', 'references', 'label', 'insert', 'perspective'] as const
  ).map((command) => [command, Reflect.get(given, command)] as const);
  return Object.fromEntries(names.filter(([, name]) => typeof name === 'string' && /^[\w.-]+$/.test(name)));
}

/** Returns the workspace folders as canonical URIs; older editors send a single root. */
export function foldersOf(params: InitializeParams): readonly string[] {
  const folders = params.workspaceFolders?.map((folder) => folder.uri) ?? (params.rootUri ? [params.rootUri] : []);
  return canonicalFolders(folders);
}

/** Returns the canonical URIs of folders, without trailing slashes. */
export function canonicalFolders(uris: readonly string[]): readonly string[] {
  return uris.map((uri) => canonicalUri(uri).replace(/\/$/, ''));
}
