/** The hover for a chart value or for a field of `Chart.yaml`: the labels and selectors in templates that use it. */

import { type ChartName, nameAt, namesInKeys } from '../../manifests/helm/chart-names.ts';
import type { LabelSite, SelectorSite, Written } from '../../manifests/model.ts';
import { localize } from '../../text/localize.ts';
import type { Span } from '../../text/span.ts';
import { type ChartFamily, chartFamilyOf, chartPartOf, chartTemplatesOf } from '../../workspace/charts/chart-family.ts';
import { isChartValues } from '../../workspace/charts/chart-files.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { listedNames } from '../../workspace/scopes/scope-names.ts';
import { group, maximumShown, objectLine } from '../presentation/object-lines.ts';
import type { FileView } from '../view.ts';

/** The maximum number of templates that are searched. */
const maximumTemplates = 500;

/** Returns the hover for a key in the values of a chart, or in its `Chart.yaml`; undefined elsewhere. */
export function aboutValueAt(view: FileView, offset: number) {
  const { workspace, file, text, complete } = view;
  const part = chartPartOf(file.uri);
  if (!complete || part === undefined || part === 'template') return undefined;
  const family = chartFamilyOf(workspace, file.uri);
  const found = family && nameAt(text, namesInKeys(text, part === 'chart' ? 'chart' : 'value'), offset);
  if (family === undefined || found === undefined) return undefined;
  const uses = usesOf(view, family, expressionOf(found.name, family));
  if (uses.length === 0) return undefined;
  const lines = uses.slice(0, maximumShown).map(({ where, span, details }) => objectLine(view, where, span, details));
  const parts = partNames.filter((name) => uses.some((use) => use.parts.has(name)));
  const title = localize`Used in ${listedNames(parts)} of`;
  return { span: found.span, text: group(view, title, lines, found.span.start, uses.length) };
}

/** Returns the canonical expression for a name, in the form in which rendering records it. */
function expressionOf(name: ChartName, { folder, members }: ChartFamily): string {
  const names = members.get(folder) ?? [];
  if (name.is === 'value') return ['.Values', ...(name.path[0] === 'global' ? [] : names), ...name.path].join('.');
  return `${names.map((each) => `.Subcharts.${each}`).join('')}.Chart.${name.is === 'chart' ? name.field : ''}`;
}

interface Use {
  readonly where: ObjectInFile;
  readonly span: Span;
  readonly details: readonly string[];
  readonly parts: ReadonlySet<PartName>;
}

const partNames = ['labels', 'annotations', 'selectors'] as const;
type PartName = (typeof partNames)[number];

function partNameOf(site: LabelSite | SelectorSite): PartName {
  if (!('place' in site)) return 'selectors';
  return site.place.holds === 'annotations' ? 'annotations' : 'labels';
}

/** Returns the objects whose labels or selectors depend on an expression or on a part of its value. */
function usesOf({ workspace, file: { uri: from } }: FileView, family: ChartFamily, expression: string): readonly Use[] {
  const templates = chartTemplatesOf(workspace, family).slice(0, maximumTemplates);
  const isDefault = isChartValues(from) || chartPartOf(from) === 'chart';
  return templates.flatMap((uri) => {
    const file = workspace.files.get(uri);
    return (file?.manifest.objects ?? []).flatMap((object): readonly Use[] => {
      const sites = [...object.labelSites, ...object.selectorSites];
      const used = sites.flatMap((site) => usesIn(site, expression, isDefault));
      const [first] = used;
      if (file === undefined || first === undefined) return [];
      const details = used.map(({ detail }) => detail);
      return [{ where: { file, object }, span: first.span, details, parts: new Set(used.map(({ part }) => part)) }];
    });
  });
}

function usesIn(site: LabelSite | SelectorSite, expression: string, isDefault: boolean) {
  const { path, entries, parts = [], keySpan: span } = site;
  const part = partNameOf(site);
  const written = entries
    .filter(({ key, value }) => holds(key, expression) || holds(value, expression))
    .map(({ key, value }) => `\`${textOf(key, isDefault)}: ${textOf(value, isDefault)}\``);
  if (written.length > 0) return [{ part, span, detail: localize`${written.join(', ')} in \`${path}\`` }];
  return parts.some((each) => contains(each, expression))
    ? [{ part, span, detail: localize`entries of \`${path}\`` }]
    : [];
}

function holds({ value }: Written, expression: string): boolean {
  return typeof value !== 'string' && contains(value.unknown, expression);
}

function contains(text: string, expression: string): boolean {
  for (let at = text.indexOf(expression); at !== -1; at = text.indexOf(expression, at + 1)) {
    if (!/[\w-]/.test(text.charAt(at + expression.length)) && !/[\w\])]/.test(text.charAt(at - 1))) return true;
  }
  return false;
}

/** Returns the text with the chart defaults if the file under the cursor contains these defaults; otherwise the original text. */
function textOf({ text, value }: Written, isDefault: boolean): string {
  const assumed = typeof value === 'string' ? value : value.assumed;
  return isDefault && typeof assumed === 'string' ? assumed : text;
}
