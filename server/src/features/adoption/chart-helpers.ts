/** Plans the labels that a helper of a chart writes: extends the helper or, if selectors include it too, splits it into a helper for labels and one for selectors. */

import { getOrAdd } from '../../engine/memoize.ts';
import type { Edit } from '../../text/edit.ts';
import { lineEnd, nextLineAt } from '../../text/lines.ts';
import type { Side } from '../../workspace/base.ts';
import { isHelperFile, isInTemplates } from '../../workspace/charts/chart-files.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { objectsOf } from '../../workspace/snapshot.ts';
import { isWithin } from '../../workspace/uri.ts';
import type { AdoptedLabels } from './adopted-labels.ts';
import { type LabelLine, labelLineAt } from './chart-labels.ts';
import { fileKey, type Label, objectKey, type PlannedChange } from './model.ts';

/** A call of a helper in the text of a template. */
interface Call {
  readonly uri: string;
  /** The span of the name in its quotes. */
  readonly start: number;
  readonly end: number;
  /** Whether the call writes the labels of an object itself, or of a pod template; all others may be selectors. */
  readonly place: 'labels' | 'template' | 'other';
}

/** A helper, as it is written. */
interface Definition {
  readonly uri: string;
  readonly text: string;
  /** The text and the offset of the body. */
  readonly body: string;
  readonly start: number;
  readonly end: number;
  readonly open: string;
  readonly close: string;
}

interface HelperOptions {
  readonly adopted: AdoptedLabels;
  /** Whether pod templates get the labels, too. */
  readonly templates: boolean;
}

/** Returns the name of the only helper that writes the labels of an object; undefined if there is another source of labels. */
export function helperOf(text: string, { object: { labels } }: ObjectInFile): string | undefined {
  if (labels === undefined || labels.open || labels.entries.some(({ key }) => key.origin === undefined))
    return undefined;
  const written = text.slice(labels.span.start, labels.span.end);
  const calls = [...written.matchAll(callPattern)];
  const rest = written.replaceAll(/\{\{[^{}]*\}\}/g, '').trim();
  return calls.length === 1 && rest === '' ? calls[0]?.[1] : undefined;
}

