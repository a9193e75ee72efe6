/** Creates snapshots of a workspace. A snapshot is immutable; a change creates a new snapshot that shares all unchanged parts. */

import type { Catalogue } from '../engine/catalogue/types.ts';
import { once } from '../engine/memoize.ts';
import { contain, type Log } from '../log.ts';
import type { FileData } from '../manifests/gitops/model.ts';
import type { Note } from '../manifests/helm/chart-context.ts';
import { readChart } from '../manifests/helm/chart-file.ts';
import { valueObjects } from '../manifests/helm/value-objects.ts';
import { isTooLargeToRead, readData, readValues } from '../manifests/helm/values.ts';
import { valuesRead } from '../manifests/helm/values-read.ts';
import { type Host, hostOf, mayBeManifest } from '../manifests/inline/host-language.ts';
import { type Inline, readInline } from '../manifests/inline/inline.ts';
import type { Trees } from '../manifests/inline/yaml-strings.ts';
import { isKustomizationName, readKustomization, usualKustomization } from '../manifests/kustomize/kustomization.ts';
import type { Manifest, ManifestObject, Mutable } from '../manifests/model.ts';
import { readManifest } from '../manifests/parse-manifest.ts';
import { syntaxProblems } from '../manifests/yaml/syntax-errors.ts';
import { type ConfigReading, plainReading, readConfig } from '../settings/read-config.ts';
import { lineTable } from '../text/lines.ts';
import { isAdded } from './absent-file.ts';
import type { ChartFileFacts, ChartReading, ValuesReading } from './charts/chart-contexts.ts';
import {
  isChartValues,
  isHelperFile,
  isInTemplates,
  isOddTemplate,
  isPartial,
  isValuesFile,
} from './charts/chart-files.ts';
import { isConfigName } from './configs.ts';
import type { Question, Questions } from './dependencies/questions.ts';
import { isUnread } from './gitops/data-files.ts';
import type { DataUse } from './gitops/model.ts';
import { isTextFile } from './ignore/folder-filter.ts';
import { inEveryCluster, wantedIn } from './index/index-entries.ts';
import { oneAfterTheOther } from './index/iterate.ts';
import { LayeredMap } from './index/layered-map.ts';
import { updateIndex, WorkspaceIndex } from './index/workspace-index.ts';
import { Renderings, reasonIn, renderingIn } from './kustomize/renderings.ts';
import { scopesThatMayBuild } from './kustomize/scopes-that-may-build.ts';
import { type Listing, noListing } from './live/folder-listing.ts';
import { hasGeneratedHeader } from './live/generated-files.ts';
import type { FileChange, Workspace, WorkspaceFile } from './model.ts';
import { lookupsIn, lookupsInFiles, observedBy, untilEnough } from './recorded-lookups.ts';
import { type Layout, layoutAfter, layoutOf } from './scopes/layout.ts';
import type { ChartValues } from './scopes/model.ts';
import { everyCluster, hasDefaultValues, type Scope } from './scopes/model.ts';
import { recordedScopes } from './scopes/recorded-scopes.ts';
import { scopeFactsOf } from './scopes/scope-facts.ts';
import { externalsOf } from './selection/external-objects.ts';
import { fileNameOf, resolveUri } from './uri.ts';

/** The context in which a file is parsed, in addition to the catalogue. */
export interface FileReading {
  readonly config: ConfigReading;
  /** Returns the kinds of a file that are known only from definitions in the workspace. */
  kindsIn(manifest: Manifest): readonly string[];
  readonly chart?: ChartReading | undefined;
  readonly values?: ValuesReading | undefined;
  /** The use that GitOps objects make of the file as data; absent if they do not read it. */
  readonly data?: DataUse | undefined;
  /** The language identifier of an open file. */
  readonly language?: string | undefined;
  /** Whether the file is not open, so that the selectors and labels in its commands are not needed. */
  readonly closed?: boolean;
  /** Logs a failure in parsing commands, which are parsed lazily; without a log, the error is thrown. */
  readonly log?: Log | undefined;
}

/** The context of a file without configuration: only the catalogue. */
export const plainFileReading: FileReading = { config: plainReading, kindsIn: () => [] };

