/** Temporary folders for the files of a VS Code under test. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a temporary folder. */
export function newFolder(name: string): Promise<string> {
  return mkdtemp(join(tmpdir(), `selector-lens-${name}-`));
}

/** The child processes of VS Code end later than the parent, and may write until then. */
export function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
}
