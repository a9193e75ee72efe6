/**
 * Facts from listing the folders of a workspace: the targets of links, and the files that `.gitattributes` marks as
 * generated.
 */

export interface Listing {
  /** The name that a file or folder is read by: for a link, that of what it leads to. */
  fileNameOf(uri: string): string;
  /** Whether a program wrote a file, as `.gitattributes` says; undefined where it says nothing. */
  isMarkedGenerated(uri: string): boolean | undefined;
}

export const noListing: Listing = { fileNameOf: (uri) => uri, isMarkedGenerated: () => undefined };