/** Parses the text of one file (without a byte order mark); `catalogue` includes the kinds of the context. */
export function readFile(
  uri: string,
  text: string,
  catalogue: Catalogue,
  { config: reading, kindsIn, chart, values, data: use, language, log, closed = false }: FileReading = plainFileReading,
): WorkspaceFile {
  const name = fileNameOf(uri);
  const config = isConfigName(name) ? readConfig(text) : undefined;
  const usual = isKustomizationName(name) ? usualKustomization : undefined;
  const host = config === undefined ? hostOf(name, text, language) : undefined;
  // Files that Helm reads as values or as helpers are never applied, whatever keys they have.
  const isRead = (values !== undefined && isChartValues(uri)) || (chart !== undefined && isPartial(uri));
  const isRendered = isOddTemplate(uri) && language === undefined;
  const isText = isTextFile(name);
  const isManifest = mayBeManifest(host, language) && !isHelperFile(uri) && !isRendered && !isRead && !isText;
  const template = chart?.reader.reading(uri, text);
  const trees: Trees | undefined = host === 'yaml' && !closed ? new Map() : undefined;
  const manifest =
    config === undefined
      ? readManifest(isManifest ? text : '', catalogue, {
          placeholders: reading.placeholders,
          template,
          usual,
          onTree: trees && ((start, root) => trees.set(start, root)),
        })
      : externalsOf(config, catalogue);
  const filled = values === undefined ? [] : valueObjects(text, values.sites, catalogue);
  const whole = filled.length === 0 ? manifest : { ...manifest, objects: [...manifest.objects, ...filled] };
  const commandsIn = (host: Host) =>
    containedCommands(log, uri, () => readInline(text, host, catalogue, { trees }), trees);
  const file: Mutable<Omit<WorkspaceFile, 'scope'>> = {
    uri,
    manifest: host === undefined || closed ? whole : withInline(whole, () => commandsIn(host)),
    lines: lineTable(text),
    objects: whole.objects.filter((object) => object.forCluster).length,
  };
  if (usual !== undefined) file.kustomization = readKustomization(text, catalogue);
  const charted = readChart(name, text);
  if (charted !== undefined) file.chart = charted.chart;
  addChartFacts(file, text, chart, values);
  if (use === 'template') file.template = text;
  else if (use !== undefined) file.data = use === 'text' ? { text } : dataOf(text);
  const isOfChart = charted !== undefined || (values !== undefined && isChartValues(uri));
  const notes = [
    ...(template?.notes ?? []),
    ...(isOfChart ? yamlErrors(text, reading.placeholders) : []),
    ...((isOfChart && file.helm?.hasUnknownValues) || isUnread(file) ? [unreadNote] : []),
  ];
  if (notes.length > 0) file.notes = notes;
  if (config !== undefined) file.config = config;
  const generated = config === undefined && hasGeneratedHeader(text);
  const read = {
    ...{ readingKey: reading.key, generated, kinds: kindsIn(whole) },
    ...(isText && { ignores: text }),
    ...(isInTemplates(uri) && text.includes('.Files') && { readsFiles: true as const }),
    ...(includesObjects(uri, text, file.objects) && { includesObjects: true as const }),
    ...(use !== 'rendering' && file.data && { data: file.data }),
  };
  return { ...file, scope: scopeFactsOf(file, catalogue, read) };
}

/** Returns a text as data. */
function dataOf(text: string): FileData {
  const content = readData(text);
  return { content, ...(content === undefined && isTooLargeToRead(text) && { isTooLarge: true }) };
}

const unreadNote: Note = { at: 0, message: 'contains values that are too large to be read', is: 'limit' };

