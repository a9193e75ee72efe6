/** Computes the label that Argo CD sets on the objects of an Application, for a scope of a workspace. */

import type { Workspace } from '../model.ts';
import type { Scope } from '../scopes/model.ts';
import { instanceName, trackingLabel } from './argo/tracking.ts';
import { type ArgoTracking, trackingIn } from './argo/tracking-settings.ts';
import { filesWithIdentity } from './scope-questions.ts';

/** Returns the settings of the Argo CD instance that manages the Applications in a namespace; undefined if they are in no file. */
export function trackingOfInstance(workspace: Workspace, namespace: string): ArgoTracking | undefined {
  return trackingIn(namespace, (identity) =>
    filesWithIdentity(workspace.scopes(), identity).flatMap((uri) => workspace.files.get(uri) ?? []),
  );
}

/** Returns the key and the value of the label; undefined if Argo CD sets no label, or if its settings are in no file. */
export function trackingOfScope(
  workspace: Workspace,
  { gitops }: Scope,
): { readonly key: string; readonly value: string } | undefined {
  if (gitops?.kind !== 'argo-application') return undefined;
  const { name, namespace } = gitops.facts;
  const tracking = trackingOfInstance(workspace, namespace);
  const value = tracking && trackingLabel(tracking, instanceName(name, namespace, tracking.namespace));
  return tracking === undefined || value === undefined || value.includes('{{')
    ? undefined
    : { key: tracking.key, value };
}
