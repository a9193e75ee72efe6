/** Renders GitOps objects: the objects that their controllers apply, after all changes. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import { readKustomization } from '../../manifests/kustomize/kustomization.ts';
import type { ManifestObject, Written } from '../../manifests/model.ts';
import { childOf, type Node } from '../../manifests/yaml/tree.ts';
import type { Looking } from '../kustomize/bases.ts';
import { type Built, build } from '../kustomize/build.ts';
import type { Resource } from '../kustomize/resource.ts';
import type { EffectiveObject, Rendering, Workspace, WorkspaceFile } from '../model.ts';
import { isRendered, type Scope, type Scopes } from '../scopes/model.ts';
import { allIdentities, type ScopeFacts } from '../scopes/scope-facts.ts';
import { relativePath } from '../uri.ts';
import { applicationSpec } from './argo/application-spec.ts';
import { argoRecipe, withoutRepeated } from './argo/argo-recipe.ts';
import { createdNamespace } from './argo/created-namespace.ts';
import { trackingIn } from './argo/tracking-settings.ts';
import { releasedObjects } from './chart-release.ts';
import { dataIn } from './data-files.ts';
import { definitionIn } from './defined-scopes.ts';
import { fluxRecipe } from './flux-recipe.ts';
import { type Variables, variablesFor } from './flux-variables.ts';
import { helmRecipe } from './helm-recipe.ts';
import type { GitopsContent, GitopsObject } from './model.ts';
import type { Definition, Recipe, RecipeSurroundings } from './recipes.ts';

/** The built objects of a GitOps object. */
export interface BuiltGitops extends Pick<Built, 'idle' | 'isWhole' | 'limit'> {
  readonly resources: readonly Resource[];
}

/** What the definition of a GitOps object depends on. */
interface DefinitionSurroundings {
  readonly catalogue: Catalogue;
  readonly scopes: Scopes;
  file(uri: string): WorkspaceFile | undefined;
  /** The rendering of the scope that applies the definition. */
  renderingOf(parent: Scope): Rendering | undefined;
}

/** What rendering a GitOps object depends on; `looking` records the files. */
interface GitopsSurroundings extends Pick<DefinitionSurroundings, 'scopes' | 'renderingOf'> {
  readonly looking: Looking;
}

const variables = new WeakMap<Workspace, Map<Scope, Variables | undefined>>();

/** Returns the variables that a Flux Kustomization substitutes; undefined if it substitutes nothing. */
export function variablesOfScope(workspace: Workspace, catalogue: Catalogue, scope: Scope): Variables | undefined {
  const known = getOrAdd(variables, workspace, () => new Map<Scope, Variables | undefined>());
  return getOrAdd(known, scope, () => {
    if (scope.kind !== 'flux-kustomization') return undefined;
    const around: DefinitionSurroundings = {
      catalogue,
      scopes: workspace.scopes(),
      file: (uri) => workspace.files.get(uri),
      renderingOf: (parent) => workspace.rendering(parent.path, catalogue),
    };
    const definition = definitionOf(scope, around);
    return definition && variablesFor(definition, surroundingsOf(scope, around));
  });
}

const byPath = new WeakMap<Scopes, ReadonlyMap<string, Scope>>();

/** Returns the scope of the GitOps object at a path; undefined for every other path. */
export function gitopsScopeAt(scopes: Scopes, path: string): Scope | undefined {
  return getOrAdd(byPath, scopes, () => {
    return new Map(scopes.all().flatMap((scope) => (scope.gitops === undefined ? [] : [[scope.path, scope] as const])));
  }).get(path);
}

/** Renders the GitOps object of a scope. */
export function renderGitops(scope: Scope, { looking, ...others }: GitopsSurroundings): BuiltGitops {
  const around = { catalogue: looking.catalogue, file: (uri: string) => looking.file(uri), ...others };
  const { gitops } = scope;
  const definition = gitops && definitionOf(scope, around);
  const result = { resources: [] as Resource[], idle: [] as Built['idle'][number][], isWhole: true };
  if (gitops === undefined || definition === undefined) return { ...result, isWhole: false, limit: undefined };
  if (gitops.facts.openBecause.length > 0) result.isWhole = false;
  for (const [index, content] of gitops.contents.entries()) {
    if (content === undefined) {
      result.isWhole = false;
      continue;
    }
    const recipe = recipeOf(definition, { content, index }, surroundingsOf(scope, around));
    const built = builtContent(content, recipe, { looking, ...others });
    if (built.limit !== undefined) return { ...result, resources: [], isWhole: false, limit: built.limit };
    result.resources.push(...recipe.finish(built.resources));
    result.idle.push(...built.idle);
    result.isWhole &&= built.isWhole;
  }
  if (gitops.kind === 'argo-application') {
    const applied = withoutRepeated(result.resources);
    result.resources = [...applied, ...createdNamespace(definition, applied)];
  }
  return { ...result, limit: undefined };
}

/** The content of one source, and the number of the source. */
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

