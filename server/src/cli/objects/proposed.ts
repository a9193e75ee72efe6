/** The state of a workspace with proposed file contents, which are not written to disk. */

import type { Session } from '../../session.ts';
import type { LiveWorkspace } from '../../workspace/live/live-workspace.ts';
import { type Texts, withTexts } from '../../workspace/live/with-texts.ts';
import type { Workspace } from '../../workspace/model.ts';
import { everyCluster } from '../../workspace/scopes/model.ts';
import type { World } from '../environment.ts';

/** A copy of a workspace, which may still contain the file contents of the last proposal. */
interface Twin {
  readonly workspace: LiveWorkspace;
  /** The snapshot of the original workspace with which the copy was last synchronized. */
  seen: Workspace;
  /** The file contents in the copy that replace the contents on disk. */
  texts: Texts;
}

/** The copy of each workspace, so that a process that answers several commands indexes each workspace only twice. */
const twins = new WeakMap<LiveWorkspace, Twin>();

/** Returns a session over a copy of the workspace, in which `proposed` replaces the contents of files; null deletes a file. */
export async function proposedSession(world: World, session: Session, proposed: Texts): Promise<Session> {
  const { workspace } = session;
  const now = session.snapshot();
  const known = twins.get(workspace);
  const cloned = () => ({ workspace: workspace.clone(undefined, [...now.folders], true), seen: now, texts: new Map() });
  const twin = known?.seen.folders === now.folders ? known : cloned();
  twins.set(workspace, twin);
  const open = workspace.openFiles().map(({ file, text }) => [file.uri, text] as const);
  const texts = new Map<string, string | null>([...open, ...proposed]);
  if (twin.seen === now && areEqual(twin.texts, texts)) return session.withChoices({}, twin.workspace);
  const replaced = [...twin.texts.keys(), ...texts.keys()].filter((uri) => twin.texts.get(uri) !== texts.get(uri));
  const stale = new Set([...changedBetween(twin.seen, now).filter((uri) => !texts.has(uri)), ...replaced]);
  twin.seen = now;
  twin.texts = texts;
  const changes = [...stale].map((uri) => ({ uri, gone: texts.get(uri) === null }));
  await twin.workspace.refresh(withTexts(world.files, texts), changes);
  twin.workspace.shareScopes(now);
  return session.withChoices({}, twin.workspace);
}

/** Whether two maps contain the same texts. */
export function areEqual(some: Texts, others: Texts): boolean {
  return some.size === others.size && [...some].every(([uri, text]) => others.get(uri) === text);
}

function changedBetween(before: Workspace, after: Workspace): readonly string[] {
  if (before === after) return [];
  const uris = after.files.keysChangedSince(before.files) ?? new Set([...before.files.keys(), ...after.files.keys()]);
  return [...uris].filter((uri) => uri !== everyCluster && before.files.get(uri) !== after.files.get(uri));
}
