/** Recognizes GitOps objects, and keeps the parts of them that affect what their controllers build. */

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

/** The kinds whose `spec` is kept, each with the fields of its spec that have no effect on what is built. */
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

/**
 * Returns the `spec` of a GitOps object; undefined for every other object, and for one that is too large. Of the values for
 * a chart that is in no file, only labels are kept.
 */
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

/** Returns the entries of all maps in values whose keys end with `labels`, such as `podLabels`, in one map. */
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

/** The kinds of sources with folders: a HelmRelease names the folder of a chart in them. */
export const folderSources: ReadonlySet<string> = new Set(['GitRepository', 'Bucket']);

/** Whether the chart of a HelmRelease is a folder of a repository. The values for any other chart are not needed. */
function isInSource(spec: Node): boolean {
  const kind = nodeAt(spec, 'chart', 'spec', 'sourceRef', 'kind');
  return kind?.kind === 'scalar' && folderSources.has(kind.text);
}

/** Whether Flux accepts a name for a variable. */
export function isVariableName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}

/** The fields that contain the keys of a ConfigMap or Secret. */
const dataFields = ['data', 'stringData'] as const;

/** Returns the content of a ConfigMap that Flux can substitute because all of its keys are names of variables; for a Secret, the keys with unknown values. Undefined for every other object, and if it is too large. */
export function variablesOf(group: string, kind: string, root: Node): MapNode | undefined {
  const settings = group === '' && kind === 'ConfigMap' ? argoSettings(root) : undefined;
  if (settings !== undefined) return settings;
  const source = variableSource(group, kind, root);
  if (source === undefined || source.entries.length === 0 || !isSmall(source)) return undefined;
  const isVariable = ({ key, value }: MapNode['entries'][number]) =>
    isVariableName(key.text) && value.kind === 'scalar' && value.text.length <= maximumLength;
  return source.entries.every(isVariable) ? source : undefined;
}

/** The settings of Argo CD that decide which labels it sets, and which tools it uses. */
const argoKeys = new Set([
  'application.resourceTrackingMethod',
  'application.instanceLabelKey',
  'kustomize.enable',
  'helm.enable',
]);

/** Returns the settings of Argo CD in the ConfigMap `argocd-cm`; undefined for every other ConfigMap. */
function argoSettings(root: Node): MapNode | undefined {
  const name = nodeAt(root, 'metadata', 'name');
  const data = childOf(root, 'data');
  if (name?.kind !== 'scalar' || name.text !== 'argocd-cm' || data?.kind !== 'map') return undefined;
  const entries = data.entries.filter(({ key }) => argoKeys.has(key.text));
  return { ...data, entries, treeSize: treeSizeAroundEntries(entries, false) };
}

/** A longer text is the content of a file, not the value of a variable. */
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
