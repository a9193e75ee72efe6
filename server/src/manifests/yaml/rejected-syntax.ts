/** Finds syntax that the YAML parser of Kubernetes rejects although the tolerant library accepts it. */

import { localize } from '../../text/localize.ts';
import { characterOf, escapeSequence } from './escapes.ts';
import type { SyntaxProblem } from './parsed-document.ts';
import { tokensOf } from './repair.ts';

/** Matches a quoted scalar on one line. */
const closedQuote = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')$/s;

/** Returns the places in a document that Kubernetes rejects, in the order of the text. */
export function rejectedSyntax(text: string): readonly SyntaxProblem[] {
  const problems: SyntaxProblem[] = [];
  let depth = 0;
  // The quote of a scalar that continues on further lines, of which the lexer returns each as a token.
  let quote = '';
  let previous = '';
  for (const { at, token, isScalar } of tokensOf(text)) {
    const [first = ''] = token;
    const isQuoted = quote !== '' || first === '"' || first === "'";
    if (isQuoted && (quote || first) === '"') problems.push(...unknownEscapes(token, at));
    if (quote !== '') quote = isScalar ? '' : quote;
    else if (isQuoted) quote = closedQuote.test(token) ? '' : first;
    else if (isScalar) problems.push(...(depth > 0 ? inFlowScalar(token, at) : emptyLines(token, at)));
    else if (isInvalidName(token) || (isTag(token) && (token.includes('#') || text[at + token.length] === '{')))
      problems.push({ at, reason: localize`invalid ${signs[first] ?? ''} ${token}; quote the value` });
    else if (first === '[' || first === '{') depth++;
    else if (first === ']' || first === '}') depth--;
    else if (depth === 0 && isBlank(token)) {
      const isAtStart = at === 0 || text[at - 1] === '\n';
      if ((isAtStart && first === '\t' && endsLine(text, at + token.length)) || afterSign(previous, token))
        problems.push(tabAt(at + token.indexOf('\t')));
    }
    previous = token;
  }
  return problems;
}

/** What a sign begins. */
const signs: Readonly<Record<string, string>> = { '&': 'anchor', '*': 'alias', '!': 'tag' };

/** Whether a token is an anchor or alias with a name that the parser of Kubernetes does not accept. */
function isInvalidName(token: string): boolean {
  return (token[0] === '&' || token[0] === '*') && !/^.[\w-]+:?$/.test(token);
}

function isTag(token: string): boolean {
  return token[0] === '!' && token[1] !== '<';
}

function isBlank(token: string): boolean {
  return token[0] === ' ' || token[0] === '\t';
}

function endsLine(text: string, at: number): boolean {
  return at === text.length || '\r\n#'.includes(text.charAt(at));
}

/** Whether a token is the space after the sign of a list item, with a tab. */
function afterSign(previous: string, token: string): boolean {
  return previous === '-' && token.includes('\t');
}

function tabAt(at: number): SyntaxProblem {
  return { at, reason: localize`a tab character is not allowed here` };
}

/** Finds lines of a scalar in block style that consist of a tab. */
function* emptyLines(token: string, at: number): Iterable<SyntaxProblem> {
  for (const { index, 0: line } of token.matchAll(/(?:^|\n)\t[ \t]*(?=\r?\n|$)/g))
    if (index > 0 || token.includes('\n')) yield tabAt(at + index + line.indexOf('\t'));
}

/** Finds the signs that end a plain scalar in brackets, or cannot begin it. */
function* inFlowScalar(token: string, at: number): Iterable<SyntaxProblem> {
  const index = token[0] === ':' ? 0 : token.indexOf('?', 1);
  if (index !== -1)
    yield { at: at + index, reason: localize`a value in brackets with '${token[index]}' must be quoted` };
}

function* unknownEscapes(token: string, at: number): Iterable<SyntaxProblem> {
  for (const { index, 0: written, 1: sequence = '' } of token.matchAll(escapeSequence))
    if (sequence !== '\n' && sequence !== '\r' && characterOf(sequence) === undefined)
      yield { at: at + index, reason: localize`invalid escape sequence ${written}` };
}
