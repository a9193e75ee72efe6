/** Finds the GitOps objects that may build other objects after some files changed, although their own files are the same. */

import { getOrAdd } from '../../engine/memoize.ts';
import { mayContainVariables } from '../../manifests/gitops/envsubst.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { addsOrDeletes } from '../absent-file.ts';
import type { State } from '../base.ts';
import { kustomizationsNaming, type Structure } from '../kustomize/named-files.ts';
import type { FileChange, Workspace, WorkspaceFile } from '../model.ts';
import { changedScopes } from '../scopes/changed-scopes.ts';
import type { Scope, Scopes } from '../scopes/model.ts';
import { allIdentities, type ScopeFacts } from '../scopes/scope-facts.ts';
import { scopesReading } from './data-readers.ts';
import { type GitopsScope, gitopsScopesOf, isGitopsScope } from './defined-scopes.ts';
import { appliedDefinition } from './render-gitops.ts';
import { gitopsScopeAt } from './scope-questions.ts';

const withGitops = new WeakMap<ReadonlyMap<string, ScopeFacts>, boolean>();

/** Whether a workspace contains objects of Argo CD or Flux, which may build, or depend on, any file. */
export function hasGitops({ scopes }: Pick<Structure, 'scopes'>): boolean {
  return getOrAdd(withGitops, scopes().facts(), (facts) => {
    for (const each of facts.values()) if (decidesBuilds(each)) return true;
    return gitopsScopesOf(scopes()).length > 0;
  });
}

const definitions = new WeakMap<ReadonlyMap<string, ScopeFacts>, readonly string[]>();

/** Returns the files with objects of Argo CD or Flux: their checks may depend on all GitOps objects. */
export function filesOfGitops({ scopes }: Pick<Structure, 'scopes'>): readonly string[] {
  return getOrAdd(definitions, scopes().facts(), (facts) =>
    [...facts].flatMap(([uri, each]) => (decidesBuilds(each) || allIdentities(each).some(isOfGitops) ? [uri] : [])),
  );
}

function decidesBuilds({ gitops, gitopsSources, publishes, argo, forcedFolders }: Partial<ScopeFacts>): boolean {
  return [gitops, gitopsSources, publishes, argo, forcedFolders].some((each) => each !== undefined);
}

/** Whether an object belongs to Argo CD or Flux; a Rollout only replaces a Deployment. */
function isOfGitops(identity: string): boolean {
  return /^[^\n]*(?:fluxcd\.|argoproj\.)/.test(identity) && !identity.startsWith('argoproj.io\nRollout\n');
}

/** The scopes of GitOps objects that may build other objects, in both states. */
export type ChangedBuilds = readonly [before: readonly GitopsScope[], after: readonly GitopsScope[]];

/** Returns the GitOps objects that may build other objects after changes; undefined if these may be all. The definitions of GitOps objects, and the ConfigMaps and Secrets that they read, are compared as they are applied. */
export function changedBuilds(before: State, after: State, changes: readonly FileChange[]): ChangedBuilds | undefined {
  const states = [before, after] as const;
  if (!states.some(({ workspace }) => hasGitops(workspace))) return [[], []];
  const changed = changedScopes(before.workspace.scopes(), after.workspace.scopes());
  if (changed === undefined) return undefined;
  const paths = new Search(before, after).concernedBy(changes, [changed.before, changed.after]);
  const [were, are] = states.map(({ workspace }) =>
    gitopsScopesOf(workspace.scopes()).filter(({ path }) => paths.has(path)),
  );
  return [were ?? [], are ?? []];
}

/** The name of the ConfigMap with the settings of Argo CD. */
const argoSettings = 'argocd-cm';

/** A search for the GitOps objects that build other objects in one state than in the other. */
class Search {
  readonly #states: readonly [State, State];
  readonly #concerned = new Set<string>();
  /** The names of the ConfigMaps and Secrets that may differ. */
  readonly #settings = new Set<string>();

  constructor(before: State, after: State) {
    this.#states = [before, after];
  }

  concernedBy(
    changes: readonly FileChange[],
    changed: readonly [readonly Scope[], readonly Scope[]],
  ): ReadonlySet<string> {
    for (const [index, state] of this.#states.entries()) {
      const scopes = state.workspace.scopes();
      for (const scope of changed[index] ?? []) {
        if (isGitopsScope(scope)) this.#concerned.add(scope.path);
        for (const uri of scope.files) this.#addSettings(settingsIn(scopes, uri));
      }
      const reading = scopesReadingData(state.workspace, changes);
      for (const scope of [...(changed[index] ?? []), ...scopesBuiltWith(state, changes), ...reading])
        this.#addBuiltBy(state, scope);
      this.#addDefinedIn(
        scopes,
        changes.map(({ after }) => after.uri),
      );
    }
    for (const { after } of changes)
      for (const { workspace } of this.#states) this.#addSettings(settingsIn(workspace.scopes(), after.uri));
    for (let count = -1; count < this.#settings.size; this.#addReaders()) {
      count = this.#settings.size;
      // The set grows while it is traversed.
      for (const path of this.#concerned)
        for (const state of this.#states) {
          const scope = gitopsScopeAt(state.workspace.scopes(), path);
          if (scope !== undefined) this.#addBuiltBy(state, scope);
        }
    }
    return this.#concerned;
  }

  /** Adds the GitOps objects whose definitions a scope applies, and the ConfigMaps and Secrets whose content depends on how the scope applies them. */
  #addBuiltBy({ workspace }: State, scope: Scope): void {
    const scopes = workspace.scopes();
    this.#addDefinedIn(scopes, scope.files);
    for (const uri of scope.files) {
      const settings = settingsIn(scopes, uri);
      if (settings.length > 0 && workspace.files.get(uri)?.manifest.objects.some(hasVariables))
        this.#addSettings(settings);
    }
    for (const uri of scopes.partsOf(scope)) {
      const { generates = [], generatedFrom = [] } = scopes.factsOf(uri)?.kustomization ?? {};
      this.#addSettings([...generates, ...generatedFrom.flatMap(([name]) => name ?? [])]);
    }
  }

