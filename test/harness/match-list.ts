/** Lists the matches of every selector of a workspace, one per line, for comparison before and after a change. */

import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { seenBy } from '../../server/src/workspace/kustomize/view.ts';
import type { ObjectInFile, Workspace, WorkspaceFile } from '../../server/src/workspace/model.ts';
import { selectionOf } from '../../server/src/workspace/selection/selection.ts';
import { objectsOf } from '../../server/src/workspace/snapshot.ts';

/**
 * Every selector with its matches, by file, kind, name and position, which a rename does not change. First as written,
 * then as every kustomization applies it.
 */
export function matchList(workspace: Workspace): readonly string[] {
  const written = [...workspace.files.values()].flatMap((file) => matchesOf(workspace, file));
  const roots = workspace.scopes().all();
  const applied = roots.flatMap((root) => {
    const seen = seenBy(workspace, catalogue, root);
    const files = workspace.rendering(root.path, catalogue)?.files.values() ?? [];
    if (seen === undefined) return [];
    return [...files].flatMap((file) => matchesOf(seen, file)).map((line) => `${root.path}: ${line}`);
  });
  return [...written, ...applied].toSorted();
}

function matchesOf(workspace: Workspace, file: WorkspaceFile): readonly string[] {
  return objectsOf(workspace, file).flatMap((object) => {
    return object.selectorSites.flatMap((site) => {
      const { matches, maybe } = selectionOf(workspace, catalogue, { file, object }, site);
      const from = `${called({ file, object })} ${site.path}`;
      return [
        ...matches.map((each) => `${from} takes ${called(each)} ${each.labeledObject.via ?? ''}`),
        ...maybe.map((each) => `${from} may take ${called(each)} ${each.labeledObject.via ?? ''}`),
      ];
    });
  });
}

function called({ file, object }: ObjectInFile): string {
  return `${file.uri} ${file.manifest.objects.indexOf(object)} ${object.kind}/${object.name?.text ?? ''}`;
}
