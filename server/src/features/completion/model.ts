/** The model of completion: items, their edits, and how an editor shows them. */

import type { Typed } from '../../manifests/write/write-completion.ts';

export interface Completion extends Typed {
  /** The text that is shown. */
  readonly label: string;
  readonly kind: 'key' | 'value' | 'operator' | 'field' | 'selector' | 'namespace' | 'file' | 'folder';
  /** Text that continues the label: `: basket`. */
  readonly detail?: string;
  /** Short text at the opposite end of the row: `matches 2`. */
  readonly description?: string;
  /** The text that the typed text is compared with: everything between the start of the edit and the cursor. */
  readonly filter: string;
  /** Whether completion must be triggered again for the next part. */
  readonly goesOn?: boolean;
  /** Returns Markdown, evaluated lazily when the item is resolved. */
  documentation?(): string;
}

export interface Completions {
  /** The most useful first. */
  readonly items: readonly Completion[];
  /** Whether some were left out, which more typed letters may reveal. */
  readonly incomplete: boolean;
}
