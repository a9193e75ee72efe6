/** What does the team want, and run? What its `.selector-lens.yaml` says, else what the editor is set to. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import type { LabelPolicy, RecommendedLabels } from '../../settings/settings.ts';
import type { RuleContext } from './rule.ts';

type Asking = Pick<RuleContext, 'uri' | 'workspace' | 'settings'>;

export function recommendedLabelsFor({ uri, workspace, settings }: Asking): RecommendedLabels {
  const said = workspace.configs().of(uri)?.config.values.recommendedLabels;
  return {
    keys: said?.keys ?? settings.recommendedLabels.keys,
    kinds: said?.kinds ?? settings.recommendedLabels.kinds,
  };
}

export function labelPolicyFor({ uri, workspace, settings }: Asking): readonly LabelPolicy[] {
  return workspace.configs().of(uri)?.config.values.labelPolicy ?? settings.labelPolicy;
}

/** The minor version of Kubernetes that a file is for; undefined where every supported one counts. */
export function kubernetesMinor({ uri, workspace }: Pick<RuleContext, 'uri' | 'workspace'>): number | undefined {
  const said = workspace.configs().of(uri)?.config.values.kubernetesVersion;
  return said === undefined || said === 'any' ? undefined : Number(said.slice(said.indexOf('.') + 1));
}

/** The kinds that are named, or without a word those that make something by a template. */
export function isMeant(
  { group, version, kind }: ManifestObject,
  kinds: readonly string[],
  catalogue: Catalogue,
): boolean {
  if (kinds.length > 0) return kinds.includes(kind) || kinds.includes('*');
  return (catalogue.kind(group, version, kind)?.templates.length ?? 0) > 0;
}
