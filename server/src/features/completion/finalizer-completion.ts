/** Completion of finalizers. */

import { knownFinalizers } from '../../engine/catalogue/finalizers.ts';
import type { FileView } from '../view.ts';
import type { Completion } from './model.ts';

/** Matches a list in brackets after the `finalizers` key; `item` matches an item of a list below the key. */
const inBrackets = /(?:^|\n)[ \t]*finalizers:[ \t]*\[[^\]\n]*$/;
const item = /\n[ \t]*-[ \t]+["']?[\w./-]*$/;

/** Returns the well-known finalizers; empty if the offset is not in a list of finalizers. */
export function finalizerItems({ text }: FileView, offset: number): readonly Completion[] {
  if (!isInFinalizers(text, offset)) return [];
  let start = offset;
  while (start > 0 && /[\w./-]/.test(text.charAt(start - 1))) start--;
  const span = { start, end: offset };
  return [...knownFinalizers].map(([label, description]) => ({
    label,
    kind: 'value',
    filter: label,
    documentation: () => description,
    edit: { span, text: label },
  }));
}

function isInFinalizers(text: string, offset: number): boolean {
  const before = text.slice(Math.max(0, offset - 1000), offset);
  if (inBrackets.test(before)) return true;
  if (!item.test(before)) return false;
  const lines = before.split('\n').toReversed();
  const key = lines.find((line) => !/^[ \t]*(?:-|#|$)/.test(line));
  return key !== undefined && /^[ \t]*finalizers:[ \t]*$/.test(key);
}
