/** The kustomization or the GitOps object that builds an object, in the output of commands. */

import { scopeKindName } from '../../features/presentation/scope-names.ts';
import type { Session } from '../../session.ts';
import { isExternalFile } from '../../workspace/configs.ts';
import { assumedRepositories } from '../../workspace/gitops/model.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import type { World } from '../environment.ts';
import { displayPath } from '../paths/display-path.ts';

export interface BuiltBy {
  /** The folder of the kustomization, or the file of the GitOps object, that builds the object. */
  readonly builtBy?: string;
  readonly builtByKind?: Scope['kind'];
  /**
   * Repositories that GitOps objects name and that are assumed, but not known, to be the repository of the workspace.
   */
  readonly assumed?: readonly string[];
  /** Whether Flux or Argo CD does not apply changes of the GitOps object. */
  readonly suspended?: true;
  /** Whether a configuration declares that the object is applied by other means. */
  readonly external?: true;
}

/** Returns the property `external` for an object in a file. */
export function externalOf(session: Session, uri: string): Pick<BuiltBy, 'external'> {
  return isExternalFile(session.snapshot().configs(), uri) ? { external: true } : {};
}

/** Describes the scope that builds an object; empty for an object that is applied as it is written. */
export function builtByOf(world: World, scope: Scope | undefined): BuiltBy {
  if (scope === undefined) return {};
  const assumed = scope.gitops === undefined ? [] : assumedRepositories(scope.gitops);
  return {
    builtBy: displayPath(world, scope.path),
    builtByKind: scope.kind,
    ...(scope.gitops?.facts.suspended && { suspended: true }),
    ...(assumed.length > 0 && { assumed }),
  };
}

/** Returns the scope, or that the object is external, as a clause that follows the name of the object. */
export function builtByText({ builtBy, builtByKind, assumed = [], suspended, external }: BuiltBy): string {
  if (builtBy === undefined || builtByKind === undefined) return external ? ', external' : '';
  return `, as built by ${scopeKindName({ kind: builtByKind })} in ${builtBy}${suspended ? ' (suspended)' : ''}${assumptionText(assumed)}`;
}

/** Returns a phrase that names the repositories that are assumed, but not known, to be the repository of the workspace; `''` if there are none. */
export function assumptionText(assumed: readonly string[]): string {
  return assumed.map((repository) => ` (${repository} is assumed to be this repository)`).join('');
}
