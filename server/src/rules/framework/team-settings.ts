/** Returns the settings that a team shares for a file: the settings in the `.selector-lens.yaml` of the file or, if there are none, the settings of the editor. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { type LabelRegistry, labelRegistry } from '../../settings/label-registry.ts';
import type { Config } from '../../settings/read-config.ts';
import type { Settings } from '../../settings/settings.ts';
import type { RuleContext } from './rule.ts';

type PolicyInput = Pick<RuleContext, 'uri' | 'workspace' | 'settings'>;

/** The registries by the values of a configuration and by the settings. */
const registries = new WeakMap<object, WeakMap<Settings, LabelRegistry>>();

const noValues: Config['values'] = {};

/** Returns the registry of labels that applies to a file: what its configuration states and, for `labelPolicy` and `recommendedLabels`, otherwise the settings. */
export function labelRegistryFor({ uri, workspace, settings }: PolicyInput): LabelRegistry {
  const values = workspace.configs().of(uri)?.config.values ?? noValues;
  const known = getOrAdd(registries, values, () => new WeakMap<Settings, LabelRegistry>());
  return getOrAdd(known, settings, () => {
    const { keys, kinds } = values.recommendedLabels ?? {};
    return labelRegistry({
      labels: values.labels,
      labelPolicy: values.labelPolicy ?? settings.labelPolicy,
      recommendedLabels: {
        keys: keys ?? settings.recommendedLabels.keys,
        kinds: kinds ?? settings.recommendedLabels.kinds,
      },
    });
  });
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
