/** Objects of a git repository, and what is wrong with one that cannot be read. */

import { inflateSync } from 'node:zlib';
import { codeOf } from '../system-error-text.ts';

export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag';

export interface GitObject {
  readonly type: ObjectType;
  readonly bytes: Buffer;
}

/** What a repository does not let us read, as a sentence for a person. It never leaves this folder. */
export class GitError extends Error {}

/** Throws a GitError for what is damaged or becomes larger. */
export function inflated(compressed: Uint8Array, maximumBytes: number): Buffer {
  try {
    return inflateSync(compressed, { maxOutputLength: Math.max(1, maximumBytes) });
  } catch (error) {
    if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') throw new GitError(`it is larger than ${maximumBytes} bytes`);
    throw new GitError('an object is damaged');
  }
}
