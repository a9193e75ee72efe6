/** The reasons why the system refuses to read or write something, as words for a person. */

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

/** Completes a sentence such as `It cannot be read: permission denied (EACCES).` */
export function refusalOf(error: unknown): string {
  const code = codeOf(error);
  return `${words[code] ?? 'the system refuses it'} (${code})`;
}

/** What the system calls it. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}
