/** Makes 20,000 requests of all kinds about mutated files, at random and hostile positions, over a real connection. */

import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import {
  type ClientCapabilities,
  createConnection,
  createProtocolConnection,
  LSPErrorCodes,
  type Position,
  ProposedFeatures,
  type ProtocolConnection,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { type Random, randomNumbers } from '../../bench/generate-workspace.ts';
import type { Clock } from '../../server/src/clock.ts';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { checkingMessages } from '../../server/src/lsp/message-check.ts';
import { startServer } from '../../server/src/lsp/server.ts';
import {
  changesRequest,
  explainRequest,
  insertRequest,
  labelCommand,
  pasteRequest,
  perspectiveRequest,
  previewRequest,
  reindexRequest,
  whenReadyRequest,
} from '../../server/src/protocol.ts';
import { MemoryFiles } from '../harness/memory-files.ts';
import { slipped } from '../harness/mutations.ts';
import { Measure } from './measure.ts';
import { campaignRuns } from './scale.ts';
import { seeds } from './seeds.ts';

const folder = 'file:///work';

/** All capabilities that the server supports. */
const capabilities: ClientCapabilities = {
  textDocument: {
    hover: { contentFormat: ['markdown'] },
    diagnostic: { dynamicRegistration: true },
    completion: {
      completionItem: {
        snippetSupport: true,
        labelDetailsSupport: true,
        insertTextModeSupport: { valueSet: [1, 2] },
        documentationFormat: ['markdown'],
      },
    },
    codeAction: {
      codeActionLiteralSupport: { codeActionKind: { valueSet: [''] } },
      dataSupport: true,
      resolveSupport: { properties: ['edit'] },
    },
    rename: { prepareSupport: true },
    definition: { linkSupport: true },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    publishDiagnostics: { relatedInformation: true, tagSupport: { valueSet: [1, 2] } },
  },
  workspace: {
    applyEdit: true,
    workspaceEdit: {
      documentChanges: true,
      resourceOperations: ['create'],
      changeAnnotationSupport: { groupsOnLabel: true },
    },
  },
};

/** An editor that records the responses of the server. */
class Editor {
  readonly connection: ProtocolConnection;
  readonly errors: string[] = [];

  constructor(source: MemoryFiles) {
    const [up, down] = [new PassThrough(), new PassThrough()];
    const clock: Clock = { today: () => '2026-06-15', after: () => () => undefined };
    const options = { messageStrategy: checkingMessages((sentence) => this.errors.push(sentence)) };
    const server = createConnection(
      ProposedFeatures.all,
      new StreamMessageReader(up),
      new StreamMessageWriter(down),
      options,
    );
    startServer(server, { version: '1', clock, loadCatalogue: async () => catalogue, files: () => source });
    this.connection = createProtocolConnection(new StreamMessageReader(down), new StreamMessageWriter(up));
    this.connection.onNotification('window/logMessage', ({ type, message }) => {
      if (type === 1) this.errors.push(message);
    });
    this.connection.onRequest('workspace/applyEdit', () => ({ applied: true }));
    this.connection.onRequest('client/registerCapability', () => null);
    this.connection.listen();
  }

  async start(): Promise<void> {
    const commands = { preview: 'a', copy: 'b', rulePage: 'c', label: 'd', insert: 'e' };
    await this.connection.sendRequest('initialize', {
      processId: null,
      rootUri: null,
      capabilities,
      workspaceFolders: [{ uri: folder, name: 'work' }],
      initializationOptions: { commands },
    });
    await this.connection.sendNotification('initialized', {});
    await this.connection.sendRequest(whenReadyRequest);
  }

  /** The result; null if the request was refused with a sentence for a person. */
  async ask(method: string, params: unknown): Promise<unknown> {
    try {
      return await this.connection.sendRequest(method, params);
    } catch (error) {
      assert.ok(error instanceof ResponseError);
      const isRefusal = error.code === LSPErrorCodes.RequestFailed || error.code === -32602;
      if (!isRefusal) this.errors.push(`${method}: ${error.code} ${error.message}`);
      return null;
    }
  }
}

/** Numbers without a position in any document, at the limits of numbers, and of unexpected types. */
const oddNumbers = [0, -1, 1.5, 2 ** 31 - 1, 2 ** 53, 1e300, null, '1'];

/** Random requests. */
class Questions {
  readonly #random: Random;
  readonly #editor: Editor;
  readonly #texts = new Map<string, string>();
  #version = 1;
  /** The number of responses with a result. */
  answered = 0;

  constructor(editor: Editor, random: Random) {
    this.#editor = editor;
    this.#random = random;
  }

  /** Opens a mutated file, or changes one that is open. */
  async change(): Promise<void> {
    const { name, text } = this.#one(seeds);
    const uri = `${folder}/${name}`;
    const mutated = slipped(text.slice(0, 4000), this.#random);
    const { connection } = this.#editor;
    const version = ++this.#version;
    if (!this.#texts.has(uri)) {
      const languageId = name.endsWith('.sh') ? 'shellscript' : 'yaml';
      await connection.sendNotification('textDocument/didOpen', {
        textDocument: { uri, languageId, version, text: mutated },
      });
    } else if (this.#random(3) === 0) {
      const range = this.#range(uri, false);
      await connection.sendNotification('textDocument/didChange', {
        textDocument: { uri, version },
        contentChanges: [{ range, text: this.#one(['', ' ', '\n', ': ', 'a=b', '\ud800']) }, { text: mutated }],
      });
    } else {
      await connection.sendNotification('textDocument/didChange', {
        textDocument: { uri, version },
        contentChanges: [{ text: mutated }],
      });
    }
    this.#texts.set(uri, mutated);
  }

  async close(): Promise<void> {
    for (const uri of this.#texts.keys())
      await this.#editor.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
    this.#texts.clear();
  }

  /** One request, and those that an editor sends after its response. */
  async ask(): Promise<string> {
    const uri = this.#random(50) === 0 ? 'file:///work/unknown.yaml' : this.#one([...this.#texts.keys()]);
    const isHostile = this.#random(10) === 0;
    const textDocument = { uri };
    const position = this.#position(uri, isHostile);
    const range = this.#range(uri, isHostile);
    const place = { textDocument, position };
    const method = this.#one(methods);
    const answer = await this.#editor.ask(
      method.name,
      method.params({ ...place, range, pick: (list) => this.#one(list) }),
    );
    if (answer !== null && JSON.stringify(answer).length > 30) this.answered++;
    await this.#follow(method.name, answer);
    return `${method.name} ${JSON.stringify(place)} ${JSON.stringify(this.#texts.get(uri))}`;
  }

  async #follow(method: string, answer: unknown): Promise<void> {
    const items = Array.isArray(answer) ? answer : itemsOf(answer);
    const followed = follow[method] ?? [];
    for (const item of items.slice(0, 3))
      for (const next of followed) await this.#editor.ask(next, next.startsWith('callHierarchy') ? { item } : item);
  }

  #one<T>(list: readonly T[]): T {
    assert.ok(list.length > 0);
    return list[this.#random(list.length)] as T; // the index is below the length
  }

  #position(uri: string, isHostile: boolean): Position {
    if (isHostile) return { line: this.#one(oddNumbers), character: this.#one(oddNumbers) } as Position; // on purpose
    const before = this.#texts.get(uri)?.slice(0, this.#random((this.#texts.get(uri)?.length ?? 0) + 1)) ?? '';
    const lines = before.split('\n');
    return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
  }

  #range(uri: string, isHostile: boolean) {
    return { start: this.#position(uri, isHostile), end: this.#position(uri, isHostile) };
  }
}

interface Given {
  readonly textDocument: { readonly uri: string };
  readonly position: Position;
  readonly range: unknown;
  pick<T>(list: readonly T[]): T;
}

const at = ({ textDocument, position }: Given) => ({ textDocument, position });
const inDocument = ({ textDocument }: Given) => ({ textDocument });
const inRange = ({ textDocument, range }: Given) => ({ textDocument, range });
const words = [
  '',
  'app',
  'web',
  'a=b',
  'app.kubernetes.io/name',
  '__proto__',
  'constructor',
  '\ud800',
  '*',
  'x'.repeat(300),
  '\n',
];
const kinds = [undefined, [], ['quickfix'], ['refactor'], ['source.fixAll'], [''], ['__proto__']];

const methods: readonly { readonly name: string; params(given: Given): unknown }[] = [
  { name: 'textDocument/hover', params: at },
  { name: 'textDocument/completion', params: at },
  {
    name: 'textDocument/completion',
    params: (given) => ({
      ...at(given),
      context: { triggerKind: 2, triggerCharacter: given.pick([' ', '.', '"', '(', ',']) },
    }),
  },
  { name: 'textDocument/definition', params: at },
  { name: 'textDocument/implementation', params: at },
  {
    name: 'textDocument/references',
    params: (given) => ({ ...at(given), context: { includeDeclaration: given.pick([true, false]) } }),
  },
  { name: 'textDocument/documentHighlight', params: at },
  { name: 'textDocument/documentSymbol', params: inDocument },
  { name: 'workspace/symbol', params: ({ pick }) => ({ query: pick(words) }) },
  { name: 'textDocument/prepareCallHierarchy', params: at },
  { name: 'textDocument/codeLens', params: inDocument },
  { name: 'textDocument/inlayHint', params: inRange },
  { name: 'textDocument/semanticTokens/full', params: inDocument },
  { name: 'textDocument/semanticTokens/range', params: inRange },
  { name: 'textDocument/prepareRename', params: at },
  { name: 'textDocument/rename', params: (given) => ({ ...at(given), newName: given.pick(words) }) },
  {
    name: 'textDocument/codeAction',
    params: (given) => ({ ...inRange(given), context: { diagnostics: [], only: given.pick(kinds) } }),
  },
  { name: 'textDocument/diagnostic', params: inDocument },
  {
    name: 'workspace/executeCommand',
    params: (given) => ({
      command: labelCommand,
      arguments: [{ ...at(given), change: given.pick([...words, 'team=blue', 'app-']) }],
    }),
  },
  {
    name: previewRequest,
    params: (given) => ({ ...at(given), kinds: given.pick([undefined, ['Pod'], ['__proto__']]) }),
  },
  {
    name: previewRequest,
    params: ({ pick }) => ({ selector: pick([...words, 'a in (b', 'a!=b,!c', '(('.repeat(1000)]) }),
  },
  { name: explainRequest, params: at },
  { name: changesRequest, params: () => null },
  { name: perspectiveRequest, params: inDocument },
  { name: pasteRequest, params: (given) => ({ ...at(given), text: given.pick([...words, 'matchLabels: {a: b}']) }) },
  { name: insertRequest, params: (given) => ({ from: at(given), to: at(given) }) },
];

/** The requests of an editor about the items of a response. */
const follow: Readonly<Record<string, readonly string[]>> = {
  'textDocument/completion': ['completionItem/resolve'],
  'textDocument/codeAction': ['codeAction/resolve'],
  'textDocument/codeLens': ['codeLens/resolve'],
  'textDocument/prepareCallHierarchy': ['callHierarchy/incomingCalls', 'callHierarchy/outgoingCalls'],
};

function itemsOf(answer: unknown): readonly unknown[] {
  if (typeof answer !== 'object' || answer === null || !('items' in answer)) return [];
  return Array.isArray(answer.items) ? answer.items : [];
}

/** The number of requests between two changes of a file. */
const between = 4;
const looks = 5;

describe('campaign: requests', () => {
  it('about mutated files are answered', async () => {
    const random = randomNumbers(7);
    const editor = new Editor(new MemoryFiles(seeds.map(({ name, text }) => [`${folder}/${name}`, text])));
    await editor.start();
    const questions = new Questions(editor, random);
    const measure = new Measure('requests');
    const runs = campaignRuns(20_000);
    for (let run = 0; run < runs; run++) {
      if (run % between === 0)
        await measure.stepAsync(
          () => 'change',
          () => questions.change(),
        );
      let asked = '';
      await measure.stepAsync(
        () => asked,
        async () => {
          asked = await questions.ask();
        },
      );
      assert.deepEqual(editor.errors, [], asked);
      if (run % 100 === 99) {
        await questions.close();
        await questions.change();
      }
      if (run % Math.ceil(runs / looks) === 0) await measure.heap();
    }
    await editor.ask(reindexRequest, null);
    assert.deepEqual(editor.errors, []);
    editor.connection.dispose();
    assert.ok(questions.answered > runs / 5, `only ${questions.answered} of ${runs} answers said something`);
    measure.finish();
  });
});
