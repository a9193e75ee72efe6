/**
 * Facts from listing the folders of a workspace: the targets of links, and the files that `.gitattributes` marks as
 * generated.
 */

export interface Listing {
  /** The name under which a file or folder is loaded: for a link, the name of its target. */
  fileNameOf(uri: string): string;
  /** Whether `.gitattributes` marks a file as generated; undefined if no attribute does. */
  isMarkedGenerated(uri: string): boolean | undefined;
}

export const noListing: Listing = { fileNameOf: (uri) => uri, isMarkedGenerated: () => undefined };
