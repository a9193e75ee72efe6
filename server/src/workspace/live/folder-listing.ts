/** What did listing the folders of a workspace tell, beside which files there are? */

export interface Listing {
  /** The name that a file or folder is read by: for a link, that of what it leads to. */
  nameOf(uri: string): string;
  /** Whether a program wrote a file, as `.gitattributes` says; undefined where it says nothing. */
  saysGenerated(uri: string): boolean | undefined;
}

export const noListing: Listing = { nameOf: (uri) => uri, saysGenerated: () => undefined };
