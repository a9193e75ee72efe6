/** The common definitions of the server of a web host and the extension with the files of its workspace. */

/** The scheme of the virtual workspace. */
export const memoryScheme = 'memory-files';

export interface MemoryFilesOptions {
  /** Contents in base64, by path. */
  readonly files: Readonly<Record<string, string>>;
  /** Whether files can be searched. */
  readonly search: boolean;
}
