/** Facts from listing the folders of a workspace: the targets of links, the files that `.gitattributes` marks as generated, and the git repositories. */

import type { RepositoryIdentity } from '../gitops/git-remotes.ts';

export interface Listing {
  /** Returns the name under which a file or folder is loaded: for a link, the name of its target. */
  fileNameOf(uri: string): string;
  /** Whether `.gitattributes` marks a file as generated; undefined if no attribute applies to the file. */
  isMarkedGenerated(uri: string): boolean | undefined;
  /** Whether git ignores a file, or the settings exclude it, so that it is not loaded even if it exists. */
  leavesOut(uri: string): boolean;
  /** Returns the innermost git repository that contains a file; undefined if none is known. */
  repositoryOf(uri: string): RepositoryIdentity | undefined;
}

export const noListing: Listing = {
  fileNameOf: (uri) => uri,
  isMarkedGenerated: () => undefined,
  leavesOut: () => false,
  repositoryOf: () => undefined,
};
