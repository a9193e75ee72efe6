/** Decodes the bytes of files into text. */

import { decodeAnyText, decodeText, type Encoding } from '../text/encoding.ts';
import type { ReadText } from '../workspace/live/load.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes UTF-8, or UTF-16 with a byte order mark. The result does not contain the byte order mark. */
export function decode(bytes: Uint8Array): ReadText {
  return decodeText(bytes, decodeAs);
}

/** Decodes bytes in the same way as `decode`, but accepts NUL characters in the text. */
export function decodeAny(bytes: Uint8Array): ReadText {
  return decodeAnyText(bytes, decodeAs);
}

function decodeAs(bytes: Uint8Array, encoding: Encoding): string {
  return (encoding === 'utf-8' ? utf8 : new TextDecoder(encoding, { fatal: true })).decode(bytes);
}
