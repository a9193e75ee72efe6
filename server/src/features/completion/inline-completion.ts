/** Completion in the selectors, labels and other words of commands, URLs and scratch documents. */

import { everything, type Selector } from '../../engine/index.ts';
import { inlineObjects, isSelectorLine } from '../../manifests/inline/inline.ts';
import { urlCommand } from '../../manifests/inline/urls.ts';
import type { ManifestObject, SelectorSite } from '../../manifests/model.ts';
import type { Edit } from '../../text/edit.ts';
import { percentEncode } from '../../text/percent-encoding.ts';
import type { Span } from '../../text/span.ts';
import { selectionOfSelector, selectionOfText, targetsOf } from '../../workspace/selection/selection.ts';
import { podsFirst } from '../selected/pods-first.ts';
import type { FileView } from '../view.ts';
import { commandWordItems } from './command-completion.ts';
import { countText, type Reachable, tallyOf, tallyOfCounts } from './label-counts.ts';
import { marker } from './marker.ts';
import type { Completion } from './model.ts';
import { completeSelectorText } from './selector-text-completion.ts';

export interface Typing {
  readonly object: ManifestObject;
  readonly site: SelectorSite;
  /** The text of the selector, without the marker that completion inserts at the cursor. */
  readonly text: string;
  /** The offset of the cursor in `text`. */
  readonly at: number;
  /** Converts a span in `text` to a span in the file. */
  spanOf(piece: Span): Span;
}

/** Returns the completions at an offset in a command, a URL or a scratch document; empty elsewhere. */
export function inlineItems(view: FileView, offset: number): readonly Completion[] {
  const typing = typingAt(view, offset);
  if (typing === undefined) return commandWordItems(view, offset);
  if (typing.site.fact.form === 'fieldSelectorString') return fieldItems(view, typing, offset);
  return completeSelectorText(typing.text, typing.at, reachableFrom(view, typing)).map((found): Completion => {
    const edit = written(view, typing, found.edit);
    const isWhole = edit.text !== found.edit.text;
    return {
      label: found.label,
      kind: found.kind,
      ...(found.matches && { description: countText(found.matches) }),
      ...(found.goesOn && { goesOn: true }),
      filter: isWhole ? view.text.slice(edit.span.start, offset) : found.label,
      edit,
      ...(found.cursor !== undefined &&
        !isWhole && { snippet: `${edit.text.slice(0, found.cursor)}$1${edit.text.slice(found.cursor)}` }),
    };
  });
}

/** Returns the selector at an offset of a command, as it is while the user types. */
export function typingAt({ text, host, catalogue, settings }: FileView, offset: number): Typing | undefined {
  if (host === undefined || !settings.inlineSelectors[host]) return undefined;
  const changed = text.slice(0, offset) + marker + text.slice(offset);
  for (const object of inlineObjects(changed, host, catalogue, { holding: marker })) {
    const [site] = object.selectorSites;
    const letters = site?.text?.letters;
    const at = letters?.text.indexOf(marker) ?? -1;
    if (site === undefined || letters === undefined || at === -1) continue;
    const original = (place: number) => (place > offset ? Math.max(offset, place - marker.length) : place);
    const inChanged = (index: number) => (index > at ? index + marker.length : index);
    return {
      object,
      site,
      text: letters.text.replace(marker, ''),
      at,
      spanOf: ({ start, end }) => {
        const from = start === at ? offset : original(letters.startOf(inChanged(start)));
        return { start: from, end: end === at ? offset : original(letters.endOf(inChanged(end) - 1)) };
      },
    };
  }
  return undefined;
}

/** The maximum number of objects to evaluate for exact counts; for more objects, the index provides approximate counts. */
const mostCounted = 200;

/** Returns the labels of the objects that the command selects, with exact counts, or with approximate counts if there are very many objects. */
function reachableFrom({ workspace, catalogue, file }: FileView, { object, site }: Typing): Reachable {
  const targets = targetsOf(workspace, site);
  return (chosen: Selector) => {
    const counts = targets.map((target) => workspace.labelCounts(target));
    const size = counts.reduce((sum, each) => sum + each.size, 0);
    if (chosen.kind === everything.kind && size > mostCounted) return tallyOfCounts(counts);
    // As in the CodeLens of a selector outside of objects, only pods count if there are any.
    const { matches, maybe } = isSelectorLine(object)
      ? podsFirst(selectionOfText(workspace, catalogue, chosen))
      : selectionOfSelector(workspace, catalogue, { file, object }, site, chosen);
    return tallyOf([
      ...matches.map(({ labeledObject }) => ({ labelSet: labeledObject, answer: 'yes' as const })),
      ...maybe.map(({ labeledObject }) => ({ labelSet: labeledObject, answer: 'maybe' as const })),
    ]);
  };
}

/** Converts an edit of the selector to an edit of the file: quotes a selector that a shell would split, and percent-encodes text in a URL. */
export function written({ text, host }: FileView, { object, text: selector, spanOf }: Typing, edit: Edit): Edit {
  if (object.kind === urlCommand) return { span: spanOf(edit.span), text: percentEncode(edit.text) };
  const whole = spanOf({ start: 0, end: selector.length });
  const isQuoted = /["']/.test(text[whole.start - 1] ?? '');
  if (host === 'selector' || isQuoted || !/[\s()!<>]/.test(edit.text))
    return { span: spanOf(edit.span), text: edit.text };
  const after = selector.slice(0, edit.span.start) + edit.text + selector.slice(edit.span.end);
  return { span: whole, text: `'${after}'` };
}

/** Returns items for the fields by which the command can select objects, or for the known values of the field before the cursor. */
function fieldItems(
  { catalogue }: FileView,
  { site, text, at, spanOf }: Typing,
  offset: number,
): readonly Completion[] {
  const [target, ...others] = site.fact.targets;
  if (target === undefined || others.length > 0) return [];
  const { fields } = catalogue.fields(target.group, target.kind);
  const requirement = text.lastIndexOf(',', at - 1) + 1;
  const [operator, name] = /^([^=!,]*)(?:!=|==?)/.exec(text.slice(requirement, at)) ?? [''];
  const start = requirement + operator.length;
  const length = (name === undefined ? /^[^=!,]*/ : /^[^,]*/).exec(text.slice(start))?.[0].length ?? 0;
  const span = length === 0 ? { start: offset, end: offset } : spanOf({ start, end: start + length });
  const words =
    name === undefined ? fields.map(({ field }) => field) : (fields.find(({ field }) => field === name)?.values ?? []);
  const kind = name === undefined ? 'field' : 'value';
  return words.map((word) => ({ label: word, kind, filter: word, edit: { span, text: word } }));
}
