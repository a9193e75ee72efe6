/** The model of edits that are grouped by the reason why a user should review them. */

import type { Edit } from '../../text/edit.ts';

/** The annotation of all edits with the same `Look`, that is, with the same reason to review them. */
export interface LookNote {
  readonly label: string;
  readonly description: string;
  /** Whether the editor shows the edits and applies them only after a confirmation. */
  readonly needsConfirmation: boolean;
  /** A sentence about what remains to do after the edits are applied, for edits that need no confirmation. */
  readonly afterwards?: string;
}

export interface AnnotatedEdit<Look extends string> extends Edit {
  readonly look: Look;
  /** If `look` is a reason to review all edits together: the reasons that concern this edit. */
  readonly reasons?: readonly Look[];
  /** The keys of the objects that this edit changes; absent for text outside of objects, such as commands. */
  readonly owners?: ReadonlySet<string>;
}

/** Edits by URI, each list sorted by position. */
export interface AnnotatedEdits<Look extends string> {
  readonly edits: ReadonlyMap<string, readonly AnnotatedEdit<Look>[]>;
  readonly notes: Readonly<Partial<Record<Look, LookNote>>>;
}

export interface Refused {
  /** The reason why nothing is changed, as a sentence without a period. */
  readonly refused: string;
  /** Set if objects have both keys: the key to rename. Selectors may then move to the other key. */
  readonly besideKey?: string;
}

/** A refusal that the user can override by repeating the request. */
export interface RefusedAtFirst<Look extends string> extends Refused {
  readonly insisted: AnnotatedEdits<Look>;
}
