/** Plans stage 2 of an adoption: the edits that move selectors to recommended labels. */

import { getOrAdd } from '../../engine/memoize.ts';
import type { LabelEntry, SelectorSite } from '../../manifests/model.ts';
import { nameSpan } from '../../manifests/sites/object-sites.ts';
import { removeWritten, replaceScalar } from '../../manifests/write/write-text.ts';
import type { Edit } from '../../text/edit.ts';
import { localize } from '../../text/localize.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { stepsOf } from '../../workspace/object-trees.ts';
import type { Match } from '../../workspace/selection/model.ts';
import { selectionOf } from '../../workspace/selection/selection.ts';
import { objectName } from '../presentation/object-names.ts';
import { adoptedLabelsFor } from './adopted-labels.ts';
import {
  type AdoptionOptions,
  type AdoptionState,
  type Label,
  type LeftOut,
  objectKey,
  type PlannedChange,
  type StagePlan,
} from './model.ts';
import { wantedObjects } from './objects-to-adopt.ts';

import { whyNotEdited } from './why-not-edited.ts';

/** Plans the selectors to move. Objects in `refused` are left as they are. */
export function planMoves(
  state: AdoptionState,
  options: AdoptionOptions,
  refused: ReadonlyMap<string, string>,
): StagePlan {
  const planner = new MovePlanner(state, options);
  for (const where of wantedObjects(state)) planner.move(where, refused.get(objectKey(where)));
  return planner;
}

/** An entry of a selector, and the label that replaces it. */
interface Move {
  readonly entry: LabelEntry;
  readonly label: Label;
}

class MovePlanner implements StagePlan {
  readonly changes: PlannedChange[] = [];
  readonly left: LeftOut[] = [];
  readonly immutable: LeftOut[] = [];
  readonly #state: AdoptionState;
  readonly #options: AdoptionOptions;

  constructor(state: AdoptionState, options: AdoptionOptions) {
    this.#state = state;
    this.#options = options;
  }

  /** Plans the selectors of an object; `refused` is the reason why the object is left as it is. */
  move(where: ObjectInFile, refused: string | undefined): void {
    const keys = this.#replacements(where);
    for (const site of where.object.selectorSites) {
      const replaced = site.entries.filter(({ key }) => keys.has(key.text));
      if (replaced.length === 0 || isInTemplate(where, site)) continue;
      if (site.fact.mustMatchTemplate || site.fact.immutable) this.immutable.push(this.#costOf(where, site));
      else if (refused !== undefined) this.#leaveOut(where, refused);
      else this.#moveSelector(where, site, replaced, keys);
    }
  }

  #leaveOut({ file, object }: ObjectInFile, reason: string): void {
    this.left.push({ uri: file.uri, offset: nameSpan(object).start, name: objectName(object), reason });
  }

  /** Returns the recommended keys by the keys that they replace. */
  #replacements({ file: { uri } }: ObjectInFile): ReadonlyMap<string, string> {
    const labels = adoptedLabelsFor(this.#state.side, this.#options, uri);
    const keys = labels.keys.filter(labels.isSelectable);
    return new Map(keys.flatMap((key) => (labels.replaced[key] ?? []).map((each) => [each, key] as const)));
  }

  #moveSelector(
    where: ObjectInFile,
    site: SelectorSite,
    replaced: readonly LabelEntry[],
    keys: ReadonlyMap<string, string>,
  ): void {
    const { side } = this.#state;
    const { uri } = where.file;
    const text = side.textOf(uri);
    const reason = whyNotEdited(side, where);
    if (reason !== undefined || text === undefined) {
      this.#leaveOut(where, reason ?? localize`The file cannot be read.`);
      return;
    }
    const { matches, maybe } = selectionOf(side.workspace, side.catalogueOf(uri), where, site);
    if (maybe.length > 0) this.#leaveOut(where, localize`The matches of its selector are not completely known.`);
    if (matches.length === 0 || maybe.length > 0) return;
    const moves: Move[] = [];
    for (const entry of replaced) {
      const key = keys.get(entry.key.text) ?? '';
      const value = sharedValue(matches, key);
      if (value === undefined) {
        this.#leaveOut(
          where,
          localize`Not all objects that its selector matches have the same '${key}': apply stage 1 first.`,
        );
        return;
      }
      moves.push({ entry, label: [key, value] });
    }
    const edits = editsOf(text, site, moves);
    if (edits === undefined) this.#leaveOut(where, localize`Its selector is not written as a map that can be edited.`);
    else {
      const labels = moves.map(({ label }) => label);
      const name = objectName(where.object);
      this.changes.push({ objects: [objectKey(where)], name, uri, edits, labels, isTemplate: false });
    }
  }

  /** States that a selector cannot be updated, and what its object loses if it is recreated. */
  #costOf({ file, object }: ObjectInFile, { path }: SelectorSite): LeftOut {
    const catalogue = this.#state.side.catalogueOf(file.uri);
    const dataWith = (value: string) => {
      const apiVersion = object.group === '' ? object.version : `${object.group}/${object.version}`;
      const selector = stepsOf(path).reduceRight<unknown>((inner, step) => ({ [step]: inner }), {
        matchLabels: { app: value },
      });
      return { apiVersion, kind: object.kind, metadata: { name: 'object' }, ...Object(selector) };
    };
    const [change] = catalogue.immutableChanges(dataWith('old'), dataWith('new'));
    const reason =
      change === undefined
        ? localize`\`${path}\` must match the labels of its own pods.`
        : localize`\`${path}\` is immutable; if the object is deleted and recreated, ${change.recreate}.`;
    return { uri: file.uri, offset: nameSpan(object).start, name: objectName(object), reason };
  }
}

/** Whether a selector is in a pod template, where a change would replace the pods. */
function isInTemplate({ object }: ObjectInFile, { path }: SelectorSite): boolean {
  return object.templates.some((template) => template.path !== '' && path.startsWith(`${template.path}.`));
}

/** Returns the value of a label that all matches certainly have. */
function sharedValue(matches: readonly Match[], key: string): string | undefined {
  const values = new Set(matches.map(({ labeledObject: { labels } }) => labels[key]));
  const [value] = values;
  return values.size === 1 && typeof value === 'string' ? value : undefined;
}

/** Returns the edits of a selector; undefined if it is not certain that they are correct. */
function editsOf(text: string, site: SelectorSite, moves: readonly Move[]): readonly Edit[] | undefined {
  const present = new Map(site.entries.map(({ key, value }) => [key.text, value.value]));
  const byKey = new Map<string, Move[]>();
  for (const move of moves) getOrAdd(byKey, move.label[0], () => []).push(move);
  const edits: Edit[] = [];
  for (const [key, [first, ...others]] of byKey) {
    const known = present.get(key);
    if (first === undefined || (known !== undefined && known !== first.label[1])) return undefined;
    const removed = known === undefined ? others : [first, ...others];
    for (const { entry } of moves)
      if (
        entry.merged ||
        entry.conditional ||
        entry.key.anchored ||
        entry.value.anchored ||
        entry.key.origin ||
        entry.value.origin
      )
        return undefined;
    if (known === undefined)
      edits.push(replaceScalar(first.entry.key, key), replaceScalar(first.entry.value, first.label[1]));
    for (const { entry } of removed) {
      const span = { start: entry.key.span.start, end: entry.value.span.end };
      const edit = removeWritten(text, span, text[site.span.start] === '{');
      if (edit === undefined) return undefined;
      edits.push(edit);
    }
  }
  return edits;
}
