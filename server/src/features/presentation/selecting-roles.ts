/** The words for what a selector does with an object: it selects the object, isolates it, or names it as the other end of connections. */

import { isOfPeer } from '../../engine/catalogue/purposes.ts';
import { localize } from '../../text/localize.ts';

export type Role = 'selected' | 'isolated' | 'source' | 'target';

/** Returns the role of an object that the selector at a path matches. */
export function roleOf(path: string): 'selected' | 'source' | 'target' {
  if (!isOfPeer(path)) return 'selected';
  return path.includes('.ingress') ? 'source' : 'target';
}

/** Returns a participle: `named as a source`. */
export function participleOf(role: Role): string {
  switch (role) {
    case 'source':
      return localize`named as a source`;
    case 'target':
      return localize`named as a target`;
    default:
      return role;
  }
}
