/** Finds the settings that determine how Argo CD marks the objects of its Applications. */

import { plainData } from '../../../manifests/yaml/plain-data.ts';
import type { WorkspaceFile } from '../../model.ts';
import { type Tracking, trackingOf } from './tracking.ts';

/** The settings of an Argo CD instance, and its namespace, which is empty if it is unknown. */
export interface ArgoTracking extends Tracking {
  readonly namespace: string;
}

/** Returns the settings of the Argo CD instance that manages the Applications in a namespace; undefined if no file, or more than one file, contains them. `filesWith` returns the files that contain an object with the given identity. */
export function trackingIn(
  namespace: string,
  filesWith: (identity: string) => readonly WorkspaceFile[],
): ArgoTracking | undefined {
  for (const each of new Set([namespace, 'argocd', ''])) {
    const [file, ...others] = filesWith(`\nConfigMap\n${each}\nargocd-cm`);
    if (others.length > 0) return undefined;
    const settings = file?.manifest.objects.find(
      ({ kind, name }) => kind === 'ConfigMap' && name?.text === 'argocd-cm',
    );
    if (settings?.variables === undefined) continue;
    const data = plainData(settings.variables);
    const texts = Object.entries(typeof data === 'object' && data !== null ? data : {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    return { ...trackingOf(Object.fromEntries(texts)), namespace: each };
  }
  return undefined;
}
