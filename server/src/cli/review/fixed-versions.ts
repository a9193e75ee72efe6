/** Determines whether the parts of a scope that are in no file have fixed versions, so that each build contains the same objects. */

import { fieldOf } from '../../engine/structured.ts';
import { isRemote } from '../../manifests/kustomize/kustomization.ts';
import { blankManifest } from '../../manifests/yaml/blank-manifest.ts';
import { splitDocuments } from '../../manifests/yaml/documents.ts';
import { parseYaml } from '../../manifests/yaml/parse-yaml.ts';
import { typedData } from '../../manifests/yaml/typed-data.ts';
import type { Side } from '../../workspace/base.ts';
import { kindNames } from '../../workspace/gitops/model.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import { folderOf, resolveUri } from '../../workspace/uri.ts';

/** A part of a scope that is in no file, and whether its version is fixed. */
export interface RemotePart {
  /** `chart redis`, or `resource https://...`. */
  readonly name: string;
  readonly isFixed: boolean;
}

/** Returns the remote parts that the definitions of a scope name: charts of registries, and resources and sources of other repositories. */
export function remoteParts(side: Side, scope: Scope): readonly RemotePart[] {
  const { gitops, path, files } = scope;
  const definitions = side.workspace
    .scopes()
    .partsOf(scope)
    .filter((uri) => uri !== gitops?.uri);
  const charts = [...files].map(folderOf);
  return [
    ...(gitops === undefined ? [] : documentsOf(side, gitops.uri).flatMap((each) => ofGitopsObject(side, each, scope))),
    ...definitions.flatMap((uri) => documentsOf(side, uri).flatMap(ofKustomization)),
    ...[...new Set([path, ...charts])].flatMap((folder) =>
      ['Chart.yaml', 'requirements.yaml'].flatMap((name) =>
        documentsOf(side, resolveUri(folder, name)).flatMap(ofChart),
      ),
    ),
  ];
}

function documentsOf(side: Side, uri: string): readonly unknown[] {
  const text = side.textOf(uri);
  if (text === undefined) return [];
  const blanked = blankManifest(text);
  return splitDocuments(blanked.text).flatMap((span) => {
    const { root } = parseYaml(text, blanked, span);
    return root === undefined ? [] : [typedData(root)];
  });
}

function ofKustomization(data: unknown): readonly RemotePart[] {
  const listed = ['resources', 'bases', 'components'].flatMap((field) => itemsIn(data, field));
  return [
    ...listed.flatMap((url) =>
      typeof url === 'string' && isRemote(url) ? [{ name: `resource ${url}`, isFixed: isFixedUrl(url) }] : [],
    ),
    ...itemsIn(data, 'helmCharts').map((chart) => chartPart(textIn(chart, 'name'), textIn(chart, 'version'))),
    ...itemsIn(data, 'helmChartInflationGenerator').map((chart) =>
      chartPart(textIn(chart, 'chartName'), textIn(chart, 'chartVersion')),
    ),
  ];
}

function ofChart(data: unknown): readonly RemotePart[] {
  return itemsIn(data, 'dependencies').flatMap((each) => {
    const isLocal = /^(?:file:|$)/.test(textIn(each, 'repository') ?? '');
    return isLocal ? [] : [chartPart(textIn(each, 'name'), textIn(each, 'version'))];
  });
}

