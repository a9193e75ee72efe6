/** Returns the settings that a team shares for a file: the settings in the `.selector-lens.yaml` of the file or, if there are none, the settings of the editor. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import type { LabelPolicy, RecommendedLabels } from '../../settings/settings.ts';
import type { RuleContext } from './rule.ts';

type PolicyInput = Pick<RuleContext, 'uri' | 'workspace' | 'settings'>;

/** Returns the keys of the labels that are recommended for a file, and the kinds for which they are recommended. */
export function recommendedLabelsFor({ uri, workspace, settings }: PolicyInput): RecommendedLabels {
  const described = workspace.configs().of(uri)?.config.values.recommendedLabels;
  return {
    keys: described?.keys ?? settings.recommendedLabels.keys,
    kinds: described?.kinds ?? settings.recommendedLabels.kinds,
  };
}

export function labelPolicyFor({ uri, workspace, settings }: PolicyInput): readonly LabelPolicy[] {
  return workspace.configs().of(uri)?.config.values.labelPolicy ?? settings.labelPolicy;
}

/** Whether the workspace declares all nodes of the cluster of a file. */
export function areNodesComplete({ uri, workspace }: Pick<RuleContext, 'uri' | 'workspace'>): boolean {
  return workspace.configs().of(uri)?.config.values.nodes === 'complete';
}

/** Returns the minor version of Kubernetes that a file targets; undefined if it targets all supported versions. */
export function kubernetesMinor({ uri, workspace }: Pick<RuleContext, 'uri' | 'workspace'>): number | undefined {
  const described = workspace.configs().of(uri)?.config.values.kubernetesVersion;
  return described === undefined || described === 'any'
    ? undefined
    : Number(described.slice(described.indexOf('.') + 1));
}

/** Whether an object has one of the given kinds; if no kinds are given, whether its kind has a pod template. */
export function isMeant(
  { group, version, kind }: ManifestObject,
  kinds: readonly string[],
  catalogue: Catalogue,
): boolean {
  if (kinds.length > 0) return kinds.includes(kind) || kinds.includes('*');
  return (catalogue.kind(group, version, kind)?.templates.length ?? 0) > 0;
}
