/** Splits a file into its documents. */

import type { Span } from '../../text/span.ts';

/** Splits a file into documents: at lines with `---` or `...`, and, if a document is JSON, after each JSON value, because Kubernetes decodes consecutive values. Text on the line of a separator belongs to the document after it. */
export function splitDocuments(text: string, separator = separatorLine): readonly Span[] {
  const spans: Span[] = [];
  let start = 0;
  separator.lastIndex = 0;
  while (separator.test(text)) {
    for (const each of splitValues(text, { start, end: separator.lastIndex - 3 })) spans.push(each);
    start = separator.lastIndex;
  }
  for (const each of splitValues(text, { start, end: text.length })) spans.push(each);
  return spans;
}

/** Matches a document separator at the start of a line. YAML requires a space between a separator and a comment, but kubectl does not. */
const separatorLine = /^(?:---(?=[ \t\r\n#]|$)|\.\.\.(?=[ \t\r\n]|$))/gm;

/** Matches a separator as Helm does in the output of a template: any text may follow it. */
export const helmSeparator = /^---/gm;

function splitValues(text: string, document: Span): readonly Span[] {
  const span = withoutMark(text, document);
  const first = firstCharacter(text, span);
  if (first === undefined) return [];
  if (text[first] === '%') return [];
  if (text[first] !== '{') return [span];
  const values: Span[] = [];
  let start = first;
  for (let end = endOfValue(text, start, span.end); end !== undefined; end = endOfValue(text, start, span.end)) {
    const next = firstCharacter(text, { start: end, end: span.end });
    if (next === undefined || text[next] !== '{') break;
    values.push({ start, end });
    start = next;
  }
  return [...values, { start, end: span.end }];
}

/** Removes the byte order mark at the start of a document. When files are concatenated, each of them keeps its byte order mark. */
function withoutMark(text: string, { start, end }: Span): Span {
  const first = firstCharacter(text, { start, end });
  return first !== undefined && text[first] === '\ufeff' ? { start: first + 1, end } : { start, end };
}

/** Returns the offset of the first character that is neither blank nor in a comment; undefined if there is none. */
export function firstCharacter(text: string, span: Span): number | undefined {
  for (let at = span.start; at < span.end; at++) {
    const character = text[at];
    if (character === '#') {
      const lineEnd = text.indexOf('\n', at);
      if (lineEnd === -1 || lineEnd >= span.end) return undefined;
      at = lineEnd;
    } else if (character !== ' ' && character !== '\t' && character !== '\r' && character !== '\n') {
      return at;
    }
  }
  return undefined;
}

/** Returns the offset after the `}` that closes the value at `start`; undefined if it is not closed. */
export function endOfValue(text: string, start: number, end: number): number | undefined {
  let depth = 0;
  for (let at = start; at < end; at++) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at, end);
    else if (character === '{' || character === '[') depth++;
    else if ((character === '}' || character === ']') && --depth === 0) return at + 1;
  }
  return undefined;
}

function endOfString(text: string, start: number, end: number): number {
  let at = start + 1;
  while (at < end && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

/** Returns the offset of a directive before the first document, such as `%YAML 1.2`. kubectl and kustomize split a file at `---`, parse the directive as a separate document, and reject it. */
export function directiveAt(text: string): number | undefined {
  const found = /^(?:[ \t]*(?:#[^\r\n]*)?\r?\n)*(?=%[A-Z]+[ \t])/.exec(text);
  return found?.[0].length;
}
