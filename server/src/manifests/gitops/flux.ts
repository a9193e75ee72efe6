/** Collects the facts about Flux Kustomizations and HelmReleases. Source: kustomize-controller `docs/spec/v1/kustomizations.md`, helm-controller `docs/spec/v2/helmreleases.md`. */

import { localize } from '../../text/localize.ts';
import type { ManifestObject } from '../model.ts';
import { childOf, isNull, isOpen, itemsOf, type Node, nodeAt, type ScalarNode } from '../yaml/tree.ts';
import { mayContainVariables } from './envsubst.ts';
import type { GitopsFacts, GitopsSource } from './model.ts';
import { releaseName } from './release-name.ts';
import { plainPath } from './repository-url.ts';
import { fluxGroup, folderSources, helmGroup, operatorGroup } from './spec.ts';

/** Returns the facts of a Flux Kustomization or a HelmRelease; undefined for every other object. */
export function fluxFacts(object: ManifestObject, spec: Node): GitopsFacts | undefined {
  const { group, kind } = object;
  if (group === fluxGroup && kind === 'Kustomization') return kustomizationFacts(object, spec);
  if (group === helmGroup && kind === 'HelmRelease') return releaseFacts(object, spec);
  if (group === operatorGroup && kind === 'FluxInstance') return instanceFacts(object, spec);
  return undefined;
}

function kustomizationFacts(object: ManifestObject, spec: Node): GitopsFacts {
  const components = childOf(spec, 'components');
  const variableSources = itemsOf(nodeAt(spec, 'postBuild', 'substituteFrom')).map((item) => {
    return `${knownText(childOf(item, 'kind'))}/${knownText(childOf(item, 'name'))}`;
  });
  const ignoresMissing = knownText(childOf(spec, 'ignoreMissingComponents')) === 'true';
  const path = childOf(spec, 'path');
  const own = childOf(nodeAt(spec, 'postBuild'), 'substitute');
  const variables = own?.kind === 'map' ? own.entries.map(({ key, value }) => [key.text, valueIn(value)] as const) : [];
  const source: GitopsSource = {
    path: pathIn(path),
    ...(path?.kind === 'scalar' && path.text.includes('${') && { template: path.text }),
    ...repositoryOf(childOf(spec, 'sourceRef'), namespaceOf(object)),
    tool: 'flux',
    ...(components?.kind === 'list' && { components: components.items.flatMap((item) => knownText(item) ?? []) }),
    ...(ignoresMissing && { ignoresMissing }),
  };
  return {
    kind: 'flux-kustomization',
    ...nameOf(object),
    sources: [source],
    ...targetOf(knownText(childOf(spec, 'targetNamespace'))),
    ...clusterOf(spec),
    ...suspensionOf(spec),
    ...(variableSources.length > 0 && { variableSources }),
    ...(variables.length > 0 && { variables }),
    openBecause: [],
  };
}

/** Returns the value of a variable; null if it is unknown. */
function valueIn(node: Node): string | null {
  const text = knownText(node);
  return text === undefined || mayContainVariables(text) ? null : text.replaceAll('\n', '');
}

function releaseFacts(object: ManifestObject, spec: Node): GitopsFacts {
  const chart = nodeAt(spec, 'chart', 'spec');
  const sourceRef = childOf(chart, 'sourceRef');
  const kind = knownText(childOf(sourceRef, 'kind'));
  // In these kinds of sources, the chart is a folder of a repository; all other sources contain packaged charts.
  const isFolder = kind !== undefined && folderSources.has(kind);
  const name = knownText(childOf(chart, 'chart')) ?? knownText(nodeAt(spec, 'chartRef', 'name')) ?? '';
  const sources: readonly GitopsSource[] = isFolder
    ? [
        {
          path: pathIn(childOf(chart, 'chart')),
          ...repositoryOf(sourceRef, namespaceOf(object)),
          tool: 'helm',
          ...valuesOf(spec),
        },
      ]
    : [];
  return {
    kind: 'helm-release',
    ...nameOf(object),
    sources,
    ...targetOf(knownText(childOf(spec, 'targetNamespace')) ?? (namespaceOf(object) || undefined)),
    ...clusterOf(spec),
    ...suspensionOf(spec),
    openBecause: isFolder ? [] : [localize`installs the chart '${name}', which is in no file`],
    ...(!isFolder && { releases: [{ chart: name, ...releaseOf(object, spec), ...labelsOf(spec) }] }),
  };
}

function suspensionOf(spec: Node): Pick<GitopsFacts, 'suspended'> {
  return knownText(childOf(spec, 'suspend')) === 'true' ? { suspended: true } : {};
}

/** Returns the values files of a HelmRelease, and the ConfigMaps and Secrets that contain values. */
function valuesOf(spec: Node): Pick<GitopsSource, 'valueFiles' | 'valueObjects'> {
  const valueFiles = releaseValueFiles(spec);
  const valueObjects = itemsOf(childOf(spec, 'valuesFrom')).flatMap((item) => {
    const [kind, name] = [knownText(childOf(item, 'kind')), knownText(childOf(item, 'name'))];
    return kind === undefined || name === undefined ? [] : [{ kind, name }];
  });
  return { ...(valueFiles.length > 0 && { valueFiles }), ...(valueObjects.length > 0 && { valueObjects }) };
}

