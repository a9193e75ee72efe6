/** Assembles the output of a template from text and from actions that remain in it; actions are placed on separate lines where required. */

import { textAsCode } from './actions.ts';
import { action } from './value.ts';

export interface Output {
  text: string;
  /** The output with the default values of the chart; undefined if it is unknown. */
  data: string | undefined;
  /**
   * Whether the output contains blocks that depend on values that users can set, or actions that could not be
   * evaluated; such output cannot be parsed as one value.
   */
  flows: boolean;
}

/** `key: value` */
const entry = /^[ \t]*["']?[\w./-]+["']?:(?=\s|$)/m;

export function hasEntries(text: string): boolean {
  return entry.test(text);
}

/** Whether a text, in one of its branches, is certainly a scalar: a line that is not an entry, an item or a collection in braces. */
export function writesScalar(text: string): boolean {
  if (hasEntries(text)) return false;
  const [before = '', ...parts] = text.split('{{');
  const written = [before, ...parts.map((part) => part.slice(part.indexOf('}}') + 2))].join('');
  return /^[ \t]*\w/m.test(written) && !/^[ \t]*-(?:\s|$)/m.test(written);
}

export function join(output: Output, { text, data, flows }: Output): void {
  output.text += text;
  output.data = output.data === undefined || data === undefined ? undefined : output.data + data;
  output.flows ||= flows;
}

/** Writes the text before a block, and both branches of the block, on separate lines if they contain line breaks. */
export function writeBlock(before: string, condition: string, then: string, otherwise: string): string {
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const blank = line.trim() === '';
  const writesLines = (text: string) => text.includes('\n') || (blank && hasEntries(text));
  if (then.trim() === '' && otherwise.trim() === '') return before + then;
  if (!writesLines(then) && !writesLines(otherwise)) {
    // In parentheses, the condition does not begin a block.
    return `${before}${action(`(${condition}): ${textAsCode(then)} else: ${textAsCode(otherwise)}`)}`;
  }
  const indent = blank ? line : '';
  const branch = (text: string) => (text.startsWith('\n') ? text : `\n${indent}${text}`);
  const middle = otherwise.trim() === '' ? '' : `\n{{ else }}${branch(otherwise)}`;
  return `${before}\n{{ ${condition} }}${branch(then)}${middle}\n{{ end }}\n${indent}`;
}

/** Returns the expression of the action, if a text consists of a single action. */
export function onlyAction(text: string): string | undefined {
  const isOne = text.startsWith('{{ ') && text.indexOf('}}') === text.length - 2;
  return isOne ? text.slice(3, -3) : undefined;
}
