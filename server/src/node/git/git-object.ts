/** Types and functions for the objects of a git repository, and the error for objects that cannot be read. */

import { inflateSync } from 'node:zlib';
import { BudgetSpent, spend } from '../../engine/work-budget.ts';
import { codeOf } from '../system-error-text.ts';

export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag';

export interface GitObject {
  readonly type: ObjectType;
  readonly bytes: Buffer;
}

/** The reason why a repository cannot be read, as a sentence for users. This error is not thrown to code outside of this folder. */
export class GitError extends Error {}

/** Decompresses data. Throws a GitError if the data is damaged, or if the result is larger than `maximumBytes`. */
export function inflated(compressed: Uint8Array, maximumBytes: number): Buffer {
  try {
    const bytes = inflateSync(compressed, { maxOutputLength: Math.max(1, maximumBytes) });
    spend(bytes.length);
    return bytes;
  } catch (error) {
    if (error instanceof BudgetSpent) throw error;
    if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') throw new GitError(`it is larger than ${maximumBytes} bytes`);
    throw new GitError('an object is damaged');
  }
}
