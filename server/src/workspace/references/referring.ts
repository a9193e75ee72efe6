/** Finds the references to an object: the fields of other objects that name it. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { compareText } from '../../text/order.ts';
import type { ObjectInFile, Workspace } from '../model.ts';
import { byCertainty, type Named, type ReferenceInFile } from './model.ts';
import { filesThatName } from './names.ts';
import { objectsReferringTo } from './objects-by-name.ts';
import { createsTarget, producedBy } from './producers.ts';
import { reachesTarget, targetsOf } from './targets.ts';

/** An object as the target of references. */
export function namedObject({ file, object }: ObjectInFile): Named {
  return { file, object, group: object.group, kind: object.kind, name: object.name?.text ?? '' };
}

/** Returns the objects with a name that the controller of an object creates. The names of claims end with a number. */
export function productsNamed({ file, object }: ObjectInFile, catalogue: Catalogue, name: string): readonly Named[] {
  const stem = name.replace(/-\d+$/, '-*');
  return producedBy(object, catalogue)
    .filter((each) => each.name === name || (each.kind === 'PersistentVolumeClaim' && each.name === stem))
    .map(({ group, kind }) => ({ file, object, group, kind, name }));
}

/** Returns the positions that name an object, positions in its scope first, then in the order of paths. A position outside of the scope is included only if the name does not refer to a nearer object. */
export function referencesTo(workspace: Workspace, catalogue: Catalogue, target: Named): readonly ReferenceInFile[] {
  if (target.name === '') return [];
  const found = filesThatName(workspace, target.name).flatMap((uri): readonly ReferenceInFile[] => {
    const file = workspace.files.get(uri);
    return objectsReferringTo(file, target.name).flatMap((object) =>
      (object.references ?? []).flatMap((site): readonly ReferenceInFile[] => {
        if (site.name.text !== target.name || file === undefined || createsTarget(object, site)) return [];
        const from = { file, object };
        const reached = reachesTarget(workspace, catalogue, from, site, target);
        if (reached === undefined) return [];
        if (reached.relation === 'elsewhere' && !isTarget(workspace, catalogue, from, site, target)) return [];
        return [{ ...from, site, ...reached }];
      }),
    );
  });
  return found.toSorted((a, b) => byCertainty(a, b) || compareText(a.file.uri, b.file.uri));
}

function isTarget(
  workspace: Workspace,
  catalogue: Catalogue,
  from: ObjectInFile,
  site: ReferenceInFile['site'],
  target: Named,
): boolean {
  return targetsOf(workspace, catalogue, from, site).some(
    ({ file, object, kind }) =>
      file.uri === target.file.uri && kind === target.kind && object?.span.start === target.object?.span.start,
  );
}
