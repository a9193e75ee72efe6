/** Plans the labels of objects in the templates of a chart. Their values are the expressions of the labels that they replace, so that they are equal for any values of the chart. */

import type { LabelEntry, LabelSite } from '../../manifests/model.ts';
import type { Edit } from '../../text/edit.ts';
import { lineEnd, lineEndAt } from '../../text/lines.ts';
import type { Side } from '../../workspace/base.ts';
import { isChartTemplate } from '../../workspace/charts/chart-files.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import { isWithin } from '../../workspace/uri.ts';
import type { AdoptedLabels } from './adopted-labels.ts';
import type { Label } from './model.ts';

/** The expressions of labels whose values Helm provides. */
const providedValues: Readonly<Record<string, string>> = {
  'app.kubernetes.io/instance': '{{ .Release.Name }}',
  'app.kubernetes.io/managed-by': '{{ .Release.Service }}',
};

/** Whether an object is in a template of a chart. */
export function isOfChart({ workspace }: Side, { file, object }: ObjectInFile): boolean {
  const scopes = workspace.scopes().of(placeOf({ file, object }));
  const isTemplate = scopes.some(({ kind, path }) => kind === 'chart' && isWithin(file.uri, `${path}/templates`));
  return isTemplate || isChartTemplate(file);
}

/** Edits that add labels to a map of labels in a template. */
export interface TemplateEdits {
  readonly edits: readonly Edit[];
  readonly labels: readonly Label[];
}

/** Returns the edits that add labels below the labels that they replace; undefined if the map is not completely known, or is not written on separate lines. */
export function addedInTemplate(
  text: string,
  site: LabelSite | undefined,
  keys: readonly string[],
  adopted: AdoptedLabels,
): TemplateEdits | undefined {
  if (site === undefined || site.open || site.notMap !== undefined) return undefined;
  const lines = site.entries.flatMap((entry) => writtenLine(text, entry) ?? []);
  const last = lines.findLast(({ isPlain }) => isPlain);
  const edits: Edit[] = [];
  const labels: Label[] = [];
  for (const key of keys) {
    if (site.entries.some((entry) => entry.key.text === key)) continue;
    const replaced = (adopted.replaced[key] ?? []).flatMap((each) => lines.filter((line) => line.key === each))[0];
    const provided = replaced?.value ?? (adopted.areCopied ? undefined : providedValues[key]);
    const after = replaced ?? last;
    if (provided === undefined || after === undefined) continue;
    labels.push([key, provided]);
    const added = `${lineEnd(text)}${after.indent}${key}: ${provided}`;
    edits.push({ span: { start: after.end, end: after.end }, text: added });
  }
  return lines.length === 0 ? undefined : { edits, labels };
}

/** A label on its own line. */
export interface LabelLine {
  readonly key: string;
  /** The value as it is written, which may be a template action. */
  readonly value: string;
  readonly indent: string;
  /** The offset of the end of the line. */
  readonly end: number;
  /** Whether no condition decides about the line. */
  readonly isPlain: boolean;
}

/** Returns the line of an entry that is written in the file itself; undefined for an entry of a helper, and for one that is not alone in its line. */
function writtenLine(text: string, { key, conditional }: LabelEntry): LabelLine | undefined {
  if (key.origin !== undefined || conditional) return undefined;
  const line = labelLineAt(text, key.span.start);
  return line?.key === key.text ? { ...line, isPlain: true } : undefined;
}

/** Returns the label on the line at an offset; undefined if the line does not consist of one label. */
export function labelLineAt(text: string, offset: number): LabelLine | undefined {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const full = lineEndAt(text, start);
  const end = text[full - 1] === '\r' ? full - 1 : full;
  const [, indent, quote, key, value] =
    /^([ \t]*)(["']?)([\w./-]{1,317})\2:[ \t]+(\S.*)$/.exec(text.slice(start, end)) ?? [];
  if (indent === undefined || quote === undefined || key === undefined || value === undefined) return undefined;
  // A comment, or an action that continues on the next line, is not part of a value.
  const trimmed = value.trimEnd();
  const isWhole =
    trimmed.split('{{').length === trimmed.split('}}').length &&
    !/\s#/.test(trimmed) &&
    !/^[&*|>{[]/.test(trimmed.replace(/^\{\{/, ''));
  return isWhole ? { key, value: trimmed, indent, end, isPlain: true } : undefined;
}
