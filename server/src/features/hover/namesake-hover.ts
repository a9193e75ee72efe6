/** Finds other definitions of an object: objects with the same kind, namespace and name in other files. */

import type { ManifestObject } from '../../manifests/model.ts';
import { nameSpan } from '../../manifests/sites/object-sites.ts';
import { localize } from '../../text/localize.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { filesWith, identityOf } from '../../workspace/scopes/scope-facts.ts';
import { appliedLead } from '../presentation/applied-name.ts';
import { group, objectLine } from '../presentation/object-lines.ts';
import type { RichText } from '../presentation/rich-text.ts';
import type { FileView } from '../view.ts';

/** Lists the other files that define the object. Definitions in different API versions are the same object in a cluster; kustomizations can give objects with one name different names. */
export function aboutNamesakes(view: FileView, object: ManifestObject): RichText {
  const identity = identityOf(object);
  if (identity === undefined || !view.complete || !object.forCluster) return [];
  const appliedIdentity = (where: ObjectInFile) => identityOf(appliedLead(view, where).owner.object);
  const applied = appliedIdentity({ file: view.file, object });
  const scopes = view.workspace.scopes();
  const uris = filesWith(scopes.facts(), ({ identities }) => identities.includes(identity));
  const lines = uris.flatMap((uri) => {
    const file = uri === view.file.uri || scopes.isPatch(uri) ? undefined : view.workspace.files.get(uri);
    const other = file?.manifest.objects.find((each) => identityOf(each) === identity);
    return file === undefined || other === undefined || appliedIdentity({ file, object: other }) !== applied
      ? []
      : [objectLine(view, { file, object: other }, nameSpan(other))];
  });
  return group(view, localize`The same object in other files`, lines, object.kindSpan.start);
}
