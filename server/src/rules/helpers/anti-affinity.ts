/** Does a selector say from which pods others keep away? */

/** By its path: the field is the same in every pod template. */
export function isAntiAffinity(path: string): boolean {
  return path.includes('.podAntiAffinity.') && path.endsWith('.labelSelector');
}
