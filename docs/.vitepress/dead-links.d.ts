export interface DeadLink {
  /** The page with the link, relative to the site. */
  readonly page: string;
  readonly link: string;
}
/** Returns the dead links of the pages in a folder, which is served below `base`. */
export declare function deadLinks(folder: string, base: string): readonly DeadLink[];
