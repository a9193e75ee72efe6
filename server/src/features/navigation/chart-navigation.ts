/** Navigation in a chart: between values and their uses in templates, between fields of `Chart.yaml` and their uses, and between helpers and the actions that include them. */

import {
  type ChartName,
  type NamedSpan,
  nameAt,
  namesInKeys,
  namesInTemplate,
} from '../../manifests/helm/chart-names.ts';
import { lineTable } from '../../text/lines.ts';
import { type ChartFamily, chartFamilyOf, chartFilesOf, chartPartOf } from '../../workspace/charts/chart-family.ts';
import { isChartValues } from '../../workspace/charts/chart-files.ts';
import type { FileSpan } from '../locations.ts';
import type { FileView } from '../view.ts';

/** The maximum number of searched files of a chart, and of returned locations. */
const maximumFiles = 500;
const maximumPlaces = 1000;

/** A name with its chart: a value has the path from the outermost chart, and a field of `Chart.yaml` has the folder of its chart. */
type FullName = ChartName & { readonly folder: string };

interface Mentioned extends NamedSpan {
  readonly uri: string;
  readonly text: string;
  readonly full: FullName;
}

/** Returns the files that may contain the name at an offset; empty if there is no value, field or helper at the offset. */
export function chartFilesAt(view: FileView, offset: number): readonly string[] {
  const family = familyAt(view, offset);
  return family === undefined ? [] : [...chartFilesOf(view.workspace, family).keys()].slice(0, maximumFiles);
}

/** Returns the definition of the value, field or helper at an offset. */
export function chartDefinition(view: FileView, offset: number): readonly FileSpan[] {
  const found = mentionsAt(view, offset);
  if (found === undefined) return [];
  const { name, mentions } = found;
  const definitions = mentions.filter(({ defines }) => defines);
  if (name.is !== 'value') {
    // Helm prefers the template with the shortest path and, within a file, the last definition.
    const [first] = definitions.toSorted(
      (a, b) => depthOf(a) - depthOf(b) || (a.uri < b.uri ? -1 : Number(a.uri > b.uri)),
    );
    const last = definitions.findLast(({ uri }) => uri === first?.uri);
    return last === undefined ? [] : [locationOf(view, last)];
  }
  const defaults = definitions.filter(
    ({ uri, full }) => isChartValues(uri) && full.is === 'value' && full.path.length <= name.path.length,
  );
  const lengthOf = ({ full }: Mentioned) => (full.is === 'value' ? full.path.length : 0);
  const longest = Math.max(0, ...defaults.map(lengthOf));
  return defaults.filter((each) => lengthOf(each) === longest).map((each) => locationOf(view, each));
}

/** Returns the definition of the value, field or helper at an offset, and all its uses. */
export function chartReferences(view: FileView, offset: number): readonly FileSpan[] {
  const found = mentionsAt(view, offset);
  if (found === undefined) return [];
  const { name, mentions } = found;
  // Definitions are included only for this value; uses are also included for the values that contain it and for the
  // values that it contains.
  const isMeant = ({ defines, full }: Mentioned) =>
    !defines || name.is !== 'value' || (full.is === 'value' && full.path.length === name.path.length);
  return mentions
    .filter(isMeant)
    .slice(0, maximumPlaces)
    .map((each) => locationOf(view, each));
}

function familyAt(view: FileView, offset: number): ChartFamily | undefined {
  const { workspace, file, text } = view;
  const family = chartPartOf(file.uri) === undefined ? undefined : chartFamilyOf(workspace, file.uri);
  return family && nameAt(text, namesIn(file.uri, text), offset) && family;
}

function mentionsAt(view: FileView, offset: number) {
  const { workspace, file, text, chartTexts } = view;
  const family = familyAt(view, offset);
  const at = family && nameAt(text, namesIn(file.uri, text), offset);
  if (family === undefined || at === undefined) return undefined;
  const name = fullName(at.name, family, family.folder);
  const mentions: Mentioned[] = [];
  for (const [uri, folder] of chartFilesOf(workspace, family)) {
    const known = uri === file.uri ? text : chartTexts?.get(uri);
    for (const each of known === undefined ? [] : namesIn(uri, known)) {
      const full = fullName(each.name, family, folder);
      if (isSame(name, full)) mentions.push({ ...each, uri, text: known ?? '', full });
    }
  }
  return { name, mentions };
}

function namesIn(uri: string, text: string): readonly NamedSpan[] {
  const part = chartPartOf(uri);
  if (part === 'template') return namesInTemplate(text);
  return namesInKeys(text, part === 'chart' ? 'chart' : 'value');
}

function fullName(name: ChartName, { members }: ChartFamily, folder: string): FullName {
  if (name.is !== 'value' || name.path[0] === 'global') return { ...name, folder };
  return { is: 'value', path: [...(members.get(folder) ?? []), ...name.path], folder };
}

/** Whether two names refer to the same value, field or helper; a use of a map also uses the values in it. */
function isSame(a: FullName, b: FullName): boolean {
  if (a.is === 'value' && b.is === 'value') return a.path.every((key, at) => at >= b.path.length || key === b.path[at]);
  if (a.is === 'chart' && b.is === 'chart') return a.field === b.field && a.folder === b.folder;
  return a.is === 'helper' && b.is === 'helper' && a.name === b.name;
}

function depthOf({ uri }: Mentioned): number {
  return uri.split('/').length;
}

function locationOf({ workspace, file }: FileView, { uri, text, span }: Mentioned): FileSpan {
  if (uri === file.uri) return { file, span };
  return { file: { uri, lines: workspace.files.get(uri)?.lines ?? lineTable(text) }, span };
}
