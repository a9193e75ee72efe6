/** Highlights the label under the cursor everywhere in the same file. */

import { cursorAt } from '../../manifests/cursor/cursor-target.ts';
import { selectionOf } from '../../workspace/selection/selection.ts';
import { answeringLabels } from '../locations.ts';
import { pageViewAt } from '../page-view.ts';
import type { FileView } from '../view.ts';
import { concerns, labelAt, mentionsInFile } from './mentions.ts';
import { type Highlight, nameHighlights } from './name-navigation.ts';

/** Returns the highlights for the label at an offset (UTF-16), in document order. */
export function highlights(view: FileView, offset: number): readonly Highlight[] {
  const cursor = cursorAt(view.file.manifest, view.text, offset);
  const named = cursor?.kind === 'label' || cursor?.kind === 'selector' ? undefined : nameHighlights(view, offset);
  if (named !== undefined) return distinct(named);
  if (cursor === undefined) {
    const page = pageViewAt(view, offset);
    return page === undefined ? [] : highlights(page, offset);
  }
  const label = labelAt(cursor, offset);
  if (label !== undefined) {
    const mentions = mentionsInFile(view.file.manifest).filter((mention) => concerns(label, mention));
    return distinct(mentions.map(({ span, kind }) => ({ span, kind })));
  }
  if (cursor.kind !== 'selector') return [];
  const from = { file: view.file, object: cursor.object, site: cursor.site };
  const { matches } = selectionOf(view.workspace, view.catalogue, from, cursor.site);
  const answers = matches
    .map((match) => answeringLabels(view.workspace, from, match))
    .filter(({ file }) => file.uri === view.file.uri);
  return distinct([
    { span: cursor.site.keySpan, kind: 'selector' },
    ...answers.map(({ span }): Highlight => ({ span, kind: 'label' })),
  ]);
}

/** Removes duplicates, which occur if an alias repeats text. */
function distinct(found: readonly Highlight[]): readonly Highlight[] {
  const once = new Map(found.toReversed().map((each) => [`${each.span.start} ${each.span.end}`, each]));
  return [...once.values()].toSorted((a, b) => a.span.start - b.span.start);
}
