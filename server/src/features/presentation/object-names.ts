/** Names of objects and kinds as they are shown. */

import type { GroupKind } from '../../engine/catalogue/types.ts';
import type { ManifestObject, SelectorSite } from '../../manifests/model.ts';

/**
 * `Deployment/web`; `Deployment/web-*` for a generated name. The values of a chart and commands contain selectors of a
 * kind, but no object of a name: the kind alone.
 */
export function objectName(object: ManifestObject): string {
  if (object.inValues || object.inline) return object.kind;
  const name = object.name?.text ?? (object.generateName === undefined ? '(no name)' : `${object.generateName.text}*`);
  return `${object.kind}/${name}`;
}

/** `Pods`, `NetworkPolicies`. */
export function pluralKind(type: GroupKind): string {
  const kind = type.kind;
  if (/(s|x|ch)$/.test(kind)) return `${kind}es`;
  return /[^aeiou]y$/.test(kind) ? `${kind.slice(0, -1)}ies` : `${kind}s`;
}

/** `Pods or Services`; kinds of different groups that have the same name are named once. */
export function pluralKinds(types: readonly GroupKind[]): string {
  return [...new Set(types.map(pluralKind))].join(' or ');
}

/** What a selector looks at: `Pods`, `Pods or Services`; undefined where it may be anything. */
export function whatOf({ fact: { targets } }: SelectorSite): string | undefined {
  if (targets.length === 0 || targets.some(({ kind }) => kind === '*')) return undefined;
  return pluralKinds(targets);
}
