/** Determines whether a pod resolves the name of a host in its object by its own settings. */

import type { Catalogue } from '../engine/catalogue/types.ts';
import type { ManifestObject } from '../manifests/model.ts';
import { podSpecsIn, resolutionIn } from '../manifests/sites/pod-dns.ts';
import type { Span } from '../text/span.ts';
import type { Workspace } from './model.ts';
import { treeOf } from './object-trees.ts';

interface Around {
  readonly text: string;
  readonly workspace: Workspace;
  readonly uri: string;
  readonly catalogue: Catalogue;
}

/** Whether the name at a span of an object is certainly no Service, because the pod around it resolves it in another way. */
export function isResolvedByPod(context: Around, object: ManifestObject, { start, end }: Span): boolean {
  if (!object.resolvesHosts && object.kind !== 'Pod') return false;
  const facts = context.catalogue.kind(object.group, object.version, object.kind);
  const root = treeOf(context, object);
  if (facts === undefined || root === undefined) return false;
  const pod = podSpecsIn(root, facts).find(({ spec }) => spec.span.start <= start && end <= spec.span.end);
  return pod !== undefined && resolutionIn(pod, context.text.slice(start, end)) === 'other';
}
