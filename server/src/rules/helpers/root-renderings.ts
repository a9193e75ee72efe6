/** Returns the renderings of the root kustomizations that a kustomization is part of. */

import type { Rendering } from '../../workspace/model.ts';
import type { RuleContext } from '../framework/rule.ts';

/** Returns the renderings of all root kustomizations that include a kustomization, directly or through others; a root includes itself. */
export function rootRenderings({
  workspace,
  catalogue,
  uri,
}: Pick<RuleContext, 'workspace' | 'catalogue' | 'uri'>): readonly Rendering[] {
  return workspace
    .scopes()
    .building(uri)
    .flatMap(({ path }) => workspace.rendering(path, catalogue) ?? []);
}
