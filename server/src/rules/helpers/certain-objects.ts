/** Selects the objects and parts of a file that the API server certainly receives. */

import { kustomizeGroup } from '../../manifests/kustomize/kustomization-sites.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { regionsAround } from '../../manifests/placeholders/conditionals.ts';
import type { Span } from '../../text/span.ts';
import { blankedText } from '../../workspace/object-trees.ts';
import type { RuleContext } from '../framework/rule.ts';

/** Returns the objects that the API server receives, and the parts of objects in values files that templates write into such objects. */
export function storedParts(context: RuleContext): readonly ManifestObject[] {
  const filled = context.manifest.objects.filter((object) => object.inValues);
  return filled.length === 0 ? context.stored : [...context.stored, ...filled];
}

/** Whether rules for labels and selectors apply to an object. They also apply to kustomizations and values files, whose content becomes part of other objects. */
export function isLookedAt({ forCluster, group, inValues }: ManifestObject): boolean {
  return forCluster || group === kustomizeGroup || inValues === true;
}

/** Returns a function that determines whether a span is inside a conditional part of a template. */
export function conditionalPaths(context: RuleContext): (span: Span) => boolean {
  if (!context.mentions('templates')) return () => false;
  return ({ start }) => regionsAround(blankedText(context).conditionals, start).length > 0;
}
