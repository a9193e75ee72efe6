/** Finds the GitOps objects of a workspace and the files that each of them builds. */

import { getOrAdd, once } from '../../engine/memoize.ts';
import { WorkBudget } from '../../engine/work-budget.ts';
import { type ArgoSettings, combinedSettings } from '../../manifests/gitops/argo-settings.ts';
import type { GitopsFacts, GitopsKind, GitopsSource } from '../../manifests/gitops/model.ts';
import type { Data } from '../../manifests/helm/value.ts';
import { gobwasMatcher } from '../../text/go-glob.ts';
import { localize } from '../../text/localize.ts';
import { percentEncode } from '../../text/percent-encoding.ts';
import { installedAmong, isHelperFile, isInTemplates, isPartial } from '../charts/chart-files.ts';
import type { ChartRoot } from '../charts/charts.ts';
import type { Kustomizations } from '../kustomize/kustomizations.ts';
import type { Surroundings } from '../scopes/model.ts';
import { installsPods, type OpenReason, type ScopeFacts } from '../scopes/scope-facts.ts';
import { isWithin, relativePath, resolveUri } from '../uri.ts';
import { argoContent } from './argo/argo-content.ts';
import type { GeneratorFiles } from './argo/generators.ts';
import { variablesOf, withVariables } from './argo/helm-values.ts';
import { expandedSet, foldersAround } from './argo/set-objects.ts';
import { overriddenSource, overridesAmong } from './argo/source-overrides.ts';
import { type LocatedObject, withChartDefinitions } from './chart-definitions.ts';
import { generatorsReading } from './data-files.ts';
import { fluxContent, isFolderLeftOut } from './flux-content.ts';
import { type FolderTree, folderTree } from './folder-tree.ts';
import { type DataFiles, type DataUse, type GitopsContent, type GitopsObject, kindNames } from './model.ts';
import { withVersions } from './path-variables.ts';
import { findRepositories, type LocatedFolder } from './repositories.ts';
import { type IsLeftOut, leftOutOf } from './source-ignore.ts';
import { valueFilesIn } from './value-files.ts';

/** A GitOps object with the files that it builds. */
interface GitopsRoot {
  /** The URI of the file that defines the object, followed by the object's name if the file defines several. */
  readonly path: string;
  readonly gitops: GitopsObject;
  readonly files: ReadonlySet<string>;
  readonly bases: ReadonlySet<string>;
  /** The files that affect what is built but contain none of the built objects. */
  readonly parts: readonly string[];
  readonly openBecause: readonly OpenReason[];
}

export interface GitopsRoots {
  readonly roots: readonly GitopsRoot[];
  /** The folders of kustomizations and charts that GitOps objects build. These folders are not separate scopes. */
  readonly reached: ReadonlySet<string>;
  /** The reasons why a scope is open if it contains the GitOps objects of a file, by that file. */
  readonly openBecause: ReadonlyMap<string, Installer>;
  /** The reasons why the kustomizations in some folders may have other labels than their files state. */
  readonly uncertain: ReadonlyMap<string, readonly OpenReason[]>;
  /** The files that GitOps objects read as data. */
  readonly dataFiles: DataFiles;
  /** The files in which not all Applications are known, because finding them is too much work. */
  readonly cut: ReadonlySet<string>;
}

/** The reasons why a scope that contains some GitOps objects is open. */
export interface Installer {
  readonly reasons: readonly string[];
  /** Whether all objects that are in no file belong to charts, in releases that the facts list. */
  readonly areReleases: boolean;
}

const none: GitopsRoots = {
  roots: [],
  reached: new Set(),
  openBecause: new Map(),
  uncertain: new Map(),
  dataFiles: new Map(),
  cut: new Set(),
};

