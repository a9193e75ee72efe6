/** Recognizes text that may be a Kubernetes manifest. Checks two keys only, so that nothing else has to be loaded. */

const apiVersionKey = /(?:^|[\s{,])["']?apiVersion["']?[ \t]*:/;
const kindKey = /(?:^|[\s{,])["']?kind["']?[ \t]*:/;

export function looksLikeManifest(text: string): boolean {
  return apiVersionKey.test(text) && kindKey.test(text);
}

/** Whether a change on this line may have turned other text into a manifest. */
export function mentionsManifestKey(line: string): boolean {
  return apiVersionKey.test(line) || kindKey.test(line);
}
