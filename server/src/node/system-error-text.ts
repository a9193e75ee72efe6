/** Converts errors of the operating system to text for users. */

const words: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EEXIST: 'it is there already',
  EFBIG: 'it would be too large',
  EISDIR: 'it is a folder',
  ELOOP: 'its links lead in a circle',
  ENXIO: 'it is a socket or a device',
  EMFILE: 'too many files are open',
  ENOENT: 'it is not there',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'it is not in a folder',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
};

/** Returns the end of a sentence such as `It cannot be read: permission denied (EACCES).` */
export function refusalOf(error: unknown): string {
  const code = codeOf(error);
  return `${words[code] ?? 'the system refuses it'} (${code})`;
}

/** Returns the code of a system error, such as `EACCES`; `unknown error` for all other errors. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}
