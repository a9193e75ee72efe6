/** Decides whether changes leave what Argo CD and Flux do as it is, except for the content of the changed files. */

import { getOrAdd } from '../../engine/memoize.ts';
import { mayContainVariables } from '../../manifests/gitops/envsubst.ts';
import { kustomizationsNaming, type Structure } from '../kustomize/named-files.ts';
import type { FileChange, Workspace, WorkspaceFile } from '../model.ts';
import { changedScopes } from '../scopes/changed-scopes.ts';
import type { Scope, Scopes } from '../scopes/model.ts';
import { allIdentities, type ScopeFacts } from '../scopes/scope-facts.ts';
import { type GitopsScope, gitopsScopesOf } from './defined-scopes.ts';

const withGitops = new WeakMap<ReadonlyMap<string, ScopeFacts>, boolean>();

/** Whether a workspace contains objects of Argo CD or Flux, which may build, or depend on, any file. */
export function hasGitops({ scopes }: Pick<Structure, 'scopes'>): boolean {
  return getOrAdd(withGitops, scopes().facts(), (facts) => {
    for (const each of facts.values()) if (decidesBuilds(each)) return true;
    return gitopsScopesOf(scopes()).length > 0;
  });
}

/** Whether changes certainly concern neither which GitOps objects there are, with their sources, clusters and settings, nor an object from which these read settings. */
export function areQuiet(before: Structure, after: Workspace, changes: readonly FileChange[]): boolean {
  const changed = changedScopes(before.scopes(), after.scopes());
  if (changed === undefined) return false;
  const reads = [before, after].some(({ scopes }) => gitopsScopesOf(scopes()).some(readsSettings));
  const versions = changes.flatMap((change) => [change.before, change.after]);
  if (versions.some((file) => holdsValues(file, reads))) return false;
  const sides = [
    { structure: before, scopes: changed.before },
    { structure: after, scopes: changed.after },
  ];
  for (const { structure, scopes } of sides)
    for (const scope of new Set([...scopes, ...scopesBuiltWith(structure, after, changes)]))
      if (appliesDefinitions(structure, scope) || (reads && mayChangeSettings(structure, after, scope))) return false;
  if (before.scopes() === after.scopes()) return true;
  if (reads && movesSettings(before, after, [...changed.before, ...changed.after])) return false;
  if (versions.some(isForSettings) || stateOf(before.scopes()) !== stateOf(after.scopes())) return false;
  return !reads || !(changes.some(changesSettings) || changed.files.some((uri) => holdsSettings(after, uri)));
}

/** Returns the scopes that are built with a changed file that may change other objects: a kustomization, a file that a kustomization names, or an object from which a kustomization may copy values. */
function scopesBuiltWith(structure: Structure, { files }: Workspace, changes: readonly FileChange[]): readonly Scope[] {
  const scopes = structure.scopes();
  const naming = kustomizationsNaming(structure);
  const copies = (scope: Scope) =>
    scopes.partsOf(scope).some((uri) => (files.get(uri)?.kustomization?.replacements.length ?? 0) > 0);
  return changes.flatMap(({ after: { uri } }) => [
    ...[uri, ...(naming.get(uri) ?? [])].flatMap((each) => scopes.building(each)),
    ...scopes.ofFile(uri).filter(copies),
  ]);
}

/** Whether a scope applies definitions of GitOps objects, which it may change. */
function appliesDefinitions({ scopes }: Structure, { files }: Scope): boolean {
  const facts = scopes().facts();
  return [...files].some((uri) => decidesBuilds(facts.get(uri) ?? {}));
}

/** Whether a scope generates variables, or contains variables whose values depend on how it applies them. */
function mayChangeSettings({ scopes }: Structure, { files }: Workspace, scope: Scope): boolean {
  const facts = scopes().facts();
  const parts = scopes().partsOf(scope);
  if (parts.some((uri) => facts.get(uri)?.kustomization?.generates !== undefined)) return true;
  return [...scope.files].some((uri) => {
    const { objects = [] } = holdsSettings({ scopes }, uri) ? (files.get(uri)?.manifest ?? {}) : {};
    const entries = objects.flatMap(({ variables }) => variables?.entries ?? []);
    return entries.some(({ value }) => value.kind !== 'scalar' || mayContainVariables(value.text));
  });
}