const callPattern = /\{\{-? ?(?:include|template) "([\w./-]{1,200})"/g;

/** Plans the labels of one helper. `objects` are the objects with the labels; `chart` is the folder of the chart. */
export function helperChanges(
  side: Side,
  chart: string,
  name: string,
  objects: readonly ObjectInFile[],
  options: HelperOptions,
): readonly PlannedChange[] | string {
  const texts = textsOfChart(side, chart);
  const definitions = [...texts].flatMap(([uri, text]) => definitionsIn(uri, text, name));
  const [definition, ...others] = definitions;
  if (definition === undefined || others.length > 0)
    return `The helper '${name}' is not defined exactly once in the chart.`;
  const added = addedLines(definition, objects, options);
  if (added.length === 0) return [];
  const calls = [...texts].flatMap(([uri, text]) => callsIn(uri, text, name));
  if (calls.some(({ uri }) => isHelperFile(uri))) return `Another helper includes '${name}'.`;
  const kept = (call: Call) => call.place === 'labels' || (options.templates && call.place === 'template');
  const moved = calls.filter((call) => !kept(call));
  const edits = moved.length === 0 ? extended(definition, added) : split(texts, definition, name, added);
  if (edits === undefined) return `The helper for selectors already exists, and selectors include '${name}'.`;
  const concerned = objectsIn(
    side,
    calls.map(({ uri }) => uri),
  );
  const labels = added.map(({ label }) => label);
  const ids = [fileKey(definition), ...concerned.map(objectKey)];
  const isTemplate = options.templates && calls.some(({ place }) => place === 'template');
  const byFile = new Map<string, Edit[]>([[definition.uri, [...edits]]]);
  for (const { uri, start, end } of moved)
    getOrAdd(byFile, uri, () => []).push({ span: { start, end }, text: selectorName(name) });
  return [...byFile].map(([uri, inFile]) => ({
    objects: ids,
    name: `helper ${name}`,
    uri,
    edits: inFile,
    labels: uri === definition.uri ? labels : [],
    isTemplate,
  }));
}

/** Returns the texts of the templates of a chart, without those of its subcharts. */
function textsOfChart({ workspace, textOf }: Side, chart: string): ReadonlyMap<string, string> {
  const inside = [...workspace.files.keys()].filter((uri) => isWithin(uri, `${chart}/templates`) && isInTemplates(uri));
  return new Map(
    inside.flatMap((uri): readonly (readonly [string, string])[] => {
      const text = textOf(uri);
      return text === undefined ? [] : [[uri, text]];
    }),
  );
}

function objectsIn({ workspace }: Side, uris: readonly string[]): readonly ObjectInFile[] {
  return [...new Set(uris)].flatMap((uri) => {
    const file = workspace.files.get(uri);
    return file === undefined ? [] : objectsOf(workspace, file).map((object) => ({ file, object }));
  });
}

function definitionsIn(uri: string, text: string, name: string): readonly Definition[] {
  return [...text.matchAll(/\{\{-? ?define "([\w./-]{1,200})" ?-?\}\}/g)].flatMap((found) => {
    if (found[1] !== name) return [];
    const start = found.index + found[0].length;
    const close = endOf(text, start);
    if (close === undefined) return [];
    const body = text.slice(start, close.index);
    return [{ uri, text, body, start, end: close.index + close.tag.length, open: found[0], close: close.tag }];
  });
}

/** Returns the tag that ends the block whose content begins at an offset. */
function endOf(text: string, start: number): { readonly index: number; readonly tag: string } | undefined {
  let depth = 1;
  for (const found of text.slice(start).matchAll(/\{\{-?[ \t]*(if|with|range|define|block|end)\b[^{}]*\}\}/g)) {
    depth += found[1] === 'end' ? -1 : 1;
    if (depth === 0) return { index: start + found.index, tag: found[0] };
  }
  return undefined;
}

/** A label to add to a helper, and the line of the label that it replaces. */
interface AddedLine {
  readonly label: Label;
  readonly line: LabelLine;
}

/** Returns the labels that a helper lacks, with the expressions of the labels in it that they replace. */
function addedLines(
  definition: Definition,
  objects: readonly ObjectInFile[],
  options: HelperOptions,
): readonly AddedLine[] {
  const lines: LabelLine[] = [];
  for (let at = definition.start; at < definition.end; at = nextLineAt(definition.text, at)) {
    const line = labelLineAt(definition.text, at);
    if (line !== undefined && line.indent === '' && line.end < definition.end) lines.push(line);
  }
  const isConditional = /\{\{-?[ \t]*(?:if|with|range)\b/.test(definition.body);
  const has = (key: string) =>
    objects.some(({ object }) => object.labels?.entries.some((entry) => entry.key.text === key));
  return options.adopted.keys.flatMap((key): readonly AddedLine[] => {
    if (isConditional || has(key) || lines.some((line) => line.key === key)) return [];
    const line = (options.adopted.replaced[key] ?? []).flatMap((each) =>
      lines.filter((found) => found.key === each),
    )[0];
    return line === undefined ? [] : [{ label: [key, line.value], line }];
  });
}

/** Adds labels to a helper. */
function extended({ text }: Definition, added: readonly AddedLine[]): readonly Edit[] {
  return added.map(({ label: [key, value], line: { end } }) => ({
    span: { start: end, end },
    text: `${lineEnd(text)}${key}: ${value}`,
  }));
}

/** Moves the content of a helper to a new helper for selectors, which the old helper includes in addition to the added labels; undefined if the new helper exists. */
function split(
  texts: ReadonlyMap<string, string>,
  { text, body, start, end, open, close }: Definition,
  name: string,
  added: readonly AddedLine[],
): readonly Edit[] | undefined {
  const created = selectorName(name);
  if ([...texts.values()].some((each) => each.includes(`"${created}"`)) || created === name) return undefined;
  const newLine = lineEnd(text);
  const trimmed = body.trim();
  const at = start + body.indexOf(trimmed);
  const lines = [`{{ include "${created}" . }}`, ...added.map(({ label: [key, value] }) => `${key}: ${value}`)];
  const definition = `${newLine}${newLine}${open.replace(name, created)}${body}${close}`;
  return [
    { span: { start: at, end: at + trimmed.length }, text: lines.join(newLine) },
    { span: { start: end, end }, text: definition },
  ];
}

/** Returns the name of the helper for selectors: `web.selectorLabels` for `web.labels`. */
function selectorName(name: string): string {
  return /labels$/i.test(name) ? name.replace(/labels$/i, 'selectorLabels') : `${name}.selectorLabels`;
}

function callsIn(uri: string, text: string, name: string): readonly Call[] {
  return [...text.matchAll(/\b(?:include|template) "([\w./-]{1,200})"/g)].flatMap((found): readonly Call[] => {
    if (found[1] !== name) return [];
    const end = found.index + found[0].length - 1;
    return [{ uri, start: end - name.length, end, place: placeOfCall(text, found.index) }];
  });
}

/** Determines by indentation which field of an object a call fills. */
function placeOfCall(text: string, offset: number): Call['place'] {
  const above = text.slice(0, offset).split('\n');
  const own = above.pop() ?? '';
  const keys: string[] = [];
  const inLine = /^([ \t]*)([\w-]+):/.exec(own);
  let column = inLine?.[1]?.length ?? /^[ \t]*/.exec(own)?.[0].length ?? 0;
  if (inLine?.[2] !== undefined) keys.push(inLine[2]);
  for (const line of above.toReversed()) {
    if (/^---/.test(line)) break;
    const [, indent, key] = /^([ \t]*)([\w-]+):/.exec(line) ?? [];
    if (indent === undefined || key === undefined || indent.length >= column) continue;
    keys.push(key);
    column = indent.length;
    if (column === 0) break;
  }
  const path = keys.toReversed().join('.');
  if (path === 'metadata.labels') return 'labels';
  return /(?:^|\.)template\.metadata\.labels$/.test(path) ? 'template' : 'other';
}
