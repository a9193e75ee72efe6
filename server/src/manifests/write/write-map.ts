/** Replaces a whole map with a different map, in the style of the original. */

import { lineEnd } from '../../text/lines.ts';
import { needsQuotes } from '../yaml/scalar-types.ts';
import type { MapNode } from '../yaml/tree.ts';

type Plain = string | readonly Plain[] | { readonly [key: string]: Plain };

/** Returns the text of `value` as a replacement for a map, in the same style: in braces or on separate lines, and with the same kind of quotes. Undefined if the replacement would remove a comment, an anchor, an alias, or a template. */
export function mapText(text: string, node: MapNode, value: object): string | undefined {
  const { start, end } = node.span;
  const old = text.slice(start, end);
  if (/(^|\s)#|[&*]\w|\{\{|!!/.test(old)) return undefined;
  const plain = value as Plain; // made only of strings, lists and maps
  const line = text.lastIndexOf('\n', start - 1) + 1;
  if (!node.flow) {
    const indent = text.slice(line, start);
    return indent.trim() === '' ? block(plain, indent).join(lineEnd(text)) : undefined;
  }
  if (!/^\{\s*"/.test(old)) return flow(plain, /^\{ /.test(old));
  if (!old.includes('\n'))
    return JSON.stringify(plain).replaceAll('":', '": ').replaceAll(',"', ', "').replaceAll(',{', ', {');
  const inner = /\n([ \t]*)/.exec(old)?.[1] ?? '';
  const indent = /^[ \t]*/.exec(text.slice(line, start))?.[0] ?? '';
  const unit = inner.startsWith(indent) && inner.length > indent.length ? inner.slice(indent.length) : '  ';
  return JSON.stringify(plain, undefined, unit).replaceAll('\n', `${lineEnd(text)}${indent}`);
}

/** Returns the lines of a map; the first line begins at the start of the map. */
function block(value: Plain, indent: string): readonly string[] {
  const lines = entriesOf(value).flatMap(([key, each]) => {
    if (typeof each === 'string') return [`${scalar(key)}: ${scalar(each)}`];
    if (isList(each)) {
      if (each.every((item) => typeof item === 'string')) return [`${scalar(key)}: ${flow(each, false)}`];
      return [`${scalar(key)}:`, ...each.flatMap((item) => listItem(item))];
    }
    return [`${scalar(key)}:`, ...block(each, '').map((line) => `  ${line}`)];
  });
  return lines.map((line, index) => (index === 0 ? line : indent + line));
}

function listItem(item: Plain): readonly string[] {
  return block(item, '').map((line, index) => `  ${index === 0 ? '- ' : '  '}${line}`);
}

function flow(value: Plain, spaced: boolean): string {
  if (typeof value === 'string') return scalar(value);
  if (isList(value)) return `[${value.map((item) => flow(item, spaced)).join(', ')}]`;
  const pairs = entriesOf(value)
    .map(([key, each]) => `${scalar(key)}: ${flow(each, spaced)}`)
    .join(', ');
  return spaced ? `{ ${pairs} }` : `{${pairs}}`;
}

function scalar(text: string): string {
  return needsQuotes(text) ? JSON.stringify(text) : text;
}

function entriesOf(value: Plain): readonly (readonly [string, Plain])[] {
  return typeof value === 'string' || isList(value) ? [] : Object.entries(value);
}

function isList(value: Plain): value is readonly Plain[] {
  return Array.isArray(value);
}
