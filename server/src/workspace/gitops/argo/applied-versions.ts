/** Compares an Application or ApplicationSet as it is written with the versions that its parents apply. */

import { knownData } from '../../../manifests/gitops/argo.ts';
import { type ArgoTool, argoSourcesOf } from '../../../manifests/gitops/argo-source.ts';
import { type Data, fieldOf, isMap } from '../../../manifests/helm/value.ts';
import type { Node } from '../../../manifests/yaml/tree.ts';
import type { GitopsContent, GitopsObject } from '../model.ts';
import { unknownGenerators } from './generators.ts';

export interface ChangedPart {
  readonly part: 'sources' | 'values';
  readonly differ: boolean;
}

/**
 * Whether the sources of a version have the folders and tools of the written ones, which determine the scope, and an
 * ApplicationSet has its generators.
 */
export function hasSamePlaces(gitops: GitopsObject, written: Node, applied: Node): boolean {
  const [own, other] = [written, applied].map((each) => JSON.stringify(placesOf(knownData(each), gitops)));
  return own === other;
}

/**
 * Returns which part of the sources the parents change, so that the written one is not applied. `differ` states whether the
 * parents change it differently.
 */
export function changedPart(written: Node, applied: readonly Node[]): ChangedPart | undefined {
  const own = knownData(written);
  const versions = applied.map(knownData);
  const areEqual = (keyOf: (spec: Data) => Data, others: readonly Data[] = versions) =>
    new Set(others.map((each) => JSON.stringify(keyOf(each)))).size < 2;
  if (!areEqual((spec) => sourcesIn(spec, (key) => !['helm', 'repoURL', 'targetRevision'].includes(key))))
    return { part: 'sources', differ: true };
  const values = (spec: Data) => sourcesIn(spec, (key) => key === 'helm');
  if (!areEqual(values)) return { part: 'values', differ: true };
  return areEqual(values, [own, ...versions]) ? undefined : { part: 'values', differ: false };
}

/** The parts that determine the folders and tools of the sources; a repository that is only assumed is not one of them. */
function placesOf(spec: Data, { facts, located, contents }: GitopsObject): Data {
  const isCertain = located.some((place) => place?.isCertain);
  const tools = new Map(facts.sources.map(({ index }, at) => [index, toolOf(contents[at])]));
  const [sources, isComplete] = argoSourcesOf(applicationIn(spec));
  const places = sources.map(({ repository, path, chart, ref, explicit, directory, components }, index) => {
    const tool = explicit ?? tools.get(index);
    return JSON.stringify([isCertain && repository, path, chart, ref, tool, directory, components]);
  });
  return [isComplete, ...places, generatorsOf(spec), ...setFields.map((key) => fieldOf(spec, key) ?? null)];
}

function toolOf(content: GitopsContent | undefined): ArgoTool | undefined {
  return content && (content.kustomized ? 'kustomize' : content.chart ? 'helm' : 'directory');
}

/** The generators of a set, without the fields that select unknown parameters, for example those of clusters. */
function generatorsOf(spec: Data): Data {
  const generators = fieldOf(spec, 'generators');
  return Array.isArray(generators) ? generators.map(generatorOf) : null;
}

function generatorOf(item: Data): Data {
  if (!isMap(item)) return item;
  const entries = Object.entries(item).map(([kind, generator]) => {
    if (kind === 'matrix' || kind === 'merge')
      return [kind, [generatorsOf(generator), fieldOf(generator, 'mergeKeys') ?? null]] as const;
    if (!unknownGenerators.has(kind)) return [kind, generator] as const;
    return [kind, ['values', 'template'].map((key) => fieldOf(generator, key) ?? null)] as const;
  });
  return Object.fromEntries(entries);
}

/** The other fields of an ApplicationSet that determine its Applications. */
const setFields = ['goTemplate', 'goTemplateOptions', 'templatePatch'];

function sourcesIn(spec: Data, isWanted: (key: string) => boolean): Data {
  const application = applicationIn(spec);
  const sources = fieldOf(application, 'sources');
  return [fieldOf(application, 'source') ?? null, ...(Array.isArray(sources) ? sources : [])].map((source) => {
    return isMap(source) ? Object.fromEntries(Object.entries(source).filter(([key]) => isWanted(key))) : source;
  });
}

/** The spec of the Application: that of the template of an ApplicationSet. */
function applicationIn(spec: Data): Data {
  const template = fieldOf(spec, 'template');
  return template === undefined ? spec : (fieldOf(template, 'spec') ?? null);
}
