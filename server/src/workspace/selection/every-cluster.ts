/** Finds what a selector matches among the objects that exist in every cluster. */

import type { SelectorSite } from '../../manifests/model.ts';
import type { Workspace } from '../model.ts';
import { everyCluster } from '../scopes/model.ts';
import type { Match, Selection } from './model.ts';

/** Returns the objects of every cluster that a selector certainly matches: they are always applied together with it, although no scope contains them. */
export function matchesInEveryCluster(
  { files }: Pick<Workspace, 'files'>,
  { fact: { targets } }: SelectorSite,
  selection: Pick<Selection, 'elsewhere'>,
): readonly Match[] {
  const objects = files.get(everyCluster)?.manifest.objects ?? [];
  if (!objects.some(({ kind }) => targets.some((target) => target.kind === kind))) return [];
  return selection.elsewhere.filter(({ file, reasons }) => file.uri === everyCluster && reasons.length === 0);
}
