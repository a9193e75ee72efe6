/** Sends 20,000 malformed messages to the real server, which continues to answer valid requests. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type Random, randomNumbers } from '../../bench/generate-workspace.ts';
import { service } from '../lsp/manifests.ts';
import { placeOf } from '../lsp/places.ts';
import { RawClient } from '../lsp/raw-client.ts';
import { campaignRuns } from './scale.ts';

const web = service('web');
const uri = 'file:///shop/service.yaml';
const textDocument = { uri };
const position = placeOf(web, 'app: web');
const range = { start: position, end: { line: 6, character: 9 } };
const place = { textDocument, position };

/** Every valid message of a client. `exit` and `shutdown` end the server, as they should. */
const healthy: Readonly<Record<string, unknown>> = {
  initialize: {
    processId: null,
    rootUri: 'file:///x',
    capabilities: { textDocument: { hover: {} } },
    workspaceFolders: [],
  },
  initialized: {},
  '$/setTrace': { value: 'off' },
  '$/progress': { token: 1, value: {} },
  '$/cancelRequest': { id: 'nothing' },
  'window/workDoneProgress/cancel': { token: 'a' },
  'textDocument/didOpen': { textDocument: { uri: 'file:///shop/b.yaml', languageId: 'yaml', version: 1, text: web } },
  'textDocument/didChange': {
    textDocument: { uri: 'file:///shop/b.yaml', version: 2 },
    contentChanges: [{ range, text: 'x' }, { text: web }],
  },
  'textDocument/didClose': { textDocument: { uri: 'file:///shop/b.yaml' } },
  'textDocument/didSave': { textDocument, text: web },
  'textDocument/willSave': { textDocument, reason: 1 },
  'workspace/didChangeWatchedFiles': {
    changes: [
      { uri, type: 1 },
      { uri: 'file:///shop', type: 3 },
    ],
  },
  'workspace/didChangeConfiguration': { settings: { selectorLens: { rules: {}, include: [] } } },
  'workspace/didChangeWorkspaceFolders': { event: { added: [{ uri: 'file:///nowhere', name: 'a' }], removed: [] } },
  'textDocument/hover': place,
  'textDocument/completion': { ...place, context: { triggerKind: 2, triggerCharacter: '.' } },
  'completionItem/resolve': { label: 'a', data: { list: 1, index: 0 } },
  'textDocument/definition': place,
  'textDocument/references': { ...place, context: { includeDeclaration: true } },
  'textDocument/implementation': place,
  'textDocument/documentHighlight': place,
  'textDocument/documentSymbol': { textDocument },
  'workspace/symbol': { query: 'web' },
  'textDocument/prepareCallHierarchy': place,
  'callHierarchy/incomingCalls': {
    item: { name: 'Service/web', kind: 19, uri, range, selectionRange: range, data: 0 },
  },
  'callHierarchy/outgoingCalls': {
    item: { name: 'Service/web', kind: 19, uri, range, selectionRange: range, data: 0 },
  },
  'textDocument/codeLens': { textDocument },
  'codeLens/resolve': { range, data: { uri, object: 0, path: 'spec.selector' } },
  'textDocument/inlayHint': { textDocument, range },
  'textDocument/semanticTokens/full': { textDocument },
  'textDocument/semanticTokens/range': { textDocument, range },
  'textDocument/prepareRename': place,
  'textDocument/rename': { ...place, newName: 'app2' },
  'textDocument/codeAction': {
    textDocument,
    range,
    context: { diagnostics: [{ range, message: 'm', code: 'c' }], only: ['quickfix'] },
  },
  'codeAction/resolve': { title: 't', data: { uri, version: 1, offset: 60, id: 'x' } },
  'workspace/executeCommand': { command: 'selector-lens.label', arguments: [{ ...place, change: 'a=b' }] },
  'textDocument/diagnostic': { textDocument, identifier: 'selector-lens', previousResultId: '1' },
  'selector-lens/whenReady': null,
  'selector-lens/reindex': null,
  'selector-lens/preview': { ...place, kinds: ['Pod'] },
  'selector-lens/perspective': { textDocument },
  'selector-lens/choosePerspective': { scopes: [], values: [] },
  'selector-lens/explain': place,
  'selector-lens/otherDiagnostics': {
    textDocument,
    diagnostics: [{ range: { start: place.position, end: place.position } }],
  },
  'selector-lens/paste': { ...place, text: 'app=web' },
  'selector-lens/insert': { from: place, to: place },
  'textDocument/unknown': place,
  'selector-lens/refused': { code: 'x' },
};

/** JSON texts: some cannot be created from values. */
const odd = [
  ...[
    'null',
    'true',
    '0',
    '-1',
    '1.5',
    '1e308',
    '-1e308',
    '9007199254740993',
    '2147483648',
    '""',
    '"\\ud800"',
    '"\\u0000"',
  ],
  ...['[]', '{}', '[null]', '[[[[[]]]]]', '{"__proto__": {"line": 1}}', '{"constructor": 1}', '{"toString": null}'],
  ...[
    '"file:///%"',
    '"file:///%ff"',
    '"file://host/a.yaml"',
    '"file:///a%2Fb"',
    '"file:///a%00b"',
    '"://"',
    '"__proto__"',
  ],
  `"${'x'.repeat(100_000)}"`,
  `${'['.repeat(2_000)}${']'.repeat(2_000)}`,
];

