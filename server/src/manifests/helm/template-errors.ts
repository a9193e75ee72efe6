/** Finds syntax errors that certainly prevent Helm from parsing a template. */

import { localize } from '../../text/localize.ts';
import { type Template, tooDeep, unreadable } from './syntax.ts';

export interface TemplateError {
  readonly at: number;
  /** The end of a sentence whose subject is the element with the error, such as `is not closed`. */
  readonly message: string;
}

/** Returns the first certain error in a template: an action or comment that is not closed, or a block without an `end`. `blocks` is the result of parsing `text`. Errors that depend on the functions that Helm provides are not detected. Source: Go `text/template/parse`. */
export function templateError(text: string, blocks: Template): TemplateError | undefined {
  for (let at = text.indexOf('{{'); at !== -1; ) {
    const end = endOfAction(text, at + 2);
    if (end === undefined) return { at, message: localize`is not closed` };
    at = text.indexOf('{{', end);
  }
  return blocks.problems.find(({ message }) => message !== unreadable && message !== tooDeep);
}

/** Matches a quoted string, a character constant, or a raw string between backquotes. */
const words = [/"(?:[^"\\\n]|\\.)*"/y, /'(?:[^'\\\n]|\\.)*'/y, /`[^`]*`/y];

/** Returns the end offset of the action that begins before `from`; undefined if the lexer of Go would report it as not closed. */
function endOfAction(text: string, from: number): number | undefined {
  const comment = /^(?:-\s)?\s{0,100}\/\*/.exec(text.slice(from, from + 200));
  if (comment !== null) {
    const close = text.indexOf('*/', from + comment[0].length);
    const end = close === -1 ? -1 : text.indexOf('}}', close);
    return end === -1 ? undefined : end + 2;
  }
  const special = /["'`{}]/g;
  special.lastIndex = from;
  for (let found = special.exec(text); found !== null; found = special.exec(text)) {
    const { index } = found;
    if (found[0] === '{') return undefined;
    if (found[0] === '}') return text[index + 1] === '}' ? index + 2 : undefined;
    const word = words['"\'`'.indexOf(found[0])];
    if (word === undefined) return undefined;
    word.lastIndex = index;
    if (!word.test(text)) return undefined;
    special.lastIndex = word.lastIndex;
  }
  return undefined;
}
