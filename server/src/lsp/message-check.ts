/** Validates the parameters of every message before a handler receives them. Handlers can therefore rely on the types in LSP and `protocol.ts`, and on the order that LSP prescribes: `initialize` comes first, and only `exit` comes after `shutdown`. A rejected request is answered with an error; a rejected notification is dropped and logged. */

import {
  type Connection,
  ErrorCodes,
  Message,
  type MessageStrategy,
  type NotificationMessage,
  type RequestMessage,
  ResponseError,
} from 'vscode-languageserver';
import {
  baseNotification,
  choosePerspectiveNotification,
  graphRequest,
  perspectiveRequest,
  reachRequest,
  reviewRequest,
  toolRequest,
} from '../protocol.ts';

/** Returns the path of the first invalid part of a value, or an empty path if the value itself is invalid; undefined for a valid value. */
type Check = (value: unknown) => string | undefined;

const anything: Check = () => undefined;
const text: Check = (value) => (typeof value === 'string' ? undefined : '');
const truth: Check = (value) => (typeof value === 'boolean' ? undefined : '');
const integer: Check = (value) => (Number.isInteger(value) ? undefined : '');
/** A `uinteger` of LSP. Numbers above its maximum are also accepted, since they are only positions after the end of a document. */
const natural: Check = (value) => (Number.isInteger(value) && Number(value) >= 0 ? undefined : '');

function optional(check: Check): Check {
  return (value) => (value === undefined || value === null ? undefined : check(value));
}

function object(fields: Readonly<Record<string, Check>>): Check {
  const entries = Object.entries(fields);
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return '';
    for (const [name, check] of entries) {
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

/** The checks of message parameters by method. Methods that are not listed have no parameters, or their handlers accept any parameters. */
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
  ['initialized', optional(object({}))],
  ['$/setTrace', object({ value: text })],
  ['$/progress', object({})],
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
  ['textDocument/documentLink', inDocument],
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
  [perspectiveRequest, inDocument],
  [reachRequest, object({ textDocument, position, from: optional(text), to: optional(text) })],
  [choosePerspectiveNotification, object({ scopes: list(text), values: list(text) })],
  [
    graphRequest,
    object({ textDocument, position, around: text, connections: optional(truth), references: optional(truth) }),
  ],
  [toolRequest, object({ name: text })],
  [reviewRequest, object({ base: text })],
  [
    baseNotification,
    object({
      name: optional(text),
      version: optional(text),
      files: optional(list(object({ uri: text, text: optional(text) }))),
    }),
  ],
]);

/** Replaces the method name of a malformed request, so that the request is answered with an error. */
const refusedRequest = 'selector-lens/refused';

interface Refusal {
  readonly code: number;
  readonly sentence: string;
}

/** The phase of a connection in the lifecycle of LSP. */
type Phase = 'started' | 'initialized' | 'shut down';

/** A message strategy that knows whether the client has sent `shutdown`. */
interface CheckingStrategy extends MessageStrategy {
  isShutDown(): boolean;
}

/** Creates the message strategy of a connection; `report` is called with a sentence that describes each dropped message. */
export function checkingMessages(report: (sentence: string) => void): CheckingStrategy {
  let phase: Phase = 'started';
  return {
    isShutDown: () => phase === 'shut down',
    handleMessage(message, next) {
      const refusal = refusalOf(message) ?? refusalIn(phase, message);
      if (refusal === undefined && Message.isRequest(message)) {
        if (message.method === 'initialize') phase = 'initialized';
        if (message.method === 'shutdown') phase = 'shut down';
      }
      const id = idOf(message);
      if (refusal === undefined) next(message);
      // A rejected request is passed on as `refusedRequest`, so that its error response is sent in the order of
      // arrival.
      else if (id !== undefined) next({ jsonrpc: '2.0', id, method: refusedRequest, params: refusal } as Message);
      else report(refusal.sentence);
    },
  };
}

/** Returns the error for a message that the LSP lifecycle does not allow in a phase; `exit` and responses are always allowed. */
function refusalIn(phase: Phase, message: Message): Refusal | undefined {
  if (Message.isResponse(message)) return undefined;
  const { method } = message as RequestMessage | NotificationMessage; // `refusalOf` rejects all others
  if (method === 'exit') return undefined;
  const isInitialize = method === 'initialize' && Message.isRequest(message);
  if (phase === 'started' && !isInitialize)
    return { code: ErrorCodes.ServerNotInitialized, sentence: `'${method}' must not be sent before 'initialize'.` };
  if (phase === 'shut down')
    return { code: ErrorCodes.InvalidRequest, sentence: `'${method}' must not be sent after 'shutdown'.` };
  // A second `initialize` request would create a second server on the same connection.
  if (phase === 'initialized' && isInitialize)
    return { code: ErrorCodes.InvalidRequest, sentence: "The request 'initialize' may only be sent once." };
  return undefined;
}

export function refuseRequests(connection: Connection): void {
  connection.onRequest(refusedRequest, (given: Refusal | undefined) => {
    const { code, sentence } = isRefusal(given)
      ? given
      : { code: ErrorCodes.MethodNotFound, sentence: 'Unknown method.' };
    throw new ResponseError(code, sentence);
  });
}

function refusalOf(message: Message): Refusal | undefined {
  const isResponse = Message.isResponse(message);
  if (message?.jsonrpc !== '2.0' || !(isResponse || Message.isRequest(message) || Message.isNotification(message))) {
    return {
      code: ErrorCodes.InvalidRequest,
      sentence: 'A message is not a JSON-RPC 2.0 request, notification or response; batches are not part of LSP.',
    };
  }
  if (isResponse) return undefined;
  const { method, params } = message;
  const wrong = checks.get(method)?.(params);
  if (wrong === undefined) return undefined;
  const what = wrong === '' ? 'they must be an object' : `'${wrong}' is missing or not of its type`;
  return { code: ErrorCodes.InvalidParams, sentence: `The parameters of '${method}' are malformed: ${what}.` };
}

/** Returns the id of a malformed request; undefined if it has none. */
function idOf(message: unknown): string | number | undefined {
  const id =
    typeof message === 'object' && message !== null && 'method' in message && 'id' in message ? message.id : undefined;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

function isRefusal(given: unknown): given is Refusal {
  if (typeof given !== 'object' || given === null || !('code' in given) || !('sentence' in given)) return false;
  return typeof given.code === 'number' && typeof given.sentence === 'string';
}
