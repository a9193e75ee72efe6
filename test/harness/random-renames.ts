/**
 * Tests that the rename of any name of a workspace keeps every match: it is applied, and everything is parsed again.
 */

import assert from 'node:assert/strict';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { nameToRenameAt } from '../../server/src/features/rename/name-to-rename.ts';
import { prepareRename, rename } from '../../server/src/features/rename/rename.ts';
import type { FileView } from '../../server/src/features/view.ts';
import { Session } from '../../server/src/session.ts';
import { applyEdits } from '../../server/src/text/edit.ts';
import { TestLog } from './bench.ts';
import { matchList } from './match-list.ts';
import { MemoryFiles } from './memory-files.ts';

export type Texts = ReadonlyMap<string, string>;

/** The position of a name. */
export interface Name {
  readonly uri: string;
  readonly offset: number;
  readonly text: string;
}

/** Returns a session that indexed texts below a folder. */
export async function sessionOver(texts: Texts, folder: string): Promise<Session> {
  const session = new Session({ catalogue, log: new TestLog() });
  const source = new MemoryFiles(texts);
  await session.workspace.load(
    source,
    [folder],
    () => undefined,
    () => false,
  );
  return session;
}

function viewOf(session: Session, uri: string): FileView {
  const view = session.fileView(uri);
  assert.ok(view !== undefined, uri);
  return view;
}

/** Every word of every file that is the name of a label and can be renamed. */
export function namesIn(session: Session, texts: Texts): readonly Name[] {
  return [...texts].flatMap(([uri, text]) => {
    session.workspace.edit(uri, text);
    const words = [...text.matchAll(/[^\s"':,=()[\]{}]+/g)];
    const names = words.flatMap(({ index }): readonly Name[] => {
      const view = viewOf(session, uri);
      // A rename of an object changes the names in the results.
      const found = nameToRenameAt(view, index) && prepareRename(view, index);
      if (found === undefined || 'refused' in found || found.span.start !== index) return [];
      assert.ok(text.startsWith(found.text, index), found.text);
      return [{ uri, offset: index, text: found.text }];
    });
    session.workspace.close(uri);
    return names;
  });
}

/**
 * Checks the rename of a random name of a workspace; returns whether it was done, undefined if there is no other name.
 */
export async function checkSomeRename(
  texts: Texts,
  folder: string,
  which: number,
  to: string,
): Promise<boolean | undefined> {
  const session = await sessionOver(texts, folder);
  const names = namesIn(session, texts).filter(({ text }) => text !== to);
  const name = names[which % Math.max(names.length, 1)];
  return name && checkRename(session, texts, folder, name, to);
}

/**
 * Renames a name, parses everything again and compares; false if the rename is refused. Uncertain changes must be
 * reported.
 */
export async function checkRename(
  session: Session,
  texts: Texts,
  folder: string,
  { uri, offset, text }: Name,
  to: string,
): Promise<boolean> {
  session.workspace.edit(uri, texts.get(uri) ?? '');
  const found = rename(viewOf(session, uri), offset, to);
  session.workspace.close(uri);
  assert.ok(found !== undefined);
  if ('refused' in found) return false;
  const isAt = found.edits.get(uri)?.some(({ span }) => span.start <= offset && offset < span.end);
  assert.ok(isAt, 'a rename must change the place where it was asked for');
  const after = new Map([...texts].map(([each, old]) => [each, applyEdits(old, found.edits.get(each) ?? [])]));
  const [before, now] = [session, await sessionOver(after, folder)].map((each) => matchList(each.snapshot()));
  const what = `${text} in ${uri} as ${to}`;
  const isSaid = [...found.edits.values()].flat().some(({ look }) => look === 'changes');
  const isCertain = (line: string) => !line.includes(' may take ');
  if (isSaid) assert.deepEqual(now?.filter(isCertain), before?.filter(isCertain), what);
  else assert.deepEqual(now, before, what);
  return true;
}
