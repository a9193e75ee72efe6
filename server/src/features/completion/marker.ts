/** A word that does not occur in real text. It is inserted at the cursor, so that the parser returns the role of the word there. */

export const marker = 'selectorLensCursor';
