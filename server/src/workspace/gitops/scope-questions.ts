/**
 * Questions about scopes on whose answers renderings of GitOps objects depend. They are asked again when the scopes change,
 * and reference only their parameters, so that a cached rendering does not retain an old snapshot.
 */

import { getOrAdd, memoized } from '../../engine/memoize.ts';
import { helmIgnoreName } from '../charts/helm-ignore.ts';
import { sumOf } from '../index/iterate.ts';
import type { ScopeQuestion } from '../kustomize/inputs.ts';
import { isRendered, type Scope, type Scopes } from '../scopes/model.ts';
import { scopeQuery, textOfScope } from '../scopes/recorded-scopes.ts';
import { allIdentities, type ScopeFacts } from '../scopes/scope-facts.ts';
import { stronglyConnected } from '../scopes/strongly-connected.ts';
import { fileNameOf } from '../uri.ts';
import { generatorsReading } from './data-files.ts';
import { gitopsScopesOf } from './defined-scopes.ts';
import { definitionKey, type GitopsObject } from './model.ts';

/** Returns a question for the content that the GitOps object at a path builds. */
export function contentAt(path: string): ScopeQuestion {
  return (scopes) => [contentKey(gitopsScopeAt(scopes, path)?.gitops)];
}

/** Returns a question for the scopes that apply the definition of the scope at a path; `uri` is the file of the definition. */
export function parentsOf(path: string, uri: string): ScopeQuestion {
  return (scopes) => {
    const { gitops } = gitopsScopeAt(scopes, path) ?? {};
    const definers = gitops === undefined ? scopes.of(uri) : definersOf(scopes, gitops);
    // A scope that applies itself, directly or through other scopes, is none of its own parents.
    const own = gitops && componentsIn(scopes).get(path);
    const isBelow = (each: Scope) => (own === undefined ? isAbove(path, each, scopes) : own.has(each.path));
    const parents = definers.filter((each) => isRendered(each) && !isBelow(each));
    return parents.map((each) => each.path);
  };
}

/** Returns the scopes that apply the definition of a GitOps object: of a version, only the scope that applies this version. */
export function definersOf(scopes: Scopes, { uri, facts: { appliedBy } }: GitopsObject): readonly Scope[] {
  const all = scopes.of(uri);
  return appliedBy === undefined ? all : all.filter(({ gitops }) => gitops && definitionKey(gitops) === appliedBy);
}

/** Returns a question for the GitOps objects that apply or build a file, but are defined in a different file. */
export function gitopsApplying(uri: string): ScopeQuestion {
  return (scopes) => {
    const applying = [...scopes.of(uri), ...scopes.building(uri)].filter(({ gitops }) => {
      return gitops !== undefined && gitops.uri !== uri;
    });
    return [...new Set(applying.map(({ path }) => path))];
  };
}

export function filesContaining(identity: string): ScopeQuestion {
  return (scopes) => filesWithIdentity(scopes, identity).filter((uri) => !scopes.isPatch(uri));
}

/** Returns a question for the kustomizations that generate an object with variables; `name` is the kind and name of the object. */
export function filesGenerating(name: string): ScopeQuestion {
  return (scopes) => generators(scopes).get(name) ?? [];
}

/** Returns a question for the kustomizations in the scope at a path that generate a ConfigMap from files, or change it. */
export function filesGeneratingWithin(path: string, name: string): ScopeQuestion {
  return (scopes) => {
    const uris = new Set((generatorsReading(scopes.facts()).get(name) ?? []).map(({ uri }) => uri));
    return [...uris].filter((uri) => scopes.building(uri).some((each) => each.path === path));
  };
}

/** The work that all releases of charts in a workspace may cause: a base, which suffices for 33 releases of the largest public charts, and a part for each file. */
const maximumSteps = 40_000_000;
const stepsOfFile = 1_000;
/** The limits of the work of one release. */
const stepsOfRelease = { least: 8_000, most: 1_200_000 };

/** Asks for the steps that each release of a chart may take: an equal share, so that it does not depend on the order in which releases are rendered. */
export const shareOfRelease: ScopeQuestion = (scopes) => {
  const share = (maximumSteps + stepsOfFile * scopes.facts().size) / Math.max(1, releasesIn(scopes).count);
  return [String(Math.max(stepsOfRelease.least, Math.min(stepsOfRelease.most, rounded(share))))];
};

/** The number of objects that all releases of one chart may build, which caches can hold. */
const objectsOfChart = 8_000;
/** The number of objects that the releases of all charts may build: a base, and a part for each file; each release may build the least number. */
const objectsOfCharts = 16_000;
const chartObjectsOfFile = 20;
const leastObjects = 50;

interface Releases {
  readonly count: number;
  /** The number of releases of each chart, and of the objects in its files, by its folder. */
  readonly byFolder: ReadonlyMap<string, { count: number; readonly written: number }>;
}

const knownReleases = new WeakMap<readonly Scope[], Releases>();

function releasesIn(scopes: Scopes): Releases {
  return getOrAdd(knownReleases, scopes.all(), () => countReleases(scopes));
}

function countReleases(scopes: Scopes): Releases {
  const byFolder = new Map<string, { count: number; readonly written: number }>();
  const facts = scopes.facts();
  let count = 0;
  const add = (folder: string, files: Iterable<string>) => {
    count++;
    getOrAdd(byFolder, folder, () => ({ count: 0, written: sumOf(files, (uri) => facts.get(uri)?.objects ?? 0) }))
      .count++;
  };
  for (const { gitops, kind, path, files } of scopes.all()) {
    if (kind === 'chart') add(path, files);
    for (const content of gitops?.contents ?? []) if (content?.chart) add(content.folder, content.members ?? []);
  }
  return { count, byFolder };
}

