/** Adds to a rename the labels and selectors with the old value that it does not reach, so that a preview lists them. */

import { holdsLabels } from '../../manifests/cursor/label-name-at.ts';
import { localize } from '../../text/localize.ts';
import { asWritten } from '../../workspace/snapshot.ts';
import type { FileView } from '../view.ts';
import type { AnnotatedEdit } from './annotated-edits.ts';
import { renameInEntries, renameInSelector } from './label-name.ts';
import { nameToRenameAt } from './name-to-rename.ts';
import type { Look, Renamed } from './rename.ts';

/** The maximum number of listed places. */
const mostListed = 50;

/** Returns a rename with edits of the places in the same overlay, chart or folder that have the old value, but that no renamed selector or label is connected with. They need a confirmation, and are not selected. */
export function withNearMisses(shown: FileView, offset: number, to: string, renamed: Renamed): Renamed {
  const view = asWritten(shown);
  const { key, value } = nameToRenameAt(view, offset) ?? {};
  if (key === undefined || value === undefined || renamed.edits.size === 0) return renamed;
  const scopes = view.workspace.scopes();
  const files = new Set(scopes.ofFile(view.file.uri).flatMap((scope) => [...scope.files]));
  const edits = new Map(renamed.edits);
  let left = mostListed;
  for (const uri of files) {
    const file = scopes.isGenerated(uri) ? undefined : view.workspace.files.get(uri);
    if (file === undefined || left <= 0) continue;
    const known = edits.get(uri) ?? [];
    const starts = new Set(known.map(({ span }) => span.start));
    const found = file.manifest.objects.flatMap((object) => [
      ...object.labelSites.filter(holdsLabels).flatMap(({ entries }) => renameInEntries(entries, { key, value }, to)),
      ...object.selectorSites.flatMap((site) => renameInSelector(site, { key, value }, to)),
    ]);
    const missed = new Map<number, AnnotatedEdit<Look>>();
    for (const { edit, writtenIn, unplaced, conditional, anchored } of found) {
      if (starts.has(edit.span.start) || writtenIn !== undefined || unplaced || conditional || anchored) continue;
      if (missed.size < left) missed.set(edit.span.start, { ...edit, look: 'near miss' });
    }
    left -= missed.size;
    if (missed.size > 0)
      edits.set(
        uri,
        [...known, ...missed.values()].toSorted((a, b) => a.span.start - b.span.start),
      );
  }
  if (left === mostListed) return renamed;
  const note = {
    label: localize`Also rename unconnected ${`${key}=${value}`}`,
    description: localize`No selector connects it with the renamed label.`,
    needsConfirmation: true,
  };
  return { ...renamed, edits, notes: { ...renamed.notes, 'near miss': note } };
}
