/** Determines whether a command is in a comment, so that it does not run. */

import { hostOf } from './host-language.ts';

/** Whether a command that begins at an offset of a script or a YAML file is in a comment. On a page, `#` is usually the prompt of a shell. */
export function isCommentedOut(name: string, text: string, offset: number): boolean {
  const host = hostOf(name, '');
  if (host === 'markdown' || host === 'text' || host === 'selector') return false;
  let quote = '';
  for (let at = text.lastIndexOf('\n', offset - 1) + 1; at < offset; at++) {
    const character = text.charAt(at);
    if (character === '\\' && quote !== "'") at++;
    else if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === '#' && /^[\s;]?$/.test(text.slice(Math.max(at - 1, 0), at))) return true;
  }
  return false;
}
