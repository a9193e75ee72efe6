/** The hover for a template action of a chart: the labels that it renders at the cursor, and the helper that defines them. */

import { type Cursor, objectAt } from '../../manifests/cursor/cursor-target.ts';
import { includedIn } from '../../manifests/helm/helpers.ts';
import type { LabelEntry } from '../../manifests/model.ts';
import { regionsAround } from '../../manifests/placeholders/conditionals.ts';
import { offsetToPosition } from '../../text/lines.ts';
import { localize } from '../../text/localize.ts';
import { blankedText } from '../../workspace/object-trees.ts';
import { folderOf, relativePath } from '../../workspace/uri.ts';
import { entryFileSpan } from '../locations.ts';
import { type Block, type Line, paragraph } from '../presentation/rich-text.ts';
import type { FileView } from '../view.ts';

/** Returns the entries that the action under the cursor renders; empty if it does not render whole entries. */
export function renderedEntries(cursor: Cursor): readonly LabelEntry[] {
  if (cursor.kind !== 'label' && cursor.kind !== 'selector') return [];
  const entry = cursor.kind === 'label' ? cursor.entry : cursor.part?.kind === 'entry' ? cursor.part.entry : undefined;
  if (entry === undefined || !isWholeEntry(entry)) return [];
  return cursor.site.entries.filter((each) => isWholeEntry(each) && each.key.span.start === entry.key.span.start);
}

function isWholeEntry({ rendered, key, value }: LabelEntry): boolean {
  return rendered === true && key.span.start === value.span.start;
}

/** Describes the rendered entries as YAML, with the location of their source. */
export function aboutRendered(view: FileView, entries: readonly LabelEntry[]): readonly Block[] {
  const [first] = entries;
  if (first === undefined) return [];
  const [name] = includedIn(view.text.slice(first.key.span.start, first.key.span.end));
  const mayOmit = !entries.every(({ conditional }) => conditional) || !isInCondition(view, first.key.span.start);
  const who: Line =
    name === undefined
      ? [localize`This template renders`]
      : [localize`The helper `, { kind: 'code', text: name }, ' renders'];
  return [
    paragraph(...who, ...whereWritten(view, first), ':'),
    { kind: 'code', text: entries.map((each) => lineOf(each, mayOmit)).join('\n'), language: 'yaml' },
  ];
}

/** Whether a condition in an object contains an action. It then makes all entries conditional, also those that the helper always writes. */
function isInCondition(view: FileView, offset: number): boolean {
  const { conditionals } = blankedText({ ...view, uri: view.file.uri });
  const start = objectAt(view.file.manifest, offset)?.kindSpan.start;
  return regionsAround(conditionals, offset).some((region) => start === undefined || region.start > start);
}

function whereWritten(view: FileView, entry: LabelEntry): Line {
  const { file, span } = entryFileSpan(view.workspace, view.file, entry);
  if (file.uri === view.file.uri && entry.key.origin === undefined) return [];
  const { line, character } = offsetToPosition(file.lines, span.start);
  const text = `${relativePath(folderOf(view.file.uri), file.uri)}:${line + 1}`;
  return [' (', { kind: 'link', text, target: `${file.uri}#L${line + 1},${character + 1}` }, ')'];
}

/** The maximum length of a shown expression; a longer one is replaced by its value with the chart defaults. */
const maximumExpression = 80;

function lineOf({ key, value, conditional }: LabelEntry, mayOmit: boolean): string {
  const assumed = typeof value.value === 'string' ? undefined : value.value.assumed;
  const usual = typeof assumed === 'object' ? assumed.unknown : assumed;
  const isLong = usual !== undefined && usual !== '' && value.text.length > maximumExpression;
  const rendered = isLong ? localize`with chart defaults` : localize`'${usual}' with chart defaults`;
  const notes = [
    ...(usual === undefined || usual === '' ? [] : [rendered]),
    ...(conditional && mayOmit ? [localize`may be omitted`] : []),
  ];
  return `${key.text}: ${isLong ? usual : value.text}${notes.length === 0 ? '' : ` # ${notes.join(', ')}`}`;
}
