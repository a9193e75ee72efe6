/** Which objects of a file will the API server see for certain? */

import { kustomizeGroup } from '../../manifests/kustomize/kustomization-sites.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { mask } from '../../manifests/placeholders/placeholders.ts';
import type { Span } from '../../text/span.ts';
import type { RuleContext } from '../framework/rule.ts';

/** What the API server will see, and what templates write into such objects, of which a file of values holds a part. */
export function storedParts(context: RuleContext): readonly ManifestObject[] {
  const filled = context.manifest.objects.filter((object) => object.inValues);
  return filled.length === 0 ? context.stored : [...context.stored, ...filled];
}

/** Whether rules on labels and selectors have a word to say: what a kustomization or values write, others carry. */
export function isLookedAt({ forCluster, group, inValues }: ManifestObject): boolean {
  return forCluster || group === kustomizeGroup || inValues === true;
}

/** Whether a template decides that a place of the text is there at all. */
export function conditionalPlaces(context: RuleContext): (span: Span) => boolean {
  if (!context.mentions('templates')) return () => false;
  let conditionals: readonly Span[] | undefined;
  return ({ start }) => {
    conditionals ??= mask(context.text).conditionals;
    return conditionals.some((each) => each.start <= start && start < each.end);
  };
}