/** Returns a string that differs if GitOps objects, or what they read and build, differ in more than the list of built files. */
function stateOf(scopes: Scopes): string {
  const objects = gitopsScopesOf(scopes).map(({ kind, path, namespace, cluster, gitops }) => {
    const contents = gitops.contents.map((content) => content && { ...content, resources: [] });
    return [kind, path, namespace, cluster, { ...gitops, contents }];
  });
  return JSON.stringify(objects);
}

const definitions = new WeakMap<ReadonlyMap<string, ScopeFacts>, readonly string[]>();

/** Returns the files with objects of Argo CD or Flux: their checks may depend on all GitOps objects. */
export function filesOfGitops({ scopes }: Pick<Structure, 'scopes'>): readonly string[] {
  return getOrAdd(definitions, scopes().facts(), (facts) =>
    [...facts].flatMap(([uri, each]) => (decidesBuilds(each) || allIdentities(each).some(isOfGitops) ? [uri] : [])),
  );
}

/** Whether an object belongs to Argo CD or Flux; a Rollout only replaces a Deployment. */
function isOfGitops(identity: string): boolean {
  return /^[^\n]*(?:fluxcd\.|argoproj\.)/.test(identity) && !identity.startsWith('argoproj.io\nRollout\n');
}

/** Returns the files that the GitOps objects that some files define build. */
export function filesBuiltBy({ scopes }: Pick<Structure, 'scopes'>, uris: ReadonlySet<string>): readonly string[] {
  const defined = gitopsScopesOf(scopes()).filter(({ gitops }) => uris.has(gitops.uri));
  return defined.flatMap((scope) => [...scope.files, ...scopes().partsOf(scope)]);
}

/** Whether a file contains values that GitOps objects may use as variables, or the settings of Argo CD. */
function holdsValues({ manifest }: WorkspaceFile, reads: boolean): boolean {
  return manifest.objects.some(
    ({ variables, name }) => variables !== undefined && (reads || name?.text === argoSettings),
  );
}

/** The name of the ConfigMap with the settings of Argo CD. */
const argoSettings = 'argocd-cm';

/** Whether a file contains a ConfigMap for the settings of Argo CD, even without any settings: only one such object is used. */
function isForSettings({ scope }: WorkspaceFile): boolean {
  return allIdentities(scope).some((each) => each.endsWith(`\n${argoSettings}`));
}

function decidesBuilds({ gitops, gitopsSources, publishes, argo, forcedFolders }: Partial<ScopeFacts>): boolean {
  return [gitops, gitopsSources, publishes, argo, forcedFolders].some((each) => each !== undefined);
}

/** Whether a GitOps object may read variables or values from objects. Patches may add such a field to a definition. */
function readsSettings({ kind }: GitopsScope): boolean {
  return kind !== 'argo-application';
}

function changesSettings({ before, after }: FileChange): boolean {
  const [were, are] = [before, after].map(({ scope }) => allIdentities(scope).filter(isSettings));
  return JSON.stringify(were) !== JSON.stringify(are);
}

/** Whether other GitOps objects apply an object with settings than before, so that it may be in other clusters; `changed` contains the scopes that differ. */
function movesSettings(before: Structure, after: Structure, changed: readonly Scope[]): boolean {
  const appliedBy = ({ scopes }: Structure, uri: string) =>
    scopes()
      .of(uri)
      .map(({ gitops, path }) => (gitops === undefined ? '' : path))
      .join('\n');
  const files = new Set(changed.flatMap((scope) => [...scope.files]));
  return [...files].some(
    (uri) =>
      (holdsSettings(before, uri) || holdsSettings(after, uri)) && appliedBy(before, uri) !== appliedBy(after, uri),
  );
}

function holdsSettings({ scopes }: Pick<Structure, 'scopes'>, uri: string): boolean {
  const facts = scopes().facts().get(uri);
  return facts !== undefined && allIdentities(facts).some(isSettings);
}

/** Whether an object may contain variables, or values of charts. */
function isSettings(identity: string): boolean {
  return /^[^\n]*\n(?:ConfigMap|Secret|SealedSecret)\n/.test(identity);
}
