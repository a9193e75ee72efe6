/** Links to the other files, such as kustomizations and patches, that add labels or requirements to an object. */

import type { LabelEntry } from '../../manifests/model.ts';
import { offsetToPosition } from '../../text/lines.ts';
import { folderOf, relativePath } from '../../workspace/uri.ts';
import type { FileView } from '../view.ts';
import type { Line, Part } from './rich-text.ts';

/** Returns the keys that each other file adds, as in `env from overlays/prod/kustomization.yaml`; empty if all entries are in the object's own file. */
export function originParts(view: FileView, entries: readonly LabelEntry[]): Line {
  const byFile = new Map<string, LabelEntry[]>();
  for (const entry of entries) {
    const uri = entry.rendered ? undefined : entry.value.origin?.uri;
    if (uri !== undefined) byFile.set(uri, [...(byFile.get(uri) ?? []), entry]);
  }
  return [...byFile].flatMap(([uri, theirs], index): readonly Part[] => {
    const file = view.workspace.files.get(uri);
    const start = theirs[0]?.value.origin?.span.start ?? 0;
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
