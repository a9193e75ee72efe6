/** Tests that an MCP client gets an answer for each request, also if it is not valid. */

import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { validMessages } from '../../server/src/node/mcp-messages.ts';

async function* chunks(whole: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(whole);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe('a message of an MCP client', () => {
  it('is passed on if it is valid, and answered if it is not', async () => {
    const valid = [
      '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
      '{"jsonrpc":"2.0","method":"notifications/initialized","params":{"x":"é\u2028"}}',
      'no JSON',
    ];
    const invalid = [
      '{"jsonrpc":"2.0","id":2,"method":"tools/list","params":null}',
      '{"jsonrpc":"2.0","id":"a","method":5}',
      '{"id":[]}',
      'null',
    ];
    const error = (id: unknown) =>
      `${JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32600, message: 'Invalid request' } })}\n`;
    for (const size of [1, 7, 10_000]) {
      const written: string[] = [];
      const output = { write: (line: string) => written.push(line) > 0 };
      const lines = [...invalid, ...valid].map((line) => `${line}\n`).join('');
      assert.equal(await text(validMessages(chunks(lines, size), output)), valid.map((line) => `${line}\n`).join(''));
      assert.deepEqual(written, [error(2), error('a'), error(null), error(null)]);
    }
  });
});
