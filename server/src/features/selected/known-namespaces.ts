/** Lists the known namespaces: those that contain objects, those that files declare, and those that exist in every cluster. */

import { nameLabel } from '../../engine/catalogue/name-labels.ts';
import { localize } from '../../text/localize.ts';
import { everyCluster } from '../../workspace/scopes/model.ts';
import type { View } from '../view.ts';

/** Returns the namespace names, each with a description of where the name comes from; names with the most objects come first. */
export function knownNamespaces({ workspace }: View): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  const scopes = workspace.scopes();
  for (const [uri, { identities, unnamed = [] }] of scopes.facts()) {
    if (scopes.isPatch(uri)) continue;
    for (const identity of [...identities, ...unnamed]) {
      const [, , namespace = ''] = identity.split('\n');
      if (namespace !== '') counts.set(namespace, (counts.get(namespace) ?? 0) + 1);
    }
  }
  for (const target of workspace.targets())
    for (const [name] of workspace.labelCounts(target).values(nameLabel)) counts.set(name, counts.get(name) ?? 0);
  const inOrder = [...counts].toSorted(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
  const names = new Map(inOrder.map(([name]) => [name, localize`in this workspace`]));
  for (const { nameLabels, name } of workspace.files.get(everyCluster)?.manifest.objects ?? []) {
    if (nameLabels?.includes(nameLabel) && name !== undefined && !names.has(name.text))
      names.set(name.text, 'in every cluster');
  }
  return names;
}
