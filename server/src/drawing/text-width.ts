/** Estimates the width of text without access to the font, and shortens text to fit a box. */

import type { Group } from './groups.ts';

export const boxHeight = 40;

/**
 * The width of an average character of a sans-serif font of 12 px, rounded up; East Asian characters are about twice as
 * wide.
 */
const characterWidth = 7.8;
const padding = 28;
const narrowest = 96;
/** The maximum number of columns of text in a box. */
const maximumColumns = 30;

function columnsOf(character: string): number {
  return /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|\p{Emoji_Presentation}/u.test(
    character,
  )
    ? 2
    : 1;
}

/** Shortens text to at most `maximumColumns`; shortened text ends with `…`. */
export function shortened(text: string): string {
  let columns = 0;
  let result = '';
  for (const character of text) {
    columns += columnsOf(character);
    if (columns > maximumColumns - 1 && result.length + character.length < text.length) return `${result}…`;
    result += character;
  }
  return result;
}

function widthOf(text: string): number {
  return [...shortened(text)].reduce((sum, character) => sum + columnsOf(character), 0) * characterWidth + padding;
}

/** Returns the width of each node's box in a group: all boxes of a group are equally wide. */
export function boxWidth({ nodes }: Group): number {
  return nodes.reduce((width, { kind, name }) => Math.max(width, widthOf(kind), widthOf(name)), narrowest);
}

/** Returns the minimum width of a group's box, which is the width of the group's title. */
export function groupWidth({ title, nodes }: Group): number {
  return Math.max(narrowest, widthOf(`${title} (${nodes.length})`) + padding);
}
