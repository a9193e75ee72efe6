/** Could this text be a Kubernetes manifest? Decided from two keys, so that nothing else need be loaded to ask. */

const apiVersionKey = /(?:^|[\s{,])["']?apiVersion["']?[ \t]*:/;
const kindKey = /(?:^|[\s{,])["']?kind["']?[ \t]*:/;

export function looksLikeManifest(text: string): boolean {
  return apiVersionKey.test(text) && kindKey.test(text);
}

/** Could a change on this line have made a manifest of a text that was none? */
export function mentionsManifestKey(line: string): boolean {
  return apiVersionKey.test(line) || kindKey.test(line);
}
