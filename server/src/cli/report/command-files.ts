/** Finds scripts, Makefiles and Markdown pages in the paths, and the selectors in the commands that they contain. */

import { mayHoldSelectors } from '../../manifests/inline/candidates.ts';
import { hostOf, isScript, mayHoldCommands } from '../../manifests/inline/host-language.ts';
import { manifestsIn } from '../../manifests/inline/pages.ts';
import { mayHoldServiceNames } from '../../manifests/service-names.ts';
import type { Session } from '../../session.ts';
import type { Settings } from '../../settings/settings.ts';
import { FolderFilter } from '../../workspace/ignore/folder-filter.ts';
import { commandFileLimits } from '../../workspace/live/command-files.ts';
import { type FileSource, listFolder, readFiles } from '../../workspace/live/load.ts';
import type { WorkspaceFile } from '../../workspace/model.ts';
import { readFile } from '../../workspace/snapshot.ts';
import { fileNameOf } from '../../workspace/uri.ts';

interface Named {
  readonly kind: string;
  readonly uri: string;
}

/** Lists the URIs of files that are not manifests and may contain commands, except for files that git or the settings ignore. */
export async function listCommandFiles(
  source: FileSource,
  named: readonly Named[],
  settings: Settings,
): Promise<readonly string[]> {
  const uris = new Set<string>();
  for (const { kind, uri } of named) {
    if (kind === 'file' && mayHoldCommands(fileNameOf(uri))) uris.add(uri);
    if (kind !== 'folder') continue;
    const filter = new FolderFilter(uri, settings, 'commands');
    for (const each of (await listFolder(source, uri, filter, settings)).files) uris.add(each);
  }
  return [...uris].filter((uri) => mayHoldCommands(fileNameOf(uri))).toSorted();
}

/** Limits for all files together. Files that exceed them, in the order of their paths, are left out. */
const limits = { commands: commandFileLimits.commands, characters: 200_000_000 } as const;

interface FilesWithCommands {
  readonly files: readonly WorkspaceFile[];
  /** A sentence about the files that are left out; absent if there are none. */
  readonly note?: string;
}

/** Reads the files with selectors, labels or names of Services in their commands. A text without a word that indicates one of them is not parsed. */
export async function readCommandFiles(
  source: FileSource,
  named: readonly Named[],
  session: Session,
): Promise<FilesWithCommands> {
  const uris = await listCommandFiles(source, named, session.workspace.settings);
  if (uris.length === 0) return { files: [] };
  /** The files that are checked even if they contain no selectors and labels: those with manifests, and scripts with names of Services. */
  const others = new Set<string>();
  let commands = 0;
  let characters = 0;
  let complete = 0;
  const isOver = () => commands > limits.commands || characters > limits.characters;
  const reader = {
    known: () => undefined,
    read: (uri: string, text: string): WorkspaceFile | false => {
      characters += text.length;
      if (isOver()) return false;
      complete++;
      const host = hostOf(fileNameOf(uri), text);
      const isNaming = isScript(host) && mayHoldServiceNames(text);
      if (isNaming || (host !== undefined && manifestsIn(text, host) !== undefined)) others.add(uri);
      const isCandidate = host === 'selector' || others.has(uri) || mayHoldSelectors(text);
      const file = isCandidate && readFile(uri, text, session.workspace.catalogueOf(uri));
      if (file) commands += wordsIn(file);
      return file;
    },
  };
  const options = { maximumFileSize: commandFileLimits.bytes, progress() {}, isCancelled: isOver };
  const { files, skipped, gone } = await readFiles(source, reader, uris, options);
  // A named file is also parsed as a manifest, and checked as one if it contains objects.
  const isManifest = (uri: string) => (session.snapshot().files.get(uri)?.objects ?? 0) > 0;
  const found = [...files.values()].flatMap((file) =>
    file !== false && (others.has(file.uri) || wordsIn(file) > 0) && !isManifest(file.uri) ? [file] : [],
  );
  const left = uris.length - complete - skipped.length - gone.length;
  if (!isOver() || left === 0) return { files: found };
  return {
    files: found,
    note: `Commands in ${left} files were not checked, because the files before them contain too many commands.`,
  };
}

function wordsIn({ manifest: { inline = [], words = [] } }: WorkspaceFile): number {
  return inline.length + words.length;
}
