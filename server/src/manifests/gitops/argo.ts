/** Collects the facts of Argo CD Applications and ApplicationSets. Source: argo-cd `pkg/apis/application/v1alpha1/types.go`. */

import { memoized } from '../../engine/memoize.ts';
import { localize } from '../../text/localize.ts';
import { patternOf } from '../helm/actions.ts';
import { type Data, isMap, isScalar } from '../helm/value.ts';
import { dataOf } from '../helm/values.ts';
import type { ManifestObject } from '../model.ts';
import { effectiveEntries, type Node } from '../yaml/tree.ts';
import { type ArgoSource, argoSourcesOf, type DataMap, isEmpty, textIn } from './argo-source.ts';
import type { GitopsFacts, GitopsSource } from './model.ts';
import { ownRevisions, plainPath, repositoryKey } from './repository-url.ts';
import { argoGroup } from './spec.ts';

/** Returns the facts of an Application or an ApplicationSet; undefined for every other object. */
export function argoFacts(object: ManifestObject, spec: Node): GitopsFacts | undefined {
  const { group, kind } = object;
  if (group !== argoGroup) return undefined;
  const annotations = object.labelSites.find(({ path }) => path === 'metadata.annotations');
  const skipping = annotations?.entries.findLast((entry) => entry.key.text === skippingMark);
  const named = {
    name: object.name?.text ?? '',
    namespace: object.namespace?.text ?? '',
    ...suspensionOf(skipping?.value.type === 'string' ? skipping.value.value : null),
  };
  return definitionFacts(kind, knownData(spec), named);
}

/** Returns the facts of an Application or an ApplicationSet from its `spec`; undefined for any other kind. */
export function definitionFacts(kind: string, spec: Data, named: Named): GitopsFacts | undefined {
  if (kind === 'Application') return applicationFacts(spec, named);
  if (kind !== 'ApplicationSet') return undefined;
  const { name, namespace } = named;
  return { kind: 'argo-application', name, namespace, sources: [], openBecause: [], set: withoutContents(spec) };
}

type Named = Pick<GitopsFacts, 'name' | 'namespace' | 'suspended'>;

/** The annotation of an Application that Argo CD does not reconcile. */
export const skippingMark = 'argocd.argoproj.io/skip-reconcile';

/** Returns whether Argo CD skips an Application, from the value of the annotation; it parses the value with `strconv.ParseBool` of Go. */
export function suspensionOf(annotation: unknown): Pick<GitopsFacts, 'suspended'> {
  const isSkipped = typeof annotation === 'string' && /^(?:1|[tT]|true|True|TRUE)$/.test(annotation);
  return isSkipped ? { suspended: true } : {};
}

/** The URL and the name of the cluster in which Argo CD itself runs. */
export const localCluster = 'https://kubernetes.default.svc';
const localName = 'in-cluster';

export function applicationFacts(spec: Data, named: Named): GitopsFacts {
  const [sources, isComplete] = argoSourcesOf(spec);
  const destination = isMap(spec) && isMap(spec['destination']) ? spec['destination'] : {};
  const targetNamespace = textIn(destination, 'namespace');
  const name = textIn(destination, 'name');
  const server = textIn(destination, 'server');
  const known = name === localName ? localCluster : name;
  // Argo CD rejects a destination that has both a server and a name.
  const cluster = server !== undefined && name !== undefined ? undefined : (server ?? known);
  const releases = sources.flatMap(({ chart, release = named.name }) => {
    return chart === undefined ? [] : [{ chart, ...(!release.includes('{{') && { name: release }) }];
  });
  return {
    kind: 'argo-application',
    ...named,
    sources: sources.flatMap((source, index) => gitopsSource(source, index, sources) ?? []),
    ...(targetNamespace !== undefined && !targetNamespace.includes('{{') && { targetNamespace }),
    ...(cluster !== undefined && !cluster.includes('{{') && { cluster }),
    ...(releases.length > 0 && { releases }),
    openBecause: [...sources.flatMap(openReason), ...(isComplete ? [] : [localize`has unknown sources`])],
  };
}

