/** Renders GitOps objects into the objects that their controllers apply, with all changes. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { getOrAdd, once } from '../../engine/memoize.ts';
import { knownData } from '../../manifests/gitops/argo.ts';
import { pathIn } from '../../manifests/gitops/flux.ts';
import type { TemplateOutput } from '../../manifests/helm/execution/output.ts';
import { readKustomization } from '../../manifests/kustomize/kustomization.ts';
import type { ManifestObject, Written } from '../../manifests/model.ts';
import { childOf, type Node } from '../../manifests/yaml/tree.ts';
import { executionIn, installedFiles } from '../charts/executed-charts.ts';
import { unrecorded } from '../dependencies/questions.ts';
import type { Looking } from '../kustomize/bases.ts';
import { type Built, build } from '../kustomize/build.ts';
import type { ScopeQuestion } from '../kustomize/inputs.ts';
import type { Resource } from '../kustomize/resource.ts';
import type { EffectiveObject, FailedTemplate, Rendering, Workspace, WorkspaceFile } from '../model.ts';
import { isSameObject } from '../same-object.ts';
import type { Scope } from '../scopes/model.ts';
import type { ScopeFacts } from '../scopes/scope-facts.ts';
import { relativePath } from '../uri.ts';
import { applicationSpec, nodeOf } from './argo/application-spec.ts';
import { changedPart, hasSamePlaces } from './argo/applied-versions.ts';
import { argoRecipe, withoutRepeated } from './argo/argo-recipe.ts';
import { createdNamespace } from './argo/created-namespace.ts';
import { trackingIn } from './argo/tracking-settings.ts';
import { releasedObjects } from './chart-release.ts';
import { dataIn } from './data-files.ts';
import { definitionIn } from './defined-scopes.ts';
import { fluxRecipe } from './flux-recipe.ts';
import { nearestOf, textWithVariables, type Variables, variablesFor } from './flux-substitution.ts';
import { helmRecipe } from './helm-recipe.ts';
import type { GitopsContent, GitopsObject } from './model.ts';
import type { Definition, Recipe, RecipeSurroundings } from './recipes.ts';
import {
  allFiles,
  contentAt,
  filesContaining,
  filesGenerating,
  filesGeneratingWithin,
  gitopsApplying,
  gitopsScopeAt,
  parentsOf,
  shareOfRelease,
  shareOfVariables,
} from './scope-questions.ts';
import { readableFrom, sharingAllClusters } from './source-clusters.ts';

/** The objects that a GitOps object builds. */
export interface BuiltGitops
  extends Pick<Built, 'idle' | 'broken' | 'isWhole' | 'limit'>,
    Pick<Rendering, 'hasOtherValues' | 'failures' | 'isCut' | 'outputs' | 'known'> {
  readonly resources: readonly Resource[];
}

/** The data on which the definition of a GitOps object depends. */
interface DefinitionSurroundings {
  readonly catalogue: Catalogue;
  file(uri: string): WorkspaceFile | undefined;
  ask(question: ScopeQuestion): readonly string[];
  /** Returns the scope of the GitOps object at a path. Lookups must also be recorded by `ask`. */
  scopeAt(path: string): Scope | undefined;
  /**
   * Returns the facts of all files. The result of the rendering depends on them, so lookups must also be recorded by
   * `ask`.
   */
  facts(): ReadonlyMap<string, ScopeFacts>;
  /** Returns the rendering of the scope at a path, which applies the definition. */
  renderingOf(path: string): Rendering | undefined;
}

/** The data on which the rendering of a GitOps object depends; `looking` records the files that are read and the questions that are asked. */
interface GitopsSurroundings extends Pick<DefinitionSurroundings, 'renderingOf'> {
  readonly looking: Looking;
}

const variables = new WeakMap<Workspace, Map<Scope, () => Variables | undefined>>();

/** Returns the variables that a Flux Kustomization substitutes; undefined if it substitutes nothing. */
export function variablesOfScope(workspace: Workspace, catalogue: Catalogue, scope: Scope): Variables | undefined {
  if (scope.kind !== 'flux-kustomization') return undefined;
  const known = getOrAdd(variables, workspace, () => new Map<Scope, () => Variables | undefined>());
  // A change of the definition or of its variables concerns the whole scope.
  workspace.questions?.render(scope.path);
  const found = getOrAdd(known, scope, () =>
    once(() => {
      const around = surroundingsIn(workspace, catalogue);
      const definition = definitionOf(scope, around);
      return definition && variablesFor(definition, surroundingsOf(scope, around));
    }),
  );
  return unrecorded(workspace, found);
}