/** Finds all GitOps objects. In a workspace without GitOps objects, it only examines the facts of each file. */
export function findGitops(
  files: ReadonlyMap<string, ScopeFacts>,
  surroundings: Surroundings,
  kustomizations: Kustomizations,
  charts: readonly ChartRoot[],
): GitopsRoots {
  const defining = [...files].filter(([, { gitops }]) => gitops !== undefined);
  if (defining.length === 0) return none;
  const tree = folderTree(files.keys());
  const dataFiles = new Map<string, DataUse>();
  const { content, text } = readersOf(files, dataFiles);
  const argo = combinedSettings([...files.values()].flatMap((each) => each.argo ?? []));
  const context = { files, tree, kustomizations, charts, argo, content, ignored: new Map<string, IsLeftOut>() };
  const { folders: workspaceFolders } = surroundings;
  const { expanded, openSets, cut } = expansion(context, workspaceFolders);
  const written = defining.flatMap(([uri, { gitops = [] }]) => {
    return isDefinition(uri, kustomizations) ? gitops.flatMap((facts) => expanded({ uri, facts })) : [];
  });
  const templates = defining.flatMap(([uri]) => (isInTemplates(uri) ? [uri] : []));
  const locate = (objects: readonly Defined[]) => locatedObjects(objects, context, surroundings);
  const sources = { charts, files, templates, content, text, expanded, locate };
  const { objects: found, known, unclear } = withChartDefinitions(locate(written), sources, cut);
  const membersOf = ({ contents, ...each }: LocatedObject) => reachedBy(each, contents, context).files;
  const settings = once(() => filesWithSettings(files));
  const objects = withVersions(found, { settings, content, membersOf, locate });
  requestValues(objects, files, settings, dataFiles);
  const pathOf = pathsIn(files);
  const roots = objects.map(({ uri, facts, located, contents }): GitopsRoot => {
    return {
      path: pathOf(uri, facts),
      gitops: { kind: facts.kind, uri, facts, located, contents },
      ...reachedBy({ uri, facts }, contents, context),
    };
  });
  const contents = roots.flatMap(({ gitops }) => gitops.contents).filter((each) => each !== undefined);
  const reached = new Set(
    contents.flatMap(({ folder, kustomized, chart, resources, components }) => [
      ...(kustomized || chart ? [folder] : resources.filter((uri) => kustomizations.folders.has(uri))),
      ...components,
    ]),
  );
  const definitions = [...objects, ...unclearDefinitions(files, unclear)];
  return {
    roots,
    reached,
    openBecause: openFiles(roots, defining, { files, openSets, known, unclear }),
    uncertain: mayBeChanged(definitions, [...kustomizations.folders.keys()], workspaceFolders),
    dataFiles,
    cut,
  };
}

/** Returns functions that read the data and the texts of files, and record them in `dataFiles`. */
function readersOf(files: Context['files'], dataFiles: Map<string, DataUse>) {
  const content = (uri: string) => {
    dataFiles.set(uri, 'layout');
    const data = files.get(uri)?.data;
    return data !== undefined && 'content' in data ? data.content : undefined;
  };
  const text = (uri: string) => {
    dataFiles.set(uri, 'text');
    const data = files.get(uri)?.data;
    return data !== undefined && 'text' in data ? data.text : undefined;
  };
  return { content, text };
}

/** The work that all ApplicationSets of a workspace may cause: a base, and a part for each file. Sets beyond it may create any Applications. */
const stepsOfSets = 2_500_000;
const stepsOfFile = 1_000;

/** Returns a function that replaces an ApplicationSet by its Applications, and the files whose sets may create more of them. */
function expansion({ files, tree, kustomizations, content }: Context, roots: readonly string[]) {
  const allFiles = once(() => [...files.keys()].toSorted());
  const built = once(() => {
    const found = kustomizations.roots(new Set());
    return {
      folders: new Set(found.map(({ folder }) => folder)),
      files: new Set(found.flatMap((each) => [...each.files])),
    };
  });
  const included = (folder: string) =>
    kustomizations.folders.has(folder)
      ? !built().folders.has(folder)
      : tree.filesIn(folder).some((uri) => built().files.has(uri));
  const around = { tree, roots, files: allFiles, included, content, known: new Map<string, GeneratorFiles>() };
  const openSets = new Set<string>();
  const cut = new Set<string>();
  const budget = new WorkBudget(stepsOfSets + stepsOfFile * files.size);
  const expanded = ({ uri, facts }: Defined): readonly Defined[] => {
    if (facts.set === undefined) return [{ uri, facts }];
    const set = budget.run(() => expandedSet(uri, facts, around));
    if (set === undefined) cut.add(uri);
    if (set === undefined || set.open) openSets.add(uri);
    return (set?.facts ?? []).map((each) => ({ uri, facts: each }));
  };
  return { expanded, openSets, cut };
}

/** Finds the folders of the sources of some objects, and the content of these folders. */
function locatedObjects(
  objects: readonly Defined[],
  context: Context,
  surroundings: Surroundings,
): readonly LocatedObject[] {
  const folderOf = findRepositories(objects, context.files, context.tree, surroundings);
  return objects.map(({ uri, facts }): LocatedObject => {
    const located = facts.sources.map((source) => folderOf(uri, source));
    const contents = facts.sources.map((source, index) => {
      const place = located[index];
      return place?.exists ? contentOf(place, source, context, facts) : undefined;
    });
    return { uri, facts, located, contents };
  });
}

