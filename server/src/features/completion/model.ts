/** The model of completion: what can be typed, and how an editor shows it. */

import type { Typed } from '../../manifests/write/write-completion.ts';

export interface Completion extends Typed {
  /** What is shown. */
  readonly label: string;
  readonly kind: 'key' | 'value' | 'operator' | 'field' | 'selector' | 'namespace';
  /** Goes on behind the label: `: basket`. */
  readonly detail?: string;
  /** A few words at the other side: `matches 2`. */
  readonly description?: string;
  /** What the typed text is compared with: all that stands between the start of the edit and the cursor. */
  readonly filter: string;
  /** Something is to be chosen behind it, which is best offered at once. */
  readonly goesOn?: boolean;
  /** Markdown, made when somebody looks at the item. */
  documentation?(): string;
}

export interface Completions {
  /** The most useful first. */
  readonly items: readonly Completion[];
  /** Some were left out, and more letters may bring them. */
  readonly incomplete: boolean;
}
