/** Computes the label that Argo CD sets on the objects of an Application, for a scope of a workspace. */

import type { Workspace } from '../model.ts';
import type { Scope } from '../scopes/model.ts';
import { instanceName, trackingLabel } from './argo/tracking.ts';
import { trackingIn } from './argo/tracking-settings.ts';
import { filesWithIdentity } from './scope-questions.ts';

/** Returns the key and the value of the label; undefined if Argo CD sets no label, or if its settings are in no file. */
export function trackingOfScope(
  workspace: Workspace,
  { gitops }: Scope,
): { readonly key: string; readonly value: string } | undefined {
  if (gitops?.kind !== 'argo-application') return undefined;
  const { name, namespace } = gitops.facts;
  const tracking = trackingIn(namespace, (identity) =>
    filesWithIdentity(workspace.scopes(), identity).flatMap((uri) => workspace.files.get(uri) ?? []),
  );
  const value = tracking && trackingLabel(tracking, instanceName(name, namespace, tracking.namespace));
  return tracking === undefined || value === undefined || value.includes('{{')
    ? undefined
    : { key: tracking.key, value };
}
