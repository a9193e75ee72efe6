/** The links of a file: the paths in its commands that lead to files of the workspace. */

import { wordSpan } from '../../manifests/cursor/word-at.ts';
import type { Span } from '../../text/span.ts';
import { pathTarget } from '../../workspace/command-paths.ts';
import type { WorkspaceFile } from '../../workspace/model.ts';
import type { FileView } from '../view.ts';

export interface FileLink {
  readonly span: Span;
  readonly target: WorkspaceFile;
}

/** Maximum number of links in a file. */
const maximumLinks = 1000;

/** Returns the paths that lead to a file; a link never leaves the workspace folder. */
export function fileLinks({ workspace, file }: FileView): readonly FileLink[] {
  const links: FileLink[] = [];
  for (const word of file.manifest.words ?? []) {
    if (word.is !== 'path' || links.length === maximumLinks) continue;
    const target = pathTarget(workspace, file.uri, word.letters.text);
    if (target?.is === 'file') links.push({ span: wordSpan(word), target: target.file });
  }
  return links;
}
