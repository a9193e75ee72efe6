/** Resolves resource arguments of kubectl to kinds. */

import { isBuiltIn } from '../../engine/catalogue/built-in-groups.ts';
import type { Catalogue, GroupKind } from '../../engine/catalogue/types.ts';
import { categories } from './tool-flags.ts';

export const anyKind: GroupKind = { group: '*', kind: '*' };

/** Returns the kinds that a resource argument such as `po,svc`, `deploy/web` or `all` specifies; empty if one of the names is unknown. */
export function kindsOf(catalogue: Catalogue, text: string): readonly GroupKind[] {
  const kinds = text.split(',').map((word) => kindsIn(catalogue, word.replace(/\/.*$/s, '').toLowerCase()));
  return kinds.every((each) => each.length > 0) ? kinds.flat() : [];
}

/** Returns the kinds for one word of a resource argument: all kinds of a category such as `all`, or the kinds with that name. */
function kindsIn(catalogue: Catalogue, word: string): readonly GroupKind[] {
  const members = categories.get(word);
  if (members === undefined) return kindsNamed(catalogue, word);
  return [...members.flatMap((member) => kindsNamed(catalogue, member)), ...catalogue.named(word)];
}

/** Returns the kinds for a resource name such as `deployments`, `deploy`, `deployments.apps` or `deployments.v1.apps`; `pods.` refers to the core group only. */
function kindsNamed(catalogue: Catalogue, word: string): readonly GroupKind[] {
  const dot = word.indexOf('.');
  const found = catalogue.named(dot === -1 ? word : word.slice(0, dot));
  if (dot !== -1) {
    const group = word.slice(dot + 1).replace(/^v\d+(?:(?:alpha|beta)\d+)?(?:\.|$)/, '');
    return found.filter((each) => each.group === group);
  }
  // If a name is ambiguous, kubectl prefers the groups of Kubernetes itself to the groups of custom resources. No
  // supported API server serves `extensions`.
  const served = found.filter(({ group }) => group !== 'extensions');
  const builtIn = served.find((each) => isBuiltIn(each.group) && isStable(catalogue, each));
  return builtIn === undefined ? served : [builtIn];
}

/** Whether a kind has a stable version. API servers do not serve other kinds unless an administrator enables them. */
function isStable(catalogue: Catalogue, { group, kind }: GroupKind): boolean {
  return catalogue.kind(group, '', kind)?.versions.some((version) => /^v\d+$/.test(version)) ?? false;
}
