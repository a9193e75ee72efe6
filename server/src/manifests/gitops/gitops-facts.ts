/** Collects the facts about GitOps objects and their sources that scopes depend on. */

import type { ManifestObject } from '../model.ts';
import { childOf, type Node } from '../yaml/tree.ts';
import { argoFacts } from './argo.ts';
import { fluxFacts, knownText } from './flux.ts';
import type { GitopsFacts, SourceFacts } from './model.ts';
import { ownRevisions } from './repository-url.ts';

/** Returns the facts of a GitOps object; undefined for every other object. */
export function gitopsFactsOf(object: ManifestObject): GitopsFacts | undefined {
  const { gitopsSpec } = object;
  return gitopsSpec && (fluxFacts(object, gitopsSpec) ?? argoFacts(object, gitopsSpec));
}

/** Returns the facts of an object from which Flux reads files; undefined for every other object. */
export function sourceFactsOf({ group, kind, name, namespace, gitopsSpec }: ManifestObject): SourceFacts | undefined {
  if (gitopsSpec === undefined || group !== 'source.toolkit.fluxcd.io' || name === undefined) return undefined;
  const url = knownText(childOf(gitopsSpec, 'url'));
  const ignore = knownText(childOf(gitopsSpec, 'ignore'));
  return {
    id: `${kind}/${namespace?.text ?? ''}/${name.text}`,
    ...(url !== undefined && { url }),
    ...(ignore !== undefined && { ignore }),
    ...((kind !== 'GitRepository' || isPinned(gitopsSpec)) && { isPinned: true }),
  };
}

/** Whether a GitRepository may provide another revision than the one in the workspace. */
function isPinned(spec: Node): boolean {
  const ref = childOf(spec, 'ref');
  if (ref === undefined) return false;
  const others = ['tag', 'semver', 'commit', 'name'].some((key) => childOf(ref, key) !== undefined);
  const branch = childOf(ref, 'branch');
  return others || (branch !== undefined && !ownRevisions.has(knownText(branch) ?? 'unknown'));
}
