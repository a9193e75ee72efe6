/** Finds entries of a kustomization that change an object that does not exist: numbers of replicas, and generators that merge or replace content. */

import type { GeneratorEntry, Kustomization } from '../../manifests/kustomize/model.ts';
import type { BrokenEntry } from '../model.ts';
import type { Steps } from './build-limits.ts';
import { type Identity, identityOf, type Resource } from './resource.ts';

/** Returns the entry of a generator that changes an object that does not exist in any namespace. */
export function missingForGenerator(
  resources: readonly Resource[],
  { kind, name, behavior }: GeneratorEntry,
  uri: string,
): readonly BrokenEntry[] {
  if ((behavior !== 'merge' && behavior !== 'replace') || typeof name?.value !== 'string') return [];
  const { text, span } = name;
  const isNamed = (each: Identity) => each.kind === kind && each.name === text;
  if (resources.some(({ tree, previous }) => isNamed(identityOf(tree)) || previous.some(isNamed))) return [];
  return [{ uri, span, is: 'no generated', resource: `${kind}/${text}`, path: '' }];
}

/** Returns the numbers of replicas for objects that do not exist. A configuration may extend the field to all kinds. */
export function missingForReplicas(
  resources: readonly Resource[],
  { replicas = [] }: Kustomization,
  uri: string,
  steps: Steps,
): readonly BrokenEntry[] {
  return replicas.flatMap(({ text, value, span }): readonly BrokenEntry[] => {
    if (typeof value !== 'string' || !steps.allowChoosing(resources)) return [];
    const isNamed = ({ name }: Identity) => name === text;
    const isFound = resources.some(
      ({ tree, previous, uncertain }) => uncertain || isNamed(identityOf(tree)) || previous.some(isNamed),
    );
    return isFound ? [] : [{ uri, span, is: 'no replicas', resource: text, path: '' }];
  });
}
