/** The model of completion: items, their edits, and how an editor shows them. */

import type { Typed } from '../../manifests/write/write-completion.ts';

export interface Completion extends Typed {
  /** The text that is shown. */
  readonly label: string;
  readonly kind: 'key' | 'value' | 'operator' | 'field' | 'selector' | 'namespace' | 'file' | 'folder';
  /** Text that is shown directly after the label, for example `: basket`. */
  readonly detail?: string;
  /** Short text at the end of the row, for example `matches 2`. */
  readonly description?: string;
  /** The text that the editor compares with the text between the start of the edit and the cursor. */
  readonly filter: string;
  /** Whether to trigger completion again after the item is inserted. */
  readonly goesOn?: boolean;
  /** Returns Markdown, evaluated lazily when the item is resolved. */
  documentation?(): string;
}

export interface Completions {
  /** The items, the most useful first. */
  readonly items: readonly Completion[];
  /** Whether items were left out; the editor then requests completion again as the user types. */
  readonly incomplete: boolean;
}