/** Whether a template contains no object, but includes helpers at the start of a line. */
function includesObjects(uri: string, text: string, objects: number): boolean {
  const isTemplate = objects === 0 && isInTemplates(uri) && !isPartial(uri) && !isHelperFile(uri);
  return isTemplate && !uri.endsWith('NOTES.txt') && /^\{\{-? *(?:include|template|tpl) /m.test(text);
}

/** Returns the syntax errors of a file that Helm parses as YAML. */
function yamlErrors(text: string, placeholders: readonly string[] = []): readonly Note[] {
  return syntaxProblems(text, { placeholders, isManifest: true }).map(({ at, reason }) => ({
    at,
    message: reason,
    is: 'yaml error',
  }));
}

/** Whether a file has a syntax error, or an include that a rule may report. */
export function hasErrors({ manifest, notes }: WorkspaceFile): boolean {
  return manifest.syntaxErrors > 0 || notes?.some(({ is, near }) => is !== undefined || near !== undefined) === true;
}

/** Returns the commands of a file; none if parsing them fails. */
function containedCommands(log: Log | undefined, uri: string, read: () => Inline, trees: Trees | undefined): Inline {
  return contain<Inline>(
    log,
    `commands in ${uri}`,
    () => {
      const found = read();
      trees?.clear();
      return found;
    },
    () => ({ objects: [], words: [] }),
  );
}

/** Commands are parsed lazily, and not in closed files. They are neither retained nor compared. */
function withInline(manifest: Manifest, find: () => Inline): Manifest {
  const found = once(find);
  return Object.defineProperties(
    { ...manifest },
    {
      inline: { get: () => found().objects, enumerable: false },
      words: { get: () => found().words, enumerable: false },
    },
  );
}

function addChartFacts(
  file: Mutable<Pick<WorkspaceFile, 'uri' | 'helm' | 'chartKey' | 'valuesRead'>>,
  text: string,
  chart: ChartReading | undefined,
  values: ValuesReading | undefined,
): void {
  const helm = chartFileFacts(file.uri, text);
  if (helm !== undefined) file.helm = helm;
  const chartKey = chartKeyOf(file.uri, text, chart, values);
  if (chartKey !== undefined) file.chartKey = chartKey;
  const paths = isInTemplates(file.uri) ? valuesRead(text) : undefined;
  if (paths !== undefined) file.valuesRead = paths;
}

/** Returns the key of the chart facts with which a file is parsed, which is empty for a template or values file without a chart; undefined if the file does not depend on a chart. */
function chartKeyOf(
  uri: string,
  text: string,
  chart: ChartReading | undefined,
  values: ValuesReading | undefined,
): string | undefined {
  if (isInTemplates(uri)) return !isHelperFile(uri) && text.includes('{{') ? (chart?.key ?? '') : undefined;
  return isValuesFile(uri) ? (values?.key ?? '') : undefined;
}

/** Returns the facts that a file contributes to the templates of its chart, if the file is in a chart. */
function chartFileFacts(uri: string, text: string): ChartFileFacts | undefined {
  if (fileNameOf(uri) === 'values.yaml') {
    const values = readValues(text);
    return values === undefined ? { hasUnknownValues: true } : { values };
  }
  return isInTemplates(uri) && definition.test(text) ? { helpers: text } : undefined;
}

const definition = /\{\{-?\s{0,10}(?:define|block)\s/;

/** An index with outdated versions of some files. */
interface StaleIndex {
  readonly index: WorkspaceIndex;
  /** The versions of the changed files that are in the index. */
  readonly before: ReadonlyMap<string, WorkspaceFile | undefined>;
}

/**
 * The index is updated in place, so a snapshot passes it to its successor. If the older snapshot is used again, it
 * builds a new index: slower, but correct.
 */
const handOver = new WeakMap<Workspace, (before: StaleIndex['before']) => StaleIndex | undefined>();

const layouts = new WeakMap<Workspace, Layout>();

/**
 * The renderings are also passed to the successor; they are compared with the files, and never changed by a snapshot.
 */
const renderings = new WeakMap<Workspace, Renderings>();

/** The inputs of a workspace in addition to its files. */
export interface WorkspaceParts {
  /** An index that already contains the files, except for those in `before`. */
  readonly stale?: StaleIndex;
  readonly listing?: Listing | undefined;
  /** The namespace of objects that set none. */
  readonly namespace?: string | undefined;
  readonly chartValues?: ChartValues | undefined;
  readonly namedKustomizations?: readonly string[] | undefined;
  readonly rendered?: Renderings | undefined;
  /** Logs failures; without a log, failures are thrown. */
  readonly log?: Log;
  readonly questions?: Questions | undefined;
}

export function workspaceIn(
  folders: readonly string[],
  files: Iterable<readonly [uri: string, file: WorkspaceFile]>,
  {
    stale,
    listing = noListing,
    namespace,
    chartValues,
    namedKustomizations,
    log,
    questions,
    rendered = new Renderings(),
  }: WorkspaceParts = {},
): Workspace {
  const known = new LayeredMap(new Map(files));
  const around = {
    folders: folders.map((folder) => folder.replace(/\/$/, '')),
    listing,
    namespace,
    chartValues,
    namedKustomizations,
    log,
    questions,
  };
  return workspaceOf(known, layoutOf(known, around), stale, rendered);
}

const nowhere = {
  folders: [],
  listing: noListing,
  namespace: undefined,
  chartValues: undefined,
  namedKustomizations: undefined,
  log: undefined,
  questions: undefined,
};

/** Returns the snapshot with some files replaced; a file whose new version is `undefined` is removed. */
export function withFiles(
  workspace: Workspace,
  changes: Iterable<readonly [uri: string, file: WorkspaceFile | undefined]>,
): Workspace {
  const changed = new Map(changes);
  const before = new Map([...changed.keys()].map((uri) => [uri, workspace.files.get(uri)]));
  const files = workspace.files.with(changed);
  const known = layouts.get(workspace) ?? layoutOf(files, nowhere);
  const layout = layoutAfter(known, before, files);
  return workspaceOf(files, layout, handOver.get(workspace)?.(before), renderings.get(workspace));
}

/** Returns a snapshot with the scopes of another one with the same folders and settings, except for what differs because of different files. What depends on equal scopes is then not computed again. */
export function withScopesOf(workspace: Workspace, other: Workspace): Workspace {
  const [layout, theirs] = [layouts.get(workspace), layouts.get(other)];
  if (layout === undefined || theirs === undefined) return workspace;
  const { files } = workspace;
  const uris = new Set([...files.keys(), ...other.files.keys()]);
  const differing = [...uris].filter((uri) => files.get(uri) !== other.files.get(uri));
  const { configs, scopes, computed } = theirs;
  const before = new Map(differing.map((uri) => [uri, other.files.get(uri)]));
  const shared = layoutAfter({ ...layout, configs, scopes, computed }, before, files);
  return workspaceOf(files, shared, handOver.get(workspace)?.(new Map()), renderings.get(workspace));
}

/** Returns the workspace before some changes of its files; it has no index. */
export function workspaceBefore(workspace: Workspace, changes: readonly FileChange[]): Workspace {
  const known = layouts.get(workspace);
  if (known === undefined) return workspace;
  const now = new Map(changes.map(({ after: { uri } }) => [uri, workspace.files.get(uri)]));
  const earlier = changes.map((change) => [change.after.uri, isAdded(change) ? undefined : change.before] as const);
  const files = workspace.files.with(earlier);
  return workspaceOf(files, layoutAfter(known, now, files), undefined);
}

function workspaceOf(
  files: LayeredMap<string, WorkspaceFile>,
  layout: Layout,
  handed: StaleIndex | undefined,
  rendered: Renderings = new Renderings(),
): Workspace {
  let index: WorkspaceIndex | undefined;
  let stale = handed;
  const indexed = (): WorkspaceIndex => {
    if (index === undefined) {
      index = stale?.index ?? new WorkspaceIndex();
      updateIndex(index, files, stale?.before, layout.log);
      stale = undefined;
    }
    return index;
  };
  const workspace = workspaceWith(files, layout, indexed, rendered);
  renderings.set(workspace, rendered);
  layouts.set(workspace, layout);
  handOver.set(workspace, (changed) => {
    const given = index ?? stale?.index;
    const before = index === undefined ? new Map([...changed, ...(stale?.before ?? [])]) : changed;
    index = stale = undefined;
    return given && { index: given, before };
  });
  const ofDefaults = once(() => {
    if (!layout.scopes().all().some(hasDefaultValues)) return workspace;
    const scopes = layout.scopes().withoutDefaults();
    return workspaceWith(files, { ...layout, scopes: () => scopes }, indexed, rendered);
  });
  unexecuted.set(workspace, ofDefaults);
  return workspace;
}

const unexecuted = new WeakMap<Workspace, () => Workspace>();

/** Returns the workspace in which no chart is executed with its default values: rules report what holds for all values. */
export function withoutDefaults(workspace: Workspace): Workspace {
  return unexecuted.get(workspace)?.() ?? workspace;
}

/** Returns a view or state of a workspace in which templates are read as they are written, for all values. */
export function asWritten<T extends { readonly workspace: Workspace }>(given: T): T {
  return { ...given, workspace: withoutDefaults(given.workspace) };
}

function workspaceWith(
  files: LayeredMap<string, WorkspaceFile>,
  layout: Layout,
  indexed: () => WorkspaceIndex,
  rendered: Renderings,
): Workspace {
  const lookedAt = { files, fileNameOf: (uri: string) => layout.listing.fileNameOf(uri), scopes: layout.scopes };
  const { questions } = layout;
  const renderingOf = (path: string, catalogue: Catalogue) => {
    questions?.render(path);
    return rendered.of(path, lookedAt, catalogue, layout.log);
  };
  const ask = (about?: Question): WorkspaceIndex => {
    questions?.note(about ?? { about: 'anything' });
    return indexed();
  };
  const observed = observedBy(questions);
  const workspace: Workspace = {
    files: questions === undefined ? files : files.observed((uri) => questions.read(uri)),
    scopes: questions === undefined ? layout.scopes : once(() => recordedScopes(layout.scopes(), questions)),
    configs: layout.configs,
    find(target, selector, isWanted, within, isAnyEnough = false) {
      const question = { about: 'matches', target, selector } as const;
      if (within !== undefined) questions?.noteAround({ ...question, isAround: true });
      else if (!isAnyEnough) questions?.note(question);
      const found = wantedIn(lookedAt, observed(indexed().labeledObjects(target, selector, within)), isWanted, within);
      if (within?.has(everyCluster) === false) return found;
      const all = oneAfterTheOther(found, () => inEveryCluster(workspace, target, selector, isWanted));
      return isAnyEnough && questions !== undefined ? untilEnough(all, questions, question) : all;
    },
    ...lookupsIn({ ask, indexed, observed, questions }, (uri) => !layout.scopes().isPatch(uri)),
    ...lookupsInFiles(indexed, files, questions),
    questions,
    indexUpdates: () => indexed().updates,
    indexLookups: () => indexed().lookups,
    folders: layout.folders,
    at: (folder, path) => layout.listing.fileNameOf(resolveUri(folder, path)),
    rendering: (folder, catalogue) => renderingIn(renderingOf(folder, catalogue)),
    unrendered: (folder, catalogue) => reasonIn(renderingOf(folder, catalogue)),
    terms: (folder, catalogue) => rendered.termsOf(folder, lookedAt, catalogue, layout.log),
    scopesThatMayBuild: (required) => scopesThatMayBuild({ ...workspace, files }, indexed(), required),
    scopesThatBuildNamed: (name, catalogue) => {
      const paths = rendered.pathsWithName(name, lookedAt, catalogue, layout.log);
      return paths.size === 0
        ? []
        : layout
            .scopes()
            .all()
            .filter(({ path }) => paths.has(path));
    },
    renderingCount: () => rendered.count,
    evictUnused: () => rendered.evictUnused(),
    evictions: () => rendered.evictions,
  };
  return workspace;
}

/** Whether a position is in a scope of a kind: in a kustomization or a chart, for example. */
export function isIn(workspace: Workspace, place: string, kind: Scope['kind']): boolean {
  return workspace
    .scopes()
    .of(place)
    .some((scope) => scope.kind === kind);
}

/** Returns the objects of a file that are meant for the cluster; none for a patch, or for the configuration of a tool. */
export function objectsOf(workspace: Workspace, file: WorkspaceFile): readonly ManifestObject[] {
  if (file.manifest.objects.length === 0 || workspace.scopes().isPatch(file.uri)) return [];
  return file.manifest.objects.filter((object) => object.forCluster);
}
