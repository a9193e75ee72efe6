/** Finds the statements of Jinja (`{% if blue %}`) and FreeMarker (`<#if blue>`), which do not write any output. */

import type { Span } from '../../text/span.ts';

/** A statement with its keyword, which is `end` for the end of a block. */
export interface Statement {
  readonly span: Span;
  readonly word: string;
}

/** Whether a text may contain statements. */
export function mayHoldStatements(text: string): boolean {
  return text.includes('{%') || mayHoldDirectives(text);
}

function mayHoldDirectives(text: string): boolean {
  return text.includes('</#') || text.includes('<#assign') || text.includes('<#--');
}

/** Returns the statements of a text, in order. */
export function statementsIn(text: string): readonly Statement[] {
  const jinja = text.includes('{%') ? [...text.matchAll(/\{%-?[ \t]*(\w+)[^\n]{0,300}?%\}/g)] : [];
  const directives = mayHoldDirectives(text) ? [...text.matchAll(directive)] : [];
  const found = [...jinja, ...directives].map(({ 0: all, 1: word = '', index }) => {
    const isEnd = word.startsWith('end') || all.startsWith('</#');
    return { span: { start: index, end: index + all.length }, word: isEnd ? 'end' : (keywords.get(word) ?? word) };
  });
  return jinja.length > 0 && directives.length > 0 ? found.toSorted((a, b) => a.span.start - b.span.start) : found;
}

const directive = /<\/?#([a-z]{2,20})(?:\s[^\n>]{0,300})?\/?>|<#--[\s\S]{0,2000}?-->/g;

/** The keywords of FreeMarker for blocks, and the corresponding keywords of Go templates. */
const keywords: ReadonlyMap<string, string> = new Map([
  ['list', 'range'],
  ['items', 'range'],
  ['noparse', 'block'],
  ['switch', 'if'],
  ['elseif', 'else'],
  ['macro', 'define'],
  ['function', 'define'],
]);