/** Returns a string that is equal if two versions of a GitOps object are applied with equal fields. */
export function appliedDefinition(workspace: Workspace, catalogue: Catalogue, scope: Scope): string {
  const definition = definitionOf(scope, surroundingsIn(workspace, catalogue));
  if (definition === undefined) return 'unknown';
  const { object, spec, versions = [], isAmbiguous, hasOtherValues } = definition;
  const { name, namespace } = object;
  return JSON.stringify([name?.text, namespace?.text, isAmbiguous, hasOtherValues, [spec, ...versions].map(knownData)]);
}

function surroundingsIn(workspace: Workspace, catalogue: Catalogue): DefinitionSurroundings {
  return {
    catalogue,
    file: (uri) => workspace.files.get(uri),
    ask: (question) => question(workspace.scopes()),
    scopeAt: (path) => gitopsScopeAt(workspace.scopes(), path),
    facts: () => workspace.scopes().facts(),
    renderingOf: (path) => workspace.rendering(path, catalogue),
  };
}

export function renderGitops(scope: Scope, { looking, renderingOf }: GitopsSurroundings): BuiltGitops {
  const around: DefinitionSurroundings = {
    catalogue: looking.catalogue,
    file: (uri) => looking.file(uri),
    ask: (question) => looking.ask(question),
    scopeAt: (path) => gitopsScopeAt(looking.scopes, path),
    facts: () => looking.scopes.facts(),
    renderingOf,
  };
  const { gitops, path } = scope;
  looking.ask(contentAt(path));
  const definition = gitops && definitionOf(scope, around);
  const result = {
    ...{
      resources: [] as Resource[],
      idle: [] as Built['idle'][number][],
      broken: [] as Built['broken'][number][],
      isWhole: true,
      failures: [] as FailedTemplate[],
      known: new Set<string>(),
    },
    ...(definition?.hasOtherValues && { hasOtherValues: true as const }),
  };
  if (gitops === undefined || definition === undefined) return { ...result, isWhole: false, limit: undefined };
  // If a parent changes the path, a different folder is built.
  const isMoved =
    gitops.kind === 'flux-kustomization' && pathIn(childOf(definition.spec, 'path')) !== gitops.facts.sources[0]?.path;
  if (isMoved) return { ...result, isWhole: false, limit: undefined };
  if (gitops.facts.openBecause.length > 0) result.isWhole = false;
  let isCut = false;
  const outputs = new Map<string, TemplateOutput>();
  for (const [index, content] of gitops.contents.entries()) {
    if (content === undefined) {
      result.isWhole = false;
      continue;
    }
    const recipe = recipeOf(definition, { content, index }, surroundingsOf(scope, around));
    const built = builtContent(content, recipe, looking);
    if (built.limit !== undefined) return { ...result, resources: [], isWhole: false, limit: built.limit };
    const finished = recipe.finish(built.resources);
    result.resources.push(...finished.resources);
    result.idle.push(...built.idle);
    result.broken.push(...built.broken);
    result.isWhole &&= built.isWhole && !finished.isCut;
    isCut ||= built.isCut === true || finished.isCut;
    result.failures.push(...(built.failures ?? []));
    // With several versions of its definition, the values of a release are not known.
    if (definition.isAmbiguous) continue;
    for (const uri of built.known ?? []) result.known.add(uri);
    // Patches may change the output.
    if (childOf(definition.spec, 'postRenderers') === undefined)
      for (const [uri, output] of built.outputs ?? []) outputs.set(uri, output);
  }
  if (gitops.kind === 'argo-application') {
    const applied = withoutRepeated(result.resources);
    result.resources = [...applied, ...createdNamespace(definition, applied)];
  }
  return { ...result, ...(isCut && { isCut }), ...(outputs.size > 0 && { outputs }), limit: undefined };
}

interface SourceContent {
  readonly content: GitopsContent;
  readonly index: number;
}

function recipeOf(definition: Definition, { content, index }: SourceContent, around: RecipeSurroundings): Recipe {
  switch (definition.gitops.kind) {
    case 'flux-kustomization':
      return fluxRecipe(definition, content, around);
    case 'argo-application':
      return argoRecipe(definition, content, index, around);
    case 'helm-release':
      return helmRecipe(definition, around);
  }
}

/** The maximum number of scopes whose versions of a definition are compared. */
const maximumParents = 10;

