/** Collects the facts about a GitOps object that its scope depends on. */

import type { ManifestObject } from '../model.ts';
import { fluxFacts } from './flux.ts';
import type { GitopsFacts } from './model.ts';

/** Returns the facts of a GitOps object; undefined for every other object. */
export function gitopsFactsOf(object: ManifestObject): GitopsFacts | undefined {
  return object.gitopsSpec === undefined ? undefined : fluxFacts(object, object.gitopsSpec);
}
