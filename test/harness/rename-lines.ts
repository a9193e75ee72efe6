/** Formats the changes of a rename in a fixture as lines, in the notation of the margin. */

import type { AnnotatedEdit } from '../../server/src/features/rename/annotated-edits.ts';
import { prepareRename, rename } from '../../server/src/features/rename/rename.ts';
import type { FileView } from '../../server/src/features/view.ts';
import type { Bench } from './bench.ts';
import { changedLines } from './changed-lines.ts';

/** Every line that a rename changes, with the reason for a review; or why it is refused. */
export function renameLines(bench: Bench, place: string, to: string): readonly string[] {
  const renamed = rename(viewAt(bench, place), bench.place(place).span.start, to);
  if (renamed === undefined) return ['(none)'];
  if ('refused' in renamed) return [`refused: ${renamed.refused}`];
  const noted = ({ look }: AnnotatedEdit<string>) => (look === 'plain' ? '' : ` (${look})`);
  return bench.files.flatMap(({ name, text }) =>
    changedLines(name, text, renamed.edits.get(bench.uriOf(name)) ?? [], noted),
  );
}

/** The name that can be renamed at a named span. */
export function renameable(bench: Bench, place: string): string {
  const { span, file } = bench.place(place);
  const found = prepareRename(viewAt(bench, place), span.start);
  if (found === undefined) return '(none)';
  return 'refused' in found ? `refused: ${found.refused}` : file.text.slice(found.span.start, found.span.end);
}

/** The view of the file of a named span, which is opened for it. */
export function viewAt(bench: Bench, place: string): FileView {
  const { session } = bench;
  const { uri, file } = bench.place(place);
  if (!session.workspace.isOpen(uri)) session.workspace.edit(uri, file.text);
  const view = session.fileView(uri);
  if (view === undefined) throw new Error(`${uri} is not open.`);
  return view;
}