/** Records the files with the values and the templates of charts, which renderings read. */
function requestValues(
  objects: readonly LocatedObject[],
  files: Context['files'],
  settings: () => ReadonlyMap<string, readonly string[]>,
  dataFiles: Map<string, DataUse>,
) {
  const settingsOf = ({ sources, namespace }: GitopsFacts) =>
    sources
      .flatMap(({ valueObjects = [] }) => valueObjects)
      .flatMap(({ kind, name }) => [
        ...[namespace, ''].flatMap((each) => settings().get(`\n${kind}\n${each}\n${name}`) ?? []),
        ...(kind === 'ConfigMap' ? (generatorsReading(files).get(name) ?? []) : []).flatMap(({ inputs }) => inputs),
      ]);
  const seen = new Set<readonly string[]>();
  for (const { facts, contents } of objects) {
    for (const uri of [...contents.flatMap((content) => content?.valueFiles ?? []), ...settingsOf(facts)])
      if (!dataFiles.has(uri)) dataFiles.set(uri, 'rendering');
    for (const { chart, members = [] } of contents.flatMap((content) => content ?? [])) {
      if (!chart || seen.has(members)) continue;
      seen.add(members);
      for (const uri of members)
        if (isInTemplates(uri) && !(isHelperFile(uri) && isPartial(uri)) && !dataFiles.has(uri))
          dataFiles.set(uri, 'template');
    }
  }
}

/** A definition of a GitOps object in a file. */
type Defined = Pick<GitopsObject, 'uri' | 'facts'>;

/** Returns the definitions in some templates, as they are written. */
function unclearDefinitions(files: Context['files'], uris: ReadonlySet<string>): readonly Defined[] {
  return [...uris].flatMap((uri) => (files.get(uri)?.gitops ?? []).map((facts) => ({ uri, facts })));
}

/** Returns the folders whose labels a definition with an unknown path may change, with the reasons. */
function mayBeChanged(
  definitions: readonly Defined[],
  folders: readonly string[],
  roots: readonly string[],
): ReadonlyMap<string, readonly OpenReason[]> {
  const found = new Map<string, OpenReason[]>();
  for (const { uri, facts } of definitions) {
    for (const { mayChange } of facts.sources) {
      const matches = mayChange === undefined ? undefined : gobwasMatcher(mayChange);
      if (matches === undefined) continue;
      for (const folder of folders)
        if (foldersAround(uri, roots).some((root) => isWithin(folder, root) && matches(relativePath(root, folder))))
          getOrAdd(found, folder, () => []).push({ uri, reason: localize`may change the labels of this folder` });
    }
  }
  return found;
}

function filesWithSettings(files: ReadonlyMap<string, ScopeFacts>): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const [uri, { identities }] of files)
    for (const each of identities)
      if (/^\n(?:ConfigMap|Secret)\n/.test(each)) getOrAdd(found, each, () => []).push(uri);
  return found;
}

function valuesIn(
  place: LocatedFolder,
  source: GitopsSource,
  { name, targetNamespace: namespace = '*' }: GitopsFacts,
  files: Context['files'],
): readonly string[] {
  // Build variables other than the name and the namespace may have any value.
  const others = { project: '*', path: '*', repository: '*', revision: '*' };
  const variables = variablesOf({ name, namespace, ...others });
  const found = valueFilesIn(place, source, files, (text) => withVariables(text, variables));
  return found.flatMap(({ uri }) => uri ?? []);
}

/** Returns a function that returns the path of each object: the URI of its file, followed by the object's name if the file defines several. */
function pathsIn(files: ReadonlyMap<string, ScopeFacts>): (uri: string, facts: GitopsFacts) => string {
  const used = new Map<string, GitopsFacts>();
  const counts = new Map<string, number>();
  return (uri, facts) => {
    const { kind, namespace, from, rendered, appliedBy, sources } = facts;
    const name = appliedBy === undefined ? facts.name : `${facts.name}~${sources[0]?.path ?? '*'}`;
    const isOnly = files.get(uri)?.gitops?.length === 1 && (from ?? rendered ?? appliedBy) === undefined;
    if (isOnly) return uri;
    const pathWith = (text: string) => `${uri}#${percentEncode(text)}`;
    let path = pathWith(name);
    if (used.get(path)?.kind !== kind && used.has(path)) path = pathWith(`${kindNames[kind]}/${name}`);
    if (used.get(path)?.namespace !== namespace && used.has(path))
      path = pathWith(`${kindNames[kind]}/${namespace}/${name}`);
    // A set may create several Applications with one name, which cannot contain a tilde.
    const first = path;
    let count = counts.get(first) ?? 1;
    while (used.has(path)) path = `${first}~${++count}`;
    counts.set(first, count);
    used.set(path, facts);
    return path;
  };
}

