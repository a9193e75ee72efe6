/** Recognizes GitOps objects, and extracts the parts of them that affect what their controllers build. */

import { isSmall } from '../kustomize/kustomize-documents.ts';
import {
  childOf,
  type MapEntry,
  type MapNode,
  type Node,
  nodeAt,
  type ScalarNode,
  treeSizeAroundEntries,
} from '../yaml/tree.ts';

export const fluxGroup = 'kustomize.toolkit.fluxcd.io';
export const helmGroup = 'helm.toolkit.fluxcd.io';
export const argoGroup = 'argoproj.io';
export const operatorGroup = 'fluxcd.controlplane.io';
export const artifactGroup = 'source.extensions.fluxcd.io';

/** The kinds whose `spec` is kept in memory, each with the fields of its `spec` that are dropped because they do not affect what is built. */
const keptKinds: Readonly<Record<string, readonly string[]>> = {
  [`${fluxGroup}/Kustomization`]: ['healthChecks', 'healthCheckExprs', 'interval', 'retryInterval', 'timeout'],
  [`${helmGroup}/HelmRelease`]: ['interval', 'timeout', 'upgrade', 'rollback', 'uninstall', 'test'],
  [`${argoGroup}/Application`]: ['ignoreDifferences', 'info'],
  [`${argoGroup}/ConfigManagementPlugin`]: ['init', 'generate', 'parameters', 'version'],
  [`${argoGroup}/ApplicationSet`]: ['ignoreApplicationDifferences', 'strategy'],
  'source.toolkit.fluxcd.io/GitRepository': ['interval', 'timeout', 'verify', 'secretRef'],
  'source.toolkit.fluxcd.io/OCIRepository': ['interval', 'timeout', 'verify', 'secretRef'],
  'source.toolkit.fluxcd.io/Bucket': ['interval', 'timeout', 'secretRef'],
  [`${artifactGroup}/ArtifactGenerator`]: [],
  [`${operatorGroup}/FluxInstance`]: ['distribution', 'components', 'cluster', 'kustomize', 'storage', 'sharding'],
};

/** Returns the `spec` of a GitOps object; undefined for all other objects, and if the `spec` is too large. For a chart that is not in any file, only the labels in its values are kept. */
export function gitopsSpecOf(group: string, kind: string, root: Node): Node | undefined {
  const dropped = keptKinds[`${group}/${kind}`];
  if (dropped === undefined) return undefined;
  const spec = childOf(root, 'spec');
  if (spec?.kind !== 'map') return undefined;
  const isRemote = kind === 'HelmRelease' && !isInSource(spec);
  const entries = spec.entries.flatMap((entry): readonly MapEntry[] => {
    if (dropped.includes(entry.key.text)) return [];
    return isRemote && entry.key.text === 'values' ? [{ ...entry, value: labelsIn(entry.value) }] : [entry];
  });
  const kept: MapNode = { ...spec, entries, treeSize: treeSizeAroundEntries(entries, false) };
  return isSmall(kept) ? kept : undefined;
}

/** Combines the entries of all maps in the values of a chart whose keys end with `labels`, such as `podLabels`, into one map. */
function labelsIn(values: Node): Node {
  if (values.kind !== 'map') return values;
  const entries: MapEntry[] = [];
  let open = false;
  const visit = (node: Node, isLabels: boolean): void => {
    if (node.kind === 'list') for (const item of node.items) visit(item, false);
    if (node.kind !== 'map') return;
    open ||= node.open;
    if (isLabels) entries.push(...node.entries);
    for (const { key, value } of node.entries) visit(value, /labels$/i.test(key.text));
  };
  visit(values, false);
  return { ...values, entries, open, treeSize: treeSizeAroundEntries(entries, false) };
}

/** The kinds of sources that contain folders; a HelmRelease refers to the folder of its chart in such a source. */
export const folderSources: ReadonlySet<string> = new Set(['GitRepository', 'Bucket']);

/** Whether the chart of a HelmRelease is a folder of a repository. The values for charts from registries are not needed. */
function isInSource(spec: Node): boolean {
  const kind = nodeAt(spec, 'chart', 'spec', 'sourceRef', 'kind');
  return kind?.kind === 'scalar' && folderSources.has(kind.text);
}

export function isVariableName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}

/** The fields with the entries of a ConfigMap or Secret. */
const dataFields = ['data', 'stringData'] as const;

/** Returns the entries of a ConfigMap that Flux can use as variables, provided that all of its keys are valid variable names and all of its values are short scalars; for a Secret or SealedSecret, the keys with unknown values; for the ConfigMap `argocd-cm`, the relevant settings. Undefined for all other objects, and if the content is too large. */
export function variablesOf(group: string, kind: string, root: Node): MapNode | undefined {
  const settings = group === '' && kind === 'ConfigMap' ? argoSettings(root) : undefined;
  if (settings !== undefined) return settings;
  const source = variableSource(group, kind, root);
  if (source === undefined || source.entries.length === 0 || !isSmall(source)) return undefined;
  const isVariable = ({ key, value }: MapNode['entries'][number]) =>
    isVariableName(key.text) && value.kind === 'scalar' && value.text.length <= maximumLength;
  return source.entries.every(isVariable) ? source : undefined;
}

/** The settings of Argo CD that determine which labels it sets and which tools it uses. */
const argoKeys = new Set([
  'application.resourceTrackingMethod',
  'application.instanceLabelKey',
  'kustomize.enable',
  'helm.enable',
]);

/** Returns the relevant settings in the ConfigMap `argocd-cm` of Argo CD; undefined for all other ConfigMaps. */
function argoSettings(root: Node): MapNode | undefined {
  const name = nodeAt(root, 'metadata', 'name');
  const data = childOf(root, 'data');
  if (name?.kind !== 'scalar' || name.text !== 'argocd-cm' || data?.kind !== 'map') return undefined;
  const entries = data.entries.filter(({ key }) => argoKeys.has(key.text));
  return { ...data, entries, treeSize: treeSizeAroundEntries(entries, false) };
}

/** Longer text is probably the content of a file rather than the value of a variable. */
const maximumLength = 1_000;

function variableSource(group: string, kind: string, root: Node): MapNode | undefined {
  const encrypted = group === 'bitnami.com' && kind === 'SealedSecret';
  if (!encrypted && (group !== '' || (kind !== 'ConfigMap' && kind !== 'Secret'))) return undefined;
  const fields = encrypted
    ? [childOf(childOf(root, 'spec'), 'encryptedData')]
    : dataFields.map((at) => childOf(root, at));
  const maps = fields.filter((node) => node?.kind === 'map');
  const [first] = maps;
  if (first === undefined) return undefined;
  const all = maps.flatMap(({ entries }) => entries);
  const entries = kind === 'ConfigMap' ? all : all.map((entry) => ({ ...entry, value: secretValue(entry.value) }));
  return { ...first, entries, treeSize: treeSizeAroundEntries(entries, false) };
}

/** The value of a Secret is never stored. */
function secretValue({ span }: Node): ScalarNode {
  return { kind: 'scalar', span, text: '', style: 'plain', type: 'string', pattern: '*' };
}
