/** Resolves paths of Flux Kustomizations that contain variables: each Kustomization that applies such a definition applies another version of it. */

import { getOrAdd } from '../../engine/memoize.ts';
import { mayContainVariables, substitute } from '../../manifests/gitops/envsubst.ts';
import type { GitopsFacts } from '../../manifests/gitops/model.ts';
import { plainPath } from '../../manifests/gitops/repository-url.ts';
import type { Data } from '../../manifests/helm/value.ts';
import type { LocatedObject } from './chart-definitions.ts';
import { definitionKey, type GitopsObject } from './model.ts';

type Definition = Pick<GitopsObject, 'uri' | 'facts'>;

interface Around {
  /** Returns the files that contain ConfigMaps and Secrets, by the identity of the object. */
  settings(): ReadonlyMap<string, readonly string[]>;
  /** Returns the content of a file; undefined if it is not known. */
  content(uri: string): Data | undefined;
  /** Returns the files whose objects a GitOps object applies. */
  membersOf(object: LocatedObject): ReadonlySet<string>;
  locate(definitions: readonly Definition[]): readonly LocatedObject[];
}

/** The maximum number of versions of all definitions, and the maximum depth of versions that apply versions. */
const maximumVersions = 500;
const maximumDepth = 5;

/** Replaces each definition whose path contains variables by the versions that Kustomizations apply; if none of these paths is known, the definition remains as it is. */
export function withVersions(written: readonly LocatedObject[], around: Around): readonly LocatedObject[] {
  const templates = new Set(written.filter(({ facts }) => templateOf(facts) !== undefined).map(({ uri }) => uri));
  if (templates.size === 0) return written;
  let objects = written;
  for (let depth = 0; depth < maximumDepth; depth++) {
    const parents = new Map<string, LocatedObject[]>();
    for (const each of objects)
      if (each.facts.kind === 'flux-kustomization')
        for (const uri of around.membersOf(each)) if (templates.has(uri)) getOrAdd(parents, uri, () => []).push(each);
    const count = written.reduce((sum, { uri, facts }) => {
      return templateOf(facts) === undefined ? sum : sum + (parents.get(uri)?.length ?? 0);
    }, 0);
    if (count > maximumVersions) return written;
    const next = written.flatMap((each) => versionsOf(each, parents.get(each.uri) ?? [], around));
    if (keysOf(next) === keysOf(objects)) break;
    objects = around.locate(next);
  }
  return objects;
}

function keysOf(definitions: readonly Definition[]): string {
  return JSON.stringify(definitions.map((each) => [definitionKey(each), each.facts.sources[0]?.path]));
}

function templateOf({ kind, sources }: GitopsFacts): string | undefined {
  return kind === 'flux-kustomization' ? sources[0]?.template : undefined;
}

function versionsOf(written: Definition, parents: readonly Definition[], around: Around): readonly Definition[] {
  const { uri, facts } = written;
  const template = templateOf(facts);
  const [source] = facts.sources;
  // A Kustomization that applies itself has one path.
  const others = parents.filter((each) => each.uri !== uri || each.facts.name !== facts.name);
  if (template === undefined || source === undefined) return [written];
  const versions = others.map((parent): Definition => {
    const path = resolved(template, parent, around);
    return { uri, facts: { ...facts, sources: [{ ...source, path }], appliedBy: definitionKey(parent) } };
  });
  return versions.some((each) => each.facts.sources[0]?.path !== undefined) ? versions : [written];
}

/** Returns a path with the variables of a Kustomization; undefined if it is not known. */
function resolved(template: string, parent: Definition, around: Around): string | undefined {
  const { values, isComplete } = variablesOf(parent, around);
  if (values.size === 0) return undefined;
  const { pieces } = substitute(template, (name) => {
    const value = values.get(name);
    return value ?? (isComplete && value === undefined ? undefined : { unknown: true });
  });
  const text = pieces.map((piece) => (typeof piece === 'string' ? piece : undefined));
  const isKnown = !text.includes(undefined) && !mayContainVariables(text.join('')) && !text.join('').includes('{{');
  return isKnown ? plainPath(text.join('')) : undefined;
}

/** Returns the variables of a Kustomization, with null for each unknown value. */
function variablesOf({ uri, facts }: Definition, around: Around) {
  const values = new Map<string, string | null>();
  let isComplete = true;
  for (const source of facts.variableSources ?? []) {
    const data = source.startsWith('ConfigMap/')
      ? dataOf(source.slice('ConfigMap/'.length), uri, facts, around)
      : undefined;
    // An unknown source may set every variable again.
    if (data === undefined) {
      isComplete = false;
      values.clear();
    } else for (const [name, value] of data) values.set(name, value);
  }
  for (const [name, value] of facts.variables ?? []) values.set(name, value);
  return { values, isComplete };
}

/** Returns the entries of the ConfigMap that is nearest to the file of a Kustomization; undefined if there is none, or several are equally near. */
function dataOf(name: string, from: string, { namespace }: GitopsFacts, { settings, content }: Around) {
  const uris = [namespace, ''].flatMap((each) => settings().get(`\nConfigMap\n${each}\n${name}`) ?? []);
  const found = [...new Set(uris)].map((uri) => ({ uri, common: commonSteps(uri, from) }));
  const [first, second] = found.toSorted((a, b) => b.common - a.common);
  if (first === undefined || first.common === second?.common) return undefined;
  const object = content(first.uri);
  if (!isMap(object) || object['kind'] !== 'ConfigMap' || !isMap(object['metadata'])) return undefined;
  const data = object['data'];
  if (object['metadata']['name'] !== name || !isMap(data)) return undefined;
  return Object.entries(data).map(([key, value]) => {
    const isKnown = typeof value === 'string' && !mayContainVariables(value);
    return [key, isKnown ? value.replaceAll('\n', '') : null] as const;
  });
}

function isMap(data: Data | undefined): data is { readonly [key: string]: Data } {
  return typeof data === 'object' && data !== null && !Array.isArray(data);
}

function commonSteps(uri: string, from: string): number {
  const [a, b] = [uri.split('/'), from.split('/')];
  const different = a.findIndex((step, index) => step !== b[index]);
  return different === -1 ? a.length : different;
}