/** Returns a question for the number of objects that each release of the chart in a folder may build: twice the number of objects in its files, or an equal share of the maximum for all releases. */
export function mostObjectsOf(folder: string): ScopeQuestion {
  return (scopes) => {
    const { count, byFolder } = releasesIn(scopes);
    const { count: same = 1, written = 0 } = byFolder.get(folder) ?? {};
    const ofAll = (objectsOfCharts + chartObjectsOfFile * scopes.facts().size) / Math.max(1, count);
    const share = Math.min(objectsOfChart / same, Math.max(leastObjects, ofAll));
    return [String(Math.max(2 * written, rounded(share)))];
  };
}

/** Rounds a share down, so that it rarely changes: a change renders all charts again. */
function rounded(share: number): number {
  const unit = 2 ** (Math.floor(Math.log2(share)) - 1);
  return Math.floor(share / unit) * unit;
}

/** The work that replacing the variables of all Flux Kustomizations in a workspace may cause: a base, and a part for each file. */
const stepsOfVariables = 800_000;
const variableStepsOfFile = 200;

/** Asks for the steps that replacing the variables of one Flux Kustomization may take: an equal share. */
export const shareOfVariables: ScopeQuestion = (scopes) => {
  const kustomizations = getOrAdd(kustomizationCounts, scopes.all(), (all) => {
    return all.reduce((sum, { kind }) => sum + (kind === 'flux-kustomization' ? 1 : 0), 0);
  });
  const share = (stepsOfVariables + variableStepsOfFile * scopes.facts().size) / Math.max(1, kustomizations);
  // A rounded share rarely changes, and a change renders all Kustomizations again.
  return [String(2 ** Math.floor(Math.log2(share)))];
};

const kustomizationCounts = new WeakMap<readonly Scope[], number>();

export const allFiles: ScopeQuestion = (scopes) => [filesKey(scopes.facts())];

export const allCharts: ScopeQuestion = (scopes) => [chartsKey(scopes.facts())];

const byPath = memoized((scopes: Scopes) => new Map(gitopsScopesOf(scopes).map((scope) => [scope.path, scope])));

/** Returns the scope of the GitOps object at a path; undefined for every other path. */
export const gitopsScopeAt = scopeQuery(
  'GitOps object at',
  (scopes, path: string): Scope | undefined => byPath(scopes).get(path),
  (scope) => (scope === undefined ? '' : textOfScope(scope)),
);

const byIdentity = new WeakMap<ReadonlyMap<string, ScopeFacts>, ReadonlyMap<string, readonly string[]>>();

export const filesWithIdentity = scopeQuery(
  'files with',
  (scopes, identity: string): readonly string[] => {
    const facts = scopes.facts();
    const index = getOrAdd(byIdentity, facts, () => {
      const found = new Map<string, string[]>();
      for (const [uri, each] of facts) for (const one of allIdentities(each)) getOrAdd(found, one, () => []).push(uri);
      return found;
    });
    return index.get(identity) ?? [];
  },
  (uris) => uris.join(' '),
);

const byGenerated = new WeakMap<ReadonlyMap<string, ScopeFacts>, ReadonlyMap<string, readonly string[]>>();

/** Returns the kustomizations that generate objects with variables, by the kinds and names of these objects. */
function generators(scopes: Scopes): ReadonlyMap<string, readonly string[]> {
  const facts = scopes.facts();
  return getOrAdd(byGenerated, facts, () => {
    const found = new Map<string, string[]>();
    for (const [uri, { kustomization }] of facts)
      for (const name of kustomization?.generates ?? []) getOrAdd(found, name, () => []).push(uri);
    return found;
  });
}

/** The GitOps objects by path, each with the paths of all objects that apply it and that it applies, directly or through others. */
const componentsIn = memoized((scopes: Scopes): ReadonlyMap<string, ReadonlySet<string>> => {
  const definers = (scope: Scope) => (scope.gitops === undefined ? [] : definersOf(scopes, scope.gitops));
  const components = stronglyConnected(gitopsScopesOf(scopes), definers);
  const found = new Map<string, ReadonlySet<string>>();
  for (const component of components) {
    const paths = new Set(component.map(({ path }) => path));
    for (const { path, gitops } of component) if (gitops !== undefined) found.set(path, paths);
  }
  return found;
});

/** Whether the scope at a path applies a given scope, directly or through other scopes: an object that builds itself is its own parent. */
function isAbove(path: string, other: Scope, scopes: Scopes): boolean {
  const seen = new Set([other]);
  for (const each of seen) {
    if (each.path === path) return true;
    for (const parent of each.gitops === undefined ? [] : definersOf(scopes, each.gitops)) seen.add(parent);
  }
  return false;
}

const contentKeys = new WeakMap<GitopsObject, string>();

/** Returns a string that is equal for equal GitOps objects. */
function contentKey(gitops: GitopsObject | undefined): string {
  return gitops === undefined ? '' : getOrAdd(contentKeys, gitops, () => JSON.stringify(gitops));
}

const filesKey = memoized((facts: ReadonlyMap<string, ScopeFacts>): string => [...facts.keys()].toSorted().join('\n'));

/** Returns a string that is equal if the facts of all charts, and the files that they ignore, are equal. */
const chartsKey = memoized((facts: ReadonlyMap<string, ScopeFacts>): string =>
  JSON.stringify(
    [...facts].flatMap(([uri, { chart, ignores }]) => {
      const ignored = fileNameOf(uri) === helmIgnoreName ? ignores : undefined;
      return chart === undefined && ignored === undefined ? [] : [[uri, chart, ignored]];
    }),
  ),
);
