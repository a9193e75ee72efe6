/** Encodings of files on disk, detected in the way in which kubectl detects them: UTF-16 by its byte order mark, otherwise UTF-8. */

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** Returns the encoding of the bytes of a whole file. Without a byte order mark, the encoding is UTF-8, although the bytes may be invalid UTF-8. */
export function encodingOf(bytes: Uint8Array): Encoding {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

export type Decoded = { readonly text: string } | { readonly skipped: string };

/** Decodes the bytes of a whole file; `skipped` is the reason, for users, if they are not text. @param decode decodes bytes without their byte order mark, and throws if the encoding does not fit */
export function decodeText(bytes: Uint8Array, decode: (bytes: Uint8Array, encoding: Encoding) => string): Decoded {
  const encoding = encodingOf(bytes);
  const refusal = encoding === 'utf-8' ? refusalOfNul(bytes) : undefined;
  return refusal === undefined ? decodeAnyText(bytes, decode) : { skipped: refusal };
}

/** Decodes as `decodeText` does, but accepts NUL in the text. */
export function decodeAnyText(bytes: Uint8Array, decode: (bytes: Uint8Array, encoding: Encoding) => string): Decoded {
  const encoding = encodingOf(bytes);
  try {
    return { text: decode(bytes, encoding) };
  } catch {
    return { skipped: `it is not ${encoding === 'utf-8' ? 'UTF-8' : 'UTF-16'} text` };
  }
}

/** Returns the reason why bytes without a byte order mark are not the text of a manifest; undefined if the first bytes contain no NUL. */
function refusalOfNul(bytes: Uint8Array): string | undefined {
  const first = bytes.subarray(0, inspected);
  if (!first.includes(0)) return undefined;
  const isWide = [0, 1].some((at) => first[at] === 0 && first[at + 2] === 0 && first[1 - at] !== 0);
  return isWide ? 'it is UTF-16 without a byte order mark, which kubectl cannot read' : notText;
}

/** The number of bytes that git inspects to decide whether a file is binary. */
const inspected = 8000;

/** The reason why a binary file is not read. */
export const notText = 'it is not text';

/** Whether a text in the editor is a decoded binary file: whether a NUL is among the first characters. */
export function isBinary(text: string): boolean {
  return text.slice(0, inspected).includes('\0');
}
