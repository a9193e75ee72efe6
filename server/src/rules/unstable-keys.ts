/** Which labels have another value with every release, by their definition? */

/** Each with what changes: it goes on after the key. */
export const changingKeys: ReadonlyMap<string, string> = new Map([
  ['helm.sh/chart', 'the chart changes with its version'],
  ['app.kubernetes.io/version', 'the version changes with every release'],
]);

export function changesWithReleases(key: string): boolean {
  return changingKeys.has(key);
}
