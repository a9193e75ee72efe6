/** Returns the settings for a file that a team shares: those in its `.selector-lens.yaml`, or else those of the editor. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import type { LabelPolicy, RecommendedLabels } from '../../settings/settings.ts';
import type { RuleContext } from './rule.ts';

type PolicyInput = Pick<RuleContext, 'uri' | 'workspace' | 'settings'>;

/** Returns the keys of the labels that are recommended for a file, and the kinds that need them. */
export function recommendedLabelsFor({ uri, workspace, settings }: PolicyInput): RecommendedLabels {
  const described = workspace.configs().of(uri)?.config.values.recommendedLabels;
  return {
    keys: described?.keys ?? settings.recommendedLabels.keys,
    kinds: described?.kinds ?? settings.recommendedLabels.kinds,
  };
}

/** Returns the label policy that applies to a file. */
export function labelPolicyFor({ uri, workspace, settings }: PolicyInput): readonly LabelPolicy[] {
  return workspace.configs().of(uri)?.config.values.labelPolicy ?? settings.labelPolicy;
}

/** Returns the minor version of Kubernetes for which a file is written; undefined if it is written for all supported versions. */
export function kubernetesMinor({ uri, workspace }: Pick<RuleContext, 'uri' | 'workspace'>): number | undefined {
  const described = workspace.configs().of(uri)?.config.values.kubernetesVersion;
  return described === undefined || described === 'any'
    ? undefined
    : Number(described.slice(described.indexOf('.') + 1));
}

/** Whether an object is of one of the given kinds; without kinds, whether its kind has a pod template. */
export function isMeant(
  { group, version, kind }: ManifestObject,
  kinds: readonly string[],
  catalogue: Catalogue,
): boolean {
  if (kinds.length > 0) return kinds.includes(kind) || kinds.includes('*');
  return (catalogue.kind(group, version, kind)?.templates.length ?? 0) > 0;
}
