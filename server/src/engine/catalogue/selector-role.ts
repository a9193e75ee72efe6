/** Determines the roles of selectors in the specification of a pod or of a volume claim, regardless of the kind that embeds it. */

import type { SelectorRole } from './types.ts';

/** Returns the role of the selector at a path of the catalogue (`spec.template.spec.affinity…`), determined by the field names of `PodSpec`, which custom resources also use; undefined for a selector outside of a pod or claim specification. */
export function selectorRoleOf(path: string): SelectorRole | undefined {
  if (/[vV]olumeClaim/.test(path)) return 'volumeClaim';
  if (path.endsWith('.preference')) return 'nodePreference';
  if (path.includes('.podAntiAffinity.') && path.endsWith('.labelSelector')) return 'podAntiAffinity';
  if (/[aA]ffinity/.test(path)) return 'affinity';
  return path.includes('topologySpreadConstraints') ? 'topologySpread' : undefined;
}
