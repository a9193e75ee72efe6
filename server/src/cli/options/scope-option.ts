/** Resolves the scopes that `--scope` names. */

import { isKustomizationName } from '../../manifests/kustomize/kustomization.ts';
import type { Session } from '../../session.ts';
import { percentEncode } from '../../text/percent-encoding.ts';
import { kustomizationIn } from '../../workspace/kustomize/kustomization-paths.ts';
import type { Workspace } from '../../workspace/model.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import { fileNameOf, folderOf, isWithin } from '../../workspace/uri.ts';
import type { World } from '../environment.ts';
import { nameList } from '../output/name-list.ts';
import { displayPath } from '../paths/display-path.ts';
import type { LocatedScope } from '../paths/requested-paths.ts';
import { UsageError } from './arguments.ts';

/** Returns the scopes at all given paths; undefined without paths. Throws a UsageError for a path without a scope. */
export function scopesNamed(
  world: World,
  session: Session,
  places: readonly LocatedScope[],
): ReadonlySet<Scope> | undefined {
  return places.length === 0 ? undefined : new Set(places.flatMap((each) => scopesAt(world, session, each)));
}

/** Returns the folders that may contain a kustomization that `--scope` names. */
export function kustomizationsAt(places: readonly LocatedScope[]): readonly string[] {
  return places.flatMap(({ kind, uri }) => {
    if (kind === 'folder') return [uri];
    return isKustomizationName(fileNameOf(uri)) ? [folderOf(uri)] : [];
  });
}

/** Whether each kustomization in some folders has a scope. A component is only built as a part of others. */
export function haveScopes(workspace: Workspace, folders: readonly string[]): boolean {
  const paths = new Set(
    workspace
      .scopes()
      .all()
      .map(({ path }) => path),
  );
  return folders.every((folder) => {
    const file = kustomizationIn(workspace, workspace.at(folderOf(folder), fileNameOf(folder)));
    return file === undefined || file.scope.kustomization?.component === true || paths.has(folderOf(file.uri));
  });
}

/** Returns the scopes with exactly this path; otherwise, for a folder, the scopes below it, and for a file, the scopes that apply it. */
function scopesAt(world: World, session: Session, { kind, uri: named, name }: LocatedScope): readonly Scope[] {
  const workspace = session.snapshot();
  const scopes = workspace.scopes();
  const uri = workspace.at(folderOf(named), fileNameOf(named));
  const folder = kind === 'file' && isRootFile(workspace.files.get(uri)) ? folderOf(uri) : uri;
  const whole = name === undefined ? folder : `${uri}#${percentEncode(name)}`;
  const exact = scopes.all().filter(({ path }) => path === whole);
  if (exact.length > 0) return exact;
  if (name !== undefined)
    throw unknownScope(
      world,
      whole,
      scopes.all().filter(({ gitops }) => gitops?.uri === uri),
    );
  const found = kind === 'folder' ? scopes.all().filter(({ path }) => isWithin(path, uri)) : scopes.ofFile(uri);
  if (found.length > 0) return found;
  const around = [...workspace.files.keys()].filter((each) => isWithin(each, uri));
  const holding = new Set(around.flatMap((each) => [...scopes.building(each), ...scopes.ofFile(each)]));
  throw unknownScope(
    world,
    uri,
    [...holding].filter((scope) => scope.kind !== 'file'),
  );
}

/** The maximum number of scopes that a message names. */
const mostNamed = 20;

/** Returns the error for a URI without a scope. The message suggests the scopes in `holding`, to which the file or folder belongs. */
function unknownScope(world: World, uri: string, holding: readonly Scope[]): UsageError {
  const paths = nameList(
    holding.map(({ path }) => displayPath(world, path)),
    mostNamed,
  );
  const isNamed = uri.includes('#');
  const hint =
    paths === '' ? "'selector-lens objects' lists all." : `${isNamed ? 'The file has' : 'It is part of'} ${paths}.`;
  return new UsageError(`Unknown scope '${displayPath(world, uri)}'. ${hint}`);
}

/** Whether a file makes its folder the path of a scope: a kustomization, a chart or a configuration. */
function isRootFile(
  file: { readonly kustomization?: unknown; readonly chart?: unknown; readonly config?: unknown } | undefined,
): boolean {
  return [file?.kustomization, file?.chart, file?.config].some((each) => each !== undefined);
}
