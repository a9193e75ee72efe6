/** Sentences about changed matches and rejected updates, for the view and the command line. */

import type { BrokenReference } from '../../compare/broken-references.ts';
import type { ClusterChanges } from '../../compare/cluster-changes.ts';
import type { Escape } from '../../compare/escapes.ts';
import type { BrokenPart } from '../../compare/object-parts.ts';
import { localize } from '../../text/localize.ts';
import { compareText } from '../../text/order.ts';
import type { Scope } from '../../workspace/scopes/model.ts';

/** A match that exists in only one of two states, with the display names of the objects. */
export interface ChangedMatch {
  readonly kind: 'lost' | 'gained';
  readonly owner: { readonly group: string; readonly kind: string; readonly name: string; readonly isInBoth: boolean };
  /** The path of the selector, without indexes of list items. */
  readonly path: string;
  readonly target: { readonly name: string; readonly isInBoth: boolean };
}

/** Returns a sentence such as `Service/web no longer selects Deployment/web`, without a period. */
export function matchSentence({ kind, owner, path, target }: ChangedMatch): string {
  const verb = selectionVerb(owner, path);
  if (kind === 'lost') {
    if (!owner.isInBoth) return localize`${owner.name} is gone: it no longer ${verb} ${target.name}`;
    return localize`${owner.name} no longer ${verb} ${target.name}${target.isInBoth ? '' : localize`, which is gone`}`;
  }
  if (!owner.isInBoth) return localize`${owner.name} is new: it ${verb} ${target.name}`;
  return localize`${owner.name} now ${verb} ${target.name}${target.isInBoth ? '' : localize`, which is new`}`;
}

/** Returns the verb for the effect of the selector at a path of an object: `Service/web selects`. */
export function selectionVerb(
  { group, kind }: { readonly group: string; readonly kind: string },
  path: string,
): string {
  return verbs[`${group}/${kind} ${path}`] ?? 'selects';
}

/** The verb for the effect of a selector, for kinds whose selectors do more than select: `Service/web selects`, `NetworkPolicy/web applies to`. */
const verbs: Readonly<Record<string, string>> = {
  // Whether a policy isolates pods depends on the other policies that apply to them.
  'networking.k8s.io/NetworkPolicy spec.podSelector': 'applies to',
  'networking.k8s.io/NetworkPolicy spec.ingress[].from[].podSelector': 'allows connections from',
  'networking.k8s.io/NetworkPolicy spec.egress[].to[].podSelector': 'allows connections to',
  'policy/PodDisruptionBudget spec.selector': 'protects',
};

/** Returns a sentence about a reference that lost its target, with a period. */
export function brokenSentence(owner: string, { kind, name, existed }: BrokenReference): string {
  return existed
    ? localize`${owner} names ${kind}/${name}, which no longer exists.`
    : localize`${owner} names ${kind}/${name}, which does not exist.`;
}

/** Returns a sentence about a reference to a part of an object, such as a key or a port, with a period. */
export function brokenPartSentence(owner: string, { is, part, kind, name, existed, isRejected }: BrokenPart): string {
  const target = `${kind}/${name}`;
  switch (is) {
    case 'key':
      return existed
        ? localize`${owner} reads the key '${part}' of ${target}, which no longer exists.`
        : localize`${owner} reads the key '${part}' of ${target}, which does not exist.`;
    case 'pod port':
      return existed
        ? localize`${owner} names the port '${part}', which ${target} no longer declares.`
        : localize`${owner} names the port '${part}', which ${target} does not declare.`;
    case 'port':
      if (owner.startsWith(target))
        return localize`A probe or hook of ${owner} names the port '${part}', which its container does not declare.`;
      return existed
        ? localize`${owner} names the port '${part}' of ${target}, which no longer exists.`
        : localize`${owner} names the port '${part}' of ${target}, which does not exist.`;
    default: {
      const missing = existed
        ? localize`${owner} uses its ${is} '${part}', which no longer exists`
        : localize`${owner} uses its ${is} '${part}', which does not exist`;
      return isRejected ? localize`${missing}: the API server rejects this.` : `${missing}.`;
    }
  }
}

/** Returns sentences about the GitOps objects whose matches with other GitOps objects are not all compared. */
export function uncomparedSentences(
  { unknown, uncompared }: Pick<ClusterChanges, 'unknown' | 'uncompared'>,
  nameOf: (scope: Scope) => string,
): readonly string[] {
  const listed = (scopes: readonly Scope[]) => {
    const names = [...new Set(scopes.map(nameOf))].toSorted(compareText);
    const shown = names.slice(0, mostNamed).join(', ');
    return names.length <= mostNamed ? shown : localize`${shown} and ${names.length - mostNamed} more`;
  };
  return [
    ...(unknown.length === 0
      ? []
      : [localize`The objects of ${listed(unknown)} are unknown: matches with other GitOps objects are not compared.`]),
    ...(uncompared.length === 0
      ? []
      : [
          localize`Not all objects that other GitOps objects apply to the cluster of ${listed(uncompared)} are known: matches with them are not compared.`,
        ]),
  ];
}

/** The maximum number of GitOps objects in a sentence. */
const mostNamed = 3;

export interface RejectedChange {
  readonly name: string;
  /** The path of the changed field; undefined for a selector. */
  readonly path: string | undefined;
  /** The old value; set if both values are known and differ. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** The consequence of deleting and recreating the object. */
  readonly recreate: string;
  readonly escape: Escape | undefined;
}

/** States the change and its consequence, with a period. */
export function rejectionSentence({ name, path, from, to, recreate, escape: recreation }: RejectedChange): string {
  const [old, now] = [differenceFrom(from, to), differenceFrom(to, from)];
  const values =
    from === undefined ? '' : to === undefined ? localize` (it was '${from}')` : localize` from '${old}' to '${now}'`;
  const what = localize`${path === undefined ? localize`The selector` : `\`${path}\``} of ${name} changed${values} and is immutable`;
  if (recreation !== undefined && recreation !== 'silent') return `${what}. ${recreation.sentence}: ${recreate}.`;
  return localize`${what}: the API server rejects this. If the object is deleted and recreated, ${recreate}.`;
}

/** The maximum length of a value with which the sentence still contains the new value after it was shortened for an agent. */
const longestValue = 60;

/** Returns a value; of a long value, the part from the first requirement that differs from the other value. */
function differenceFrom(value = '', other = ''): string {
  if (Math.max(value.length, other.length) <= longestValue) return value;
  let same = 0;
  while (same < value.length && value[same] === other[same]) same++;
  const start = same === value.length ? 0 : value.lastIndexOf(',', same) + 1;
  const part = `${start === 0 ? '' : '...'}${value.slice(start)}`;
  return part.length > longestValue ? `${part.slice(0, longestValue - 3)}...` : part;
}
