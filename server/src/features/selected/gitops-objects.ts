/** Finds the objects that a GitOps object builds, the files that it names, and the GitOps objects that apply a file. */

import type { Span } from '../../text/span.ts';
import { scopesDefinedBy } from '../../workspace/gitops/defined-scopes.ts';
import { resolvedPaths } from '../../workspace/gitops/resolved-paths.ts';
import { isInWorkspace } from '../../workspace/kustomize/kustomization-paths.ts';
import type { EffectiveObject } from '../../workspace/model.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import type { FileView, View } from '../view.ts';

/** Whether an object creates other GitOps objects, each of which is a scope. */
export function createsScopes(scopes: readonly Scope[]): boolean {
  return scopes.some(({ gitops }) => gitops?.facts.from !== undefined);
}

/** The objects of some scopes, and whether there may be more. */
export interface BuiltByScopes {
  readonly objects: readonly EffectiveObject[];
  readonly isPartial: boolean;
}

/** The maximum number of scopes that are rendered for one object. */
const maximumScopes = 20;

/** Returns the objects that some scopes build. */
export function builtBy({ workspace, catalogue }: View, scopes: readonly Scope[]): BuiltByScopes {
  const renderings = scopes.slice(0, maximumScopes).map(({ path }) => workspace.rendering(path, catalogue));
  const isWhole = renderings.every((each) => each?.isWhole) && scopes.every(({ closed }) => closed === true);
  return {
    objects: renderings.flatMap((each) => each?.objects ?? []),
    isPartial: !isWhole || scopes.length > maximumScopes,
  };
}

/** A folder or file that a GitOps object names, and the URIs to which it may refer. */
interface GitopsPath {
  readonly span: Span;
  readonly candidates: readonly string[];
}

/** Returns the folders and files that the GitOps objects of a file name. */
export function gitopsPaths({ workspace, file }: FileView): readonly GitopsPath[] {
  return file.manifest.objects.flatMap((object) => {
    const scopes = scopesDefinedBy(workspace, file.uri, object);
    const [scope] = scopes;
    if (scope === undefined || createsScopes(scopes)) return [];
    return resolvedPaths(workspace, scope, object).flatMap(({ node, is, source, uri }): readonly GitopsPath[] => {
      // Of a folder without a kustomization and a chart, the first file.
      const built = is === 'folder' && source !== undefined ? (scope.gitops.contents[source]?.resources ?? []) : [];
      const candidates = [uri, ...built].filter((each) => isInWorkspace(workspace, each));
      return candidates.length === 0 ? [] : [{ span: node.span, candidates }];
    });
  });
}
