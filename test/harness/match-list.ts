/** What does every selector of a workspace take? One line each, to be compared before and after a change. */

import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { selectionOf } from '../../server/src/workspace/selection.ts';
import { type ObjectInFile, objectsOf, type Workspace } from '../../server/src/workspace/workspace.ts';

/** Every selector with what it matches here, by file, kind, name and place: nothing that a rename changes. */
export function matchList(workspace: Workspace): readonly string[] {
  const lines: string[] = [];
  for (const file of workspace.files.values()) {
    for (const object of objectsOf(workspace, file)) {
      for (const site of object.selectorSites) {
        const { matches, maybe } = selectionOf(workspace, catalogue, { file, object }, site);
        const from = `${called({ file, object })} ${site.path}`;
        for (const each of matches) lines.push(`${from} takes ${called(each)} ${each.carrier.via ?? ''}`);
        for (const each of maybe) lines.push(`${from} may take ${called(each)} ${each.carrier.via ?? ''}`);
      }
    }
  }
  return lines.toSorted();
}

function called({ file, object }: ObjectInFile): string {
  return `${file.uri} ${file.manifest.objects.indexOf(object)} ${object.kind}/${object.name?.text ?? ''}`;
}
