/** The reasons why the objects of a kustomization are not completely known. */

import { folderOf } from '../../workspace/uri.ts';
import type { FileView } from '../view.ts';

/** Returns the reasons as clauses, each without a period; empty if everything is known. */
export function openReasons({ workspace, file }: FileView): readonly string[] {
  const folder = folderOf(file.uri);
  const own = workspace
    .scopes()
    .all()
    .filter(({ kind, path }) => kind === 'kustomization' && path === folder);
  return [...new Set(own.flatMap(({ closed }) => (closed === true ? [] : closed.openBecause)))];
}
