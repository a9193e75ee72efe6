/** The links in a file: its paths, and the names of objects in other files of the workspace. */

import { offsetToPosition, type Position } from '../../text/lines.ts';
import type { Span } from '../../text/span.ts';
import { targetsOf } from '../../workspace/references/targets.ts';
import { isWritten } from '../locations.ts';
import type { FileView } from '../view.ts';
import { fileAtPath, filePaths } from './file-paths.ts';

export interface FileLink {
  readonly span: Span;
  /** The URI of a file in a workspace folder. */
  readonly target: string;
  readonly at?: Position;
}

export interface FileLinks {
  readonly links: readonly FileLink[];
  /** Paths to files that are not indexed, such as generator inputs; they become links if the files exist. */
  readonly unknown: readonly FileLink[];
}

/** The maximum number of names in a file that become links. */
const maximumNames = 1000;

/** Returns the links in the open file. Their targets are always in the workspace folders. */
export function fileLinks(view: FileView): FileLinks {
  const links: FileLink[] = [];
  const unknown: FileLink[] = [];
  for (const path of filePaths(view)) {
    const { span, candidates } = path;
    const file = fileAtPath(view.workspace, path);
    if (file !== undefined) links.push({ span, target: file.uri });
    else if (candidates[0] !== undefined) unknown.push({ span, target: candidates[0] });
  }
  return { links: [...links, ...nameLinks(view)], unknown };
}

/** Returns links for names that certainly refer to a single object in a different file of the scope. */
function nameLinks({ workspace, catalogue, file, complete }: FileView): readonly FileLink[] {
  if (!complete) return [];
  const sites = file.manifest.objects.flatMap((object) => (object.references ?? []).map((site) => ({ object, site })));
  return sites.slice(0, maximumNames).flatMap(({ object, site }): readonly FileLink[] => {
    const [only, ...others] = targetsOf(workspace, catalogue, { file, object }, site);
    if (only === undefined || others.length > 0 || site.name.origin !== undefined) return [];
    const isCertain = only.answer === 'yes' && only.relation === 'here';
    if (!isCertain || only.file.uri === file.uri || !isWritten(only)) return [];
    return [{ span: site.name.span, target: only.file.uri, at: offsetToPosition(only.file.lines, only.span.start) }];
  });
}
