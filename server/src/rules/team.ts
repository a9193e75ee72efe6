/** What does the team want of labels? What its `.selector-lens.yaml` says, else what the editor is set to. */

import type { ManifestObject } from '../manifests/manifest.ts';
import type { LabelPolicy, RecommendedLabels } from '../settings/settings.ts';
import { placeOf } from '../workspace/scope-facts.ts';
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

/** A kustomization may add labels that the file does not show. */
export function mayGainLabels(
  { workspace, file }: Pick<RuleContext, 'workspace' | 'file'>,
  object: ManifestObject,
): boolean {
  const scopes = workspace.scopes().of(placeOf({ file, object }));
  return scopes.some((scope) => scope.kind === 'kustomization');
}
