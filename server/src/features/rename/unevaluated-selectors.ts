/** Finds selectors that are too large to be evaluated, and may contain a label that is renamed. */

import { isTooLarge } from '../../manifests/sites/sites.ts';
import { localize } from '../../text/localize.ts';
import type { WorkspaceFile } from '../../workspace/model.ts';
import { objectName } from '../presentation/object-names.ts';
import type { View } from '../view.ts';

/** Returns why it is unknown whether a selector applied together with some objects uses a label; undefined if all are evaluated. */
export function unevaluatedAround(
  { workspace }: View,
  starts: readonly { readonly file: WorkspaceFile }[],
): string | undefined {
  const scopes = starts.flatMap(({ file }) => workspace.scopes().ofFile(file.uri));
  for (const uri of new Set(scopes.flatMap((scope) => [...scope.files])))
    for (const object of workspace.files.get(uri)?.manifest.objects ?? [])
      if (object.selectorSites.some(isTooLarge))
        return localize`a selector of ${objectName(object)} has too many keys and values to find the label in it`;
  return undefined;
}
