/** Which edits should a person look at before they are made, and why? */

import type { Edit } from '../../text/edit.ts';

/** What is said of all edits of one look. */
export interface LookNote {
  readonly label: string;
  readonly description: string;
  /** The editor shows them and makes them only when told to. */
  readonly needsConfirmation: boolean;
}

export interface AnnotatedEdit<Look extends string> extends Edit {
  readonly look: Look;
}

/** Edits by file, in the order of its text. */
export interface AnnotatedEdits<Look extends string> {
  readonly edits: ReadonlyMap<string, readonly AnnotatedEdit<Look>[]>;
  readonly notes: Readonly<Partial<Record<Look, LookNote>>>;
}

export interface Refused {
  /** Why nothing is changed: a sentence without its full stop. */
  readonly refused: string;
}

/** What is made all the same for a person who knows why it was refused, and asks again. */
export interface RefusedAtFirst<Look extends string> extends Refused {
  readonly insisted: AnnotatedEdits<Look>;
}
