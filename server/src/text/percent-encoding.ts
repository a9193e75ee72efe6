/**
 * Percent-encoding of URI components that never throws. `encodeURIComponent` and `decodeURIComponent` throw a URIError
 * for some texts that YAML and JSON can contain (`"\uD800.yaml"`) and for some file names (`100%`).
 */

/** Encodes text as a URI component; like a UTF-8 encoder, it replaces each lone surrogate with U+FFFD. */
export function percentEncode(text: string): string {
  // biome-ignore lint/style/noRestrictedGlobals: no lone surrogate is left
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
}

/** Decodes a URI component; returns `undefined` if it is not percent-encoded UTF-8. */
export function percentDecode(text: string): string | undefined {
  try {
    // biome-ignore lint/style/noRestrictedGlobals: the URIError is caught
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