interface Context {
  readonly files: ReadonlyMap<string, ScopeFacts>;
  readonly tree: FolderTree;
  readonly kustomizations: Kustomizations;
  readonly charts: readonly ChartRoot[];
  readonly argo: ArgoSettings;
  /** Returns the content of a file that determines what is built; undefined if the content is unknown. */
  content(uri: string): Data | undefined;
  /** The files that a source excludes, by the root of its repository and its list of patterns. */
  readonly ignored: Map<string, IsLeftOut>;
}

/** Whether a file can define GitOps objects. Patches and chart templates cannot, because they contain only parts of objects. */
function isDefinition(uri: string, { patches }: Kustomizations): boolean {
  return !patches.has(uri) && !isInTemplates(uri);
}

function contentOf(
  place: LocatedFolder,
  written: GitopsSource,
  context: Context,
  facts: GitopsFacts,
): GitopsContent | undefined {
  const { tree, kustomizations, charts, files } = context;
  const { folder, root } = place;
  const overrides = written.tool === 'argo' ? overridesAmong(tree.namesIn(folder), facts) : [];
  const source = overrides.length === 0 ? written : overriddenSource(written, overrides.map(context.content));
  const components = (source.components ?? [])
    .map((path) => resolveUri(folder, path))
    .filter((uri) => kustomizations.folders.has(uri) || (source.tool === 'flux' && !source.ignoresMissing));
  if (source.tool === 'flux') {
    const isLeftOut = leftOutBy(source, root, context);
    if (isFolderLeftOut(folder, tree, isLeftOut)) return undefined;
    return { folder, ...fluxContent(folder, tree, kustomizations.folders, isLeftOut), components };
  }
  const isChart = source.tool === 'helm' && charts.some((each) => each.folder === folder);
  const found =
    source.tool === 'argo'
      ? argoContent(folder, source, context)
      : isChart && ({ chart: true, resources: [] } as const);
  if (!found) return undefined;
  const content = { folder, ...found, components, ...(overrides.length > 0 && { overrides }) };
  if (!found.chart) return content;
  const chart = charts.find((each) => each.folder === folder);
  const valueFiles = valuesIn(place, source, facts, files);
  return chart && { ...content, members: installedAmong(chart.files), ...(valueFiles.length > 0 && { valueFiles }) };
}

function leftOutBy({ repository }: GitopsSource, root: string, { files, ignored }: Context): IsLeftOut {
  // Each cluster may define its own source with this name. A file is excluded if all of them exclude it.
  const sources = [...files.values()].flatMap(({ gitopsSources = [] }) => gitopsSources);
  const lists = new Set(sources.filter(({ id }) => id === repository).map(({ ignore }) => ignore));
  if (lists.size === 0) lists.add(undefined);
  const each = [...lists].map((own) => getOrAdd(ignored, `${root}\n${own ?? ''}`, () => leftOutOf(root, own, files)));
  return (uri) => each.every((isLeftOut) => isLeftOut(uri));
}