/** Represents an odd value, which replaces it in the text. */
const oddValue = '\u0001';
const stand = JSON.stringify(oddValue);

/** Bodies that are not valid messages. */
const bodies = [
  ...['', ' ', '{', '}', 'null', '[]', '{}', '5', '"a"', '\u0000', '{"jsonrpc":"2.0"}', '{"jsonrpc":"2.0","id":1}'],
  '{"jsonrpc":"2.0","id":null,"method":"textDocument/hover"}',
  '{"jsonrpc":"2.0","id":{},"method":"textDocument/hover"}',
  '{"jsonrpc":"2.0","id":1.5,"method":"textDocument/hover","params":[]}',
  '{"jsonrpc":"2.0","id":1,"method":null}',
  '{"jsonrpc":"2.0","id":1,"result":{},"error":{}}',
  '{"jsonrpc":"2.0","id":0,"error":5}',
  '{"jsonrpc":"1.0","method":"__proto__","params":{}}',
  '[{"jsonrpc":"2.0","id":1,"method":"shutdown"}]',
  `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
  `{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`,
];

const headers = [
  'X: y\r\n\r\n',
  'Content-Length: x\r\n\r\n',
  'Content-Length: 999999999999999999\r\n\r\n',
  '\r\n\r\n',
  `${'x'.repeat(9_000)}`,
];

class Attack {
  readonly #random: Random;
  #id = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** A message with one or two invalid parts. */
  message(): string {
    if (this.#random(8) === 0) return this.#one(bodies);
    const [method, params] = this.#one(Object.entries(healthy));
    let hurt: unknown = structuredClone(params);
    for (let count = this.#random(3); count >= 0; count--) hurt = this.#hurt(hurt);
    const text = JSON.stringify(hurt).replaceAll(stand, () => this.#one(odd));
    const id = this.#random(4) === 0 ? '' : `"id":${++this.#id},`;
    return `{"jsonrpc":"2.0",${id}"method":${JSON.stringify(method)},"params":${text}}`;
  }

  header(): string {
    return this.#one(headers);
  }

  /** Replaces a random value by an odd one, or removes it. */
  #hurt(value: unknown): unknown {
    if (typeof value !== 'object' || value === null || this.#random(8) === 0) return oddValue;
    const keys = Object.keys(value);
    if (keys.length === 0) return oddValue;
    const key = this.#one(keys);
    if (this.#random(8) === 0) Reflect.deleteProperty(value, key);
    else Reflect.set(value, key, this.#hurt(Reflect.get(value, key)));
    return value;
  }

  #one<T>(list: readonly T[]): T {
    assert.ok(list.length > 0);
    return list[this.#random(list.length)] as T; // the index is below the length
  }
}

async function start(): Promise<RawClient> {
  const client = new RawClient();
  await client.initialize();
  client.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text: web } });
  return client;
}

/** Checks that a usual request is answered, and that no error was logged meanwhile. */
async function isWell(client: RawClient, sent: readonly string[]): Promise<void> {
  const { result } = await client.request('textDocument/hover', { textDocument, position });
  const about = () => sent.map((each) => each.slice(0, 500)).join('\n');
  assert.match(JSON.stringify(result), /Selects Pods/, about());
  assert.equal(client.complaints, '', about());
  assert.deepEqual(client.errors, [], about());
  for (const { error } of client.received.splice(0)) {
    // Neither a stack trace nor the message of a library.
    assert.doesNotMatch(error?.message ?? '', /\n|failed with message|Cannot read|is not a function/, about());
    assert.notEqual(error?.code, -32603, about());
  }
}

/** Bytes in memory; undefined if the system does not provide it. */
function residentSet({ process: { pid } }: RawClient): number | undefined {
  try {
    const found = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return found?.[1] === undefined ? undefined : Number(found[1]) * 1024;
  } catch {
    return undefined;
  }
}

/** The number of messages between two valid requests. */
const between = 20;
/** Bytes by which the process may differ, because of garbage collection. */
const slack = 100_000_000;

describe('campaign: malformed JSON-RPC', () => {
  it('does not stop the server', async () => {
    const attack = new Attack(randomNumbers(11));
    const client = await start();
    const runs = campaignRuns(20_000);
    const sizes: number[] = [];
    let sent: string[] = [];
    try {
      for (let run = 1; run <= runs; run++) {
        const message = attack.message();
        client.body(message);
        sent.push(message);
        if (run % between !== 0) continue;
        // Documents that were closed or changed on purpose are restored.
        client.notify('textDocument/didClose', { textDocument });
        client.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text: web } });
        await isWell(client, sent);
        sent = [];
        if (run % Math.ceil(runs / 5) < between) sizes.push(residentSet(client) ?? 0);
      }
    } finally {
      await client.stop();
    }
    const figures = sizes.map((size) => Math.round(size / 1e6)).join(' ');
    if (process.env['SELECTOR_LENS_CAMPAIGN'] === 'full') console.log(`      ${runs} messages, resident ${figures} MB`);
    assert.ok((sizes.at(-1) ?? 0) < (sizes[1] ?? 0) + slack, figures);
  });

  it('ends the server with one sentence if the start of the next message is unknown', async () => {
    const attack = new Attack(randomNumbers(12));
    for (let run = 0; run < campaignRuns(100); run++) {
      const client = await start();
      client.bytes(attack.header());
      assert.equal(await client.exited, 1);
      assert.match(client.complaints, /^selector-lens: .* message .*; the language server ends\.\n$/);
    }
  });
});