/** Returns a source that has a folder; undefined for a chart in a registry, and for a source that only provides values files. */
function gitopsSource(source: ArgoSource, index: number, all: readonly ArgoSource[]): GitopsSource | undefined {
  const { repository, path, chart, ref, valueFiles } = source;
  if (chart !== undefined || (path === undefined && ref !== undefined)) return undefined;
  const isUnknown = path === undefined || path.includes('{{') || path.startsWith('$');
  return {
    path: isUnknown ? undefined : plainPath(path),
    ...(isUnknown && source.changesLabels && path !== undefined && { mayChange: plainPath(patternOf(path)) }),
    repository: repositoryKey(repository),
    tool: 'argo',
    index,
    ...(!(ownRevisions.has(source.revision) && isGitUrl(repository)) && { isPinned: true }),
    ...(!ownRevisions.has(source.revision) && isGitUrl(repository) && { branch: source.revision }),
    ...optionsOf(source),
    ...(valueFiles.some((each) => each.startsWith('$')) && { refs: refsOf(all) }),
  };
}

/** Returns the options of a source that determine which files belong to it. */
export function optionsOf({ explicit, directory, components, valueFiles }: ArgoSource): SourceOptions {
  return {
    ...(explicit !== undefined && { explicit }),
    ...(directory !== undefined && { directory }),
    ...(components.length > 0 && { components }),
    ...(valueFiles.length > 0 && { valueFiles }),
  };
}

export type SourceOptions = Pick<GitopsSource, 'explicit' | 'directory' | 'components' | 'valueFiles'>;

/** Returns the repositories of the sources that have a `ref` name, by this name. */
export function refsOf(sources: readonly ArgoSource[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    sources.flatMap(({ ref, repository }) => (ref === undefined ? [] : [[ref, repositoryKey(repository)]])),
  );
}

/** Whether a URL refers to a git repository. An OCI artifact, in contrast, may contain only a part of the repository. */
function isGitUrl(url: string): boolean {
  return !url.trim().toLowerCase().startsWith('oci:');
}

function openReason({ chart, explicit, directory }: ArgoSource): readonly string[] {
  if (chart !== undefined) return [localize`installs the chart '${chart}', which is not in the workspace`];
  if (explicit === 'plugin') return [localize`renders its objects with a plugin`];
  if (directory?.jsonnet) return [localize`evaluates Jsonnet`];
  return explicit === 'unclear' ? [localize`specifies several tools for one source`] : [];
}

/** Matches a build variable of Argo CD, or a reference to another source. */
const argoVariable = /\$\{?(?:ARGOCD|KUBE)_|^\$[a-z][\w-]*\//;

/** Converts a syntax tree to plain data. A scalar with a placeholder becomes a string that contains `{{`, which marks it as unknown; Argo CD variables are kept unchanged. The result is cached, because an ApplicationSet is converted for each of its Applications. */
export const knownData = memoized(toKnownData);

function toKnownData(node: Node): Data {
  if (node.kind === 'scalar') {
    // ApplicationSet parameters and Argo CD variables are kept unchanged, because they are replaced later.
    const isKnown = node.pattern === undefined || node.text.includes('{{') || argoVariable.test(node.text);
    return isKnown ? dataOf(node) : `{{ ${node.text} }}`;
  }
  if (node.kind === 'list') return node.items.map(toKnownData);
  return Object.fromEntries(effectiveEntries(node).map(({ key, value }) => [key.text, toKnownData(value)]));
}

/** The fields of sources that do not affect which files belong to a source. They are removed, because they may be large. */
const contents = new Set(['values', 'valuesObject', 'parameters', 'fileParameters', 'patches']);

/** Returns the spec of an ApplicationSet without the fields of its sources that do not affect which files belong to them. */
function withoutContents(spec: Data): Data {
  if (!isMap(spec) || !isMap(spec['template'])) return spec;
  return { ...spec, template: withoutKeys(spec['template'], 0) };
}

function withoutKeys(data: Data, depth: number): Data {
  if (isScalar(data) || depth > 8) return data;
  if (Array.isArray(data)) return data.map((item) => withoutKeys(item, depth + 1));
  const entries = Object.entries(data as DataMap).map(([key, value]): readonly [string, Data] => {
    // A block with content names a tool.
    return [key, contents.has(key) ? !isEmpty(value) : withoutKeys(value, depth + 1)];
  });
  return Object.fromEntries(entries);
}
