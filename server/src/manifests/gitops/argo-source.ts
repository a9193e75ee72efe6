/** Parses the sources of an Argo CD Application, which are plain data: the folder of each source, and how Argo CD builds it. */

import { type Data, isMap, isScalar, textOf } from '../helm/value.ts';

/** A tool that builds the objects of a folder. */
export type ArgoTool = 'helm' | 'kustomize' | 'directory' | 'plugin';

/** The options for a folder of plain manifests. */
export interface ArgoDirectory {
  readonly recurse?: true;
  readonly include?: string;
  readonly exclude?: string;
  /** Whether files are read regardless of their extension. */
  readonly anyName?: true;
  /** Whether the source has options for Jsonnet, whose generated objects are not in any file. */
  readonly jsonnet?: true;
}

/** One source of an Application. In a value that contains `{{`, the corresponding part of the source is unknown. */
export interface ArgoSource {
  readonly repository: string;
  readonly revision: string;
  /** The folder of the source; absent if the source is a chart in a registry, or only provides values files. */
  readonly path?: string;
  /** The name of a chart in a registry, and the name of its release if the source sets it. */
  readonly chart?: string;
  readonly release?: string;
  /** The name by which other sources refer to files of this source. */
  readonly ref?: string;
  /** The tool that the source specifies; `unclear` if it specifies several. */
  readonly explicit?: ArgoTool | 'unclear';
  readonly directory?: ArgoDirectory;
  /** The folders of the components that are added to the kustomization of the source. */
  readonly components: readonly string[];
  /** Its kustomize options change labels, or may change them. */
  readonly changesLabels: boolean;
  readonly valueFiles: readonly string[];
}

export interface DataMap {
  readonly [key: string]: Data;
}

/** Returns the sources in the `spec` of an Application: `sourceHydrator` takes precedence over `sources`, and `sources` over `source`. The second element of the result is true if the list of sources is complete. */
export function argoSourcesOf(spec: Data): readonly [sources: readonly ArgoSource[], isComplete: boolean] {
  if (!isMap(spec)) return [[], false];
  const { sourceHydrator, sources, source } = spec;
  // A source hydrator writes its output to a different branch, so the objects are not in the workspace.
  if (isMap(sourceHydrator)) return [[], false];
  const all = Array.isArray(sources) && sources.length > 0 ? sources : isMap(source) ? [source] : [];
  const known = all.flatMap((each) => argoSourceOf(each) ?? []);
  return [known, known.length === all.length && all.length > 0];
}

export function argoSourceOf(source: Data): ArgoSource | undefined {
  if (!isMap(source)) return undefined;
  const path = textIn(source, 'path');
  const chart = textIn(source, 'chart');
  const ref = textIn(source, 'ref');
  const tools = toolsNamed(source);
  const directory = directoryOf(source['directory'] ?? null);
  const release = chart !== undefined && isMap(source['helm']) ? textIn(source['helm'], 'releaseName') : undefined;
  return {
    repository: textIn(source, 'repoURL') ?? '',
    revision: textIn(source, 'targetRevision') ?? '',
    ...(path !== undefined && { path }),
    ...(chart !== undefined && { chart }),
    ...(release !== undefined && { release }),
    ...(ref !== undefined && { ref }),
    ...(tools.length > 0 && { explicit: tools.length > 1 ? 'unclear' : (tools[0] ?? 'unclear') }),
    ...(directory !== undefined && { directory }),
    components: textsIn(source['kustomize'], 'components'),
    changesLabels: changesLabels(source['kustomize'] ?? null),
    valueFiles: textsIn(source['helm'], 'valueFiles'),
  };
}

/** Returns the scalar value of a key as a string; undefined if it is absent, empty or not a scalar. */
export function textIn(map: DataMap, key: string): string | undefined {
  const value = map[key];
  return !isScalar(value) || value === null || value === '' ? undefined : textOf(value);
}

/** Returns the tools that have a non-empty block in a source. Argo CD removes empty blocks before it determines the tool. */
function toolsNamed(source: DataMap): readonly ArgoTool[] {
  const tools = ['helm', 'kustomize', 'directory', 'plugin'] as const;
  return tools.filter((tool) => !isEmpty(source[tool] ?? null) || (tool === 'plugin' && isMap(source[tool])));
}

function changesLabels(options: Data): boolean {
  if (!isMap(options)) return false;
  return ['commonLabels', 'patches', 'components'].some((key) => !isEmpty(options[key] ?? null));
}

/** Whether a value has no effect as an option. */
export function isEmpty(data: Data): boolean {
  if (Array.isArray(data)) return data.length === 0;
  if (isMap(data)) return Object.values(data).every(isEmpty);
  return data === null || data === '' || data === false || data === 0;
}

export function textsIn(block: Data | undefined, key: string): readonly string[] {
  const list = block !== undefined && isMap(block) ? block[key] : undefined;
  return Array.isArray(list) ? list.flatMap((each) => (typeof each === 'string' ? [each] : [])) : [];
}

function directoryOf(block: Data): ArgoDirectory | undefined {
  if (!isMap(block)) return undefined;
  const include = textIn(block, 'include');
  const exclude = textIn(block, 'exclude');
  const directory: ArgoDirectory = {
    ...(block['recurse'] === true && { recurse: true }),
    ...(include !== undefined && { include }),
    ...(exclude !== undefined && { exclude }),
    ...(block['disableExtensionFilter'] === true && { anyName: true }),
    ...(!isEmpty(block['jsonnet'] ?? null) && { jsonnet: true }),
  };
  return Object.keys(directory).length === 0 ? undefined : directory;
}
