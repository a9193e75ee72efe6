/** What can the editor at the other end do? Asked once, at `initialize`. */

import { type InitializeParams, InsertTextMode } from 'vscode-languageserver';
import { canonicalUri } from '../workspace/uri.ts';

export interface ClientAbilities {
  readonly pullDiagnostics: boolean;
  /** It may be told later that it can pull, and that it can pull more. */
  readonly registerDiagnostics: boolean;
  readonly refreshDiagnostics: boolean;
  readonly configuration: boolean;
  readonly watchConfiguration: boolean;
  readonly watchFiles: boolean;
  /** Folders may be watched that are no workspace folders. */
  readonly watchElsewhere: boolean;
  readonly progress: boolean;
  readonly versionedEdits: boolean;
  readonly createFiles: boolean;
  readonly relatedInformation: boolean;
  readonly diagnosticTags: boolean;
  readonly markdownHover: boolean;
  readonly folderChanges: boolean;
  /** Of completion: what an item may look like, and how its text is put in. */
  readonly snippets: boolean;
  readonly labelDetails: boolean;
  readonly textAsItIs: boolean;
  readonly markdownCompletion: boolean;
}

export function abilitiesOf({ capabilities }: InitializeParams): ClientAbilities {
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
    relatedInformation: textDocument?.publishDiagnostics?.relatedInformation === true,
    diagnosticTags: textDocument?.publishDiagnostics?.tagSupport !== undefined,
    markdownHover: textDocument?.hover?.contentFormat?.includes('markdown') ?? false,
    folderChanges: workspace?.workspaceFolders === true,
    snippets: item?.snippetSupport === true,
    labelDetails: item?.labelDetailsSupport === true,
    textAsItIs: item?.insertTextModeSupport?.valueSet.includes(InsertTextMode.asIs) ?? false,
    markdownCompletion: item?.documentationFormat?.includes('markdown') ?? false,
  };
}

/** The workspace folders as canonical URIs; older editors name one root. */
export function foldersOf(params: InitializeParams): readonly string[] {
  const folders = params.workspaceFolders?.map((folder) => folder.uri) ?? (params.rootUri ? [params.rootUri] : []);
  return canonicalFolders(folders);
}

export function canonicalFolders(uris: readonly string[]): readonly string[] {
  return uris.map((uri) => canonicalUri(uri).replace(/\/$/, ''));
}
