/** Matches the kinds of filters of Kyverno. Source: pkg/utils/kube and pkg/utils/match of Kyverno. */

import type { PolicyResource } from './types.ts';
import { matchesWildcard } from './wildcards.ts';

interface KindPattern {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly subresource: string;
}

const version = /^(?:v\d+(?:(?:alpha|beta)\d+)?|\*)$/;

/** Parses `Kind`, `version/Kind` and `group/version/Kind`, with `/subresource` or `.subresource` at the end. */
function parseKind(text: string): KindPattern | undefined {
  const slashed = text.split('/');
  const parts = [...slashed.slice(0, -1), ...(slashed.at(-1) ?? '').split('.')];
  const [first = '', second = '', third = '', fourth = ''] = parts;
  switch (parts.length) {
    case 1:
      return { group: '*', version: '*', kind: first, subresource: '' };
    case 2:
      if (first === '*' && second === second.toLowerCase())
        return { group: '*', version: '*', kind: '*', subresource: second };
      return version.test(first)
        ? { group: '*', version: first, kind: second, subresource: '' }
        : { group: '*', version: '*', kind: first, subresource: second };
    case 3:
      return version.test(first)
        ? { group: '*', version: first, kind: second, subresource: third }
        : { group: first, version: second, kind: third, subresource: '' };
    case 4:
      return { group: first, version: second, kind: third, subresource: fourth };
    default:
      return undefined;
  }
}

/** Whether one of the kinds matches an object, or one of its subresources. */
export function kindAnswer(
  kinds: readonly string[],
  resource: Pick<PolicyResource, 'group' | 'version' | 'kind'>,
  subresource = '',
): boolean {
  const isPod = resource.group === '' && resource.version === 'v1' && resource.kind === 'Pod';
  return kinds.some((text) => {
    const pattern = parseKind(text);
    if (pattern === undefined) return false;
    const isOfSubresource =
      matchesWildcard(pattern.subresource, subresource) || (isPod && subresource === 'ephemeralcontainers');
    return (
      isOfSubresource &&
      matchesWildcard(pattern.group, resource.group) &&
      matchesWildcard(pattern.version, resource.version) &&
      matchesWildcard(pattern.kind, resource.kind)
    );
  });
}