/** Returns the definition as all scopes apply it, or as it is written if they apply different versions, or if no scope applies it. */
function definitionOf(
  { gitops, path }: Scope,
  { file: fileAt, ask, renderingOf }: DefinitionSurroundings,
): Definition | undefined {
  if (gitops === undefined) return undefined;
  const { uri, facts } = gitops;
  const written = definitionIn(gitops, { get: fileAt });
  if (written?.gitopsSpec === undefined) return undefined;
  if (facts.rendered !== undefined) {
    // The definition depends on the written values.
    if (ask(parentsOf(path, uri)).some((parent) => renderingOf(parent)?.hasOtherValues)) return undefined;
    const stored = nodeOf(facts.rendered.spec, written.gitopsSpec, written.kindSpan);
    const spec = facts.from === undefined ? stored : applicationSpec(stored, facts.from);
    return spec && { gitops, object: written, spec, isAmbiguous: false };
  }
  const parents = ask(parentsOf(path, uri));
  const { gitopsSpec } = written;
  const isArgo = gitops.kind === 'argo-application';
  const all = parents.slice(0, maximumParents).map((parent) => {
    const own = { file: { uri }, object: written };
    return renderingOf(parent)?.objects.find((each) => isSameObject(each, own))?.object;
  });
  // Of an Application, the versions with other sources have other scopes.
  const versions = isArgo
    ? all.filter((each) => each?.gitopsSpec !== undefined && hasSamePlaces(gitops, gitopsSpec, each.gitopsSpec))
    : all;
  if (versions.length === 0 && all.some((each) => each !== undefined)) return undefined;
  const different = new Map(versions.map((each) => [versionKey(each), each?.gitopsSpec]));
  const isAmbiguous = parents.length > maximumParents || different.size > 1;
  const specs = [...different.values()].flatMap((each) => each ?? []);
  const changes = isArgo ? changedPart(gitopsSpec, specs) : undefined;
  // Otherwise, the versions of an Application differ only in its destination, and in fields without effect on its objects.
  const [applied] = isAmbiguous && (!isArgo || changes?.differ) ? [] : versions;
  const object = applied?.gitopsSpec === undefined ? { ...written, ...commonPlace(versions) } : applied;
  const stored = object.gitopsSpec ?? gitopsSpec;
  if (facts.instance !== undefined) return synchronized(gitops, object, stored, isAmbiguous);
  const { from } = facts;
  const spec = from === undefined ? stored : applicationSpec(stored, from);
  if (spec === undefined || changes?.part === 'sources') return undefined;
  return {
    gitops,
    object,
    spec,
    isAmbiguous,
    ...(isAmbiguous && !isArgo && { versions: specs }),
    ...(changes && { hasOtherValues: changes.differ ? 'unknown' : 'known' }),
  };
}

function commonPlace([first, ...others]: readonly (ManifestObject | undefined)[]): Pick<ManifestObject, 'namespace'> {
  const { namespace } = first ?? {};
  return namespace !== undefined && others.every((each) => each?.namespace?.text === namespace.text)
    ? { namespace }
    : {};
}

/** Returns a string that is equal for two versions of a definition with equal effects. */
function versionKey(object: ManifestObject | undefined): string {
  const { gitopsSpec, name, namespace } = object ?? {};
  return JSON.stringify([name?.text, namespace?.text, gitopsSpec && knownData(gitopsSpec)]);
}

/** Returns the Kustomization that a FluxInstance creates. */
function synchronized(
  gitops: GitopsObject,
  instance: ManifestObject,
  spec: Node,
  isAmbiguous: boolean,
): Definition | undefined {
  const sync = childOf(spec, 'sync');
  const { name } = gitops.facts;
  const named: Written = { text: name, value: name, type: 'string', style: 'plain', span: instance.kindSpan };
  return sync && { gitops, object: { ...instance, name: named }, spec: sync, isAmbiguous };
}

