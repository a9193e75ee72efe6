/** Finds entries of a kustomization that change an object that does not exist, or add one that does: numbers of replicas, generators and resources. */

import type { GeneratorEntry, Kustomization } from '../../manifests/kustomize/model.ts';
import { childOf, isOpen, knownTextOf } from '../../manifests/yaml/tree.ts';
import type { BrokenEntry } from '../model.ts';
import type { Steps } from './build-limits.ts';
import { type Identity, identityOf, isOrWas, namespaceOf, type Resource } from './resource.ts';

/** Returns the entry of a generator that changes an object that does not exist in any namespace, or creates one that does. The hash in its name is added when everything is built, so that it does not distinguish objects: `appendReplaceOrMerge` in sigs.k8s.io/kustomize/api/resmap. */
export function brokenGenerator(
  resources: readonly Resource[],
  { kind, name, behavior }: GeneratorEntry,
  made: Resource,
): readonly BrokenEntry[] {
  if (typeof name?.value !== 'string') return [];
  const { text, span } = name;
  const entry = { uri: made.uri, span, resource: `${kind}/${text}`, path: '' };
  if (behavior !== 'merge' && behavior !== 'replace') {
    const wanted = identityOf(made.tree);
    const isRepeated = resources.some((each) => !each.uncertain && isOrWas(each, wanted));
    return isRepeated ? [{ ...entry, is: 'generated again' }] : [];
  }
  const isNamed = (each: Identity) => each.kind === kind && each.name === text;
  if (resources.some(({ tree, previous }) => isNamed(identityOf(tree)) || previous.some(isNamed))) return [];
  return [{ ...entry, is: 'no generated' }];
}

/** The resources of a kustomization by their identities, which must differ: `Append` in sigs.k8s.io/kustomize/api/resmap. */
export class Registered {
  readonly #byIdentity = new Map<string, Resource>();

  constructor(resources: readonly Resource[]) {
    for (const each of resources) this.#byIdentity.set(keyOf(each), each);
  }

  /** Adds resources, and returns the first with the identity of an earlier one. `isListed` states whether a kustomization lists the file of a resource itself. */
  add(added: readonly Resource[], isListed: (resource: Resource) => boolean): Resource | undefined {
    let found: Resource | undefined;
    for (const each of added) {
      const key = keyOf(each);
      const before = this.#byIdentity.get(key);
      // Another rule reports two files that a kustomization lists.
      const isReported = before !== undefined && isListed(before) && isListed(each);
      if (before !== undefined && !isReported && hasKnownName(each)) found ??= each;
      this.#byIdentity.set(key, each);
    }
    return found;
  }
}

function keyOf({ tree }: Resource): string {
  const { group, version, kind, name } = identityOf(tree);
  return [group, version, kind, name, namespaceOf(identityOf(tree))].join('\n');
}

/** Whether the name and the namespace of a resource contain no placeholders. */
function hasKnownName({ tree, uncertain }: Resource): boolean {
  const metadata = childOf(tree, 'metadata');
  return !uncertain && knownTextOf(childOf(metadata, 'name')) !== undefined && !isOpen(childOf(metadata, 'namespace'));
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
