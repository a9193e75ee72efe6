/** Selects the objects and ranges of a file that certainly reach the API server. */

import { kustomizeGroup } from '../../manifests/kustomize/kustomization-sites.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { blank } from '../../manifests/placeholders/placeholders.ts';
import type { Span } from '../../text/span.ts';
import type { RuleContext } from '../framework/rule.ts';

/** The objects that reach the API server, and the parts of such objects in files of values that templates insert. */
export function storedParts(context: RuleContext): readonly ManifestObject[] {
  const filled = context.manifest.objects.filter((object) => object.inValues);
  return filled.length === 0 ? context.stored : [...context.stored, ...filled];
}

/** Whether rules on labels and selectors apply: also to kustomizations and values, which write into other objects. */
export function isLookedAt({ forCluster, group, inValues }: ManifestObject): boolean {
  return forCluster || group === kustomizeGroup || inValues === true;
}

/** A test of whether a position of the text is inside a condition of a template. */
export function conditionalPaths(context: RuleContext): (span: Span) => boolean {
  if (!context.mentions('templates')) return () => false;
  let conditionals: readonly Span[] | undefined;
  return ({ start }) => {
    conditionals ??= blank(context.text).conditionals;
    return conditionals.some((each) => each.start <= start && start < each.end);
  };
}
