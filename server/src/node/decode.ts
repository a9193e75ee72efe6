/** Decodes the bytes of files into texts. */

import { decodeAnyText, decodeText, type Encoding } from '../text/encoding.ts';
import type { ReadText } from '../workspace/live/load.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Text of UTF-8, or of UTF-16 that begins with its byte order mark. The byte order mark is left out. */
export function decode(bytes: Uint8Array): ReadText {
  return decodeText(bytes, decodeAs);
}

/** Does the same for a text that may contain NUL. */
export function decodeAny(bytes: Uint8Array): ReadText {
  return decodeAnyText(bytes, decodeAs);
}

function decodeAs(bytes: Uint8Array, encoding: Encoding): string {
  return (encoding === 'utf-8' ? utf8 : new TextDecoder(encoding, { fatal: true })).decode(bytes);
}
