/** Finds faults in the configurations that apply to the files of a command. If there are any, the result of the command must not look complete. */

import type { Session } from '../../session.ts';
import { configName } from '../../settings/config.ts';
import type { ConfigProblem } from '../../settings/shape.ts';
import { offsetToPosition } from '../../text/lines.ts';
import type { Skipped } from '../../workspace/live/load.ts';
import type { WorkspaceFile } from '../../workspace/model.ts';
import { fileNameOf, folderOf, isWithin } from '../../workspace/uri.ts';
import type { World } from '../environment.ts';
import { tame } from '../output/terminal-escape.ts';
import { displayPath } from '../paths/display-path.ts';

export interface ConfigFaults {
  /** The URIs of the configurations with faults, sorted. */
  readonly broken: readonly string[];
  /** The configurations that could not be read: their content is unknown. */
  readonly unread: readonly Skipped[];
}

/** Whether any configuration has a fault or could not be read. */
export function hasFaults({ broken, unread }: ConfigFaults): boolean {
  return broken.length + unread.length > 0;
}

export function configFaults(session: Session, files: readonly WorkspaceFile[]): ConfigFaults {
  const configs = session.snapshot().configs();
  const isUnread = session.workspace.skipped().some(({ uri }) => fileNameOf(uri) === configName);
  if ([...configs.all()].length === 0 && !isUnread) return { broken: [], unread: [] };
  const governing = new Set(files.flatMap(({ uri }) => configs.of(uri)?.uri ?? []));
  const unread = session.workspace.skipped().filter((each) => {
    const folder = folderOf(each.uri);
    const isNearest = (uri: string) => isWithin(uri, folder) && !isWithin(configs.of(uri)?.folder ?? '', folder);
    return fileNameOf(each.uri) === configName && files.some(({ uri }) => uri !== each.uri && isNearest(uri));
  });
  return {
    broken: [...governing].filter((uri) => faultsIn(session, uri).length > 0).toSorted(),
    unread: unread.toSorted((a, b) => (a.uri < b.uri ? -1 : 1)),
  };
}

/** Tests whether the configuration that applies to a file has faults, so that its effect on the file is unknown. */
export function isGovernedByFault(session: Session, { broken, unread }: ConfigFaults, uri: string): boolean {
  const nearest = session.snapshot().configs().of(uri);
  if (nearest !== undefined && broken.includes(nearest.uri)) return true;
  return unread.some((each) => {
    const folder = folderOf(each.uri);
    return isWithin(uri, folder) && !isWithin(nearest?.folder ?? '', folder);
  });
}

/** Reports the first fault of each configuration on standard error, for commands that report no findings. */
export function reportConfigFaults(world: World, session: Session, { broken, unread }: ConfigFaults): void {
  for (const uri of broken) {
    const [first, ...others] = faultsIn(session, uri);
    if (first === undefined) continue;
    const { line, character } = offsetToPosition(session.snapshot().files.get(uri)?.lines ?? [0], first.span.start);
    const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
    const place = `${displayPath(world, uri)}:${line + 1}:${character + 1}`;
    world.err(tame(`selector-lens: ${place}: ${first.message}${more}`));
  }
  for (const each of unread) world.err(tame(`selector-lens: ${displayPath(world, each.uri)} ${unreadMessage(each)}`));
}

/** Returns the message for a configuration that could not be read. */
export function unreadMessage({ reason }: Skipped): string {
  return `cannot be read: ${reason}.`;
}

/** Returns the faults in a configuration, except for unknown scope names, which do not affect other scopes. */
function faultsIn(session: Session, uri: string): readonly ConfigProblem[] {
  return session.workspace.configProblems(uri).filter(({ code }) => code !== 'unknown-scope');
}
