/** Represents a file that does not exist, as the version of an added file before, or of a deleted file after, a change. */

import type { FileChange, WorkspaceFile } from './model.ts';
import type { ScopeFacts } from './scopes/scope-facts.ts';

const noFacts: ScopeFacts = { identities: [], objects: 0, templates: [], openBecause: [] };

/** Returns the version of a file before it exists. */
export function absentFile(uri: string): WorkspaceFile {
  return { uri, manifest: { objects: [], documents: 0, syntaxErrors: 0 }, lines: [0], scope: noFacts, objects: 0 };
}

export function isAdded({ before }: FileChange): boolean {
  return before.scope === noFacts;
}

export function addsOrDeletes(change: FileChange): boolean {
  return isAdded(change) || change.after.scope === noFacts;
}
