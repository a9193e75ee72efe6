/** Finds the objects that a GitOps object builds, the files to which it refers, and the GitOps objects that apply a file. */

import type { Span } from '../../text/span.ts';
import { type GitopsScope, gitopsScopesOf, scopesDefinedBy } from '../../workspace/gitops/defined-scopes.ts';
import { resolvedPaths } from '../../workspace/gitops/resolved-paths.ts';
import { isInWorkspace } from '../../workspace/kustomize/kustomization-paths.ts';
import type { EffectiveObject } from '../../workspace/model.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import type { FileView, View } from '../view.ts';

/** Whether these scopes belong to an object that creates other GitOps objects, each with its own scope. */
export function createsScopes(scopes: readonly Scope[]): boolean {
  return scopes.some(({ gitops }) => gitops?.facts.from !== undefined);
}

/** Whether all repositories whose files determine what a generator creates are the repository of the workspace. */
export function readsThisRepository({ workspace }: View, { gitops: { uri, facts } }: GitopsScope): boolean {
  const { repositories } = facts.from ?? {};
  const remotes = workspace.scopes().repositoryOf(uri)?.remotes ?? [];
  const isLocated = (repository: string) =>
    gitopsScopesOf(workspace.scopes()).some(({ gitops: { facts: other, located } }) =>
      other.sources.some((each, index) => each.repository === repository && located[index]?.exists === true),
    );
  return repositories?.every((each) => remotes.includes(each) || isLocated(each)) === true;
}

/** The objects that some scopes build, and whether the list may be incomplete. */
export interface BuiltByScopes {
  readonly objects: readonly EffectiveObject[];
  readonly isPartial: boolean;
}

/** The maximum number of scopes that are rendered for one GitOps object. */
const maximumScopes = 20;

export function builtBy({ workspace, catalogue }: View, scopes: readonly Scope[]): BuiltByScopes {
  const renderings = scopes.slice(0, maximumScopes).map(({ path }) => workspace.rendering(path, catalogue));
  const isWhole = renderings.every((each) => each?.isWhole) && scopes.every(({ closed }) => closed === true);
  return {
    objects: renderings.flatMap((each) => each?.objects ?? []),
    isPartial: !isWhole || scopes.length > maximumScopes,
  };
}

/** The path of a folder or file in a GitOps object, and the URIs to which the path may refer. */
interface GitopsPath {
  readonly span: Span;
  readonly candidates: readonly string[];
}

/** Returns the folders and files to which the GitOps objects in a file refer. */
export function gitopsPaths({ workspace, file }: FileView): readonly GitopsPath[] {
  return file.manifest.objects.flatMap((object) => {
    const scopes = scopesDefinedBy(workspace, file.uri, object);
    const [scope] = scopes;
    if (scope === undefined || createsScopes(scopes)) return [];
    return resolvedPaths(workspace, scope, object).flatMap(({ node, is, source, uri }): readonly GitopsPath[] => {
      // A link to a folder that contains neither a kustomization nor a chart opens the first file of the folder.
      const built = is === 'folder' && source !== undefined ? (scope.gitops.contents[source]?.resources ?? []) : [];
      const candidates = [uri, ...built].filter((each) => isInWorkspace(workspace, each));
      return candidates.length === 0 ? [] : [{ span: node.span, candidates }];
    });
  });
}
