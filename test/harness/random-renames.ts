/** Does a rename of any name of a workspace leave every match as it was? It is applied and everything is read again. */

import assert from 'node:assert/strict';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { prepareRename, rename } from '../../server/src/features/rename/rename.ts';
import type { FileView } from '../../server/src/features/view.ts';
import { Service } from '../../server/src/service.ts';
import { applyEdits } from '../../server/src/text/edit.ts';
import { TestLog } from './bench.ts';
import { matchList } from './match-list.ts';
import { MemoryFiles } from './memory-files.ts';

export type Texts = ReadonlyMap<string, string>;

/** Where a name stands. */
export interface Name {
  readonly uri: string;
  readonly offset: number;
  readonly text: string;
}

export async function serviceOver(texts: Texts, folder: string): Promise<Service> {
  const service = new Service({ catalogue, log: new TestLog() });
  const source = new MemoryFiles(texts);
  await service.load(
    source,
    [folder],
    () => undefined,
    () => false,
  );
  return service;
}

function viewOf(service: Service, uri: string): FileView {
  const view = service.fileView(uri);
  assert.ok(view !== undefined, uri);
  return view;
}

/** Every word of every file that may be renamed. */
export function namesIn(service: Service, texts: Texts): readonly Name[] {
  return [...texts].flatMap(([uri, text]) => {
    service.edit(uri, text);
    const words = [...text.matchAll(/[^\s"':,=()[\]{}]+/g)];
    const names = words.flatMap(({ index }): readonly Name[] => {
      const found = prepareRename(viewOf(service, uri), index);
      if (found === undefined || 'refused' in found || found.span.start !== index) return [];
      assert.ok(text.startsWith(found.text, index), found.text);
      return [{ uri, offset: index, text: found.text }];
    });
    service.close(uri);
    return names;
  });
}

/** Checks the rename of some name of a workspace; says whether it was made, undefined where there is no other name. */
export async function checkSomeRename(
  texts: Texts,
  folder: string,
  which: number,
  to: string,
): Promise<boolean | undefined> {
  const service = await serviceOver(texts, folder);
  const names = namesIn(service, texts).filter(({ text }) => text !== to);
  const name = names[which % Math.max(names.length, 1)];
  return name && checkRename(service, texts, folder, name, to);
}

/**
 * Renames a name, reads everything anew and compares; false where the rename is refused. What changes without being
 * certain must be said.
 */
export async function checkRename(
  service: Service,
  texts: Texts,
  folder: string,
  { uri, offset, text }: Name,
  to: string,
): Promise<boolean> {
  service.edit(uri, texts.get(uri) ?? '');
  const found = rename(viewOf(service, uri), offset, to);
  service.close(uri);
  assert.ok(found !== undefined);
  if ('refused' in found) return false;
  const isAt = found.edits.get(uri)?.some(({ span }) => span.start <= offset && offset < span.end);
  assert.ok(isAt, 'a rename must change the place where it was asked for');
  const after = new Map([...texts].map(([each, old]) => [each, applyEdits(old, found.edits.get(each) ?? [])]));
  const [before, now] = [service, await serviceOver(after, folder)].map((each) => matchList(each.workspace()));
  const what = `${text} in ${uri} as ${to}`;
  const isSaid = [...found.edits.values()].flat().some(({ look }) => look === 'changes');
  const isCertain = (line: string) => !line.includes(' may take ');
  if (isSaid) assert.deepEqual(now?.filter(isCertain), before?.filter(isCertain), what);
  else assert.deepEqual(now, before, what);
  return true;
}
