/** Determines which labels are adopted for a file, and which labels they replace: what a team states in its registry of labels, and the labels that Kubernetes recommends. */

import { getOrAdd } from '../../engine/memoize.ts';
import { type LabelRegistry, labelRegistry, recommendedKeys } from '../../settings/label-registry.ts';
import type { Config } from '../../settings/read-config.ts';
import type { Side } from '../../workspace/base.ts';
import type { AdoptionOptions, ReplacedKeys } from './model.ts';

/** The labels that an adoption adds by default. */
const adoptedKeys: readonly string[] = [...recommendedKeys, 'helm.sh/chart'];

/** The labels that recommended labels replace. */
const recommendedReplacements: ReplacedKeys = {
  'app.kubernetes.io/name': ['app', 'k8s-app'],
  'app.kubernetes.io/instance': ['release'],
  'app.kubernetes.io/component': ['component', 'tier'],
  'app.kubernetes.io/managed-by': ['heritage'],
  'helm.sh/chart': ['chart'],
};

/** The recommended labels that identify the pods of a workload, and that do not change with each release. */
const stableKeys: ReadonlySet<string> = new Set([
  'app.kubernetes.io/name',
  'app.kubernetes.io/instance',
  'app.kubernetes.io/component',
  'app.kubernetes.io/part-of',
]);

/** The labels that are adopted for a file. */
export interface AdoptedLabels {
  readonly keys: readonly string[];
  readonly replaced: ReplacedKeys;
  /** Whether values only come from replaced labels of the same map, and are never derived. */
  readonly areCopied: boolean;
  /** Whether a label is added to pod templates. */
  isForTemplates(key: string): boolean;
  /** Whether selectors may use a label. */
  isSelectable(key: string): boolean;
  /** Whether the registry allows a value, as far as the value can be decided without other files. */
  isAllowed(key: string, value: string): boolean;
}

const registries = new WeakMap<object, LabelRegistry>();
const noValues: Config['values'] = {};

export function adoptedLabelsFor({ workspace }: Side, options: AdoptionOptions, uri: string): AdoptedLabels {
  const values = workspace.configs().of(uri)?.config.values ?? noValues;
  const registry = getOrAdd(registries, values, () => labelRegistry({ labels: values.labels }));
  const ofTeam = registry.entries.filter(({ replaces }) => replaces.length > 0);
  const replaced = options.replaced ?? joined(ofTeam.map(({ key, replaces }) => [key, replaces] as const));
  const usual = values.recommendedLabels?.keys ?? adoptedKeys;
  return {
    keys: options.keys ?? [...new Set([...usual, ...ofTeam.map(({ key }) => key)])],
    replaced,
    areCopied: options.replaced !== undefined,
    isForTemplates: (key) =>
      options.replaced !== undefined ||
      stableKeys.has(key) ||
      (ofTeam.some((each) => each.key === key) && isSelectable(registry, key)),
    isSelectable: (key) => isSelectable(registry, key),
    isAllowed: (key, value) =>
      registry
        .of(key)
        .every(
          ({ allowed }) =>
            allowed === undefined ||
            allowed.pattern !== undefined ||
            allowed.from !== undefined ||
            allowed.values.includes(value),
        ),
  };
}

function isSelectable(registry: LabelRegistry, key: string): boolean {
  return registry.of(key).every(({ selectable }) => selectable);
}

/** Returns the recommended replacements, and those of a team. */
function joined(ofTeam: readonly (readonly [key: string, replaces: readonly string[]])[]): ReplacedKeys {
  const all = new Map(Object.entries(recommendedReplacements));
  for (const [key, replaces] of ofTeam) all.set(key, [...(all.get(key) ?? []), ...replaces]);
  return Object.fromEntries(all);
}
