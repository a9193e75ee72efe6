/** A word that nobody types: put in the place of the one at the cursor, it shows what would stand there. */

export const marker = 'selectorLensCursor';
