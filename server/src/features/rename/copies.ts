/** Renames labels in other definitions of renamed objects: copies in the same scope, only one of which can be in a cluster at a time. */

import { holdsLabels } from '../../manifests/cursor/label-name-at.ts';
import type { LabelEntry } from '../../manifests/model.ts';
import { identityOf, placeOf } from '../../workspace/scopes/scope-facts.ts';
import type { View } from '../view.ts';
import { type LabelName, renameInEntries, renameInSelector } from './label-name.ts';
import type { AsyncAccess } from './patch-targets.ts';
import { objectKey, type Reach } from './renamed-labels.ts';

/** Returns the edits that rename a label in copies of the objects that a rename reaches. The reached objects themselves are not edited here. `to` is the new key or value. */
export function inCopies({ workspace }: View, reach: Reach, name: LabelName, to: string): readonly AsyncAccess[] {
  const reached = [...reach.sources.values(), ...reach.selectors.values()];
  const identities = new Map(reached.map((found) => [identityOf(found.object) ?? '', found]));
  const known = new Set(reached.map(objectKey));
  const scopes = workspace.scopes();
  return [...scopes.facts()].flatMap(([uri, facts]) => {
    if (!facts.identities.some((identity) => identities.has(identity)) || scopes.isGenerated(uri)) return [];
    const file = workspace.files.get(uri);
    if (file === undefined || file.config !== undefined || scopes.isPatch(uri)) return [];
    return file.manifest.objects.flatMap((object): readonly AsyncAccess[] => {
      const original = identities.get(identityOf(object) ?? '');
      if (original === undefined || known.has(objectKey({ file, object }))) return [];
      if (!scopes.together(placeOf(original), placeOf({ file, object }))) return [];
      const edits = [
        ...object.labelSites
          .filter((site) => holdsLabels(site) && !hasKey(site, name, to))
          .flatMap(({ entries }) => renameInEntries(entries, name, to)),
        ...object.selectorSites
          .filter((site) => !hasKey(site, name, to))
          .flatMap((site) => renameInSelector(site, name, to)),
      ];
      return edits.map((edit) => ({ file, edit }));
    });
  });
}

/** Whether a map already contains the new key, which must not occur twice. */
function hasKey({ entries }: { readonly entries: readonly LabelEntry[] }, { value }: LabelName, to: string): boolean {
  return value === undefined && entries.some(({ key }) => key.value === to);
}
