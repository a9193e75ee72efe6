/** Finds the objects to which a command refers by resource type and name. */

import { storedGroup } from '../../engine/catalogue/stored-group.ts';
import { kindsOf } from '../../manifests/inline/resources.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { filesWith, identityOf } from '../../workspace/scopes/scope-facts.ts';
import { distanceFrom } from '../../workspace/uri.ts';
import { pageView } from '../page-view.ts';
import type { FileView } from '../view.ts';

/** The maximum number of files from which objects are returned. */
const maximumObjects = 20;

/** Returns the objects with a given type and name: objects on the same page as the command if there are any, and otherwise the nearest objects in the workspace. */
export function exposedObjects(view: FileView, resource: string, name: string): readonly ObjectInFile[] {
  const kinds = kindsOf(view.catalogue, resource);
  const isMeant = ({ object }: ObjectInFile) =>
    object.name?.text === name &&
    kinds.some((each) => storedGroup(object) === storedGroup(each) && object.kind === each.kind);
  const page = pageView(view);
  const onPage = (page?.file.manifest.objects ?? []).map((object) => ({ file: view.file, object })).filter(isMeant);
  if (onPage.length > 0) return onPage;
  const { files, scopes } = view.workspace;
  const isNamed = (identity: string) =>
    identity.endsWith(`\n${name}`) && kinds.some((each) => identity.startsWith(`${storedGroup(each)}\n${each.kind}\n`));
  const uris = filesWith(scopes().facts(), ({ identities }) => identities.some(isNamed));
  const far = distanceFrom(view.file.uri);
  return uris
    .toSorted((a, b) => far(a) - far(b) || (a < b ? -1 : 1))
    .slice(0, maximumObjects)
    .flatMap((uri) => {
      const file = files.get(uri);
      return (file?.manifest.objects ?? []).flatMap((object) => (file === undefined ? [] : { file, object }));
    })
    .filter((each) => isMeant(each) && identityOf(each.object) !== undefined && !scopes().isPatch(each.file.uri));
}
