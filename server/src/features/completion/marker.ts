/** A word that does not occur in real text. It replaces the word at the cursor, so that the parser returns its role. */

export const marker = 'selectorLensCursor';
