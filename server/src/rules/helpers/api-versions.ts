/** Finds the API versions of built-in kinds by the names of the kinds. */

import { isBuiltIn } from '../../engine/catalogue/built-in-groups.ts';
import type { Catalogue, GroupKind } from '../../engine/catalogue/types.ts';
import type { ManifestObject } from '../../manifests/model.ts';

export function apiVersionText({ group, version }: Pick<ManifestObject, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}

/** Returns the only built-in group that has a kind. */
export function groupWith(catalogue: Catalogue, name: string): GroupKind | undefined {
  const [only, ...others] = catalogue
    .named(name)
    .filter(({ group, kind }) => kind === name && isBuiltIn(group) && group !== 'extensions');
  return others.length > 0 ? undefined : only;
}

/** Returns the newest version of the only built-in group that has a kind. */
export function apiVersionOf(catalogue: Catalogue, name: string): string | undefined {
  const only = groupWith(catalogue, name);
  const [version] = only === undefined ? [] : versionsOf(catalogue, only);
  return only === undefined || version === undefined ? undefined : apiVersionText({ group: only.group, version });
}

/** Returns the versions of a kind whose fields are known, newest first. */
export function versionsOf(catalogue: Catalogue, { group, kind }: GroupKind): readonly string[] {
  const versions = catalogue.kind(group, '', kind)?.versions ?? [];
  return versions.filter((version) => catalogue.structure(group, version, kind) !== undefined);
}
