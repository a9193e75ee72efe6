/**
 * Applies the files by which a folder overrides the options of the sources that build it: `.argocd-source.yaml`, and
 * `.argocd-source-NAME.yaml` for one Application.
 * Source: argo-cd `reposerver/repository/repository.go`, `mergeSourceParameters`.
 */

import { knownData, optionsOf } from '../../../manifests/gitops/argo.ts';
import { argoSourceOf } from '../../../manifests/gitops/argo-source.ts';
import type { GitopsFacts, GitopsSource } from '../../../manifests/gitops/model.ts';
import { type Data, isMap } from '../../../manifests/helm/value.ts';
import type { Node } from '../../../manifests/yaml/tree.ts';
import { patched } from './application-set.ts';
import { nodeOf } from './application-spec.ts';

/** Returns the files with overrides for an Application among the files of a folder, in the order in which they are applied. */
export function overridesAmong(
  uriByName: ReadonlyMap<string, string>,
  { name, namespace }: Pick<GitopsFacts, 'name' | 'namespace'>,
): readonly string[] {
  const names = [name, `${namespace}_${name}`].map((each) => `.argocd-source-${each}.yaml`);
  return ['.argocd-source.yaml', ...names].flatMap((wanted) => uriByName.get(wanted) ?? []);
}

/** Returns a source with the options of overrides. If the content of an override is not a map, the tool of the source is `unclear`. */
export function overriddenSource(source: GitopsSource, overrides: readonly (Data | undefined)[]): GitopsSource {
  const { explicit, directory = {}, components = [], valueFiles = [], ...place } = source;
  const { anyName, ...filter } = directory;
  // A key that no override can contain keeps the block of an explicit tool from being empty.
  const mark = (tool: string) => (tool === explicit ? { ' ': true } : {});
  let data: Data = {
    helm: { ...mark('helm'), valueFiles },
    kustomize: { ...mark('kustomize'), components },
    directory: { ...filter, ...(anyName && { disableExtensionFilter: true }) },
    ...(explicit === 'plugin' && { plugin: {} }),
  };
  for (const override of overrides) {
    // Argo CD also rejects an empty file.
    if (explicit === 'unclear' || override === undefined || !isMap(override)) return { ...place, explicit: 'unclear' };
    data = patched(data, override);
  }
  const changed = argoSourceOf(data);
  return changed === undefined ? source : { ...place, ...optionsOf(changed) };
}

/** Returns the tree of a source with overrides; nodes from an override have the position of the source. */
export function overriddenTree(source: Node, overrides: readonly Data[]): Node {
  const data = overrides.reduce<Data>((merged, each) => patched(merged, each), knownData(source));
  return nodeOf(data, source, source.span);
}
