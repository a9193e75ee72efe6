/** Collects the settings of an Argo CD instance that determine the tools with which it renders folders. Source: argo-cd `util/settings/settings.go`, `docs/operator-manual/config-management-plugins.md`. */

import type { ManifestObject } from '../model.ts';
import { childOf } from '../yaml/tree.ts';
import type { ArgoTool } from './argo-source.ts';
import { argoGroup } from './spec.ts';

/** The settings of an Argo CD instance in one file that concern its tools. */
export interface ArgoSettings {
  /**
   * The tools that are turned off; folders for these tools are treated as plain folders. Absent if the file does not
   * contain these settings.
   */
  readonly off?: readonly ArgoTool[];
  /** Whether a plugin may build folders that it discovers by their content. */
  readonly claims?: true;
}

/** Returns the Argo CD settings among the objects of a file; undefined if there are none. */
export function argoSettingsIn(objects: readonly ManifestObject[]): ArgoSettings | undefined {
  let settings: ArgoSettings | undefined;
  for (const { group, kind, name, gitopsSpec, variables } of objects) {
    if (variables !== undefined && kind === 'ConfigMap' && name?.text === 'argocd-cm') {
      const isOff = (tool: ArgoTool) => {
        const value = childOf(variables, `${tool}.enable`);
        return value?.kind === 'scalar' && value.text === 'false';
      };
      settings = { ...settings, off: (['kustomize', 'helm'] as const).filter(isOff) };
    } else if (gitopsSpec !== undefined && group === argoGroup && kind === 'ConfigManagementPlugin') {
      if (childOf(gitopsSpec, 'discover') !== undefined) settings = { ...settings, claims: true };
    }
  }
  return settings;
}

/** Combines the settings of all files: a tool is off only if all files that contain settings turn it off. */
export function combinedSettings(all: readonly ArgoSettings[]): ArgoSettings {
  const settings = all.flatMap(({ off }) => (off === undefined ? [] : [off]));
  const off = settings[0]?.filter((tool) => settings.every((each) => each.includes(tool))) ?? [];
  return { off, ...(all.some(({ claims }) => claims) && { claims: true }) };
}
