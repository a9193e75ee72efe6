/** Finds the word of a command under the cursor if it has a meaning but is neither a selector nor a label. */

import { touches } from '../../text/span.ts';
import { wordSpan } from '../inline/command-arguments.ts';
import type { CommandWord } from '../inline/paths-and-names.ts';
import type { Manifest } from '../model.ts';

export function wordAt({ words = [] }: Manifest, offset: number): CommandWord | undefined {
  return words.find((word) => touches(wordSpan(word), offset));
}
