/** The links of a file: the paths in it that lead to other files of the workspace. */

import type { Span } from '../../text/span.ts';
import type { FileView } from '../view.ts';
import { fileAtPath, filePaths } from './file-paths.ts';

export interface FileLink {
  readonly span: Span;
  /** The URI of a file in a workspace folder. */
  readonly target: string;
}

export interface FileLinks {
  readonly links: readonly FileLink[];
  /** Paths to files that are not indexed, such as inputs of generators: these are links if the files exist. */
  readonly unknown: readonly FileLink[];
}

/** Returns the links of the open file. A link never leaves the workspace folders. */
export function fileLinks(view: FileView): FileLinks {
  const links: FileLink[] = [];
  const unknown: FileLink[] = [];
  for (const path of filePaths(view)) {
    const { span, candidates } = path;
    const file = fileAtPath(view.workspace, path);
    if (file !== undefined) links.push({ span, target: file.uri });
    else if (candidates[0] !== undefined) unknown.push({ span, target: candidates[0] });
  }
  return { links, unknown };
}
