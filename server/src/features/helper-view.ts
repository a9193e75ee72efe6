/** A view of a helper of a chart that writes labels or annotations: its lines are those of a map of an object. */

import { type Cursor, cursorTargetAt } from '../manifests/cursor/cursor-target.ts';
import { type Helper, helpersOf } from '../manifests/helm/helpers.ts';
import { valueObjects } from '../manifests/helm/value-objects.ts';
import type { ValueSite } from '../manifests/helm/value-site.ts';
import { blankOut } from '../manifests/placeholders/placeholders.ts';
import { objectsOfCharts } from '../rules/helpers/written-faults.ts';
import { touches } from '../text/span.ts';
import { chartFamilyOf } from '../workspace/charts/chart-family.ts';
import { isHelperFile } from '../workspace/charts/chart-files.ts';
import type { ObjectInFile } from '../workspace/model.ts';
import type { FileView } from './view.ts';

/** Returns the view of the helper at an offset; undefined if the offset is in no helper that writes labels or annotations. */
export function helperViewAt(view: FileView, offset: number): FileView | undefined {
  const { file, text } = view;
  if (!isHelperFile(file.uri) || view.valueSites.length > 0) return undefined;
  const helper = helpersOf(file.uri, text).find(({ whole }) => touches(whole, offset));
  const site = helper && siteOf(view, helper);
  if (helper === undefined || site === undefined) return undefined;
  // Only the lines between the two actions.
  const start = text.indexOf('}}', helper.whole.start) + 2;
  const end = Math.max(start, text.lastIndexOf('{{', helper.whole.end));
  const alone = blankOut(text.slice(0, start)) + text.slice(start, end) + blankOut(text.slice(end));
  return { ...view, text: alone, valueSites: [site] };
}

/** Returns the label or annotation at an offset of a helper; undefined if there is none. */
export function cursorInHelper(
  view: FileView,
  offset: number,
): { readonly view: FileView; readonly cursor: Cursor & { readonly kind: 'label' } } | undefined {
  const helper = helperViewAt(view, offset);
  if (helper === undefined) return undefined;
  const objects = valueObjects(helper.text, helper.valueSites, view.catalogue);
  const cursor = cursorTargetAt({ ...view.file.manifest, objects }, offset);
  return cursor?.kind === 'label' ? { view: helper, cursor } : undefined;
}

/** Returns the objects of the charts around a file into which its helpers write a key. */
export function objectsWithKey({ workspace, file: { uri } }: FileView, text: string): readonly ObjectInFile[] {
  const family = chartFamilyOf(workspace, uri);
  const objects = family === undefined ? [] : objectsOfCharts(workspace, family);
  return objects.filter(({ object: { labelSites, selectorSites } }) =>
    [...labelSites, ...selectorSites].some(({ entries }) =>
      entries.some(({ key }) => key.text === text && key.origin?.uri === uri),
    ),
  );
}

/** Returns the field into which a helper writes its lines: that of an object with one of its keys or, as long as there is none, the field that the name of the helper states. */
function siteOf(view: FileView, { name, keys }: Helper): ValueSite | undefined {
  for (const key of keys.keys()) {
    for (const { object } of objectsWithKey(view, key)) {
      const { group, version, kind, labelSites } = object;
      const site = labelSites.find(({ entries }) => entries.some((entry) => entry.key.text === key));
      if (site !== undefined && /^[\w.]+$/.test(site.path))
        return { group, version, kind, path: site.path.split('.'), value: [] };
    }
  }
  const field = /(labels|annotations)$/i.exec(name)?.[1]?.toLowerCase();
  return field === undefined
    ? undefined
    : { group: '', version: 'v1', kind: 'Pod', path: ['metadata', field], value: [] };
}
