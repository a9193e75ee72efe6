/** Finds the labels, annotations and requirements that the helpers of charts write into the objects of templates. */

import { getOrAdd } from '../../engine/memoize.ts';
import type { LabelEntry, ManifestObject, Written } from '../../manifests/model.ts';
import { chartFamilyOf } from '../../workspace/charts/chart-family.ts';
import { isHelperFile } from '../../workspace/charts/chart-files.ts';
import type { Workspace } from '../../workspace/model.ts';
import type { RuleContext } from '../framework/rule.ts';
import { objectsOfCharts } from './written-faults.ts';
import { flowStyleAt, spanOfWritten } from './written-spans.ts';

type Context = Pick<RuleContext, 'uri' | 'workspace'>;

/** Whether a file contains helpers, whose meaning depends on the templates that include them. */
export function hasHelpers({ uri, workspace }: Context): boolean {
  return isHelperFile(uri) && chartFamilyOf(workspace, uri) !== undefined;
}

/** Returns the objects into which the helpers of a file write labels, each with only these labels, at their positions in the file. */
export function objectsOfHelpers(context: RuleContext): readonly ManifestObject[] {
  if (!hasHelpers(context)) return [];
  return getOrAdd(known, context, () => {
    const objects = labeledObjects(context);
    // Only here, because the text of a closed file is read for it.
    return objects.length === 0 ? [] : objects.map((object) => inFile(object, context.uri, context.text));
  });
}

/** Whether renaming a key in the helpers of a file renames it wherever the objects of the chart have it, and no object has the new key already. */
export function canRenameInHelpers(context: RuleContext, from: string, to: string): boolean {
  const having = labeledObjects(context).filter((object) => entriesOf(object).some(({ key }) => key.text === from));
  return having.every((object) =>
    [...keysOf(object)].every(({ text, origin }) => text !== to && (text !== from || origin?.uri === context.uri)),
  );
}

/** Returns the objects of the charts that have a key from the helpers of a file, with all of their labels. */
export function objectsWithKey(context: Context, key: string): readonly ManifestObject[] {
  const isOwn = (entry: LabelEntry) => entry.key.text === key && entry.key.origin?.uri === context.uri;
  return labeledObjects(context).filter((object) => entriesOf(object).some(isOwn));
}

/** The objects by context, because several rules in succession request them. */
const known = new WeakMap<RuleContext, readonly ManifestObject[]>();
const labeled = new WeakMap<Workspace, Map<string, readonly ManifestObject[]>>();

/** Returns the objects of the charts around a file that have a key from the file. */
function labeledObjects({ workspace, uri }: Context): readonly ManifestObject[] {
  const byUri = getOrAdd(labeled, workspace, () => new Map<string, readonly ManifestObject[]>());
  return getOrAdd(byUri, uri, () => {
    const family = chartFamilyOf(workspace, uri);
    const objects = family === undefined ? [] : objectsOfCharts(workspace, family).map(({ object }) => object);
    return objects.filter((object) => entriesOf(object).some(({ key }) => key.origin?.uri === uri));
  });
}

function entriesOf({ labelSites, selectorSites }: ManifestObject): readonly LabelEntry[] {
  return [...labelSites, ...selectorSites].flatMap(({ entries }) => entries);
}

function* keysOf(object: ManifestObject): Generator<Written> {
  for (const { key } of entriesOf(object)) yield key;
  for (const { expressions } of object.selectorSites)
    for (const { key } of expressions) if (key !== undefined) yield key;
}

function inFile(object: ManifestObject, uri: string, text: string): ManifestObject {
  const own = (entries: readonly LabelEntry[]) =>
    entries.flatMap((entry): readonly LabelEntry[] => {
      if (entry.key.origin?.uri !== uri) return [];
      const key = at(text, spanOfWritten(text, { is: 'key', scalar: entry.key }), entry.key);
      const { value: scalar } = entry;
      const value = at(text, spanOfWritten(text, { is: 'value', scalar, key: entry.key }), scalar);
      return key === undefined ? [] : [{ ...entry, key, value: value ?? { ...scalar, span: key.span }, merged: false }];
    });
  return {
    ...object,
    labelSites: object.labelSites.map((site) => ({ ...site, entries: own(site.entries) })),
    selectorSites: object.selectorSites.map((site) => ({ ...site, entries: own(site.entries), expressions: [] })),
    labelKeySites: [],
  };
}

/** Returns a scalar at its position in a helper; undefined if something else writes it there. */
function at(text: string, place: ReturnType<typeof spanOfWritten>, scalar: Written): Written | undefined {
  if (place?.holds !== 'scalar') return undefined;
  const { origin: _, ...known } = scalar;
  return { ...known, span: place.span, style: flowStyleAt(text, place.span.start) };
}
