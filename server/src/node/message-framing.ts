/** Checks the framing of messages on a stream (LSP, base protocol): headers that end with an empty line, including a Content-Length. After an invalid header, the start of the next message is unknown, and an excessive length would exhaust the memory, so the only safe reaction is to exit. */

/** Far more than the headers of LSP need. */
const maximumHeaderBytes = 8_192;
/** Much larger than the largest document that an editor synchronizes. */
const maximumBodyBytes = 256_000_000;

const separator = Buffer.from('\r\n\r\n');

/** Tracks the framing in the bytes of a stream of messages. */
export class MessageFraming {
  /** The bytes of a header that has not ended yet. */
  #header: Buffer = Buffer.alloc(0);
  /** The number of remaining bytes of the current body. */
  #body = 0;

  /** Processes the next bytes; returns a sentence about the first error, or undefined if there is none. */
  take(bytes: Buffer): string | undefined {
    let rest = bytes;
    while (rest.length > 0) {
      if (this.#body > 0) {
        const taken = Math.min(this.#body, rest.length);
        this.#body -= taken;
        rest = rest.subarray(taken);
        continue;
      }
      const known = this.#header.length;
      this.#header = Buffer.concat([this.#header, rest.subarray(0, maximumHeaderBytes)]);
      const end = this.#header.indexOf(separator);
      if (end === -1) {
        if (this.#header.length >= maximumHeaderBytes) return 'the header of a message does not end';
        return undefined;
      }
      const length = contentLength(this.#header.toString('latin1', 0, end));
      if (length === undefined) return 'a message has no valid Content-Length';
      if (length > maximumBodyBytes) return `a message has a Content-Length of more than ${maximumBodyBytes} bytes`;
      rest = rest.subarray(end + separator.length - known);
      this.#header = Buffer.alloc(0);
      this.#body = length;
    }
    return undefined;
  }
}

function contentLength(header: string): number | undefined {
  const lines = header.split('\r\n').map((line) => /^content-length:[ \t]*(\d{1,15})[ \t]*$/i.exec(line)?.[1]);
  const lengths = lines.filter((each) => each !== undefined);
  return lengths.length === 1 ? Number(lengths[0]) : undefined;
}
