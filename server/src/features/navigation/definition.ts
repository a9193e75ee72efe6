/** Go to definition: the labels to which a selector or a label key refers, and the object to which a name refers. */

import { type Cursor, cursorAt } from '../../manifests/cursor/cursor-target.ts';
import { ownLabelsOf } from '../../manifests/cursor/label-name-at.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import type { ObjectInFile, SiteInFile } from '../../workspace/model.ts';
import type { Match } from '../../workspace/selection/model.ts';
import { selectionOf } from '../../workspace/selection/selection.ts';
import { renderedEntries } from '../hover/template-hover.ts';
import { answeringLabels, entryFileSpan, entrySpan, type FileSpan, isWritten } from '../locations.ts';
import { pageView, pageViewAt } from '../page-view.ts';
import { clusterMatches, withoutCluster } from '../selected/cluster-relations.ts';
import { selectedLabelsAt } from '../selected/selected-labels.ts';
import type { FileView, View } from '../view.ts';
import { chartDefinition } from './chart-navigation.ts';
import { selectedByTarget } from './kustomization-navigation.ts';
import { labelAt } from './mentions.ts';
import { nameDefinition } from './name-navigation.ts';
import { variableDefinition, wordDefinition } from './word-definition.ts';

/** Returns the definitions at an offset. For a selector, these are the labels of its certain matches, or else of its possible matches, or else of matches outside the scope. */
export function definition(view: FileView, offset: number): readonly FileSpan[] {
  const cursor = cursorAt(view.file.manifest, view.text, offset);
  // Rendered labels are defined in a helper of the chart. Any other label is its own definition, so an editor shows its
  // references instead.
  const [rendered] = cursor === undefined ? [] : renderedEntries(cursor);
  if (rendered?.key.origin !== undefined) return [entryFileSpan(view.workspace, view.file, rendered)];
  const inChart = chartDefinition(view, offset);
  if (inChart.length > 0) return inChart;
  const variable = variableDefinition(view, offset);
  if (variable.length > 0) return variable;
  const named = nameDefinition(view, offset);
  if (named.length > 0) return named;
  if (cursor === undefined) {
    const targets = selectedByTarget(view, offset);
    if (targets.length > 0) return targets;
    const page = pageViewAt(view, offset);
    return page === undefined ? wordDefinition(view, offset) : definition(page, offset);
  }
  if (cursor.kind === 'label') {
    return labelAt(cursor, offset) === undefined ? [] : [{ file: view.file, span: entrySpan(cursor.entry) }];
  }
  if (cursor.kind === 'labelKey') return labelsOfKey(view, cursor, offset);
  if (cursor.kind !== 'selector') return [];
  const from: SiteInFile = { file: view.file, object: cursor.object, site: cursor.site };
  const found = bestMatches(view, from, from.site).filter(isWritten);
  if (found.length > 0) return found.map((match) => answeringLabels(view.workspace, from, match));
  const page = cursor.object.inline ? pageView(view) : undefined;
  if (page === undefined) return [];
  const onPage = { ...from, file: page.file };
  return bestMatches(page, onPage, from.site)
    .filter(isWritten)
    .map((match) => answeringLabels(page.workspace, onPage, match));
}

/** Returns the labels whose key a field names: labels of the object, of the objects that it creates, or of the objects that it selects. */
function labelsOfKey(
  view: FileView,
  { object, site }: Cursor & { readonly kind: 'labelKey' },
  offset: number,
): readonly FileSpan[] {
  const { file, workspace } = view;
  const own = ownLabelsOf(object, site).map((entry) => ({ file, span: entrySpan(entry) }));
  if (own.length > 0) return own;
  const selected = selectedLabelsAt(view, { file, object }, offset);
  return (selected?.matches ?? []).flatMap((match) => {
    const entry = match.labeledObject.site?.entries.findLast(({ key }) => key.value === selected?.key);
    return entry === undefined ? [] : [entryFileSpan(workspace, match.file, entry)];
  });
}

/** Returns the most certain matches of a selector, in its scopes, in other GitOps objects of its cluster, or in other scopes. */
export function bestMatches(view: View, owner: ObjectInFile, site: SelectorSite): readonly Match[] {
  const { matches, maybe, elsewhere } = selectionOf(view.workspace, view.catalogue, owner, site);
  const inCluster = clusterMatches(view, owner, site);
  const [certain, possible] = [
    [...matches, ...inCluster.matches],
    [...maybe, ...inCluster.maybe],
  ];
  if (certain.length > 0) return certain;
  return possible.length > 0 ? possible : withoutCluster(view, owner, elsewhere);
}