/** Returns all files and folders that are built from the folders of an object. */
function reachedBy(
  { uri, facts }: { readonly uri: string; readonly facts: GitopsFacts },
  contents: readonly (GitopsContent | undefined)[],
  { files, kustomizations, charts, argo }: Context,
): Omit<GitopsRoot, 'path' | 'gitops'> {
  const members: ReadonlySet<string>[] = [];
  const bases = new Set<string>();
  const parts = new Set([uri]);
  const reasons: OpenReason[] = [];
  for (const [index, content] of contents.entries()) {
    if (content === undefined) {
      reasons.push({ uri, reason: absentReason(facts.sources[index]) });
      continue;
    }
    const { tool, explicit } = facts.sources[index] ?? {};
    if (argo.claims && tool === 'argo' && explicit === undefined)
      reasons.push({ uri, reason: localize`may be rendered with a plugin` });
    const { folder, kustomized, resources, components } = content;
    const chart = content.chart ? charts.find((each) => each.folder === folder) : undefined;
    if (chart !== undefined) members.push(chart.files);
    reasons.push(...(chart?.openBecause ?? []));
    const built = kustomized ? [folder] : resources.filter((each) => kustomizations.folders.has(each));
    const reached = kustomizations.reachedFrom(built, components);
    const listed = resources.filter((each) => (files.get(each)?.objects ?? 0) > 0 || files.get(each)?.unread === true);
    members.push(new Set([...listed, ...reached.files]));
    for (const each of [...listed, ...reached.bases]) bases.add(each);
    for (const each of reached.parts) parts.add(each);
    reasons.push(...reached.openBecause);
    for (const each of components)
      if (!kustomizations.folders.has(each))
        reasons.push({ uri, reason: localize`names '${relativePath(folder, each)}', which does not exist` });
  }
  // All releases of one chart share the set of its files.
  const [only, ...others] = members.filter(({ size }) => size > 0);
  const all = others.length === 0 ? (only ?? new Set<string>()) : new Set(members.flatMap((each) => [...each]));
  return { files: all, bases, parts: [...parts], openBecause: reasons };
}

/** Returns the reason why the objects of a source are unknown. */
function absentReason({ path, repository = '' }: Partial<GitopsSource> = {}): string {
  if (repository.startsWith('ExternalArtifact/')) {
    const name = repository.slice(repository.lastIndexOf('/') + 1);
    return localize`builds a folder of ExternalArtifact/${name}, whose content is not evaluated`;
  }
  if (path === undefined) return localize`builds an unknown folder`;
  if (path === '') return localize`builds the root of a repository that is not in the workspace`;
  return localize`builds '${path}', which is not in the workspace`;
}

interface OpenSurroundings {
  readonly files: ReadonlyMap<string, ScopeFacts>;
  /** The files with ApplicationSets that may create more Applications. */
  readonly openSets: ReadonlySet<string>;
  /** The templates whose definitions are known, and those that may define other objects. */
  readonly known: ReadonlySet<string>;
  readonly unclear: ReadonlySet<string>;
}

/** Returns the reasons why the scopes that contain GitOps objects are open: some of the objects that such a GitOps object builds are in no file, or are unknown. A GitOps object that builds itself does not make its own scope open. */
function openFiles(
  roots: readonly GitopsRoot[],
  defining: readonly (readonly [string, ScopeFacts])[],
  { files, openSets, known: templates, unclear }: OpenSurroundings,
): ReadonlyMap<string, Installer> {
  const around = new Map<string, GitopsRoot[]>();
  for (const root of roots) for (const uri of root.files) getOrAdd(around, uri, () => []).push(root);
  const spread = (some: readonly GitopsRoot[]): ReadonlySet<GitopsRoot> => {
    const open = new Set(some);
    // The set grows while it is iterated.
    for (const { gitops } of open) for (const root of around.get(gitops.uri) ?? []) open.add(root);
    return open;
  };
  const incomplete = roots.filter((root) => isIncomplete(root, files));
  const open = spread(incomplete);
  const unknown = spread(incomplete.filter(({ gitops }) => gitops.facts.releases === undefined));
  const kinds = new Map<string, Set<string>>();
  const add = (uri: string, kind: GitopsKind) => getOrAdd(kinds, uri, () => new Set()).add(kindNames[kind]);
  for (const uri of openSets) kinds.set(uri, new Set(['ApplicationSet']));
  for (const uri of unclear) add(uri, 'argo-application');
  for (const { gitops } of open) add(gitops.uri, gitops.kind);
  const known = new Set([...templates, ...roots.map(({ gitops }) => gitops.uri)]);
  for (const [uri, { gitops = [] }] of defining) if (!known.has(uri)) for (const { kind } of gitops) add(uri, kind);
  const others = new Set([...openSets, ...unclear, ...Array.from(unknown, ({ gitops }) => gitops.uri)]);
  return new Map(
    Array.from(kinds, ([uri, each]) => {
      const areReleases = known.has(uri) && !others.has(uri);
      return [uri, { reasons: Array.from(each, installsPods), areReleases }];
    }),
  );
}

function isIncomplete({ gitops, openBecause, files }: GitopsRoot, facts: ReadonlyMap<string, ScopeFacts>): boolean {
  if (gitops.facts.openBecause.length > 0 || openBecause.some((each) => !each.areDefinitions)) return true;
  if (gitops.contents.length === 0 || gitops.contents.includes(undefined)) return true;
  return [...files].some((uri) => (facts.get(uri)?.openBecause.length ?? 0) > 0);
}
