/** Reads and writes framed messages on streams (LSP base protocol), and checks the framing of incoming messages: headers that end with an empty line and include a Content-Length. After an invalid header, the start of the next message is unknown, and an excessive length would exhaust the memory, so the process must exit. */

import type { Readable, Writable } from 'node:stream';
import {
  AbstractMessageReader,
  AbstractMessageWriter,
  type DataCallback,
  Disposable,
  type Message,
  type MessageReader,
  type MessageWriter,
} from 'vscode-languageserver/node';

/** Far more than the headers of LSP need. */
const maximumHeaderBytes = 8_192;
/** The maximum size of a message in bytes. It is much larger than any document that an editor synchronizes. */
const maximumBodyBytes = 256_000_000;

const none: Buffer = Buffer.alloc(0);
const separator = Buffer.from('\r\n\r\n');

/** Splits the bytes of a stream into messages. */
class MessageFraming {
  /** The bytes of the current header, whose end has not been received yet. */
  #header = none;
  /** The received parts of the current body. */
  #body: Buffer[] = [];
  /** The number of bytes of the current body that have not been received yet. */
  #missing = 0;
  readonly #receive: (body: Buffer) => void;

  /** `receive` is called with the body of each message. */
  constructor(receive: (body: Buffer) => void) {
    this.#receive = receive;
  }

  /**
   * Processes the next bytes of the stream; returns a sentence that describes the first error, or undefined if there is
   * none.
   */
  take(bytes: Buffer): string | undefined {
    let rest = bytes;
    while (rest.length > 0) {
      if (this.#missing > 0) {
        const taken = rest.subarray(0, this.#missing);
        rest = rest.subarray(taken.length);
        this.#missing -= taken.length;
        this.#body.push(taken);
        if (this.#missing === 0) this.#finish();
        continue;
      }
      const known = this.#header.length;
      const more = rest.subarray(0, maximumHeaderBytes);
      this.#header = known === 0 ? more : Buffer.concat([this.#header, more]);
      const end = this.#header.indexOf(separator);
      if (end === -1) {
        if (this.#header.length >= maximumHeaderBytes) return 'the header of a message does not end';
        return undefined;
      }
      const length = contentLength(this.#header.toString('latin1', 0, end));
      if (length === undefined) return 'a message has no valid Content-Length';
      if (length > maximumBodyBytes) return `a message has a Content-Length of more than ${maximumBodyBytes} bytes`;
      rest = rest.subarray(end + separator.length - known);
      this.#header = none;
      this.#missing = length;
      if (length === 0) this.#finish();
    }
    return undefined;
  }

  #finish(): void {
    const [first = none, ...others] = this.#body;
    const body = others.length === 0 ? first : Buffer.concat(this.#body);
    this.#body = [];
    this.#receive(body);
  }
}

function contentLength(header: string): number | undefined {
  const [length, ...others] = header.matchAll(/(?<=^|\r\n)content-length:[ \t]*(\d{1,15})[ \t]*(?=\r\n|$)/gi);
  return length === undefined || others.length > 0 ? undefined : Number(length[1]);
}

/**
 * Reads messages from a stream. Unlike the reader of the protocol library, it parses headers once, sets no timer for each
 * message, and does not wait for the next turn of the event loop before it parses a body.
 */
export class FramedReader extends AbstractMessageReader implements MessageReader {
  readonly #input: Readable;
  readonly #fail: (problem: string) => void;

  /** `fail` is called with a sentence after an error in the framing; the following bytes cannot be read. */
  constructor(input: Readable, fail: (problem: string) => void) {
    super();
    this.#input = input;
    this.#fail = fail;
  }

  override listen(callback: DataCallback): Disposable {
    const framing = new MessageFraming((body) => {
      try {
        callback(JSON.parse(body.toString()));
      } catch (error) {
        this.fireError(error);
      }
    });
    const take = (bytes: Buffer) => {
      const problem = framing.take(bytes);
      if (problem !== undefined) this.#fail(problem);
    };
    this.#input.on('data', take);
    this.#input.on('error', (error) => this.fireError(error));
    this.#input.on('close', () => this.fireClose());
    return Disposable.create(() => this.#input.off('data', take));
  }
}

/** Writes each message to a stream with one system call. The writer of the protocol library writes the header and the body separately, each in its own turn of the event loop. */
export class FramedWriter extends AbstractMessageWriter implements MessageWriter {
  readonly #output: Writable;
  #failures = 0;

  constructor(output: Writable) {
    super();
    this.#output = output;
    output.on('error', (error) => this.fireError(error));
    output.on('close', () => this.fireClose());
  }

  write(message: Message): Promise<void> {
    return new Promise((resolve, reject) => {
      const body = JSON.stringify(message);
      this.#output.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`, (error) => {
        if (error === undefined || error === null) return resolve();
        this.fireError(error, message, ++this.#failures);
        reject(error);
      });
    });
  }

  end(): void {
    this.#output.end();
  }
}
