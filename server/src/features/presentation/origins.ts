/** Links to the other files, such as kustomizations and patches, that add labels or requirements to an object. */

import type { LabelEntry } from '../../manifests/model.ts';
import { offsetToPosition } from '../../text/lines.ts';
import type { WorkspaceFile } from '../../workspace/model.ts';
import { folderOf, relativePath } from '../../workspace/uri.ts';
import type { FileView } from '../view.ts';
import type { Line, Part } from './rich-text.ts';

/** Returns the keys that each file other than `except` adds to an object of the file `own`, as in `env from overlays/prod/kustomization.yaml`; empty if all entries are in `except`. */
export function originParts(
  view: FileView,
  entries: readonly LabelEntry[],
  own: Pick<WorkspaceFile, 'uri'>,
  except = own.uri,
): Line {
  const byFile = new Map<string, LabelEntry[]>();
  for (const entry of entries) {
    const uri = entry.value.origin?.uri ?? own.uri;
    if (!entry.rendered && uri !== except) byFile.set(uri, [...(byFile.get(uri) ?? []), entry]);
  }
  return [...byFile].flatMap(([uri, theirs], index): readonly Part[] => {
    const file = view.workspace.files.get(uri);
    const start = (theirs[0]?.value.origin ?? theirs[0]?.key)?.span.start ?? 0;
    if (file === undefined) return [];
    const { line, character } = offsetToPosition(file.lines, start);
    const target = `${uri}#L${line + 1},${character + 1}`;
    const keys = theirs.flatMap(({ key }, number): readonly Part[] => [
      ...(number === 0 ? [] : [', ']),
      { kind: 'code', text: key.text },
    ]);
    const text = relativePath(folderOf(view.file.uri), uri);
    return [...(index === 0 ? [] : [', ']), ...keys, ' from ', { kind: 'link', text, target }];
  });
}
