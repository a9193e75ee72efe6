/**
 * The Namespace that Argo CD creates for an Application with the option `CreateNamespace=true`.
 * Source: argo-cd `docs/user-guide/sync-options.md`, `controller/sync_namespace.go`.
 */

import { nameLabel } from '../../../engine/catalogue/name-labels.ts';
import { writtenAt } from '../../../manifests/kustomize/kustomization-fields.ts';
import { labelEntries } from '../../../manifests/sites/sites.ts';
import { childOf, itemsOf, nodeAt } from '../../../manifests/yaml/tree.ts';
import { generatedObject } from '../../kustomize/generators.ts';
import { identityOf, type Resource, resourceOf } from '../../kustomize/resource.ts';
import type { Definition } from '../recipes.ts';

/** Returns the Namespace with the labels of `managedNamespaceMetadata`, or an empty result if there are no labels or if the Application contains the Namespace. The Namespace may have further labels. */
export function createdNamespace({ gitops, spec }: Definition, resources: readonly Resource[]): readonly Resource[] {
  const name = writtenAt(childOf(spec, 'destination'), 'namespace');
  const policy = childOf(spec, 'syncPolicy');
  const options = itemsOf(childOf(policy, 'syncOptions'));
  if (name === undefined || typeof name.value !== 'string') return [];
  if (!options.some((option) => option.kind === 'scalar' && option.text === 'CreateNamespace=true')) return [];
  const labels = labelEntries(nodeAt(policy, 'managedNamespaceMetadata', 'labels'));
  const annotations = labelEntries(nodeAt(policy, 'managedNamespaceMetadata', 'annotations'));
  const isOwn = resources.some(({ tree }) => {
    const { kind, group, name: known } = identityOf(tree);
    return group === '' && kind === 'Namespace' && known === name.text;
  });
  if (labels.length === 0 || isOwn) return [];
  const made = generatedObject({ kind: 'Namespace', span: name.span, name, labels, annotations });
  const labelSites = made.labelSites.map((site) => ({ ...site, open: true }));
  const own = labelSites.find(({ path }) => path === 'metadata.labels');
  const object = { ...made, labelSites, ...(own && { labels: own }), nameLabels: [nameLabel] };
  return [{ ...resourceOf(gitops.uri, object), generated: true }];
}
