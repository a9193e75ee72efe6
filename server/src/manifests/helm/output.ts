/** How is what a template writes put together? Text, and the actions that stay in it, on lines of their own where due. */

import { quotedText } from './actions.ts';
import { action } from './value.ts';

/** What a template writes. */
export interface Output {
  text: string;
  /** With the defaults of the chart; undefined where they do not tell. */
  data: string | undefined;
  /** Somebody may choose what is in it: it cannot be read as one value. */
  flows: boolean;
}

/** `key: value` */
const entry = /^[ \t]*["']?[\w./-]+["']?:(?=\s|$)/m;

/** Whether a text holds entries of a map. */
export function hasEntries(text: string): boolean {
  return entry.test(text);
}

/** Writes more. */
export function join(output: Output, { text, data, flows }: Output): void {
  output.text += text;
  output.data = output.data === undefined || data === undefined ? undefined : output.data + data;
  output.flows ||= flows;
}

/** What is written before a block, and its two branches: on lines of their own where they write lines. */
export function writeBlock(before: string, condition: string, then: string, otherwise: string): string {
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const blank = line.trim() === '';
  const writesLines = (text: string) => text.includes('\n') || (blank && hasEntries(text));
  if (then.trim() === '' && otherwise.trim() === '') return before + then;
  if (!writesLines(then) && !writesLines(otherwise)) {
    return `${before}${action(`${condition}: ${asCode(then)} else: ${asCode(otherwise)}`)}`;
  }
  const indent = blank ? line : '';
  const branch = (text: string) => (text.startsWith('\n') ? text : `\n${indent}${text}`);
  const middle = otherwise.trim() === '' ? '' : `\n{{ else }}${branch(otherwise)}`;
  return `${before}\n{{ ${condition} }}${branch(then)}${middle}\n{{ end }}\n${indent}`;
}

/** The expression of a text that is an action and nothing else. */
export function onlyAction(text: string): string | undefined {
  const isOne = text.startsWith('{{ ') && text.indexOf('}}') === text.length - 2;
  return isOne ? text.slice(3, -3) : undefined;
}

function asCode(text: string): string {
  return quotedText(text.replaceAll('{{', '(').replaceAll('}}', ')'));
}