/** Returns the paths of the values files for the chart of a HelmRelease, relative to the root of the source. */
export function releaseValueFiles(spec: Node): readonly string[] {
  return itemsOf(nodeAt(spec, 'chart', 'spec', 'valuesFiles')).map((item) => {
    const path = knownText(item);
    return path === undefined ? '{{ path }}' : `/${plainPath(path)}`;
  });
}

/** Returns the label keys in the values of a release (`gitopsSpecOf` keeps only labels of the values); `labels` is absent if the values are not fully known. */
function labelsOf(spec: Node): { readonly labels?: readonly string[] } {
  const values = childOf(spec, 'values');
  const isKnown = childOf(spec, 'valuesFrom') === undefined && (values === undefined || !isOpen(values));
  if (!isKnown) return {};
  return { labels: values?.kind === 'map' ? values.entries.map(({ key }) => key.text) : [] };
}

/** Returns the name of the release; nothing if a part of the name is unknown. */
function releaseOf({ name }: ManifestObject, spec: Node): { readonly name?: string } {
  const [own, target] = [childOf(spec, 'releaseName'), childOf(spec, 'targetNamespace')].map((node) => {
    return node === undefined || isNull(node) ? '' : knownText(node);
  });
  if (own === undefined || target === undefined || typeof name?.value !== 'string') return {};
  return { name: own || releaseName(target === '' ? name.value : `${target}-${name.value}`) };
}

/** Returns the facts of the Kustomization that a FluxInstance creates in order to synchronize the cluster with a source. */
function instanceFacts(object: ManifestObject, spec: Node): GitopsFacts | undefined {
  const sync = childOf(spec, 'sync');
  if (sync === undefined) return undefined;
  const [kind, name] = syncNames(sync, namespaceOf(object));
  const repository = `${kind}/${namespaceOf(object)}/${name}`;
  return {
    kind: 'flux-kustomization',
    name,
    namespace: namespaceOf(object),
    sources: [{ path: pathIn(childOf(sync, 'path')), repository, tool: 'flux' }],
    openBecause: [],
    instance: object.name?.text ?? '',
  };
}

/** Returns the kind and the name of the source that `sync` in a FluxInstance creates. The Kustomization that it creates has the same name. */
export function syncNames(sync: Node, namespace: string): readonly [kind: string, name: string] {
  return [knownText(childOf(sync, 'kind')) ?? '', knownText(childOf(sync, 'name')) ?? (namespace || 'flux-system')];
}

function nameOf({ name, namespace }: ManifestObject): Pick<GitopsFacts, 'name' | 'namespace'> {
  return { name: name?.text ?? '', namespace: namespace?.text ?? '' };
}

function namespaceOf({ namespace }: ManifestObject): string {
  return typeof namespace?.value === 'string' ? namespace.value : '';
}

function targetOf(targetNamespace: string | undefined): Pick<GitopsFacts, 'targetNamespace'> {
  return targetNamespace === undefined || targetNamespace === '' ? {} : { targetNamespace };
}

/** Returns the remote cluster of the object, identified by the Secret or ConfigMap that contains its configuration. */
function clusterOf(spec: Node): Pick<GitopsFacts, 'cluster'> {
  const config = childOf(spec, 'kubeConfig');
  if (config === undefined) return {};
  const name = knownText(nodeAt(config, 'secretRef', 'name')) ?? knownText(nodeAt(config, 'configMapRef', 'name'));
  return { cluster: name ?? '?' };
}

/** Returns the kind, namespace and name of the source object. Its namespace defaults to the namespace `own` of the object that refers to it. */
export function repositoryOf(sourceRef: Node | undefined, own: string): Pick<GitopsSource, 'repository'> {
  const kind = knownText(childOf(sourceRef, 'kind'));
  const name = knownText(childOf(sourceRef, 'name'));
  if (kind === undefined || name === undefined) return {};
  return { repository: `${kind}/${knownText(childOf(sourceRef, 'namespace')) ?? own}/${name}` };
}

/** Returns a path relative to the root of a repository without `./`, `..` above the root, and leading and trailing slashes; empty if the path is absent, and undefined if it contains a placeholder. */
export function pathIn(node: Node | undefined): string | undefined {
  if (node === undefined || isNull(node)) return '';
  const text = knownText(node);
  if (text === undefined) return undefined;
  return plainPath(text);
}

/** Returns the text of a scalar without placeholders; undefined for null and for other nodes. */
export function knownText(node: Node | undefined): string | undefined {
  return isKnown(node) && node.type !== 'null' ? node.text : undefined;
}

function isKnown(node: Node | undefined): node is ScalarNode {
  return node?.kind === 'scalar' && node.pattern === undefined;
}