/** The definition as its only parent applies it; as written if there is no parent, or if there are several. */
function definitionOf(
  scope: Scope,
  { file: fileAt, scopes, renderingOf }: DefinitionSurroundings,
): Definition | undefined {
  const { gitops } = scope;
  if (gitops === undefined) return undefined;
  const { uri, facts } = gitops;
  const written = definitionIn(gitops, { get: fileAt });
  if (written?.gitopsSpec === undefined) return undefined;
  const parents = scopes.of(uri).filter((parent) => isRendered(parent) && !isAbove(scope, parent, scopes));
  const [parent, ...others] = parents;
  const applied =
    parent === undefined || others.length > 0
      ? undefined
      : renderingOf(parent)?.objects.find(
          ({ file, object }) => file.uri === uri && object.kindSpan.start === written.kindSpan.start,
        )?.object;
  const object = applied?.gitopsSpec === undefined ? written : applied;
  const stored = object.gitopsSpec ?? written.gitopsSpec;
  const isAmbiguous = others.length > 0;
  if (facts.instance !== undefined) return synchronized(gitops, object, stored, isAmbiguous);
  const spec = facts.from === undefined ? stored : applicationSpec(stored, facts.from);
  return spec && { gitops, object, spec, isAmbiguous };
}

/** The Kustomization that a FluxInstance creates. */
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

/** Whether a scope applies another one, directly or through others: an object that builds itself is its own parent. */
function isAbove(scope: Scope, other: Scope, scopes: Scopes): boolean {
  const seen = new Set([other]);
  for (const each of seen) {
    if (each === scope) return true;
    for (const parent of each.gitops === undefined ? [] : scopes.of(each.gitops.uri)) seen.add(parent);
  }
  return false;
}

function builtContent(
  content: GitopsContent,
  recipe: Recipe,
  { looking, scopes }: GitopsSurroundings,
): Omit<BuiltGitops, 'resources'> & {
  readonly resources: readonly Resource[];
} {
  const { folder, kustomized, chart, resources } = content;
  if (chart) {
    const { release } = recipe;
    const files = { facts: scopes.facts(), members: content.members ?? [], file: (uri: string) => looking.file(uri) };
    const released = release && releasedObjects(folder, release, files);
    return { resources: released ?? [], idle: [], isWhole: released !== undefined, limit: undefined };
  }
  const known = kustomized ? looking.kustomizationIn(folder) : undefined;
  const empty = readKustomization('', looking.catalogue);
  const listed = resources.map((uri) => ({ path: relativePath(folder, uri), span: { start: 0, end: 0 } }));
  const root = known ?? { uri: `${folder}/kustomization.yaml`, kustomization: { ...empty, resources: listed } };
  const [built, objects] = build(root, looking, recipe.edits);
  return { ...built, resources: objects };
}

const byIdentity = new WeakMap<ReadonlyMap<string, ScopeFacts>, ReadonlyMap<string, readonly string[]>>();

/** Returns the files with an object of an identity. */
export function filesWithIdentity(scopes: Scopes, identity: string): readonly string[] {
  const facts = scopes.facts();
  const index = getOrAdd(byIdentity, facts, () => {
    const found = new Map<string, string[]>();
    for (const [uri, each] of facts) for (const one of allIdentities(each)) getOrAdd(found, one, () => []).push(uri);
    return found;
  });
  return index.get(identity) ?? [];
}

function surroundingsOf(scope: Scope, around: DefinitionSurroundings): RecipeSurroundings {
  const { catalogue, file: fileAt, scopes, renderingOf } = around;
  const filesWith = (identity: string) =>
    filesWithIdentity(scopes, identity).flatMap((uri): readonly WorkspaceFile[] => {
      const file = fileAt(uri);
      return file === undefined || scopes.isPatch(uri) ? [] : [file];
    });
  return {
    catalogue,
    filesWith,
    generating: (kind, name) => (generators(scopes).get(`${kind}/${name}`) ?? []).flatMap((uri) => fileAt(uri) ?? []),
    applied: (uri, wanted) => {
      const [only, ...others] = new Set(
        [...scopes.of(uri), ...scopes.building(uri)].filter(({ gitops }) => {
          return gitops !== undefined && gitops.uri !== uri;
        }),
      );
      // The values of a Kustomization that substitutes its own variables are those of an earlier run.
      if (only === undefined || only === scope || others.length > 0) return undefined;
      const isWanted = ({ file, object, written }: EffectiveObject) =>
        file.uri === uri &&
        ('kindSpan' in wanted
          ? object.kindSpan.start === wanted.kindSpan.start
          : !written && object.kind === wanted.kind && object.name?.text === wanted.name);
      return renderingOf(only)?.objects.find(isWanted)?.object;
    },
    facts: scopes.facts(),
    data: (uri) => dataIn(fileAt(uri)),
    tracking: (namespace) => trackingIn(namespace, filesWith),
  };
}

const byGenerated = new WeakMap<ReadonlyMap<string, ScopeFacts>, ReadonlyMap<string, readonly string[]>>();

/** The kustomizations that generate objects with variables, by the kinds and names of these objects. */
function generators(scopes: Scopes): ReadonlyMap<string, readonly string[]> {
  const facts = scopes.facts();
  return getOrAdd(byGenerated, facts, () => {
    const found = new Map<string, string[]>();
    for (const [uri, { kustomization }] of facts)
      for (const name of kustomization?.generates ?? []) getOrAdd(found, name, () => []).push(uri);
    return found;
  });
}