  /** Adds the GitOps objects that some files define, if their applied definitions differ. */
  #addDefinedIn(scopes: Scopes, uris: Iterable<string>): void {
    const paths = [...uris].flatMap((uri) => definedIn(scopes, uri).map(({ path }) => path));
    const others = [...new Set(paths)].filter((path) => !this.#concerned.has(path));
    // A switch between the states renders scopes again.
    const [old, fresh] = this.#states.map((state) => others.map((path) => definitionAt(state, path)));
    for (const [index, path] of others.entries()) if (old?.[index] !== fresh?.[index]) this.#concerned.add(path);
  }

  /** Adds the names at the ends of identities, or of `kind/name`. */
  #addSettings(objects: readonly string[]): void {
    for (const each of objects) this.#settings.add(each.split(/[\n/]/).at(-1) ?? '');
  }

  /** Adds the GitOps objects that may read the ConfigMaps and Secrets that differ. */
  #addReaders(): void {
    for (const state of this.#states)
      for (const { path, kind } of gitopsScopesOf(state.workspace.scopes())) {
        if (this.#concerned.has(path)) continue;
        const definition = definitionAt(state, path);
        const isNamed = (name: string) => definition.includes(`"name":${JSON.stringify(name)}`);
        const isArgo = kind === 'argo-application' && this.#settings.has(argoSettings);
        if (isArgo || [...this.#settings].some(isNamed)) this.#concerned.add(path);
      }
  }
}

/** The definitions of GitOps objects as they are applied, by path: the state after some changes is the state before the next ones. */
const appliedDefinitions = new WeakMap<Workspace, Map<string, string>>();

function definitionAt({ workspace, catalogueOf }: State, path: string): string {
  const known = getOrAdd(appliedDefinitions, workspace, () => new Map<string, string>());
  return getOrAdd(known, path, () => {
    const scope = gitopsScopeAt(workspace.scopes(), path);
    return scope === undefined ? 'none' : appliedDefinition(workspace, catalogueOf(path), scope);
  });
}

/** Returns the scopes that are built with a changed file that may change other objects: a kustomization, a file that a kustomization names, or an object from which a kustomization may copy values. */
function scopesBuiltWith({ workspace }: State, changes: readonly FileChange[]): readonly Scope[] {
  const scopes = workspace.scopes();
  const copies = (scope: Scope) =>
    scopes.partsOf(scope).some((uri) => (workspace.files.get(uri)?.kustomization?.replacements.length ?? 0) > 0);
  return changes.flatMap(({ after: { uri } }) => [
    ...[uri, ...kustomizationsNaming(scopes, uri)].flatMap((each) => scopes.building(each)),
    ...scopes.ofFile(uri).filter(copies),
  ]);
}

/** Returns the scopes that may build other objects because a file that they read as a part of a chart, or as values of a chart, is added, deleted or has other content. */
export function scopesReadingData({ scopes }: Structure, changes: readonly FileChange[]): readonly Scope[] {
  const isData = ({ chart, helm, template, data }: WorkspaceFile) => (chart ?? helm ?? template ?? data) !== undefined;
  const reading = changes.filter((each) => addsOrDeletes(each) || isData(each.before) || isData(each.after));
  return reading.flatMap(({ after: { uri } }) => scopesReading(scopes(), uri));
}

/** Returns the scopes of the GitOps objects that a file defines. */
function definedIn(scopes: Scopes, uri: string): readonly GitopsScope[] {
  return scopes.building(uri).filter((scope): scope is GitopsScope => scope.gitops?.uri === uri);
}

/** Returns the identities of the objects in a file that may contain variables, or values of charts. */
function settingsIn(scopes: Scopes, uri: string): readonly string[] {
  const facts = scopes.factsOf(uri);
  const isSettings = (identity: string) => /^[^\n]*\n(?:ConfigMap|Secret|SealedSecret)\n/.test(identity);
  return facts === undefined ? [] : allIdentities(facts).filter(isSettings);
}

/** Whether values in a ConfigMap or Secret contain variables. */
function hasVariables({ variables }: ManifestObject): boolean {
  return variables?.entries.some(({ value }) => value.kind !== 'scalar' || mayContainVariables(value.text)) === true;
}
