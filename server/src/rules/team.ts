/** What does the team want of labels? What its `.selector-lens.yaml` says, else what the editor is set to. */

import type { LabelPolicy, RecommendedLabels } from '../settings/settings.ts';
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
