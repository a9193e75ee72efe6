/** Where does a VS Code under test keep its files? In folders of its own, which are gone afterwards. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function newFolder(name: string): Promise<string> {
  return mkdtemp(join(tmpdir(), `selector-lens-${name}-`));
}

/** The processes of VS Code end a little later than the one that started them, and may write until then. */
export function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
}
