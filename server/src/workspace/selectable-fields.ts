/** Determines the fields by which objects of a kind can be selected. */

import { isBuiltIn } from '../engine/catalogue/built-in-groups.ts';
import type { Catalogue, FieldsFact, GroupKind } from '../engine/catalogue/types.ts';
import type { Definition } from '../manifests/kinds/custom-resource-definition.ts';
import type { Workspace } from './model.ts';

interface Known {
  readonly catalogue: Catalogue;
  readonly workspace: Workspace;
}

/** Returns the selectable fields of a kind; undefined if they are unknown, since the fields of a custom resource depend on its definition. */
export function fieldsOf({ catalogue, workspace }: Known, { group, kind }: GroupKind): FieldsFact | undefined {
  if (group === '*') return undefined;
  const general = catalogue.fields(group, kind);
  if (isBuiltIn(group)) return general;
  const definitions = definitionsIn(workspace).get(`${group}/${kind}`) ?? [];
  const fields = definitions.map((each) => each.selectableFields);
  if (fields.length === 0 || fields.includes(undefined)) return undefined;
  const own = fields.flatMap((each) => each ?? []).map((field) => ({ field, type: 'string' }));
  return { ...general, fields: [...general.fields, ...own] };
}

const known = new WeakMap<Workspace, ReadonlyMap<string, readonly Definition[]>>();

/** Returns the definitions of each kind in the files, which are needed only for selectors of custom resources. */
function definitionsIn(workspace: Workspace): ReadonlyMap<string, readonly Definition[]> {
  const before = known.get(workspace);
  if (before !== undefined) return before;
  const definitions = new Map<string, readonly Definition[]>();
  for (const { manifest } of workspace.files.values()) {
    for (const { defines } of manifest.objects) {
      if (defines === undefined) continue;
      const key = `${defines.group}/${defines.kind}`;
      definitions.set(key, [...(definitions.get(key) ?? []), defines]);
    }
  }
  known.set(workspace, definitions);
  return definitions;
}
