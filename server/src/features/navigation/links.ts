/** The links of a file: the paths in its commands that lead to files of the workspace. */

import { wordSpan } from '../../manifests/cursor/word-at.ts';
import type { Span } from '../../text/span.ts';
import { pathCandidates } from '../../workspace/command-paths.ts';
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
  const paths = (file.manifest.words ?? []).filter(({ is }) => is === 'path').slice(0, maximumLinks);
  return paths.flatMap((word) => {
    const candidates = pathCandidates(workspace, file.uri, word.letters.text);
    const target = candidates.map((uri) => workspace.files.get(uri)).find((each) => each !== undefined);
    return target === undefined ? [] : [{ span: wordSpan(word), target }];
  });
}