/** Returns the remote sources of the GitOps object of a scope, if a document defines it. */
function ofGitopsObject(side: Side, data: unknown, { gitops }: Scope): readonly RemotePart[] {
  if (gitops === undefined) return [];
  const { kind, facts, contents } = gitops;
  const ownKind = textIn(data, 'kind');
  const name = textIn(fieldOf(data, 'metadata'), 'name');
  const isLocal = contents.length > 0 && !contents.includes(undefined);
  if (kind === 'argo-application') {
    const isSet = ownKind === 'ApplicationSet';
    if (!(isSet || ownKind === kindNames[kind]) || name !== (isSet ? facts.from?.set : facts.name)) return [];
    const spec = isSet ? fieldOf(fieldOf(fieldOf(data, 'spec'), 'template'), 'spec') : fieldOf(data, 'spec');
    return [...[fieldOf(spec, 'source') ?? []].flat(), ...itemsIn(spec, 'sources')].flatMap((source) => {
      const revision = textIn(source, 'targetRevision');
      const chart = textIn(source, 'chart');
      if (chart !== undefined) return [chartPart(chart, revision)];
      return isLocal ? [] : [{ name: named('source', textIn(source, 'repoURL')), isFixed: isFixedRevision(revision) }];
    });
  }
  if (ownKind !== kindNames[kind] || name !== facts.name || isLocal) return [];
  const spec = fieldOf(data, 'spec');
  if (kind === 'flux-kustomization')
    return [sourcePart(side, named('source', sourceName(fieldOf(spec, 'sourceRef'))), fieldOf(spec, 'sourceRef'))];
  const chart = fieldOf(fieldOf(spec, 'chart'), 'spec');
  const reference = fieldOf(spec, 'chartRef');
  return chart === undefined
    ? [sourcePart(side, named('chart', textIn(reference, 'name')), reference)]
    : [chartPart(textIn(chart, 'chart'), textIn(chart, 'version'))];
}

function sourceName(reference: unknown): string | undefined {
  const name = textIn(reference, 'name');
  return name === undefined ? undefined : `${textIn(reference, 'kind') ?? ''}/${name}`;
}

/** Returns a noun with a name; `a chart` if the name is absent or empty. */
function named(noun: string, name: string | undefined): string {
  return name === undefined || name === '' ? `a ${noun}` : `${noun} ${name}`;
}

/** Returns a part that a Flux source provides. Its version is fixed if all sources with its kind and name have fixed versions. */
function sourcePart(side: Side, name: string, reference: unknown): RemotePart {
  const [kind, own] = [textIn(reference, 'kind'), textIn(reference, 'name')];
  const sources = [...side.workspace.files.values()].flatMap(({ uri, manifest }) =>
    manifest.objects.some((object) => object.kind === kind && object.name?.text === own)
      ? documentsOf(side, uri).filter(
          (data) => textIn(data, 'kind') === kind && textIn(fieldOf(data, 'metadata'), 'name') === own,
        )
      : [],
  );
  return { name, isFixed: sources.length > 0 && sources.every(isFixedSource) };
}

function isFixedSource(data: unknown): boolean {
  const spec = fieldOf(data, 'spec');
  const reference = fieldOf(spec, 'ref');
  if (textIn(reference, 'digest') !== undefined || textIn(reference, 'commit') !== undefined) return true;
  if (textIn(reference, 'semver') !== undefined) return isExactVersion(textIn(reference, 'semver'));
  return isFixedRevision(textIn(reference, 'tag') ?? textIn(spec, 'version'));
}

function chartPart(name: string | undefined, version: string | undefined): RemotePart {
  return { name: named('chart', name), isFixed: isExactVersion(version) };
}

/** Whether a version is no range: `1.2` and `1.x` are ranges. */
function isExactVersion(version: string | undefined): boolean {
  return version !== undefined && /^v?\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/.test(version);
}

/** Whether a revision is a commit, or a tag with a version; a branch may change. */
function isFixedRevision(revision: string | undefined): boolean {
  return revision !== undefined && (isExactVersion(revision) || /^[\da-f]{7,64}$/.test(revision));
}

/** Whether a URL contains a fixed revision, such as `?ref=v1.2.3`, or `/v1.2.3/` for a file. */
function isFixedUrl(url: string): boolean {
  const reference = /[?&](?:ref|version)=([^&]*)/.exec(url)?.[1];
  return reference === undefined
    ? /^https:/.test(url) && url.split('/').slice(3, -1).some(isFixedRevision)
    : isFixedRevision(reference.slice(reference.lastIndexOf('/') + 1));
}

function itemsIn(data: unknown, key: string): readonly unknown[] {
  const items = fieldOf(data, key);
  return Array.isArray(items) ? items : [];
}

function textIn(data: unknown, key: string): string | undefined {
  const value = fieldOf(data, key);
  return typeof value === 'string' ? value : undefined;
}
