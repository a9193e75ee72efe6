/** Display names of objects and kinds. */

import type { GroupKind } from '../../engine/catalogue/types.ts';
import type { ManifestObject, SelectorSite } from '../../manifests/model.ts';
import { shownName } from '../../manifests/shown-name.ts';
import { localize } from '../../text/localize.ts';

/** Returns `Deployment/web`, or `Deployment/web-*` for a generated name. Returns only the kind for selectors in chart values and in commands, which do not belong to a named object. */
export function objectName(object: ManifestObject): string {
  if (object.inValues || object.inline) return object.kind;
  const { name, generateName } = object;
  const generated = generateName === undefined ? localize`(no name)` : `${shownName(generateName)}*`;
  return `${object.kind}/${name === undefined ? generated : shownName(name)}`;
}

/** Returns the name of an object without its kind, or the prefix of a generated name; empty if it has none. */
export function nameOf({ name, generateName }: Pick<ManifestObject, 'name' | 'generateName'>): string {
  const written = name ?? generateName;
  return written === undefined ? '' : shownName(written);
}

/** Returns the plural of a kind: `Pods`, `NetworkPolicies`. */
export function pluralKind(type: GroupKind): string {
  const kind = type.kind;
  if (/(s|x|ch)$/.test(kind)) return `${kind}es`;
  return /[^aeiou]y$/.test(kind) ? `${kind.slice(0, -1)}ies` : `${kind}s`;
}

/** Returns the plurals of kinds: `Pods or Services`. Kinds of different groups with the same name are listed once. */
export function pluralKinds(types: readonly GroupKind[]): string {
  return [...new Set(types.map(pluralKind))].join(' or ');
}

/** Returns the kinds that a selector selects: `Pods`, `Pods or Services`; undefined if it may select any kind. */
export function whatOf({ fact: { targets } }: SelectorSite): string | undefined {
  if (targets.length === 0 || targets.some(({ kind }) => kind === '*')) return undefined;
  return pluralKinds(targets);
}

/** Returns the type of an object: `apps/v1 Deployment`; without the version if a template determines it. */
export function typeText({ group, version, kind }: Pick<ManifestObject, 'group' | 'version' | 'kind'>): string {
  const api = [group, version].filter((part) => part !== '').join('/');
  return api === '' ? kind : `${api} ${kind}`;
}
