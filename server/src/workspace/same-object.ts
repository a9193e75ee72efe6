/** Identifies an object in a file, as it is written and in all versions that scopes build of it. */

/** An object of the file with a URI; its kind starts at an offset. */
interface InFile {
  readonly file: { readonly uri: string };
  readonly object: { readonly kindSpan: { readonly start: number } };
}

/** Whether two objects are written at the same position of a file; scopes may have changed both. */
export function isSameObject(a: InFile, b: InFile): boolean {
  return a.file.uri === b.file.uri && a.object.kindSpan.start === b.object.kindSpan.start;
}
