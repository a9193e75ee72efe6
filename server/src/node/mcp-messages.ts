/** Reads the messages of an MCP client, and answers those that are no valid messages: the SDK ignores them, so that the client would wait forever. */

import { Readable, type Writable } from 'node:stream';
import { ErrorCode, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';

const lineFeed = 0x0a;

/** Returns the valid messages of an input; writes an error for each other request to the output. */
export function validMessages(input: AsyncIterable<Buffer>, output: Pick<Writable, 'write'>): Readable {
  return Readable.from(messagesIn(input, output), { objectMode: false });
}

async function* messagesIn(input: AsyncIterable<Buffer>, output: Pick<Writable, 'write'>): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  for await (const chunk of input) {
    let rest = chunk;
    for (let end = rest.indexOf(lineFeed); end !== -1; end = rest.indexOf(lineFeed)) {
      const line = Buffer.concat([...pieces, rest.subarray(0, end + 1)]);
      pieces = [];
      rest = rest.subarray(end + 1);
      const error = errorFor(line.toString('utf8'));
      if (error === undefined) yield line;
      else output.write(`${JSON.stringify(error)}\n`);
    }
    pieces.push(rest);
  }
}

function errorFor(line: string): object | undefined {
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    // As for the SDK, a line that is not JSON is no message.
    return undefined;
  }
  if (JSONRPCMessageSchema.safeParse(message).success) return undefined;
  const { id } = typeof message === 'object' && message !== null && 'id' in message ? message : { id: undefined };
  const known = typeof id === 'string' || typeof id === 'number' ? id : null;
  return { jsonrpc: '2.0', id: known, error: { code: ErrorCode.InvalidRequest, message: 'Invalid request' } };
}
