/** Edits that set or remove a label on all objects that a selector matches, like `kubectl label -l`. */

import { validateLabelKey, validateLabelValue } from '../../engine/index.ts';
import { addEntry, removeEntry, replaceScalar } from '../../manifests/write/write-text.ts';
import { addLabels } from '../../rules/fixes/add-labels.ts';
import { isAnchored } from '../../rules/fixes/move-label.ts';
import type { Edit } from '../../text/edit.ts';
import { localize } from '../../text/localize.ts';
import { effectiveSelector } from '../../workspace/selection/effective-selector.ts';
import type { Match } from '../../workspace/selection/model.ts';
import { selectionOf } from '../../workspace/selection/selection.ts';
import { objectName } from '../presentation/object-names.ts';
import type { AnnotatedEdit, AnnotatedEdits, LookNote, Refused } from '../rename/annotated-edits.ts';
import { asksAbout, type LabelChange, selectionChange } from '../selected/selection-change.ts';
import type { FileView } from '../view.ts';
import { selectorAt } from './refactor.ts';

export interface LabelPlan {
  /** The files whose text is required to compute the edits. */
  readonly uris: readonly string[];
  edits(textOf: (uri: string) => string | undefined): LabelEdits;
}

type Look = 'label' | 'uncertain';

interface LabelEdits extends AnnotatedEdits<Look> {
  /** Descriptions of the matching objects that are not edited, with the reasons. */
  readonly left: readonly string[];
}

/** Parses `team=blue`, or `team-` to remove the label, as `kubectl label` does. */
function readLabelChange(text: string): LabelChange | Refused {
  const trimmed = text.trim();
  const equals = trimmed.indexOf('=');
  const isRemoval = equals === -1 && trimmed.endsWith('-');
  if (equals === -1 && !isRemoval)
    return { refused: localize`write 'key=value' to set a label, or 'key-' to remove it` };
  const key = isRemoval ? trimmed.slice(0, -1) : trimmed.slice(0, equals);
  const value = isRemoval ? undefined : trimmed.slice(equals + 1);
  const [problem] = [...validateLabelKey(key), ...(value === undefined ? [] : validateLabelValue(value))];
  if (problem !== undefined) return { refused: problem.message };
  return { key, ...(value !== undefined && { value }) };
}

/** Plans the label change for all objects that the selector at an offset matches or may match; undefined if there is no selector. */
export function labelMatches(view: FileView, offset: number, text: string): LabelPlan | Refused | undefined {
  const asked = selectorAt(view, offset);
  if (asked === undefined) return undefined;
  const change = readLabelChange(text);
  if ('refused' in change) return change;
  const selector = effectiveSelector(asked.site);
  if (selector === undefined) return { refused: localize`this selector is invalid, or does not select by labels` };
  if (selector.kind === 'all' && selector.requirements.some(({ key }) => key === change.key)) {
    return { refused: localize`the selector requires '${change.key}': rename the label instead` };
  }
  const { file, workspace, catalogue } = view;
  const { matches, maybe } = selectionOf(workspace, catalogue, { file, object: asked.object }, asked.site);
  const isOurs = ({ file: other }: Match) => other.config === undefined && !workspace.scopes().isGenerated(other.uri);
  const labeled = [
    ...matches.filter(isOurs).map((match) => ({ match, look: 'label' as const, harm: harmOf(view, match, change) })),
    ...maybe.filter(isOurs).map((match) => ({ match, look: 'uncertain' as const, harm: harmOf(view, match, change) })),
  ];
  if (labeled.length === 0) return { refused: localize`the selector matches no object in this workspace` };
  const notes = notesOf(objectName(asked.object), change);
  return {
    uris: [...new Set(labeled.map(({ match }) => match.file.uri))],
    edits: (textOf) => ({ ...collect(labeled, change, textOf), notes }),
  };
}

interface LabeledMatch {
  readonly match: Match;
  readonly look: Look;
  /** The harmful effect of the change, because of which it is not applied; undefined if there is none. */
  readonly harm: string | undefined;
}

function collect(labeled: readonly LabeledMatch[], change: LabelChange, textOf: (uri: string) => string | undefined) {
  const edits = new Map<string, AnnotatedEdit<Look>[]>();
  const left: string[] = [];
  for (const { match, look, harm } of labeled) {
    const { uri } = match.file;
    const text = textOf(uri);
    const changes = text === undefined || harm !== undefined ? undefined : changesOf(text, match, change);
    if (changes === undefined)
      left.push(`${objectName(match.object)}: ${harm ?? localize`its labels are not defined in one place`}`);
    const inFile = edits.get(uri) ?? [];
    for (const each of changes ?? []) {
      // Several matches can share one label map, which must be edited only once.
      if (!inFile.some(({ span }) => span.start === each.span.start)) inFile.push({ ...each, look });
    }
    if (inFile.length > 0) edits.set(uri, inFile);
  }
  for (const inFile of edits.values()) inFile.sort((a, b) => a.span.start - b.span.start);
  return { edits, left };
}

/** Returns the harmful effect of a change, if there is one: a selector would stop matching the object, or would start to match it. */
function harmOf(view: FileView, match: Match, change: LabelChange): string | undefined {
  const { object, labeledObject } = match;
  if (labeledObject.labels[change.key] === change.value) return undefined;
  const own = object.selectorSites.find((site) => site.fact.mustMatchTemplate && asksAbout(site, change.key));
  if (own !== undefined && labeledObject.via !== undefined) {
    return localize`its own selector requires '${change.key}'${own.fact.immutable ? localize` and is immutable` : ''}`;
  }
  const { gained, lost } = selectionChange(view, match, change);
  for (const name of lost.values()) return localize`${name} would no longer match it`;
  for (const name of gained.values()) return localize`${name} would match it, too`;
  return undefined;
}

/** Returns the edits; an empty list if no change is needed, and undefined if no edit is certain to be correct. */
function changesOf(
  text: string,
  { object, labeledObject }: Match,
  { key, value }: LabelChange,
): readonly Edit[] | undefined {
  const { site, via } = labeledObject;
  // An entry from a different file cannot be edited in this file.
  if (site?.entries.some((each) => each.key.origin !== undefined || each.value.origin !== undefined)) return undefined;
  const entry = site?.entries.findLast((each) => each.key.value === key);
  if (site === undefined || entry === undefined) {
    if (value === undefined) return [];
    if (via === undefined) return addLabels(text, object, [[key, value]]);
    const isMap = site !== undefined && (text[site.span.start] === '{' || site.entries.some((each) => !each.merged));
    return isMap && !isAnchored(text, site) ? [addEntry(text, site, key, value)] : undefined;
  }
  if (entry.merged || entry.conditional || isAnchored(text, site)) return undefined;
  if (value === undefined) {
    const removed = removeEntry(text, entry, site);
    return removed && [removed];
  }
  if (entry.value.value === value && entry.value.type === 'string') return [];
  return entry.value.anchored ? undefined : [replaceScalar(entry.value, value)];
}

function notesOf(owner: string, { key, value }: LabelChange): Readonly<Record<Look, LookNote>> {
  const what = value === undefined ? localize`Remove the label ${key}` : localize`Set the label ${key}=${value}`;
  const on = value === undefined ? 'from' : 'on';
  return {
    label: {
      label: localize`${what} ${on} objects that ${owner} selects`,
      description: localize`All objects that the selector matches get the same change.`,
      needsConfirmation: true,
    },
    uncertain: {
      label: localize`${what} ${on} objects that ${owner} may select`,
      description: localize`It is uncertain whether the selector matches these objects.`,
      needsConfirmation: true,
    },
  };
}
