/** The context of a completion request and the construction of completion items, shared by all completion providers. */

import { isLabelKey, isLabelValue } from '../../engine/index.ts';
import type { CompletionTarget } from '../../manifests/cursor/completion-target.ts';
import type { TypingTarget } from '../../manifests/cursor/parse-with-marker.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { type Typed, typedScalar } from '../../manifests/write/write-completion.ts';
import type { FileView } from '../view.ts';
import type { Completion } from './model.ts';
import { mostFrequent, type Row } from './most-frequent.ts';

export interface Completing<Place extends CompletionTarget = CompletionTarget> {
  readonly view: FileView;
  readonly cursorTarget: TypingTarget;
  readonly place: Place;
  readonly offset: number;
  /** The text between the start of the token and the cursor. */
  readonly typed: string;
}

export type TargetOf<Kind extends CompletionTarget['kind']> = CompletionTarget & { readonly kind: Kind };

type Shown = Pick<Completion, 'label' | 'kind'> & Partial<Omit<Completion, 'filter' | keyof Typed>>;

/** Returns an item whose label is also the inserted text. */
export function item(
  { view, cursorTarget }: Pick<Completing, 'view' | 'cursorTarget'>,
  shown: Shown,
  typed: Typed,
): Completion {
  const quote = /^["']?/.exec(view.text.slice(cursorTarget.token.start, cursorTarget.token.end))?.[0] ?? '';
  return { ...shown, ...typed, filter: quote + shown.label };
}

/** Returns an item for a scalar that is inserted as it is shown. */
export function scalarItem(completing: Pick<Completing, 'view' | 'cursorTarget'>, shown: Shown): Completion {
  return item(completing, shown, typedScalar(completing.cursorTarget, shown.label));
}

/** Returns the valid label keys, the most frequent first. Files can contain keys that the API server rejects. */
export function soundKeys(rows: Iterable<Row>, typed: string): readonly Row[] {
  return mostFrequent(rows, isLabelKey, typed);
}

/** Returns the valid label values, the most frequent first. Files can contain values that the API server rejects. */
export function soundValues(rows: Iterable<Row>, typed: string): readonly Row[] {
  return mostFrequent(rows, (value) => value !== '' && isLabelValue(value), typed);
}

/** Returns the object at the cursor and its file. The object is parsed from incomplete text, so parts can be missing. */
export function ownerOf({ view, cursorTarget }: Pick<Completing, 'view' | 'cursorTarget'>) {
  return { file: view.file, object: cursorTarget.object satisfies ManifestObject };
}
