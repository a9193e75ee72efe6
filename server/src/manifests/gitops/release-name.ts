/** Computes the names of the releases that HelmReleases install. */

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** The maximum length of the name of a release. */
const longestName = 53;

/** Returns the name of a release. A name that is too long is truncated, and ends with a part of the hash of the full name. Source: helm-controller `internal/release/name.go`. */
export function releaseName(name: string): string {
  if (name.length <= longestName) return name;
  return `${name.slice(0, 40)}-${bytesToHex(sha256(utf8ToBytes(name))).slice(0, 12)}`;
}
