/**
 * Checks the parameters of every message before a handler sees them: handlers may rely on the types that LSP and
 * `protocol.ts` declare. A malformed request is answered with InvalidParams, a malformed notification is dropped and logged.
 */

import { type Connection, ErrorCodes, Message, type MessageStrategy, ResponseError } from 'vscode-languageserver';
import { scopesRequest } from '../protocol.ts';

/** Returns the path of what is wrong with a value, '' for the value itself; undefined where it is as declared. */
type Check = (value: unknown) => string | undefined;

const anything: Check = () => undefined;
const text: Check = (value) => (typeof value === 'string' ? undefined : '');
const truth: Check = (value) => (typeof value === 'boolean' ? undefined : '');
const integer: Check = (value) => (Number.isInteger(value) ? undefined : '');
/** LSP's uinteger; larger ones than it allows are after the end of every document. */
const natural: Check = (value) => (Number.isInteger(value) && Number(value) >= 0 ? undefined : '');

function optional(check: Check): Check {
  return (value) => (value === undefined || value === null ? undefined : check(value));
}

function object(fields: Readonly<Record<string, Check>>): Check {
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return '';
    for (const [name, check] of Object.entries(fields)) {
      const wrong = check(Object.hasOwn(value, name) ? value[name as keyof typeof value] : undefined); // any name may be there
      if (wrong !== undefined) return wrong === '' ? name : `${name}.${wrong}`;
    }
    return undefined;
  };
}

function list(check: Check): Check {
  return (value) => {
    if (!Array.isArray(value)) return '';
    for (const [index, each] of value.entries()) {
      const wrong = check(each);
      if (wrong !== undefined) return `${index}${wrong === '' ? '' : `.${wrong}`}`;
    }
    return undefined;
  };
}

const position = object({ line: natural, character: natural });
const range = object({ start: position, end: position });
const textDocument = object({ uri: text });
const folder = object({ uri: text });
const inDocument = object({ textDocument });
const atPosition = object({ textDocument, position });
const inRange = object({ textDocument, range });
const item = object({ item: object({ uri: text, name: text }) });

/** The parameters by method. Methods that are not here have none, or their handlers take any. */
const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
  [
    'initialize',
    object({
      processId: optional(integer),
      rootUri: optional(text),
      capabilities: object({}),
      workspaceFolders: optional(list(folder)),
    }),
  ],
  ['$/setTrace', object({ value: text })],
  ['window/workDoneProgress/cancel', object({ token: anything })],
  ['textDocument/didOpen', object({ textDocument: object({ uri: text, languageId: text, version: integer, text }) })],
  [
    'textDocument/didChange',
    object({
      textDocument: object({ uri: text, version: integer }),
      contentChanges: list(object({ range: optional(range), text })),
    }),
  ],
  ['textDocument/didClose', inDocument],
  ['textDocument/didSave', object({ textDocument, text: optional(text) })],
  ['textDocument/willSave', inDocument],
  ['textDocument/willSaveWaitUntil', inDocument],
  ['workspace/didChangeWatchedFiles', object({ changes: list(object({ uri: text, type: integer })) })],
  ['workspace/didChangeConfiguration', object({})],
  ['workspace/didChangeWorkspaceFolders', object({ event: object({ added: list(folder), removed: list(folder) }) })],
  ['textDocument/hover', atPosition],
  ['textDocument/completion', object({ textDocument, position, context: optional(object({})) })],
  ['completionItem/resolve', object({})],
  ['textDocument/definition', atPosition],
  [
    'textDocument/references',
    object({ textDocument, position, context: optional(object({ includeDeclaration: optional(truth) })) }),
  ],
  ['textDocument/implementation', atPosition],
  ['textDocument/documentHighlight', atPosition],
  ['textDocument/documentSymbol', inDocument],
  ['workspace/symbol', object({ query: optional(text) })],
  ['textDocument/prepareCallHierarchy', atPosition],
  ['callHierarchy/incomingCalls', item],
  ['callHierarchy/outgoingCalls', item],
  ['textDocument/codeLens', inDocument],
  ['codeLens/resolve', object({ range })],
  ['textDocument/inlayHint', inRange],
  ['textDocument/semanticTokens/full', inDocument],
  ['textDocument/semanticTokens/range', inRange],
  ['textDocument/prepareRename', atPosition],
  ['textDocument/rename', object({ textDocument, position, newName: text })],
  [
    'textDocument/codeAction',
    object({
      textDocument,
      range,
      context: object({ diagnostics: list(object({ range })), only: optional(list(text)) }),
    }),
  ],
  ['codeAction/resolve', object({})],
  ['workspace/executeCommand', object({ command: text, arguments: optional(list(anything)) })],
  ['textDocument/diagnostic', inDocument],
  ['workspace/diagnostic', object({ previousResultIds: list(object({ uri: text, value: text })) })],
  [scopesRequest, inDocument],
]);

/** Stands for a request whose parameters are malformed. */
const refusedRequest = 'selector-lens/refused';

/** The strategy to create a connection with; `report` takes a sentence about each notification that is dropped. */
export function checkingMessages(report: (message: string) => void): MessageStrategy {
  return {
    handleMessage(message, next) {
      const sentence = Message.isRequest(message) || Message.isNotification(message) ? complaint(message) : undefined;
      if (sentence === undefined) next(message);
      else if (Message.isRequest(message))
        next({ ...message, method: refusedRequest, params: { sentence } } as Message); // still one
      else report(sentence);
    },
  };
}

/** Answers the requests that were refused. */
export function refuseRequests(connection: Connection): void {
  connection.onRequest(refusedRequest, (params: unknown) => {
    const given = typeof params === 'object' && params !== null && 'sentence' in params ? params.sentence : undefined;
    throw new ResponseError(
      ErrorCodes.InvalidParams,
      typeof given === 'string' ? given : 'The parameters are malformed.',
    );
  });
}

function complaint({ method, params }: { readonly method: string; readonly params?: unknown }): string | undefined {
  const wrong = checks.get(method)?.(params);
  if (wrong === undefined) return undefined;
  const what = wrong === '' ? 'they must be an object' : `'${wrong}' is missing or not of its type`;
  return `The parameters of '${method}' are malformed: ${what}.`;
}