function builtContent(
  content: GitopsContent,
  recipe: Recipe,
  looking: Looking,
): Omit<BuiltGitops, 'resources'> & {
  readonly resources: readonly Resource[];
} {
  const { folder, kustomized, chart, resources } = content;
  if (chart) {
    const { release } = recipe;
    const files = installedFiles(content.members ?? [], looking);
    const released = release && releasedObjects(folder, release, files, executionIn(looking, folder));
    return { resources: [], idle: [], broken: [], isWhole: false, ...released, limit: undefined };
  }
  const known = kustomized ? looking.kustomizationIn(folder) : undefined;
  const empty = readKustomization('', looking.catalogue);
  const listed = resources.map((uri) => ({ path: relativePath(folder, uri), span: { start: 0, end: 0 } }));
  const root = known ?? { uri: `${folder}/kustomization.yaml`, kustomization: { ...empty, resources: listed } };
  const [built, objects] = build(root, looking, recipe.edits);
  // Argo CD applies a plain folder without kustomize, which parses words such as `yes` differently.
  const isPlain = known === undefined && recipe.edits === undefined;
  return { ...built, resources: isPlain ? objects.map((each) => ({ ...each, tree: each.written })) : objects };
}

function generatorsNamed(name: string, { kustomization }: WorkspaceFile) {
  return kustomization?.generators.filter((each) => each.kind === 'ConfigMap' && each.name?.text === name) ?? [];
}

/** Returns the functions that choose among files with sources of values for a GitOps object; `from` is the file with its definition. */
function sourceSearch(
  path: string,
  from: string,
  ask: DefinitionSurroundings['ask'],
): Pick<RecipeSurroundings, 'readable' | 'nearest'> {
  return {
    readable: (files) => {
      const uris = files.map(({ uri }) => uri);
      const readable = new Set(ask(readableFrom(path, uris)));
      return files.filter(({ uri }) => readable.has(uri));
    },
    nearest: (files) => {
      const nearest = nearestOf(files, from);
      return nearest && ask(sharingAllClusters(path, nearest.uri)).length > 0 ? nearest : undefined;
    },
  };
}

function surroundingsOf(scope: Scope, around: DefinitionSurroundings): RecipeSurroundings {
  const { catalogue, file: fileAt, ask, renderingOf } = around;
  const filesAt = (question: ScopeQuestion) => ask(question).flatMap((uri) => fileAt(uri) ?? []);
  const filesWith = (identity: string) => filesAt(filesContaining(identity));
  const { uri: from = '' } = scope.gitops ?? {};
  return {
    catalogue,
    filesWith,
    generating: (kind, name) => filesAt(filesGenerating(`${kind}/${name}`)),
    ...sourceSearch(scope.path, from, ask),
    applied: (uri, wanted) => {
      const [only, ...others] = ask(gitopsApplying(uri));
      // If a Kustomization applies its own definition, its variables have the values of an earlier run.
      if (only === undefined || only === scope.path || others.length > 0) return undefined;
      const isWanted = ({ file, object, written }: EffectiveObject) =>
        file.uri === uri &&
        ('kindSpan' in wanted
          ? object.kindSpan.start === wanted.kindSpan.start
          : !written && object.kind === wanted.kind && object.name?.text === wanted.name);
      return renderingOf(only)?.objects.find(isWanted)?.object;
    },
    generatedBeside: (name) => {
      const [parent, ...others] = ask(parentsOf(scope.path, from));
      if (parent === undefined || others.length > 0) return undefined;
      const [file, ...more] = filesAt(filesGeneratingWithin(parent, name));
      const rendering = renderingOf(parent);
      if (file === undefined || more.length > 0 || !rendering?.isWhole) return undefined;
      const [entry, ...again] = generatorsNamed(name, file);
      const found = rendering.objects.filter(({ file: { uri }, object, written }) => {
        return !written && uri === file.uri && object.kindSpan.start === entry?.span.start;
      });
      return again.length === 0 && found.length === 1 ? found[0] : undefined;
    },
    stepsOfRelease: () => Number(ask(shareOfRelease)[0]),
    stepsOfVariables: () => Number(ask(shareOfVariables)[0]),
    substituted: (uri, text) => {
      const [only, ...others] = ask(gitopsApplying(uri));
      if (only === undefined || others.length > 0) return undefined;
      ask(contentAt(only));
      const applying = around.scopeAt(only);
      const definition = applying && definitionOf(applying, around);
      if (applying === undefined || definition === undefined) return undefined;
      if (definition.gitops.kind !== 'flux-kustomization') return text;
      const found = variablesFor(definition, surroundingsOf(applying, around));
      return found === undefined ? text : textWithVariables(text, found);
    },
    get facts() {
      ask(allFiles);
      return around.facts();
    },
    data: (uri) => dataIn(fileAt(uri)),
    trees: (uri) => fileAt(uri)?.manifest.trees ?? [],
    tracking: (namespace) => trackingIn(namespace, filesWith),
  };
}
