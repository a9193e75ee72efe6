/**
 * Recognizes text that may be a Kubernetes manifest. Checks only two keys, so that no other module has to be loaded.
 */

const apiVersionKey = /(?:^|[\s{,])["']?apiVersion["']?[ \t]*:/;
const kindKey = /(?:^|[\s{,])["']?kind["']?[ \t]*:/;

/** Whether a text has the keys `apiVersion` and `kind`. */
export function looksLikeManifest(text: string): boolean {
  return apiVersionKey.test(text) && kindKey.test(text);
}

/** Whether an edit of this line may have turned the document into a manifest. */
export function mentionsManifestKey(line: string): boolean {
  return apiVersionKey.test(line) || kindKey.test(line);
}
