/** How is an object called when it is shown? */

import type { GroupKind } from '../engine/catalogue/types.ts';
import type { ManifestObject, SelectorSite } from '../manifests/manifest.ts';

/** `Deployment/web`; an object without a name shows what it will be generated from. */
export function objectName(object: ManifestObject): string {
  const name = object.name?.text ?? (object.generateName === undefined ? '(no name)' : `${object.generateName.text}*`);
  return `${object.kind}/${name}`;
}

/** `Pods`, `NetworkPolicies`. */
export function pluralKind(type: GroupKind): string {
  const kind = type.kind;
  if (/(s|x|ch)$/.test(kind)) return `${kind}es`;
  return /[^aeiou]y$/.test(kind) ? `${kind.slice(0, -1)}ies` : `${kind}s`;
}

/** What a selector looks at: `Pods`, `Pods or Services`; undefined where it may be anything. */
export function whatOf({ fact: { targets } }: SelectorSite): string | undefined {
  if (targets.length === 0 || targets.some(({ kind }) => kind === '*')) return undefined;
  return targets.map(pluralKind).join(' or ');
}
